//! Do turns come to the right report, and does it read back?

use super::*;
use crate::turns::judging::Judged;

pub fn asked(id: &str, tally: Tally, missing: &[&str]) -> Asked {
    Asked {
        id: id.to_owned(),
        message: format!("message of {id}"),
        judged: Judged {
            tally,
            missing: missing.iter().map(|&name| name.to_owned()).collect(),
            ..Judged::default()
        },
        latency_ms: Some(4.0),
    }
}

/// Two domains: ten turns with every needed tool found, and ten with half of them.
pub fn reports() -> Reports {
    let turn = |found| Tally {
        turns: 1,
        needing: 1,
        complete: found / 2,
        needed: 2,
        found,
        given: 5,
        noise: 3,
        typed: 1,
        types_right: 1,
        ids: 1,
        ids_right: 1,
        stale: 1,
        ..Tally::default()
    };
    let good: Vec<Asked> = (0..10)
        .map(|nth| asked(&format!("good#{nth}"), turn(2), &[]))
        .collect();
    let half: Vec<Asked> = (0..10)
        .map(|nth| asked(&format!("half#{nth}"), turn(1), &["find"]))
        .collect();
    let setup = Setup {
        traces: true,
        memory: true,
        max_tools: None,
    };
    let domains = vec![
        Report::of("good", 40, 8, &good, 0),
        Report::of("half", 50, 0, &half, 2),
    ];
    Reports::of(setup, domains, good.iter().chain(&half))
}

#[test]
fn all_turns_together_are_a_sum() {
    let reports = reports();
    assert_eq!(reports.domains[1].get(Measure::NeededFound), Some(0.5));
    assert_eq!(reports.overall.measures[&Measure::NeededFound], 0.75);
    assert_eq!(reports.overall.measures[&Measure::NoisePerTurn], 3.0);
    assert_eq!(reports.overall.measures.get(&Measure::GroupsMet), None);
    assert_eq!(reports.overall.latency_ms.queries, 20);
    assert_eq!(reports.domains[0].misses, None);
    let worst: Vec<&str> = reports.domains[1]
        .misses
        .iter()
        .flatten()
        .map(|miss| miss.id.as_str())
        .collect();
    assert_eq!(worst, ["half#0", "half#1"]);
}

#[test]
fn a_report_reads_back() {
    let reports = reports();
    let text = serde_json::to_string(&reports).unwrap();
    assert_eq!(serde_json::from_str::<Reports>(&text).unwrap(), reports);
    assert!(text.contains(r#""needed_found":0.75"#), "{text}");
}
