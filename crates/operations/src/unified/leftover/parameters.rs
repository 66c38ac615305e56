//! Which parameters does a request name that a call does not give?

use std::collections::BTreeSet;

use handpick_selection::words::spelled_out;
use serde_json::Value;

use super::terms;

/// Properties of a schema that are looked at.
const PROPERTIES_MAX: usize = 200;
/// Share of the words of a parameter's name that a request must have to name it.
const NAMED: f32 = 0.6;

/// Whether a parameter that could take a word is not given.
pub(super) fn is_open(schema: &Value, arguments: &serde_json::Map<String, Value>) -> bool {
    let Some(properties) = schema["properties"].as_object() else {
        return false;
    };
    properties.iter().take(PROPERTIES_MAX).any(|(name, property)| {
        let takes_words =
            property["type"] != "integer" && property["type"] != "number" && property["type"] != "boolean";
        match arguments.get(name) {
            Some(Value::Object(inner)) => is_open(property, inner),
            Some(_) => false,
            None => takes_words && !is_paging(name),
        }
    })
}

/// Parameters that say how an answer is cut, which nobody asks for by a noun.
fn is_paging(name: &str) -> bool {
    spelled_out(name).split(' ').any(|word| {
        matches!(
            word,
            "cursor" | "page" | "offset" | "limit" | "fields" | "format" | "sort" | "order" | "token"
        )
    })
}

/// How many parameters that are not given are named, by their name or by a choice they offer.
pub(super) fn named(
    schema: &Value,
    arguments: &serde_json::Map<String, Value>,
    said: &BTreeSet<String>,
    tool: &BTreeSet<String>,
) -> usize {
    let Some(properties) = schema["properties"].as_object() else {
        return 0;
    };
    let mut count = 0;
    for (name, property) in properties.iter().take(PROPERTIES_MAX) {
        match arguments.get(name) {
            Some(Value::Object(inner)) => count += named(property, inner, said, tool),
            Some(_) => {}
            None => count += usize::from(is_named(name, property, said, tool)),
        }
    }
    count
}

fn is_named(name: &str, property: &Value, said: &BTreeSet<String>, tool: &BTreeSet<String>) -> bool {
    let is_said = |text: &str, share: f32| {
        let all = terms(&spelled_out(text));
        let telling: Vec<&String> = all
            .iter()
            .filter(|term| term.chars().count() > 2 && !tool.contains(*term))
            .collect();
        let hits = telling.iter().filter(|term| said.contains(**term)).count();
        hits > 0 && hits as f32 >= share * telling.len() as f32
    };
    let choices = property["enum"]
        .as_array()
        .or_else(|| property["items"]["enum"].as_array());
    let is_chosen = choices.is_some_and(|choices| {
        choices
            .iter()
            .filter_map(Value::as_str)
            .any(|choice| is_said(choice, 1.0))
    });
    is_chosen || is_said(name, NAMED)
}
