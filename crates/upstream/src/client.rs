//! How is the client of a call asked for something while the call runs?

use async_trait::async_trait;
use handpick_protocol::{ClientCapabilities, RpcError};
use serde_json::value::RawValue;

/// The client that made a call, as far as it can be asked: for a person's word, for a model's.
#[async_trait]
pub trait Client: Send + Sync {
    /// What it offers.
    fn capabilities(&self) -> &ClientCapabilities;

    /// Names the connection or the credential behind it: two calls with the same identity may hear each other's
    /// questions.
    fn identity(&self) -> &str;

    /// Whether somebody still waits for what comes of the call. One that was asked and has not come back since the
    /// question was withdrawn does not.
    fn is_waiting(&self) -> bool {
        true
    }

    /// Asks everything in `questions` and waits for all answers, in the same order. Nobody limits the time but
    /// whoever calls this; dropping the future withdraws the questions.
    ///
    /// # Errors
    /// When the client cannot be asked, or went away.
    async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Reply>, Unasked>;
}

/// One request to a client, such as `elicitation/create`.
#[derive(Clone, Debug)]
pub struct Question {
    /// Names it among those asked together, as `inputRequests` of 2026-07-28 does.
    pub key: String,
    /// The method.
    pub method: String,
    /// Its params, a JSON object.
    pub params: Box<RawValue>,
}

/// What the client said: the result of the request, or its error.
pub type Reply = Result<Box<RawValue>, RpcError>;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unasked {
    /// The client does not offer what would be needed.
    #[error("this client cannot be asked")]
    NotOffered,
    /// The client went away before it answered.
    #[error("the client went away before it answered")]
    Gone,
}
