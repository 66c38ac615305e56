//! How are clients served that open a session with `initialize`?

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use handpick_protocol::version::LEGACY;
use handpick_protocol::{Era, Message, notification, result_response};
use serde_json::value::RawValue;

use crate::error::{not_a_request, unknown_method};
use crate::front::{LIST_TTL, McpFront};
use crate::greeting::{initialize_result, negotiate};
use crate::http::{self, Asked, PROTOCOL_VERSION, Parameters, SESSION_ID};
use crate::list_changes::ListChanges;
use crate::methods::{View, respond};
use crate::params::{AnyParams, InitializeParams};
use crate::reply;
use crate::session::Session;

/// Answers one message of a legacy client.
pub(crate) async fn receive(asked: Asked, message: Message<'_>) -> Response {
    if let Some(refusal) = unsupported_version(&asked.headers) {
        return refusal;
    }
    let Some(method) = message.method.as_deref() else {
        return responded(&asked, message);
    };
    if method == "initialize" {
        return initialize(&asked, &message);
    }
    let session = match session_of(&asked) {
        Ok(session) => session,
        Err(refusal) => return *refusal,
    };
    let Some(id) = message.request_id() else {
        notified(session.as_ref(), method, message.params);
        return reply::empty(StatusCode::ACCEPTED);
    };
    let Some(view) = view(&asked, session.as_ref(), method, message.params) else {
        return reply::rpc_error(StatusCode::NOT_FOUND, Some(id), &unknown_method(method));
    };
    if method == "tools/call" {
        return http::call(&asked, view, id, message.params, session.as_ref()).await;
    }
    let outcome = respond(&view, method, message.params);
    reply::json(StatusCode::OK, reply::response_text(id, &outcome))
}

/// A response to a request of ours; one that nobody waits for is ignored.
fn responded(asked: &Asked, message: Message<'_>) -> Response {
    let session = match session_of(asked) {
        Ok(session) => session,
        Err(refusal) => return *refusal,
    };
    if let (Some(session), Some(id)) = (session, message.request_id())
        && let Some(response) = message.into_response()
    {
        let reply = response.map(ToOwned::to_owned);
        session
            .questions
            .answer(id, asked.caller.user_id.as_deref(), reply);
    }
    reply::empty(StatusCode::ACCEPTED)
}

/// Opens a session. A client that initializes within a session begins anew: the earlier one ends, as if the client had
/// ended it, so that no stream of it tells of changes beside the new one's.
fn initialize(asked: &Asked, message: &Message<'_>) -> Response {
    let Some(id) = message.request_id() else {
        return reply::rpc_error(
            StatusCode::BAD_REQUEST,
            None,
            &not_a_request("`initialize` needs an id"),
        );
    };
    let params = InitializeParams::read(message.params);
    let settled = asked.front.runtime.is_settled();
    let Some(opened) = http::open(asked) else {
        return reply::empty(StatusCode::NOT_FOUND);
    };
    let result = initialize_result(negotiate(params.protocol_version.as_deref()), &opened);
    let session = Session::new(
        &asked.gateway,
        Arc::clone(&asked.caller),
        asked.narrowed,
        opened,
        settled,
    )
    .with_capabilities(params.capabilities);
    // One that is over already, or somebody else's, is none of this client's.
    if let Ok(Some(earlier)) = session_of(asked) {
        asked.front.sessions.close(&earlier.id);
    }
    let session = asked.front.sessions.open(session);
    let mut response = reply::json(StatusCode::OK, result_response(id.get(), result.get()));
    if let Ok(id) = HeaderValue::from_str(&session.id) {
        response.headers_mut().insert(SESSION_ID, id);
    }
    response
}

/// The session a request names. A client that names none is served without one: it sees the current
/// surface each time.
fn session_of(asked: &Asked) -> Result<Option<Arc<Session>>, Box<Response>> {
    let Some(id) = asked.headers.get(SESSION_ID) else {
        return Ok(None);
    };
    let session = id
        .to_str()
        .ok()
        .and_then(|id| asked.front.sessions.find(id, &asked.gateway, &asked.caller));
    session.map(Some).ok_or_else(|| {
        let error = not_a_request("this session is unknown or has ended; initialize again");
        Box::new(reply::rpc_error(StatusCode::NOT_FOUND, None, &error))
    })
}

fn view(
    asked: &Asked,
    session: Option<&Arc<Session>>,
    method: &str,
    params: Option<&RawValue>,
) -> Option<View> {
    let Some(session) = session else {
        return http::open_view(asked, Era::Legacy);
    };
    let relisting = method == "tools/list" && AnyParams::read(params).cursor.is_none();
    if relisting {
        session.list_given(&asked.caller);
    }
    let settled = asked.front.runtime.is_settled();
    let opened = session.surface_for(relisting, settled, || {
        http::open_narrowed(&asked.front, &session.gateway, &asked.caller, session.narrowed)
    });
    Some(View {
        era: Era::Legacy,
        caller: Arc::clone(&asked.caller),
        opened,
        joined: session.joined(&asked.caller),
        list_grows: true,
        ttl: LIST_TTL,
    })
}

fn notified(session: Option<&Arc<Session>>, method: &str, params: Option<&RawValue>) {
    if method == "notifications/cancelled"
        && let (Some(session), Some(request_id)) = (session, AnyParams::read(params).request_id)
    {
        session.cancel(request_id);
    }
}

/// `GET`: the stream on which a session hears that its list changed.
pub(crate) async fn listen(
    State(front): State<Arc<McpFront>>,
    Path(gateway): Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Response {
    let asked = match http::admit_connection(front, gateway, &parameters, headers).await {
        Ok(asked) => asked,
        Err(refusal) => return *refusal,
    };
    let session = match session_of(&asked) {
        Ok(Some(session)) if http::accepts_events(&asked.headers) => session,
        Ok(_) => return not_allowed("POST, DELETE"),
        Err(refusal) => return *refusal,
    };
    let (listening, ended) = (session.listen(&asked.caller), session.ended.clone());
    let (front, caller) = (Arc::clone(&asked.front), Arc::clone(&asked.caller));
    let joined = Some((session.joined(&asked.caller), session.last_listed(&asked.caller)));
    let changes = ListChanges::new(&asked.front.runtime, Some(&session.opened()), joined, move || {
        let fresh = http::open_narrowed(&front, &session.gateway, &caller, session.narrowed)?;
        Some(session.relisted(fresh))
    });
    let messages = stream::unfold((changes, listening), |(mut changes, listening)| async move {
        while changes.next().await {
            if listening.is_newest() {
                let message = notification("notifications/tools/list_changed", None);
                return Some((message, (changes, listening)));
            }
        }
        None
    });
    reply::events(messages.take_until(ended.cancelled_owned()))
}

/// `DELETE`: the client ends its session.
pub(crate) async fn end(
    State(front): State<Arc<McpFront>>,
    Path(gateway): Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Response {
    let asked = match http::admit_connection(front, gateway, &parameters, headers).await {
        Ok(asked) => asked,
        Err(refusal) => return *refusal,
    };
    match session_of(&asked) {
        Ok(Some(session)) => {
            asked.front.sessions.close(&session.id);
            reply::empty(StatusCode::NO_CONTENT)
        }
        Ok(None) => not_allowed("POST"),
        Err(refusal) => *refusal,
    }
}

fn not_allowed(allow: &'static str) -> Response {
    let mut response = reply::empty(StatusCode::METHOD_NOT_ALLOWED);
    response
        .headers_mut()
        .insert(header::ALLOW, HeaderValue::from_static(allow));
    response
}

/// A revision nobody here speaks is refused (X10); a missing header is an older client.
fn unsupported_version(headers: &HeaderMap) -> Option<Response> {
    let version = headers.get(PROTOCOL_VERSION)?.to_str().unwrap_or_default();
    (!LEGACY.contains(&version)).then(|| {
        reply::rpc_error(
            StatusCode::BAD_REQUEST,
            None,
            &crate::error::unsupported_version(version),
        )
    })
}
