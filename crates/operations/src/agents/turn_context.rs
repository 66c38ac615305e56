//! Which tools does this turn of a conversation need? (T27 to T41)

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use handpick_conversation::found::Page;
use handpick_conversation::{
    Agent, AgentIndex, Prepared, Reason, Request, TurnTool, TurnType, tools_of_turn,
};
use handpick_domain::{AgentId, Message};
use handpick_selection::Encoder;

use super::embed::vectors_of_request;
use super::{AgentError, on_a_thread, selector};
use crate::{Options, Runtime};

/// What was asked, checked by the front.
#[derive(Clone, Debug)]
pub struct TurnRequest {
    /// Whose tools.
    pub agent_id: AgentId,
    /// The user's new message.
    pub message: String,
    /// Earlier messages, oldest first.
    pub history: Vec<Message>,
    /// Roles of the user.
    pub roles: BTreeSet<String>,
    /// The page the user is on.
    pub page: Option<Page>,
    /// Most matched tools; the deployment's own number where absent (T31).
    pub tools_max: Option<usize>,
}

/// The tools of a turn.
#[derive(Clone, Debug)]
pub struct TurnAnswer {
    /// The agent as it was when it answered: definitions are rendered from it.
    pub agent: Arc<Agent>,
    /// What kind of turn it is.
    pub turn_type: TurnType,
    /// The tools in the order a model should read them.
    pub tools: Vec<ContextTool>,
    /// Ids that hold, by parameter name.
    pub resolved_params: BTreeMap<String, String>,
}

/// One tool of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextTool {
    /// Position in the agent's catalog.
    pub position: usize,
    /// Its name, verbatim.
    pub name: Arc<str>,
    /// For logging only (T33).
    pub score: f32,
    /// Why it is there.
    pub reason: Reason,
    /// The same in words.
    pub detail: String,
}

/// Finds the tools of a turn. Nothing of the request is kept.
pub async fn turn_context(runtime: &Runtime, request: TurnRequest) -> Result<TurnAnswer, AgentError> {
    let encoder = Arc::clone(selector(runtime)?.encoder());
    let index = runtime.agents.hold(runtime, &request.agent_id).index().await?;
    let options = runtime.options.clone();
    on_a_thread(move || answer(&*encoder, &index, &request, &options)).await
}

/// Reading, encoding and weighing on one thread: they take turns computing anyway.
fn answer(encoder: &dyn Encoder, index: &AgentIndex, request: &TurnRequest, options: &Options) -> TurnAnswer {
    let agent = index.agent();
    let prepared = Prepared::read(
        agent,
        Request {
            message: &request.message,
            history: &request.history,
            roles: &request.roles,
            page: request.page.as_ref(),
            tools_max: request.tools_max.unwrap_or(options.turn_tools_max),
            memory: options.turn_memory,
        },
        encoder.is_multilingual(),
    );
    let vectors = if prepared.asks_for_none() {
        Vec::new()
    } else {
        vectors_of_request(encoder, &prepared.texts())
    };
    let turn = tools_of_turn(index, &prepared, &vectors, &options.turn_tuning);
    TurnAnswer {
        agent: Arc::clone(agent),
        turn_type: turn.turn_type,
        tools: named(agent, turn.tools),
        resolved_params: turn.resolved_params,
    }
}

/// Tools by name.
pub(super) fn named(agent: &Agent, tools: Vec<TurnTool>) -> Vec<ContextTool> {
    let named = |tool: TurnTool| ContextTool {
        position: tool.position,
        name: Arc::clone(&agent.tools()[tool.position].name),
        score: tool.score,
        reason: tool.reason,
        detail: tool.detail,
    };
    tools.into_iter().map(named).collect()
}
