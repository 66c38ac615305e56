//! Which tools does this turn need?

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State};
use handpick_conversation::found::Page;
use handpick_conversation::{Reason, TurnType};
use handpick_operations::agents::turn_context::{self, TurnAnswer, TurnRequest};
use handpick_operations::limits::TURN_TOOLS_MAX;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::body::{Defects, Part, finish};
use super::error::{AgentErrors, ContextBodyErrors, ContextError, ContextKeyErrors, ContextSelectionErrors};
use super::receive::{Purpose, json, receive, text};
use crate::front::RestFront;
use crate::suggestion::rounded;

/// A turn of a conversation.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase", example = json!({
    "agentId": "acme-billing",
    "message": "ok, refund their last invoice",
    "history": [
        {"role": "user", "content": "is Globex a customer of ours?"},
        {"role": "assistant", "content": "Yes, Globex (cus_8812) is.", "toolCalls": [
            {"name": "find_customer", "arguments": {"query": "Globex"}, "result": "{\"customer_id\": \"cus_8812\"}"}
        ]}
    ],
    "context": {"user": {"roles": ["agent"]}},
    "options": {"maxTools": 8}
}))]
#[allow(dead_code, reason = "only describes")]
pub struct ContextRequest {
    /// The agent.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,128}$")]
    pub agent_id: String,
    /// The user's new message.
    pub message: String,
    /// Earlier messages, oldest first. The last ten are plenty.
    #[schema(required = false)]
    pub history: Vec<HistoryMessage>,
    /// Who asks, and from where.
    #[schema(nullable = false)]
    pub context: Option<RequestContext>,
    /// How to answer.
    #[schema(nullable = false)]
    pub options: Option<ContextOptions>,
}

/// A message of a conversation.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "only describes")]
pub struct HistoryMessage {
    /// Who wrote it.
    pub role: MessageRole,
    /// What it says. May be left out where tools were called.
    #[schema(nullable = false)]
    pub content: Option<String>,
    /// The tools that the assistant called while writing it, in order.
    #[schema(required = false)]
    pub tool_calls: Vec<HistoryToolCall>,
}

/// Who wrote a message.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "only describes")]
pub enum MessageRole {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// A tool call of a conversation.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "only describes")]
pub struct HistoryToolCall {
    /// The name of the tool.
    #[schema(example = "find_customer")]
    pub name: String,
    /// What it was called with.
    #[schema(required = false)]
    pub arguments: Map<String, Value>,
    /// What came back, as text: JSON or anything else.
    #[schema(nullable = false)]
    pub result: Option<String>,
}

/// Who asks, and from where.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "only describes")]
pub struct RequestContext {
    /// The user, from your authenticated session.
    #[schema(nullable = false)]
    pub user: Option<ContextUser>,
    /// The page the user is on, for assistants within an application.
    #[schema(nullable = false)]
    pub page: Option<ContextPage>,
}

/// A user. Further attributes may be sent; they are not looked at.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "only describes")]
pub struct ContextUser {
    /// The user's roles. Tools with `requiredRoles` come only for one of them.
    #[schema(required = false)]
    pub roles: Vec<String>,
}

/// A page.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "only describes")]
pub struct ContextPage {
    /// Its address.
    #[schema(nullable = false)]
    pub url: Option<String>,
    /// Its title.
    #[schema(nullable = false)]
    pub title: Option<String>,
}

/// How to answer.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "only describes")]
pub struct ContextOptions {
    /// Most matched tools. Lookups and always-on tools come on top. The deployment's own number when left out.
    #[schema(nullable = false, minimum = 0, maximum = 50)]
    pub max_tools: Option<usize>,
    /// Taken for compatibility; no prompt is ever sent.
    #[schema(required = false, default = false)]
    pub include_prompt: bool,
}

/// The tools of a turn. More fields may be added; pass over those you do not know.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "agentId": "acme-billing",
    "turnType": "ACTION",
    "tools": [
        {"name": "refund_invoice", "score": 0.91, "reason": "RETRIEVED", "detail": "matched the turn"},
        {"name": "list_invoices", "score": 0.22, "reason": "DEPENDENCY",
         "detail": "provides invoice_id for refund_invoice"},
        {"name": "find_customer", "score": 0.19, "reason": "STICKY", "detail": "called in a recent turn"},
        {"name": "ask_user", "score": 1.0, "reason": "CORE", "detail": "always on"}
    ],
    "resolvedParams": {"customer_id": "cus_8812"},
    "timings": {"totalMs": 3.1}
}))]
pub struct ContextResponse {
    /// The agent.
    pub agent_id: String,
    /// What kind of turn it is.
    pub turn_type: TurnKind,
    /// The tools to give to the model, in this order. Good for every model call of the turn.
    pub tools: Vec<ToolInContext>,
    /// Ids that the conversation holds, by parameter. Put them into the prompt, and the model need not look them up.
    pub resolved_params: BTreeMap<String, String>,
    /// How long it took.
    pub timings: Timings,
}

/// Kinds of turns.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum TurnKind {
    /// Asks for nothing: only always-on tools are there.
    Smalltalk,
    /// Wants to know something.
    Knowledge,
    /// Wants something done.
    Action,
    /// Both at once.
    Mixed,
}

/// A tool, and why it is there.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToolInContext {
    /// Its name, as it was published.
    #[schema(value_type = String, example = "refund_invoice")]
    pub name: Arc<str>,
    /// For logs alone: tools are not sorted by it.
    pub score: f64,
    /// Why it is there.
    pub reason: ToolReason,
    /// The same in words, for people.
    #[schema(example = "matched the turn")]
    pub detail: String,
}

/// Why a tool is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum ToolReason {
    /// It matches what was asked.
    Retrieved,
    /// It supplies an id that another tool here needs.
    Dependency,
    /// It was used in the last turns, or acts on the record that a recent tool returned.
    Sticky,
    /// A close match, kept as a safety net.
    Reranked,
    /// It is always on.
    Core,
    /// It is tied to the page the user is on.
    Page,
}

/// How long an answer took.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timings {
    /// Milliseconds from the whole request to the answer.
    #[schema(minimum = 0)]
    pub total_ms: f64,
}

/// Find the tools for a turn
///
/// Once for every message of a user, before the model is called: the answer holds for all of the turn. Nothing of the
/// request is kept. If it takes too long or fails, go on with all your tools. Needs the `read` scope.
#[utoipa::path(
    post,
    path = "/v1/context",
    operation_id = "turn_context",
    tag = "turns",
    request_body = ContextRequest,
    responses(
        (status = 200, description = "The tools of the turn", body = ContextResponse),
        ContextBodyErrors, ContextKeyErrors, AgentErrors, ContextSelectionErrors
    ),
    security(("key" = []))
)]
pub async fn context(
    State(front): State<Arc<RestFront>>,
    request: Request,
) -> Result<Json<ContextResponse>, ContextError> {
    let received = receive(&front, request, Purpose::Read).await?;
    let request = read(&json(text(&received.body)?)?)?;
    let agent_id = request.agent_id.to_string();
    let answer = turn_context::turn_context(&front.runtime, request).await;
    let answer = answer.map_err(|error| ContextError::of(&front.runtime, error))?;
    Ok(Json(ContextResponse::of(agent_id, answer, received.at)))
}

fn read(body: &Value) -> Result<TurnRequest, ContextError> {
    let body = Part::whole(body)?;
    let mut defects = Defects::new();
    let agent_id = body.agent_id(&mut defects);
    let message = body.required_text("message", "the user's new message", &mut defects);
    let history = body.messages("history", &mut defects);
    let context = body.part("context", &mut defects);
    let roles = context.part("user", &mut defects).texts("roles", &mut defects);
    let page = page(&context.part("page", &mut defects), &mut defects);
    let options = body.part("options", &mut defects);
    let tools_max = options.count("maxTools", 0..=TURN_TOOLS_MAX, &mut defects);
    options.flag("includePrompt", &mut defects);
    finish((), defects)?;
    Ok(TurnRequest {
        agent_id: agent_id.ok_or(ContextError::Internal)?,
        message,
        history,
        roles,
        page,
        tools_max,
    })
}

/// A page that says neither where it is nor what it is called is none.
fn page(part: &Part<'_>, defects: &mut Defects) -> Option<Page> {
    let page = Page {
        url: part.text("url", defects),
        title: part.text("title", defects),
    };
    (page != Page::default()).then_some(page)
}

impl ContextResponse {
    fn of(agent_id: String, answer: TurnAnswer, since: Instant) -> Self {
        Self {
            agent_id,
            turn_type: answer.turn_type.into(),
            tools: answer.tools.into_iter().map(ToolInContext::of).collect(),
            resolved_params: answer.resolved_params,
            timings: Timings::since(since),
        }
    }
}

impl ToolInContext {
    /// A tool as these endpoints show it.
    pub fn of(tool: turn_context::ContextTool) -> Self {
        Self {
            name: tool.name,
            score: rounded(tool.score),
            reason: tool.reason.into(),
            detail: tool.detail,
        }
    }
}

impl Timings {
    /// The time that has passed, in hundredths of a millisecond.
    pub fn since(start: Instant) -> Self {
        Self {
            total_ms: (start.elapsed().as_secs_f64() * 100_000.0).round() / 100.0,
        }
    }
}

impl From<TurnType> for TurnKind {
    fn from(turn: TurnType) -> Self {
        match turn {
            TurnType::Smalltalk => Self::Smalltalk,
            TurnType::Knowledge => Self::Knowledge,
            TurnType::Action => Self::Action,
            TurnType::Mixed => Self::Mixed,
        }
    }
}

impl From<Reason> for ToolReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Retrieved => Self::Retrieved,
            Reason::Dependency => Self::Dependency,
            Reason::Sticky => Self::Sticky,
            Reason::Reranked => Self::Reranked,
            Reason::Core => Self::Core,
            Reason::Page => Self::Page,
        }
    }
}
