//! Does anything fit at all, and what is hopeless beside the best?

use crate::features::{Candidate, Features};

/// When a tool counts as no match (A35).
///
/// Reads absolute evidence, not the score: scores are relative to the catalog, and the best of a bad lot
/// is still the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Evidence that a lone tool needs; see [`evidence`].
    pub base: f32,
    /// What is added for every e-fold of tools: of many unrelated tools the closest looks closer than of
    /// few. Something fits when the best evidence among `n` tools is at least `base + growth * ln(n)`.
    pub growth: f32,
    /// Share of the best evidence below which a tool is hopeless, though something fits.
    pub share_of_best: f32,
}

impl Default for Floor {
    /// Measured on labelled sets and on random parts of them, from 10 to 3,200 tools: about 2 % of the
    /// tasks that a tool fits come back empty, and the share of the best costs no quality anywhere.
    fn default() -> Self {
        Self {
            base: 0.05,
            growth: 0.0215,
            share_of_best: 0.3,
        }
    }
}

impl Floor {
    /// A floor that lets everything through.
    pub const NONE: Self = Self {
        base: f32::NEG_INFINITY,
        growth: 0.0,
        share_of_best: 0.0,
    };

    /// Keeps the candidates that may be suggested; none when nothing fits. Exactly named tools always may.
    pub fn apply(&self, candidates: &mut Vec<Candidate>) {
        let best = best(candidates);
        let enough = self.base + self.growth * (candidates.len().max(1) as f32).ln();
        let hopeless = self.base.max(self.share_of_best * best);
        candidates.retain(|candidate| {
            let features = &candidate.features;
            features.exact_name || (best >= enough && evidence(features) >= hopeless)
        });
    }
}

/// Weight of shared words beside the cosine: words that are all there may still be meant otherwise.
const WORDS_BESIDE_MEANING: f32 = 0.7;

/// Weight of shared words while the meaning is unknown: the tool gets the benefit of the doubt, since
/// most tasks share few words with the tool they need.
const WORDS_WITHOUT_MEANING: f32 = 3.0;

/// How much speaks for a tool by itself, whoever else is in the catalog: at most 1.
pub fn evidence(features: &Features) -> f32 {
    match features.cosine {
        Some(cosine) => cosine.max(WORDS_BESIDE_MEANING * features.coverage),
        None => (WORDS_WITHOUT_MEANING * features.coverage).min(1.0),
    }
}

/// The best evidence, among tools of known meaning where there are some: the others' is generous.
fn best(candidates: &[Candidate]) -> f32 {
    let best_of = |known: bool| {
        candidates
            .iter()
            .map(|candidate| &candidate.features)
            .filter(|features| features.cosine.is_some() == known)
            .map(evidence)
            .reduce(f32::max)
    };
    best_of(true).or_else(|| best_of(false)).unwrap_or(0.0)
}
