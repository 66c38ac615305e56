//! How are the arguments of a step filled in?
//!
//! `{{parameters.NAME}}` and `{{steps.ID.path.to.value}}` stand for values, as a whole text or inside one; `\{{` is two
//! braces. Values keep the spelling they came with.

use std::collections::{BTreeMap, BTreeSet};

use handpick_protocol::json;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::limits::WORKFLOW_RUN_BYTES_MAX;
use crate::shown::shown;

/// What a placeholder stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// A value the run was started with.
    Parameter {
        /// Its name.
        name: String,
        /// The way into it.
        path: Vec<String>,
    },
    /// A value out of what an earlier step answered.
    Step {
        /// Its id.
        id: String,
        /// The way into its answer.
        path: Vec<String>,
    },
}

impl Reference {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{{{{{}}}}}` must be {{{{parameters.NAME}}}} or {{{{steps.ID.path.to.value}}}}; write \\{{{{ for two \
                 braces that stand for themselves",
                shown(text)
            )
        };
        let mut parts = text.trim().split('.').map(str::to_owned);
        let root = parts.next().unwrap_or_default();
        let name = parts.next().unwrap_or_default();
        let path: Vec<String> = parts.collect();
        if name.is_empty() || path.iter().any(String::is_empty) {
            return Err(wrong());
        }
        match root.as_str() {
            "parameters" => Ok(Self::Parameter { name, path }),
            "steps" => Ok(Self::Step { id: name, path }),
            _ => Err(wrong()),
        }
    }

    /// Its one spelling, without braces.
    pub fn key(&self) -> String {
        let (root, name, path) = match self {
            Self::Parameter { name, path } => ("parameters", name, path),
            Self::Step { id, path } => ("steps", id, path),
        };
        let mut key = format!("{root}.{name}");
        for part in path {
            key.push('.');
            key.push_str(part);
        }
        key
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Value(Reference),
}

/// A text taken apart.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        if let Some(before) = before.strip_suffix('\\') {
            pieces.extend([Piece::Text(before), Piece::Text("{{")]);
            rest = behind;
            continue;
        }
        let (inside, behind) = behind.split_once("}}").ok_or_else(|| {
            format!(
                "`{}` opens {{{{ and does not close it; write \\{{{{ for two braces that stand for themselves",
                shown(text)
            )
        })?;
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        pieces.push(Piece::Value(Reference::parse(inside)?));
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

/// Every placeholder in a value, or what is wrong with one and where that is.
pub(super) fn references(value: &Value, path: &str) -> Result<Vec<Reference>, String> {
    let mut found = Vec::new();
    collect(value, path, &mut found)?;
    Ok(found)
}

fn collect(value: &Value, path: &str, found: &mut Vec<Reference>) -> Result<(), String> {
    match value {
        Value::String(text) => {
            let pieces = pieces(text).map_err(|told| format!("`{path}`: {told}"))?;
            found.extend(pieces.into_iter().filter_map(|piece| match piece {
                Piece::Value(reference) => Some(reference),
                Piece::Text(_) => None,
            }));
            Ok(())
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| collect(item, &format!("{path}[{index}]"), found)),
        Value::Object(members) => members
            .iter()
            .try_for_each(|(name, member)| collect(member, &format!("{path}.{name}"), found)),
        _ => Ok(()),
    }
}

/// What placeholders stand for in one run.
pub(super) struct Values<'a> {
    /// What the run was started with, by name.
    pub parameters: &'a BTreeMap<String, Box<RawValue>>,
    /// What was taken out of earlier answers, by [`Reference::key`].
    pub steps: &'a BTreeMap<String, Box<RawValue>>,
    /// Those of them that were too large to be kept until the run was taken up.
    pub lost: &'a BTreeSet<String>,
}

/// A value that is not there.
enum Missing {
    /// A parameter nobody gave: the argument that is nothing else is left out.
    Parameter(String),
    /// Anything else.
    Other(String),
}

impl Missing {
    fn told(self) -> String {
        match self {
            Self::Parameter(name) => format!("needs `parameters.{name}`, which was not given"),
            Self::Other(told) => told,
        }
    }
}

impl Values<'_> {
    /// The arguments of a step with every placeholder replaced, or what is missing.
    pub fn fill(&self, arguments: &Value) -> Result<Box<RawValue>, String> {
        let mut filled = String::new();
        self.write(arguments, &mut filled)?;
        Ok(json::raw(filled))
    }

    fn write(&self, value: &Value, filled: &mut String) -> Result<(), String> {
        match value {
            Value::String(text) => self.write_text(text, filled)?,
            Value::Array(items) => {
                filled.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        filled.push(',');
                    }
                    self.write(item, filled)?;
                }
                filled.push(']');
            }
            Value::Object(members) => {
                filled.push('{');
                let mut first = true;
                for (name, member) in members {
                    if self.is_left_out(member)? {
                        continue;
                    }
                    if !std::mem::take(&mut first) {
                        filled.push(',');
                    }
                    filled.push_str(&Value::from(name.as_str()).to_string());
                    filled.push(':');
                    self.write(member, filled)?;
                }
                filled.push('}');
            }
            other => filled.push_str(&other.to_string()),
        }
        match filled.len() {
            0..=WORKFLOW_RUN_BYTES_MAX => Ok(()),
            _ => Err(format!(
                "its arguments become larger than {} KB",
                WORKFLOW_RUN_BYTES_MAX / 1024
            )),
        }
    }

    fn write_text(&self, text: &str, filled: &mut String) -> Result<(), String> {
        let pieces = pieces(text)?;
        if let [Piece::Value(reference)] = &pieces[..] {
            filled.push_str(self.of(reference).map_err(Missing::told)?.get());
            return Ok(());
        }
        let mut whole = String::new();
        for piece in &pieces {
            match piece {
                Piece::Text(text) => whole.push_str(text),
                Piece::Value(reference) => {
                    let value = self.of(reference).map_err(Missing::told)?.get();
                    match serde_json::from_str::<String>(value) {
                        Ok(text) => whole.push_str(&text),
                        Err(_) => whole.push_str(value),
                    }
                }
            }
            if whole.len() > WORKFLOW_RUN_BYTES_MAX {
                break;
            }
        }
        filled.push_str(&Value::from(whole).to_string());
        Ok(())
    }

    /// Whether a member is nothing but a parameter that was not given.
    fn is_left_out(&self, member: &Value) -> Result<bool, String> {
        let Value::String(text) = member else {
            return Ok(false);
        };
        match &pieces(text)?[..] {
            [Piece::Value(reference)] => Ok(matches!(self.of(reference), Err(Missing::Parameter(_)))),
            _ => Ok(false),
        }
    }

    fn of(&self, reference: &Reference) -> Result<&RawValue, Missing> {
        let key = reference.key();
        let found = match reference {
            Reference::Parameter { name, path } => {
                let Some(given) = self.parameters.get(name) else {
                    return Err(Missing::Parameter(name.clone()));
                };
                at(given, path)
            }
            Reference::Step { .. } => self.steps.get(&key).map(|value| &**value),
        };
        found.ok_or_else(|| {
            Missing::Other(match self.lost.contains(&key) {
                true => format!(
                    "needs `{key}`, which was too large to keep until now; start the workflow anew with workflow_run"
                ),
                false => format!("needs `{key}`, and there is no such value"),
            })
        })
    }
}

/// The value at the end of a way through objects, by name, and arrays, by number from 0.
pub(super) fn at<'a>(value: &'a RawValue, path: &[String]) -> Option<&'a RawValue> {
    let mut value = value;
    for part in path {
        value = match value.get().as_bytes().first() {
            Some(b'{') => {
                let members: BTreeMap<String, &'a RawValue> = serde_json::from_str(value.get()).ok()?;
                members.get(part).copied()?
            }
            Some(b'[') => {
                let items: Vec<&'a RawValue> = serde_json::from_str(value.get()).ok()?;
                items.get(part.parse::<usize>().ok()?).copied()?
            }
            _ => return None,
        };
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn raws(values: Value) -> BTreeMap<String, Box<RawValue>> {
        serde_json::from_value::<BTreeMap<String, Value>>(values)
            .unwrap()
            .into_iter()
            .map(|(name, value)| (name, json::to_raw(&value)))
            .collect()
    }

    fn fill(arguments: &Value) -> Result<Value, String> {
        let values = Values {
            parameters: &raws(
                json!({"who": "Ann", "n": 3, "list": [1, {"a": null}], "odd": "{{steps.x}} \"q\""}),
            ),
            steps: &raws(json!({"steps.find.items.0.id": "i-1", "steps.find": {"items": [{"id": "i-1"}]}})),
            lost: &["steps.big".to_owned()].into(),
        };
        let filled = values.fill(arguments)?;
        Ok(serde_json::from_str(filled.get()).unwrap())
    }

    #[test]
    fn values_stand_in_whole_or_inside() {
        for (arguments, expected) in [
            (json!({"a": "{{parameters.n}}"}), json!({"a": 3})),
            (
                json!({"a": "{{ parameters.n }} of {{parameters.who}}!"}),
                json!({"a": "3 of Ann!"}),
            ),
            (
                json!({"a": ["{{parameters.list}}"]}),
                json!({"a": [[1, {"a": null}]]}),
            ),
            (json!({"a": "{{parameters.list.1.a}}"}), json!({"a": null})),
            (
                json!({"a": "x{{parameters.list}}"}),
                json!({"a": "x[1,{\"a\":null}]"}),
            ),
            (json!({"a": "{{steps.find.items.0.id}}"}), json!({"a": "i-1"})),
            (
                json!({"a": "{{parameters.odd}}"}),
                json!({"a": "{{steps.x}} \"q\""}),
            ),
            (
                json!({"a": "\\{{name}} {{parameters.who}}"}),
                json!({"a": "{{name}} Ann"}),
            ),
            (
                json!({"{{parameters.n}}": 1.5, "b": true}),
                json!({"{{parameters.n}}": 1.5, "b": true}),
            ),
            (
                json!({"a": "{{parameters.gone}}", "b": {"c": "{{parameters.gone}}"}}),
                json!({"b": {}}),
            ),
            (json!({}), json!({})),
            (json!({"a": "} { }} \u{1F980}"}), json!({"a": "} { }} \u{1F980}"})),
        ] {
            assert_eq!(fill(&arguments).unwrap(), expected, "{arguments}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        for (arguments, told) in [
            (
                json!({"a": "x {{parameters.gone}}"}),
                "needs `parameters.gone`, which was not given",
            ),
            (
                json!({"a": ["{{parameters.gone}}"]}),
                "needs `parameters.gone`, which was not given",
            ),
            (
                json!({"a": "{{parameters.list.7}}"}),
                "needs `parameters.list.7`, and there is no such value",
            ),
            (
                json!({"a": "{{parameters.who.x}}"}),
                "needs `parameters.who.x`, and there is no such value",
            ),
            (
                json!({"a": "{{steps.find.total}}"}),
                "needs `steps.find.total`, and there is no such value",
            ),
            (
                json!({"a": "{{steps.big}}"}),
                "needs `steps.big`, which was too large to keep",
            ),
        ] {
            let error = fill(&arguments).unwrap_err();
            assert!(error.starts_with(told), "{arguments}: {error}");
        }
    }

    /// Small arguments do not become huge ones.
    #[test]
    fn arguments_are_bounded() {
        let parameters = raws(json!({"big": "x".repeat(100_000)}));
        let (steps, lost) = (BTreeMap::new(), BTreeSet::new());
        let values = Values {
            parameters: &parameters,
            steps: &steps,
            lost: &lost,
        };
        for arguments in [
            json!(vec!["{{parameters.big}}"; 1_000]),
            json!("{{parameters.big}}{{parameters.big}}".repeat(1_000)),
        ] {
            let error = values.fill(&arguments).unwrap_err();
            assert!(error.contains("larger than"), "{error}");
        }
    }

    #[test]
    fn placeholders_are_read_or_refused() {
        let keys = |text: &str| -> Result<Vec<String>, String> {
            let found = references(&json!({"a": [text]}), "arguments")?;
            Ok(found.iter().map(Reference::key).collect())
        };
        assert_eq!(
            keys("{{steps.a.b.0}} {{ parameters.c }}").unwrap(),
            ["steps.a.b.0", "parameters.c"]
        );
        assert_eq!(keys("plain { } }}").unwrap(), Vec::<String>::new());
        for wrong in [
            "{{x}}",
            "{{}}",
            "{{steps}}",
            "{{steps.}}",
            "{{steps.a..b}}",
            "{{step.a}}",
            "{{steps.a",
        ] {
            let error = keys(wrong).unwrap_err();
            assert!(error.starts_with("`arguments.a[0]`: "), "{wrong}: {error}");
        }
    }

    /// A value keeps its spelling, down to digits that no number type holds.
    #[test]
    fn values_keep_their_spelling() {
        let steps = [(
            "steps.a".to_owned(),
            json::raw("12345678901234567890123.50".to_owned()),
        )]
        .into();
        let (parameters, lost) = (BTreeMap::new(), BTreeSet::new());
        let values = Values {
            parameters: &parameters,
            steps: &steps,
            lost: &lost,
        };
        let filled = values
            .fill(&json!({"a": "{{steps.a}}", "b": "#{{steps.a}}"}))
            .unwrap();
        assert_eq!(
            filled.get(),
            r##"{"a":12345678901234567890123.50,"b":"#12345678901234567890123.50"}"##
        );
    }
}
