//! What moved between two runs over turns, and is it too much?

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::report::Reports;
use super::tally::Measure;

/// Differences below this are no move: reports are rounded to it.
const SMALLEST: f64 = 0.000_05;

/// What a fall of decides, over all turns. That no forbidden tool comes back is decided apart: it never may.
pub const GUARDED: [Measure; 6] = [
    Measure::NeededFound,
    Measure::Complete,
    Measure::TurnType,
    Measure::IdsRight,
    Measure::StaleOffered,
    Measure::NoiseShare,
];

/// One number that both runs have and that is not the same in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Move {
    /// The domain; `None` for all of them together.
    pub domain: Option<String>,
    /// What was measured.
    pub measure: Measure,
    /// What the earlier run had.
    pub before: f64,
    /// What this run has.
    pub now: f64,
}

impl Move {
    /// How far it moved, upwards.
    pub fn change(&self) -> f64 {
        self.now - self.before
    }

    /// Whether it moved to the better.
    pub fn is_better(&self) -> bool {
        (self.change() > 0.0) == self.measure.is_better_larger()
    }

    /// How much worse it is; negative where it is better.
    fn loss(&self) -> f64 {
        if self.measure.is_better_larger() {
            -self.change()
        } else {
            self.change()
        }
    }
}

/// Everything that moved, in the order of the report, all domains together last.
pub fn moves(before: &Reports, now: &Reports) -> Vec<Move> {
    let of_domains = now.domains.iter().filter_map(|now| {
        let before = before.domains.iter().find(|before| before.domain == now.domain)?;
        Some((Some(now.domain.clone()), &before.measures, &now.measures))
    });
    let of_all = std::iter::once((None, &before.overall.measures, &now.overall.measures));
    of_domains
        .chain(of_all)
        .flat_map(|(domain, before, now)| {
            now.iter().filter_map(move |(&measure, &now)| {
                Some(Move {
                    domain: domain.clone(),
                    measure,
                    before: *before.get(&measure)?,
                    now,
                })
            })
        })
        .filter(|moved| moved.change().abs() > SMALLEST)
        .collect()
}

/// The guarded measures that are worse over all turns than before by more than `margin`. A measure that the earlier run
/// has and this one lacks counts as fallen to nothing; one that only this run has is no fall.
pub fn falls(before: &Reports, now: &Reports, margin: f64) -> Vec<Move> {
    let value = |reports: &Reports, measure| reports.overall.measures.get(&measure).copied();
    GUARDED
        .into_iter()
        .filter_map(|measure| {
            let worst = if measure.is_better_larger() { 0.0 } else { 1.0 };
            Some(Move {
                domain: None,
                measure,
                before: value(before, measure)?,
                now: value(now, measure).unwrap_or(worst),
            })
        })
        // Sums of rounded numbers may miss the margin by a hair.
        .filter(|moved| moved.loss() > margin + 1e-9)
        .collect()
}

/// Why two runs are not about the same thing, in words; empty where they are.
pub fn differences(before: &Reports, now: &Reports) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |what: &str, before: String, now: String| {
        if before != now {
            found.push(format!("{what} {before} then, {now} now"));
        }
    };
    let on = |on: bool| if on { "on" } else { "off" }.to_owned();
    let cap = |cap: Option<usize>| cap.map_or_else(|| "as shipped".to_owned(), |cap| cap.to_string());
    let names = |reports: &Reports| {
        let names: Vec<&str> = reports
            .domains
            .iter()
            .map(|domain| domain.domain.as_str())
            .collect();
        names.join(" ")
    };
    differ("domains", names(before), names(now));
    let turns = |reports: &Reports| reports.overall.counts.turns.to_string();
    differ("turns", turns(before), turns(now));
    differ(
        "past conversations",
        on(before.setup.traces),
        on(now.setup.traces),
    );
    differ("memory", on(before.setup.memory), on(now.setup.memory));
    differ(
        "most tools",
        cap(before.setup.max_tools),
        cap(now.setup.max_tools),
    );
    found
}
