//! Which requests are answered worst, and by what?

use serde::{Deserialize, Serialize};

use crate::measure::TEN;
use crate::metrics::Standing;
use crate::{Answered, Query, Ranked};

/// An answerable request whose first tool is wrong, or that lacks a needed tool among the first ten.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Miss {
    /// The request.
    pub id: String,
    /// What it is an example of.
    pub kind: String,
    /// What was asked.
    pub query: String,
    /// What was needed.
    pub wanted: Vec<Place>,
    /// The best place of a wrong tool: what came first instead. `None` where nothing wrong was ranked.
    pub instead: Option<Place>,
    /// Whether the product's answer is empty.
    pub empty: bool,
}

/// An unanswerable request that was answered all the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FalseAlarm {
    /// The request.
    pub id: String,
    /// What it is an example of.
    pub kind: String,
    /// What was asked.
    pub query: String,
    /// The first tool of the ranking.
    pub suggested: Place,
}

/// Where a tool stands in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Its rank, from 1; `None` beyond the depth that was looked at.
    pub rank: Option<usize>,
    /// Its score.
    pub score: Option<f64>,
    /// What speaks for it.
    pub why: Option<String>,
}

impl Place {
    fn at(index: usize, ranked: &Ranked) -> Self {
        Self {
            name: ranked.name.clone(),
            rank: Some(index + 1),
            score: Some(ranked.score),
            why: ranked.why.clone(),
        }
    }

    fn of(name: &str, answered: &Answered) -> Self {
        let found = answered
            .ranking
            .iter()
            .enumerate()
            .find(|(_, ranked)| ranked.name == name);
        let unfound = || Self {
            name: name.to_owned(),
            rank: None,
            score: None,
            why: None,
        };
        found.map_or_else(unfound, |(index, ranked)| Self::at(index, ranked))
    }
}

/// How bad a ranking is, 0 to 1: half for the place of the first tool that is not wrong, half for the needed
/// tools that are not among the first ten.
fn badness(query: &Query, answered: &Answered) -> f64 {
    let standing = Standing::of(query, answered);
    let first = standing.accepted.map_or(0.0, |rank| 1.0 / rank as f64);
    let found = standing.found.iter().filter(|&&rank| rank <= TEN).count();
    let found = found as f64 / standing.needed as f64;
    1.0 - (first + found) / 2.0
}

/// Answerable requests by how badly they are answered; of equally bad ones the most certain comes first.
pub fn worst(asked: &[(Query, Answered)], count: usize) -> Vec<Miss> {
    let mut missed: Vec<(f64, &Query, &Answered)> = asked
        .iter()
        .filter(|(query, _)| query.is_answerable())
        .map(|(query, answered)| (badness(query, answered), query, answered))
        .filter(|(badness, ..)| *badness > 0.0)
        .collect();
    missed.sort_by(|(bad_a, _, a), (bad_b, _, b)| {
        bad_b
            .total_cmp(bad_a)
            .then(b.top_score().total_cmp(&a.top_score()))
    });
    missed.truncate(count);
    missed
        .into_iter()
        .map(|(_, query, answered)| miss(query, answered))
        .collect()
}

fn miss(query: &Query, answered: &Answered) -> Miss {
    let mut ranked = answered.ranking.iter().enumerate();
    let instead = ranked.find(|(_, ranked)| !query.accepts(&ranked.name));
    Miss {
        id: query.id.clone(),
        kind: query.kind.clone(),
        query: query.text.clone(),
        wanted: query
            .relevant
            .iter()
            .map(|name| Place::of(name, answered))
            .collect(),
        instead: instead.map(|(index, ranked)| Place::at(index, ranked)),
        empty: answered.answer.is_empty(),
    }
}

/// Unanswerable requests with an answer, by the score of their first tool.
pub fn false_alarms(asked: &[(Query, Answered)], count: usize) -> Vec<FalseAlarm> {
    let mut alarms: Vec<FalseAlarm> = asked
        .iter()
        .filter(|(query, answered)| !query.is_answerable() && !answered.answer.is_empty())
        .filter_map(|(query, answered)| {
            Some(FalseAlarm {
                id: query.id.clone(),
                kind: query.kind.clone(),
                query: query.text.clone(),
                suggested: Place::at(0, answered.ranking.first()?),
            })
        })
        .collect();
    let score = |alarm: &FalseAlarm| alarm.suggested.score.unwrap_or(f64::NEG_INFINITY);
    alarms.sort_by(|a, b| score(b).total_cmp(&score(a)));
    alarms.truncate(count);
    alarms
}

/// Whether somebody who reads misses may ask why this tool of a ranking stands where it does.
pub fn wants_reason(query: &Query, ranking: &[Ranked], index: usize) -> bool {
    let accepted = |ranked: &Ranked| query.accepts(&ranked.name);
    let first_wrong = ranking.iter().position(|ranked| !accepted(ranked));
    first_wrong == Some(index) || query.relevant.contains(&ranking[index].name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(
        id: &str,
        relevant: &[&str],
        also_accept: &[&str],
        ranking: &[(&str, f64)],
    ) -> (Query, Answered) {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let query = Query {
            id: id.to_owned(),
            relevant: names(relevant),
            also_accept: names(also_accept),
            ..Query::default()
        };
        let ranking: Vec<Ranked> = ranking
            .iter()
            .map(|&(name, score)| Ranked {
                name: name.to_owned(),
                score,
                why: Some(format!("about {name}")),
            })
            .collect();
        let answer = ranking.iter().map(|ranked| ranked.name.clone()).collect();
        let answered = Answered {
            ranking,
            answer,
            ..Answered::default()
        };
        (query, answered)
    }

    #[test]
    fn the_worst_and_surest_come_first_and_hits_not_at_all() {
        let set = [
            asked("hit", &["a"], &[], &[("a", 0.9)]),
            asked("second", &["a"], &[], &[("b", 0.9), ("a", 0.8)]),
            asked("unsure", &["a"], &[], &[("b", 0.2)]),
            asked("sure", &["a"], &[], &[("b", 0.9)]),
            asked("half", &["a", "c"], &[], &[("a", 0.9), ("b", 0.8)]),
            asked("tolerated", &["a"], &["b"], &[("b", 0.9), ("a", 0.8)]),
            asked("none", &[], &[], &[("b", 0.9)]),
        ];
        let ids: Vec<String> = worst(&set, 9).into_iter().map(|miss| miss.id).collect();
        assert_eq!(ids, ["sure", "unsure", "second", "half"]);
        assert_eq!(worst(&set, 1).len(), 1);
    }

    #[test]
    fn a_miss_tells_what_was_wanted_and_what_came_instead() {
        let set = [asked(
            "x",
            &["a", "lost"],
            &["b"],
            &[("b", 0.9), ("c", 0.8), ("a", 0.7)],
        )];
        let miss = worst(&set, 1).remove(0);
        let instead = miss.instead.unwrap();
        assert_eq!((instead.name.as_str(), instead.rank), ("c", Some(2)));
        assert_eq!(instead.why.as_deref(), Some("about c"));
        assert_eq!(miss.wanted[0].rank, Some(3));
        assert_eq!((miss.wanted[1].rank, miss.wanted[1].score), (None, None));
        let (query, answered) = &set[0];
        let reasons: Vec<bool> = (0..3)
            .map(|index| wants_reason(query, &answered.ranking, index))
            .collect();
        assert_eq!(reasons, [false, true, true]);
    }

    #[test]
    fn false_alarms_are_those_that_were_answered() {
        let mut set = vec![
            asked("low", &[], &[], &[("a", 0.2)]),
            asked("high", &[], &[], &[("b", 0.8)]),
            asked("answerable", &["a"], &[], &[("b", 0.9)]),
            asked("silent", &[], &[], &[("b", 0.9)]),
        ];
        set[3].1.answer.clear();
        let alarms = false_alarms(&set, 5);
        let ids: Vec<&str> = alarms.iter().map(|alarm| alarm.id.as_str()).collect();
        assert_eq!(ids, ["high", "low"]);
    }
}
