//! Is a fall a fall, and only a fall?

use super::*;
use crate::turns::report::tests::reports;

fn with(measure: Measure, value: f64) -> Reports {
    let mut changed = reports();
    changed.overall.measures.insert(measure, value);
    changed
}

#[test]
fn falls_are_guarded_in_both_directions() {
    let before = reports();
    for (measure, now, fell) in [
        (Measure::NeededFound, 0.73, false),
        (Measure::NeededFound, 0.729, true),
        (Measure::NeededFound, 0.9, false),
        (Measure::StaleOffered, 0.02, false),
        (Measure::StaleOffered, 0.03, true),
        (Measure::NoiseShare, 0.63, true),
        (Measure::NoiseShare, 0.4, false),
        // Not guarded: a share of few.
        (Measure::PageIdsRight, 0.0, false),
    ] {
        let falls = falls(&before, &with(measure, now), 0.02);
        assert_eq!(!falls.is_empty(), fell, "{measure} {now}");
        assert!(falls.iter().all(|fall| fall.measure == measure));
    }
    let mut lost = reports();
    lost.overall.measures.remove(&Measure::TurnType);
    assert_eq!(falls(&before, &lost, 0.02).len(), 1);
    assert_eq!(falls(&lost, &before, 0.02), []);
}

#[test]
fn moves_are_told_by_domain() {
    let mut now = with(Measure::TurnType, 0.9);
    now.domains[1].measures.insert(Measure::Complete, 0.4);
    let told: Vec<String> = moves(&reports(), &now)
        .iter()
        .map(|moved| {
            let domain = moved.domain.as_deref().unwrap_or("all");
            format!(
                "{domain} {} {:+.1} {}",
                moved.measure,
                moved.change(),
                moved.is_better()
            )
        })
        .collect();
    assert_eq!(told, ["half complete +0.4 true", "all turn_type -0.1 false"]);
}

#[test]
fn other_runs_are_told_apart() {
    let mut now = reports();
    assert_eq!(differences(&reports(), &now), Vec::<String>::new());
    now.setup.traces = false;
    now.setup.max_tools = Some(5);
    now.domains.pop();
    assert_eq!(
        differences(&reports(), &now),
        [
            "domains good half then, good now",
            "past conversations on then, off now",
            "most tools as shipped then, 5 now"
        ]
    );
}
