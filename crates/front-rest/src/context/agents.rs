//! How is an agent published, taught, read and forgotten?

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use handpick_conversation::{FieldDefect, published};
use handpick_domain::AgentId;
use handpick_operations::agents::read_agent::NamedEdge;
use handpick_operations::agents::{add_traces, delete_agent, publish_catalog, read_agent};
use handpick_operations::{AgentCounts, AgentError};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::body::{Defects, agent_id, finish};
use super::error::{
    AgentErrors, AgentIdErrors, ContextError, ContextKeyErrors, ContextSelectionErrors, PublishBodyErrors,
};
use super::receive::{Purpose, ended, json, receive, receive_nothing, text};
use super::turn::HistoryMessage;
use crate::front::RestFront;
use crate::suggestion::rounded;

/// The id in a path, or why there is none.
pub(super) type AgentPath = Result<Path<String>, PathRejection>;

/// A catalog: every tool of an agent.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "tools": [
        {
            "name": "refund_invoice",
            "displayName": "Refund an invoice",
            "description": "Give back all or a part of what was paid for an invoice.",
            "parameters": [
                {"name": "invoice_id", "description": "The invoice, e.g. INV-1042", "dataType": "string",
                 "required": true},
                {"name": "amount", "description": "How much; all of it when left out", "dataType": "number"}
            ],
            "examples": ["they want their money back", "refund INV-1042"],
            "requiredRoles": ["agent", "admin"]
        },
        {
            "name": "list_invoices",
            "description": "List the invoices of a customer, newest first.",
            "parameters": [{"name": "customer_id", "dataType": "string", "required": true}],
            "produces": ["invoice_id"]
        },
        {
            "name": "find_customer",
            "description": "Find a customer by name, email or domain.",
            "parameters": [{"name": "query", "dataType": "string", "required": true}],
            "produces": ["customer_id"]
        },
        {"name": "ask_user", "description": "Ask the user a question.", "core": true}
    ]
}))]
#[allow(dead_code, reason = "only describes")]
pub struct CatalogRequest {
    /// The tools, at most 10,000, each with a name of its own.
    #[schema(max_items = 10_000)]
    pub tools: Vec<CatalogTool>,
}

/// A tool of a catalog.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "only describes")]
pub struct CatalogTool {
    /// Its name, exactly as the model sees it. Answers use it.
    #[schema(example = "refund_invoice")]
    pub name: String,
    /// What it does, in plain words. Nothing else counts as much for finding it.
    pub description: String,
    /// A name for people.
    #[schema(nullable = false)]
    pub display_name: Option<String>,
    /// What it takes. An id that a call needs (`invoice_id`) is looked up by another tool where the conversation does
    /// not hold it.
    #[schema(required = false)]
    pub parameters: Vec<CatalogParameter>,
    /// How users ask for it, in their words.
    #[schema(required = false, max_items = 100)]
    pub examples: Vec<String>,
    /// Names of the ids that it returns (`customer_id`). It becomes the lookup of every tool that needs one of them.
    #[schema(required = false)]
    pub produces: Vec<String>,
    /// Whether it is there on every turn, whatever is asked.
    #[schema(required = false, default = false)]
    pub core: bool,
    /// Only users with one of these roles get it; every user where there are none.
    #[schema(required = false)]
    pub required_roles: Vec<String>,
}

/// A parameter of a tool.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "only describes")]
pub struct CatalogParameter {
    /// Its name.
    #[schema(example = "invoice_id")]
    pub name: String,
    /// What it means. A value to show helps to recognise others: `e.g. INV-1042`.
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Its type: `string`, `number`, `integer`, `boolean`, `array`, `object`; anything else counts as `string`.
    #[schema(nullable = false, example = "string")]
    pub data_type: Option<String>,
    /// Whether a call needs it.
    #[schema(required = false, default = false)]
    pub required: bool,
}

/// Past conversations.
#[derive(Debug, ToSchema)]
#[schema(example = json!([{
    "id": "conv-1029",
    "messages": [
        {"role": "user", "content": "refund the last invoice of Globex"},
        {"role": "assistant", "content": "Done.", "toolCalls": [
            {"name": "find_customer", "arguments": {"query": "Globex"}, "result": "{\"customer_id\": \"cus_8812\"}"},
            {"name": "list_invoices", "arguments": {"customer_id": "cus_8812"},
             "result": "[{\"invoice_id\": \"INV-1042\"}]"},
            {"name": "refund_invoice", "arguments": {"invoice_id": "INV-1042"}}
        ]}
    ]
}]))]
#[allow(dead_code, reason = "only describes")]
pub struct TracesRequest(pub Vec<PastConversation>);

/// A past conversation.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "only describes")]
pub struct PastConversation {
    /// Its id. One that was sent before is replaced.
    #[schema(example = "conv-1029")]
    pub id: String,
    /// What was said and called, oldest first.
    pub messages: Vec<HistoryMessage>,
}

/// What is known of an agent, in numbers. More may be added; pass over those you do not know.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "agentId": "acme-billing", "tools": 4, "edges": 2, "traces": 1,
    "edgesBySource": {"DECLARED": 2, "STATIC": 0, "TRACE": 0}, "invalidNames": 0
}))]
pub struct AgentCountsResponse {
    /// The agent.
    pub agent_id: String,
    /// Tools of its catalog.
    pub tools: usize,
    /// Links between its tools: one supplies an id that another needs.
    pub edges: usize,
    /// Past conversations that are kept.
    pub traces: usize,
    /// The links by how they are known. Together they are `edges`.
    pub edges_by_source: EdgesBySource,
    /// Tools whose names some providers of models refuse: they take `^[A-Za-z0-9_-]{1,64}$`.
    pub invalid_names: usize,
}

/// Links by how they are known. A link known in several ways counts once, as the first of these.
#[derive(Debug, Serialize, ToSchema)]
pub struct EdgesBySource {
    /// From `produces`.
    #[serde(rename = "DECLARED")]
    pub declared: usize,
    /// Read off names and parameters.
    #[serde(rename = "STATIC")]
    pub inferred: usize,
    /// Learned from past conversations.
    #[serde(rename = "TRACE")]
    pub traced: usize,
}

/// How the tools of an agent hang together.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"edges": [
    {"provider": "find_customer", "consumer": "list_invoices", "param": "customer_id", "confidence": 1.0,
     "source": "DECLARED"},
    {"provider": "list_invoices", "consumer": "refund_invoice", "param": "invoice_id", "confidence": 1.0,
     "source": "DECLARED"}
]}))]
pub struct GraphResponse {
    /// The links, sorted by provider, consumer and parameter.
    pub edges: Vec<GraphEdge>,
}

/// A link between two tools.
#[derive(Debug, Serialize, ToSchema)]
pub struct GraphEdge {
    /// The tool that returns the id.
    #[schema(value_type = String)]
    pub provider: Arc<str>,
    /// The tool that needs it.
    #[schema(value_type = String)]
    pub consumer: Arc<str>,
    /// The parameter of the consumer that takes it.
    #[schema(value_type = String)]
    pub param: Arc<str>,
    /// How sure the link is, above 0 and at most 1.
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: f64,
    /// How it is known: `DECLARED` from `produces`, `STATIC` from names, `TRACE` from past conversations.
    pub source: &'static str,
}

/// Publish a catalog
///
/// Replaces the whole catalog of an agent: tools that are left out are gone. An id that is new makes a new agent. It
/// holds from the next request on. Past conversations stay, and links between tools are learned anew. A catalog with
/// anything wrong in it changes nothing. Needs the `admin` scope.
#[utoipa::path(
    put,
    path = "/v1/agents/{agentId}/catalog",
    operation_id = "publish_catalog",
    tag = "agents",
    params((
        "agentId" = String, Path,
        description = "An id of your choice: letters, digits, `-` and `_`, at most 128",
        example = "acme-billing"
    )),
    request_body = CatalogRequest,
    responses(
        (status = 200, description = "It was taken over", body = AgentCountsResponse),
        PublishBodyErrors, ContextKeyErrors, ContextSelectionErrors
    ),
    security(("key" = []))
)]
pub async fn publish_catalog(
    State(front): State<Arc<RestFront>>,
    path: AgentPath,
    request: Request,
) -> Result<Json<AgentCountsResponse>, ContextError> {
    let received = receive(&front, request, Purpose::Publish).await?;
    let (id, tools, json) = published_by(path, received.body, published::catalog).await?;
    let counts = publish_catalog::publish_catalog(&front.runtime, &id, tools, json).await;
    answered(&front, counts).map(|counts| AgentCountsResponse::of(&counts))
}

/// Add past conversations
///
/// From your logs, to learn which tools follow which and what users say for what. A pattern counts once it repeats
/// across separate conversations. Needs the `admin` scope.
#[utoipa::path(
    post,
    path = "/v1/agents/{agentId}/traces",
    operation_id = "add_traces",
    tag = "agents",
    params(("agentId" = String, Path, description = "The agent", example = "acme-billing")),
    request_body = TracesRequest,
    responses(
        (status = 200, description = "They are kept and learned from", body = AgentCountsResponse),
        PublishBodyErrors, ContextKeyErrors, AgentErrors, ContextSelectionErrors
    ),
    security(("key" = []))
)]
pub async fn add_traces(
    State(front): State<Arc<RestFront>>,
    path: AgentPath,
    request: Request,
) -> Result<Json<AgentCountsResponse>, ContextError> {
    let received = receive(&front, request, Purpose::Publish).await?;
    let (id, conversations, _) = published_by(path, received.body, published::conversations).await?;
    let counts = add_traces::add_traces(&front.runtime, &id, conversations).await;
    answered(&front, counts).map(|counts| AgentCountsResponse::of(&counts))
}

/// Count what is known of an agent
///
/// The same counts that publishing answers with. Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/agents/{agentId}",
    operation_id = "read_agent",
    tag = "agents",
    params(("agentId" = String, Path, description = "The agent", example = "acme-billing")),
    responses(
        (status = 200, description = "The counts", body = AgentCountsResponse),
        AgentIdErrors, ContextKeyErrors, AgentErrors
    ),
    security(("key" = []))
)]
pub async fn read_agent(
    State(front): State<Arc<RestFront>>,
    path: AgentPath,
    request: Request,
) -> Result<Json<AgentCountsResponse>, ContextError> {
    receive_nothing(&front, request, Purpose::Read).await?;
    let counts = read_agent::read_counts(&front.runtime, &id_of(path)?).await;
    answered(&front, counts).map(|counts| AgentCountsResponse::of(&counts))
}

/// Read a catalog
///
/// The catalog as it was published, with every field that was sent. Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/agents/{agentId}/catalog",
    operation_id = "read_catalog",
    tag = "agents",
    params(("agentId" = String, Path, description = "The agent", example = "acme-billing")),
    responses(
        (status = 200, description = "The catalog", body = CatalogRequest),
        AgentIdErrors, ContextKeyErrors, AgentErrors
    ),
    security(("key" = []))
)]
pub async fn read_catalog(
    State(front): State<Arc<RestFront>>,
    path: AgentPath,
    request: Request,
) -> Result<impl IntoResponse, ContextError> {
    receive_nothing(&front, request, Purpose::Read).await?;
    let catalog = read_agent::read_catalog(&front.runtime, &id_of(path)?).await;
    let catalog = answered(&front, catalog)?;
    // Its bytes as they came: whatever a program wrote it can compare.
    Ok((
        [(header::CONTENT_TYPE, "application/json")],
        String::from(&*catalog),
    ))
}

/// Read the graph of an agent
///
/// Which tool supplies which id to which. Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/agents/{agentId}/graph",
    operation_id = "read_graph",
    tag = "agents",
    params(("agentId" = String, Path, description = "The agent", example = "acme-billing")),
    responses(
        (status = 200, description = "The links", body = GraphResponse),
        AgentIdErrors, ContextKeyErrors, AgentErrors
    ),
    security(("key" = []))
)]
pub async fn read_graph(
    State(front): State<Arc<RestFront>>,
    path: AgentPath,
    request: Request,
) -> Result<Json<GraphResponse>, ContextError> {
    receive_nothing(&front, request, Purpose::Read).await?;
    let edges = read_agent::read_graph(&front.runtime, &id_of(path)?).await;
    Ok(Json(GraphResponse {
        edges: answered(&front, edges)?.into_iter().map(GraphEdge::of).collect(),
    }))
}

/// Delete an agent
///
/// Its catalog, its conversations and everything that was learned of them are gone. Needs the `admin` scope.
#[utoipa::path(
    delete,
    path = "/v1/agents/{agentId}",
    operation_id = "delete_agent",
    tag = "agents",
    params(("agentId" = String, Path, description = "The agent", example = "acme-billing")),
    responses(
        (status = 204, description = "It is gone"),
        AgentIdErrors, ContextKeyErrors, AgentErrors
    ),
    security(("key" = []))
)]
pub async fn delete_agent(
    State(front): State<Arc<RestFront>>,
    path: AgentPath,
    request: Request,
) -> Result<StatusCode, ContextError> {
    receive_nothing(&front, request, Purpose::Publish).await?;
    let gone = delete_agent::delete_agent(&front.runtime, &id_of(path)?).await;
    answered(&front, gone).map(|()| StatusCode::NO_CONTENT)
}

impl AgentCountsResponse {
    fn of(counts: &AgentCounts) -> Json<Self> {
        let edges_by_source = EdgesBySource {
            declared: counts.declared,
            inferred: counts.inferred,
            traced: counts.traced,
        };
        Json(Self {
            agent_id: counts.agent_id.to_string(),
            tools: counts.tools,
            edges: counts.declared + counts.inferred + counts.traced,
            traces: counts.conversations,
            edges_by_source,
            invalid_names: counts.invalid_names,
        })
    }
}

impl GraphEdge {
    fn of(edge: NamedEdge) -> Self {
        Self {
            provider: edge.provider,
            consumer: edge.consumer,
            param: edge.param,
            confidence: rounded(edge.confidence),
            source: edge.source,
        }
    }
}

/// The answer of an operation, or its failure with a status.
fn answered<T>(front: &RestFront, answer: Result<T, AgentError>) -> Result<T, ContextError> {
    answer.map_err(|error| ContextError::of(&front.runtime, error))
}

pub(super) fn id_of(path: AgentPath) -> Result<AgentId, ContextError> {
    let mut defects = Defects::new();
    let id = id_in(path, &mut defects);
    finish((), defects)?;
    id.ok_or(ContextError::Internal)
}

/// A path whose escapes are no text holds no id either.
pub(super) fn id_in(path: AgentPath, defects: &mut Defects) -> Option<AgentId> {
    let text = path.map_or_else(|_| String::new(), |Path(text)| text);
    agent_id(&text, defects)
}

/// What `read` finds in a published body, whose text comes along. Away from the threads that answer: megabytes take
/// their time.
async fn published_by<T: Send + 'static>(
    path: AgentPath,
    body: Bytes,
    read: fn(&Value) -> Result<T, Vec<FieldDefect>>,
) -> Result<(AgentId, T, String), ContextError> {
    let work = move || {
        let text = text(&body)?;
        let value = json(text)?;
        let mut defects = Defects::new();
        let id = id_in(path, &mut defects);
        match (read(&value), id) {
            (Ok(published), Some(id)) => Ok((id, published, text.to_owned())),
            (read, _) => {
                defects.extend(read.err().unwrap_or_default());
                Err(ContextError::Fields(defects))
            }
        }
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(ended)
}
