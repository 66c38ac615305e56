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
    /// Tools the gateway's allow-list covers, whoever asks: what `adaptive` counts (P9).
    pub bound: ToolSet,
    /// Tools of `bound` that this caller may see and use.
    pub allowed: ToolSet,
}

impl Surface {
    /// The tools the caller may use, with their positions, in list order.
    pub fn tools(&self) -> impl Iterator<Item = (usize, &Arc<Tool>)> {
        self.allowed
            .iter()
            .map(|position| (position, &self.catalog.tools()[position]))
    }
}
