//! What does a program get for what a tool gave back?

use handpick_operations::call_tool::CallFailure;
use handpick_protocol::error::{
    INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR,
};
use handpick_protocol::json::{to_raw, too_deep};
use handpick_upstream::CallError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// What a tool gave back: `value` or `error`, never both.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Output {
    /// What the tool gave back, on success: its structured value if it has one; else its text, read as JSON
    /// where it is a JSON object or array; else all of its content. `null` if it gave back nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>, required = false, example = json!({"id": "MSG-1210"}))]
    pub value: Option<Box<RawValue>>,
    /// What went wrong, on failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<OutputError>,
    /// The tool's whole MCP result, exactly as its server sent it. Absent where the call brought none back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>, required = false)]
    pub result: Option<Box<RawValue>>,
    /// What the tool logged. Always empty so far.
    pub logs: Vec<Log>,
}

/// Why a tool failed.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutputError {
    /// What kind of failure it is, for programs.
    pub kind: ErrorKind,
    /// The failure in words.
    pub message: String,
    /// Whether the same call may succeed later. A call that is repeated may have been carried out before.
    pub can_retry: bool,
    /// What else is known: the failing paths of bad arguments, or the code and data of a protocol error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub extra: Option<Value>,
}

/// Kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorKind {
    /// The tool ran and reports that it failed.
    ToolRuntimeFatal,
    /// The arguments do not fit the tool's input schema.
    ToolRuntimeBadInputValue,
    /// The tool's server could not read the request.
    UpstreamRuntimeBadRequest,
    /// The tool's server does not know the tool.
    UpstreamRuntimeNotFound,
    /// The tool's server refused the arguments.
    UpstreamRuntimeValidationError,
    /// The tool's server failed.
    UpstreamRuntimeServerError,
    /// The tool's server answered with an error of its own.
    UpstreamRuntimeUnmapped,
    /// The tool's server did not answer in time.
    NetworkTransportRuntimeTimeout,
    /// The tool's server could not be reached, or broke off.
    NetworkTransportRuntimeUnreachable,
    /// It may not run: the rules say no, or the person does.
    ContextDenied,
    /// Anything else.
    Unknown,
}

/// A line that a tool logged.
#[derive(Debug, Serialize, ToSchema)]
pub struct Log {
    /// How grave it is.
    pub level: String,
    /// What it says.
    pub message: String,
}

impl Output {
    /// The output of a tool that answered.
    pub fn of_result(result: Box<RawValue>, is_error: bool) -> Self {
        let (value, error) = if is_error {
            (None, Some(reported(&result)))
        } else {
            (Some(value_of(&result)), None)
        };
        Self {
            value,
            error,
            result: Some(result),
            logs: Vec::new(),
        }
    }

    /// The output of a call that brought no result back.
    pub fn of_failure(failure: &CallFailure) -> Self {
        let (kind, can_retry, extra) = classify(failure);
        Self {
            error: Some(OutputError {
                kind,
                message: failure.to_string(),
                can_retry,
                extra,
            }),
            ..Self::default()
        }
    }
}

fn classify(failure: &CallFailure) -> (ErrorKind, bool, Option<Value>) {
    match failure {
        CallFailure::Arguments { errors, .. } => {
            let extra = json!({"arguments": errors});
            (ErrorKind::ToolRuntimeBadInputValue, false, Some(extra))
        }
        CallFailure::Rpc(error) => {
            let mut extra = json!({"code": error.code});
            if let Some(data) = &error.data {
                extra["data"] = json!(data);
            }
            (kind_of(error.code), false, Some(extra))
        }
        CallFailure::Upstream(CallError::TimedOut { .. }) => {
            (ErrorKind::NetworkTransportRuntimeTimeout, true, None)
        }
        CallFailure::Upstream(CallError::NeedsClient { .. }) => {
            (ErrorKind::UpstreamRuntimeUnmapped, false, None)
        }
        CallFailure::Upstream(_) => (ErrorKind::NetworkTransportRuntimeUnreachable, true, None),
        CallFailure::Denied(_) => (ErrorKind::ContextDenied, false, None),
    }
}

fn kind_of(code: i64) -> ErrorKind {
    match code {
        PARSE_ERROR | INVALID_REQUEST => ErrorKind::UpstreamRuntimeBadRequest,
        METHOD_NOT_FOUND => ErrorKind::UpstreamRuntimeNotFound,
        INVALID_PARAMS => ErrorKind::UpstreamRuntimeValidationError,
        INTERNAL_ERROR => ErrorKind::UpstreamRuntimeServerError,
        _ => ErrorKind::UpstreamRuntimeUnmapped,
    }
}

/// The failure a tool reports in its result.
fn reported(result: &RawValue) -> OutputError {
    let text = Parts::read(result).and_then(|parts| parts.text());
    OutputError {
        kind: ErrorKind::ToolRuntimeFatal,
        message: text
            .filter(|text| !text.trim().is_empty())
            .unwrap_or_else(|| "the tool failed and does not say why".to_owned()),
        can_retry: false,
        extra: None,
    }
}

/// The value of a successful result. What is no MCP result is a value itself: servers send all sorts.
fn value_of(result: &RawValue) -> Box<RawValue> {
    let Some(parts) = Parts::read(result) else {
        return result.to_owned();
    };
    if let Some(structured) = parts.structured_content.filter(|raw| raw.get() != "null") {
        return structured.to_owned();
    }
    match (parts.only_text(), parts.content) {
        (Some(text), _) => json_in(&text).unwrap_or_else(|| to_raw(&text)),
        (None, Some(content)) if !parts.blocks.is_empty() => content.to_owned(),
        (None, Some(_)) => RawValue::NULL.to_owned(),
        (None, None) => result.to_owned(),
    }
}

/// The object or array that a text is. Numbers and words stay text: `90210` may be a number or a postal
/// code, and the type of a value must not depend on which digits it has.
fn json_in(text: &str) -> Option<Box<RawValue>> {
    let text = text.trim();
    let composite = text.starts_with(['{', '[']) && !too_deep(text);
    composite
        .then(|| RawValue::from_string(text.to_owned()).ok())
        .flatten()
}

/// The members of a tool result that make its value.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parts<'a> {
    #[serde(borrow, default)]
    structured_content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(skip)]
    blocks: Vec<Block>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type", default)]
    kind: String,
    text: Option<String>,
}

impl<'a> Parts<'a> {
    /// Reads a result; `None` when it is no object. Content that is no list of blocks has no blocks.
    fn read(result: &'a RawValue) -> Option<Self> {
        let mut parts: Self = serde_json::from_str(result.get()).ok()?;
        parts.blocks = parts
            .content
            .and_then(|content| serde_json::from_str(content.get()).ok())
            .unwrap_or_default();
        Some(parts)
    }

    /// All text, block by block on lines of their own; `None` without any.
    fn text(&self) -> Option<String> {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .filter(|block| block.kind == "text")
            .filter_map(|block| block.text.as_deref())
            .collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    /// The text of content that is nothing but text.
    fn only_text(&self) -> Option<String> {
        let textual = |block: &Block| block.kind == "text" && block.text.is_some();
        self.blocks.iter().all(textual).then(|| self.text()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use handpick_protocol::RpcError;
    use std::time::Duration;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    /// A55, E18: what becomes of each kind of result, byte for byte.
    #[test]
    fn a55_values() {
        let image = r#"{"type":"image","data":"AA==","mimeType":"image/png"}"#;
        for (result, expected) in [
            (
                r#"{"structuredContent":{"n":1.0e2},"content":[{"type":"text","text":"x"}]}"#,
                r#"{"n":1.0e2}"#,
            ),
            (
                r#"{"structuredContent":null,"content":[{"type":"text","text":"x"}]}"#,
                r#""x""#,
            ),
            (
                r#"{"content":[{"type":"text","text":" {\"a\": [1.0e2]}\n"}]}"#,
                r#"{"a": [1.0e2]}"#,
            ),
            (r#"{"content":[{"type":"text","text":"[1, 2]"}]}"#, "[1, 2]"),
            (
                r#"{"content":[{"type":"text","text":"{not json}"}]}"#,
                r#""{not json}""#,
            ),
            (r#"{"content":[{"type":"text","text":"90210"}]}"#, r#""90210""#),
            (r#"{"content":[{"type":"text","text":"true"}]}"#, r#""true""#),
            (r#"{"content":[{"type":"text","text":""}]}"#, r#""""#),
            (
                r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#,
                r#""a\nb""#,
            ),
            (r#"{"content":[]}"#, "null"),
            // Garbage is data.
            ("5", "5"),
            (r#""done""#, r#""done""#),
            (r#"{"answer":42}"#, r#"{"answer":42}"#),
            (r#"{"content":"done"}"#, "null"),
        ] {
            assert_eq!(value_of(&raw(result)).get(), expected, "{result}");
        }
        for content in [
            format!("[{image}]"),
            format!(r#"[{{"type":"text","text":"x"}}, {image}]"#),
        ] {
            let result = raw(&format!(r#"{{"content":{content}}}"#));
            assert_eq!(value_of(&result).get(), content);
        }
    }

    /// E20: a text that nests too deep stays text.
    #[test]
    fn e20_deep_text_stays_text() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        let result = to_raw(&json!({"content": [{"type": "text", "text": deep}]}));
        assert_eq!(value_of(&result).get(), format!("\"{deep}\""));
    }

    /// A56: failures the tool reports itself.
    #[test]
    fn a56_reported_failures() {
        for (result, message) in [
            (
                r#"{"isError":true,"content":[{"type":"text","text":"no such invoice"}]}"#,
                "no such invoice",
            ),
            (
                r#"{"isError":true,"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}"#,
                "a\nb",
            ),
            (
                r#"{"isError":true,"content":[]}"#,
                "the tool failed and does not say why",
            ),
            (r#"{"isError":true}"#, "the tool failed and does not say why"),
        ] {
            let output = Output::of_result(raw(result), true);
            let error = output.error.unwrap();
            assert_eq!(
                (error.kind, error.can_retry),
                (ErrorKind::ToolRuntimeFatal, false)
            );
            assert_eq!(error.message, message, "{result}");
            assert!(output.value.is_none());
            assert_eq!(output.result.unwrap().get(), result);
        }
    }

    /// A56, A57: failures on the way to the tool.
    #[test]
    fn a56_failed_calls() {
        let server = || "billing".to_owned();
        let rpc = |code| CallFailure::Rpc(RpcError::new(code, "no"));
        for (failure, kind, can_retry) in [
            (rpc(-32602), "UPSTREAM_RUNTIME_VALIDATION_ERROR", false),
            (rpc(-32601), "UPSTREAM_RUNTIME_NOT_FOUND", false),
            (rpc(-32600), "UPSTREAM_RUNTIME_BAD_REQUEST", false),
            (rpc(-32603), "UPSTREAM_RUNTIME_SERVER_ERROR", false),
            (rpc(-32000), "UPSTREAM_RUNTIME_UNMAPPED", false),
            (
                CallFailure::Upstream(CallError::TimedOut {
                    server: server(),
                    after: Duration::from_secs(1),
                }),
                "NETWORK_TRANSPORT_RUNTIME_TIMEOUT",
                true,
            ),
            (
                CallFailure::Upstream(CallError::Unavailable {
                    server: server(),
                    reason: "gone".into(),
                }),
                "NETWORK_TRANSPORT_RUNTIME_UNREACHABLE",
                true,
            ),
            (
                CallFailure::Arguments {
                    tool: "a.b".into(),
                    errors: Vec::new(),
                },
                "TOOL_RUNTIME_BAD_INPUT_VALUE",
                false,
            ),
        ] {
            let error = Output::of_failure(&failure).error.unwrap();
            assert_eq!(json!(error.kind), kind);
            assert_eq!(error.can_retry, can_retry, "{kind}");
        }
    }
}
