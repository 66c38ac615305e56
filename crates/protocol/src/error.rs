//! What can go wrong in JSON-RPC terms?

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The message is not JSON.
pub const PARSE_ERROR: i64 = -32700;
/// The message is JSON but not a JSON-RPC request.
pub const INVALID_REQUEST: i64 = -32600;
/// No such method.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The method's parameters are wrong; also an unknown tool.
pub const INVALID_PARAMS: i64 = -32602;
/// The receiver failed.
pub const INTERNAL_ERROR: i64 = -32603;
/// HTTP headers contradict the body (2026-07-28).
pub const HEADER_MISMATCH: i64 = -32020;
/// The client lacks a capability the request needs (2026-07-28).
pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
/// The requested revision is not spoken here (2026-07-28).
pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;

/// Whether a peer that answers with this code speaks the modern era.
pub fn is_modern(code: i64) -> bool {
    matches!(
        code,
        HEADER_MISMATCH | MISSING_CLIENT_CAPABILITY | UNSUPPORTED_PROTOCOL_VERSION
    )
}

/// The `error` member of a JSON-RPC response.
#[derive(Clone, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct RpcError {
    /// One of the codes above, or the peer's own.
    pub code: i64,
    /// One sentence.
    #[serde(default)]
    pub message: String,
    /// Whatever the peer added, as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Box<RawValue>>,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }
}
