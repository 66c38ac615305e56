//! How does a meta-tool's answer look as a tool result?

use handpick_protocol::json::to_raw;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// An answer as `structuredContent` and, for clients that read only text, the same JSON as text.
pub fn structured(value: &Value) -> Box<RawValue> {
    to_raw(&json!({
        "content": [{"type": "text", "text": value.to_string()}],
        "structuredContent": value,
        "isError": false
    }))
}

/// A failure the model should read and react to.
pub fn failure(text: &str) -> Box<RawValue> {
    to_raw(&json!({"content": [{"type": "text", "text": text}], "isError": true}))
}
