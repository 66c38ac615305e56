//! What does a whole set come to?

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::abstention::Abstention;
use crate::calibration::Calibration;
use crate::cost::{Latency, Tokens};
use crate::metrics::{Metrics, rounded};
use crate::misses::{FalseAlarm, Miss};
use crate::ordered::Ordered;
use crate::{Answered, Measure, Query, misses};

/// Everything measured on one set: what `handpick eval --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The set's name.
    pub set: String,
    /// How it was asked.
    pub profile: String,
    /// How many requests were asked.
    pub queries: usize,
    /// How many tools the catalog has.
    pub tools: usize,
    /// Requests whose lookup did not finish; they count as answered with nothing.
    #[serde(default)]
    pub unavailable: usize,
    /// All requests together.
    pub overall: Metrics,
    /// Each kind of request, in the order of the file.
    pub kinds: Ordered<Metrics>,
    /// Whether the product knows when nothing fits.
    pub abstention: Abstention,
    /// Whether its probabilities are true; `None` where its scores are none.
    pub calibration: Option<Calibration>,
    /// How long it takes.
    pub latency_ms: Latency,
    /// How much a model reads.
    pub tokens: Tokens,
    /// The worst misses, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub misses: Option<Vec<Miss>>,
    /// What was suggested most surely though nothing fits, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_alarms: Option<Vec<FalseAlarm>>,
}

/// What a report needs to know besides the answers.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// The set's name.
    pub set: &'a str,
    /// How it was asked.
    pub profile: &'a str,
    /// How many tools the catalog has.
    pub tools: usize,
    /// Estimated tokens of every definition in the catalog.
    pub catalog_tokens: usize,
    /// Where hits and recalls are counted.
    pub ks: &'a [usize],
    /// Whether scores are probabilities.
    pub scores_are_probabilities: bool,
    /// Requests whose lookup did not finish.
    pub unavailable: usize,
    /// How many of the worst misses to tell; 0 tells none.
    pub misses: usize,
}

impl Report {
    /// Measures a set of requests, each with its answer.
    pub fn of(setup: &Setup<'_>, asked: &[(Query, Answered)]) -> Self {
        let answered: Vec<&Answered> = asked.iter().map(|(_, answered)| answered).collect();
        let wants_misses = setup.misses > 0;
        Self {
            set: setup.set.to_owned(),
            profile: setup.profile.to_owned(),
            queries: asked.len(),
            tools: setup.tools,
            unavailable: setup.unavailable,
            overall: Metrics::of(asked.iter(), setup.ks),
            kinds: kinds(asked, setup.ks),
            abstention: Abstention::of(asked),
            calibration: setup.scores_are_probabilities.then(|| Calibration::of(asked)),
            latency_ms: Latency::of(answered.iter().copied()),
            tokens: Tokens::of(setup.catalog_tokens, &answered),
            misses: wants_misses.then(|| misses::worst(asked, setup.misses)),
            false_alarms: wants_misses.then(|| misses::false_alarms(asked, setup.misses)),
        }
    }
}

fn kinds(asked: &[(Query, Answered)], ks: &[usize]) -> Ordered<Metrics> {
    let mut names: Vec<&str> = Vec::new();
    for (query, _) in asked {
        if !names.contains(&query.kind.as_str()) {
            names.push(&query.kind);
        }
    }
    let measured = |name: &str| {
        let of_kind = asked.iter().filter(|(query, _)| query.kind == name);
        (name.to_owned(), Metrics::of(of_kind, ks))
    };
    Ordered(names.into_iter().map(measured).collect())
}

/// What several sets come to, each counting the same: what `handpick eval --json` prints for several folders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reports {
    /// Each set.
    pub sets: Vec<Report>,
    /// The mean over the sets of every measure of `overall` that all of them have.
    pub mean: BTreeMap<Measure, f64>,
}

impl Reports {
    /// Puts reports together.
    pub fn of(sets: Vec<Report>) -> Self {
        let measures = sets.first().map(|report| &report.overall.values);
        let mean_of = |measure: Measure| {
            let values: Option<Vec<f64>> = sets.iter().map(|report| report.overall.get(measure)).collect();
            let values = values?;
            Some((measure, rounded(values.iter().sum::<f64>() / values.len() as f64)))
        };
        let mean = measures
            .into_iter()
            .flat_map(BTreeMap::keys)
            .filter_map(|&measure| mean_of(measure))
            .collect();
        Self { sets, mean }
    }
}

/// Reads what an earlier run printed, of one set or of several.
pub fn read(source: &str) -> Result<Vec<Report>, serde_json::Error> {
    // The presence of `sets` decides, so that a mistake is told about the form that was meant.
    let value: serde_json::Value = serde_json::from_str(source)?;
    if value.get("sets").is_some() {
        return Ok(serde_json::from_value::<Reports>(value)?.sets);
    }
    Ok(vec![serde_json::from_value(value)?])
}
