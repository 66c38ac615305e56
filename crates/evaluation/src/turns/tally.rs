//! What do many turns come to?

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::metrics::rounded;

/// Counts over turns, from which every measure follows; counts of several domains add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tally {
    /// Turns that were asked.
    pub turns: usize,
    /// Those that need a tool.
    pub needing: usize,
    /// Those of them that got every tool they need.
    pub complete: usize,
    /// Tools that are needed.
    pub needed: usize,
    /// Those of them that came back.
    pub found: usize,
    /// Groups of which one tool is needed.
    pub groups: usize,
    /// Those of them of which one came back.
    pub groups_met: usize,
    /// Tools that came back, those that always do apart.
    pub given: usize,
    /// Those of them that are of no use.
    pub noise: usize,
    /// Turns whose kind is labelled.
    pub typed: usize,
    /// Those of them whose kind was told rightly.
    pub types_right: usize,
    /// Ids that should be resolved.
    pub ids: usize,
    /// Those of them that have the right value.
    pub ids_right: usize,
    /// Those of them that have no value at all.
    pub ids_missing: usize,
    /// Ids whose old value would mislead.
    pub stale: usize,
    /// Those of them that were resolved to it.
    pub stale_offered: usize,
    /// Ids that only the page tells.
    pub page_ids: usize,
    /// Those of them that have the right value.
    pub page_ids_right: usize,
    /// Tools that came back and must not.
    pub forbidden: usize,
}

impl Tally {
    /// Adds another one's counts.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in [
            (&mut self.turns, other.turns),
            (&mut self.needing, other.needing),
            (&mut self.complete, other.complete),
            (&mut self.needed, other.needed),
            (&mut self.found, other.found),
            (&mut self.groups, other.groups),
            (&mut self.groups_met, other.groups_met),
            (&mut self.given, other.given),
            (&mut self.noise, other.noise),
            (&mut self.typed, other.typed),
            (&mut self.types_right, other.types_right),
            (&mut self.ids, other.ids),
            (&mut self.ids_right, other.ids_right),
            (&mut self.ids_missing, other.ids_missing),
            (&mut self.stale, other.stale),
            (&mut self.stale_offered, other.stale_offered),
            (&mut self.page_ids, other.page_ids),
            (&mut self.page_ids_right, other.page_ids_right),
            (&mut self.forbidden, other.forbidden),
        ] {
            *count += more;
        }
    }

    /// The value of a measure; `None` where nothing is labelled for it.
    pub fn value(&self, measure: Measure) -> Option<f64> {
        let (part, whole) = match measure {
            Measure::NeededFound => (self.found, self.needed),
            Measure::Complete => (self.complete, self.needing),
            Measure::GroupsMet => (self.groups_met, self.groups),
            Measure::TurnType => (self.types_right, self.typed),
            Measure::IdsRight => (self.ids_right, self.ids),
            Measure::StaleOffered => (self.stale_offered, self.stale),
            Measure::PageIdsRight => (self.page_ids_right, self.page_ids),
            Measure::ToolsPerTurn => (self.given, self.turns),
            Measure::NoisePerTurn => (self.noise, self.turns),
            Measure::NoiseShare => (self.noise, self.given),
        };
        (whole > 0).then(|| rounded(part as f64 / whole as f64))
    }
}

impl<'a> std::iter::Sum<&'a Tally> for Tally {
    fn sum<I: Iterator<Item = &'a Tally>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum.add(tally);
            sum
        })
    }
}

/// What is measured of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Measure {
    /// The share of the needed tools that came back.
    NeededFound,
    /// The share of the turns in need of a tool that got all of them.
    Complete,
    /// The share of the groups of which one tool came back.
    GroupsMet,
    /// The share of the turns whose kind was told rightly.
    TurnType,
    /// The share of the ids that have the right value.
    IdsRight,
    /// The share of the misleading ids that were offered.
    StaleOffered,
    /// The share of the ids on pages that have the right value.
    PageIdsRight,
    /// Tools of a turn, those that always come apart.
    ToolsPerTurn,
    /// Those of them that are of no use.
    NoisePerTurn,
    /// The share of the tools that are of no use.
    NoiseShare,
}

impl Measure {
    /// All of them, in the order they are told.
    pub const ALL: [Self; 10] = [
        Self::NeededFound,
        Self::Complete,
        Self::GroupsMet,
        Self::TurnType,
        Self::IdsRight,
        Self::StaleOffered,
        Self::PageIdsRight,
        Self::ToolsPerTurn,
        Self::NoisePerTurn,
        Self::NoiseShare,
    ];

    /// Whether a larger number is a better one.
    pub fn is_better_larger(self) -> bool {
        !matches!(
            self,
            Self::StaleOffered | Self::ToolsPerTurn | Self::NoisePerTurn | Self::NoiseShare
        )
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NeededFound => "needed_found",
            Self::Complete => "complete",
            Self::GroupsMet => "any_of_met",
            Self::TurnType => "turn_type",
            Self::IdsRight => "ids_right",
            Self::StaleOffered => "stale_offered",
            Self::PageIdsRight => "page_ids_right",
            Self::ToolsPerTurn => "tools_per_turn",
            Self::NoisePerTurn => "noise_per_turn",
            Self::NoiseShare => "noise_share",
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> Self {
        measure.to_string()
    }
}

/// A name that no measure of turns has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no measure of turns")]
pub struct UnknownMeasure(String);

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(text: &str) -> Result<Self, UnknownMeasure> {
        let mut all = Self::ALL.into_iter();
        all.find(|measure| measure.as_str() == text)
            .ok_or_else(|| UnknownMeasure(text.to_owned()))
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
        for measure in Measure::ALL {
            assert_eq!(measure.as_str().parse(), Ok(measure));
        }
        assert!("needed".parse::<Measure>().is_err());
    }

    #[test]
    fn counts_add_up_and_nothing_of_nothing_is_no_share() {
        let one = Tally {
            turns: 1,
            needed: 2,
            found: 1,
            ..Tally::default()
        };
        let two: Tally = [&one, &one].into_iter().sum();
        assert_eq!((two.turns, two.needed, two.found), (2, 4, 2));
        assert_eq!(two.value(Measure::NeededFound), Some(0.5));
        assert_eq!(two.value(Measure::Complete), None);
        assert_eq!(two.value(Measure::ToolsPerTurn), Some(0.0));
    }
}
