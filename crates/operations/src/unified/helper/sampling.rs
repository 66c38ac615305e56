//! How is the caller's own model asked?

use handpick_protocol::json::to_raw;
use handpick_upstream::{Client, Question};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::prompt::Prompt;

/// Tokens that arguments may take.
const TOKENS_MAX: u32 = 1_024;

/// Asks the client for a message (`sampling/createMessage`).
///
/// # Errors
/// What came instead, to go on "the model".
pub(super) async fn complete(client: &dyn Client, prompt: &Prompt) -> Result<String, String> {
    let question = Question {
        key: "arguments".to_owned(),
        method: "sampling/createMessage".to_owned(),
        params: to_raw(&json!({
            "messages": [{"role": "user", "content": {"type": "text", "text": prompt.user}}],
            "systemPrompt": prompt.system,
            "includeContext": "none",
            "temperature": 0,
            "maxTokens": TOKENS_MAX,
        })),
    };
    let replies = client.ask(vec![question]).await;
    match replies.map(|replies| replies.into_iter().next()) {
        Ok(Some(Ok(reply))) => text(&reply).ok_or_else(|| "answered without a text".to_owned()),
        Ok(Some(Err(_))) => Err("refused".to_owned()),
        Ok(None) | Err(_) => Err("cannot be asked".to_owned()),
    }
}

/// The text of a message: one block, or the text blocks of several.
fn text(reply: &RawValue) -> Option<String> {
    let reply: Value = serde_json::from_str(reply.get()).ok()?;
    match &reply["content"] {
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
            (!texts.is_empty()).then(|| texts.concat())
        }
        block => block["text"].as_str().map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_a_text() {
        for (reply, expected) in [
            (
                r#"{"role":"assistant","content":{"type":"text","text":"{}"}}"#,
                Some("{}"),
            ),
            (
                r#"{"content":[{"type":"text","text":"{"},{"type":"text","text":"}"}]}"#,
                Some("{}"),
            ),
            (r#"{"content":{"type":"image","data":"AA"}}"#, None),
            (r#"{"content":[]}"#, None),
            ("[]", None),
        ] {
            let reply = RawValue::from_string(reply.to_owned()).unwrap();
            assert_eq!(text(&reply).as_deref(), expected, "{reply}");
        }
    }
}
