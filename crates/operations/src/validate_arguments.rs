//! Do these arguments fit the tool's schema?

mod known;
mod weight;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use handpick_domain::{Tool, ToolName};
use handpick_protocol::json::{DEPTH_MAX, too_deep};
use jsonschema::{ValidationError, Validator};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use self::known::{Known, Unchecked};
use crate::apart::Apart;
use crate::limits::{ARGUMENT_ERRORS_MAX, SCHEMA_WAIT, SCHEMAS_AT_ONCE, SCHEMAS_MAX};
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
    known: RwLock<HashMap<ToolName, Arc<Known>>>,
    /// Where the work for each server's schemas is done that may take long: a server that fills its place keeps no other
    /// waiting.
    apart: RwLock<HashMap<String, Arc<Apart>>>,
}

impl Validators {
    /// Checks `arguments`, an object, before the upstream is bothered.
    ///
    /// A schema that is itself broken, too large or refers to other documents checks nothing: that is
    /// the upstream's fault and costs the caller no call. Nor does one that takes too long: the upstream judges then.
    pub(crate) async fn check(&self, tool: &Tool, arguments: &RawValue) -> Result<(), Vec<ArgumentError>> {
        // Arguments that came wrapped in a string were not measured with the message around them.
        if too_deep(arguments.get()) {
            return Err(vec![nests_too_deep()]);
        }
        let known = self.known(tool);
        let checked = match known.check_at_once(arguments) {
            Some(checked) => checked,
            None => {
                let (known, arguments) = (Arc::clone(&known), arguments.to_owned());
                let apart = self.apart(tool.name.app());
                let checked = apart.run(move || known.check(&arguments)).await;
                checked.unwrap_or_else(|none| Err(Unchecked::NoAnswer(none)))
            }
        };
        checked.unwrap_or_else(|unchecked| {
            known.tell(&tool.name, &unchecked);
            Ok(())
        })
    }

    fn known(&self, tool: &Tool) -> Arc<Known> {
        let known = self
            .known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&tool.name)
            .cloned();
        if let Some(known) = known.filter(|known| Arc::ptr_eq(&known.schema, &tool.input_schema)) {
            return known;
        }
        let fresh = Arc::new(Known::new(Arc::clone(&tool.input_schema)));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= SCHEMAS_MAX {
            known.clear();
        }
        known.insert(tool.name.clone(), Arc::clone(&fresh));
        fresh
    }

    fn apart(&self, app: &str) -> Arc<Apart> {
        let known = self.apart.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(apart) = known.get(app) {
            return Arc::clone(apart);
        }
        drop(known);
        let mut known = self.apart.write().unwrap_or_else(PoisonError::into_inner);
        let apart = known.entry(app.to_owned());
        Arc::clone(apart.or_insert_with(|| Arc::new(Apart::new(SCHEMAS_AT_ONCE, SCHEMA_WAIT))))
    }
}

/// Where a value breaks a schema: [`ARGUMENT_ERRORS_MAX`] places at most, or without `all` the first alone. The validator
/// collects every place before it gives one, which for a long value takes a hundred times its memory.
pub(crate) fn misfits(validator: &Validator, value: &Value, all: bool) -> Result<(), Vec<ArgumentError>> {
    if validator.is_valid(value) {
        return Ok(());
    }
    let told = |error: ValidationError<'_>| ArgumentError {
        path: dotted(error.instance_path().as_str()),
        message: shown(&error.to_string()).into_owned(),
    };
    Err(match all {
        true => {
            let errors = validator.iter_errors(value).take(ARGUMENT_ERRORS_MAX);
            errors.map(told).collect()
        }
        false => validator.validate(value).err().into_iter().map(told).collect(),
    })
}

fn nests_too_deep() -> ArgumentError {
    ArgumentError {
        path: String::new(),
        message: format!("nests deeper than {DEPTH_MAX} levels"),
    }
}

/// A JSON pointer as people write paths: `/items/0/price` becomes `items[0].price`.
pub(crate) fn dotted(pointer: &str) -> String {
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
        let validators = Validators::default();
        let checking = validators.check(&tool, &arguments);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        match runtime.unwrap().block_on(checking) {
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

    /// P17: of long arguments the first place is told, so that collecting the rest cannot fill the memory.
    #[test]
    fn p17_of_long_arguments_the_first_place_is_told() {
        let schema = r#"{"properties":{"a":{"items":{"type":"null"}}}}"#;
        let wrong = |count: usize| format!(r#"{{"a":[{}]}}"#, vec!["1"; count].join(","));
        assert_eq!(check(schema, &wrong(20)).len(), ARGUMENT_ERRORS_MAX);
        assert_eq!(
            check(schema, &wrong(100_000)),
            [r#"a[0]: 1 is not of type "null""#]
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
