//! Which tools fit this query, briefly?

use handpick_domain::{Caller, Surface};
use handpick_store::SelectionSource;

use crate::Runtime;
use crate::search_tools::Unavailable;
use crate::select_tools::{Selection, Suggested, TaskOutcome, select_tools, suggested};

/// What discovery found.
#[derive(Debug)]
pub struct Discovered {
    /// Best first; alphabetical for a blank query.
    pub tools: Vec<Suggested>,
    /// How many tools the caller could find here at all.
    pub total: usize,
}

/// Finds up to `limit` tools for `query`; a blank query lists the first ones alphabetically (P15).
pub async fn discover_tools(
    runtime: &Runtime,
    surface: &Surface,
    caller: &Caller,
    query: &str,
    limit: usize,
) -> Result<Discovered, Unavailable> {
    let total = surface.allowed.len();
    if query.trim().is_empty() {
        let first = surface.tools().take(limit);
        let tools = first
            .map(|(position, _)| suggested(&surface.catalog, position, 0.0, None))
            .collect();
        return Ok(Discovered { tools, total });
    }
    let selection = Selection {
        tasks: &[query.to_owned()],
        context: None,
        limit,
        floor: None,
        source: SelectionSource::Discover,
    };
    match select_tools(runtime, surface, caller, selection)
        .await
        .tasks
        .pop()
    {
        Some(TaskOutcome::Found(tools)) => Ok(Discovered { tools, total }),
        Some(TaskOutcome::Unavailable) | None => Err(Unavailable),
    }
}
