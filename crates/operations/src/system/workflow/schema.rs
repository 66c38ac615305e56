//! Which schemas may the parameters of a workflow have, and what of given ones does not fit?
//!
//! Whoever saves a workflow writes the schema and the values, so both could be made to take long. What is bounded here
//! is what their cost grows with; `Apart` sees to the rest.

use std::sync::LazyLock;
use std::time::Duration;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::apart::{Apart, NoAnswer};
use crate::shown::shown;
use crate::validate_arguments::{ArgumentError, dotted, misfits};

/// Bytes of a schema.
const BYTES_MAX: usize = 32 * 1024;
/// Levels that it nests.
const DEPTH_MAX: usize = 32;
/// Regular expressions in it.
const PATTERNS_MAX: usize = 32;
/// Characters of one of them.
const PATTERN_CHARS_MAX: usize = 1_000;
/// Bytes that one of them takes when it is compiled: what reading a character can cost.
const PATTERN_COMPILED_BYTES: usize = 64 * 1024;
/// Bytes for the states that are kept while it reads.
const PATTERN_STATE_BYTES: usize = 1024 * 1024;
/// Patterns of a schema times bytes of the values they may be tried on.
const PATTERN_WORK: usize = 512 * 1024;
/// How deep `unevaluatedProperties` and `unevaluatedItems` lie within each other: each looks through all within it again.
const UNEVALUATED_MAX: usize = 3;
/// Bytes of a schema times bytes of values beyond which only the first misfit is told: all are collected at once.
const TOLD_WORK: usize = 8 * 1024 * 1024;
/// Schemas that are worked on at the same time.
const AT_ONCE: usize = 2;
/// How long one may take.
const WAIT: Duration = Duration::from_secs(2);

static SCHEMAS: LazyLock<Apart> = LazyLock::new(|| Apart::new(AT_ONCE, WAIT));

/// Works with a schema away from the threads that answer.
pub(super) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    SCHEMAS.run(work).await.unwrap_or_else(|none| {
        Err(match none {
            NoAnswer::TooLong(wait) => format!(
                "`parameters` must be checked within {} seconds, and were not: make their schema simpler or their \
                 values shorter, or try again when less is going on",
                wait.as_secs()
            ),
            NoAnswer::BrokenOff => "`parameters` cannot be checked: make their schema simpler".to_owned(),
        })
    })
}

/// A schema within bounds.
pub(super) struct Bounded<'a> {
    schema: &'a Value,
    bytes: usize,
    patterns: usize,
}

impl<'a> Bounded<'a> {
    /// Measures a schema; what is wrong names its place and its bound.
    pub fn new(schema: &'a Value) -> Result<Self, String> {
        let bytes = schema.to_string().len();
        if bytes > BYTES_MAX {
            return Err(format!(
                "`parameters` must be a schema of {} KB at most, not {}",
                BYTES_MAX / 1024,
                bytes.div_ceil(1024)
            ));
        }
        let mut patterns = 0;
        measure(schema, 1, 0, &mut patterns).map_err(|beyond| {
            let mut path = vec!["parameters".to_owned()];
            path.extend(beyond.path.into_iter().rev());
            format!("`{}` {}", shown(&path.join(".")), beyond.told)
        })?;
        Ok(Self {
            schema,
            bytes,
            patterns,
        })
    }

    /// Makes it ready. Takes its time; patterns read in time that grows with the text alone.
    pub fn compile(&self) -> Result<Validator, String> {
        let patterns = PatternOptions::regex()
            .size_limit(PATTERN_COMPILED_BYTES)
            .dfa_size_limit(PATTERN_STATE_BYTES);
        let compiled = jsonschema::options()
            .with_pattern_options(patterns)
            .build(self.schema);
        compiled.map_err(|error| {
            let is_pattern =
                matches!(error.kind(), ValidationErrorKind::Format { format } if format == "regex");
            let path = match error.instance_path().as_str() {
                "" => error.schema_path().as_str(),
                path => path,
            };
            match is_pattern {
                true => format!(
                    "`parameters.{}` must be a regular expression without look-around and back-references that repeats \
                     no more than some hundred times: {}",
                    shown(&dotted(path)),
                    shown(&error.to_string())
                ),
                false => super::definition::no_schema(&shown(&error.to_string())),
            }
        })
    }

    /// Checks values, an object of this many bytes, with the schema made ready. Takes its time.
    pub fn check(&self, compiled: &Validator, values: &Value, bytes: usize) -> Result<(), String> {
        if self.patterns * bytes > PATTERN_WORK {
            return Err(format!(
                "`parameters` must be {} KB at most beside the {} patterns of their schema, not {}",
                PATTERN_WORK / self.patterns.max(1) / 1024,
                self.patterns,
                bytes.div_ceil(1024)
            ));
        }
        let all = self.bytes * bytes <= TOLD_WORK;
        misfits(compiled, values, all).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ArgumentError::to_string).collect();
            format!("`parameters` do not fit: {}", errors.join("; "))
        })
    }
}

/// What is beyond a bound, and where: the innermost part first.
struct Beyond {
    path: Vec<String>,
    told: String,
}

impl Beyond {
    fn at(name: &str, told: impl Into<String>) -> Self {
        Self {
            path: vec![name.to_owned()],
            told: told.into(),
        }
    }

    fn within(mut self, name: impl Into<String>) -> Self {
        self.path.push(name.into());
        self
    }
}

fn measure(schema: &Value, depth: usize, unevaluated: usize, patterns: &mut usize) -> Result<(), Beyond> {
    if depth > DEPTH_MAX {
        return Err(Beyond {
            path: Vec::new(),
            told: format!("must nest {DEPTH_MAX} levels at most"),
        });
    }
    match schema {
        Value::Object(members) => {
            let looks_again = ["unevaluatedProperties", "unevaluatedItems"];
            let again = looks_again.into_iter().find(|name| members.contains_key(*name));
            let unevaluated = unevaluated + usize::from(again.is_some());
            if let Some(name) = again.filter(|_| unevaluated > UNEVALUATED_MAX) {
                let told = format!("must lie within {} others like it at most", UNEVALUATED_MAX - 1);
                return Err(Beyond::at(name, told));
            }
            for (name, member) in members {
                measure_member(name, member, patterns)?;
                measure(member, depth + 1, unevaluated, patterns)
                    .map_err(|beyond| beyond.within(name.as_str()))?;
            }
            Ok(())
        }
        Value::Array(items) => items.iter().enumerate().try_for_each(|(index, item)| {
            measure(item, depth + 1, unevaluated, patterns).map_err(|beyond| beyond.within(index.to_string()))
        }),
        _ => Ok(()),
    }
}

fn measure_member(name: &str, member: &Value, patterns: &mut usize) -> Result<(), Beyond> {
    match (name, member) {
        // References can lead in circles, or double what is to be checked with each step.
        ("$ref" | "$dynamicRef" | "$recursiveRef", _) => Err(Beyond::at(
            name,
            "must not be there: a schema must write out what it means, without `$ref`",
        )),
        // Every value would be compiled as one.
        ("format", Value::String(format)) if format == "regex" => Err(Beyond::at(
            name,
            "must not be `regex`: say in the description what is meant",
        )),
        ("pattern", Value::String(pattern)) => {
            measure_pattern(pattern, patterns).map_err(|told| Beyond::at(name, told))
        }
        ("patternProperties", Value::Object(members)) => members
            .keys()
            .try_for_each(|pattern| measure_pattern(pattern, patterns))
            .map_err(|told| Beyond::at(name, told)),
        _ => Ok(()),
    }
}

fn measure_pattern(pattern: &str, patterns: &mut usize) -> Result<(), String> {
    *patterns += 1;
    if *patterns > PATTERNS_MAX {
        return Err(format!(
            "must be one of {PATTERNS_MAX} patterns at most in the whole schema"
        ));
    }
    match pattern.chars().count() {
        0..=PATTERN_CHARS_MAX => Ok(()),
        length => Err(format!(
            "must be a pattern of {PATTERN_CHARS_MAX} characters at most, not {length}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use serde_json::json;

    use super::*;

    /// Far more than any of these may take on a slow machine, and far less than without bounds.
    const PATIENCE: Duration = Duration::from_secs(30);

    fn check(schema: &Value, values: &Value, bytes: usize) -> Result<(), String> {
        let bounded = Bounded::new(schema).unwrap();
        bounded.check(&bounded.compile()?, values, bytes)
    }

    /// What is allowed at most stays within bounds of time, whatever it is made of.
    #[test]
    fn what_is_allowed_is_done_in_time() {
        let unevaluated = (0..UNEVALUATED_MAX).fold(json!({"properties": {"a": true}}), |inner, _| {
            json!({"anyOf": [inner, {"properties": {"b": true}}], "unevaluatedProperties": {"type": "string"}})
        });
        let many = |of: Value| vec![of.clone(); (BYTES_MAX - 100) / (of.to_string().len() + 1)];
        let patterns: Vec<Value> = (0..PATTERNS_MAX)
            .map(|nth| json!({"pattern": format!("[01]*1[01]{{150}}[2-9]+{nth}|(a+)+$")}))
            .collect();
        let text = "01101".repeat(PATTERN_WORK / PATTERNS_MAX / 5 - 10);
        let numbers = Value::Array((0..40_000).map(Value::from).collect());
        for (schema, values) in [
            (
                json!({"properties": {"a": {"anyOf": patterns}}}),
                json!({"a": text}),
            ),
            (
                json!({"properties": {"a": {"allOf": many(json!({"items": {"type": "integer"}}))}}}),
                json!({"a": numbers}),
            ),
            (
                json!({"properties": {"a": {"items": {"enum": many(json!([{"a": 1}]))}}}}),
                json!({"a": vec![json!([{"a": 2}]); 20_000]}),
            ),
            (
                json!({"properties": {"a": {"items": unevaluated}}}),
                json!({"a": vec![json!({"a": 1, "c": "x"}); 10_000]}),
            ),
            (json!({"uniqueItems": true}), json!({"a": numbers})),
        ] {
            let started = Instant::now();
            let bytes = values.to_string().len();
            let checked = check(&schema, &values, bytes);
            let told = checked.err().unwrap_or_default();
            assert!(!told.contains("must be"), "it is not refused at once: {told}");
            assert!(started.elapsed() < PATIENCE, "{schema}: {:?}", started.elapsed());
        }
    }

    /// A pattern that other engines never finish reads a text once.
    #[test]
    fn patterns_read_in_time_that_grows_with_the_text() {
        let schema = json!({"properties": {"a": {"pattern": "^(a|a)*(a+)+$"}}});
        let long = json!({"a": format!("{}!", "a".repeat(100_000))});
        let told = check(&schema, &long, 100_010).unwrap_err();
        assert!(told.contains("a: "), "{told}");
        check(&schema, &json!({"a": "aaa"}), 10).unwrap();
    }
}
