//! Which tools fit a task that the model describes, beyond those it has? (T42 to T46)

use std::collections::BTreeSet;
use std::sync::Arc;

use handpick_conversation::find::find;
use handpick_conversation::{Agent, AgentIndex, Prepared, Request};
use handpick_domain::AgentId;
use handpick_selection::Encoder;

use super::embed::vectors_of_request;
use super::turn_context::{ContextTool, named};
use super::{AgentError, on_a_thread, selector};
use crate::{Options, Runtime};

/// What was asked, checked by the front.
#[derive(Clone, Debug)]
pub struct FindRequest {
    /// Whose tools.
    pub agent_id: AgentId,
    /// The task in words.
    pub query: String,
    /// Names of tools the model has; unknown ones are ignored (T43).
    pub exclude: BTreeSet<String>,
    /// Most tools, their lookups apart (T44).
    pub limit: usize,
    /// Roles of the user.
    pub roles: BTreeSet<String>,
}

/// The tools found.
#[derive(Clone, Debug)]
pub struct FoundTools {
    /// The agent as it was when it answered: definitions are rendered from it.
    pub agent: Arc<Agent>,
    /// Best first; lookups come on top.
    pub tools: Vec<ContextTool>,
}

/// Finds tools for a task. Nothing of the request is kept.
pub async fn find_agent_tools(runtime: &Runtime, request: FindRequest) -> Result<FoundTools, AgentError> {
    let encoder = Arc::clone(selector(runtime)?.encoder());
    let index = runtime.agents.hold(runtime, &request.agent_id).index().await?;
    let options = runtime.options.clone();
    on_a_thread(move || answer(&*encoder, &index, &request, &options)).await
}

fn answer(encoder: &dyn Encoder, index: &AgentIndex, request: &FindRequest, options: &Options) -> FoundTools {
    let agent = index.agent();
    let query = Prepared::read(
        agent,
        Request {
            message: &request.query,
            history: &[],
            roles: &request.roles,
            page: None,
            tools_max: request.limit,
            memory: options.turn_memory,
        },
        encoder.is_multilingual(),
    );
    let exclude = request
        .exclude
        .iter()
        .filter_map(|name| agent.position(name))
        .collect();
    let vectors = vectors_of_request(encoder, &query.texts());
    let tools = find(index, &query, &vectors, &exclude, &options.turn_tuning);
    FoundTools {
        agent: Arc::clone(agent),
        tools: named(agent, tools),
    }
}
