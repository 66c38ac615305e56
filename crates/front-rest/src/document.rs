//! What does the OpenAPI document say?

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use utoipa::openapi::OpenApi as Document;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{IntoResponses, Modify, OpenApi};

use crate::context::error::ContextErrorBody;
use crate::error::ErrorBody;
use crate::router::endpoints;

static DOCUMENT: LazyLock<String> = LazyLock::new(|| document().to_json().unwrap_or_default());

/// The whole document, made from the endpoints themselves.
pub fn document() -> Document {
    endpoints().split_for_parts().1
}

/// Serves [`document`].
pub async fn serve_document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}

/// The document without its endpoints.
pub(crate) fn frame() -> Document {
    Frame::openapi()
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Handpick",
        description = "Find the few tools that fit a task among all the tools of all your servers, and run \
                       them.\n\nFor an assistant of your own: publish its tools as an agent, and ask before every turn \
                       which of them it needs.\n\nA failure says what would be right: `{\"error\"}` from what \
                       belongs to agents, and elsewhere a `name` for programs, a `message` for people, and \
                       `field_errors` where fields of the request are wrong. Unknown fields are ignored, `null` is \
                       the same as absent unless the field says otherwise.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")
    ),
    tags(
        (name = "tools", description = "Find tools and run them"),
        (name = "gateways", description = "See and change how tools are shown"),
        (name = "turns", description = "Get the tools for a turn of a conversation"),
        (name = "agents", description = "Publish the tools of an assistant"),
        (name = "operation", description = "See how the gateway is doing")
    ),
    components(schemas(ErrorBody, ContextErrorBody)),
    modifiers(&Key)
)]
struct Frame;

/// The key every request but `health` needs.
struct Key;

impl Modify for Key {
    fn modify(&self, document: &mut Document) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "A key that `handpick keys create` made. Its scopes say what it is good for: `read` finds tools, \
                 `execute` runs them, `admin` does both and publishes agents.",
            ))
            .build();
        document
            .components
            .get_or_insert_default()
            .add_security_scheme("key", SecurityScheme::Http(scheme));
    }
}

/// What is wrong with a body.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum BodyErrors {
    /// The body is not a JSON object, or fields of it are missing or wrong
    #[response(status = 400, example = json!({
        "name": "malformed_request",
        "message": "`user_id` is required and must not be blank",
        "field_errors": [{"field": "user_id", "message": "is required and must not be blank"}]
    }))]
    Malformed(ErrorBody),
    /// The body is larger than this endpoint takes
    #[response(status = 413, example = json!({
        "name": "payload_too_large", "message": "the body must be at most 1048576 bytes"
    }))]
    TooLarge(ErrorBody),
    /// `Content-Type` is not `application/json`
    #[response(status = 415, example = json!({
        "name": "unsupported_media_type",
        "message": "the body must be JSON: send `Content-Type: application/json`"
    }))]
    MediaType(ErrorBody),
}

/// What is wrong with a query.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum QueryErrors {
    /// Parameters are wrong
    #[response(status = 400, example = json!({
        "name": "malformed_request",
        "message": "`limit` must be a whole number of at least 1",
        "field_errors": [{"field": "limit", "message": "must be a whole number of at least 1"}]
    }))]
    Malformed(ErrorBody),
}

/// What is wrong with a key.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum KeyErrors {
    /// No key, or one that is not known
    #[response(status = 401, example = json!({
        "name": "unauthorized", "message": "this key is not known here, or it was revoked"
    }))]
    Unauthorized(ErrorBody),
    /// The key lacks the scope this needs
    #[response(status = 403, example = json!({
        "name": "forbidden", "message": "this key may not do that: it lacks the `execute` scope"
    }))]
    Forbidden(ErrorBody),
}

/// What is wrong with a gateway.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum GatewayErrors {
    /// There is no gateway with this `gateway_id`
    #[response(status = 404, example = json!({
        "name": "not_found", "message": "there is no gateway `suport`"
    }))]
    Unknown(ErrorBody),
}

/// What is wrong with a tool.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum ToolErrors {
    /// There is no tool with this name, or this key may not use it
    #[response(status = 404, example = json!({
        "name": "tool_not_found", "message": "tool not found: chat.send_mesage"
    }))]
    Unknown(ErrorBody),
}

/// Why no tools are found.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum SelectionErrors {
    /// Finding tools is not available in this deployment, or not at this moment
    #[response(status = 503, example = json!({
        "name": "service_unavailable",
        "message": "finding tools is temporarily unavailable, a retry may succeed"
    }))]
    Unavailable(ErrorBody),
}
