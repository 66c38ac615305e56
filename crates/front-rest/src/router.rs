//! What can be asked over REST?

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::docs_page::docs_page;
use crate::document::{self, serve_document};
use crate::error::RestError;
use crate::front::RestFront;
use crate::{execute, health, search, select, status, tools};

/// Every endpoint that the OpenAPI document describes. An endpoint listed here is served and described,
/// one that is not is neither.
pub(crate) fn endpoints() -> OpenApiRouter<Arc<RestFront>> {
    OpenApiRouter::with_openapi(document::frame())
        .routes(routes!(select::select))
        .routes(routes!(search::search))
        .routes(routes!(tools::tools))
        .routes(routes!(execute::execute))
        .routes(routes!(health::health))
        .routes(routes!(status::status))
}

/// The routes of the REST front, among them an answer to every other path under `/v1`.
pub fn router(front: Arc<RestFront>) -> Router {
    let (endpoints, _) = endpoints().split_for_parts();
    let router = endpoints
        .route("/openapi.json", get(serve_document))
        .route("/docs", get(docs_page))
        .method_not_allowed_fallback(method_not_allowed)
        .route("/v1", any(unknown_path))
        .route("/v1/", any(unknown_path))
        .route("/v1/{*rest}", any(unknown_path))
        .with_state(front);
    guarded(router)
}

/// A request in which something panics is answered like every other failure; the others go on.
fn guarded(router: Router) -> Router {
    router.layer(CatchPanicLayer::custom(|panic: Box<dyn Any + Send>| {
        failed(panic.as_ref())
    }))
}

async fn unknown_path(request: Request) -> RestError {
    RestError::UnknownPath(request.uri().path().to_owned())
}

async fn method_not_allowed(request: Request) -> RestError {
    RestError::Method {
        path: request.uri().path().to_owned(),
        method: request.method().to_string(),
    }
}

fn failed(panic: &(dyn Any + Send)) -> Response {
    let reason = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no reason given");
    tracing::error!(reason, "a REST request met a defect of this program");
    RestError::Internal.into_response()
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

    #[tokio::test]
    async fn a67_a_panic_is_an_internal_error() {
        let router = guarded(Router::new().route("/", get(panics)));
        let response = router.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body(), 1024).await.unwrap();
        assert!(
            body.starts_with(br#"{"name":"internal_error","message":""#),
            "{body:?}"
        );
        assert!(!body.windows(6).any(|part| part == b"defect"), "{body:?}");
    }
}
