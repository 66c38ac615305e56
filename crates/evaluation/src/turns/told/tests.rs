//! Is a report told in lines that a person can read?

use super::*;
use crate::turns::judging::{Given, WrongId};
use crate::turns::report::tests::reports;

fn texts(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn columns_stand_below_their_heads() {
    let lines = table(&reports());
    let texts = texts(&lines);
    assert!(texts[1].starts_with(" domain  tools  turns"), "{texts:#?}");
    assert!(
        texts[2].starts_with(" good       40     10   1.000     1.000       –  1.000"),
        "{texts:#?}"
    );
    assert!(texts[5].starts_with(" all"), "{texts:#?}");
    let width = |line: usize| texts[line].chars().count();
    assert!(
        [2, 3, 4, 5].iter().all(|&line| width(line) == width(1)),
        "{texts:#?}"
    );
    assert!(texts.contains(
        &" tools     30 of 40 needed ones found; 10 of the 20 turns that need one have all of them"
    ));
    assert_eq!(lines[5].look, Look::Bold);
    let mut forbidden = reports();
    forbidden.overall.counts.forbidden = 1;
    assert_eq!(table(&forbidden).last().unwrap().look, Look::Red);
}

#[test]
fn a_miss_says_what_lacked_and_what_was_of_no_use() {
    let mut reports = reports();
    let noise = |number: usize| Given {
        name: format!("tool_{number}"),
        score: 0.5,
        reason: "RETRIEVED".to_owned(),
        detail: "matched the turn".to_owned(),
    };
    let wrong = WrongId {
        expected: "7".to_owned(),
        got: None,
    };
    reports.domains[1].misses = Some(vec![Miss {
        id: "half#1".to_owned(),
        message: "do it\nnow".to_owned(),
        missing: vec!["find".to_owned()],
        unmet: vec![vec!["mail".to_owned(), "call".to_owned()]],
        forbidden: vec!["erase".to_owned()],
        wrong_type: Some("ACTION".to_owned()),
        wrong_ids: [("order_id".to_owned(), wrong)].into(),
        stale: [("cart_id".to_owned(), "c_9".to_owned())].into(),
        noise: (0..8).map(noise).collect(),
    }]);
    let lines = misses(&reports.domains[1]);
    assert_eq!(
        texts(&lines)[..11],
        [
            "",
            " Worst turns of half",
            "",
            "   “do it”   half#1",
            "     forbidden erase",
            "     missing   find",
            "     one of    mail, call",
            "     type      told as ACTION",
            "     id        order_id is 7, resolved to nothing",
            "     stale     cart_id c_9",
            "     noise     tool_0  0.50  RETRIEVED, matched the turn",
        ]
    );
    assert_eq!(lines.last().unwrap().text, "               and 2 more");
    assert_eq!(misses(&reports.domains[0]), []);
}
