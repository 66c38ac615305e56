//! Which tools may a request in words mean, most likely first?

use std::collections::BTreeSet;

use handpick_domain::{Caller, Resolution, Surface};
use handpick_presentation::UnifiedRequest;
use handpick_selection::Floor;
use handpick_store::SelectionSource;

use super::context;
use crate::Runtime;
use crate::search_tools::Unavailable;
use crate::select_tools::{Selection, Suggested, TaskOutcome, select_tools, suggested};

/// Tools that are looked at: one that is preferred may come from further down than those that are read for.
const LOOKED_AT: usize = 16;
/// Tools that arguments are read for.
pub(super) const READ_FOR: usize = 8;
/// What a preference adds to the logarithm of a tool's odds beside other tools (P21).
pub(super) const PREFERENCE: f32 = 1.5;
/// Odds are told apart up to here, either way.
const ODDS_MAX: f32 = 6.0;

/// The tools of a surface beside a request.
pub(super) struct Ranking {
    /// Names the selection in the record.
    pub query_id: String,
    /// The logarithm of the odds that anything fits.
    pub fits: f32,
    /// Best first.
    pub ranked: Vec<Ranked>,
}

/// A tool beside a request.
pub(super) struct Ranked {
    /// The tool, and why.
    pub found: Suggested,
    /// The logarithm of the odds that it serves the request.
    pub odds: f32,
    /// How far they are above the best of the others'.
    pub lead: f32,
    /// The same with what is preferred counted in.
    pub lead_preferred: f32,
    /// Whether it is only there to be compared with: the ranking did not find it.
    pub is_spare: bool,
}

impl Ranked {
    /// The tool at `position`, which the ranking did not find.
    pub fn spare(surface: &Surface, position: usize) -> Self {
        Self {
            found: suggested(&surface.catalog, position, 0.0, None),
            odds: -ODDS_MAX,
            lead: -ODDS_MAX,
            lead_preferred: -ODDS_MAX,
            is_spare: true,
        }
    }
}

/// Ranks the tools that the caller may use. Preferred ones move up among these; names of others mean nothing (P21).
pub(super) async fn rank(
    runtime: &Runtime,
    surface: &Surface,
    caller: &Caller,
    asked: &UnifiedRequest,
) -> Result<Ranking, Unavailable> {
    let context = asked.context.as_ref().map(context::as_text);
    let selection = Selection {
        tasks: std::slice::from_ref(&asked.request),
        context: context.as_deref(),
        limit: LOOKED_AT,
        floor: Some(Floor::NONE),
        source: SelectionSource::Discover,
    };
    let mut selected = select_tools(runtime, surface, caller, selection).await;
    let Some(TaskOutcome::Found(found)) = selected.tasks.pop() else {
        return Err(Unavailable);
    };
    let preferred = preferred(surface, &asked.preferred_tools);
    Ok(Ranking {
        query_id: selected.query_id,
        fits: log_odds(selected.fits.first().copied().unwrap_or_default()),
        ranked: in_order(found, &preferred),
    })
}

/// Canonical names of the preferred tools that the caller may use.
fn preferred(surface: &Surface, written: &[String]) -> BTreeSet<String> {
    let resolved = written
        .iter()
        .filter_map(|name| match surface.catalog.resolve(name) {
            Resolution::Found(position) if surface.allowed.contains(position) => {
                surface.catalog.tools().get(position)
            }
            _ => None,
        });
    resolved.map(|tool| tool.name.to_string()).collect()
}

fn in_order(found: Vec<Suggested>, preferred: &BTreeSet<String>) -> Vec<Ranked> {
    let plain: Vec<f32> = found.iter().map(|found| log_odds(found.score)).collect();
    let moved: Vec<f32> = found
        .iter()
        .zip(&plain)
        .map(|(found, odds)| {
            let is_preferred = preferred.contains(found.tool.name.as_str());
            odds + if is_preferred { PREFERENCE } else { 0.0 }
        })
        .collect();
    let mut ranked: Vec<(f32, Ranked)> = found
        .into_iter()
        .enumerate()
        .map(|(nth, found)| {
            let ranked = Ranked {
                found,
                odds: plain[nth],
                lead: lead(&plain, nth),
                lead_preferred: lead(&moved, nth),
                is_spare: false,
            };
            (moved[nth], ranked)
        })
        .collect();
    ranked.sort_by(|(a, one), (b, other)| {
        b.total_cmp(a)
            .then_with(|| one.found.tool.name.cmp(&other.found.tool.name))
    });
    ranked.truncate(READ_FOR);
    ranked.into_iter().map(|(_, ranked)| ranked).collect()
}

/// How far one is above the best of the others; as far as can be where there is no other.
fn lead(odds: &[f32], nth: usize) -> f32 {
    let others = odds.iter().enumerate().filter(|(other, _)| *other != nth);
    let best = others.map(|(_, odds)| *odds).fold(-ODDS_MAX, f32::max);
    (odds[nth] - best).clamp(-ODDS_MAX, ODDS_MAX)
}

fn log_odds(probability: f32) -> f32 {
    let probability = f64::from(probability).clamp(1e-6, 1.0 - 1e-6);
    #[allow(clippy::cast_possible_truncation, reason = "clamped to a few digits")]
    let odds = (probability / (1.0 - probability)).ln() as f32;
    odds.clamp(-ODDS_MAX, ODDS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_measured_from_the_best_of_the_others() {
        assert_eq!(lead(&[2.0, 1.5, -1.0], 0), 0.5);
        assert_eq!(lead(&[2.0, 1.5, -1.0], 1), -0.5);
        assert_eq!(lead(&[2.0], 0), ODDS_MAX);
        assert!(log_odds(0.5).abs() < 1e-6);
        assert_eq!(log_odds(1.0), ODDS_MAX);
        assert_eq!(log_odds(0.0), -ODDS_MAX);
    }
}
