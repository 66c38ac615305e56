//! Keep past conversations of an agent and learn from them (T18 to T21).

use handpick_conversation::published::PublishedConversation;
use handpick_domain::AgentId;

use super::{AgentCounts, AgentError, selector};
use crate::Runtime;

/// Adds past conversations; one with an id that is known replaces it (T20). Durable when this returns. Beyond
/// [`AGENT_CONVERSATIONS_MAX`](crate::limits::AGENT_CONVERSATIONS_MAX) the oldest leave.
pub async fn add_traces(
    runtime: &Runtime,
    id: &AgentId,
    conversations: Vec<PublishedConversation>,
) -> Result<AgentCounts, AgentError> {
    selector(runtime)?;
    let held = runtime.agents.hold(runtime, id);
    let counts = held.add(conversations).await?;
    held.embed_missing_and_wait().await;
    Ok(counts)
}
