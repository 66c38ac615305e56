//! Is a suggestion right as often as its probability says?

use serde::{Deserialize, Serialize};

use crate::metrics::{rounded, share};
use crate::{Answered, Query};

/// Bins of equal width from 0 to 1.
pub const BINS: usize = 10;

/// How many of every ranking are looked at: as many as an answer holds.
pub const FIRST: usize = 5;

/// How far said and true probability lie apart, over every request of a set, the unanswerable ones included.
///
/// A suggestion is right when its tool is needed or at least not wrong; for an unanswerable request none is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Over the first [`FIRST`] tools of every ranking, before any floor.
    #[serde(flatten)]
    pub first_five: Reliability,
    /// Over the first tool of every ranking alone.
    pub top_1: Reliability,
}

/// A reliability diagram and its expected calibration error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// The mean over all suggestions of the distance between what their bin says and how often it is right.
    pub ece: f64,
    /// How many suggestions were looked at.
    pub suggestions: usize,
    /// [`BINS`] of them, from 0 up.
    pub bins: Vec<Bin>,
}

/// The suggestions with about one probability.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// From this probability on.
    pub from: f64,
    /// Below this one; the last bin holds 1 too.
    pub to: f64,
    /// How many suggestions.
    pub suggestions: usize,
    /// What they say on average.
    pub said: Option<f64>,
    /// How many of them are right.
    pub right: Option<f64>,
}

impl Calibration {
    /// Measures a whole set whose scores are probabilities.
    pub fn of(asked: &[(Query, Answered)]) -> Self {
        let first = |count: usize| {
            asked.iter().flat_map(move |(query, answered)| {
                let first = answered.ranking.iter().take(count);
                first.map(|ranked| (ranked.score, query.accepts(&ranked.name)))
            })
        };
        Self {
            first_five: Reliability::of(first(FIRST)),
            top_1: Reliability::of(first(1)),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Sums {
    count: usize,
    said: f64,
    right: usize,
}

impl Reliability {
    /// Sorts probabilities, each with whether it came true, into bins.
    pub fn of(suggestions: impl Iterator<Item = (f64, bool)>) -> Self {
        let mut sums = [Sums::default(); BINS];
        for (probability, right) in suggestions {
            let bin = &mut sums[bin_of(probability)];
            bin.count += 1;
            bin.said += probability;
            bin.right += usize::from(right);
        }
        let count = sums.iter().map(|bin| bin.count).sum();
        let apart: f64 = sums.iter().map(|bin| (bin.said - bin.right as f64).abs()).sum();
        Self {
            ece: rounded(if count == 0 { 0.0 } else { apart / count as f64 }),
            suggestions: count,
            bins: sums
                .iter()
                .enumerate()
                .map(|(index, sums)| bin(index, *sums))
                .collect(),
        }
    }
}

fn bin_of(probability: f64) -> usize {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped first; a number that is none becomes 0"
    )]
    let bin = (probability.clamp(0.0, 1.0) * BINS as f64) as usize;
    bin.min(BINS - 1)
}

fn bin(index: usize, sums: Sums) -> Bin {
    let some = sums.count > 0;
    Bin {
        from: share(index, BINS),
        to: share(index + 1, BINS),
        suggestions: sums.count,
        said: some.then(|| rounded(sums.said / sums.count as f64)),
        right: some.then(|| rounded(share(sums.right, sums.count))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ranked;
    use proptest::prelude::*;

    #[test]
    fn a_table_made_by_hand() {
        // Three in the bin from .7, of which two come true; one in the bin from 0; one at the very end.
        let suggestions = [
            (0.7, true),
            (0.75, true),
            (0.79, false),
            (0.02, false),
            (1.0, true),
        ];
        let reliability = Reliability::of(suggestions.into_iter());
        // |2.24 - 2| + |0.02 - 0| + |1 - 1|, over five.
        assert_eq!(reliability.ece, 0.052);
        assert_eq!(reliability.suggestions, 5);
        let seventh = &reliability.bins[7];
        assert_eq!((seventh.from, seventh.to, seventh.suggestions), (0.7, 0.8, 3));
        assert_eq!((seventh.said, seventh.right), (Some(0.7467), Some(0.6667)));
        assert_eq!(reliability.bins[9].suggestions, 1);
        assert_eq!(reliability.bins[4].said, None);
        assert_eq!(Reliability::of([].into_iter()).ece, 0.0);
    }

    #[test]
    fn unanswerable_requests_count_and_the_sixth_tool_does_not() {
        let ranking = (0..6).map(|nth| Ranked {
            name: nth.to_string(),
            score: 0.5,
            why: None,
        });
        let answered = Answered {
            ranking: ranking.collect(),
            ..Answered::default()
        };
        let relevant = vec!["0".to_owned(), "5".to_owned()];
        let needed = Query {
            relevant,
            also_accept: vec!["1".to_owned()],
            ..Query::default()
        };
        let asked = [(needed, answered.clone()), (Query::default(), answered)];
        let calibration = Calibration::of(&asked);
        assert_eq!(calibration.first_five.bins[5].suggestions, 10);
        assert_eq!(calibration.first_five.bins[5].right, Some(0.2));
        assert_eq!(calibration.first_five.ece, 0.3);
        assert_eq!(calibration.top_1.bins[5].right, Some(0.5));
        assert_eq!(calibration.top_1.ece, 0.0);
    }

    proptest! {
        #[test]
        fn it_is_the_weighted_distance_of_each_bin(
            suggestions in proptest::collection::vec((0.0f64..=1.0, any::<bool>()), 1..60),
        ) {
            let mut expected = 0.0;
            for bin in 0..10 {
                let (from, to) = (f64::from(bin) / 10.0, f64::from(bin + 1) / 10.0);
                let inside: Vec<_> = suggestions
                    .iter()
                    .filter(|(said, _)| (*said >= from || bin == 0) && (*said < to || bin == 9))
                    .collect();
                if inside.is_empty() {
                    continue;
                }
                let count = inside.len() as f64;
                let said = inside.iter().map(|(said, _)| said).sum::<f64>() / count;
                let right = inside.iter().filter(|(_, right)| *right).count() as f64 / count;
                expected += count / suggestions.len() as f64 * (said - right).abs();
            }
            let reliability = Reliability::of(suggestions.into_iter());
            prop_assert!((reliability.ece - expected).abs() < 1e-4, "{} {expected}", reliability.ece);
        }
    }
}
