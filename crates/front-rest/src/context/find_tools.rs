//! Which tools did the turn leave out?

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use handpick_operations::agents::find_agent_tools::{self, FindRequest, FoundTools};
use handpick_operations::limits::TURN_TOOLS_MAX;
use handpick_presentation::definitions::{DefinitionFormat, definition};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::body::{Defects, Part, finish, refuse};
use super::error::{AgentErrors, ContextBodyErrors, ContextError, ContextKeyErrors, ContextSelectionErrors};
use super::receive::{Purpose, ended, json, receive, text};
use super::turn::{RequestContext, Timings, ToolInContext};
use crate::front::RestFront;

/// Tools when `limit` is absent (T44).
const LIMIT_DEFAULT: usize = 5;

/// A search in the whole catalog of an agent.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase", example = json!({
    "agentId": "acme-billing",
    "query": "give back what was paid for an invoice",
    "exclude": ["ask_user"],
    "limit": 3,
    "context": {"user": {"roles": ["agent"]}},
    "format": "openai"
}))]
#[allow(dead_code, reason = "only describes")]
pub struct FindToolsRequest {
    /// The agent.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,128}$")]
    pub agent_id: String,
    /// The task in words, as the model describes it.
    pub query: String,
    /// Names of tools that the model has already.
    #[schema(required = false)]
    pub exclude: Vec<String>,
    /// Most tools. Lookups that they need come on top.
    #[schema(required = false, minimum = 1, maximum = 50, default = 5)]
    pub limit: usize,
    /// Who asks.
    #[schema(nullable = false)]
    pub context: Option<RequestContext>,
    /// Whose spelling `definitions` have.
    #[schema(required = false, default = "openai")]
    pub format: DefinitionSpelling,
}

/// Spellings of tool definitions.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only describes")]
pub enum DefinitionSpelling {
    /// OpenAI chat completions: `{"type": "function", "function": {…}}`.
    Openai,
    /// OpenAI responses: the same in one level.
    OpenaiResponses,
    /// Anthropic messages: `input_schema`.
    Anthropic,
    /// Gemini: an entry of `functionDeclarations`.
    Gemini,
    /// An entry of MCP's `tools/list`.
    Mcp,
}

/// The tools found. More fields may be added; pass over those you do not know.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "agentId": "acme-billing",
    "tools": [{"name": "refund_invoice", "score": 0.91, "reason": "RETRIEVED", "detail": "matched the turn"}],
    "definitions": [{
        "type": "function",
        "function": {
            "name": "refund_invoice",
            "description": "Give back all or a part of what was paid for an invoice.",
            "parameters": {
                "type": "object",
                "properties": {"invoice_id": {"type": "string", "description": "The invoice, e.g. INV-1042"}},
                "required": ["invoice_id"]
            }
        }
    }],
    "timings": {"totalMs": 2.4}
}))]
pub struct FindToolsResponse {
    /// The agent.
    pub agent_id: String,
    /// Best first, each `RETRIEVED` or, where it is a lookup of one of them, `DEPENDENCY`.
    pub tools: Vec<ToolInContext>,
    /// A definition for each of `tools`, in the same order, ready for the model.
    #[schema(value_type = Vec<Object>)]
    pub definitions: Vec<Value>,
    /// How long it took.
    pub timings: Timings,
}

/// Search the whole catalog
///
/// For a tool by which the model finds what the turn's tools left out, within the same turn. The same roles open the
/// same tools. Needs the `read` scope.
#[utoipa::path(
    post,
    path = "/v1/find-tools",
    operation_id = "find_agent_tools",
    tag = "turns",
    request_body = FindToolsRequest,
    responses(
        (status = 200, description = "The tools that fit; none where nothing does", body = FindToolsResponse),
        ContextBodyErrors, ContextKeyErrors, AgentErrors, ContextSelectionErrors
    ),
    security(("key" = []))
)]
pub async fn find_tools(
    State(front): State<Arc<RestFront>>,
    request: Request,
) -> Result<Json<FindToolsResponse>, ContextError> {
    let received = receive(&front, request, Purpose::Read).await?;
    let (request, format) = read(&json(text(&received.body)?)?)?;
    let agent_id = request.agent_id.to_string();
    let found = find_agent_tools::find_agent_tools(&front.runtime, request).await;
    let found = found.map_err(|error| ContextError::of(&front.runtime, error))?;
    // Away from the threads that answer: a tool may be megabytes long.
    let rendered = tokio::task::spawn_blocking(move || (definitions(&found, format), found.tools));
    let (definitions, tools) = match rendered.await {
        Ok(rendered) => rendered,
        Err(error) => return ended(error),
    };
    Ok(Json(FindToolsResponse {
        agent_id,
        definitions,
        tools: tools.into_iter().map(ToolInContext::of).collect(),
        timings: Timings::since(received.at),
    }))
}

fn definitions(found: &FoundTools, format: DefinitionFormat) -> Vec<Value> {
    let published = found.agent.tools();
    let rendered = found
        .tools
        .iter()
        .filter_map(|tool| Some(definition(published.get(tool.position)?, format)));
    rendered.collect()
}

fn read(body: &Value) -> Result<(FindRequest, DefinitionFormat), ContextError> {
    let body = Part::whole(body)?;
    let mut defects = Defects::new();
    let agent_id = body.agent_id(&mut defects);
    let query = body.required_text("query", "the task in words", &mut defects);
    let exclude = body.texts("exclude", &mut defects);
    let limit = body.count("limit", 1..=TURN_TOOLS_MAX, &mut defects);
    let context = body.part("context", &mut defects);
    let roles = context.part("user", &mut defects).texts("roles", &mut defects);
    let format = format(&body, &mut defects);
    finish((), defects)?;
    let request = FindRequest {
        agent_id: agent_id.ok_or(ContextError::Internal)?,
        query,
        exclude,
        limit: limit.unwrap_or(LIMIT_DEFAULT),
        roles,
    };
    Ok((request, format))
}

fn format(body: &Part<'_>, defects: &mut Defects) -> DefinitionFormat {
    let Some(name) = body.text("format", defects) else {
        return DefinitionFormat::default();
    };
    DefinitionFormat::parse(&name).unwrap_or_else(|| {
        let names = DefinitionFormat::names().map(|name| format!("`{name}`"));
        refuse(defects, "format", format!("must be one of {}", names.join(", ")));
        DefinitionFormat::default()
    })
}
