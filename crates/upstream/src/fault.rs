//! Why did one exchange with a server fail?

use std::time::Duration;

use handpick_protocol::RpcError;

use crate::CallError;

/// A failed exchange, before the server's name is added.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The server answered with an error.
    Rpc(RpcError),
    /// No answer came in time.
    TimedOut(Duration),
    /// The request was not carried out: the connection was gone before it could be sent.
    NotSent(String),
    /// The connection broke, or what came back is no answer. The request may have been carried out.
    Broken(String),
    /// The HTTP server turned the request away before carrying it out.
    Refused(Refusal),
}

/// An HTTP response outside 2xx.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// The status code.
    pub status: u16,
    /// The JSON-RPC error in the body, where there is one.
    pub error: Option<RpcError>,
    /// The start of the body, for people.
    pub excerpt: String,
}

impl Refusal {
    /// The refusal in words.
    pub fn describe(&self) -> String {
        let status = http::StatusCode::from_u16(self.status)
            .ok()
            .and_then(|status| status.canonical_reason())
            .unwrap_or_default();
        let mut text = format!("answered HTTP {} {status}", self.status);
        match self.status {
            401 | 403 => text.push_str("; check the credentials in its `headers`"),
            404 | 405 => text.push_str("; check its `url`"),
            _ => {}
        }
        if !self.excerpt.is_empty() {
            text.push_str(": ");
            text.push_str(&self.excerpt);
        }
        text
    }
}

impl Fault {
    /// The failure in words.
    pub fn describe(&self) -> String {
        match self {
            Self::Rpc(error) => format!("answered with error {}: {}", error.code, error.message),
            Self::TimedOut(after) => format!("did not answer within {:.1} s", after.as_secs_f64()),
            Self::NotSent(reason) | Self::Broken(reason) => reason.clone(),
            Self::Refused(refusal) => refusal.describe(),
        }
    }

    /// The failure of a call, for the caller.
    pub fn into_call_error(self, server: &str) -> CallError {
        match self {
            Self::Rpc(error) => CallError::Rpc(error),
            // Our own credentials and quota are no business of the caller's.
            Self::Refused(Refusal {
                status,
                error: Some(error),
                ..
            }) if !matches!(status, 401 | 403 | 407 | 429) => CallError::Rpc(error),
            Self::TimedOut(after) => CallError::TimedOut {
                server: server.to_owned(),
                after,
            },
            other => CallError::Unavailable {
                server: server.to_owned(),
                reason: other.describe(),
            },
        }
    }
}

/// The first characters of a text on one line, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    const EXCERPT_MAX: usize = 200;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXCERPT_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
