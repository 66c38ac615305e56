//! How are the tools of an agent shown to whoever opens it as a gateway?

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use handpick_conversation::FieldDefect;
use handpick_operations::AgentError;
use handpick_operations::gateways::{
    AgentPresentation, GatewayError, read_agent_presentation, set_presentation,
};
use handpick_store::{PresentationEdit, Presented};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::agents::{AgentPath, id_in, id_of};
use super::body::{Defects, finish, refuse};
use super::error::{AgentErrors, AgentIdErrors, ContextError, ContextKeyErrors, PublishBodyErrors};
use super::receive::{Purpose, json, receive, receive_nothing, text};
use crate::front::RestFront;
use crate::gateways::change::{self, PresentationRequest};
use crate::gateways::view::{AutonomyState, PresentationResponse};

/// What is set for an agent as a gateway, at `/mcp/{agentId}`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "mode": "adaptive", "resolved": "direct", "set_by": "default", "autonomy": {"level": "full"},
    "system_tools": [], "tools": {"published": 12, "bound": 9}
}))]
pub struct AgentPresentationResponse {
    /// How its tools are shown: `direct`, `discovery`, `unified`, `adaptive`, `recommend` or `progressive`.
    pub mode: &'static str,
    /// The same, with `adaptive` decided by the number of tools bound now: fewer than 30 are `direct`, more are
    /// `discovery`.
    pub resolved: &'static str,
    /// Who chose the mode: `api` somebody, `default` nobody.
    pub set_by: &'static str,
    /// How freely tools may be run.
    pub autonomy: AutonomyState,
    /// Toolkits of the gateway itself that are turned on, by name.
    pub system_tools: Vec<&'static str>,
    /// How many tools there are to show.
    pub tools: AgentToolCounts,
}

/// How many tools an agent has.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentToolCounts {
    /// Tools of its catalog.
    pub published: usize,
    /// Tools of the servers that have the name of one of these: only they can be run here.
    pub bound: usize,
}

/// Read how an agent shows its tools
///
/// An agent is a gateway, too, at `/mcp/{agentId}`: the tools of its catalog whose name is that of a tool of a server
/// can be run through it. Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/agents/{agentId}/presentation",
    operation_id = "read_agent_presentation",
    tag = "agents",
    params(("agentId" = String, Path, description = "The agent", example = "acme-billing")),
    responses(
        (status = 200, description = "What is set", body = AgentPresentationResponse),
        AgentIdErrors, ContextKeyErrors, AgentErrors
    ),
    security(("key" = []))
)]
pub async fn read_presentation(
    State(front): State<Arc<RestFront>>,
    path: AgentPath,
    request: Request,
) -> Result<Json<AgentPresentationResponse>, ContextError> {
    receive_nothing(&front, request, Purpose::Read).await?;
    let read = read_agent_presentation(&front.runtime, &id_of(path)?).await;
    answered(&front, read).map(AgentPresentationResponse::of)
}

/// Change how an agent shows its tools
///
/// It counts for lists that are opened from now on: a session goes on as it began. How freely tools may be run counts
/// at once. Publishing the catalog anew changes none of it. Needs the `admin` scope.
#[utoipa::path(
    patch,
    path = "/v1/agents/{agentId}/presentation",
    operation_id = "change_agent_presentation",
    tag = "agents",
    params(("agentId" = String, Path, description = "The agent", example = "acme-billing")),
    request_body = PresentationRequest,
    responses(
        (status = 200, description = "What is set now", body = AgentPresentationResponse),
        PublishBodyErrors, ContextKeyErrors, AgentErrors
    ),
    security(("key" = []))
)]
pub async fn change_presentation(
    State(front): State<Arc<RestFront>>,
    path: AgentPath,
    request: Request,
) -> Result<Json<AgentPresentationResponse>, ContextError> {
    let received = receive(&front, request, Purpose::Publish).await?;
    let body = json(text(&received.body)?)?;
    let mut defects = Defects::new();
    let id = id_in(path, &mut defects);
    let edit = edit_of(&body, &mut defects);
    finish((), defects)?;
    let id = id.ok_or(ContextError::Internal)?;
    let changed = set_presentation(&front.runtime, Presented::Agent(id.to_string()), edit).await;
    answered(&front, changed)?;
    let read = read_agent_presentation(&front.runtime, &id).await;
    answered(&front, read).map(AgentPresentationResponse::of)
}

fn edit_of(body: &Value, defects: &mut Defects) -> PresentationEdit {
    let Some(members) = body.as_object() else {
        refuse(defects, "body", "must be an object".to_owned());
        return PresentationEdit::default();
    };
    change::read(members).unwrap_or_else(|wrong| {
        defects.extend(wrong.into_iter().map(|error| FieldDefect {
            field: error.field,
            message: error.message,
        }));
        PresentationEdit::default()
    })
}

impl AgentPresentationResponse {
    fn of(read: AgentPresentation) -> Json<Self> {
        let shown = PresentationResponse::from(read.presentation);
        Json(Self {
            mode: shown.mode,
            resolved: shown.resolved,
            set_by: shown.set_by,
            autonomy: shown.autonomy,
            system_tools: shown.system_tools,
            tools: AgentToolCounts {
                published: read.published,
                bound: read.bound,
            },
        })
    }
}

fn answered<T>(front: &RestFront, answer: Result<T, GatewayError>) -> Result<T, ContextError> {
    answer.map_err(|error| match error {
        GatewayError::Agent(error) => ContextError::of(&front.runtime, error),
        GatewayError::Store(error) => ContextError::of(&front.runtime, AgentError::Store(error)),
        GatewayError::Unavailable => ContextError::Unavailable,
        GatewayError::Unknown(_) => ContextError::Internal,
        GatewayError::Taken(_) => ContextError::Malformed(error.to_string()),
    })
}
