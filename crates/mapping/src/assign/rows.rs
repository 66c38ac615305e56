//! What do rows of requests read for one tool?

use serde_json::Value;

use crate::{Now, Request, map_arguments};

/// Checks rows of a request and the arguments that are read; it is Monday, 30 November 2026, ten in the morning.
pub(crate) fn check(tool: &str, schema: &Value, rows: &[(&str, Value)]) {
    let now = Now::utc("2026-11-30T10:00:00Z".parse().expect("a timestamp"));
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let request = Request {
            text,
            context: None,
            now,
        };
        let read = Value::Object(map_arguments(&request, tool, schema).arguments);
        if read != *expected {
            wrong.push(format!("{text}: {read}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
