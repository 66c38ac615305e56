//! Which steps does every request pass before it is answered?

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use handpick_domain::{Caller, Scope, Surface};
use handpick_operations::open_surface::{open_project, open_surface};
use handpick_operations::{Runtime, authenticate};
use http_body_util::LengthLimitError;

use crate::error::RestError;
use crate::fields::Fields;

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
    let (head, body) = request.into_parts();
    let caller = admit(runtime, &head.headers, scope)?;
    let body = read(&head.headers, body, bytes_max).await?;
    if !is_json(&head.headers) {
        return Err(RestError::MediaType);
    }
    Ok((caller, Fields::parse(&body)?))
}

/// The caller, acting for this end user.
pub fn acting_for(caller: &Caller, user_id: &str) -> Caller {
    Caller {
        user_id: Some(user_id.to_owned()),
        ..caller.clone()
    }
}

/// What the caller may use: through one gateway, or in the whole project (A44).
pub fn surface_of(
    runtime: &Runtime,
    caller: &Caller,
    gateway_id: Option<&str>,
) -> Result<Arc<Surface>, RestError> {
    match gateway_id {
        None => Ok(open_project(runtime, caller)),
        Some(id) => open_surface(runtime, id, caller)
            .map(|opened| Arc::clone(&opened.surface))
            .ok_or_else(|| RestError::UnknownGateway(id.to_owned())),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = value.trim().split_once(' ')?;
    let key = key.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !key.is_empty()).then_some(key)
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "read",
        Scope::Execute => "execute",
        Scope::Admin => "admin",
    }
}

/// Reads at most `bytes_max` bytes, whether or not the length was declared (E8).
async fn read(headers: &HeaderMap, body: Body, bytes_max: usize) -> Result<Bytes, RestError> {
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > bytes_max as u64) {
        return Err(RestError::TooLarge { bytes_max });
    }
    to_bytes(body, bytes_max).await.map_err(|error| {
        let source = std::error::Error::source(&error);
        if source.is_some_and(|source| source.is::<LengthLimitError>()) {
            RestError::TooLarge { bytes_max }
        } else {
            RestError::Malformed(format!("the body cannot be read: {error}"))
        }
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .map(HeaderValue::to_str)
        .and_then(|value| value.ok()?.split(';').next())
        .is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}
