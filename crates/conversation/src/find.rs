//! Which tools fit a task that the model describes, beyond those it has? (T42 to T46)

use std::collections::BTreeSet;

use crate::evidence::Vectors;
use crate::index::AgentIndex;
use crate::lookups;
use crate::prepared::Prepared;
use crate::reason::{self, Reason};
use crate::turn::{TurnTool, TurnTuning, Weighed, open_tools, weigh};

/// The tools that fit the query a turn was [`Prepared`] from, at most `request.tools_max`, with the lookups they need on
/// top. None of `exclude` is among them, as match or as lookup (T43, T46). Empty when nothing fits.
pub fn find(
    index: &AgentIndex,
    query: &Prepared<'_>,
    vectors: &Vectors,
    exclude: &BTreeSet<usize>,
    tuning: &TurnTuning,
) -> Vec<TurnTool> {
    let weighed = weigh(index, query, vectors, &open_tools(query), &tuning.model);
    let chosen: Vec<Weighed> = weighed
        .iter()
        .filter(|tool| tool.score >= tuning.keep && !exclude.contains(&tool.position))
        .take(query.request.tools_max)
        .cloned()
        .collect();
    let mut lookups = lookups::close(query, &chosen, &weighed, &[]);
    lookups.retain(|lookup| !exclude.contains(&lookup.position));
    let mut tools = reason::explained(query, &chosen, lookups, 0.0);
    for tool in &mut tools {
        if tool.reason != Reason::Dependency {
            tool.reason = Reason::Retrieved;
        }
    }
    tools
}
