//! How does a gateway show its tools, what does that cost, and what would be better?
//!
//! | endpoint | question |
//! |---|---|
//! | `GET /v1/gateways` | which gateways are there, and how does each show its tools? |
//! | `GET /v1/gateways/{gateway_id}` | and this one? |
//! | `PATCH /v1/gateways/{gateway_id}` | show them otherwise |
//! | `GET`, `PATCH /v1/gateways/{gateway_id}/presentation` | the same, in fewer words |
//! | `GET /v1/gateways/{gateway_id}/advice` | which mode would be best? |
//!
//! Agents have the same setting, below `/v1/agents`: see [`crate::context::presentation`].

pub mod change;
pub mod view;

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use handpick_domain::{Caller, Scope};
use handpick_operations::AgentError;
use handpick_operations::gateways::advice::advise;
use handpick_operations::gateways::{
    GatewayError, GatewayView, list_gateways as list, read_gateway as read, set_presentation,
};
use handpick_protocol::json::value;
use handpick_store::{PresentationEdit, Presented};
use serde_json::{Map, Value};
use utoipa::IntoResponses;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::change::PresentationRequest;
use self::view::{AdviceResponse, GatewayResponse, GatewaysResponse, PresentationResponse};
use crate::document::{BodyErrors, KeyErrors, SelectionErrors};
use crate::error::{ErrorBody, FieldError, RestError};
use crate::fields::Fields;
use crate::front::{RestFront, SELECT_BODY_BYTES_MAX};
use crate::request::{admit, receive_body};

/// The endpoints, served and described.
pub(crate) fn endpoints() -> OpenApiRouter<Arc<RestFront>> {
    OpenApiRouter::new()
        .routes(routes!(list_gateways))
        .routes(routes!(read_gateway, change_gateway))
        .routes(routes!(read_presentation, change_presentation))
        .routes(routes!(read_advice))
}

/// The name in a path, or why there is none.
type GatewayPath = Result<Path<String>, PathRejection>;

/// What is wrong with a gateway in a path.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "only describes")]
pub(crate) enum GatewayPathErrors {
    /// The settings name no such gateway
    #[response(status = 404, example = json!({
        "name": "not_found", "message": "there is no gateway `suport`"
    }))]
    Unknown(ErrorBody),
}

/// List the gateways
///
/// How each shows its tools, and what a model would read in each mode. Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/gateways",
    operation_id = "list_gateways",
    tag = "gateways",
    responses((status = 200, description = "The gateways, by name", body = GatewaysResponse), KeyErrors),
    security(("key" = []))
)]
pub async fn list_gateways(
    State(front): State<Arc<RestFront>>,
    headers: HeaderMap,
) -> Result<Json<GatewaysResponse>, RestError> {
    let caller = admit(&front.runtime, &headers, Scope::Read)?;
    let gateways = list(&front.runtime, &caller).await?;
    let gateways = gateways.into_iter().map(GatewayResponse::from).collect();
    Ok(Json(GatewaysResponse { gateways }))
}

/// Read a gateway
///
/// How it shows its tools, and what a model would read in each mode. Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/gateways/{gateway_id}",
    operation_id = "read_gateway",
    tag = "gateways",
    params(("gateway_id" = String, Path, description = "The gateway", example = "default")),
    responses((status = 200, description = "The gateway", body = GatewayResponse), KeyErrors, GatewayPathErrors),
    security(("key" = []))
)]
pub async fn read_gateway(
    State(front): State<Arc<RestFront>>,
    path: GatewayPath,
    headers: HeaderMap,
) -> Result<Json<GatewayResponse>, RestError> {
    let caller = admit(&front.runtime, &headers, Scope::Read)?;
    let view = read(&front.runtime, &name_of(path), &caller).await?;
    Ok(Json(view.into()))
}

/// Show the tools of a gateway otherwise
///
/// It counts for lists that are opened from now on: a session goes on as it began. How freely tools may be run counts
/// at once. It is kept, and stands over the settings file, until `null` takes it back. Needs the `admin` scope.
#[utoipa::path(
    patch,
    path = "/v1/gateways/{gateway_id}",
    operation_id = "change_gateway",
    tag = "gateways",
    params(("gateway_id" = String, Path, description = "The gateway", example = "default")),
    request_body = PresentationRequest,
    responses(
        (status = 200, description = "The gateway as it is now", body = GatewayResponse),
        BodyErrors, KeyErrors, GatewayPathErrors
    ),
    security(("key" = []))
)]
pub async fn change_gateway(
    State(front): State<Arc<RestFront>>,
    path: GatewayPath,
    request: Request,
) -> Result<Json<GatewayResponse>, RestError> {
    let view = change(&front, path, request).await?;
    Ok(Json(view.into()))
}

/// Read how a gateway shows its tools
///
/// Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/gateways/{gateway_id}/presentation",
    operation_id = "read_gateway_presentation",
    tag = "gateways",
    params(("gateway_id" = String, Path, description = "The gateway", example = "default")),
    responses(
        (status = 200, description = "What is set", body = PresentationResponse),
        KeyErrors, GatewayPathErrors
    ),
    security(("key" = []))
)]
pub async fn read_presentation(
    State(front): State<Arc<RestFront>>,
    path: GatewayPath,
    headers: HeaderMap,
) -> Result<Json<PresentationResponse>, RestError> {
    let caller = admit(&front.runtime, &headers, Scope::Read)?;
    let view = read(&front.runtime, &name_of(path), &caller).await?;
    Ok(Json(view.presentation.into()))
}

/// Change how a gateway shows its tools
///
/// The same as changing the gateway, answered with what is set alone. Needs the `admin` scope.
#[utoipa::path(
    patch,
    path = "/v1/gateways/{gateway_id}/presentation",
    operation_id = "change_gateway_presentation",
    tag = "gateways",
    params(("gateway_id" = String, Path, description = "The gateway", example = "default")),
    request_body = PresentationRequest,
    responses(
        (status = 200, description = "What is set now", body = PresentationResponse),
        BodyErrors, KeyErrors, GatewayPathErrors
    ),
    security(("key" = []))
)]
pub async fn change_presentation(
    State(front): State<Arc<RestFront>>,
    path: GatewayPath,
    request: Request,
) -> Result<Json<PresentationResponse>, RestError> {
    let view = change(&front, path, request).await?;
    Ok(Json(view.presentation.into()))
}

/// Tell which mode would be best for a gateway
///
/// From the number of its tools, what their list costs, and how well they are found: up to 200 of them are asked for by
/// their own descriptions. That takes up to seconds. Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/gateways/{gateway_id}/advice",
    operation_id = "advise_gateway",
    tag = "gateways",
    params(("gateway_id" = String, Path, description = "The gateway", example = "default")),
    responses(
        (status = 200, description = "The mode, with what speaks for it", body = AdviceResponse),
        KeyErrors, GatewayPathErrors, SelectionErrors
    ),
    security(("key" = []))
)]
pub async fn read_advice(
    State(front): State<Arc<RestFront>>,
    path: GatewayPath,
    headers: HeaderMap,
) -> Result<Json<AdviceResponse>, RestError> {
    let caller = admit(&front.runtime, &headers, Scope::Read)?;
    let advice = advise(&front.runtime, &name_of(path), &caller).await?;
    Ok(Json(advice.into()))
}

async fn change(front: &RestFront, path: GatewayPath, request: Request) -> Result<GatewayView, RestError> {
    let runtime = &front.runtime;
    let (caller, edit) = receive_edit(front, request).await?;
    let name = name_of(path);
    set_presentation(runtime, Presented::Gateway(name.clone()), edit).await?;
    Ok(read(runtime, &name, &caller).await?)
}

async fn receive_edit(
    front: &RestFront,
    request: Request,
) -> Result<(Arc<Caller>, PresentationEdit), RestError> {
    let (caller, body) = receive_body(&front.runtime, request, Scope::Admin, SELECT_BODY_BYTES_MAX).await?;
    // Refuses what is no object. Here `null` is not the same as absent, so the members are read anew.
    Fields::parse(&body)?;
    let edit = change::read(&members(&body)?).map_err(|errors| {
        let lines = errors
            .iter()
            .map(|error| format!("`{}` {}", error.field, error.message));
        RestError::Fields {
            summary: lines.collect::<Vec<_>>().join("; "),
            errors,
        }
    })?;
    Ok((caller, edit))
}

fn members(body: &[u8]) -> Result<Map<String, Value>, RestError> {
    let malformed = |reason: String| RestError::Malformed(format!("the body is not valid JSON: {reason}"));
    let text = std::str::from_utf8(body).map_err(|error| malformed(error.to_string()))?;
    match value(text).map_err(|error| malformed(error.to_string()))? {
        Value::Object(members) => Ok(members),
        _ => Err(RestError::Malformed("the body must be a JSON object".to_owned())),
    }
}

/// A path whose escapes are no text names no gateway.
fn name_of(path: GatewayPath) -> String {
    path.map_or_else(|_| String::new(), |Path(name)| name)
}

impl From<GatewayError> for RestError {
    fn from(error: GatewayError) -> Self {
        match error {
            GatewayError::Unknown(name) => Self::UnknownGateway(name),
            GatewayError::Taken(_) => Self::Fields {
                summary: error.to_string(),
                errors: vec![FieldError {
                    field: "system_tools".to_owned(),
                    message: error.to_string(),
                }],
            },
            GatewayError::Agent(AgentError::Unknown(id)) => Self::UnknownGateway(id.to_string()),
            GatewayError::Agent(AgentError::Unavailable) | GatewayError::Unavailable => Self::Unavailable,
            GatewayError::Agent(AgentError::Store(error)) | GatewayError::Store(error) => {
                tracing::error!(%error, "a presentation cannot be read or kept");
                Self::Internal
            }
        }
    }
}
