//! Which HTTP status and body does a failure of the context API get?

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use handpick_conversation::FieldDefect;
use handpick_domain::AgentId;
use handpick_operations::{AgentError, Runtime};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::request::BodyFault;

/// Most wrong fields that one answer names.
const FIELDS_MAX: usize = 20;

/// Everything a request of the context API can fail with. Its text is the `error` of the body (T47).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// No bearer token (T3).
    #[error("a key is needed: send `Authorization: Bearer <key>`; `handpick keys create` makes one")]
    KeyMissing,
    /// A bearer token nobody was given (T3).
    #[error("this key is not known here, or it was revoked")]
    KeyUnknown,
    /// The key is good, but not for this: a read key that publishes gets 401 too (T3).
    #[error("this key may not do that: it lacks the `{scope}` scope")]
    KeyLacks {
        /// The scope that is needed.
        scope: &'static str,
    },
    /// The key asked too often (T51).
    #[error("too many requests with this key; wait {seconds} s")]
    TooMany {
        /// Whole seconds until the next one may come.
        seconds: u64,
    },
    /// The body is larger than the endpoint takes (T50).
    #[error("the body must be at most {bytes_max} bytes")]
    TooLarge {
        /// The limit.
        bytes_max: usize,
    },
    /// The body is not JSON of the right shape (T48, E20).
    #[error("{0}")]
    Malformed(String),
    /// Fields are missing or wrong, each named by its path (T48).
    #[error("{}", in_one_line(.0))]
    Fields(Vec<FieldDefect>),
    /// Nobody published this agent (T49).
    #[error("unknown agent: {0}")]
    UnknownAgent(AgentId),
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
    /// This deployment finds no tools for anybody (E13).
    #[error("finding tools is not available in this deployment")]
    NoSelection,
    /// The lookup did not finish (E13).
    #[error("finding tools is temporarily unavailable, a retry may succeed")]
    Unavailable,
    /// A defect of this program or of its store.
    #[error("the gateway failed at this request; its log says more")]
    Internal,
}

/// The body of every failure of these endpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({"error": "unknown agent: acme-billing"}))]
pub struct ContextErrorBody {
    /// What is wrong and what would be right, in a sentence.
    pub error: String,
}

impl ContextError {
    fn status(&self) -> StatusCode {
        match self {
            Self::KeyMissing | Self::KeyUnknown | Self::KeyLacks { .. } => StatusCode::UNAUTHORIZED,
            Self::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Malformed(_) | Self::Fields(_) => StatusCode::BAD_REQUEST,
            Self::UnknownAgent(_) | Self::UnknownPath(_) => StatusCode::NOT_FOUND,
            Self::Method { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::NoSelection | Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The header a status of this kind comes with, where it has one.
    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Self::KeyMissing => Some((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            Self::KeyUnknown => {
                let challenge = HeaderValue::from_static(r#"Bearer error="invalid_token""#);
                Some((header::WWW_AUTHENTICATE, challenge))
            }
            Self::KeyLacks { .. } => {
                let challenge = HeaderValue::from_static(r#"Bearer error="insufficient_scope""#);
                Some((header::WWW_AUTHENTICATE, challenge))
            }
            Self::TooMany { seconds } => Some((header::RETRY_AFTER, HeaderValue::from(*seconds))),
            Self::Unavailable => Some((header::RETRY_AFTER, HeaderValue::from_static("1"))),
            _ => None,
        }
    }
}

impl ContextError {
    /// What an operation failed with; a deployment that finds tools for nobody says so.
    pub(crate) fn of(runtime: &Runtime, error: AgentError) -> Self {
        match error {
            AgentError::Unknown(id) => Self::UnknownAgent(id),
            AgentError::Unavailable if runtime.selector.is_none() => Self::NoSelection,
            AgentError::Unavailable => Self::Unavailable,
            AgentError::Store(error) => {
                tracing::error!(%error, "an agent cannot be read or kept");
                Self::Internal
            }
        }
    }
}

impl IntoResponse for ContextError {
    fn into_response(self) -> Response {
        let (status, header) = (self.status(), self.header());
        let error = self.to_string();
        let mut response = (status, Json(ContextErrorBody { error })).into_response();
        response.headers_mut().extend(header);
        response
    }
}

impl From<BodyFault> for ContextError {
    fn from(fault: BodyFault) -> Self {
        match fault {
            BodyFault::TooLarge { bytes_max } => Self::TooLarge { bytes_max },
            BodyFault::Broken(reason) => Self::Malformed(reason),
        }
    }
}

/// Every wrong field with what would be right, as far as an answer should be long.
fn in_one_line(defects: &[FieldDefect]) -> String {
    let line = |defect: &FieldDefect| format!("{}: {}", defect.field, defect.message);
    let mut lines: Vec<String> = defects.iter().take(FIELDS_MAX).map(line).collect();
    if defects.len() > FIELDS_MAX {
        lines.push(format!("and {} more", defects.len() - FIELDS_MAX));
    }
    lines.join("; ")
}

/// What is wrong with a key, or with how often it asks.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum ContextKeyErrors {
    /// No key, one that is not known, or one that lacks the scope this needs
    #[response(status = 401, example = json!({"error": "this key may not do that: it lacks the `admin` scope"}))]
    Unauthorized(ContextErrorBody),
    /// This key asked too often; `Retry-After` says for how many seconds to wait
    #[response(status = 429, example = json!({"error": "too many requests with this key; wait 1 s"}))]
    TooMany(ContextErrorBody),
}

/// What is wrong with the body of a publishing request.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum PublishBodyErrors {
    /// The body is not JSON, or fields are missing or wrong; each is named by its path. Nothing was changed
    #[response(status = 400, example = json!({"error": "tools[3].name: duplicate \"refund_invoice\""}))]
    Malformed(ContextErrorBody),
    /// The body is larger than 8 MiB
    #[response(status = 413, example = json!({"error": "the body must be at most 8388608 bytes"}))]
    TooLarge(ContextErrorBody),
}

/// What is wrong with the body of any other request.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum ContextBodyErrors {
    /// The body is not JSON, or fields are missing or wrong; each is named by its path
    #[response(status = 400, example = json!({
        "error": "options.maxTools: must be a whole number from 0 to 50, not 51"
    }))]
    Malformed(ContextErrorBody),
    /// The body is larger than 256 KiB
    #[response(status = 413, example = json!({"error": "the body must be at most 262144 bytes"}))]
    TooLarge(ContextErrorBody),
}

/// What is wrong with the id of an agent in a path.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum AgentIdErrors {
    /// The id is none: letters, digits, `-` and `_`, at most 128 of them
    #[response(status = 400, example = json!({
        "error": "agentId: must be 1 to 128 letters, digits, `-` or `_`"
    }))]
    Malformed(ContextErrorBody),
}

/// What is wrong with an agent.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum AgentErrors {
    /// Nobody published this agent, or it was deleted
    #[response(status = 404, example = json!({"error": "unknown agent: acme-billing"}))]
    Unknown(ContextErrorBody),
}

/// Why no tools are found.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum ContextSelectionErrors {
    /// Finding tools is not available in this deployment, or not at this moment
    #[response(status = 503, example = json!({
        "error": "finding tools is temporarily unavailable, a retry may succeed"
    }))]
    Unavailable(ContextErrorBody),
}
