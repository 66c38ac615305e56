//! What is a message, and why is something none?

use handpick_protocol::json::{DEPTH_MAX, members, too_deep};
use handpick_protocol::{Message, RpcError};
use serde::de::IgnoredAny;
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::error::{invalid_params, not_a_request, not_json};

/// Why a message cannot be taken.
pub(crate) struct Unreadable<'a> {
    /// The id to answer under, where there is one.
    pub id: Option<&'a RawValue>,
    /// What is wrong.
    pub error: RpcError,
}

/// Reads one message, with the checks both transports share.
pub(crate) fn parse(body: &[u8]) -> Result<Message<'_>, Unreadable<'_>> {
    let anonymous = |error| Unreadable { id: None, error };
    let text = std::str::from_utf8(body).map_err(|_| anonymous(not_json("the message is not UTF-8")))?;
    if too_deep(text) {
        let reason = format!("the message nests deeper than {DEPTH_MAX} levels");
        return Err(anonymous(not_json(&reason)));
    }
    let message = if text.trim_start().starts_with('[') {
        // An array would be read as the members of a message by position.
        serde_json::from_str::<IgnoredAny>(text).and_then(|_| {
            Err(serde::de::Error::custom(
                "batches are not accepted; send one message at a time",
            ))
        })
    } else {
        Message::parse(text)
    };
    let message = message.map_err(|error| match error.classify() {
        Category::Data => anonymous(not_a_request(&error.to_string())),
        _ => anonymous(not_json(&error.to_string())),
    })?;
    match mistake(&message, text) {
        None => Ok(message),
        Some(error) => Err(Unreadable {
            id: message.request_id(),
            error,
        }),
    }
}

/// What keeps a JSON object from being a message.
fn mistake(message: &Message<'_>, text: &str) -> Option<RpcError> {
    if message.jsonrpc.as_deref() != Some("2.0") {
        return Some(not_a_request("`jsonrpc` must be \"2.0\""));
    }
    if message.method.is_none() && message.result.is_none() && message.error.is_none() {
        return Some(not_a_request("`method` is missing"));
    }
    // `null` reads as absent, and a request must not pass for a notification that nobody answers.
    let nameless =
        || message.id.is_some() || members(text).is_some_and(|all| all.iter().any(|(key, _)| key == "id"));
    if message.request_id().is_none() && nameless() {
        return Some(not_a_request("`id` must be a string or a number"));
    }
    let by_position = message
        .params
        .is_some_and(|params| !params.get().starts_with('{'));
    if by_position && message.method.is_some() && message.id.is_some() {
        return Some(invalid_params("`params` must be an object"));
    }
    None
}
