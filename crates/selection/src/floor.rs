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
        let known = best(candidates, true);
        let unknown = best(candidates, false);
        let enough = self.base + self.growth * (candidates.len().max(1) as f32).ln();
        let fits = known.into_iter().chain(unknown).any(|best| best >= enough);
        // Evidence without a vector is generous, so it is no measure for the others where there are some.
        let best = known.or(unknown).unwrap_or_default();
        let hopeless = self.base.max(self.share_of_best * best);
        candidates.retain(|candidate| {
            let features = &candidate.features;
            features.exact_name || (fits && evidence(features) >= hopeless)
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

/// The best evidence among tools whose meaning is known, or among the others.
fn best(candidates: &[Candidate], known: bool) -> Option<f32> {
    candidates
        .iter()
        .map(|candidate| &candidate.features)
        .filter(|features| features.cosine.is_some() == known)
        .map(evidence)
        .reduce(f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Candidates given as cosine (`None`: no vector), coverage, and whether they are named.
    #[track_caller]
    fn check(candidates: &[(Option<f32>, f32, bool)], kept: &[usize]) {
        let mut candidates: Vec<Candidate> = candidates
            .iter()
            .enumerate()
            .map(|(position, &(cosine, coverage, exact_name))| Candidate {
                position,
                features: Features {
                    cosine,
                    coverage,
                    exact_name,
                    ..Features::default()
                },
            })
            .collect();
        Floor::default().apply(&mut candidates);
        let positions: Vec<usize> = candidates.iter().map(|candidate| candidate.position).collect();
        assert_eq!(positions, kept);
    }

    /// A35: nothing fits when the best is weak; beside a strong one the weak are hopeless.
    #[test]
    fn a35_weak_evidence_is_no_match() {
        check(&[], &[]);
        check(&[(Some(0.04), 0.0, false)], &[]);
        check(&[(Some(0.1), 0.0, false), (Some(0.02), 0.0, false)], &[0]);
        check(
            &[
                (Some(0.6), 0.0, false),
                (Some(0.15), 0.0, false),
                (Some(0.2), 0.0, false),
            ],
            &[0, 2],
        );
        check(&[(Some(0.0), 0.5, false), (Some(-1.0), 0.0, false)], &[0]);
        check(&[(Some(-0.2), 0.0, true), (Some(0.01), 0.0, false)], &[0]);
    }

    /// Of many unrelated tools the closest looks closer than of few.
    #[test]
    fn a35_the_more_tools_the_more_it_takes() {
        let weak = [(Some(0.1), 0.0, false); 1_000];
        check(&weak[..5], &[0, 1, 2, 3, 4]);
        check(&weak, &[]);
    }

    /// A36: without vectors a few shared words are enough, and none is not.
    #[test]
    fn a36_words_suffice_without_vectors() {
        check(&[(None, 0.1, false), (None, 0.0, false)], &[0]);
        check(&[(Some(0.01), 0.0, false), (None, 0.3, false)], &[1]);
        check(
            &[(Some(0.4), 0.0, false), (None, 0.3, false), (None, 0.0, false)],
            &[0, 1],
        );
    }
}
