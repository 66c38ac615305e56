//! Do the measures say what a person with a pencil says, and what a naive reading of their definition says?

use proptest::prelude::*;

use super::*;
use crate::Ranked;

fn names(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn query(relevant: &str, also_accept: &str) -> Query {
    Query {
        relevant: names(relevant),
        also_accept: names(also_accept),
        ..Query::default()
    }
}

fn answered(ranking: &str) -> Answered {
    let ranked = |name: String| Ranked {
        name,
        ..Ranked::default()
    };
    Answered {
        ranking: names(ranking).into_iter().map(ranked).collect(),
        answer: names(ranking),
        ..Answered::default()
    }
}

/// By hand: ranking, needed, not wrong; NDCG@10, hit@1, hit@5, recall@1, recall@5, complete@10, MRR.
#[test]
fn a_table_made_by_hand() {
    let log2_3 = 3f64.log2();
    let table = [
        ("a b c", "a", "", [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
        ("a b c", "b", "", [1.0 / log2_3, 0.0, 1.0, 0.0, 1.0, 1.0, 0.5]),
        // What is not wrong is a hit, and takes no place before what is right.
        ("a b c", "b", "a", [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
        ("a b c", "x", "a", [0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
        // Ranks 1 and 3 of two needed: (1 + 1/2) / (1 + 1/log2 3).
        (
            "a b c",
            "a c",
            "",
            [1.5 / (1.0 + 1.0 / log2_3), 1.0, 1.0, 0.5, 1.0, 1.0, 1.0],
        ),
        (
            "a b c",
            "a x",
            "",
            [1.0 / (1.0 + 1.0 / log2_3), 1.0, 1.0, 0.5, 0.5, 0.0, 1.0],
        ),
        // The eleventh of the ranking moves to the tenth place of the judged one: it has a gain and a
        // recall, yet somebody who is shown ten tools does not see it.
        (
            "w b c d e f g h i j a",
            "a",
            "w",
            [1.0 / 11f64.log2(), 1.0, 1.0, 0.0, 0.0, 0.0, 0.1],
        ),
        ("", "a", "", [0.0; 7]),
    ];
    let measures = [
        Measure::Ndcg,
        Measure::Hit(1),
        Measure::Hit(5),
        Measure::Recall(1),
        Measure::Recall(5),
        Measure::Complete,
        Measure::Mrr,
    ];
    for (ranking, relevant, also_accept, expected) in table {
        let standing = Standing::of(&query(relevant, also_accept), &answered(ranking));
        for (measure, expected) in measures.into_iter().zip(expected) {
            let value = standing.value(measure).unwrap();
            assert!(
                (value - expected).abs() < 1e-12,
                "{ranking} | {relevant} | {also_accept}: {measure} {value}"
            );
        }
    }
}

/// A name in both lists is needed.
#[test]
fn what_is_needed_stays_in_the_ranking() {
    let standing = Standing::of(&query("a b", "a"), &answered("a c b"));
    assert_eq!((standing.found, standing.judged), (vec![1, 3], vec![1, 3]));
}

#[test]
fn means_are_taken_over_those_that_apply() {
    let asked = [
        (query("a", ""), answered("a")),
        (query("a", ""), answered("")),
        (query("", ""), answered("a b")),
        (query("", ""), answered("")),
        (query("", ""), answered("")),
    ];
    let metrics = Metrics::of(asked.iter(), &[1]);
    assert_eq!((metrics.queries, metrics.answerable), (5, 2));
    let expected = [
        (Measure::Ndcg, 0.5),
        (Measure::Hit(1), 0.5),
        (Measure::Recall(1), 0.5),
        (Measure::Complete, 0.5),
        (Measure::Mrr, 0.5),
        (Measure::WronglyEmpty, 0.5),
        (Measure::RightlyEmpty, 0.6667),
    ];
    assert_eq!(metrics.values, expected.into_iter().collect());
    let unanswerable = Metrics::of(asked[2..].iter(), &[1]);
    assert_eq!(unanswerable.get(Measure::Ndcg), None);
    assert_eq!(unanswerable.get(Measure::RightlyEmpty), Some(0.6667));
}

#[test]
fn metrics_read_back_from_json() {
    let metrics = Metrics::of([(query("a", ""), answered("a"))].iter(), &[1, 5]);
    let text = serde_json::to_string(&metrics).unwrap();
    assert!(text.contains(r#""hit@5":1.0"#), "{text}");
    assert_eq!(serde_json::from_str::<Metrics>(&text).unwrap(), metrics);
}

/// The definitions, word by word and without any cleverness.
fn naive(measure: Measure, query: &Query, ranking: &[String]) -> f64 {
    let judged: Vec<&String> = ranking
        .iter()
        .filter(|name| query.relevant.contains(name) || !query.also_accept.contains(name))
        .collect();
    let is_relevant = |name: &String| query.relevant.contains(name);
    match measure {
        Measure::Ndcg => {
            let dcg = |gains: &[bool]| {
                let mut sum = 0.0;
                for (index, &gain) in gains.iter().enumerate() {
                    sum += f64::from(gain) / (index as f64 + 2.0).ln() * 2f64.ln();
                }
                sum
            };
            let gains: Vec<bool> = judged.iter().take(10).map(|name| is_relevant(name)).collect();
            let best: Vec<bool> = (0..10).map(|index| index < query.relevant.len()).collect();
            dcg(&gains) / dcg(&best)
        }
        Measure::Hit(k) => f64::from(ranking.iter().take(k).any(|name| query.accepts(name))),
        Measure::Recall(k) => {
            let found = query
                .relevant
                .iter()
                .filter(|name| judged.iter().take(k).any(|judged| judged == name))
                .count();
            found as f64 / query.relevant.len() as f64
        }
        Measure::Complete => f64::from(
            query
                .relevant
                .iter()
                .all(|name| ranking[..ranking.len().min(10)].contains(name)),
        ),
        Measure::Mrr => judged
            .iter()
            .position(|name| is_relevant(name))
            .map_or(0.0, |index| 1.0 / (index + 1) as f64),
        Measure::WronglyEmpty | Measure::RightlyEmpty => unreachable!("measures of answers"),
    }
}

proptest! {
    #[test]
    fn measures_agree_with_their_naive_twins(
        ranking in Just((0..16).collect::<Vec<u8>>()).prop_shuffle(),
        length in 0usize..=16,
        // Labels beyond 15 are never found.
        relevant in proptest::collection::btree_set(0u8..20, 1..13),
        also_accept in proptest::collection::btree_set(0u8..20, 0..8),
    ) {
        let text = |names: &mut dyn Iterator<Item = &u8>| {
            names.map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        let query = query(&text(&mut relevant.iter()), &text(&mut also_accept.iter()));
        let answered = answered(&text(&mut ranking[..length].iter()));
        let standing = Standing::of(&query, &answered);
        for measure in of_rankings(&[1, 3, 5, 10]) {
            let (value, twin) = (standing.value(measure).unwrap(), naive(measure, &query, &answered.answer));
            prop_assert!((value - twin).abs() < 1e-9, "{measure}: {value} {twin}");
            prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{measure}: {value}");
        }
    }
}
