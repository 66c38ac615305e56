//! What did a server just say?

use std::borrow::Cow;

use handpick_protocol::error::INTERNAL_ERROR;
use handpick_protocol::{Message, RpcError};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One message of a server, read as far as it is decided on.
#[derive(Debug)]
pub(crate) enum Incoming<'a> {
    /// The answer to the request with this id.
    Answer {
        /// Our id.
        id: u64,
        /// The result or the error.
        outcome: Result<&'a RawValue, RpcError>,
    },
    /// An error that names no request: the server could not read what it got.
    Complaint(RpcError),
    /// Progress of the request with this token.
    Progress {
        /// Our token.
        token: u64,
        /// The notification's params.
        params: &'a RawValue,
    },
    /// The tools changed.
    ToolsChanged,
    /// The server wants something from us.
    Asked(Asked<'a>),
    /// The server does not want an answer to its request with this id any more.
    Withdrawn(&'a RawValue),
    /// A message of no interest.
    Other,
    /// Not a message.
    Noise,
}

/// A request of the server.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// Its id.
    pub id: &'a RawValue,
    /// What it wants.
    pub method: Cow<'a, str>,
    /// The params, where there are any.
    pub params: Option<&'a RawValue>,
}

/// Reads the messages in `text`: one object, or an array of them (revision 2025-03-26 had batches).
pub(crate) fn for_each<'a>(text: &'a str, mut take: impl FnMut(Incoming<'a>)) {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('[') {
        match serde_json::from_str::<Vec<&RawValue>>(text) {
            Ok(messages) => messages.iter().for_each(|message| take(read(message.get()))),
            Err(_) => take(Incoming::Noise),
        }
    } else {
        take(read(text));
    }
}

/// Reads one message.
pub(crate) fn read(text: &str) -> Incoming<'_> {
    // Most noise is log lines; they are told apart without a parser.
    if !text.starts_with('{') {
        return Incoming::Noise;
    }
    let Ok(message) = Message::parse(text) else {
        return Incoming::Noise;
    };
    if let Some(method) = message.method {
        return match (message.id, &*method) {
            (Some(id), _) => Incoming::Asked(Asked {
                id,
                method,
                params: message.params,
            }),
            (None, "notifications/progress") => progress(message.params),
            (None, "notifications/tools/list_changed") => Incoming::ToolsChanged,
            (None, "notifications/cancelled") => withdrawn(message.params),
            _ => Incoming::Other,
        };
    }
    let Some(id) = message.id else {
        return match message.into_response() {
            Some(Err(error)) => Incoming::Complaint(error),
            // A log line in JSON, most likely.
            _ => Incoming::Noise,
        };
    };
    let Some(id) = number(id) else {
        return Incoming::Noise;
    };
    let outcome = message.into_response().unwrap_or_else(|| {
        Err(RpcError::new(
            INTERNAL_ERROR,
            "the server answered with neither a result nor an error",
        ))
    });
    Incoming::Answer { id, outcome }
}

fn progress(params: Option<&RawValue>) -> Incoming<'_> {
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow, rename = "progressToken")]
        token: &'a RawValue,
    }
    let token = params
        .and_then(|params| serde_json::from_str::<Params<'_>>(params.get()).ok())
        .and_then(|params| number(params.token));
    match (token, params) {
        (Some(token), Some(params)) => Incoming::Progress { token, params },
        _ => Incoming::Other,
    }
}

fn withdrawn(params: Option<&RawValue>) -> Incoming<'_> {
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow, rename = "requestId")]
        id: &'a RawValue,
    }
    params
        .and_then(|params| serde_json::from_str::<Params<'_>>(params.get()).ok())
        .map_or(Incoming::Other, |params| Incoming::Withdrawn(params.id))
}

/// An id or token of ours as it came back: some servers turn numbers into strings.
fn number(raw: &RawValue) -> Option<u64> {
    raw.get().trim_matches('"').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> String {
        let mut kinds = Vec::new();
        for_each(text, |incoming| {
            kinds.push(match incoming {
                Incoming::Answer {
                    id,
                    outcome: Ok(result),
                } => format!("{id}={}", result.get()),
                Incoming::Answer {
                    id,
                    outcome: Err(error),
                } => format!("{id}!{}", error.code),
                Incoming::Complaint(error) => format!("complaint {}", error.code),
                Incoming::Progress { token, .. } => format!("progress {token}"),
                Incoming::ToolsChanged => "changed".into(),
                Incoming::Asked(asked) => format!(
                    "asked {} {} {}",
                    asked.id.get(),
                    asked.method,
                    asked.params.map_or("nothing", RawValue::get)
                ),
                Incoming::Withdrawn(id) => format!("withdrawn {}", id.get()),
                Incoming::Other => "other".into(),
                Incoming::Noise => "noise".into(),
            });
        });
        kinds.join(";")
    }

    #[test]
    fn messages_are_told_apart() {
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{"a": 1}}"#, r#"1={"a": 1}"#),
            (r#"{"id":"1","result":{}}"#, "1={}"),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}"#,
                "1!-1",
            ),
            (r#"{"jsonrpc":"2.0","id":1,"error":"text"}"#, "1!-32603"),
            (r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "1!-32603"),
            (r#"{"jsonrpc":"2.0","id":1}"#, "1!-32603"),
            (
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}"#,
                "complaint -32700",
            ),
            (r#"{"jsonrpc":"2.0","id":"abc","result":{}}"#, "noise"),
            (r#"{"jsonrpc":"2.0","id":-3,"result":{}}"#, "noise"),
            (r#"{"method":"ping","id":"p"}"#, r#"asked "p" ping nothing"#),
            (
                r#"{"method":"x","params":{"a" : 1.0},"id":7}"#,
                r#"asked 7 x {"a" : 1.0}"#,
            ),
            (
                r#"{"method":"notifications/cancelled","params":{"requestId":"q 1"}}"#,
                r#"withdrawn "q 1""#,
            ),
            (r#"{"method":"notifications/cancelled","params":{}}"#, "other"),
            (r#"{"method":"notifications/tools/list_changed"}"#, "changed"),
            (
                r#"{"method":"notifications/progress","params":{"progressToken":4,"progress":1}}"#,
                "progress 4",
            ),
            (
                r#"{"method":"notifications/progress","params":{"progressToken":"4"}}"#,
                "progress 4",
            ),
            (r#"{"method":"notifications/progress","params":[]}"#, "other"),
            (r#"{"method":"notifications/message","params":{}}"#, "other"),
            ("\u{feff}{\"id\":2,\"result\":{}}\r", "2={}"),
            (
                r#"[{"id":1,"result":{}},{"method":"notifications/message"}]"#,
                "1={};other",
            ),
            ("[2026-01-01] INFO listening", "noise"),
            ("[]", ""),
            ("", "noise"),
            ("{", "noise"),
            (r#"{"level":"info","msg":"started"}"#, "noise"),
            ("Server running on stdio", "noise"),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}
