//! What is said of tools that take each other's place?

use super::*;
use crate::listing::tests::tool;
use std::sync::Arc;

const SCHEMA: &str = r#"{"type":"object","properties":{"id":{}}}"#;

fn catalog(tools: &[(&str, &str, &str)]) -> Catalog {
    let tools = tools.iter().map(|(app, name, line)| {
        let schema = if name.contains("item") {
            r#"{"type":"object","properties":{"id":{},"itemId":{}}}"#
        } else {
            SCHEMA
        };
        Arc::new(tool(app, name, line, schema))
    });
    Catalog::new(1, tools.collect())
}

/// The outcome for the tool at `position`: the answer from its first place on, as positions and scores.
fn outcome(position: usize, answer: &[(usize, f32)]) -> Outcome {
    let ranked = answer.iter().enumerate().map(|(nth, &(position, score))| Ranked {
        position,
        place: nth + 1,
        score,
    });
    Outcome::of(position, ranked.collect())
}

#[track_caller]
fn check(tools: &[(&str, &str, &str)], outcomes: &[Outcome], expected: &[(&str, Severity, &str, &str)]) {
    let catalog = catalog(tools);
    let findings = findings(&catalog, outcomes);
    let told: Vec<(&str, Severity, &str, &str)> = findings
        .iter()
        .map(|finding| {
            (
                finding.rule.id,
                finding.severity,
                finding.message.as_str(),
                finding.instead.as_str(),
            )
        })
        .collect();
    assert_eq!(told, expected);
}

/// A34: near-identical first lines compete, and the report says by how much.
#[test]
fn a34_a_sibling_comes_first() {
    let tools = [
        ("lists", "get_list", "Returns the entries of a list."),
        ("lists", "get_list_item", "Returns an entry of a list."),
    ];
    check(
        &tools,
        &[
            outcome(0, &[(0, 0.9), (1, 0.5)]),
            outcome(1, &[(0, 0.8), (1, 0.6)]),
        ],
        &[(
            "lines-compete",
            Severity::Warning,
            "asked for in the words of its own first line, \"Returns an entry of a list.\", `get_list` comes before it, at odds of 2.67 to 1",
            "say in the first line what sets it apart: `itemId` (only it takes)",
        )],
    );
    check(&tools, &[outcome(0, &[(0, 0.9), (1, 0.5)])], &[]);
}

#[test]
fn the_same_line_twice() {
    let tools = [
        ("lists", "get_list", "Returns an entry of a list."),
        ("lists", "get_list_item", "Returns an entry of a list"),
    ];
    check(
        &tools,
        &[outcome(1, &[(1, 0.6), (0, 0.6)])],
        &[(
            "lines-identical",
            Severity::Warning,
            "the first line of `description` is also that of `get_list`: \"Returns an entry of a list\"; asked with it, `get_list` is as good (odds 1.00 to 1)",
            "say in the first line what sets it apart: `itemId` (only it takes)",
        )],
    );
}

/// Another server's tool is the author's business only in part.
#[test]
fn another_server_comes_first() {
    let tools = [
        ("browser", "open", "Navigate to a URL in the browser"),
        ("puppeteer", "open", "Navigate to a URL"),
    ];
    check(
        &tools,
        &[outcome(1, &[(0, 0.9)])],
        &[(
            "lines-compete",
            Severity::Note,
            "asked for in the words of its own first line, \"Navigate to a URL\", `browser.open` comes first and it is not among the first 10",
            "name the service, Puppeteer, in the first line",
        )],
    );
}

#[test]
fn nobody_asks_with_a_siblings_name() {
    let catalog = catalog(&[
        ("a", "start_run", "Start a run; end it with `stop_run`."),
        ("a", "stop_run", ""),
    ]);
    assert_eq!(tasks(&catalog), [(0, "Start a run; end it with".to_owned())]);
}
