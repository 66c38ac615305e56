//! What follows what, and what stands beside what?

use handpick_conversation::Graph;
use handpick_domain::Conversation;
use serde_json::json;

use crate::support::{call, catalog, conversation};

fn past(id: &str, turns: &[&[&str]]) -> Conversation {
    let turns: Vec<_> = turns
        .iter()
        .map(|calls| {
            (
                "x",
                calls
                    .iter()
                    .map(|name| call(name, json!({}), ""))
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    conversation(id, &turns)
}

/// T19: what repeats in two conversations, as shares.
#[test]
fn t19_shares_of_what_follows_and_of_what_stands_beside() {
    let tools = catalog(&["a()", "b()", "c()", "d()"]);
    let follows =
        |past: &[Conversation], tool: usize| -> Vec<_> { Graph::learn(&tools, past).follows(tool).collect() };
    let beside =
        |past: &[Conversation], tool: usize| -> Vec<_> { Graph::learn(&tools, past).beside(tool).collect() };

    let one = past("1", &[&["a", "b"], &["a", "b"]]);
    assert!(follows(std::slice::from_ref(&one), 0).is_empty());
    assert!(beside(std::slice::from_ref(&one), 0).is_empty());

    // Within a turn, and first in the next one; tools outside the catalog are passed over.
    let two = past("2", &[&["a", "gone", "b"], &["c"]]);
    let three = past("3", &[&["a"], &["b", "c"]]);
    let all = [one, two, three];
    assert_eq!(follows(&all, 0), [(1, 1.0)]);
    assert_eq!(follows(&all, 1), [(2, 2.0 / 3.0)]);
    assert_eq!(beside(&all, 0), [(1, 3.0 / 4.0)]);
    assert!(beside(&all, 2).is_empty());

    // Not across a turn without calls.
    let apart = |id: &str| past(id, &[&["a"], &[], &["d"]]);
    assert!(follows(&[apart("1"), apart("2")], 0).is_empty());
    assert_eq!(follows(&all, 99), []);
}
