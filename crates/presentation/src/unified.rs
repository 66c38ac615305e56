//! How does the unified mode look: one tool that takes a request in words?

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::{BadRequest, ToolRequest};

/// The name of the one tool.
pub const NAME: &str = "unified_tool";

/// From this confidence on a tool is run (P20). A constant of the platform.
pub const CONFIDENCE_NEEDED: f32 = 0.7;

/// A request in words, read (P18).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnifiedRequest {
    /// What is to be done, never blank.
    pub request: String,
    /// The situation: a text, or an object that ids may be taken from.
    pub context: Option<Value>,
    /// Tools to prefer among those that fit, as the caller wrote their names.
    pub preferred_tools: Vec<String>,
}

/// Reads a call of the one tool.
pub fn read(arguments: Option<&RawValue>) -> Result<ToolRequest, BadRequest> {
    let arguments = Arguments::read(arguments)?;
    let context = arguments
        .optional::<Value>(&["context"], "must be a text or an object")?
        .filter(|context| !matches!(context, Value::String(text) if text.trim().is_empty()));
    if !matches!(context, None | Some(Value::String(_) | Value::Object(_))) {
        return Err(BadRequest::new("context", "must be a text or an object"));
    }
    Ok(ToolRequest::Unified(UnifiedRequest {
        request: arguments.text(&["request"])?,
        context,
        preferred_tools: arguments
            .optional(&["preferred_tools"], "must be an array of tool names")?
            .unwrap_or_default(),
    }))
}

/// The one tool this mode lists.
pub fn definition() -> Value {
    json!({
        "name": NAME,
        "title": "Do something with a tool",
        "description": "Say in one sentence what you want done and one tool is found, given its arguments and run. \
                        Pass `request` with every value the action needs (ids, names, amounts, dates), since nothing \
                        is made up; put ids you know into `context`. One action a call. The answer is the tool's own \
                        result, followed by which tool ran, with which arguments and how sure the choice was. When it \
                        is not sure, or a value is missing, nothing runs: `needs_clarification` says what to add.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "request": {
                    "type": "string",
                    "description": "One action in plain words, for example `refund invoice inv_42 in full`."
                },
                "context": {
                    "type": ["string", "object"],
                    "description": "Optional. What the request leans on: a sentence, or an object with ids such as {\"customer_id\": \"cus_1\"}."
                },
                "preferred_tools": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Optional. Names of tools to prefer where several fit. They must be tools of this gateway."
                }
            },
            "required": ["request"]
        },
        "annotations": {"readOnlyHint": false, "openWorldHint": true},
        "_meta": {"anthropic/alwaysLoad": true}
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_json(json: &str) -> Result<UnifiedRequest, String> {
        let raw = RawValue::from_string(json.to_owned()).unwrap();
        match read(Some(&raw)) {
            Ok(ToolRequest::Unified(request)) => Ok(request),
            Ok(other) => panic!("{other:?}"),
            Err(bad) => Err(bad.to_string()),
        }
    }

    /// P18, E1, E6: a request is needed, a context may be a text or an object, preferred tools are names.
    #[test]
    fn p18_arguments_are_read() {
        let whole = read_json(
            r#"{"request":"refund it","context":{"invoice_id":"inv_1"},"preferred_tools":["a","a"]}"#,
        );
        assert_eq!(
            whole.unwrap(),
            UnifiedRequest {
                request: "refund it".into(),
                context: Some(json!({"invoice_id": "inv_1"})),
                preferred_tools: vec!["a".into(), "a".into()],
            }
        );
        assert_eq!(
            read_json(r#"{"request":"x","context":"  "}"#).unwrap().context,
            None
        );
        for (arguments, field) in [
            ("{}", "request"),
            (r#"{"request":"  "}"#, "request"),
            (r#"{"request":7}"#, "request"),
            (r#"{"request":"x","context":7}"#, "context"),
            (r#"{"request":"x","context":[1]}"#, "context"),
            (r#"{"request":"x","preferred_tools":"a"}"#, "preferred_tools"),
            (r#"{"request":"x","preferred_tools":[1]}"#, "preferred_tools"),
        ] {
            let error = read_json(arguments).unwrap_err();
            assert!(error.contains(&format!("`{field}`")), "{arguments}: {error}");
        }
    }
}
