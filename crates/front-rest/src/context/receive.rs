//! Which steps does every request of the context API pass before it is answered?

use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::HeaderMap;
use handpick_domain::{Caller, Scope};
use handpick_operations::authenticate;
use handpick_protocol::json::{DEPTH_MAX, too_deep, value};
use serde_json::Value;
use tokio::task::JoinError;

use super::error::ContextError;
use super::{BODY_BYTES_MAX, PUBLISH_BODY_BYTES_MAX};
use crate::front::RestFront;
use crate::request::{bearer, pass_over, read, scope_name};

/// What a request is for: which key it needs, and how much it may bring along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Ask for tools, or read an agent (T2).
    Read,
    /// Change an agent (T2).
    Publish,
}

impl Purpose {
    fn scope(self) -> Scope {
        match self {
            Self::Read => Scope::Read,
            Self::Publish => Scope::Admin,
        }
    }

    fn bytes_max(self) -> usize {
        match self {
            Self::Read => BODY_BYTES_MAX,
            Self::Publish => PUBLISH_BODY_BYTES_MAX,
        }
    }
}

/// A request that was let in.
#[derive(Debug)]
pub struct Received {
    /// Its body, not yet looked at.
    pub body: Bytes,
    /// When all of it was there.
    pub at: Instant,
}

/// Lets a request in and reads its body: key, rate and size, in this order (T53).
pub async fn receive(
    front: &RestFront,
    request: Request,
    purpose: Purpose,
) -> Result<Received, ContextError> {
    receive_at_most(front, request, purpose.scope(), purpose.bytes_max()).await
}

/// Lets a request in that needs no body; whatever it brings is not looked at.
pub async fn receive_nothing(
    front: &RestFront,
    request: Request,
    purpose: Purpose,
) -> Result<(), ContextError> {
    receive_at_most(front, request, purpose.scope(), BODY_BYTES_MAX)
        .await
        .map(drop)
}

async fn receive_at_most(
    front: &RestFront,
    request: Request,
    scope: Scope,
    bytes_max: usize,
) -> Result<Received, ContextError> {
    let (head, body) = request.into_parts();
    if let Err(error) = admit(front, &head.headers, scope) {
        pass_over(&head.headers, body).await;
        return Err(error);
    }
    let body = read(&head.headers, body, bytes_max).await?;
    Ok(Received {
        body,
        at: Instant::now(),
    })
}

/// Takes a known key that carries `scope` and does not ask too often. Every fault of a key is 401 (T3, C4).
fn admit(front: &RestFront, headers: &HeaderMap, scope: Scope) -> Result<Arc<Caller>, ContextError> {
    let key = bearer(headers).ok_or(ContextError::KeyMissing)?;
    let caller = authenticate(&front.runtime, key, None).ok_or(ContextError::KeyUnknown)?;
    if !caller.may(scope) {
        let scope = scope_name(scope);
        return Err(ContextError::KeyLacks { scope });
    }
    let waiting = front.buckets.take(&caller.key_id);
    waiting.map_err(|seconds| ContextError::TooMany { seconds })?;
    Ok(caller)
}

/// The text of a body, which must be JSON of bearable depth (T48, E7, E20).
pub fn text(body: &[u8]) -> Result<&str, ContextError> {
    let malformed = |reason: String| Err(ContextError::Malformed(reason));
    let text = match std::str::from_utf8(body) {
        Ok(text) if text.trim().is_empty() => return malformed("the body is empty; send JSON".to_owned()),
        Ok(text) => text,
        Err(error) => return malformed(format!("the body is not UTF-8: {error}")),
    };
    if too_deep(text) {
        return malformed(format!("the body nests deeper than {DEPTH_MAX} levels"));
    }
    Ok(text)
}

/// A text as JSON.
pub fn json(text: &str) -> Result<Value, ContextError> {
    value(text).map_err(|error| ContextError::Malformed(format!("the body is not valid JSON: {error}")))
}

/// A task that did not end by itself: its panic is this request's.
pub(super) fn ended<T>(error: JoinError) -> Result<T, ContextError> {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Err(ContextError::Internal),
    }
}
