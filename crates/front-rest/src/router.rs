//! What can be asked over REST?

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::context::error::ContextError;
use crate::docs_page::docs_page;
use crate::document::{self, serve_document};
use crate::error::RestError;
use crate::front::RestFront;
use crate::{context, execute, gateways, health, search, select, status, tools};

/// Every endpoint that the OpenAPI document describes. An endpoint listed here is served and described,
/// one that is not is neither.
pub(crate) fn endpoints() -> OpenApiRouter<Arc<RestFront>> {
    OpenApiRouter::with_openapi(document::frame())
        .merge(gateway_endpoints())
        .merge(context::endpoints())
}

/// The endpoints over the tools of the gateway's servers; those of agents are in [`context`].
fn gateway_endpoints() -> OpenApiRouter<Arc<RestFront>> {
    OpenApiRouter::new()
        .routes(routes!(select::select))
        .routes(routes!(search::search))
        .routes(routes!(tools::tools))
        .routes(routes!(execute::execute))
        .merge(gateways::endpoints())
        .routes(routes!(health::health))
        .routes(routes!(status::status))
}

/// The routes of the REST front, among them an answer to every other path under `/v1`.
pub fn router(front: Arc<RestFront>) -> Router {
    let gateway = gateway_endpoints()
        .split_for_parts()
        .0
        .route("/openapi.json", get(serve_document))
        .route("/docs", get(docs_page))
        .method_not_allowed_fallback(method_not_allowed)
        .route("/v1", any(unknown_path))
        .route("/v1/", any(unknown_path))
        .route("/v1/{*rest}", any(unknown_path));
    let context = context::endpoints()
        .split_for_parts()
        .0
        .method_not_allowed_fallback(method_not_allowed);
    guarded(gateway, RestError::Internal)
        .merge(guarded(context, ContextError::Internal))
        .with_state(front)
}

/// A request in which something panics is answered like every other failure; the others go on.
fn guarded<S, E>(router: Router<S>, failure: E) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    E: IntoResponse + Clone + Send + Sync + 'static,
{
    router.layer(CatchPanicLayer::custom(move |panic: Box<dyn Any + Send>| {
        note(panic.as_ref());
        failure.clone().into_response()
    }))
}

async fn unknown_path(request: Request) -> Response {
    let path = request.uri().path().to_owned();
    match context::owns(&path) {
        true => ContextError::UnknownPath(path).into_response(),
        false => RestError::UnknownPath(path).into_response(),
    }
}

async fn method_not_allowed(request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let method = request.method().to_string();
    match context::owns(&path) {
        true => ContextError::Method { path, method }.into_response(),
        false => RestError::Method { path, method }.into_response(),
    }
}

fn note(panic: &(dyn Any + Send)) {
    let reason = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no reason given");
    tracing::error!(reason, "a REST request met a defect of this program");
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body, to_bytes};
    use axum::http::StatusCode;
    use tower::ServiceExt as _;

    async fn panics() -> &'static str {
        panic!("a defect");
    }

    /// A67, T47: each side answers in its own shape, and tells nothing of the defect.
    #[tokio::test]
    async fn a67_a_panic_is_an_internal_error() {
        let panicking = || Router::new().route("/", get(panics));
        for (router, beginning) in [
            (
                guarded(panicking(), RestError::Internal),
                r#"{"name":"internal_error","message":""#,
            ),
            (guarded(panicking(), ContextError::Internal), r#"{"error":""#),
        ] {
            let response = router.oneshot(Request::new(Body::empty())).await.unwrap();
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            let body = to_bytes(response.into_body(), 1024).await.unwrap();
            assert!(body.starts_with(beginning.as_bytes()), "{body:?}");
            assert!(!body.windows(6).any(|part| part == b"defect"), "{body:?}");
        }
    }
}
