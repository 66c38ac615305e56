//! What is known of an agent? Its counts, its catalog, its graph (T23 to T25).

use std::sync::Arc;

use handpick_conversation::{Agent, Edge};
use handpick_domain::AgentId;

use super::{AgentCounts, AgentError, on_a_thread};
use crate::Runtime;

/// One link, by the names of its tools (T25).
#[derive(Clone, Debug, PartialEq)]
pub struct NamedEdge {
    /// The tool that returns the id.
    pub provider: Arc<str>,
    /// The tool that needs it.
    pub consumer: Arc<str>,
    /// The parameter of the consumer.
    pub param: Arc<str>,
    /// Above 0, at most 1.
    pub confidence: f32,
    /// `DECLARED`, `STATIC` or `TRACE`.
    pub source: &'static str,
}

/// The counts of an agent (T23).
pub async fn read_counts(runtime: &Runtime, id: &AgentId) -> Result<AgentCounts, AgentError> {
    let index = runtime.agents.hold(runtime, id).index().await?;
    Ok(AgentCounts::of_index(id, &index))
}

/// The JSON of its catalog as it was published, byte for byte (T24).
pub async fn read_catalog(runtime: &Runtime, id: &AgentId) -> Result<Arc<str>, AgentError> {
    // It may be large and is hardly ever asked for, so it is not kept in memory.
    let json = runtime.store.agent_catalog_load(id.as_str()).await?;
    json.map(Arc::from).ok_or_else(|| AgentError::Unknown(id.clone()))
}

/// Its links, sorted by provider, consumer and parameter (T25).
pub async fn read_graph(runtime: &Runtime, id: &AgentId) -> Result<Vec<NamedEdge>, AgentError> {
    let index = runtime.agents.hold(runtime, id).index().await?;
    on_a_thread(move || named(index.agent())).await
}

fn named(agent: &Agent) -> Vec<NamedEdge> {
    let name = |position: usize| Arc::clone(&agent.tools()[position].name);
    let named = |edge: &Edge| NamedEdge {
        provider: name(edge.provider),
        consumer: name(edge.consumer),
        param: Arc::clone(&edge.param),
        confidence: edge.confidence,
        source: edge.source.as_str(),
    };
    let mut edges: Vec<NamedEdge> = agent.graph().edges().iter().map(named).collect();
    edges.sort_by(|a, b| (&a.provider, &a.consumer, &a.param).cmp(&(&b.provider, &b.consumer, &b.param)));
    edges
}
