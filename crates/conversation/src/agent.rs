//! What is known about an agent before a turn arrives?

use std::collections::HashMap;
use std::sync::Arc;

use handpick_domain::{AgentTool, Conversation};

use crate::graph::Graph;

/// An agent's catalog and everything learned for it. Immutable; made anew by every publish (T6, T8, T16).
#[derive(Debug, Default)]
pub struct Agent {
    tools: Vec<AgentTool>,
    by_name: HashMap<Arc<str>, usize>,
    graph: Graph,
    conversations: usize,
}

impl Agent {
    /// Learns an agent from its catalog and its past conversations.
    pub fn learn(tools: Vec<AgentTool>, conversations: &[Conversation]) -> Self {
        let graph = Graph::learn(&tools, conversations);
        let by_name = tools
            .iter()
            .enumerate()
            .map(|(position, tool)| (Arc::clone(&tool.name), position))
            .collect();
        Self {
            by_name,
            graph,
            conversations: conversations.len(),
            tools,
        }
    }

    /// The tools in the order published. A position is an index into this slice.
    pub fn tools(&self) -> &[AgentTool] {
        &self.tools
    }

    /// The tool with exactly this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// How its tools hang together.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// How many past conversations it learned from.
    pub fn conversations(&self) -> usize {
        self.conversations
    }
}
