//! What moved between two runs, and is it too much?

use serde::Serialize;

use crate::{Measure, Report};

/// Differences below this are no move: reports are rounded to it.
const SMALLEST: f64 = 0.000_05;

/// One number that both runs have and that is not the same in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Move {
    /// The kind of requests; `None` for all of them together.
    pub kind: Option<String>,
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

/// Everything that moved, the largest first; equal ones in the order of the report, all requests together first.
pub fn moves(before: &Report, now: &Report) -> Vec<Move> {
    let overall = std::iter::once((None, Some(&before.overall), &now.overall));
    let kinds = now
        .kinds
        .iter()
        .map(|(kind, metrics)| (Some(kind.to_owned()), before.kinds.get(kind), metrics));
    let mut moves: Vec<Move> = overall
        .chain(kinds)
        .filter_map(|(kind, before, now)| Some((kind, before?, now)))
        .flat_map(|(kind, before, now)| {
            now.values.iter().filter_map(move |(&measure, &now)| {
                Some(Move {
                    kind: kind.clone(),
                    measure,
                    before: before.get(measure)?,
                    now,
                })
            })
        })
        .filter(|moved| moved.change().abs() > SMALLEST)
        .collect();
    moves.sort_by(|a, b| b.change().abs().total_cmp(&a.change().abs()));
    moves
}

/// What a fall of decides, over all requests.
pub const GUARDED: [Measure; 4] = [
    Measure::Ndcg,
    Measure::Hit(1),
    Measure::Hit(5),
    Measure::WronglyEmpty,
];

/// The guarded measures that are worse than before by more than `margin`; an error names one that a run lacks.
pub fn falls(before: &Report, now: &Report, margin: f64) -> Result<Vec<Move>, Missing> {
    let mut falls = Vec::new();
    for measure in GUARDED {
        let value = |report: &Report, run| report.overall.get(measure).ok_or(Missing { measure, run });
        let moved = Move {
            kind: None,
            measure,
            before: value(before, "the earlier run")?,
            now: value(now, "this run")?,
        };
        // Sums of rounded numbers may miss the margin by a hair.
        if moved.loss() > margin + 1e-9 {
            falls.push(moved);
        }
    }
    Ok(falls)
}

/// A guarded measure is not there to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{run} has no overall `{measure}`")]
pub struct Missing {
    measure: Measure,
    run: &'static str,
}

/// Why two runs are not about the same thing, in words; a number may have moved for these alone.
pub fn differences(before: &Report, now: &Report) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |what: &str, before: &dyn std::fmt::Display, now: &dyn std::fmt::Display| {
        let (before, now) = (before.to_string(), now.to_string());
        if before != now {
            found.push(format!("{what} {before} then, {now} now"));
        }
    };
    differ("set", &before.set, &now.set);
    differ("profile", &before.profile, &now.profile);
    differ("queries", &before.queries, &now.queries);
    differ("tools", &before.tools, &now.tools);
    found
}

/// Whether the two runs asked the same number of requests in the same way: a fall between others means nothing.
pub fn is_same_question(before: &Report, now: &Report) -> bool {
    before.profile == now.profile && before.queries == now.queries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report;

    fn changed(change: impl FnOnce(&mut Report)) -> Report {
        let mut changed = report();
        change(&mut changed);
        changed
    }

    #[test]
    fn moves_are_sorted_by_size() {
        let now = changed(|now| {
            now.overall.values.insert(Measure::Ndcg, 0.6436);
            now.kinds.0[0].1.values.insert(Measure::Hit(1), 0.1);
            now.kinds.0[0].1.values.insert(Measure::WronglyEmpty, 0.4);
            now.kinds.0[2].0 = "new".to_owned();
            now.overall.values.insert(Measure::Recall(25), 0.9);
        });
        let told: Vec<String> = moves(&report(), &now)
            .iter()
            .map(|moved| {
                let kind = moved.kind.as_deref().unwrap_or("overall");
                format!(
                    "{kind} {} {:+.3} {}",
                    moved.measure,
                    moved.change(),
                    moved.is_better()
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "plain hit@1 -0.400 false",
                "overall ndcg@10 +0.100 true",
                "plain wrongly_empty -0.100 true"
            ]
        );
        assert!(moves(&report(), &report()).is_empty());
    }

    #[test]
    fn only_a_fall_beyond_the_margin_counts() {
        let ndcg = report().overall.values[&Measure::Ndcg];
        let with_ndcg = |value: f64| {
            changed(|now| {
                now.overall.values.insert(Measure::Ndcg, value);
            })
        };
        let fallen = |now: &Report| falls(&report(), now, 0.02).unwrap().len();
        assert_eq!(fallen(&report()), 0);
        assert_eq!(fallen(&with_ndcg(ndcg - 0.02)), 0);
        assert_eq!(fallen(&with_ndcg(ndcg - 0.0201)), 1);
        assert_eq!(fallen(&with_ndcg(ndcg + 0.3)), 0);
        let more_empty = changed(|now| {
            now.overall.values.insert(Measure::WronglyEmpty, 0.5);
            now.overall.values.insert(Measure::Recall(5), 0.0);
        });
        assert_eq!(fallen(&more_empty), 1);
        let without = changed(|now| {
            now.overall.values.remove(&Measure::Hit(5));
        });
        let missing = falls(&without, &report(), 0.02).unwrap_err();
        assert_eq!(missing.to_string(), "the earlier run has no overall `hit@5`");
    }

    #[test]
    fn runs_of_other_things_are_told_apart() {
        let other = changed(|now| {
            now.queries = 9;
            now.tools = 4;
        });
        assert_eq!(
            differences(&report(), &other),
            ["queries 4 then, 9 now", "tools 3 then, 4 now"]
        );
        assert!(!is_same_question(&report(), &other));
        let grown = changed(|now| now.tools = 4);
        assert!(is_same_question(&report(), &grown));
    }
}
