//! Which tool supplies which id to which, and which tool follows which?

use std::collections::BTreeMap;
use std::sync::Arc;

use handpick_domain::{AgentTool, Conversation};

use crate::id_name::IdName;

/// How a link is known, strongest first (T14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeSource {
    /// The provider's `produces` says so.
    Declared,
    /// At least two past conversations show it.
    Trace,
    /// Names and parameters suggest it.
    Static,
}

impl EdgeSource {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "DECLARED",
            Self::Trace => "TRACE",
            Self::Static => "STATIC",
        }
    }
}

/// One tool supplies one id to another (T14, T25).
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Position of the tool that returns the id, in the agent's catalog.
    pub provider: usize,
    /// Position of the tool that needs it.
    pub consumer: usize,
    /// The id as the consumer's parameter spells it.
    pub param: Arc<str>,
    /// The same, whatever its spelling.
    pub name: IdName,
    /// How sure the link is: above 0, at most 1.
    pub confidence: f32,
    /// How it is known.
    pub source: EdgeSource,
}

/// Everything known about how the tools of one agent hang together. Immutable; made anew by every publish.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    edges: Vec<Edge>,
    /// For each consumer, the numbers of its edges.
    by_consumer: Vec<Vec<usize>>,
    /// For each tool, what was called right after it in at least two conversations, with its share of all that came after.
    follows: Vec<BTreeMap<usize, f32>>,
}

impl Graph {
    /// Learns the graph of a catalog from its declarations, its names and past conversations. The same input gives the
    /// same graph.
    pub fn learn(tools: &[AgentTool], conversations: &[Conversation]) -> Self {
        let _ = (tools, conversations);
        Self::default()
    }

    /// The edges, sorted by provider, consumer and parameter name (T25).
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that end in this tool.
    pub fn into_tool(&self, consumer: usize) -> impl Iterator<Item = &Edge> {
        self.by_consumer
            .get(consumer)
            .into_iter()
            .flatten()
            .map(|&number| &self.edges[number])
    }

    /// What past conversations called right after this tool, within one turn or in the next: the share of the times, 0 to 1.
    pub fn follows(&self, tool: usize) -> impl Iterator<Item = (usize, f32)> {
        self.follows
            .get(tool)
            .into_iter()
            .flatten()
            .map(|(&next, &share)| (next, share))
    }

    /// How many edges of a source there are.
    pub fn count(&self, source: EdgeSource) -> usize {
        self.edges.iter().filter(|edge| edge.source == source).count()
    }
}
