//! What is one call, and how can it fail?

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use handpick_protocol::RpcError;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::Client;

/// One call of the tool a permit names. Dropping the future that carries it out cancels it upstream.
pub struct ToolCall {
    /// A JSON object.
    pub arguments: Box<RawValue>,
    /// The caller's `_meta` object, without its `progressToken`. Passed on; the members the protocol
    /// itself sets (revision, client) are replaced by this program's own.
    pub meta: Option<Box<RawValue>>,
    /// Where the params of every `notifications/progress` go, as the server sent them; their
    /// `progressToken` is this program's own and is for the receiver to replace.
    pub progress: Option<mpsc::UnboundedSender<Box<RawValue>>>,
    /// Replaces the server's own [`call_timeout`](crate::ServerConfig::call_timeout).
    pub timeout: Option<Duration>,
    /// Who is asked when the server asks for something while it works; without one it is told that nobody can be.
    pub client: Option<Arc<dyn Client>>,
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("arguments", &self.arguments)
            .field("meta", &self.meta)
            .field("timeout", &self.timeout)
            .field("has_client", &self.client.is_some())
            .finish_non_exhaustive()
    }
}

impl ToolCall {
    /// A call with nothing but arguments.
    pub fn new(arguments: Box<RawValue>) -> Self {
        Self {
            arguments,
            meta: None,
            progress: None,
            timeout: None,
            client: None,
        }
    }
}

/// Why a call has no result.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CallError {
    /// The server answered with a JSON-RPC error; it passes through.
    #[error("{0}")]
    Rpc(RpcError),
    /// The server cannot be reached, went away during the call or answered with something that is
    /// not MCP. A call that may have reached it is never sent a second time of our own accord.
    #[error("server `{server}` is unavailable: {reason}")]
    Unavailable {
        /// Name of the server.
        server: String,
        /// What happened, in words.
        reason: String,
    },
    /// The server asks for something before it goes on (2026-07-28), and the client that made the call gives no
    /// answer. Nothing is wrong with the server.
    #[error("server `{server}` wants an answer of the client before it goes on: {reason}")]
    NeedsClient {
        /// Name of the server.
        server: String,
        /// Why there is no answer, in words.
        reason: String,
    },
    /// The server did not answer in time. It was told that nobody waits any more.
    #[error("server `{server}` did not answer within {:.1} s", after.as_secs_f64())]
    TimedOut {
        /// Name of the server.
        server: String,
        /// How long was waited, progress included.
        after: Duration,
    },
}
