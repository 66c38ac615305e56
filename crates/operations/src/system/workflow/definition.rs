//! What is a workflow, and can this one be run?

use std::collections::{BTreeMap, BTreeSet};

use handpick_access::{Denial, Policy};
use handpick_domain::{Caller, Surface, SystemToolkit, ToolKind};
use handpick_protocol::json::{DEPTH_MAX, too_deep};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::schema::Bounded;
use super::template::{Reference, references};
use crate::limits::{WORKFLOW_BYTES_MAX, WORKFLOW_PLACEHOLDERS_MAX, WORKFLOW_STEPS_MAX};
use crate::shown::{shown, shown_denial};

/// A saved sequence of tool calls, as it is asked for and as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Workflow {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The JSON Schema of what a run is started with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Map<String, Value>>,
    pub steps: Vec<Step>,
}

/// One call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Step {
    pub id: String,
    pub tool: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

impl Step {
    /// Its arguments as a template.
    pub fn template(&self) -> Value {
        Value::Object(self.arguments.clone())
    }
}

/// Who saves it: what they may use decides which tools it may name.
pub(super) struct Saver<'a> {
    pub policy: &'a Policy,
    pub surface: &'a Surface,
    pub caller: &'a Caller,
}

impl Workflow {
    /// Checks everything that can be known before a run, and spells each tool's name in full.
    pub fn check(&mut self, saver: &Saver<'_>) -> Result<(), String> {
        if self.name.is_empty() || self.name.len() > 64 || !self.name.chars().all(is_name_character) {
            return Err("`name` must be 1 to 64 letters, digits, `-` or `_`".to_owned());
        }
        if self.steps.is_empty() || self.steps.len() > WORKFLOW_STEPS_MAX {
            return Err(format!(
                "`steps` must be 1 to {WORKFLOW_STEPS_MAX}, not {}",
                self.steps.len()
            ));
        }
        let parameters = self.check_parameters()?;
        let (mut earlier, mut placeholders) = (BTreeSet::new(), 0);
        let ids: BTreeSet<String> = self.steps.iter().map(|step| step.id.clone()).collect();
        for (index, step) in self.steps.iter_mut().enumerate() {
            let at = |rest: String| format!("`steps[{index}].{rest}");
            if step.id.is_empty() || step.id.len() > 64 || !step.id.chars().all(is_name_character) {
                return Err(at("id` must be 1 to 64 letters, digits, `-` or `_`".to_owned()));
            }
            if earlier.contains(&step.id) {
                return Err(at(format!(
                    "id` must differ from those before it, not be `{}` again",
                    step.id
                )));
            }
            step.tool = tool_name(saver, &step.tool).map_err(&at)?;
            let path = format!("steps[{index}].arguments");
            let named = references(&step.template(), &path)?;
            placeholders += named.len();
            for reference in &named {
                known(reference, &parameters, &earlier, &ids).map_err(|told| format!("`{path}`: {told}"))?;
            }
            earlier.insert(step.id.clone());
        }
        match placeholders {
            0..=WORKFLOW_PLACEHOLDERS_MAX => Ok(()),
            many => Err(format!(
                "`steps` must hold {WORKFLOW_PLACEHOLDERS_MAX} placeholders at most, not {many}"
            )),
        }
    }

    /// The names that a run may be started with. Whether the schema can be compiled is not known by then.
    fn check_parameters(&self) -> Result<BTreeSet<String>, String> {
        let Some(schema) = &self.parameters else {
            return Ok(BTreeSet::new());
        };
        if schema.get("type").is_some_and(|kind| kind != "object") {
            return Err(no_schema("its `type` is another"));
        }
        Bounded::new(&Value::Object(schema.clone()))?;
        match schema.get("properties") {
            None => Ok(BTreeSet::new()),
            Some(Value::Object(properties)) => Ok(properties.keys().cloned().collect()),
            Some(_) => Err(no_schema("its `properties` are no object")),
        }
    }

    /// The workflow as it is kept.
    pub fn json(&self) -> Result<String, String> {
        let json = serde_json::to_string(self).map_err(|error| error.to_string())?;
        match json.len() {
            0..=WORKFLOW_BYTES_MAX => Ok(json),
            length => Err(format!(
                "a workflow must be {} KB at most, not {}",
                WORKFLOW_BYTES_MAX / 1024,
                length.div_ceil(1024)
            )),
        }
    }

    /// What a run is started with: what was given, checked, with the defaults of what was not. Takes its time.
    pub fn started_with(&self, given: Option<&RawValue>) -> Result<BTreeMap<String, Box<RawValue>>, String> {
        let given = given.map_or("{}", RawValue::get);
        let mut values: BTreeMap<String, Box<RawValue>> =
            serde_json::from_str(given).map_err(|_| "`parameters` must be an object".to_owned())?;
        let Some(schema) = &self.parameters else {
            return match values.keys().next() {
                None => Ok(values),
                Some(name) => Err(format!(
                    "`parameters.{}` is not known: the workflow `{}` takes no parameters",
                    shown(name),
                    self.name
                )),
            };
        };
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for (name, property) in properties {
                if let (false, Some(default)) = (values.contains_key(name), property.get("default")) {
                    values.insert(name.clone(), handpick_protocol::json::to_raw(default));
                }
            }
        }
        let raw = handpick_protocol::json::to_raw(&values);
        if too_deep(raw.get()) {
            return Err(format!("`parameters` must nest {DEPTH_MAX} levels at most"));
        }
        let whole = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
        let schema = Value::Object(schema.clone());
        let outdated = |told: String| format!("the workflow `{}` must be saved anew: {told}", self.name);
        let bounded = Bounded::new(&schema).map_err(outdated)?;
        let compiled = bounded.compile().map_err(outdated)?;
        bounded
            .check(&compiled, &whole, raw.get().len())
            .map_err(|told| format!("the workflow `{}` cannot be started so: {told}", self.name))?;
        Ok(values)
    }

    /// What later steps need of each step's answer, from `step` on.
    pub fn needed_of(&self, step: usize) -> Vec<Reference> {
        let Some(id) = self.steps.get(step).map(|step| &step.id) else {
            return Vec::new();
        };
        let mut needed: Vec<Reference> = Vec::new();
        for later in self.steps.iter().skip(step + 1) {
            for reference in references(&later.template(), "").unwrap_or_default() {
                let of_this = matches!(&reference, Reference::Step { id: of, .. } if of == id);
                if of_this && !needed.contains(&reference) {
                    needed.push(reference);
                }
            }
        }
        needed
    }
}

/// What is told of parameters that are no schema.
pub(super) fn no_schema(told: &str) -> String {
    format!(
        "`parameters` must be a JSON Schema of an object, such as {{\"type\": \"object\", \"properties\": {{\"city\": \
         {{\"type\": \"string\"}}}}, \"required\": [\"city\"]}}: {told}"
    )
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

/// The full name of a tool that the caller may use and that a step may run.
fn tool_name(saver: &Saver<'_>, written: &str) -> Result<String, String> {
    let position = saver
        .policy
        .find(saver.surface, written, saver.caller)
        .map_err(|denial| match shown_denial(denial) {
            Denial::NotFound { name } => {
                format!("tool` must be a tool you can use; there is none named `{name}`")
            }
            denial => format!("tool`: {denial}"),
        })?;
    let tools = saver.surface.catalog.tools();
    match tools.get(position) {
        Some(tool) if tool.kind == ToolKind::BuiltIn(SystemToolkit::Workflow) => Err(format!(
            "tool` must not be `{}`: a workflow cannot run workflow tools",
            tool.name
        )),
        Some(tool) => Ok(tool.name.to_string()),
        None => Err("tool` must be a tool you can use".to_owned()),
    }
}

fn known(
    reference: &Reference,
    parameters: &BTreeSet<String>,
    earlier: &BTreeSet<String>,
    ids: &BTreeSet<String>,
) -> Result<(), String> {
    let key = reference.key();
    match reference {
        Reference::Parameter { name, .. } if !parameters.contains(name) => Err(format!(
            "`{{{{{}}}}}` needs `{}` among the `properties` of `parameters`",
            shown(&key),
            shown(name)
        )),
        Reference::Step { id, .. } if !ids.contains(id) => Err(format!(
            "`{{{{{}}}}}` names no step; there is none with the id `{}`",
            shown(&key),
            shown(id)
        )),
        Reference::Step { id, .. } if !earlier.contains(id) => Err(format!(
            "`{{{{{}}}}}` must name an earlier step; `{id}` has not run by then",
            shown(&key)
        )),
        _ => Ok(()),
    }
}
