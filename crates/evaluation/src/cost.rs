//! How long do answers take, and how much does a model read of them?

use serde::{Deserialize, Serialize};

use crate::Answered;
use crate::metrics::rounded;

/// How long questions took, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// How many questions were timed.
    pub queries: usize,
    /// Half of them were faster.
    pub median: Option<f64>,
    /// One in a hundred was slower.
    pub p99: Option<f64>,
}

impl Latency {
    /// Of the questions that were timed.
    pub fn of<'a>(answered: impl Iterator<Item = &'a Answered>) -> Self {
        Self::of_times(answered.filter_map(|answered| answered.latency_ms))
    }

    /// Of times in milliseconds.
    pub fn of_times(times: impl Iterator<Item = f64>) -> Self {
        let mut times: Vec<f64> = times.collect();
        times.sort_unstable_by(f64::total_cmp);
        Self {
            queries: times.len(),
            median: median(&times).map(rounded),
            p99: percentile(&times, 99).map(rounded),
        }
    }
}

/// The middle of sorted numbers; between the two of them where their number is even.
fn median(sorted: &[f64]) -> Option<f64> {
    let upper = sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

/// The smallest of sorted numbers that `percent` of them do not exceed.
fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

/// Estimated tokens that a model reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tokens {
    /// Of every definition in the catalog: what it costs to hand over all of them.
    pub catalog: usize,
    /// Of the definitions in one answer, on average; an empty answer costs none.
    pub shown_per_query: f64,
    /// The one over the other.
    pub share: f64,
}

impl Tokens {
    /// Of a set of answers from a catalog that costs `catalog` tokens.
    pub fn of(catalog: usize, answered: &[&Answered]) -> Self {
        let shown: usize = answered.iter().map(|answered| answered.tokens).sum();
        let mean = shown as f64 / answered.len().max(1) as f64;
        Self {
            catalog,
            shown_per_query: (mean * 10.0).round() / 10.0,
            share: (mean / catalog.max(1) as f64 * 1e6).round() / 1e6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(times: &[u32]) -> Latency {
        let answered: Vec<Answered> = times
            .iter()
            .map(|&time| Answered {
                latency_ms: (time > 0).then(|| f64::from(time)),
                ..Answered::default()
            })
            .collect();
        Latency::of(answered.iter())
    }

    #[test]
    fn times_are_cut_where_they_should_be() {
        assert_eq!(timed(&[0]).median, None);
        let one = timed(&[7]);
        assert_eq!((one.median, one.p99), (Some(7.0), Some(7.0)));
        let few = timed(&[4, 0, 1, 3, 2]);
        assert_eq!((few.queries, few.median, few.p99), (4, Some(2.5), Some(4.0)));
        let many = timed(&(1..=200).rev().collect::<Vec<_>>());
        assert_eq!((many.median, many.p99), (Some(100.5), Some(198.0)));
    }

    #[test]
    fn tokens_are_a_mean_over_all_answers() {
        let answered = [10, 0, 5].map(|tokens| Answered {
            tokens,
            ..Answered::default()
        });
        let tokens = Tokens::of(1_000, &answered.iter().collect::<Vec<_>>());
        assert_eq!((tokens.shown_per_query, tokens.share), (5.0, 0.005));
    }
}
