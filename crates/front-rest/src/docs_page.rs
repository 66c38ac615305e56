//! Where can a person try the endpoints?

use axum::http::header;
use axum::response::IntoResponse;

/// One file that loads nothing from anywhere else: it works offline, and no key leaves for a stranger.
const PAGE: &str = include_str!("docs.html");

/// The page may run its own script and talk to this server, nothing else.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Serves the page that reads `/openapi.json` and sends requests.
pub async fn docs_page() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, PAGE)
}
