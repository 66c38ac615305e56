//! Does what a model read stand in the request, the context or the schema?

mod heard;
mod times;

use handpick_mapping::mapped::Missing;
use handpick_mapping::{Evidence, Mapped, Now, Origin, Source};
use handpick_presentation::UnifiedRequest;
use serde_json::{Map, Value};

use self::heard::Heard;

/// Arguments as a model gave them.
pub(super) type Arguments = Map<String, Value>;

/// How sure a value is that both the model and the rules read.
const AGREED: f32 = 0.97;
/// How sure a value is that the model alone read, and that stands there.
const FOUND: f32 = 0.85;
/// How sure a value is that the rules read otherwise than the model, or the model not at all.
const DISPUTED: f32 = 0.5;

/// The model's arguments with evidence. The others are dropped as a whole: a part of a list would be another list.
///
/// A required argument that only the rules have read stays, as a disputed one.
pub(super) fn check(
    answered: Arguments,
    schema: &Value,
    asked: &UnifiedRequest,
    now: Now,
    words: &Mapped,
) -> Mapped {
    let heard = Heard::new(asked, now);
    let mut checked = Mapped {
        explained: words.explained,
        ..Mapped::default()
    };
    for (name, value) in answered {
        let property = &schema["properties"][&name];
        let value = without_nulls(value);
        if value.is_null() || property.is_null() || property.get("default") == Some(&value) {
            continue;
        }
        let before = words.arguments.get(&name);
        let agreed = before.is_some_and(|before| *before == value);
        let source = if agreed {
            source_of(words, &name)
        } else {
            evident(&value, property, &name, &heard)
        };
        let Some(source) = source else { continue };
        let sureness = match before {
            Some(_) if agreed => sureness_of(words, &name).max(AGREED),
            Some(_) => DISPUTED,
            None => FOUND,
        };
        checked.sureness.insert(name.clone(), sureness);
        checked.sources.insert(name.clone(), source);
        checked.arguments.insert(name, value);
    }
    keep_required(&mut checked, schema, words);
    checked.missing = missing(schema, &checked.arguments);
    checked.explained = explained(&checked, words, &heard);
    checked.facts = facts(&checked, words, schema);
    checked
}

/// Takes one argument out again; a required one is missing then.
pub(super) fn drop_argument(mapped: &mut Mapped, schema: &Value, name: &str) {
    mapped.arguments.shift_remove(name);
    mapped.sources.remove(name);
    mapped.sureness.remove(name);
    mapped.missing = missing(schema, &mapped.arguments);
    mapped.facts = facts(mapped, mapped, schema);
}

/// The numbers of what was checked: those about single words stay as the rules counted them.
fn facts(checked: &Mapped, words: &Mapped, schema: &Value) -> Evidence {
    let count = |number: usize| f32::from(u16::try_from(number).unwrap_or(u16::MAX));
    let sureness: Vec<f32> = checked.sureness.values().copied().collect();
    let total = count(sureness.len());
    let needed: Vec<&str> = required(schema).collect();
    let of_required = needed
        .iter()
        .map(|name| checked.sureness.get(*name).copied().unwrap_or_default());
    let from_context = checked
        .sources
        .values()
        .filter(|source| source.origin == Origin::Context)
        .count();
    let given = checked
        .arguments
        .keys()
        .filter(|name| needed.contains(&name.as_str()))
        .count();
    Evidence {
        least_required: of_required.fold(1.0, f32::min),
        least_sureness: sureness.iter().copied().fold(1.0, f32::min),
        mean_sureness: if sureness.is_empty() {
            1.0
        } else {
            sureness.iter().sum::<f32>() / total
        },
        explained: checked.explained,
        missing: count(checked.missing.len()),
        torn: 0.0,
        from_context: if sureness.is_empty() {
            0.0
        } else {
            count(from_context) / total
        },
        required: count(needed.len()),
        optional: count(checked.arguments.len().saturating_sub(given)),
        ..words.evidence()
    }
}

fn keep_required(checked: &mut Mapped, schema: &Value, words: &Mapped) {
    for name in required(schema) {
        if checked.arguments.contains_key(name) {
            continue;
        }
        if let (Some(value), Some(source)) = (words.arguments.get(name), source_of(words, name)) {
            let sureness = sureness_of(words, name).min(DISPUTED);
            checked.sureness.insert(name.to_owned(), sureness);
            checked.sources.insert(name.to_owned(), source);
            checked.arguments.insert(name.to_owned(), value.clone());
        }
    }
}

/// Where the rules read an argument, or the first part of it.
fn source_of(words: &Mapped, name: &str) -> Option<Source> {
    let parts = words.sources.iter().filter(|(part, _)| is_part(part, name));
    parts.map(|(_, source)| source.clone()).next()
}

/// How sure they are of its least sure part.
fn sureness_of(words: &Mapped, name: &str) -> f32 {
    let parts = words.sureness.iter().filter(|(part, _)| is_part(part, name));
    parts
        .map(|(_, sureness)| *sureness)
        .reduce(f32::min)
        .unwrap_or_default()
}

fn is_part(part: &str, name: &str) -> bool {
    part.strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema["required"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    names.iter().filter_map(Value::as_str)
}

fn missing(schema: &Value, arguments: &Arguments) -> Vec<Missing> {
    required(schema)
        .filter(|name| !arguments.contains_key(*name))
        .map(|name| Missing {
            name: name.to_owned(),
            description: schema["properties"][name]["description"]
                .as_str()
                .map(str::to_owned),
        })
        .collect()
}

/// What is said explains more of the request where the model found more of it.
fn explained(checked: &Mapped, words: &Mapped, heard: &Heard) -> f32 {
    let fresh = checked
        .sources
        .iter()
        .filter(|(name, source)| words.sources.get(*name) != Some(source) && source.origin == Origin::Request)
        .map(|(_, source)| source.words.as_str());
    (words.explained + heard.share_of_request(fresh)).min(1.0)
}

/// The value without members that are null, themselves or all in them.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept: Map<String, Value> = members
                .into_iter()
                .map(|(name, value)| (name, without_nulls(value)))
                .filter(|(_, value)| !value.is_null())
                .collect();
            if kept.is_empty() {
                Value::Null
            } else {
                Value::Object(kept)
            }
        }
        Value::Array(items) => {
            let kept: Vec<Value> = items
                .into_iter()
                .map(without_nulls)
                .filter(|value| !value.is_null())
                .collect();
            if kept.is_empty() {
                Value::Null
            } else {
                Value::Array(kept)
            }
        }
        Value::String(text) if text.trim().is_empty() => Value::Null,
        other => other,
    }
}

/// Where a value stands; `None` where a part of it stands nowhere.
fn evident(value: &Value, schema: &Value, name: &str, heard: &Heard) -> Option<Source> {
    match value {
        Value::Object(members) => {
            let sources = members
                .iter()
                .map(|(name, value)| evident(value, &schema["properties"][name], name, heard));
            together(sources)
        }
        Value::Array(items) => together(
            items
                .iter()
                .map(|item| evident(item, &schema["items"], name, heard)),
        ),
        leaf if is_only_value(leaf, schema) => Some(Source {
            origin: Origin::Schema,
            words: String::new(),
        }),
        Value::String(text) if schema.get("enum").is_some() => heard.choice(text),
        Value::String(text) => heard.text(text).or_else(|| heard.time(text)),
        Value::Number(number) => heard.number(number, schema, name),
        Value::Bool(true) => heard.flag(name),
        Value::Bool(false) | Value::Null => None,
    }
}

/// All parts stand somewhere: the whole stands where the first does, in the words of all.
fn together(sources: impl Iterator<Item = Option<Source>>) -> Option<Source> {
    let sources: Vec<Source> = sources.collect::<Option<_>>()?;
    let origin = sources.first()?.origin;
    let words: Vec<String> = sources.into_iter().map(|source| source.words).collect();
    Some(Source {
        origin,
        words: words.join(", "),
    })
}

fn is_only_value(value: &Value, schema: &Value) -> bool {
    let only = schema["enum"].as_array().filter(|values| values.len() == 1);
    schema.get("const") == Some(value) || only.is_some_and(|values| values.first() == Some(value))
}

#[cfg(test)]
mod tests;
