//! Is a tool's schema ready, and may it be used here and now?

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use handpick_domain::ToolName;
use jsonschema::Validator;
use serde_json::Value;
use serde_json::value::RawValue;

use super::weight::{Weight, depth, values};
use super::{ArgumentError, misfits, nests_too_deep};
use crate::apart::NoAnswer;
use crate::limits::SCHEMA_BYTES_MAX;

/// Bytes of a schema that is compiled at once.
const AT_ONCE_SCHEMA_BYTES: usize = 16 * 1024;
/// Bytes of arguments that are checked at once.
const AT_ONCE_ARGUMENT_BYTES: usize = 64 * 1024;
/// Subschemas times values that are checked at once: some milliseconds, where all are as bad as can be.
const AT_ONCE_WORK: u64 = 64 * 1024;
/// Subschemas times values up to which misfits are collected: each takes some hundred bytes.
const COLLECTED_WORK: u64 = 512 * 1024;
/// Subschemas times values that are tried at all: a thread that has begun cannot be stopped.
const WORK_MAX: u64 = 1 << 34;
/// How deep subschemas may lead within each other: each takes some hundred bytes of a stack of 2 MB.
const STEPS_MAX: u64 = 1_000;
/// Bytes of a text that weigh like a value.
const BYTES_A_VALUE: u64 = 32;
/// Bytes of arguments up to which every place is told where they break the schema.
const TOLD_BYTES: usize = 64 * 1024;

/// Why arguments go on unchecked.
#[derive(Debug)]
pub(super) enum Unchecked {
    /// The schema cannot be used.
    Unusable,
    /// For these arguments it could take without end.
    TooMuch,
    /// There was no answer in time.
    NoAnswer(NoAnswer),
}

/// Whether arguments fit, where they were checked.
pub(super) type Checked = Result<Result<(), Vec<ArgumentError>>, Unchecked>;

/// One tool's schema.
pub(super) struct Known {
    pub schema: Arc<RawValue>,
    ready: OnceLock<Option<Ready>>,
    told: AtomicBool,
}

struct Ready {
    validator: Validator,
    weight: Weight,
}

impl Known {
    pub fn new(schema: Arc<RawValue>) -> Self {
        Self {
            schema,
            ready: OnceLock::new(),
            told: AtomicBool::new(false),
        }
    }

    /// Checks arguments where that is certain to be quick.
    pub fn check_at_once(&self, arguments: &RawValue) -> Option<Checked> {
        if arguments.get().len() > AT_ONCE_ARGUMENT_BYTES {
            return None;
        }
        let Some(ready) = self.ready_at_once()? else {
            return Some(Err(Unchecked::Unusable));
        };
        if !ready.weight.is_plain {
            return None;
        }
        ready.check(arguments, AT_ONCE_WORK)
    }

    /// Checks arguments, however long that takes.
    pub fn check(&self, arguments: &RawValue) -> Checked {
        let ready = self.ready.get_or_init(|| {
            let schema = read(&self.schema)?;
            Ready::new(&schema, Weight::of(&schema)?)
        });
        let ready = ready.as_ref().ok_or(Unchecked::Unusable)?;
        ready
            .check(arguments, WORK_MAX)
            .unwrap_or(Err(Unchecked::TooMuch))
    }

    fn ready_at_once(&self) -> Option<Option<&Ready>> {
        if self.ready.get().is_none() {
            if self.schema.get().len() > AT_ONCE_SCHEMA_BYTES {
                return None;
            }
            let schema = read(&self.schema);
            let weight = schema.as_ref().and_then(Weight::of);
            if weight.as_ref().is_some_and(|weight| !weight.is_plain) {
                return None;
            }
            let ready = schema
                .zip(weight)
                .and_then(|(schema, weight)| Ready::new(&schema, weight));
            let _ = self.ready.set(ready);
        }
        self.ready.get().map(Option::as_ref)
    }

    /// Says once why arguments go on unchecked.
    pub fn tell(&self, tool: &ToolName, unchecked: &Unchecked) {
        if self.told.swap(true, Ordering::Relaxed) {
            return;
        }
        let tool = tool.as_str();
        match unchecked {
            Unchecked::Unusable => {
                tracing::info!(
                    tool,
                    "arguments go on unchecked: the tool's schema cannot be used"
                );
            }
            Unchecked::TooMuch => {
                tracing::warn!(
                    tool,
                    "arguments go on unchecked: the tool's schema makes too much of them"
                );
            }
            Unchecked::NoAnswer(reason) => {
                tracing::warn!(
                    tool,
                    ?reason,
                    "arguments go on unchecked: the tool's schema takes too long"
                );
            }
        }
    }
}

impl Ready {
    fn new(schema: &Value, weight: Weight) -> Option<Self> {
        // What leads too deep for a single value does so for all.
        if weight.at(0).steps > STEPS_MAX {
            return None;
        }
        let validator = jsonschema::validator_for(schema).ok()?;
        Some(Self { validator, weight })
    }

    /// Checks arguments that cost `most` at most; others get no answer.
    fn check(&self, arguments: &RawValue, most: u64) -> Option<Checked> {
        let bytes = arguments.get().len();
        let Ok(arguments) = serde_json::from_str::<Value>(arguments.get()) else {
            return Some(Ok(Err(vec![nests_too_deep()])));
        };
        let load = self.weight.at(depth(&arguments));
        let size = values(&arguments).saturating_add(bytes as u64 / BYTES_A_VALUE);
        let work = load.work.saturating_mul(size);
        if work > most || load.steps > STEPS_MAX {
            return None;
        }
        if work > COLLECTED_WORK && self.weight.has_alternatives {
            return Some(Ok(self.fits(&arguments)));
        }
        let all = work <= COLLECTED_WORK && bytes <= TOLD_BYTES;
        Some(Ok(misfits(&self.validator, &arguments, all)))
    }

    /// Whether arguments fit, without where: to say that could fill the memory.
    fn fits(&self, arguments: &Value) -> Result<(), Vec<ArgumentError>> {
        match self.validator.is_valid(arguments) {
            true => Ok(()),
            false => Err(vec![ArgumentError {
                path: String::new(),
                message: "they do not fit the schema, and are too long to say where".to_owned(),
            }]),
        }
    }
}

fn read(schema: &RawValue) -> Option<Value> {
    if schema.get().len() > SCHEMA_BYTES_MAX {
        return None;
    }
    serde_json::from_str(schema.get()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn raw(value: &Value) -> Box<RawValue> {
        RawValue::from_string(value.to_string()).unwrap()
    }

    fn known(schema: &Value) -> Known {
        Known::new(Arc::from(raw(schema)))
    }

    /// What most tools have costs no thread.
    #[test]
    fn usual_schemas_are_checked_at_once() {
        let address = json!({"type": "object", "required": ["city"], "properties": {
            "city": {"type": "string", "minLength": 1}, "zip": {"anyOf": [{"type": "string"}, {"type": "null"}]}}});
        let filter = json!({"type": "object", "properties": {
            "and": {"type": "array", "items": {"$ref": "#/$defs/Filter"}}, "not": {"$ref": "#/$defs/Filter"},
            "field": {"enum": ["a", "b", "c"]}}});
        let schema = json!({"type": "object", "required": ["to"], "additionalProperties": false,
            "$defs": {"Address": address, "Filter": filter},
            "properties": {"to": {"$ref": "#/$defs/Address"}, "copies": {"type": "array", "items": {"$ref": "#/$defs/Address"}},
                "filter": {"$ref": "#/$defs/Filter"}, "on": {"type": "string", "format": "date"},
                "text": {"type": "string", "maxLength": 100_000}}});
        let filter = json!({"and": [{"field": "a"}, {"not": {"and": [{"field": "b"}, {"field": "c"}]}}]});
        let mut arguments = json!({"to": {"city": "Bonn"}, "copies": vec![json!({"city": "Ulm", "zip": null}); 20],
            "filter": filter, "on": "2026-11-30", "text": "x".repeat(20_000)});
        let known = known(&schema);
        let checked = known
            .check_at_once(&raw(&arguments))
            .expect("it is certain to be quick");
        checked.unwrap().unwrap();
        arguments["filter"]["and"][0]["field"] = json!("d");
        let checked = known.check_at_once(&raw(&arguments)).unwrap().unwrap();
        assert_eq!(checked.unwrap_err()[0].path, "filter.and[0].field");
    }

    /// Patterns may be read slowly, long arguments take long, and looking again doubles.
    #[test]
    fn what_may_take_long_is_checked_apart() {
        let long = json!({"a": vec![1; 50_000]});
        let items = |of: Value| json!({"properties": {"a": {"items": of}}});
        for (schema, arguments) in [
            (json!({"properties": {"a": {"pattern": "^(x+x+)+y$"}}}), json!({})),
            (json!({"patternProperties": {"^a": true}}), json!({})),
            (json!({"properties": {"a": {"format": "regex"}}}), json!({})),
            (json!({"unevaluatedProperties": false}), json!({})),
            (items(json!({"type": "integer"})), long.clone()),
            (
                items(json!({"allOf": vec![json!({"type": "integer"}); 700]})),
                json!({"a": vec![1; 100]}),
            ),
            (
                json!({"properties": {"a": {"enum": vec!["text"; 5_000]}}}),
                json!({}),
            ),
        ] {
            let known = known(&schema);
            assert!(known.check_at_once(&raw(&arguments)).is_none(), "{schema}");
            known.check(&raw(&arguments)).unwrap().unwrap();
        }
    }

    /// P17: to say why none of the alternatives fits, each misfit of each is collected; where that could be too many,
    /// it is said that they do not fit.
    #[test]
    fn p17_misfits_of_alternatives_cannot_fill_the_memory() {
        let either = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
        let schema = json!({"properties": {"a": {"items": either}}});
        let known = known(&schema);
        let misfits = |count: usize| {
            let checked = known.check(&raw(&json!({"a": vec![1; count]})));
            checked.unwrap().unwrap_err()
        };
        assert_eq!(misfits(100)[0].path, "a[0]");
        assert_eq!(misfits(100_000)[0].path, "");
    }

    /// The deepest that is allowed fits a thread's stack, here that of a test: 2 MB.
    #[test]
    fn the_deepest_ends_no_stack() {
        let next = |nth: usize| json!({"$ref": format!("#/$defs/a{nth}")});
        for wrap in [
            |next: Value| next,
            |next: Value| json!({"allOf": [next, {}]}),
            |next: Value| json!({"anyOf": [next, {"type": "null"}]}),
            |next: Value| json!({"oneOf": [next, {"type": "null"}]}),
            |next: Value| json!({"not": next}),
            |next: Value| json!({"if": next, "then": false, "else": {"type": "null"}}),
            |next: Value| json!({"dependentSchemas": {"a": next}}),
            |next: Value| json!({"properties": {"a": next}, "additionalProperties": false}),
            |next: Value| json!({"patternProperties": {"^a": next}, "propertyNames": {"anyOf": [{"const": "a"}]}}),
        ] {
            let chain = |count: usize, last: &Value| {
                let link = |nth: usize| (format!("a{nth}"), wrap(next(nth + 1)));
                let mut definitions: serde_json::Map<_, _> = (0..count).map(link).collect();
                definitions.insert(format!("a{count}"), last.clone());
                json!({"$defs": definitions, "$ref": "#/$defs/a0"})
            };
            let circle = json!({"required": ["b"], "properties": {"a": next(0)}});
            for (last, levels) in [(json!({"type": "integer"}), 1), (circle, 110)] {
                let arguments = (0..levels).fold(json!(1), |inner, _| json!({"a": inner}));
                let steps = |count: usize| Weight::of(&chain(count, &last)).unwrap().at(levels).steps;
                let (one, two) = (steps(1), steps(2));
                let count = (STEPS_MAX - one) / (two - one).max(2) + 1;
                let schema = chain(usize::try_from(count).unwrap(), &last);
                assert!(Weight::of(&schema).unwrap().at(levels).steps <= STEPS_MAX);
                match known(&schema).check(&raw(&arguments)) {
                    Ok(_) | Err(Unchecked::TooMuch) => {}
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
    }
}
