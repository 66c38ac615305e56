//! What do rows of requests read for one tool?

use serde_json::{Map, Value, json};

use crate::{Now, Request, map_arguments};

/// The arguments that a request is read as; it is Monday, 30 November 2026, ten in the morning.
pub(crate) fn read(text: &str, tool: &str, schema: &Value) -> Value {
    let request = Request {
        text,
        context: None,
        now: Now::utc("2026-11-30T10:00:00Z".parse().expect("a timestamp")),
    };
    Value::Object(map_arguments(&request, tool, schema).arguments)
}

/// The schema of a tool that takes texts, each with its description.
pub(crate) fn texts(described: &[(&str, &str)], required: &[&str]) -> Value {
    let properties: Map<String, Value> = described
        .iter()
        .map(|(name, about)| {
            let mut text = json!({"type": "string"});
            if !about.is_empty() {
                text["description"] = json!(about);
            }
            ((*name).to_owned(), text)
        })
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// The schema of a tool that takes texts which only their names describe.
pub(crate) fn named(names: &[&str], required: &[&str]) -> Value {
    let bare: Vec<(&str, &str)> = names.iter().map(|name| (*name, "")).collect();
    texts(&bare, required)
}

/// Checks rows of a request and the arguments that are read.
pub(crate) fn check(tool: &str, schema: &Value, rows: &[(&str, Value)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, expected)| (text, read(text, tool, schema), expected))
        .filter(|(_, read, expected)| read != *expected)
        .map(|(text, read, expected)| format!("{text}: {read}, not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
