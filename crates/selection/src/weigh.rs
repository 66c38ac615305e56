//! How well does each tool fit, with nothing cut off?

use std::collections::BTreeMap;

use handpick_domain::ToolSet;

use crate::features::{self, Feature, Task};
use crate::index::Index;
use crate::ranker::Ranker;

/// One tool that was looked at closely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// Position in the catalog.
    pub position: usize,
    /// Logarithm of the odds that it serves the task, or one of the things the task asks for.
    pub log_odds: f32,
    /// Cosine with the task or its closest clause; `None` while a vector is missing.
    pub cosine: Option<f32>,
    /// Share of the words of the task or its closest clause that the tool has: 0 to 1.
    pub coverage: f32,
    /// Whether the verbs agree: 1 the same action, -1 the opposite, 0 unknown or neither.
    pub action: f32,
}

/// Weighs the tools of `allowed` that are worth a closer look, in catalog order: what [`crate::select`] goes by, for
/// callers that have evidence of their own to add.
pub fn weigh(index: &Index, task: &Task<'_>, allowed: &ToolSet, ranker: &Ranker) -> Vec<Weighed> {
    let clauses = task.clauses.iter().map(|clause| Task {
        text: clause.text,
        vector: clause.vector,
        clauses: &[],
        ..*task
    });
    let mut weighed: BTreeMap<usize, Weighed> = BTreeMap::new();
    for part in std::iter::once(*task).chain(clauses) {
        let (_, candidates) = features::gather(index, &part, task.text, allowed);
        for candidate in candidates {
            let number = |feature| candidate.features.get(feature);
            let new = Weighed {
                position: candidate.position,
                log_odds: ranker.log_odds(&candidate.features),
                cosine: number(Feature::Cosine),
                coverage: number(Feature::Coverage).unwrap_or_default(),
                action: number(Feature::Action).unwrap_or_default(),
            };
            weighed
                .entry(candidate.position)
                .and_modify(|known| known.take_best(&new))
                .or_insert(new);
        }
    }
    weighed.into_values().collect()
}

impl Weighed {
    fn take_best(&mut self, other: &Self) {
        if other.log_odds > self.log_odds {
            self.action = other.action;
        }
        self.log_odds = self.log_odds.max(other.log_odds);
        self.coverage = self.coverage.max(other.coverage);
        self.cosine = match (self.cosine, other.cosine) {
            (Some(one), Some(another)) => Some(one.max(another)),
            (one, another) => one.or(another),
        };
    }
}
