//! What do the fields of a body say, and which are wrong?

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use handpick_conversation::{FieldDefect, published};
use handpick_domain::{AgentId, Message};
use serde_json::{Map, Value};

use super::error::ContextError;

/// Longest wrong value that is told, in characters.
const TOLD_MAX: usize = 40;

/// An object of a body, read field by field. `null` is absent, unknown fields are ignored (T7, E9).
///
/// A reading method that finds its field wrong notes that in `defects` and gives a placeholder back, so that one
/// answer can name every wrong field.
pub struct Part<'a> {
    path: String,
    members: Option<&'a Map<String, Value>>,
}

/// The wrong fields found so far.
pub type Defects = Vec<FieldDefect>;

/// The request, if every field was right.
pub fn finish<T>(request: T, defects: Defects) -> Result<T, ContextError> {
    if defects.is_empty() {
        Ok(request)
    } else {
        Err(ContextError::Fields(defects))
    }
}

/// The id of an agent (T5).
pub fn agent_id(text: &str, defects: &mut Defects) -> Option<AgentId> {
    AgentId::parse(text)
        .map_err(|defect| refuse(defects, "agentId", defect.to_string()))
        .ok()
}

impl<'a> Part<'a> {
    /// The whole body.
    pub fn whole(body: &'a Value) -> Result<Self, ContextError> {
        let members = body.as_object().ok_or_else(|| {
            let message = format!("must be an object, not {}", told(body));
            ContextError::Fields(vec![FieldDefect {
                field: "body".to_owned(),
                message,
            }])
        })?;
        Ok(Self {
            path: String::new(),
            members: Some(members),
        })
    }

    /// An optional object; one without fields where it is absent.
    pub fn part(&self, name: &str, defects: &mut Defects) -> Self {
        let path = self.path_of(name);
        let members = self.member(name).and_then(|value| {
            if !value.is_object() {
                refuse(defects, &path, format!("must be an object, not {}", told(value)));
            }
            value.as_object()
        });
        Self { path, members }
    }

    /// A required text that is not blank; `meaning` says what it holds.
    pub fn required_text(&self, name: &str, meaning: &str, defects: &mut Defects) -> String {
        match self.member(name) {
            Some(Value::String(text)) if !text.trim().is_empty() => return text.clone(),
            Some(Value::String(_)) => {
                let message = format!("must not be blank: {meaning}");
                refuse(defects, &self.path_of(name), message);
            }
            Some(other) => self.refuse_type(name, "a string", other, defects),
            None => refuse(defects, &self.path_of(name), format!("is required: {meaning}")),
        }
        String::new()
    }

    /// The required id of an agent (T5, T28).
    pub fn agent_id(&self, defects: &mut Defects) -> Option<AgentId> {
        let before = defects.len();
        let text = self.required_text("agentId", "the id that the agent was published under", defects);
        (defects.len() == before)
            .then(|| agent_id(&text, defects))
            .flatten()
    }

    /// An optional text.
    pub fn text(&self, name: &str, defects: &mut Defects) -> Option<String> {
        match self.member(name)? {
            Value::String(text) => return Some(text.clone()),
            other => self.refuse_type(name, "a string", other, defects),
        }
        None
    }

    /// A switch, where it is given.
    pub fn flag(&self, name: &str, defects: &mut Defects) -> Option<bool> {
        match self.member(name)? {
            Value::Bool(flag) => return Some(*flag),
            other => self.refuse_type(name, "true or false", other, defects),
        }
        None
    }

    /// A whole number of this range, where one is given (T31, T44).
    pub fn count(&self, name: &str, range: RangeInclusive<usize>, defects: &mut Defects) -> Option<usize> {
        let value = self.member(name)?;
        let number = value.as_f64().filter(|number| number.fract() == 0.0);
        let fits = |number: &f64| *number >= *range.start() as f64 && *number <= *range.end() as f64;
        let count = number.filter(fits).map(|number| number as usize);
        if count.is_none() {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            self.refuse_type(name, &expected, value, defects);
        }
        count
    }

    /// A set of texts, empty where it is absent.
    pub fn texts(&self, name: &str, defects: &mut Defects) -> BTreeSet<String> {
        let items = match self.member(name) {
            None => return BTreeSet::new(),
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.refuse_type(name, "an array of strings", other, defects);
                return BTreeSet::new();
            }
        };
        let mut texts = BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            match item {
                Value::String(text) => drop(texts.insert(text.clone())),
                other => self.refuse_type(&format!("{name}[{index}]"), "a string", other, defects),
            }
        }
        texts
    }

    /// Earlier messages, oldest first; none where they are absent (T22).
    pub fn messages(&self, name: &str, defects: &mut Defects) -> Vec<Message> {
        let Some(value) = self.member(name) else {
            return Vec::new();
        };
        published::messages(value, &self.path_of(name), defects)
    }

    fn member(&self, name: &str) -> Option<&'a Value> {
        self.members?.get(name).filter(|value| !value.is_null())
    }

    fn path_of(&self, name: &str) -> String {
        match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    fn refuse_type(&self, name: &str, expected: &str, value: &Value, defects: &mut Defects) {
        let message = format!("must be {expected}, not {}", told(value));
        refuse(defects, &self.path_of(name), message);
    }
}

/// Notes a wrong field.
pub fn refuse(defects: &mut Defects, field: &str, message: String) {
    defects.push(FieldDefect {
        field: field.to_owned(),
        message,
    });
}

/// A wrong value as its sender knows it: short ones themselves, long ones by their kind.
fn told(value: &Value) -> String {
    let kind = match value {
        Value::Array(_) => return "an array".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
        Value::String(text) if text.len() > 4 * TOLD_MAX => return "a long string".to_owned(),
        Value::String(_) => "a long string",
        _ => "a long number",
    };
    let text = value.to_string();
    if text.chars().count() > TOLD_MAX {
        kind.to_owned()
    } else {
        text
    }
}
