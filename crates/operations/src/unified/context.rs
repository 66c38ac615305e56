//! What does the context say, as one text?

use serde_json::Value;

/// Levels of an object that are read.
const DEPTH: usize = 4;
/// Members of one level that are read.
const MEMBERS: usize = 32;

/// The context for whoever ranks tools by it: a text as it is, an object as `key value, key value`.
pub(super) fn as_text(context: &Value) -> String {
    match context {
        Value::String(text) => text.clone(),
        other => {
            let mut text = String::new();
            tell(other, DEPTH, &mut text);
            text
        }
    }
}

fn tell(value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::Object(members) if depth > 0 => {
            for (key, value) in members.iter().take(MEMBERS) {
                if !text.is_empty() {
                    text.push_str(", ");
                }
                text.push_str(&key.replace(['_', '-'], " "));
                text.push(' ');
                tell(value, depth - 1, text);
            }
        }
        Value::Array(items) if depth > 0 => {
            for item in items.iter().take(MEMBERS) {
                tell(item, depth - 1, text);
                text.push(' ');
            }
        }
        Value::String(word) => text.push_str(word),
        Value::Number(number) => text.push_str(&number.to_string()),
        _ => {}
    }
}

/// Every text and number of the context, with how it is spelled.
pub(super) fn leaves(context: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(context, DEPTH, &mut found);
    found
}

fn collect(value: &Value, depth: usize, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Number(number) => found.push(number.to_string()),
        Value::Object(members) if depth > 0 => {
            for value in members.values() {
                collect(value, depth - 1, found);
            }
        }
        Value::Array(items) if depth > 0 => {
            for item in items {
                collect(item, depth - 1, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// P18: a context is a text or an object; both are read.
    #[test]
    fn p18_a_context_is_a_text_or_an_object() {
        assert_eq!(
            as_text(&json!("the open ticket is TCK-204")),
            "the open ticket is TCK-204"
        );
        let object = json!({"invoice_id": "INV-1", "event": {"id": "EVT-73", "seats": 4}, "done": true});
        assert_eq!(
            as_text(&object),
            "invoice id INV-1, event , id EVT-73, seats 4, done "
        );
        assert_eq!(leaves(&object), ["INV-1", "EVT-73", "4"]);
    }
}
