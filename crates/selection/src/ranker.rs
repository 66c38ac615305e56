//! How probable is it that a tool serves the task? An additive model over the features.
//!
//! Each feature has a curve, given by its values at some knots and straight in between. The curves' values add up
//! to the logarithm of the odds. So the whole model can be read, drawn, and explained tool by tool. The numbers are
//! a data file, fitted by `training/fit_ranker.py`; its `provenance` says from what.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use crate::features::{Feature, Features};

/// The ranker that is part of the program.
const EMBEDDED: &str = include_str!("../data/ranker.json");

/// Two additive models: one for tools with a vector, one for those known by their words alone.
#[derive(Clone, Debug)]
pub struct Ranker {
    meaning: Model,
    words: Model,
    context: Model,
}

#[derive(Clone, Debug)]
struct Model {
    intercept: f32,
    curves: Vec<Curve>,
}

#[derive(Clone, Debug)]
struct Curve {
    feature: Feature,
    knots: Vec<f32>,
    values: Vec<f32>,
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

#[derive(Deserialize)]
struct ModelFile {
    intercept: f32,
    curves: Vec<CurveFile>,
}

#[derive(Deserialize)]
struct CurveFile {
    feature: String,
    knots: Vec<f32>,
    values: Vec<f32>,
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
        Ok(Self {
            meaning: Model::read(file.meaning)?,
            words: Model::read(file.words)?,
            context: Model::read(file.context)?,
        })
    }

    fn nothing() -> Self {
        let model = Model {
            intercept: 0.0,
            curves: Vec::new(),
        };
        Self {
            meaning: model.clone(),
            words: model.clone(),
            context: model,
        }
    }

    /// The logarithm of the odds that the tool with these features serves the task, whatever the context.
    pub fn log_odds(&self, features: &Features) -> f32 {
        self.of(features).log_odds(features)
    }

    /// What a context adds to the logarithm of the odds: it may change the order, never what fits (A30).
    pub fn context(&self, features: &Features) -> f32 {
        if features.get(Feature::ContextWords).is_none() {
            return 0.0;
        }
        self.context.log_odds(features)
    }

    /// What the probability is made of.
    pub fn score(&self, features: &Features) -> Score {
        let shares = [self.of(features), &self.context]
            .into_iter()
            .flat_map(|model| &model.curves)
            .filter_map(|curve| Some((curve.feature, curve.at(features.get(curve.feature)?))))
            .filter(|&(_, share)| share != 0.0)
            .collect();
        Score {
            probability: sigmoid(self.log_odds(features) + self.context(features)),
            base: self.of(features).intercept + self.context.intercept,
            shares,
        }
    }

    fn of(&self, features: &Features) -> &Model {
        if features.get(Feature::Cosine).is_some() {
            &self.meaning
        } else {
            &self.words
        }
    }
}

impl Model {
    fn read(file: ModelFile) -> Result<Self, RankerError> {
        let curves = file
            .curves
            .into_iter()
            .map(Curve::read)
            .collect::<Result<_, _>>()?;
        if !file.intercept.is_finite() {
            return Err(RankerError("`intercept` must be a finite number".to_owned()));
        }
        Ok(Self {
            intercept: file.intercept,
            curves,
        })
    }

    fn log_odds(&self, features: &Features) -> f32 {
        let shares = self
            .curves
            .iter()
            .filter_map(|curve| Some(curve.at(features.get(curve.feature)?)));
        self.intercept + shares.sum::<f32>()
    }
}

impl Curve {
    fn read(file: CurveFile) -> Result<Self, RankerError> {
        let wrong = |what: &str| RankerError(format!("the curve of `{}` {what}", file.feature));
        let feature = Feature::ALL
            .into_iter()
            .find(|feature| feature.name() == file.feature)
            .ok_or_else(|| wrong("has no such feature"))?;
        if file.knots.is_empty() || file.knots.len() != file.values.len() {
            return Err(wrong("needs as many `values` as `knots`, one at least"));
        }
        if !file
            .knots
            .iter()
            .chain(&file.values)
            .all(|number| number.is_finite())
        {
            return Err(wrong("must consist of finite numbers"));
        }
        if !file.knots.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err(wrong("needs rising `knots`"));
        }
        Ok(Self {
            feature,
            knots: file.knots,
            values: file.values,
        })
    }

    /// The curve at `x`: straight between knots, level outside.
    fn at(&self, x: f32) -> f32 {
        let next = self.knots.partition_point(|&knot| knot <= x);
        if next == 0 {
            return self.values[0];
        }
        let Some(&right) = self.knots.get(next) else {
            return self.values[self.values.len() - 1];
        };
        let left = self.knots[next - 1];
        let share = (x - left) / (right - left);
        self.values[next - 1] * (1.0 - share) + self.values[next] * share
    }
}

/// The probability whose odds have this logarithm.
pub fn sigmoid(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_ranker_is_sound() {
        Ranker::parse(EMBEDDED).unwrap();
    }

    #[test]
    fn a_curve_is_straight_between_knots_and_level_outside() {
        let curve = Curve {
            feature: Feature::Words,
            knots: vec![0.0, 1.0, 3.0],
            values: vec![-1.0, 1.0, 0.0],
        };
        for (x, y) in [
            (-5.0, -1.0),
            (0.0, -1.0),
            (0.5, 0.0),
            (1.0, 1.0),
            (2.0, 0.5),
            (3.0, 0.0),
            (9.0, 0.0),
        ] {
            assert!((curve.at(x) - y).abs() < 1e-6, "{x}");
        }
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
