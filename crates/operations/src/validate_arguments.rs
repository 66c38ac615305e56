//! Do these arguments fit the tool's schema?

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use handpick_domain::{Tool, ToolName};
use handpick_protocol::json::{DEPTH_MAX, too_deep};
use jsonschema::Validator;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::limits::{ARGUMENT_ERRORS_MAX, SCHEMA_BYTES_MAX, SCHEMAS_MAX};
use crate::shown::shown;

/// One place where arguments break the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArgumentError {
    /// Where, such as `items[0].price`; empty for the arguments as a whole.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl std::fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

/// Compiled schemas, each made on the first call of its tool.
#[derive(Default)]
pub(crate) struct Validators {
    compiled: RwLock<HashMap<ToolName, Compiled>>,
}

#[derive(Clone)]
struct Compiled {
    schema: Arc<RawValue>,
    /// `None` for a schema that cannot be compiled: the upstream judges then.
    validator: Option<Arc<Validator>>,
}

impl Validators {
    /// Checks `arguments`, an object, before the upstream is bothered.
    ///
    /// A schema that is itself broken, too large or refers to other documents checks nothing: that is
    /// the upstream's fault and costs the caller no call.
    pub(crate) fn check(&self, tool: &Tool, arguments: &RawValue) -> Result<(), Vec<ArgumentError>> {
        // Arguments that came wrapped in a string were not measured with the message around them.
        if too_deep(arguments.get()) {
            return Err(vec![nests_too_deep()]);
        }
        let Some(validator) = self.validator(tool) else {
            return Ok(());
        };
        let Ok(arguments) = serde_json::from_str::<Value>(arguments.get()) else {
            return Err(vec![nests_too_deep()]);
        };
        if validator.is_valid(&arguments) {
            return Ok(());
        }
        let errors = validator.iter_errors(&arguments).take(ARGUMENT_ERRORS_MAX);
        Err(errors
            .map(|error| ArgumentError {
                path: dotted(error.instance_path().as_str()),
                message: shown(&error.to_string()).into_owned(),
            })
            .collect())
    }

    fn validator(&self, tool: &Tool) -> Option<Arc<Validator>> {
        let known = self
            .compiled
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&tool.name)
            .cloned();
        if let Some(compiled) = known.filter(|known| Arc::ptr_eq(&known.schema, &tool.input_schema)) {
            return compiled.validator;
        }
        let validator = compile(&tool.input_schema).map(Arc::new);
        let compiled = Compiled {
            schema: Arc::clone(&tool.input_schema),
            validator: validator.clone(),
        };
        let mut ready = self.compiled.write().unwrap_or_else(PoisonError::into_inner);
        if ready.len() >= SCHEMAS_MAX {
            ready.clear();
        }
        ready.insert(tool.name.clone(), compiled);
        validator
    }
}

fn nests_too_deep() -> ArgumentError {
    ArgumentError {
        path: String::new(),
        message: format!("nests deeper than {DEPTH_MAX} levels"),
    }
}

fn compile(schema: &RawValue) -> Option<Validator> {
    if schema.get().len() > SCHEMA_BYTES_MAX {
        return None;
    }
    let schema: Value = serde_json::from_str(schema.get()).ok()?;
    jsonschema::validator_for(&schema).ok()
}

/// A JSON pointer as people write paths: `/items/0/price` becomes `items[0].price`.
fn dotted(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if part.bytes().all(|byte| byte.is_ascii_digit()) && !part.is_empty() {
            path.push_str(&format!("[{part}]"));
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&part);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: &str, arguments: &str) -> Vec<String> {
        let json = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
        let tool = Tool::parse("app", &RawValue::from_string(json).unwrap()).unwrap();
        let arguments = RawValue::from_string(arguments.to_owned()).unwrap();
        match Validators::default().check(&tool, &arguments) {
            Ok(()) => Vec::new(),
            Err(errors) => errors.iter().map(ToString::to_string).collect(),
        }
    }

    /// P17, A57: every failing path is named.
    #[test]
    fn p17_failing_paths_are_named() {
        let schema = r#"{"type":"object","required":["title"],"properties":{"title":{"type":"string"},
            "items":{"type":"array","items":{"type":"object","properties":{"price":{"type":"number"}}}}}}"#;
        assert!(check(schema, r#"{"title":"x","items":[{"price":1}]}"#).is_empty());
        assert_eq!(check(schema, "{}"), [r#""title" is a required property"#]);
        assert_eq!(
            check(schema, r#"{"title":5,"items":[{"price":"1"}]}"#),
            [
                r#"title: 5 is not of type "string""#,
                r#"items[0].price: "1" is not of type "number""#
            ]
        );
    }

    #[test]
    fn a_broken_schema_checks_nothing() {
        for schema in [
            r#"{"type":5}"#,
            r##"{"$ref":"#/nowhere"}"##,
            r#"{"$ref":"https://example.test/schema.json"}"#,
            r#"{"pattern":"("}"#,
        ] {
            assert!(check(schema, r#"{"any":1}"#).is_empty(), "{schema}");
        }
    }

    /// E20: depth wrapped in a string is depth, whether or not there is a schema to check.
    #[test]
    fn e20_deep_arguments_are_refused() {
        let deep = |levels: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(levels), "]".repeat(levels));
        for schema in [r#"{"type":"object"}"#, r#"{"type":5}"#] {
            assert!(check(schema, &deep(100)).is_empty());
            assert_eq!(check(schema, &deep(100_000)), ["nests deeper than 128 levels"]);
        }
    }

    /// What is wrong is told in a few words, however long the value is.
    #[test]
    fn e16_messages_do_not_grow_with_the_value() {
        let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(1_000_000));
        let errors = check(r#"{"properties":{"a":{"type":"number"}}}"#, &long);
        assert!(
            errors[0].starts_with("a: \"xxx") && errors[0].len() < 1_000,
            "{}",
            errors[0].len()
        );
    }

    #[test]
    fn older_drafts_are_read_as_such() {
        let schema = r##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object",
            "properties":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"type":"integer"}}}"##;
        assert_eq!(
            check(schema, r#"{"a":"x"}"#),
            [r#"a: "x" is not of type "integer""#]
        );
    }
}
