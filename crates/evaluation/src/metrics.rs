//! How good are rankings?

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::measure::TEN;
use crate::{Answered, Measure, Query};

/// Where the tools of one answerable request stand in its ranking; ranks begin at 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// How many tools are needed.
    pub needed: usize,
    /// The rank of the first tool that is right or not wrong.
    pub accepted: Option<usize>,
    /// The ranks of the needed tools that were found, best first.
    pub found: Vec<usize>,
    /// The same after tools that are merely not wrong were taken out of the ranking.
    pub judged: Vec<usize>,
}

impl Standing {
    /// Looks up every label of `query` in a ranking.
    pub fn of(query: &Query, answered: &Answered) -> Self {
        let mut standing = Self {
            needed: query.relevant.len(),
            accepted: None,
            found: Vec::new(),
            judged: Vec::new(),
        };
        let mut tolerated = 0;
        for (index, ranked) in answered.ranking.iter().enumerate() {
            if query.relevant.contains(&ranked.name) {
                standing.found.push(index + 1);
                standing.judged.push(index + 1 - tolerated);
            } else if query.also_accept.contains(&ranked.name) {
                tolerated += 1;
            } else {
                continue;
            }
            standing.accepted.get_or_insert(index + 1);
        }
        standing
    }

    /// The value of a measure of rankings, 0 to 1; `None` for one of answers.
    pub fn value(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Ndcg => Some(self.ndcg()),
            Measure::Hit(k) => Some(f64::from(self.accepted.is_some_and(|rank| rank <= k))),
            Measure::Recall(k) => Some(share(within(&self.judged, k), self.needed)),
            Measure::Complete => Some(f64::from(within(&self.found, TEN) == self.needed)),
            Measure::Mrr => Some(self.judged.first().map_or(0.0, |&rank| 1.0 / rank as f64)),
            Measure::WronglyEmpty | Measure::RightlyEmpty => None,
        }
    }

    fn ndcg(&self) -> f64 {
        let gain = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
        let gained: f64 = self
            .judged
            .iter()
            .filter(|&&rank| rank <= TEN)
            .map(|&rank| gain(rank))
            .sum();
        let ideal: f64 = (1..=self.needed.min(TEN)).map(gain).sum();
        if ideal > 0.0 { gained / ideal } else { 0.0 }
    }
}

fn within(ranks: &[usize], k: usize) -> usize {
    ranks.iter().filter(|&&rank| rank <= k).count()
}

/// A part of a whole; nothing of nothing is 0.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// Four digits are more than any set of requests can tell, and leave a report readable.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// Every measure of a group of requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// How many requests.
    pub queries: usize,
    /// How many of them some tool serves.
    pub answerable: usize,
    /// The measures that apply: those of rankings need an answerable request.
    #[serde(flatten)]
    pub values: BTreeMap<Measure, f64>,
}

impl Metrics {
    /// Measures a group, with hits and recalls at every one of `ks`.
    pub fn of<'a>(asked: impl Iterator<Item = &'a (Query, Answered)>, ks: &[usize]) -> Self {
        let mut sums: BTreeMap<Measure, f64> = BTreeMap::new();
        let (mut queries, mut answerable) = (0, 0);
        for (query, answered) in asked {
            queries += 1;
            let empty = f64::from(answered.answer.is_empty());
            if !query.is_answerable() {
                *sums.entry(Measure::RightlyEmpty).or_default() += empty;
                continue;
            }
            answerable += 1;
            *sums.entry(Measure::WronglyEmpty).or_default() += empty;
            let standing = Standing::of(query, answered);
            for measure in of_rankings(ks) {
                *sums.entry(measure).or_default() += standing.value(measure).unwrap_or_default();
            }
        }
        let mean = |(measure, sum): (Measure, f64)| {
            let count = match measure {
                Measure::RightlyEmpty => queries - answerable,
                _ => answerable,
            };
            (measure, rounded(sum / count as f64))
        };
        Self {
            queries,
            answerable,
            values: sums.into_iter().map(mean).collect(),
        }
    }

    /// The value of one measure, where it applies.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        self.values.get(&measure).copied()
    }
}

/// The measures of rankings.
fn of_rankings(ks: &[usize]) -> impl Iterator<Item = Measure> {
    let hits = ks.iter().map(|&k| Measure::Hit(k));
    let recalls = ks.iter().map(|&k| Measure::Recall(k));
    [Measure::Ndcg, Measure::Complete, Measure::Mrr]
        .into_iter()
        .chain(hits)
        .chain(recalls)
}
