//! Which HTTP status and body does a failure get?

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Seconds after which a request that found the service unavailable may be repeated.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Everything a REST request can fail with. Its text is the `message` of the body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestError {
    /// No bearer token.
    #[error("a key is needed: send `Authorization: Bearer <key>`; `handpick keys create` makes one")]
    KeyMissing,
    /// A bearer token nobody was given.
    #[error("this key is not known here, or it was revoked")]
    KeyUnknown,
    /// The key is good, but not for this.
    #[error("this key may not do that: it lacks the `{scope}` scope")]
    Forbidden {
        /// The scope that is needed.
        scope: &'static str,
    },
    /// The body is larger than the endpoint takes (E8).
    #[error("the body must be at most {bytes_max} bytes")]
    TooLarge {
        /// The limit.
        bytes_max: usize,
    },
    /// The body is not declared as JSON (A41).
    #[error("the body must be JSON: send `Content-Type: application/json`")]
    MediaType,
    /// The body is not a JSON object (E7, E20).
    #[error("{0}")]
    Malformed(String),
    /// Fields are missing or wrong (A67).
    #[error("{summary}")]
    Fields {
        /// All of it in one line.
        summary: String,
        /// Field by field.
        errors: Vec<FieldError>,
    },
    /// No gateway has this id (A44).
    #[error("there is no gateway `{0}`")]
    UnknownGateway(String),
    /// No tool has this name for this caller (A60); the text begins with `tool not found`.
    #[error("{0}")]
    ToolNotFound(String),
    /// No endpoint has this path (C3).
    #[error("there is no endpoint `{0}`; `GET /openapi.json` describes those that exist")]
    UnknownPath(String),
    /// The endpoint does not answer this method (E21).
    #[error("`{path}` does not answer {method}; the `Allow` header says what it answers")]
    Method {
        /// The endpoint.
        path: String,
        /// The method that was used.
        method: String,
    },
    /// This deployment finds no tools for anybody (A40).
    #[error("finding tools is not available in this deployment")]
    NoSelection,
    /// The lookup did not finish (A47).
    #[error("finding tools is temporarily unavailable, a retry may succeed")]
    Unavailable,
    /// A defect of this program.
    #[error("the gateway failed at this request; its log says more")]
    Internal,
}

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// Path of the field.
    #[schema(example = "tasks[1]")]
    pub field: String,
    /// What it must be.
    #[schema(example = "must not be blank")]
    pub message: String,
}

/// The body of every failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({
    "name": "malformed_request",
    "message": "`tasks[1]` must not be blank",
    "field_errors": [{"field": "tasks[1]", "message": "must not be blank"}]
}))]
pub struct ErrorBody {
    /// Kind of failure, for programs.
    pub name: ErrorName,
    /// The failure in a sentence, for people.
    pub message: String,
    /// Every field that is missing or wrong; only where the request was read that far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub field_errors: Vec<FieldError>,
}

/// Kinds of failure, each with one HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorName {
    /// 400: the body cannot be read, or fields are missing or wrong.
    MalformedRequest,
    /// 401: no key, or one that is not known.
    Unauthorized,
    /// 403: the key lacks a scope.
    Forbidden,
    /// 404: no such gateway or endpoint.
    NotFound,
    /// 404: no such tool.
    ToolNotFound,
    /// 405: the endpoint does not answer this method.
    MethodNotAllowed,
    /// 413: the body is too large.
    PayloadTooLarge,
    /// 415: the body is not declared as JSON.
    UnsupportedMediaType,
    /// 500: a defect of this program.
    InternalError,
    /// 503: a retry may succeed.
    ServiceUnavailable,
}

impl RestError {
    /// HTTP status and `name` (A67).
    fn kind(&self) -> (StatusCode, ErrorName) {
        match self {
            Self::Malformed(_) | Self::Fields { .. } => {
                (StatusCode::BAD_REQUEST, ErrorName::MalformedRequest)
            }
            Self::KeyMissing | Self::KeyUnknown => (StatusCode::UNAUTHORIZED, ErrorName::Unauthorized),
            Self::Forbidden { .. } => (StatusCode::FORBIDDEN, ErrorName::Forbidden),
            Self::UnknownGateway(_) | Self::UnknownPath(_) => (StatusCode::NOT_FOUND, ErrorName::NotFound),
            Self::ToolNotFound(_) => (StatusCode::NOT_FOUND, ErrorName::ToolNotFound),
            Self::Method { .. } => (StatusCode::METHOD_NOT_ALLOWED, ErrorName::MethodNotAllowed),
            Self::TooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, ErrorName::PayloadTooLarge),
            Self::MediaType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                ErrorName::UnsupportedMediaType,
            ),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, ErrorName::InternalError),
            Self::NoSelection | Self::Unavailable => {
                (StatusCode::SERVICE_UNAVAILABLE, ErrorName::ServiceUnavailable)
            }
        }
    }

    /// The header a status of this kind comes with, where it has one.
    fn header(&self) -> Option<(header::HeaderName, HeaderValue)> {
        match self {
            Self::KeyMissing => Some((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            Self::KeyUnknown => {
                let challenge = HeaderValue::from_static(r#"Bearer error="invalid_token""#);
                Some((header::WWW_AUTHENTICATE, challenge))
            }
            Self::Unavailable => Some((header::RETRY_AFTER, RETRY_AFTER)),
            _ => None,
        }
    }
}

impl IntoResponse for RestError {
    fn into_response(self) -> Response {
        let (status, name) = self.kind();
        let message = self.to_string();
        let header = self.header();
        let field_errors = match self {
            Self::Fields { errors, .. } => errors,
            _ => Vec::new(),
        };
        let body = ErrorBody {
            name,
            message,
            field_errors,
        };
        let mut response = (status, Json(body)).into_response();
        response.headers_mut().extend(header);
        response
    }
}
