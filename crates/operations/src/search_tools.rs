//! Which tools match these words?

use std::time::Instant;

use handpick_domain::{Caller, Surface};
use handpick_store::SelectionSource;

use crate::Runtime;
use crate::select_tools::{
    Selected, Selection, Suggested, TaskOutcome, allowed_in, on_surface, record, shortened,
};

/// The deployment has no selection, or its index cannot answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable;

/// Ranks the surface's allowed tools by keyword match alone: a tool that shares no word with the
/// query is never returned (A49). Recorded like a selection, under an id nobody is given (A50).
pub fn search_tools(
    runtime: &Runtime,
    surface: &Surface,
    caller: &Caller,
    query: &str,
    limit: usize,
) -> Result<Vec<Suggested>, Unavailable> {
    let started = Instant::now();
    let selector = runtime.selector.as_ref().ok_or(Unavailable)?;
    let index = selector.index();
    let allowed = allowed_in(&index, surface);
    let hits = handpick_selection::search(&index, &shortened(query), &allowed, limit);
    let found: Vec<Suggested> = hits
        .into_iter()
        .filter_map(|hit| on_surface(&index, surface, hit.position, hit.score, None))
        .collect();
    let search = Selection {
        tasks: &[query.to_owned()],
        context: None,
        limit,
        floor: None,
        source: SelectionSource::Search,
    };
    let selected = Selected::new(vec![TaskOutcome::Found(found.clone())]);
    record(runtime, surface, caller, &search, &selected, started);
    Ok(found)
}
