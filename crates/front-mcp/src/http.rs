//! How does MCP travel over HTTP? One endpoint a gateway, both eras.

use std::collections::HashMap;
use std::error::Error as _;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use handpick_domain::Caller;
use handpick_operations::gateways::HeldGateway;
use handpick_operations::open_surface::open_surface;
use handpick_operations::{Opened, authenticate};
use handpick_protocol::error::INVALID_PARAMS;
use handpick_protocol::version::MODERN;
use handpick_protocol::{Era, Message};
use http_body_util::LengthLimitError;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::error::not_a_request;
use crate::front::{BODY_BYTES_MAX, McpFront};
use crate::incoming::{Unreadable, parse};
use crate::methods::{PreparedCall, View, list_ttl};
use crate::params::AnyParams;
use crate::parts::Part;
use crate::session::Session;
use crate::{challenge, legacy, modern, origin, reply, running};

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
            get(challenge::protected_resource),
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
    /// Keeps the gateway open until the request, or its stream, is over.
    _held: HeldGateway,
}

pub(crate) type Parameters = Query<HashMap<String, String>>;

/// The steps every HTTP request passes before its message is read: origin, key, gateway.
pub(crate) async fn admit_connection(
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
    let user_id = user_id(&headers);
    let caller = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .and_then(|(_, key)| {
            authenticate(
                &front.runtime,
                key.trim(),
                user_id.as_ref().copied().unwrap_or_default(),
            )
        });
    let Some(caller) = caller else {
        return Err(Box::new(challenge::unauthorized(&gateway, &headers)));
    };
    if user_id.is_err() {
        let error = not_a_request("`Arcade-User-ID` must be UTF-8");
        return Err(Box::new(reply::rpc_error(StatusCode::BAD_REQUEST, None, &error)));
    }
    let Some(held) = front.runtime.hold_gateway(&gateway).await else {
        let error = not_a_request(&format!("there is no gateway `{gateway}`"));
        return Err(Box::new(reply::rpc_error(StatusCode::NOT_FOUND, None, &error)));
    };
    let narrowed = parameters
        .get("tool_recommendation")
        .is_some_and(|value| value == "false");
    Ok(Asked {
        front,
        gateway,
        caller,
        headers,
        narrowed,
        _held: held,
    })
}

/// The end user a request is made for. A name nobody can read is not nobody.
fn user_id(headers: &HeaderMap) -> Result<Option<&str>, std::str::Utf8Error> {
    let Some(value) = headers.get(USER_ID) else {
        return Ok(None);
    };
    let text = std::str::from_utf8(value.as_bytes())?.trim();
    Ok(Some(text).filter(|text| !text.is_empty()))
}

async fn receive(
    State(front): State<Arc<McpFront>>,
    Path(gateway): Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let asked = match admit_connection(front, gateway, &parameters, headers).await {
        Ok(asked) => asked,
        Err(refusal) => return *refusal,
    };
    if !is_json(&asked.headers) {
        return reply::empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let body = match read_body(&asked.headers, body).await {
        Ok(body) => body,
        Err(refusal) => return *refusal,
    };
    let message = match parse(&body) {
        Ok(message) => message,
        Err(Unreadable { id, error }) => {
            let in_band = error.code == INVALID_PARAMS && !header_is_modern(&asked.headers);
            let status = if in_band {
                StatusCode::OK
            } else {
                StatusCode::BAD_REQUEST
            };
            return reply::rpc_error(status, id, &error);
        }
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
    header_is_modern(headers)
        || message.method.as_deref() == Some("server/discover")
        || AnyParams::read(message.params).modern_version().is_some()
}

fn header_is_modern(headers: &HeaderMap) -> bool {
    headers
        .get(PROTOCOL_VERSION)
        .is_some_and(|value| value.as_bytes() == MODERN.as_bytes())
}

/// The whole body, unless it is larger than allowed, announced or not (E8).
async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, Box<Response>> {
    let refuse =
        |status: StatusCode, reason: &str| Box::new(reply::rpc_error(status, None, &not_a_request(reason)));
    let too_large = || {
        let reason = format!("the body is larger than {BODY_BYTES_MAX} bytes");
        refuse(StatusCode::PAYLOAD_TOO_LARGE, &reason)
    };
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > BODY_BYTES_MAX as u64) {
        return Err(too_large());
    }
    to_bytes(body, BODY_BYTES_MAX)
        .await
        .map_err(|error| match error.source() {
            Some(source) if source.is::<LengthLimitError>() => too_large(),
            _ => refuse(StatusCode::BAD_REQUEST, "the body broke off"),
        })
}

/// Runs a `tools/call` and frames what comes of it: one JSON body, or an event stream from the first progress or
/// question on. A call the client cancels is answered with an empty 202.
///
/// The call was understood, so the status is 200 whatever the tool's server says: its error codes are about its own
/// endpoint, never about ours.
pub(crate) async fn call(
    asked: &Asked,
    view: View,
    id: &RawValue,
    params: Option<&RawValue>,
    session: Option<&Arc<Session>>,
) -> Response {
    let prepared = match PreparedCall::read(params, view.era) {
        Ok(mut prepared) if !accepts_events(&asked.headers) => {
            prepared.progress_token = None;
            prepared
        }
        Ok(prepared) => prepared,
        Err(error) => return reply::rpc_error(StatusCode::OK, Some(id), &error),
    };
    let runtime = Arc::clone(&asked.front.runtime);
    let parts = match view.era {
        Era::Modern => {
            let given_up = CancellationToken::new();
            running::stateless(&asked.front.suspended, given_up, runtime, view, prepared)
        }
        Era::Legacy => {
            // Requests of ours travel as events.
            let asking = session.filter(|_| accepts_events(&asked.headers));
            let (sender, messages) = mpsc::unbounded_channel();
            let client = running::client(asking, &view.caller, sender);
            let in_flight = session.map(|session| session.begin(id));
            let cancelled = async move {
                match &in_flight {
                    Some(in_flight) => in_flight.token.cancelled().await,
                    None => std::future::pending().await,
                }
            };
            let messages = client.is_some().then_some(messages);
            Ok(running::with_its_request(
                runtime, view, prepared, client, messages, cancelled,
            ))
        }
    };
    let mut parts = match parts {
        Ok(parts) => parts,
        Err(error) => return reply::rpc_error(StatusCode::OK, Some(id), &error),
    };
    let first = match parts.next().await {
        None => return reply::empty(StatusCode::ACCEPTED),
        Some(Part::Answer(outcome)) => {
            return reply::json(StatusCode::OK, reply::response_text(id, &outcome));
        }
        Some(Part::Aside(first)) => first,
    };
    let id = id.to_owned();
    reply::events(stream::iter([first]).chain(parts.map(move |part| part.text(&id))))
}

/// The view of a request that opens its own surface.
pub(crate) fn open_view(asked: &Asked, era: Era) -> Option<View> {
    let ttl = list_ttl(&asked.front.runtime);
    let opened = open(asked)?;
    Some(View {
        era,
        caller: Arc::clone(&asked.caller),
        joined: asked.front.runtime.joined(&opened, &asked.caller),
        opened,
        list_grows: false,
        ttl,
    })
}

/// The surface of this URL and caller right now.
pub(crate) fn open(asked: &Asked) -> Option<Arc<Opened>> {
    open_narrowed(&asked.front, &asked.gateway, &asked.caller, asked.narrowed)
}

/// The surface of a gateway right now, without recommendation where that was turned off (A9).
pub(crate) fn open_narrowed(
    front: &McpFront,
    gateway: &str,
    caller: &Caller,
    narrowed: bool,
) -> Option<Arc<Opened>> {
    let opened = open_surface(&front.runtime, gateway, caller)?;
    Some(if narrowed {
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
