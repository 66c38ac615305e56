//! Which sets tell whether following the rules pays? `cargo run --example rewrite -p handpick-lint -- SET REWRITES OUT`
//!
//! SET is a labelled set (tools.jsonl, queries.jsonl), REWRITES better first lines for some of its tools, as
//! JSON lines with `name`, `rules` and `first_line`. Writes pairs of sets below OUT, `NAME-before` and
//! `NAME-after`: `all` with every question, `answers` with those whose answer was rewritten, and one pair a
//! rule, in which only the tools that broke it are. `handpick eval OUT/answers-before OUT/answers-after` then
//! tells the difference; `quality/lint/README.md` has the whole recipe.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

#[path = "support/lines.rs"]
mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use lines::{lines, write_lines};

#[derive(Clone, Deserialize)]
struct Rewrite {
    name: String,
    rules: Vec<String>,
    first_line: String,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, rewrites, out] = arguments.as_slice() else {
        println!("usage: rewrite SET REWRITES OUT");
        return;
    };
    let (tools, queries) = (
        lines(&Path::new(set).join("tools.jsonl")),
        lines(&Path::new(set).join("queries.jsonl")),
    );
    let rewrites: Vec<Rewrite> = lines(Path::new(rewrites))
        .into_iter()
        .map(|line| serde_json::from_value(line).unwrap())
        .collect();
    let rules: BTreeSet<String> = rewrites
        .iter()
        .flat_map(|rewrite| rewrite.rules.clone())
        .collect();
    let out = Path::new(out);
    write_pair(out, "all", &tools, &queries, &rewrites, false);
    write_pair(out, "answers", &tools, &queries, &rewrites, true);
    for rule in rules {
        let broken: Vec<Rewrite> = rewrites
            .iter()
            .filter(|rewrite| rewrite.rules.contains(&rule))
            .cloned()
            .collect();
        write_pair(out, &rule, &tools, &queries, &broken, true);
    }
}

/// Writes the set as it is and as it is rewritten; with `answers_only`, the questions a rewritten tool answers.
fn write_pair(
    out: &Path,
    name: &str,
    tools: &[Value],
    queries: &[Value],
    rewrites: &[Rewrite],
    answers_only: bool,
) {
    let lines: BTreeMap<&str, &str> = rewrites
        .iter()
        .map(|rewrite| (rewrite.name.as_str(), rewrite.first_line.as_str()))
        .collect();
    let is_rewritten = |query: &Value| {
        let names = ["relevant", "also_accept"]
            .into_iter()
            .flat_map(|key| query[key].as_array().into_iter().flatten());
        names
            .filter_map(Value::as_str)
            .any(|name| lines.contains_key(name))
    };
    let asked: Vec<&Value> = queries
        .iter()
        .filter(|query| !answers_only || is_rewritten(query))
        .collect();
    let rewritten: Vec<Value> = tools.iter().map(|tool| rewritten(tool, &lines)).collect();
    println!(
        "{name}: {} tools rewritten, {} questions",
        lines.len(),
        asked.len()
    );
    for (which, tools) in [("before", tools), ("after", &rewritten)] {
        let folder = out.join(format!("{name}-{which}"));
        std::fs::create_dir_all(&folder).unwrap();
        write_lines(&folder.join("tools.jsonl"), tools);
        write_lines(&folder.join("queries.jsonl"), &asked);
    }
}

fn rewritten(tool: &Value, lines: &BTreeMap<&str, &str>) -> Value {
    let mut tool = tool.clone();
    if let Some(line) = tool["name"].as_str().and_then(|name| lines.get(name)) {
        let description = tool["description"].as_str().unwrap_or_default();
        tool["description"] = format!("{line}\n\n{description}").into();
    }
    tool
}
