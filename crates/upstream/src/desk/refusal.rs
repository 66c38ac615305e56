//! What is a server told whose question nobody answers?

use handpick_protocol::error::{INVALID_REQUEST, METHOD_NOT_FOUND};
use handpick_protocol::{RpcError, error_response, result_response};

/// Why a server's request is not answered by a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Nothing of the kind is ever offered.
    Unknown,
    /// It asks for folders.
    Roots,
    /// It speaks the new era, in which servers ask with a result.
    Modern,
    /// No call is under way.
    NoCall,
    /// The call comes from no client that can be asked.
    NoClient,
    /// Several calls are under way, for different clients.
    Mixed,
    /// Too many questions are open.
    TooMany,
    /// The client does not offer this.
    NotOffered,
    /// The call or its client was gone before there was an answer.
    Ended,
}

impl Refusal {
    /// The reason as a sentence.
    pub fn words(self, method: &str) -> String {
        match self {
            Self::Unknown => format!("`{method}` is not offered by this client"),
            Self::Roots => format!(
                "`{method}` is not offered: a server keeps folders for its whole connection, which many clients share"
            ),
            Self::Modern => format!(
                "`{method}` is not taken as a request in 2026-07-28; answer the call with an `input_required` result"
            ),
            Self::NoCall => format!("`{method}` can only be asked while a tool call is under way; none is"),
            Self::NoClient => format!("`{method}`: the call comes from a client that cannot be asked"),
            Self::Mixed => format!(
                "`{method}` was not passed on: calls of different clients are under way on this connection and the \
                 request does not tell which of them it belongs to"
            ),
            Self::TooMany => format!("`{method}`: too many requests are waiting for an answer"),
            Self::NotOffered => {
                format!("`{method}` is not offered by the client that made the call; nobody was asked")
            }
            Self::Ended => format!("`{method}`: the call or its client was gone before there was an answer"),
        }
    }

    /// The reply to the request with this (raw) id.
    ///
    /// A client that cannot show a form, or is gone, is `cancel` for an elicitation: nobody has decided. The server
    /// was told on `initialize` that it may ask, and an error would not stop it as surely: servers exist that read
    /// every error as "clients like this need no confirmation" and go on. Every server must know `cancel`. For a
    /// model's word there is no such answer; it gets the error.
    pub fn reply(self, id: &str, method: &str) -> String {
        let words = self.words(method);
        if method == "elicitation/create" && matches!(self, Self::NotOffered | Self::Ended) {
            let reason = serde_json::to_string(&words).unwrap_or_default();
            let result = format!(r#"{{"action":"cancel","_meta":{{"handpick/reason":{reason}}}}}"#);
            return result_response(id, &result);
        }
        let code = match self {
            Self::Unknown | Self::Roots | Self::Modern | Self::NoClient | Self::NotOffered => {
                METHOD_NOT_FOUND
            }
            Self::NoCall | Self::Mixed | Self::TooMany | Self::Ended => INVALID_REQUEST,
        };
        error_response(Some(id), &RpcError::new(code, words))
    }
}
