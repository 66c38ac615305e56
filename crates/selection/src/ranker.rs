//! How probable is it that a tool serves the task? An additive model over the features.
//!
//! The numbers are a data file, fitted by `training/fit_ranker.py`; its `provenance` says from what.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

pub use crate::additive::sigmoid;
use crate::additive::{Model, ModelFile};
use crate::features::{Feature, Features};

/// The ranker that is part of the program.
const EMBEDDED: &str = include_str!("../data/ranker.json");

/// Two additive models: one for tools with a vector, one for those known by their words alone.
#[derive(Clone, Debug)]
pub struct Ranker {
    meaning: Model<Feature>,
    words: Model<Feature>,
    context: Model<Feature>,
}

/// The probability that a tool serves a task, and what it is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// 0 to 1.
    pub probability: f32,
    /// The logarithm of the odds of an average candidate; together with the shares that of this one.
    pub base: f32,
    /// What each feature adds to it.
    pub shares: Vec<(Feature, f32)>,
}

/// Why a ranker file does not serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the ranker cannot be used: {0}")]
pub struct RankerError(pub String);

#[derive(Deserialize)]
struct RankerFile {
    meaning: ModelFile,
    words: ModelFile,
    context: ModelFile,
}

impl Ranker {
    /// The ranker that is part of the program.
    pub fn embedded() -> Arc<Self> {
        static RANKER: LazyLock<Arc<Ranker>> = LazyLock::new(|| {
            // A test reads the embedded file, so nobody meets the empty one.
            Arc::new(Ranker::parse(EMBEDDED).unwrap_or_else(|_| Ranker::nothing()))
        });
        Arc::clone(&RANKER)
    }

    /// Reads the JSON text of a ranker.
    pub fn parse(text: &str) -> Result<Self, RankerError> {
        let file: RankerFile = serde_json::from_str(text).map_err(|error| RankerError(error.to_string()))?;
        let read = |file| {
            let named = |name: &str| Feature::ALL.into_iter().find(|feature| feature.name() == name);
            Model::read(file, named).map_err(RankerError)
        };
        Ok(Self {
            meaning: read(file.meaning)?,
            words: read(file.words)?,
            context: read(file.context)?,
        })
    }

    fn nothing() -> Self {
        Self {
            meaning: Model::nothing(),
            words: Model::nothing(),
            context: Model::nothing(),
        }
    }

    /// The logarithm of the odds that the tool with these features serves the task, whatever the context.
    pub fn log_odds(&self, features: &Features) -> f32 {
        self.of(features).log_odds(|feature| features.get(feature))
    }

    /// What a context adds to the logarithm of the odds: it may change the order, never what fits (A30).
    pub fn context(&self, features: &Features) -> f32 {
        if features.get(Feature::ContextWords).is_none() {
            return 0.0;
        }
        self.context.log_odds(|feature| features.get(feature))
    }

    /// What the probability is made of.
    pub fn score(&self, features: &Features) -> Score {
        let shares = [self.of(features), &self.context]
            .into_iter()
            .flat_map(|model| model.shares(|feature| features.get(feature)))
            .filter(|&(_, share)| share != 0.0)
            .collect();
        Score {
            probability: sigmoid(self.log_odds(features) + self.context(features)),
            base: self.of(features).intercept + self.context.intercept,
            shares,
        }
    }

    fn of(&self, features: &Features) -> &Model<Feature> {
        if features.get(Feature::Cosine).is_some() {
            &self.meaning
        } else {
            &self.words
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_ranker_is_sound() {
        Ranker::parse(EMBEDDED).unwrap();
    }

    #[test]
    fn a_bad_file_is_refused_with_the_reason() {
        let file = |curve: &str| {
            let model = format!(r#"{{"intercept":0,"curves":[{curve}]}}"#);
            format!(r#"{{"meaning":{model},"words":{model},"context":{model}}}"#)
        };
        for (curve, reason) in [
            (
                r#"{"feature":"mood","knots":[0],"values":[0]}"#,
                "no such feature",
            ),
            (r#"{"feature":"words","knots":[],"values":[]}"#, "one at least"),
            (r#"{"feature":"words","knots":[0,1],"values":[0]}"#, "as many"),
            (r#"{"feature":"words","knots":[1,0],"values":[0,0]}"#, "rising"),
            (r#"{"feature":"words","knots":[0],"values":[1e99]}"#, "number"),
        ] {
            let error = Ranker::parse(&file(curve)).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
