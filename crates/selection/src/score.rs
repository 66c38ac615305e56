//! How do the features of a candidate become one number?

use crate::features::Features;

/// How much each kind of evidence weighs. Relative to each other; they need not add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Shared words.
    pub lexical_weight: f32,
    /// Closeness in meaning.
    pub semantic_weight: f32,
    /// The share of the whole that a context decides, 0 to 1.
    pub context_weight: f32,
    /// Evidence below this is no match (A35): see [`evidence`].
    pub floor: f32,
}

impl Default for Tuning {
    /// Measured on labelled data: the mix of words and meaning is the best of the plain ones, the floor
    /// keeps all but a few of the tasks that a tool fits.
    fn default() -> Self {
        Self {
            lexical_weight: 0.3,
            semantic_weight: 0.7,
            context_weight: 0.2,
            floor: 0.2,
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

/// How much speaks for a tool by itself, whoever else is in the catalog: 0 to 1.
///
/// Relative values cannot tell that nothing fits, since the best of a bad lot is still the best.
pub fn evidence(features: &Features) -> f32 {
    if features.exact_name {
        return 1.0;
    }
    features.coverage.max(features.cosine.unwrap_or_default())
}

/// The number that answers are ordered by.
pub fn score(features: &Features, tuning: &Tuning) -> Score {
    let own = mix(features.words, features.meaning, tuning);
    let context = features
        .context_words
        .map(|words| mix(words, features.context_meaning, tuning));
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

struct Mix {
    words: f32,
    meaning: f32,
}

/// Weighted mean of words and meaning. Where the meaning is unknown, words stand in for it.
fn mix(words: f32, meaning: Option<f32>, tuning: &Tuning) -> Mix {
    let total = tuning.lexical_weight + tuning.semantic_weight;
    match meaning {
        Some(meaning) => Mix {
            words: tuning.lexical_weight / total * words,
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
