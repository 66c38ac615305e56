//! Does the product know when nothing fits?

use serde::{Deserialize, Serialize};

use crate::metrics::{rounded, share};
use crate::{Answered, Query};

/// How well answerable and unanswerable requests are told apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Abstention {
    /// Requests that some tool serves.
    pub answerable: usize,
    /// Requests that none serves.
    pub unanswerable: usize,
    /// How often the product is surer of an answerable request than of an unanswerable one that anything fits
    /// ([`Answered::certainty`]); equal ones count half.
    /// `None` where the set has only one of the two.
    pub auroc: Option<f64>,
    /// The share of the unanswerable ones whose answer is empty.
    pub rightly_empty: Option<f64>,
    /// The share of the answerable ones whose answer is empty.
    pub wrongly_empty: Option<f64>,
}

impl Abstention {
    /// Measures a whole set.
    pub fn of(asked: &[(Query, Answered)]) -> Self {
        let (answerable, unanswerable): (Vec<_>, Vec<_>) =
            asked.iter().partition(|(query, _)| query.is_answerable());
        let empty = |asked: &[&(Query, Answered)]| {
            let empty = asked.iter().filter(|(_, answered)| answered.answer.is_empty());
            (!asked.is_empty()).then(|| rounded(share(empty.count(), asked.len())))
        };
        let scores = |asked: &[&(Query, Answered)]| -> Vec<f64> {
            asked.iter().map(|(_, answered)| answered.certainty()).collect()
        };
        Self {
            answerable: answerable.len(),
            unanswerable: unanswerable.len(),
            auroc: auroc(&scores(&answerable), &scores(&unanswerable)).map(rounded),
            rightly_empty: empty(&unanswerable),
            wrongly_empty: empty(&answerable),
        }
    }
}

/// The chance that one of `high` lies above one of `low`, ties counting half; `None` where either is empty.
pub fn auroc(high: &[f64], low: &[f64]) -> Option<f64> {
    if high.is_empty() || low.is_empty() {
        return None;
    }
    let mut low = low.to_vec();
    low.sort_unstable_by(f64::total_cmp);
    let wins: f64 = high
        .iter()
        .map(|score| {
            let below = low.partition_point(|other| other < score);
            let not_above = low.partition_point(|other| other <= score);
            (below + not_above) as f64 / 2.0
        })
        .sum();
    Some(wins / (high.len() * low.len()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The probability that anything fits tells requests apart, and the top score where there is none.
    #[test]
    fn the_probability_goes_before_the_top_score() {
        let asked = |relevant: &[&str], fits, score| {
            let query = Query {
                relevant: relevant.iter().map(|&name| name.to_owned()).collect(),
                ..Query::default()
            };
            let ranking = vec![crate::Ranked {
                score,
                ..crate::Ranked::default()
            }];
            let answered = Answered {
                ranking,
                fits,
                ..Answered::default()
            };
            (query, answered)
        };
        for (fits, expected) in [((Some(0.9), Some(0.2)), 1.0), ((None, None), 0.0)] {
            let asked = [asked(&["a"], fits.0, 0.3), asked(&[], fits.1, 0.7)];
            assert_eq!(Abstention::of(&asked).auroc, Some(expected));
        }
    }

    #[test]
    fn a_table_made_by_hand() {
        assert_eq!(auroc(&[1.0], &[]), None);
        assert_eq!(auroc(&[0.9, 0.8], &[0.1, 0.2]), Some(1.0));
        assert_eq!(auroc(&[0.1], &[0.2, 0.3]), Some(0.0));
        assert_eq!(auroc(&[0.5, 0.5], &[0.5]), Some(0.5));
        assert_eq!(
            auroc(&[0.5, f64::NEG_INFINITY], &[0.4, f64::NEG_INFINITY]),
            Some(0.625)
        );
    }

    proptest! {
        #[test]
        fn it_is_the_share_of_pairs_in_order(
            high in proptest::collection::vec(0u8..12, 1..20),
            low in proptest::collection::vec(0u8..12, 1..20),
        ) {
            let mut wins = 0.0;
            for a in &high {
                for b in &low {
                    wins += if a > b { 1.0 } else if a == b { 0.5 } else { 0.0 };
                }
            }
            let floats = |scores: &[u8]| scores.iter().map(|&score| f64::from(score)).collect::<Vec<_>>();
            let value = auroc(&floats(&high), &floats(&low)).unwrap();
            prop_assert!((value - wins / (high.len() * low.len()) as f64).abs() < 1e-12);
        }
    }
}
