//! Replace an agent's whole catalog; a new id makes a new agent (T8).

use handpick_domain::{AgentId, AgentTool};

use super::{AgentCounts, AgentError, selector};
use crate::Runtime;

/// Replaces the catalog of an agent by `tools`, which were read from `json`. Effective for the next request; durable
/// when this returns. Past conversations stay, and links are learned anew (T16).
pub async fn publish_catalog(
    runtime: &Runtime,
    id: &AgentId,
    tools: Vec<AgentTool>,
    json: String,
) -> Result<AgentCounts, AgentError> {
    selector(runtime)?;
    let held = runtime.agents.hold(runtime, id);
    let counts = held.replace(tools, json).await?;
    held.embed_missing_and_wait().await;
    Ok(counts)
}
