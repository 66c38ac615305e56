//! How do the features of a candidate become one number?

use crate::features::Features;
use crate::floor::Floor;

/// How much each kind of evidence weighs, and what is no evidence at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Shared words, relative to `semantic_weight`.
    pub lexical_weight: f32,
    /// Closeness in meaning, relative to `lexical_weight`.
    pub semantic_weight: f32,
    /// The share of the whole that a context decides, 0 to 1.
    pub context_weight: f32,
    /// What is no match.
    pub floor: Floor,
}

impl Default for Tuning {
    /// Measured on labelled sets, see `examples/quality.rs`.
    fn default() -> Self {
        Self {
            lexical_weight: 0.3,
            semantic_weight: 0.7,
            context_weight: 0.2,
            floor: Floor::default(),
        }
    }
}

/// A score and what it is made of; the shares add up to the value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// How well the tool fits, 0 to 1. Comparable within one answer only.
    pub value: f32,
    /// From the exact name.
    pub name: f32,
    /// From shared words.
    pub words: f32,
    /// From closeness in meaning.
    pub meaning: f32,
    /// From the context.
    pub context: f32,
}

/// Where the scores of tools begin whose exact name the task gives, and where those of the others end:
/// named tools come first whatever else speaks for others.
const NAMED_MIN: f32 = 0.95;
const UNNAMED_MAX: f32 = 0.9;

/// The number that answers are ordered by.
pub fn score(features: &Features, tuning: &Tuning) -> Score {
    let damping = confidence(features.coverage);
    let own = mix(features.words, damping, features.meaning, tuning);
    let context = features
        .context_words
        .map(|words| mix(words, 1.0, features.context_meaning, tuning));
    let context_weight = context.as_ref().map_or(0.0, |_| tuning.context_weight);
    let (name, range) = if features.exact_name {
        (NAMED_MIN, 1.0 - NAMED_MIN)
    } else {
        (0.0, UNNAMED_MAX)
    };
    let mut score = Score {
        value: 0.0,
        name,
        words: range * (1.0 - context_weight) * own.words,
        meaning: range * (1.0 - context_weight) * own.meaning,
        context: range * context_weight * context.map_or(0.0, |mix| mix.words + mix.meaning),
    };
    score.value = score.name + score.words + score.meaning + score.context;
    score
}

/// What relative words are worth beside a known meaning: the best match of a task may still share just
/// one of its many words, so they count in full only as far as the task's words are covered.
fn confidence(coverage: f32) -> f32 {
    (1.0 + 2.0 * coverage.sqrt()) / 3.0
}

struct Mix {
    words: f32,
    meaning: f32,
}

/// Weighted mean of words and meaning. Where the meaning is unknown, words stand in for it, undamped.
fn mix(words: f32, damping: f32, meaning: Option<f32>, tuning: &Tuning) -> Mix {
    let total = tuning.lexical_weight + tuning.semantic_weight;
    match meaning {
        Some(meaning) => Mix {
            words: tuning.lexical_weight / total * damping * words,
            meaning: tuning.semantic_weight / total * meaning,
        },
        None => Mix { words, meaning: 0.0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(words: f32, meaning: Option<f32>) -> Features {
        Features {
            words,
            meaning,
            ..Features::default()
        }
    }

    #[track_caller]
    fn check_order(better: Features, worse: Features) {
        let tuning = Tuning::default();
        assert!(
            score(&better, &tuning).value > score(&worse, &tuning).value,
            "{better:?} {worse:?}"
        );
    }

    #[test]
    fn order_of_evidence() {
        check_order(features(0.0, Some(1.0)), features(1.0, Some(0.0)));
        check_order(features(1.0, Some(0.5)), features(0.0, Some(0.5)));
        check_order(features(1.0, None), features(0.9, Some(0.9)));
        check_order(features(0.5, Some(0.9)), features(0.5, None));
        let named = Features {
            exact_name: true,
            ..features(0.0, Some(0.0))
        };
        let in_context = |features| Features {
            context_words: Some(1.0),
            context_meaning: Some(1.0),
            ..features
        };
        check_order(named, in_context(features(1.0, Some(1.0))));
        let covered = Features {
            coverage: 1.0,
            ..features(0.5, Some(0.5))
        };
        check_order(covered, features(0.5, Some(0.5)));
        check_order(in_context(features(0.5, Some(0.5))), features(0.5, Some(0.5)));
    }

    #[test]
    fn shares_add_up() {
        for features in [
            Features::default(),
            features(1.0, Some(1.0)),
            Features {
                exact_name: true,
                context_words: Some(1.0),
                ..features(1.0, None)
            },
        ] {
            let score = score(&features, &Tuning::default());
            let sum = score.name + score.words + score.meaning + score.context;
            assert!(
                (sum - score.value).abs() < 1e-6 && (0.0..=1.0).contains(&score.value),
                "{score:?}"
            );
        }
    }
}
