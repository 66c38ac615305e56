//! What is measured, and which way is better?

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One number about a kind of requests. Those of rankings are means over the answerable requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Measure {
    /// How near the top ten come to the best order there could be.
    Ndcg,
    /// How often one of the first k is right, or at least not wrong.
    Hit(usize),
    /// The share of the needed tools that is among the first k.
    Recall(usize),
    /// How often every needed tool is among the first ten.
    Complete,
    /// One over the rank of the first needed tool.
    Mrr,
    /// The share of the answerable requests that are answered with nothing.
    WronglyEmpty,
    /// The share of the unanswerable requests that are answered with nothing.
    RightlyEmpty,
}

/// What [`Measure::Ndcg`] and [`Measure::Complete`] look at.
pub const TEN: usize = 10;

impl Measure {
    /// Whether a larger number is a better one.
    pub fn is_better_larger(self) -> bool {
        self != Self::WronglyEmpty
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ndcg => write!(f, "ndcg@{TEN}"),
            Self::Hit(k) => write!(f, "hit@{k}"),
            Self::Recall(k) => write!(f, "recall@{k}"),
            Self::Complete => write!(f, "complete@{TEN}"),
            Self::Mrr => f.write_str("mrr"),
            Self::WronglyEmpty => f.write_str("wrongly_empty"),
            Self::RightlyEmpty => f.write_str("rightly_empty"),
        }
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> Self {
        measure.to_string()
    }
}

/// A name that no measure has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no measure")]
pub struct UnknownMeasure(String);

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(text: &str) -> Result<Self, UnknownMeasure> {
        let unknown = || UnknownMeasure(text.to_owned());
        let (name, k) = text.split_once('@').unwrap_or((text, ""));
        let k = k.parse::<usize>().ok();
        match (name, k) {
            ("ndcg", Some(TEN)) => Ok(Self::Ndcg),
            ("hit", Some(k)) => Ok(Self::Hit(k)),
            ("recall", Some(k)) => Ok(Self::Recall(k)),
            ("complete", Some(TEN)) => Ok(Self::Complete),
            ("mrr", None) => Ok(Self::Mrr),
            ("wrongly_empty", None) => Ok(Self::WronglyEmpty),
            ("rightly_empty", None) => Ok(Self::RightlyEmpty),
            _ => Err(unknown()),
        }
    }
}

impl TryFrom<String> for Measure {
    type Error = UnknownMeasure;

    fn try_from(text: String) -> Result<Self, UnknownMeasure> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_reads_back() {
        for measure in [
            Measure::Ndcg,
            Measure::Hit(1),
            Measure::Recall(25),
            Measure::Complete,
            Measure::Mrr,
            Measure::WronglyEmpty,
            Measure::RightlyEmpty,
        ] {
            assert_eq!(measure.to_string().parse(), Ok(measure));
        }
        for text in ["", "ndcg", "ndcg@5", "hit@", "hit@x", "mrr@3", "precision@1"] {
            assert!(text.parse::<Measure>().is_err(), "{text}");
        }
    }
}
