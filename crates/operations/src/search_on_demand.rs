//! Which on-demand tools match this query, and is there a clear winner?

use std::collections::BTreeSet;

use handpick_domain::{Caller, Surface, Tool};
use handpick_presentation::progressive::LIMIT_MAX;
use handpick_presentation::unified::CONFIDENCE_NEEDED;
use handpick_selection::words::words;

use crate::Runtime;
use crate::discover_tools::{Discovered, discover_tools};
use crate::search_tools::Unavailable;
use crate::select_tools::suggested;
use crate::shown::shown;

/// How much likelier than the next hit a winner is (R9).
const AHEAD: f32 = 2.0;
/// How alike a name must be to be worth naming, by Jaro and Winkler.
const CLOSE: f64 = 0.75;
/// Close names told to whoever wrote an unknown one (R14).
const CLOSE_MAX: usize = 3;

/// What a search found.
#[derive(Debug)]
pub struct OnDemand {
    /// Best first. `total` counts hits here, not tools.
    pub found: Discovered,
    /// Position among the hits of the one that is clearly meant.
    pub winner: Option<usize>,
}

/// Searches the tools that `is_on_demand` by name and description (R2): those that serve the query, best first,
/// then those that merely contain its words.
pub async fn search_on_demand(
    runtime: &Runtime,
    surface: &Surface,
    caller: &Caller,
    query: &str,
    limit: usize,
    is_on_demand: impl Fn(&Tool) -> bool,
) -> Result<OnDemand, Unavailable> {
    // Whatever the limit, so that neither the total nor the winner depends on it.
    let wanted = LIMIT_MAX + surface.tools().filter(|(_, tool)| !is_on_demand(tool)).count();
    let mut found = discover_tools(runtime, surface, caller, query, wanted).await?;
    found.tools.retain(|found| is_on_demand(&found.tool));
    let known: BTreeSet<String> = found
        .tools
        .iter()
        .map(|found| found.tool.name.to_string())
        .collect();
    let asked = terms(query);
    let named = surface.tools().filter(|(_, tool)| {
        !asked.is_empty()
            && is_on_demand(tool)
            && !known.contains(tool.name.as_str())
            && contains(tool, query, &asked)
    });
    let named: Vec<usize> = named.map(|(position, _)| position).collect();
    found.tools.extend(
        named
            .into_iter()
            .map(|position| suggested(&surface.catalog, position, 0.0, None)),
    );
    let exact = found
        .tools
        .iter()
        .position(|found| is_named(&found.tool, &found.rendered, query));
    if let Some(position) = exact {
        let exact = found.tools.remove(position);
        found.tools.insert(0, exact);
    }
    let winner = (exact.is_some() || stands_out(&found)).then_some(0);
    found.total = found.tools.len();
    found.tools.truncate(limit);
    Ok(OnDemand { found, winner })
}

/// Whether the best hit is the only one, or likely and far ahead (R9).
fn stands_out(found: &Discovered) -> bool {
    match found.tools.as_slice() {
        [] => false,
        [_] => true,
        [best, next, ..] => best.score >= CONFIDENCE_NEEDED && best.score >= AHEAD * next.score,
    }
}

/// Whether the query is the tool's name, but for case and separators (R9).
fn is_named(tool: &Tool, rendered: &str, query: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let query = plain(query);
    !query.is_empty()
        && [tool.name.as_str(), tool.name.tool(), rendered]
            .iter()
            .any(|name| plain(name) == query)
}

fn terms(text: &str) -> BTreeSet<String> {
    words(text)
        .iter()
        .flat_map(|word| word.terms().map(str::to_owned))
        .collect()
}

/// Whether every word of the query is in the tool's name or in any line of its description.
fn contains(tool: &Tool, query: &str, asked: &BTreeSet<String>) -> bool {
    // Most tools lack the first letters already; stemming each text would be far dearer.
    let begins = query.split_whitespace().next().and_then(|word| word.get(..3));
    let texts = [tool.name.as_str(), tool.description.as_str()];
    let may = begins.is_none_or(|begins| {
        let begins = begins.to_lowercase();
        texts.iter().any(|text| text.to_lowercase().contains(&begins))
    });
    may && {
        let mut own = terms(texts[0]);
        own.extend(terms(texts[1]));
        asked.is_subset(&own)
    }
}

/// Names of tools the caller may use that look like `written`, most alike first (R14).
pub fn close_names(surface: &Surface, written: &str) -> Vec<String> {
    let written = shown(written).to_lowercase();
    let mut close: Vec<(f64, &str)> = surface
        .tools()
        .map(|(position, tool)| {
            let rendered = &**surface.catalog.rendered(position);
            let alike =
                [rendered, tool.name.tool()].map(|name| strsim::jaro_winkler(&written, &name.to_lowercase()));
            (alike[0].max(alike[1]), rendered)
        })
        .filter(|(alike, _)| *alike >= CLOSE)
        .collect();
    close.sort_by(|(alike, name), (other, theirs)| other.total_cmp(alike).then_with(|| name.cmp(theirs)));
    close
        .into_iter()
        .take(CLOSE_MAX)
        .map(|(_, name)| name.to_owned())
        .collect()
}
