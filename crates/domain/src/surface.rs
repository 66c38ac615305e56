//! What did one caller's tool list look like when it was opened?

use std::sync::Arc;

use crate::{Catalog, Tool, ToolSet};

/// The snapshot a list was made from: an MCP session keeps one, a stateless request opens its own.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The gateway it belongs to; `None` for callers that use the whole project.
    pub gateway: Option<String>,
    /// The tools that existed.
    pub catalog: Arc<Catalog>,
    /// Customers' tools that the gateway's allow-list covers, whoever asks: what `adaptive` counts (P9).
    pub bound: ToolSet,
    /// Tools of `bound` that this caller may see and use.
    pub allowed: ToolSet,
    /// System tools that this caller may see and use: listed as themselves in every mode (P23).
    pub system: ToolSet,
}

impl Surface {
    /// The customers' tools that the caller may use, with their positions, in list order.
    pub fn tools(&self) -> impl Iterator<Item = (usize, &Arc<Tool>)> {
        self.allowed
            .iter()
            .map(|position| (position, &self.catalog.tools()[position]))
    }

    /// The system tools that the caller may use, with their positions, in list order.
    pub fn system_tools(&self) -> impl Iterator<Item = (usize, &Arc<Tool>)> {
        self.system
            .iter()
            .map(|position| (position, &self.catalog.tools()[position]))
    }
}
