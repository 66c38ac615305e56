//! Which tools match these words?

use handpick_domain::Surface;

use crate::Runtime;
use crate::select_tools::{Suggested, allowed_in, on_surface, shortened};

/// The deployment has no selection, or its index cannot answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable;

/// Ranks the surface's allowed tools by keyword match alone: a tool that shares no word with the
/// query is never returned (A49).
pub fn search_tools(
    runtime: &Runtime,
    surface: &Surface,
    query: &str,
    limit: usize,
) -> Result<Vec<Suggested>, Unavailable> {
    let selector = runtime.selector.as_ref().ok_or(Unavailable)?;
    let index = selector.index();
    let allowed = allowed_in(&index, surface);
    let hits = handpick_selection::search(&index, &shortened(query), &allowed, limit);
    Ok(hits
        .into_iter()
        .filter_map(|hit| on_surface(&index, surface, hit.position, hit.score, None))
        .collect())
}
