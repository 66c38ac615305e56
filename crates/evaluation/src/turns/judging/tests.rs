//! Is every part of an answer judged as the labels mean it?

use super::super::tally::Measure;
use super::*;

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = pairs
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()));
    owned.collect()
}

fn answer(turn_type: &str, tools: &[&str], resolved: &[(&str, &str)]) -> Answer {
    let given = |&name: &&str| Given {
        name: name.to_owned(),
        ..Given::default()
    };
    Answer {
        turn_type: turn_type.to_owned(),
        tools: tools.iter().map(given).collect(),
        resolved: pairs(resolved),
        latency_ms: None,
    }
}

fn expected() -> Expected {
    Expected {
        needed: strings(&["find", "change", "ask"]),
        helpful: strings(&["list"]),
        any_of: vec![strings(&["mail", "call"]), strings(&["pdf", "csv"])],
        forbidden: strings(&["erase"]),
        turn_types: strings(&["ACTION", "MIXED"]),
        resolved: pairs(&[("customer_id", "cus_1"), ("plan_id", "p_2"), ("seat_id", "s_3")]),
        stale: pairs(&[("order_id", "o_9"), ("cart_id", "c_9")]),
        of_page: pairs(&[("page_id", "7")]),
    }
}

fn rights() -> Rights {
    let audit = ("audit".to_owned(), BTreeSet::from(["admin".to_owned()]));
    Rights {
        core: BTreeSet::from(["ask".to_owned()]),
        roles: BTreeMap::from([audit]),
    }
}

#[test]
fn a_flawless_answer_counts_in_full() {
    let answer = answer(
        "MIXED",
        &["change", "find", "list", "call", "csv", "ask"],
        &[
            ("customer_id", "cus_1"),
            ("plan_id", "p_2"),
            ("seat_id", "s_3"),
            ("page_id", "7"),
            ("other", "x"),
        ],
    );
    let judged = judge(&expected(), &[], &rights(), &answer);
    let share = |measure| judged.tally.value(measure).unwrap();
    for measure in [
        Measure::NeededFound,
        Measure::Complete,
        Measure::GroupsMet,
        Measure::TurnType,
        Measure::IdsRight,
        Measure::PageIdsRight,
    ] {
        assert_eq!(share(measure), 1.0, "{measure}");
    }
    assert_eq!(
        (share(Measure::StaleOffered), share(Measure::NoiseShare)),
        (0.0, 0.0)
    );
    assert_eq!(share(Measure::ToolsPerTurn), 5.0, "core is no tool of the turn");
    assert_eq!(judged.badness(), 0.0);
}

#[test]
fn every_flaw_is_told() {
    let answer = answer(
        "KNOWLEDGE",
        &["find", "pdf", "erase", "audit", "stray"],
        &[
            ("customer_id", "cus_1"),
            ("plan_id", "p_1"),
            ("order_id", "o_9"),
            ("cart_id", "c_1"),
        ],
    );
    let judged = judge(&expected(), &strings(&["agent"]), &rights(), &answer);
    assert_eq!(judged.missing, ["change"], "a core tool is always there");
    assert_eq!(judged.unmet, [["mail", "call"]]);
    assert_eq!(
        judged.forbidden,
        ["erase", "audit"],
        "one by its label, one by its roles"
    );
    let noise: Vec<&str> = judged.noise.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(noise, ["erase", "audit", "stray"]);
    assert_eq!(judged.wrong_type.as_deref(), Some("KNOWLEDGE"));
    let wrong: Vec<(&str, Option<&str>)> = judged
        .wrong_ids
        .iter()
        .map(|(name, wrong)| (name.as_str(), wrong.got.as_deref()))
        .collect();
    assert_eq!(wrong, [("plan_id", Some("p_1")), ("seat_id", None)]);
    assert_eq!(judged.stale, pairs(&[("order_id", "o_9")]));
    let tally = judged.tally;
    assert_eq!((tally.complete, tally.found, tally.groups_met), (0, 2, 1));
    assert_eq!(
        (tally.ids_right, tally.ids_missing, tally.stale_offered),
        (1, 1, 1)
    );
    assert_eq!((tally.page_ids, tally.page_ids_right, tally.forbidden), (1, 0, 2));
    assert!(judged.badness() > 200.0);
    let admin = judge(&expected(), &strings(&["admin"]), &rights(), &answer);
    assert_eq!(admin.forbidden, ["erase"]);
}

#[test]
fn a_core_tool_of_others_is_not_there_for_everybody() {
    let mut rights = rights();
    rights
        .roles
        .insert("ask".to_owned(), BTreeSet::from(["admin".to_owned()]));
    let nothing = answer("ACTION", &[], &[]);
    let missing = |roles: &[&str]| judge(&expected(), &strings(roles), &rights, &nothing).missing;
    assert_eq!(missing(&["admin"]), ["find", "change"]);
    assert_eq!(missing(&[]), ["find", "change", "ask"]);
}

#[test]
fn what_is_not_labelled_is_not_judged() {
    let judged = judge(
        &Expected::default(),
        &[],
        &Rights::default(),
        &answer("ACTION", &["find"], &[]),
    );
    assert_eq!(judged.tally.value(Measure::TurnType), None);
    assert_eq!(judged.tally.value(Measure::Complete), None);
    assert_eq!(judged.wrong_type, None);
    assert_eq!((judged.tally.given, judged.tally.noise), (1, 1));
}
