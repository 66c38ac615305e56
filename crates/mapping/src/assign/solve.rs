//! Which candidate does each parameter get, and where is it a toss-up?
//!
//! The best assignment as a whole counts, not the best value of each parameter: a word that fits two parameters
//! goes where the other one has something else. Where the second-best assignment is about as good, the parameter
//! is torn and gets nothing.

use crate::assign::asked::{Candidate, touches};
use crate::mapped::Origin;
use crate::meaning::Meaning;

/// Least score of a value for a required parameter.
const REQUIRED_LEAST: f32 = 0.5;
/// Least score of a value for an optional one: filled on clear evidence only.
const OPTIONAL_LEAST: f32 = 0.7;
/// Less between the best and the second-best value is a toss-up.
const MARGIN: f32 = 0.1;
/// What a required parameter's value is worth beyond an optional one's.
const REQUIRED_BONUS: f32 = 0.15;
/// Partial assignments that are looked at before the search is content with what it has.
const STEPS_MAX: u32 = 30_000;
/// Candidates of one parameter that are compared.
const RIVALS_MAX: usize = 8;

/// What was decided.
#[derive(Debug, Default)]
pub(crate) struct Solution {
    /// The candidate of each parameter that got one.
    pub chosen: Vec<Candidate>,
    /// Parameters that two or more values fit about equally.
    pub torn: Vec<usize>,
}

/// The best assignment of candidates to parameters.
pub(crate) fn solve(mut candidates: Vec<Candidate>, meanings: &[Meaning]) -> Solution {
    candidates.retain(|candidate| {
        let required = meanings
            .get(candidate.parameter)
            .is_some_and(Meaning::is_required);
        candidate.score >= if required { REQUIRED_LEAST } else { OPTIONAL_LEAST }
    });
    let groups = grouped(candidates, meanings.len());
    let mut search = Search {
        groups: &groups,
        meanings,
        steps: 0,
        best: Vec::new(),
        best_total: f32::MIN,
    };
    search.run(None);
    let best = search.best.clone();
    let total = search.best_total;
    let mut solution = Solution::default();
    for (at, choice) in best.iter().enumerate() {
        let Some(candidate) = choice.and_then(|pick| groups.get(at)?.get(pick)) else {
            continue;
        };
        if is_torn(&groups, at, candidate, total, meanings) || is_passed_over(&groups, at, candidate, &best) {
            solution.torn.push(candidate.parameter);
        } else {
            solution.chosen.push(candidate.clone());
        }
    }
    solution
}

/// Candidates by parameter, the surest first; the same value twice counts once. Values of the context stand behind
/// all of the request's own.
fn grouped(candidates: Vec<Candidate>, parameters: usize) -> Vec<Vec<Candidate>> {
    let mut groups: Vec<Vec<Candidate>> = vec![Vec::new(); parameters];
    for candidate in candidates {
        if let Some(group) = groups.get_mut(candidate.parameter) {
            group.push(candidate);
        }
    }
    for group in &mut groups {
        if group
            .iter()
            .any(|candidate| candidate.origin == Origin::Request && candidate.score >= 0.75)
        {
            group.retain(|candidate| candidate.origin == Origin::Request);
        }
        group.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut kept: Vec<Candidate> = Vec::new();
        for candidate in group.drain(..) {
            let known = kept.iter().any(|other| {
                other.value == candidate.value
                    && (touches(&other.range, &candidate.range) || other.origin == candidate.origin)
            });
            if !known && kept.len() < RIVALS_MAX {
                kept.push(candidate);
            }
        }
        *group = without_parts(&kept);
    }
    groups
}

/// Lists without those that only read a part of another one.
fn without_parts(group: &[Candidate]) -> Vec<Candidate> {
    let items = |candidate: &Candidate| candidate.value.as_array().cloned();
    let is_part = |candidate: &Candidate| {
        let Some(own) = items(candidate) else { return false };
        group.iter().any(|other| {
            items(other).is_some_and(|all| {
                let begins = own
                    .iter()
                    .zip(&all)
                    .all(|(own, all)| match (own.as_str(), all.as_str()) {
                        (Some(own), Some(all)) => all == own || all.starts_with(&format!("{own} ")),
                        _ => own == all,
                    });
                (all.len() > own.len() || (all.len() == own.len() && all != own))
                    && begins
                    && touches(&other.range, &candidate.range)
                    && other.score > candidate.score - 0.2
            })
        })
    };
    group
        .iter()
        .filter(|candidate| !is_part(candidate))
        .cloned()
        .collect()
}

/// Depth-first search with a bound; parameters without candidates cost nothing.
struct Search<'c> {
    groups: &'c [Vec<Candidate>],
    meanings: &'c [Meaning],
    steps: u32,
    best: Vec<Option<usize>>,
    best_total: f32,
}

impl Search<'_> {
    /// Finds the best assignment, without one value for one parameter if told so.
    fn run(&mut self, forbidden: Option<(usize, &serde_json::Value)>) {
        let mut picks = vec![None; self.groups.len()];
        self.descend(0, 0.0, &mut picks, forbidden);
    }

    fn descend(
        &mut self,
        at: usize,
        total: f32,
        picks: &mut Vec<Option<usize>>,
        forbidden: Option<(usize, &serde_json::Value)>,
    ) {
        self.steps += 1;
        let Some(group) = self.groups.get(at) else {
            if total > self.best_total {
                self.best_total = total;
                self.best.clone_from(picks);
            }
            return;
        };
        let hope: f32 = self
            .groups
            .get(at..)
            .unwrap_or_default()
            .iter()
            .filter_map(|group| group.first())
            .map(|best| self.worth(best))
            .sum();
        if total + hope <= self.best_total || self.steps > STEPS_MAX {
            return;
        }
        for (pick, candidate) in group.iter().enumerate() {
            let is_forbidden =
                forbidden.is_some_and(|(parameter, value)| parameter == at && *value == candidate.value);
            if is_forbidden || self.is_taken(picks, at, candidate) {
                continue;
            }
            if let Some(place) = picks.get_mut(at) {
                *place = Some(pick);
            }
            self.descend(at + 1, total + self.worth(candidate), picks, forbidden);
        }
        if let Some(place) = picks.get_mut(at) {
            *place = None;
        }
        self.descend(at + 1, total, picks, forbidden);
    }

    /// What a candidate adds: where a word fits two parameters, the one that is needed goes before.
    fn worth(&self, candidate: &Candidate) -> f32 {
        let required = self
            .meanings
            .get(candidate.parameter)
            .is_some_and(Meaning::is_required);
        candidate.score + if required { REQUIRED_BONUS } else { 0.0 }
    }

    /// Whether another parameter already has the words of a candidate.
    fn is_taken(&self, picks: &[Option<usize>], at: usize, candidate: &Candidate) -> bool {
        picks.iter().take(at).enumerate().any(|(other, pick)| {
            pick.and_then(|pick| self.groups.get(other)?.get(pick))
                .is_some_and(|taken| {
                    let both = taken.origin == Origin::Request && candidate.origin == Origin::Request;
                    both && (taken.taking && candidate.taking) && touches(&taken.range, &candidate.range)
                })
        })
    }
}

/// Whether the context was taken although a word of the request may be meant that nothing else needs.
fn is_passed_over(groups: &[Vec<Candidate>], at: usize, chosen: &Candidate, best: &[Option<usize>]) -> bool {
    let used = |candidate: &Candidate| {
        best.iter().enumerate().any(|(other, pick)| {
            pick.and_then(|pick| groups.get(other)?.get(pick))
                .is_some_and(|taken| {
                    taken.origin == Origin::Request && touches(&taken.range, &candidate.range)
                })
        })
    };
    chosen.origin == Origin::Context
        && groups.get(at).is_some_and(|group| {
            group
                .iter()
                .any(|rival| rival.origin == Origin::Request && rival.value != chosen.value && !used(rival))
        })
}

/// Whether the best assignment that gives a parameter another value is about as good.
fn is_torn(
    groups: &[Vec<Candidate>],
    at: usize,
    chosen: &Candidate,
    total: f32,
    meanings: &[Meaning],
) -> bool {
    let Some(group) = groups.get(at) else { return false };
    let rivals = group
        .iter()
        .any(|rival| rival.value != chosen.value && rival.score > chosen.score - 2.0 * MARGIN);
    let contested = groups.iter().enumerate().any(|(other, group)| {
        other != at
            && group.iter().any(|rival| {
                rival.taking
                    && chosen.taking
                    && rival.origin == chosen.origin
                    && chosen.origin == Origin::Request
                    && touches(&rival.range, &chosen.range)
                    && rival.score > chosen.score - MARGIN
            })
    });
    if !rivals && !contested {
        return false;
    }
    let mut search = Search {
        groups,
        meanings,
        steps: 0,
        best: Vec::new(),
        best_total: f32::MIN,
    };
    search.run(Some((at, &chosen.value)));
    let second = search.best_total;
    total - second < MARGIN
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::meaning::meanings;

    fn candidate(parameter: usize, value: &str, range: std::ops::Range<usize>, score: f32) -> Candidate {
        Candidate {
            parameter,
            value: json!(value),
            range,
            score,
            origin: Origin::Request,
            taking: true,
            whole: false,
        }
    }

    fn two() -> Vec<Meaning> {
        meanings(
            &json!({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]}),
        )
    }

    /// P19: the best assignment as a whole counts.
    #[test]
    fn p19_a_word_goes_where_the_other_has_something_else() {
        let solution = solve(
            vec![
                candidate(0, "x", 0..1, 0.9),
                candidate(1, "x", 0..1, 0.85),
                candidate(0, "y", 2..3, 0.8),
            ],
            &two(),
        );
        let mut told: Vec<(usize, &Value)> = solution
            .chosen
            .iter()
            .map(|one| (one.parameter, &one.value))
            .collect();
        told.sort_by_key(|(parameter, _)| *parameter);
        assert_eq!(told, [(0, &json!("y")), (1, &json!("x"))]);
        assert!(solution.torn.is_empty());
    }

    /// P21: a toss-up is asked back.
    #[test]
    fn p21_equal_values_leave_a_parameter_torn() {
        let solution = solve(
            vec![candidate(0, "x", 0..1, 0.9), candidate(0, "y", 2..3, 0.88)],
            &two(),
        );
        assert_eq!(solution.torn, [0]);
        let contested = solve(
            vec![candidate(0, "x", 0..1, 0.8), candidate(1, "x", 0..1, 0.78)],
            &two(),
        );
        assert!(contested.chosen.is_empty(), "{:?}", contested.chosen);
    }
}
