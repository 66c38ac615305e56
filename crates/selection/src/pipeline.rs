//! How does a task become a short list of tools? The recipe, top to bottom.

use handpick_domain::ToolSet;

use crate::explanation::Explanation;
use crate::features::{self, Candidate, ReadTask, Task};
use crate::index::Index;
use crate::score::{self, Score, Tuning};

/// A tool that fits a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Position in the catalog.
    pub position: usize,
    /// How well it fits, 0 to 1. Falls from suggestion to suggestion.
    pub score: f32,
    /// Why it was suggested.
    pub explanation: Explanation,
}

/// The tools that fit a task best, at most `limit`, best first. Empty when nothing fits.
///
/// Only tools of `allowed` are looked at, so that hidden ones take nobody's place (A19, A31). The same
/// arguments always give the same answer; equal scores are ordered by canonical name (A30).
pub fn select(
    index: &Index,
    task: &Task<'_>,
    allowed: &ToolSet,
    limit: usize,
    tuning: &Tuning,
) -> Vec<Suggestion> {
    let (read, mut candidates) = features::gather(index, task, allowed);
    tuning.floor.apply(&mut candidates);
    let mut ranked: Vec<(Candidate, Score)> = candidates
        .into_iter()
        .map(|candidate| (candidate, score::score(&candidate.features, tuning)))
        .collect();
    keep_best(&mut ranked, limit, |(candidate, score)| {
        (score.value, candidate.position)
    });
    ranked
        .into_iter()
        .map(|(candidate, score)| explain(index, &read, candidate, score))
        .collect()
}

fn explain(index: &Index, read: &ReadTask<'_>, candidate: Candidate, score: Score) -> Suggestion {
    let shared_words = index.lexical().shared_words(&read.question, candidate.position);
    Suggestion {
        position: candidate.position,
        score: score.value.clamp(0.0, 1.0),
        explanation: Explanation {
            features: candidate.features,
            score,
            shared_words: shared_words.into_iter().map(str::to_owned).collect(),
        },
    }
}

/// Sorts by score, best first, equal ones by position, and keeps at most `limit`.
pub(crate) fn keep_best<T>(items: &mut Vec<T>, limit: usize, key: impl Fn(&T) -> (f32, usize)) {
    let order = |a: &T, b: &T| {
        let ((score_a, position_a), (score_b, position_b)) = (key(a), key(b));
        score_b.total_cmp(&score_a).then(position_a.cmp(&position_b))
    };
    if limit == 0 {
        items.clear();
    } else if items.len() > limit {
        items.select_nth_unstable_by(limit - 1, order);
        items.truncate(limit);
    }
    items.sort_unstable_by(order);
}
