//! Is the largest agent learned in about a second?

use std::time::Duration;

use handpick_conversation::Graph;
use handpick_domain::Conversation;
use serde_json::json;

use crate::support::{call, catalog, conversation};

/// Of computing. Generous, since tests are built without optimisation and machines differ.
const LIMIT: Duration = Duration::from_secs(20);

fn timed(what: &str, learn: impl FnOnce() -> Graph) -> Graph {
    let (graph, took) = handpick_testkit::cpu::timed(learn);
    println!("{what}: {} edges in {took:?}", graph.edges().len());
    assert!(took < LIMIT, "{what} took {took:?}");
    graph
}

fn past(conversations: usize, turns: usize, tool: impl Fn(usize) -> String) -> Vec<Conversation> {
    let one = |number: usize| {
        let turn = |turn: usize| {
            let id = format!("rec-{number}-{turn}");
            let result =
                json!({"items": [{"id": id, "name": "Ann", "state": "open", "total": 129.5}, {"id": "x"}]});
            let calls = vec![
                call(&tool(number + turn), json!({"query": "ann"}), &result.to_string()),
                call(
                    &tool(number + turn + 1),
                    json!({"record_id": id, "reason": "asked"}),
                    "ok",
                ),
            ];
            ("please do it for the customer we spoke about", calls)
        };
        conversation(&number.to_string(), &(0..turns).map(turn).collect::<Vec<_>>())
    };
    (0..conversations).map(one).collect()
}

/// E2: 10,000 tools that name many things, and 2,000 conversations of 100 messages.
#[test]
fn e2_the_largest_agent() {
    let kinds = [
        "find_thing{}(query)",
        "get_thing{}(thing{}_id)",
        "update_thing{}(thing{}_id)",
        "link(thing{}_id, record_id)",
    ];
    let lines: Vec<String> = (0..10_000)
        .map(
            |number| match kinds[number % 4].replace("{}", &(number / 4).to_string()) {
                link if link.starts_with("link") => link.replacen("link", &format!("link{number}"), 1),
                line => line,
            },
        )
        .collect();
    let tools = catalog(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let past = past(2_000, 50, |number| tools[number % 97].name.to_string());
    let graph = timed("many things", || Graph::learn(&tools, &past));
    assert!(graph.edges().len() >= 7_500);
}

/// Everybody supplies the same id to everybody.
#[test]
fn e2_one_thing_for_all() {
    let lines: Vec<String> = (0..10_000)
        .map(|number| match number % 3 {
            0 => format!("find_record_{number}(query) -> record_id"),
            1 => format!("find_record{number}_record(query)"),
            _ => format!("use_{number}(record_id, a{number}_record_id)"),
        })
        .collect();
    let tools = catalog(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let graph = timed("one thing", || Graph::learn(&tools, &[]));
    assert!(graph.edges().len() <= 3_400 * 64);
}

/// Hundreds of calls in one turn, and a result of many values.
#[test]
fn e2_one_turn_with_everything() {
    let lines: Vec<String> = (0..500).map(|number| format!("t{number}(x_id?)")).collect();
    let tools = catalog(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let values: Vec<String> = (0..50_000).map(|number| format!("v-{number}")).collect();
    let all = serde_json::to_string(&values).unwrap();
    let one = |id: &str| {
        let mut calls = vec![call("t0", json!({}), &all)];
        calls.extend(
            (1..500).map(|number| call(&format!("t{number}"), json!({"x_id": values.clone()[..50]}), "{}")),
        );
        conversation(id, &[("x", calls)])
    };
    let past = [one("a"), one("b")];
    let graph = timed("one turn", || Graph::learn(&tools, &past));
    assert_eq!(graph.edges().len(), 499);
}
