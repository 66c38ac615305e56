//! What did a step answer, and what does the run as a whole?

use handpick_protocol::json::{members, raw, to_raw, with_member};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::definition::Step;

/// What an answer tells of a run.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    pub run_id: &'a str,
    pub workflow: &'a str,
    pub status: &'static str,
    pub steps: Vec<StepSummary<'a>>,
    /// The step it stopped at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_step: Option<&'a str>,
    /// Why it stopped there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'a str>,
    /// What may have happened that nobody can know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// What can be done now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What the last step answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'a RawValue>,
}

/// How one step stands.
#[derive(Serialize)]
pub(super) struct StepSummary<'a> {
    id: &'a str,
    tool: &'a str,
    status: &'static str,
}

/// How each step stands when `done` of them are, and whether the next one failed.
pub(super) fn steps(steps: &[Step], done: usize, failed: bool) -> Vec<StepSummary<'_>> {
    let summary = |(index, step)| {
        let step: &Step = step;
        StepSummary {
            id: &step.id,
            tool: &step.tool,
            status: match index {
                index if index < done => "done",
                index if index == done && failed => "failed",
                _ => "not_run",
            },
        }
    };
    steps.iter().enumerate().map(summary).collect()
}

/// The members of a tool result that steps and answers are made of.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Peek<'a> {
    #[serde(borrow, default)]
    structured_content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    content: Vec<Block<'a>>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, default)]
    text: Option<std::borrow::Cow<'a, str>>,
}

/// What a result says, as one value: its structured content, else its text, read as JSON where it is an object or an
/// array; `null` when it says nothing that can be read.
pub(super) fn value_of(result: &RawValue) -> Box<RawValue> {
    let peek: Option<Peek<'_>> = serde_json::from_str(result.get()).ok();
    if let Some(structured) = peek.as_ref().and_then(|peek| peek.structured_content) {
        return structured.to_owned();
    }
    let text = peek.map(joined).unwrap_or_default();
    if text.is_empty() {
        return raw("null".to_owned());
    }
    let is_json = text.trim_start().starts_with(['{', '[']);
    match RawValue::from_string(text.trim().to_owned()) {
        Ok(json) if is_json => json,
        _ => to_raw(&text),
    }
}

/// The text of a result.
pub(super) fn text_of(result: &RawValue) -> String {
    serde_json::from_str(result.get()).map(joined).unwrap_or_default()
}

fn joined(peek: Peek<'_>) -> String {
    let texts: Vec<_> = peek.content.into_iter().filter_map(|block| block.text).collect();
    texts.join("\n")
}

/// The last step's result as the answer of the run: its content stays as it is, its structured content becomes the
/// summary.
pub(super) fn finished(last: &RawValue, summary: &Summary<'_>) -> Box<RawValue> {
    let summary = to_raw(summary);
    let has_content =
        members(last.get()).is_some_and(|members| members.iter().any(|(name, _)| name == "content"));
    let answer = has_content.then(|| with_member(last.get(), "structuredContent", summary.get()));
    answer.flatten().unwrap_or_else(|| told(&summary, false))
}

/// The answer of a run that stopped.
pub(super) fn stopped(summary: &Summary<'_>) -> Box<RawValue> {
    told(&to_raw(summary), true)
}

fn told(summary: &RawValue, is_error: bool) -> Box<RawValue> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct ToolResult<'a> {
        content: [Text<'a>; 1],
        structured_content: &'a RawValue,
        is_error: bool,
    }
    #[derive(Serialize)]
    struct Text<'a> {
        r#type: &'static str,
        text: &'a str,
    }
    let text = Text {
        r#type: "text",
        text: summary.get(),
    };
    to_raw(&ToolResult {
        content: [text],
        structured_content: summary,
        is_error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_comes_to_one_value() {
        for (result, value) in [
            (
                r#"{"content":[],"structuredContent":{ "a":1.0e2}}"#,
                r#"{ "a":1.0e2}"#,
            ),
            (r#"{"content":[{"type":"text","text":"hi\n"}]}"#, r#""hi\n""#),
            (
                r#"{"content":[{"type":"text","text":" {\"a\": 1.50} "}]}"#,
                r#"{"a": 1.50}"#,
            ),
            (
                r#"{"content":[{"type":"text","text":"[1] is the source"}]}"#,
                r#""[1] is the source""#,
            ),
            (r#"{"content":[{"type":"text","text":"7"}]}"#, r#""7""#),
            (
                r#"{"content":[{"type":"text","text":"a"},{"type":"image","data":"A"},{"type":"text","text":"b"}]}"#,
                r#""a\nb""#,
            ),
            (
                r#"{"content":[{"type":"image","data":"A"}],"structuredContent":null}"#,
                "null",
            ),
            ("{}", "null"),
            ("[]", "null"),
        ] {
            assert_eq!(value_of(&raw(result.to_owned())).get(), value, "{result}");
        }
    }
}
