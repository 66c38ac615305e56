//! How does MCP travel over HTTP? One endpoint a gateway, both eras.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use handpick_domain::Caller;
use handpick_operations::authenticate;
use handpick_protocol::version::MODERN;
use handpick_protocol::{Era, Message};
use serde_json::value::RawValue;

use crate::error::{not_a_request, not_json};
use crate::front::{BODY_BYTES_MAX, McpFront};
use crate::methods::{PreparedCall, View};
use crate::params::AnyParams;
use crate::reply::{self, Outcome};
use crate::session::InFlight;
use crate::{legacy, modern, origin};

/// Header with the revision of the protocol.
pub const PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// Header with the id of a legacy session.
pub const SESSION_ID: &str = "mcp-session-id";
/// Header that names the end user a key acts for (A7).
pub const USER_ID: &str = "arcade-user-id";

/// The routes of the MCP front.
pub fn router(front: Arc<McpFront>) -> Router {
    Router::new()
        .route(
            "/mcp/{gateway}",
            post(receive).get(legacy::listen).delete(legacy::end),
        )
        .route(
            "/.well-known/oauth-protected-resource/mcp/{gateway}",
            get(protected_resource),
        )
        .with_state(front)
}

/// What every request of every era and method brings.
pub(crate) struct Asked {
    pub front: Arc<McpFront>,
    pub gateway: String,
    pub caller: Arc<Caller>,
    pub headers: HeaderMap,
    pub narrowed: bool,
}

pub(crate) type Parameters = Query<HashMap<String, String>>;

/// The steps every HTTP request passes before its message is read: origin, key, gateway.
pub(crate) fn admit_connection(
    front: Arc<McpFront>,
    gateway: String,
    parameters: &Parameters,
    headers: HeaderMap,
) -> Result<Asked, Box<Response>> {
    if !origin::is_allowed(
        headers.get(header::ORIGIN).map(HeaderValue::as_bytes),
        &front.allowed_origins,
    ) {
        let error = not_a_request("this origin may not use the gateway");
        return Err(Box::new(reply::rpc_error(StatusCode::FORBIDDEN, None, &error)));
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let caller = text(header::AUTHORIZATION.as_str())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .and_then(|(_, key)| authenticate(&front.runtime, key.trim(), text(USER_ID)));
    let Some(caller) = caller else {
        return Err(Box::new(unauthorized(&gateway, &headers)));
    };
    if !front.runtime.policy.gateways.contains_key(&gateway) {
        let error = not_a_request(&format!("there is no gateway `{gateway}`"));
        return Err(Box::new(reply::rpc_error(StatusCode::NOT_FOUND, None, &error)));
    }
    let narrowed = parameters
        .get("tool_recommendation")
        .is_some_and(|value| value == "false");
    Ok(Asked {
        front,
        gateway,
        caller,
        headers,
        narrowed,
    })
}

async fn receive(
    State(front): State<Arc<McpFront>>,
    Path(gateway): Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let asked = match admit_connection(front, gateway, &parameters, headers) {
        Ok(asked) => asked,
        Err(refusal) => return *refusal,
    };
    if !is_json(&asked.headers) {
        return reply::empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let body = match read_body(body).await {
        Ok(body) => body,
        Err(refusal) => return *refusal,
    };
    let message = match parse(&body) {
        Ok(message) => message,
        Err(error) => return reply::rpc_error(StatusCode::BAD_REQUEST, None, &error),
    };
    if speaks_modern(&asked.headers, &message) {
        modern::receive(asked, message).await
    } else {
        legacy::receive(asked, message).await
    }
}

/// A request is modern when it carries its own protocol version, in the body or in the header;
/// `initialize` is always legacy.
fn speaks_modern(headers: &HeaderMap, message: &Message<'_>) -> bool {
    if message.method.as_deref() == Some("initialize") {
        return false;
    }
    let header_is_modern = headers
        .get(PROTOCOL_VERSION)
        .is_some_and(|value| value.as_bytes() == MODERN.as_bytes());
    header_is_modern
        || message.method.as_deref() == Some("server/discover")
        || AnyParams::read(message.params).modern_version().is_some()
}

async fn read_body(body: Body) -> Result<Bytes, Box<Response>> {
    to_bytes(body, BODY_BYTES_MAX).await.map_err(|error| {
        let error = not_a_request(&format!(
            "the body cannot be read or is larger than {BODY_BYTES_MAX} bytes: {error}"
        ));
        Box::new(reply::rpc_error(StatusCode::PAYLOAD_TOO_LARGE, None, &error))
    })
}

/// Reads one message, with the checks both transports share.
pub(crate) fn parse(body: &[u8]) -> Result<Message<'_>, handpick_protocol::RpcError> {
    let text = std::str::from_utf8(body).map_err(|_| not_json("the body is not UTF-8"))?;
    if handpick_protocol::json::too_deep(text) {
        return Err(not_json("the body nests deeper than 128 levels"));
    }
    if text.trim_start().starts_with('[') {
        return Err(not_a_request(
            "batches are not accepted; send one message at a time",
        ));
    }
    let message = match Message::parse(text) {
        Ok(message) => message,
        Err(error) if error.is_data() => return Err(not_a_request(&error.to_string())),
        Err(error) => return Err(not_json(&error.to_string())),
    };
    if message.jsonrpc.as_deref() != Some("2.0") {
        return Err(not_a_request("`jsonrpc` must be \"2.0\""));
    }
    if message.method.is_none() && message.result.is_none() && message.error.is_none() {
        return Err(not_a_request("`method` is missing"));
    }
    if message.id.is_some() && message.request_id().is_none() {
        return Err(not_a_request("`id` must be a string or a number"));
    }
    Ok(message)
}

/// Runs a `tools/call` and frames what comes of it: one JSON body, or an event stream from the first
/// progress on. A call the client cancels is answered with an empty 202.
pub(crate) async fn call(
    asked: &Asked,
    view: View,
    id: &RawValue,
    params: Option<&RawValue>,
    in_flight: Option<InFlight>,
    status_of: fn(&handpick_protocol::RpcError) -> StatusCode,
) -> Response {
    let prepared = match PreparedCall::read(params) {
        Ok(prepared) => prepared,
        Err(error) => return reply::rpc_error(status_of(&error), Some(id), &error),
    };
    let runtime = Arc::clone(&asked.front.runtime);
    let token = prepared
        .progress_token
        .clone()
        .filter(|_| accepts_events(&asked.headers));
    let Some(token) = token else {
        let outcome = cancellable(prepared.run(runtime, view, None), in_flight).await;
        return whole(id, outcome, status_of);
    };
    let (sender, mut progress) = tokio::sync::mpsc::unbounded_channel();
    let mut outcome = Box::pin(cancellable(prepared.run(runtime, view, Some(sender)), in_flight));
    let first = tokio::select! {
        biased;
        Some(first) = progress.recv() => first,
        outcome = &mut outcome => return whole(id, outcome, status_of),
    };
    reply::events(reply::call_messages(
        first,
        progress,
        token,
        id.to_owned(),
        outcome,
    ))
}

/// The outcome of a call, or nothing when the client cancelled it first.
async fn cancellable(
    call: impl Future<Output = Outcome> + Send,
    in_flight: Option<InFlight>,
) -> Option<Outcome> {
    match in_flight {
        None => Some(call.await),
        Some(in_flight) => tokio::select! {
            outcome = call => Some(outcome),
            () = in_flight.token.cancelled() => None,
        },
    }
}

fn whole(
    id: &RawValue,
    outcome: Option<Outcome>,
    status_of: fn(&handpick_protocol::RpcError) -> StatusCode,
) -> Response {
    match outcome {
        None => reply::empty(StatusCode::ACCEPTED),
        Some(outcome) => {
            let status = outcome.as_ref().err().map_or(StatusCode::OK, status_of);
            reply::json(status, reply::response_text(id, &outcome))
        }
    }
}

/// The view of a request that opens its own surface.
pub(crate) fn open_view(asked: &Asked, era: Era) -> Option<View> {
    let opened = open(asked)?;
    Some(View {
        era,
        caller: Arc::clone(&asked.caller),
        opened,
    })
}

/// The surface of this URL and caller right now.
pub(crate) fn open(asked: &Asked) -> Option<Arc<handpick_operations::Opened>> {
    let opened =
        handpick_operations::open_surface::open_surface(&asked.front.runtime, &asked.gateway, &asked.caller)?;
    Some(if asked.narrowed {
        Arc::new(opened.without_recommendation())
    } else {
        opened
    })
}

pub(crate) fn accepts_events(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|accept| accept.contains("text/event-stream") || accept.contains("*/*"))
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|mime| mime.trim().eq_ignore_ascii_case("application/json"))
}

/// A7: says where to learn how to get a key.
fn unauthorized(gateway: &str, headers: &HeaderMap) -> Response {
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("localhost");
    let error = not_a_request(
        "a key is needed: send `Authorization: Bearer <key>`; `handpick keys create` makes one",
    );
    let mut response = reply::rpc_error(StatusCode::UNAUTHORIZED, None, &error);
    let challenge = format!(
        r#"Bearer resource_metadata="http://{host}/.well-known/oauth-protected-resource/mcp/{gateway}""#
    );
    if let Ok(challenge) = HeaderValue::from_str(&challenge) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

/// Keys are handed out by the operator, so the document names no authorization server.
async fn protected_resource(Path(gateway): Path<String>, headers: HeaderMap) -> Response {
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("localhost");
    let document = serde_json::json!({
        "resource": format!("http://{host}/mcp/{gateway}"),
        "bearer_methods_supported": ["header"],
    });
    reply::json(StatusCode::OK, document.to_string())
}
