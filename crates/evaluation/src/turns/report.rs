//! What does a whole domain come to, and what do all?

#[cfg(test)]
pub(super) mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::misses::{self, Asked, Miss};
use super::tally::{Measure, Tally};
use crate::cost::Latency;

/// How turns were asked: runs that differ here are not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Whether past conversations were added.
    pub traces: bool,
    /// Whether past conversations may vote.
    pub memory: bool,
    /// The cap on matched tools, where one was set.
    pub max_tools: Option<usize>,
}

/// Everything measured on one domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Its name.
    pub domain: String,
    /// How many tools its catalog has.
    pub tools: usize,
    /// How many past conversations it learned from.
    pub traces: usize,
    /// The measures that something is labelled for.
    pub measures: BTreeMap<Measure, f64>,
    /// What they are made from.
    pub counts: Tally,
    /// How long answers took.
    pub latency_ms: Latency,
    /// The worst turns, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub misses: Option<Vec<Miss>>,
}

impl Report {
    /// Measures the turns of one domain. `misses` says how many of the worst to tell; 0 tells none.
    pub fn of(domain: &str, tools: usize, traces: usize, asked: &[Asked], misses: usize) -> Self {
        let counts: Tally = asked.iter().map(|turn| &turn.judged.tally).sum();
        Self {
            domain: domain.to_owned(),
            tools,
            traces,
            measures: measures(&counts),
            counts,
            latency_ms: Latency::of_times(asked.iter().filter_map(|turn| turn.latency_ms)),
            misses: (misses > 0).then(|| misses::worst(asked, misses)),
        }
    }

    /// The value of a measure; `None` where nothing is labelled for it.
    pub fn get(&self, measure: Measure) -> Option<f64> {
        self.measures.get(&measure).copied()
    }
}

/// Several domains, and all of their turns together: what `handpick eval turns --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reports {
    /// How they were asked.
    pub setup: Setup,
    /// Each domain.
    pub domains: Vec<Report>,
    /// All turns of all domains.
    pub overall: Overall,
}

/// All turns of several domains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overall {
    /// The measures that something is labelled for.
    pub measures: BTreeMap<Measure, f64>,
    /// What they are made from.
    pub counts: Tally,
    /// How long answers took.
    pub latency_ms: Latency,
}

impl Reports {
    /// Puts domains together, each given with its turns.
    pub fn of<'a>(setup: Setup, domains: Vec<Report>, asked: impl Iterator<Item = &'a Asked>) -> Self {
        let counts: Tally = domains.iter().map(|domain| &domain.counts).sum();
        Self {
            setup,
            overall: Overall {
                measures: measures(&counts),
                counts,
                latency_ms: Latency::of_times(asked.filter_map(|turn| turn.latency_ms)),
            },
            domains,
        }
    }
}

/// Every measure that has a value.
pub fn measures(counts: &Tally) -> BTreeMap<Measure, f64> {
    let valued = |measure| Some((measure, counts.value(measure)?));
    Measure::ALL.into_iter().filter_map(valued).collect()
}
