//! Which steps does every request pass before it is answered?

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use handpick_domain::{Caller, Scope, Surface};
use handpick_operations::open_surface::{open_project, open_surface};
use handpick_operations::{Runtime, authenticate};
use http_body_util::BodyExt as _;

use crate::error::RestError;
use crate::fields::Fields;

/// Most bytes of a refused body that are let come.
const PASSED_OVER_BYTES_MAX: usize = 32 * 1024 * 1024;
/// How long a refused body is waited for.
const PASSED_OVER_TIME_MAX: Duration = Duration::from_secs(5);

/// The caller behind the key of these headers, if the key carries `scope` (A38, C4).
pub fn admit(runtime: &Runtime, headers: &HeaderMap, scope: Scope) -> Result<Arc<Caller>, RestError> {
    let key = bearer(headers).ok_or(RestError::KeyMissing)?;
    let caller = authenticate(runtime, key, None).ok_or(RestError::KeyUnknown)?;
    if caller.may(scope) {
        Ok(caller)
    } else {
        Err(RestError::Forbidden {
            scope: scope_name(scope),
        })
    }
}

/// Admits a request and reads its body: key, scope, size, content type and JSON, in this order.
pub async fn receive(
    runtime: &Runtime,
    request: Request,
    scope: Scope,
    bytes_max: usize,
) -> Result<(Arc<Caller>, Fields), RestError> {
    let (caller, body) = receive_body(runtime, request, scope, bytes_max).await?;
    Ok((caller, Fields::parse(&body)?))
}

/// The same up to the JSON, which is not looked at.
pub async fn receive_body(
    runtime: &Runtime,
    request: Request,
    scope: Scope,
    bytes_max: usize,
) -> Result<(Arc<Caller>, Bytes), RestError> {
    let (head, body) = request.into_parts();
    let caller = admit(runtime, &head.headers, scope)?;
    let body = read(&head.headers, body, bytes_max).await?;
    if !is_json(&head.headers) {
        return Err(RestError::MediaType);
    }
    Ok((caller, body))
}

/// The caller, acting for this end user.
pub fn acting_for(caller: &Caller, user_id: &str) -> Caller {
    Caller {
        user_id: Some(user_id.to_owned()),
        ..caller.clone()
    }
}

/// What the caller may use: through one gateway or agent, or in the whole project (A44).
pub async fn surface_of(
    runtime: &Runtime,
    caller: &Caller,
    gateway_id: Option<&str>,
) -> Result<Arc<Surface>, RestError> {
    match gateway_id {
        None => Ok(open_project(runtime, caller)),
        Some(id) => {
            let held = runtime.hold_gateway(id).await;
            held.and_then(|_held| open_surface(runtime, id, caller))
                .map(|opened| Arc::clone(&opened.surface))
                .ok_or_else(|| RestError::UnknownGateway(id.to_owned()))
        }
    }
}

/// The token of `Authorization: Bearer`, which is the only place a key is looked for.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = value.trim().split_once(' ')?;
    let key = key.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !key.is_empty()).then_some(key)
}

pub(crate) fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "read",
        Scope::Execute => "execute",
        Scope::Admin => "admin",
    }
}

/// What is wrong with a body before anybody looks into it.
#[derive(Debug)]
pub(crate) enum BodyFault {
    /// It is larger than it may be.
    TooLarge { bytes_max: usize },
    /// It breaks off.
    Broken(String),
}

impl From<BodyFault> for RestError {
    fn from(fault: BodyFault) -> Self {
        match fault {
            BodyFault::TooLarge { bytes_max } => Self::TooLarge { bytes_max },
            BodyFault::Broken(reason) => Self::Malformed(reason),
        }
    }
}

/// Reads at most `bytes_max` bytes, whether or not the length was declared (E8, T50).
pub(crate) async fn read(headers: &HeaderMap, mut body: Body, bytes_max: usize) -> Result<Bytes, BodyFault> {
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > bytes_max as u64) {
        pass_over(headers, body).await;
        return Err(BodyFault::TooLarge { bytes_max });
    }
    let mut kept = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| BodyFault::Broken(format!("the body cannot be read: {error}")))?;
        let Ok(data) = frame.into_data() else { continue };
        if kept.len() + data.len() > bytes_max {
            pass_over_rest(body).await;
            return Err(BodyFault::TooLarge { bytes_max });
        }
        kept.extend_from_slice(&data);
    }
    Ok(kept.into())
}

/// Lets a body come that nobody reads: a sender that is cut off in the middle often never sees the answer. One that
/// asked for leave to send gets none.
pub(crate) async fn pass_over(headers: &HeaderMap, body: Body) {
    if !headers.contains_key(header::EXPECT) {
        pass_over_rest(body).await;
    }
}

async fn pass_over_rest(mut body: Body) {
    let mut left = PASSED_OVER_BYTES_MAX;
    let rest = async {
        while let Some(Ok(frame)) = body.frame().await {
            let bytes = frame.data_ref().map_or(0, Bytes::len);
            match left.checked_sub(bytes) {
                Some(fewer) => left = fewer,
                None => break,
            }
        }
    };
    // Either way the answer goes out now.
    let _ = tokio::time::timeout(PASSED_OVER_TIME_MAX, rest).await;
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .map(HeaderValue::to_str)
        .and_then(|value| value.ok()?.split(';').next())
        .is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}
