//! May a web page of another origin talk to us from a browser?

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use handpick_front_mcp::origin::is_allowed;
use handpick_front_rest::context;

/// What a page may read besides the body: the headers that MCP is spoken with.
const READABLE: HeaderValue =
    HeaderValue::from_static("mcp-session-id, mcp-protocol-version, www-authenticate");
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
/// Seconds a browser remembers what it may send.
const AGE: HeaderValue = HeaderValue::from_static("3600");

/// Tells a browser that pages on loopback and on the listed origins may send requests and read the answers.
/// It would keep both from them otherwise. Credentials are never let through: a page sends its key itself.
///
/// Requests of anything but a browser carry no `Origin` and pass untouched. So do those of the context API, which
/// speaks for users to whoever holds the key: it is for servers alone (T4).
pub async fn let_in(State(allowed): State<Arc<[String]>>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(ORIGIN);
    let open = !context::owns(request.uri().path());
    let known = origin.filter(|origin| open && is_allowed(Some(origin.as_bytes()), &allowed));
    let Some(origin) = known.cloned() else {
        return next.run(request).await;
    };
    let mut response = match asks_first(&request) {
        true => permission(request.headers()),
        false => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, READABLE);
    headers.append(VARY, HeaderValue::from_static("origin"));
    response
}

/// Browsers ask before they send anything with a key or with JSON in it.
fn asks_first(request: &Request) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

fn permission(asked: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_MAX_AGE, AGE);
    if let Some(names) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::post;
    use tower::ServiceExt as _;

    use super::*;

    async fn ask(method: Method, headers: &[(&str, &str)]) -> Response {
        ask_at("/x", method, headers).await
    }

    async fn ask_at(path: &str, method: Method, headers: &[(&str, &str)]) -> Response {
        let allowed: Arc<[String]> = ["https://portal.example".to_owned()].into();
        let router: Router = Router::new()
            .route(path, post(|| async { "done" }))
            .layer(from_fn_with_state(allowed, let_in));
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        router
            .oneshot(request.body(Body::empty()).unwrap())
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn known_pages_are_let_in() {
        for origin in ["https://portal.example", "http://localhost:3000"] {
            let headers = [
                ("origin", origin),
                ("access-control-request-method", "POST"),
                ("access-control-request-headers", "authorization"),
            ];
            let response = ask(Method::OPTIONS, &headers).await;
            assert_eq!(response.status(), StatusCode::NO_CONTENT);
            assert_eq!(response.headers()["access-control-allow-origin"], origin);
            assert_eq!(
                response.headers()["access-control-allow-headers"],
                "authorization"
            );
            let response = ask(Method::POST, &headers[..1]).await;
            assert_eq!(response.status(), StatusCode::OK);
            assert_eq!(response.headers()["access-control-allow-origin"], origin);
        }
    }

    #[tokio::test]
    async fn others_hear_nothing_of_it() {
        for headers in [&[][..], &[("origin", "https://evil.example")]] {
            let response = ask(Method::POST, headers).await;
            assert_eq!(response.status(), StatusCode::OK);
            assert!(!response.headers().contains_key("access-control-allow-origin"));
        }
        let headers = [
            ("origin", "https://evil.example"),
            ("access-control-request-method", "POST"),
        ];
        let response = ask(Method::OPTIONS, &headers).await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    }

    /// T4: the context API lets no page in, not even those that may use the rest.
    #[tokio::test]
    async fn t4_no_page_is_let_into_the_context_api() {
        for path in ["/v1/context", "/v1/find-tools", "/v1/agents/acme/catalog"] {
            for origin in ["https://portal.example", "http://localhost:3000"] {
                let headers = [("origin", origin), ("access-control-request-method", "POST")];
                for (method, headers) in [(Method::POST, &headers[..1]), (Method::OPTIONS, &headers[..])] {
                    let response = ask_at(path, method, headers).await;
                    let mut names = response.headers().keys().map(|name| name.as_str());
                    assert!(!names.any(|name| name.starts_with("access-control")), "{path}");
                }
            }
        }
    }
}
