//! Does a report hold every part, in order, and does it read back?

use serde_json::{Value, json};

use super::*;
use crate::Ranked;

fn asked(kind: &str, relevant: &[&str], ranking: &[(&str, f64)]) -> (Query, Answered) {
    let query = Query {
        id: format!("{kind}-{}", relevant.join("+")),
        kind: kind.to_owned(),
        relevant: relevant.iter().map(|&name| name.to_owned()).collect(),
        ..Query::default()
    };
    let ranking = ranking.iter().map(|&(name, score)| Ranked {
        name: name.to_owned(),
        score,
        why: None,
    });
    let ranking: Vec<Ranked> = ranking.collect();
    let answered = Answered {
        answer: ranking.iter().map(|ranked| ranked.name.clone()).collect(),
        ranking,
        fits: None,
        tokens: 50,
        latency_ms: Some(2.0),
    };
    (query, answered)
}

pub(crate) fn report() -> Report {
    let setup = Setup {
        set: "small",
        profile: "select",
        tools: 3,
        catalog_tokens: 500,
        ks: &[1, 5],
        scores_are_probabilities: true,
        unavailable: 0,
        misses: 0,
    };
    let set = [
        asked("plain", &["a"], &[("a", 0.9), ("b", 0.2)]),
        asked("none", &[], &[("c", 0.3)]),
        asked("hard", &["b"], &[("a", 0.6), ("b", 0.5)]),
        asked("plain", &["c"], &[]),
    ];
    Report::of(&setup, &set)
}

#[test]
fn every_part_is_there_under_its_name() {
    let value: Value = serde_json::to_value(report()).unwrap();
    let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    let expected = [
        "set",
        "profile",
        "queries",
        "tools",
        "unavailable",
        "overall",
        "kinds",
        "abstention",
        "calibration",
        "latency_ms",
        "tokens",
    ];
    assert_eq!(keys, expected);
    let kinds: Vec<&String> = value["kinds"].as_object().unwrap().keys().collect();
    assert_eq!(kinds, ["plain", "none", "hard"]);
    let hard = json!({
        "queries": 1, "answerable": 1, "ndcg@10": 0.6309, "hit@1": 0.0, "hit@5": 1.0, "recall@1": 0.0,
        "recall@5": 1.0, "complete@10": 1.0, "mrr": 0.5, "wrongly_empty": 0.0,
    });
    assert_eq!(value["kinds"]["hard"], hard);
    assert_eq!(
        value["kinds"]["none"],
        json!({"queries": 1, "answerable": 0, "rightly_empty": 0.0})
    );
    assert_eq!(value["overall"]["answerable"], 3);
    let abstention = json!({
        "answerable": 3, "unanswerable": 1, "auroc": 0.6667, "rightly_empty": 0.0, "wrongly_empty": 0.3333,
    });
    assert_eq!(value["abstention"], abstention);
    assert_eq!(value["calibration"]["suggestions"], 5);
    assert_eq!(value["calibration"]["top_1"]["suggestions"], 3);
    assert_eq!(
        value["latency_ms"],
        json!({"queries": 4, "median": 2.0, "p99": 2.0})
    );
    assert_eq!(
        value["tokens"],
        json!({"catalog": 500, "shown_per_query": 50.0, "share": 0.1})
    );
}

#[test]
fn reports_read_back() {
    let one = report();
    let text = serde_json::to_string(&one).unwrap();
    assert_eq!(read(&text).unwrap(), vec![one.clone()]);
    let both = Reports::of(vec![one.clone(), one.clone()]);
    assert_eq!(both.mean[&Measure::Ndcg], one.overall.values[&Measure::Ndcg]);
    assert_eq!(read(&serde_json::to_string(&both).unwrap()).unwrap(), both.sets);
    assert!(read("{}").unwrap_err().to_string().contains("missing field"));
}

/// A mean over sets of which some lack a measure would be of other sets.
#[test]
fn a_mean_needs_the_measure_everywhere() {
    let mut without = report();
    without.overall.values.remove(&Measure::RightlyEmpty);
    let both = Reports::of(vec![report(), without]);
    assert!(!both.mean.contains_key(&Measure::RightlyEmpty));
    assert!(both.mean.contains_key(&Measure::Mrr));
}
