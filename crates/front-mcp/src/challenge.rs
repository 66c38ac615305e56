//! Where does a client without a key learn how to get one? (A7)

use std::fmt::Write as _;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::error::not_a_request;
use crate::reply;

/// The answer to a request without a good key.
pub(crate) fn unauthorized(gateway: &str, headers: &HeaderMap) -> Response {
    let error = not_a_request(
        "a key is needed: send `Authorization: Bearer <key>`; `handpick keys create` makes one",
    );
    let mut response = reply::rpc_error(StatusCode::UNAUTHORIZED, None, &error);
    let url = url(headers, "/.well-known/oauth-protected-resource/mcp/", gateway);
    if let Ok(challenge) = HeaderValue::from_str(&format!(r#"Bearer resource_metadata="{url}""#)) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

/// The document the challenge points to. Keys are handed out by the operator, so it names no
/// authorization server.
pub(crate) async fn protected_resource(Path(gateway): Path<String>, headers: HeaderMap) -> Response {
    let document = serde_json::json!({
        "resource": url(&headers, "/mcp/", &gateway),
        "bearer_methods_supported": ["header"],
    });
    reply::json(StatusCode::OK, document.to_string())
}

/// A URL of this server as the client reached it. Whatever the client sent, the result is one URL and
/// nothing else: it is put between quotes in a header.
fn url(headers: &HeaderMap, path: &str, gateway: &str) -> String {
    let is_host = |host: &&str| {
        let named = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
        !host.is_empty() && host.bytes().all(named)
    };
    let host = headers
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .filter(is_host)
        .unwrap_or("localhost");
    let mut url = format!("http://{host}{path}");
    for byte in gateway.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}
