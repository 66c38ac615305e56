//! What do curves over named numbers add up to?
//!
//! Each number has a curve, given by its values at some knots and straight in between. The values add up to the
//! logarithm of the odds, so a whole model can be read, drawn and explained.

use serde::Deserialize;

/// An additive model over the numbers that `K` names.
#[derive(Clone, Debug)]
pub(crate) struct Model<K> {
    pub intercept: f32,
    pub curves: Vec<(K, Curve)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Curve {
    knots: Vec<f32>,
    values: Vec<f32>,
}

/// A model as data files write it.
#[derive(Deserialize)]
pub(crate) struct ModelFile {
    intercept: f32,
    curves: Vec<CurveFile>,
}

#[derive(Deserialize)]
struct CurveFile {
    feature: String,
    knots: Vec<f32>,
    values: Vec<f32>,
}

impl<K: Copy> Model<K> {
    /// A model that says even odds of everything.
    pub fn nothing() -> Self {
        Self {
            intercept: 0.0,
            curves: Vec::new(),
        }
    }

    /// Checks a model; `named` finds what a curve is over. The error says what is wrong.
    pub fn read(file: ModelFile, named: impl Fn(&str) -> Option<K>) -> Result<Self, String> {
        let curves = file.curves.into_iter().map(|curve| {
            let wrong = |what: &str| format!("the curve of `{}` {what}", curve.feature);
            let key = named(&curve.feature).ok_or_else(|| wrong("has no such feature"))?;
            Ok((key, Curve::new(curve.knots, curve.values).map_err(wrong)?))
        });
        let curves = curves.collect::<Result<_, String>>()?;
        if !file.intercept.is_finite() {
            return Err("`intercept` must be a finite number".to_owned());
        }
        Ok(Self {
            intercept: file.intercept,
            curves,
        })
    }

    /// The logarithm of the odds. What `value` does not know adds nothing.
    pub fn log_odds(&self, value: impl Fn(K) -> Option<f32>) -> f32 {
        self.intercept + self.shares(value).map(|(_, share)| share).sum::<f32>()
    }

    /// What each number adds.
    pub fn shares(&self, value: impl Fn(K) -> Option<f32>) -> impl Iterator<Item = (K, f32)> {
        self.curves
            .iter()
            .filter_map(move |(key, curve)| Some((*key, curve.at(value(*key)?))))
    }
}

impl Curve {
    fn new(knots: Vec<f32>, values: Vec<f32>) -> Result<Self, &'static str> {
        if knots.is_empty() || knots.len() != values.len() {
            return Err("needs as many `values` as `knots`, one at least");
        }
        if !knots.iter().chain(&values).all(|number| number.is_finite()) {
            return Err("must consist of finite numbers");
        }
        if !knots.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err("needs rising `knots`");
        }
        Ok(Self { knots, values })
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
    fn a_curve_is_straight_between_knots_and_level_outside() {
        let curve = Curve::new(vec![0.0, 1.0, 3.0], vec![-1.0, 1.0, 0.0]).unwrap();
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
}
