//! Which branch of a union do the arguments belong to that were read?
//!
//! Each branch has a constant of its own under one name, such as `operation`. Only one branch may take all that was
//! read; otherwise the constant is missing, since a call without it is wrong.

use serde_json::{Map, Value};

use crate::words::{name_words, stem, tokens};

use super::{Mapped, Missing, Origin, Source, insert};

/// Sets the constant of the only branch that fits, or tells that it is missing.
pub(super) fn told_apart(text: &str, input_schema: &Value, mapped: &mut Mapped) {
    let Some(properties) = input_schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    for (name, schema) in properties {
        let Some((constant, branches)) = union(schema) else {
            continue;
        };
        let dotted = format!("{name}.{constant}");
        let Some(Value::Object(read)) = mapped.arguments.get(name) else {
            continue;
        };
        if read.contains_key(&constant) || mapped.missing.iter().any(|missing| missing.name == dotted) {
            continue;
        }
        let mut fitting = branches.iter().filter(|branch| takes(branch, read));
        let only = fitting
            .next()
            .filter(|_| fitting.next().is_none() && !read.is_empty())
            .and_then(|branch| constant_of(branch, &constant).cloned());
        // `delete …` never updates, whatever else was read.
        let verb = |value: &Value| {
            value
                .as_str()
                .and_then(|text| name_words(text).into_iter().next())
        };
        let says = |verb: &String| tokens(text).iter().any(|token| token.stem == stem(verb));
        let own = only.as_ref().and_then(verb);
        let denied = branches
            .iter()
            .filter_map(|branch| constant_of(branch, &constant).and_then(verb))
            .any(|other| Some(&other) != own.as_ref() && says(&other));
        let only = only.filter(|_| !denied || own.as_ref().is_some_and(says));
        match only {
            Some(value) => {
                insert(&mut mapped.arguments, &[name.clone(), constant.clone()], value);
                let source = Source {
                    origin: Origin::Schema,
                    words: String::new(),
                };
                mapped.sources.insert(dotted.clone(), source);
                mapped.sureness.insert(dotted, 0.8);
            }
            None => mapped.missing.push(Missing {
                name: dotted,
                description: None,
            }),
        }
    }
}

fn constant_of<'s>(branch: &'s Value, name: &str) -> Option<&'s Value> {
    branch.get("properties")?.get(name)?.get("const")
}

/// The branches of a union, and the name under which each has its own constant.
fn union(schema: &Value) -> Option<(String, Vec<&Value>)> {
    let branches = ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| schema.get(*key).and_then(Value::as_array))?;
    let first = branches.first()?.get("properties")?.as_object()?;
    let name = first.keys().find(|name| {
        branches.len() > 1 && branches.iter().all(|branch| constant_of(branch, name).is_some())
    })?;
    Some((name.clone(), branches.iter().collect()))
}

/// Whether a schema describes all that was read.
fn takes(schema: &Value, read: &Map<String, Value>) -> bool {
    let properties = schema.get("properties");
    read.iter().all(|(name, value)| {
        let Some(inner) = properties.and_then(|properties| properties.get(name)) else {
            return false;
        };
        match value {
            Value::Object(deeper) if inner.get("properties").is_some() => takes(inner, deeper),
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_only_branch_that_takes_what_was_read_is_meant() {
        let branch = |operation: &str, parameters: &[&str]| {
            let inner: Map<String, Value> = parameters
                .iter()
                .map(|name| ((*name).to_owned(), json!({"type": "string"})))
                .collect();
            json!({"properties": {"operation": {"const": operation}, "params": {"properties": inner}}})
        };
        let schema = json!({"properties": {"select": {"oneOf": [
            branch("rename", &["id", "name"]), branch("install", &["id", "slug"]),
        ]}}});
        for (text, read, expected) in [
            ("put a on it", json!({"id": "1", "slug": "a"}), Some("install")),
            ("call it a", json!({"id": "1", "name": "a"}), Some("rename")),
            ("install the one named a", json!({"id": "1", "name": "a"}), None),
            ("do it", json!({"id": "1"}), None),
            ("do it", json!({"other": "1"}), None),
        ] {
            let mut mapped = Mapped::default();
            mapped
                .arguments
                .insert("select".to_owned(), json!({"params": read}));
            told_apart(text, &schema, &mut mapped);
            let told = mapped
                .arguments
                .get("select")
                .and_then(|select| select.get("operation"))
                .and_then(Value::as_str);
            assert_eq!(told, expected, "{read}");
            assert_eq!(mapped.missing.is_empty(), expected.is_some(), "{read}");
        }
    }
}
