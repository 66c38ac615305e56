//! How probable is it that anything fits? An additive model over what the whole answer looks like.
//!
//! A tool's own probability says little of this: among thousands of tools something always looks near. The numbers
//! are a data file, fitted by `training/fit_answerability.py`; its `provenance` says from what.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use crate::additive::{Model, ModelFile, sigmoid};
use crate::features::{Feature, Features};
use crate::ranker::{Ranker, RankerError};

/// The model that is part of the program.
const EMBEDDED: &str = include_str!("../data/answerability.json");

/// How far down the ranking the top one is compared: with the tool on this place.
const FIELD: usize = 5;

/// One number about a whole answer. Absent where there is nothing to compare, which says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Logarithm of the odds of the best tool, over the task and its clauses.
    Fit,
    /// How far the best tool's is above that of the sixth, or of the last of fewer.
    Lead,
    /// How far it is above that of the best tool of any other app.
    AppLead,
    /// Cosine of the tool nearest in meaning.
    Cosine,
    /// Mean cosine of all tools: how much the task is like what tools do at all.
    CosineMean,
    /// The best agreement with a product that the task names: -1 where none of the tools is of it.
    Vendor,
    /// The largest share of the task's words, weighted by rarity, that one tool has.
    Coverage,
}

impl Signal {
    /// All of them, in the order of [`Signals`].
    pub const ALL: [Self; 7] = [
        Self::Fit,
        Self::Lead,
        Self::AppLead,
        Self::Cosine,
        Self::CosineMean,
        Self::Vendor,
        Self::Coverage,
    ];

    /// Its name in the data file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fit => "fit",
            Self::Lead => "lead",
            Self::AppLead => "app_lead",
            Self::Cosine => "cosine",
            Self::CosineMean => "cosine_mean",
            Self::Vendor => "vendor",
            Self::Coverage => "coverage",
        }
    }
}

/// What a whole answer looks like: one number for each of [`Signal::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Signals {
    values: [Option<f32>; Signal::ALL.len()],
    /// Some tool shares a word with the task, or with what tools say for it.
    words_meet: bool,
}

impl Signals {
    /// Reads the candidates of every reading, the whole task's first; `app_of` tells the app of a position.
    pub fn of(
        readings: &[&BTreeMap<usize, Features>],
        ranker: &Ranker,
        app_of: impl Fn(usize) -> usize,
    ) -> Self {
        let mut signals = Self::default();
        let Some(&whole) = readings.first() else {
            return signals;
        };
        let mut ranking: Vec<(f32, usize)> = whole
            .iter()
            .map(|(&position, features)| (ranker.log_odds(features), app_of(position)))
            .collect();
        ranking.sort_by(|a, b| b.0.total_cmp(&a.0));
        if let Some(&(top, app)) = ranking.first() {
            let sixth = ranking[FIELD.min(ranking.len() - 1)].0;
            let other = ranking.iter().find(|candidate| candidate.1 != app);
            signals.set(Signal::Lead, Some(top - sixth));
            signals.set(Signal::AppLead, other.map(|other| top - other.0));
        }
        let everywhere = readings.iter().flat_map(|reading| reading.values());
        signals.set(
            Signal::Fit,
            highest(everywhere.map(|features| ranker.log_odds(features))),
        );
        signals.words_meet = readings
            .iter()
            .flat_map(|reading| reading.values())
            .any(|features| {
                [Feature::Coverage, Feature::HintsFound]
                    .into_iter()
                    .any(|feature| features.get(feature) > Some(0.0))
            });
        let best = |feature| highest(whole.values().filter_map(move |features| features.get(feature)));
        signals.set(Signal::Cosine, best(Feature::Cosine));
        signals.set(Signal::Vendor, best(Feature::Vendor));
        signals.set(Signal::Coverage, best(Feature::Coverage));
        let mean =
            |features: &Features| Some(features.get(Feature::Cosine)? - features.get(Feature::CosineLift)?);
        signals.set(Signal::CosineMean, whole.values().find_map(mean));
        signals
    }

    /// The number, or `None` where there is none.
    pub fn get(&self, signal: Signal) -> Option<f32> {
        self.values[signal as usize]
    }

    fn set(&mut self, signal: Signal, value: Option<f32>) {
        self.values[signal as usize] = value;
    }
}

fn highest(values: impl Iterator<Item = f32>) -> Option<f32> {
    values.max_by(f32::total_cmp)
}

/// Two additive models: one for catalogs with vectors, one for those known by words alone.
#[derive(Clone, Debug)]
pub struct Answerability {
    meaning: Model<Signal>,
    words: Model<Signal>,
}

#[derive(Deserialize)]
struct AnswerabilityFile {
    meaning: ModelFile,
    words: ModelFile,
}

impl Answerability {
    /// The model that is part of the program.
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED_MODEL: LazyLock<Arc<Answerability>> = LazyLock::new(|| {
            // A test reads the embedded file, so nobody meets the empty one.
            let nothing = || Answerability {
                meaning: Model::nothing(),
                words: Model::nothing(),
            };
            Arc::new(Answerability::parse(EMBEDDED).unwrap_or_else(|_| nothing()))
        });
        Arc::clone(&EMBEDDED_MODEL)
    }

    /// Reads the JSON text of a model.
    pub fn parse(text: &str) -> Result<Self, RankerError> {
        let file: AnswerabilityFile =
            serde_json::from_str(text).map_err(|error| RankerError(error.to_string()))?;
        let read = |file| {
            let named = |name: &str| Signal::ALL.into_iter().find(|signal| signal.name() == name);
            Model::read(file, named).map_err(RankerError)
        };
        Ok(Self {
            meaning: read(file.meaning)?,
            words: read(file.words)?,
        })
    }

    /// The probability that anything fits: 0 to 1.
    pub fn probability(&self, signals: &Signals) -> f32 {
        let model = if signals.get(Signal::Cosine).is_some() {
            &self.meaning
        } else if signals.words_meet {
            &self.words
        } else {
            // By words alone, nothing speaks for any tool.
            return 0.0;
        };
        sigmoid(model.log_odds(|signal| signals.get(signal)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_model_is_sound() {
        Answerability::parse(EMBEDDED).unwrap();
    }

    #[test]
    fn names_and_places_agree() {
        for (place, signal) in Signal::ALL.into_iter().enumerate() {
            assert_eq!(signal as usize, place, "{}", signal.name());
        }
    }

    #[test]
    fn the_top_is_compared_with_the_field_and_with_other_apps() {
        let at = |cosine: f32| {
            Features::default()
                .with(Feature::Cosine, cosine)
                .with(Feature::CosineLift, cosine - 0.1)
                .with(Feature::Vendor, -1.0)
        };
        let whole: BTreeMap<usize, Features> = [(0, at(0.6)), (1, at(0.3)), (2, at(0.2))].into();
        let ranker = Ranker::embedded();
        let odds = |cosine| ranker.log_odds(&at(cosine));
        let read = |app_of: fn(usize) -> usize| Signals::of(&[&whole], &ranker, app_of);
        let signals = read(|position| usize::from(position == 2));
        for (signal, expected) in [
            (Signal::Fit, odds(0.6)),
            (Signal::Lead, odds(0.6) - odds(0.2)),
            (Signal::AppLead, odds(0.6) - odds(0.2)),
            (Signal::Cosine, 0.6),
            (Signal::CosineMean, 0.1),
            (Signal::Vendor, -1.0),
        ] {
            let value = signals.get(signal).unwrap();
            assert!((value - expected).abs() < 1e-5, "{}: {value}", signal.name());
        }
        assert_eq!(signals.get(Signal::Coverage), None);
        assert_eq!(read(|_| 0).get(Signal::AppLead), None, "no other app");
        let nothing = Signals::of(&[&BTreeMap::new()], &ranker, |_| 0);
        assert!(
            Signal::ALL
                .into_iter()
                .all(|signal| nothing.get(signal).is_none())
        );
    }

    /// Without vectors something must be shared, whatever the curves say.
    #[test]
    fn words_that_never_meet_fit_nothing() {
        let answerability = Answerability::embedded();
        let fits = |coverage: f32| {
            let tools = BTreeMap::from([(0, Features::default().with(Feature::Coverage, coverage))]);
            answerability.probability(&Signals::of(&[&tools], &Ranker::embedded(), |_| 0))
        };
        assert_eq!(fits(0.0), 0.0);
        assert!(fits(0.9) > 0.0);
    }
}
