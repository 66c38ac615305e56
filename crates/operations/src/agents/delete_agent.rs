//! Forget an agent: catalog, learned links, conversations and their vectors (T26).

use handpick_domain::AgentId;

use super::AgentError;
use crate::Runtime;

/// Deletes an agent and everything learned for it. Durable when this returns.
pub async fn delete_agent(runtime: &Runtime, id: &AgentId) -> Result<(), AgentError> {
    runtime.agents.hold(runtime, id).erase().await
}
