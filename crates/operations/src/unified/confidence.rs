//! How probable is it that this tool with these arguments is what was asked?
//!
//! Two logistic models over the signals: that the tool is the one meant, and that its arguments are exactly what was
//! said if it is. Their product, moved by a constant that holds wrong calls under one in a hundred, is the confidence.
//! The numbers are a data file, fitted by `training/fit_unified.py`; its `provenance` says from what. Tools that destroy
//! are held to a stricter line by a penalty of their own (P20).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::signals::{Signal, Signals};

/// The model that is part of the program.
const EMBEDDED: &str = include_str!("../../data/unified.json");

/// Most that a preference of the caller adds to the logarithm of the odds. Below `ln(0.7 / 0.3)`, so that what is
/// less probable than not stays below the line whatever is preferred (P21).
const PREFERENCE_MAX: f32 = 0.8;

/// Both models.
#[derive(Clone, Debug, Deserialize)]
struct Model {
    tool: Logistic,
    arguments: Logistic,
    /// What is taken off the logarithm of the odds of every call.
    caution: f32,
    /// What is taken off besides for a tool that destroys.
    destructive_penalty: f32,
}

/// One logistic model by the names of [`Signal`].
#[derive(Clone, Debug, Default, Deserialize)]
struct Logistic {
    intercept: f32,
    weights: BTreeMap<String, f32>,
}

impl Logistic {
    fn check(&self) -> Result<(), String> {
        let is_signal = |name: &String| Signal::ALL.iter().any(|signal| signal.name() == name);
        if let Some(name) = self.weights.keys().find(|name| !is_signal(name)) {
            return Err(format!("`weights.{name}` is the weight of no signal"));
        }
        let finite = self
            .weights
            .values()
            .chain([&self.intercept])
            .all(|number| number.is_finite());
        if finite {
            Ok(())
        } else {
            Err("every number must be finite".to_owned())
        }
    }

    fn probability(&self, signals: &Signals) -> f32 {
        let weighed = Signal::ALL
            .into_iter()
            .map(|signal| self.weights.get(signal.name()).copied().unwrap_or_default() * signals.get(signal));
        sigmoid(self.intercept + weighed.sum::<f32>())
    }
}

impl Model {
    /// Reads a model.
    fn parse(text: &str) -> Result<Self, String> {
        let model: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        model.tool.check()?;
        model.arguments.check()?;
        for (name, number) in [
            ("caution", model.caution),
            ("destructive_penalty", model.destructive_penalty),
        ] {
            if !(0.0..100.0).contains(&number) {
                return Err(format!("`{name}` must not be negative"));
            }
        }
        Ok(model)
    }

    /// The logarithm of the odds.
    fn log_odds(&self, signals: &Signals) -> f32 {
        let both = self.tool.probability(signals) * self.arguments.probability(signals);
        let both = both.clamp(1e-6, 1.0 - 1e-6);
        (both / (1.0 - both)).ln() - self.caution - self.destructive_penalty * signals.get(Signal::Destroys)
    }
}

/// The embedded model. A test reads it, so nobody meets the one that is never sure.
static EMBEDDED_MODEL: LazyLock<Model> = LazyLock::new(|| {
    Model::parse(EMBEDDED).unwrap_or(Model {
        tool: Logistic::default(),
        arguments: Logistic::default(),
        caution: 20.0,
        destructive_penalty: 0.0,
    })
});

/// How probable it is that the tool is the one meant, whatever its arguments, 0 to 1; preferences of the caller count as
/// they move `lead` to `lead_preferred`.
pub(super) fn meant(signals: &Signals, lead_preferred: f32) -> f32 {
    EMBEDDED_MODEL
        .tool
        .probability(&signals.with(Signal::Lead, lead_preferred))
}

/// The probability, 0 to 1.
#[cfg(test)]
fn confidence(signals: &Signals) -> f32 {
    sigmoid(EMBEDDED_MODEL.log_odds(signals))
}

/// The probability where the caller's preferences moved `lead` from what it is to `lead_preferred`. However much
/// that is, they add no more than a bounded amount (P21).
pub(super) fn confidence_preferred(signals: &Signals, lead_preferred: f32) -> f32 {
    let plain = EMBEDDED_MODEL.log_odds(signals);
    let moved = EMBEDDED_MODEL.log_odds(&signals.with(Signal::Lead, lead_preferred));
    sigmoid(moved.min(plain + PREFERENCE_MAX))
}

fn sigmoid(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use handpick_presentation::unified::CONFIDENCE_NEEDED;

    use super::*;

    #[test]
    fn the_embedded_model_is_sound() {
        Model::parse(EMBEDDED).unwrap();
    }

    #[test]
    fn a_broken_model_is_told() {
        let told = |text: &str| Model::parse(text).unwrap_err();
        let odd = r#"{"tool":{"intercept":0,"weights":{"moon":1}},"arguments":{"intercept":0,"weights":{}},"caution":0,"destructive_penalty":0}"#;
        assert!(told(odd).contains("weights.moon"));
        let generous = r#"{"tool":{"intercept":0,"weights":{}},"arguments":{"intercept":0,"weights":{}},"caution":0,"destructive_penalty":-1}"#;
        assert!(told(generous).contains("destructive_penalty"));
    }

    /// P20, P21: more that speaks for a tool never makes it less probable, and a tool that destroys needs more.
    #[test]
    fn p20_evidence_counts_the_right_way() {
        let likely = Signals::default()
            .with(Signal::Tool, 2.0)
            .with(Signal::Lead, 2.0)
            .with(Signal::Fits, 2.0)
            .with(Signal::Explained, 0.9)
            .with(Signal::LeastSure, 1.0)
            .with(Signal::MeanSure, 1.0);
        let base = confidence(&likely);
        for (signal, better) in [
            (Signal::Tool, true),
            (Signal::Lead, true),
            (Signal::Fits, true),
            (Signal::LeastSure, true),
            (Signal::Explained, true),
            (Signal::Torn, false),
            (Signal::Missing, false),
            (Signal::Destroys, false),
        ] {
            let more = confidence(&likely.with(signal, likely.get(signal) + 1.0));
            let holds = if better { more >= base } else { more <= base };
            assert!(holds, "{}: {base} to {more}", signal.name());
        }
        assert!(confidence(&likely.with(Signal::Destroys, 1.0)) < base);
    }

    /// P21: a preference alone cannot lift a hopeless match.
    #[test]
    fn p21_a_preference_is_bounded() {
        for tool in -6..=6 {
            for fits in -6..=6 {
                let signals = Signals::default()
                    .with(Signal::Tool, tool as f32)
                    .with(Signal::Fits, fits as f32)
                    .with(Signal::LeastSure, 1.0);
                let plain = confidence(&signals);
                let preferred = confidence_preferred(&signals, 6.0);
                assert!(preferred >= plain - 1e-6);
                assert!(
                    plain >= 0.5 || preferred < CONFIDENCE_NEEDED,
                    "{plain} to {preferred}"
                );
            }
        }
    }
}
