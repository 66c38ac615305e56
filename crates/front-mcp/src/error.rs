//! Which JSON-RPC code and HTTP status does a failure get?

use axum::http::StatusCode;
use handpick_operations::shown::shown;
use handpick_protocol::RpcError;
use handpick_protocol::error::{
    HEADER_MISMATCH, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
};
use handpick_protocol::json::to_raw;
use handpick_protocol::version::{META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION, SUPPORTED};
use serde_json::json;

/// The text is not one JSON message, or nests too deep (E7, E20).
pub fn not_json(reason: &str) -> RpcError {
    RpcError::new(PARSE_ERROR, format!("parse error: {}", shown(reason)))
}

/// JSON, but no JSON-RPC request or notification.
pub fn not_a_request(reason: &str) -> RpcError {
    RpcError::new(INVALID_REQUEST, format!("invalid request: {}", shown(reason)))
}

/// The method is not answered here.
pub fn unknown_method(method: &str) -> RpcError {
    RpcError::new(METHOD_NOT_FOUND, format!("method not found: {}", shown(method)))
}

/// The parameters of a method are wrong.
pub fn invalid_params(reason: impl std::fmt::Display) -> RpcError {
    RpcError::new(INVALID_PARAMS, format!("invalid params: {reason}"))
}

/// Nothing waits for this retry: the question was answered or withdrawn, or belongs to another call. Says no more, so
/// that nobody learns of others' questions.
pub fn not_open() -> RpcError {
    invalid_params("this question is not open any more; call again without `requestState`")
}

/// A modern request lacks the metadata every one must carry.
pub fn missing_metadata() -> RpcError {
    invalid_params(format_args!(
        "`_meta` must carry {META_PROTOCOL_VERSION} and {META_CLIENT_CAPABILITIES}, an object"
    ))
}

/// The name is not callable on this surface (P13, X11). Also what a denied tool gets.
pub fn unknown_tool(name: &str, hint: Option<&str>) -> RpcError {
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    RpcError::new(INVALID_PARAMS, format!("tool not found: {name}{hint}"))
}

/// Headers contradict the body.
pub fn header_mismatch(reason: &str) -> RpcError {
    RpcError::new(HEADER_MISMATCH, format!("header mismatch: {reason}"))
}

/// The revision is not spoken here; says which ones are.
pub fn unsupported_version(requested: &str) -> RpcError {
    RpcError {
        code: UNSUPPORTED_PROTOCOL_VERSION,
        message: format!("unsupported protocol version: {}", shown(requested)),
        data: Some(to_raw(
            &json!({"supported": SUPPORTED, "requested": shown(requested)}),
        )),
    }
}

/// The HTTP status a modern client expects beside a JSON-RPC error.
pub fn modern_status(error: &RpcError) -> StatusCode {
    match error.code {
        METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        PARSE_ERROR | INVALID_REQUEST | HEADER_MISMATCH | UNSUPPORTED_PROTOCOL_VERSION => {
            StatusCode::BAD_REQUEST
        }
        _ => StatusCode::OK,
    }
}
