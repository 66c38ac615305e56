//! Is what the rules call bad bad? `cargo run --example spoil -p handpick-lint -- SET OUT`
//!
//! The other way round than `rewrite`: takes the questions of a labelled set whose answers break no rule about
//! first lines, and spoils those answers' first lines in one way after the other. Writes pairs of sets below
//! OUT, `WAY-before` and `WAY-after`, for `handpick eval`.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

#[path = "support/lines.rs"]
mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use handpick_domain::{Catalog, Tool};
use handpick_lint::{Clients, Severity, check};
use serde_json::{Value, json};

use lines::{lines, write_lines};

/// A way to spoil a description, given the tool's own name in words.
type Way = fn(&str, &str) -> String;

const WAYS: [(&str, Way); 5] = [
    ("first-line-empty", |_, description| format!("\n{description}")),
    ("first-line-markup", |_, description| {
        format!("## Overview\n{description}")
    }),
    ("first-line-repeats-name", |name, description| {
        format!("{name}.\n{description}")
    }),
    ("first-line-filler", |_, description| {
        let mut letters = description.chars();
        let first = letters.next().map(|first| first.to_lowercase().to_string());
        format!(
            "This tool allows you to {}{}",
            first.unwrap_or_default(),
            letters.as_str()
        )
    }),
    ("first-line-cut", |_, description| {
        let (line, rest) = description.split_once('\n').unwrap_or((description, ""));
        let words: Vec<&str> = line.split(' ').collect();
        let half = (words.len() / 2).max(3).min(words.len());
        format!("{}\n{}\n{rest}", words[..half].join(" "), words[half..].join(" "))
    }),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, out] = arguments.as_slice() else {
        println!("usage: spoil SET OUT");
        return;
    };
    let (tools, queries) = (
        lines(&Path::new(set).join("tools.jsonl")),
        lines(&Path::new(set).join("queries.jsonl")),
    );
    let bad = flagged(&tools);
    let asked: Vec<&Value> = queries
        .iter()
        .filter(|query| {
            let mut relevant = names(query, "relevant").peekable();
            relevant.peek().is_some() && relevant.all(|name| !bad.contains(name))
        })
        .collect();
    let answers: BTreeSet<&str> = asked
        .iter()
        .flat_map(|query| names(query, "relevant").chain(names(query, "also_accept")))
        .collect();
    println!("{} questions, {} tools are spoiled", asked.len(), answers.len());
    for (way, spoil) in WAYS {
        let spoiled: Vec<Value> = tools.iter().map(|tool| spoiled(tool, &answers, spoil)).collect();
        for (which, tools) in [("before", &tools), ("after", &spoiled)] {
            let folder = Path::new(out).join(format!("{way}-{which}"));
            std::fs::create_dir_all(&folder).unwrap();
            write_lines(&folder.join("tools.jsonl"), tools);
            write_lines(&folder.join("queries.jsonl"), &asked);
        }
    }
}

/// The tools, as the set names them, with an error or a warning about their first line.
fn flagged(tools: &[Value]) -> BTreeSet<String> {
    let mut written = BTreeMap::new();
    let mut parsed = Vec::new();
    for row in tools {
        let server = row["server"].as_str().unwrap_or("api");
        let name = row["name"].as_str().unwrap();
        let own = name
            .strip_prefix(server)
            .map_or(name, |own| own.trim_start_matches(['_', '.']));
        let definition = json!({"name": own, "description": row["description"], "inputSchema": {}});
        let raw = serde_json::value::to_raw_value(&definition).unwrap();
        let tool = Tool::parse(&server.replace('.', "-"), &raw).unwrap();
        written.insert(tool.name.clone(), name.to_owned());
        parsed.push(Arc::new(tool));
    }
    let findings = check(&Catalog::new(1, parsed), Clients::All);
    findings
        .into_iter()
        .filter(|finding| finding.rule.id.starts_with("first-line") && finding.severity > Severity::Note)
        .filter_map(|finding| written.get(&finding.tool?).cloned())
        .collect()
}

fn spoiled(tool: &Value, answers: &BTreeSet<&str>, spoil: Way) -> Value {
    let mut tool = tool.clone();
    let name = tool["name"].as_str().unwrap_or_default().to_owned();
    if answers.contains(name.as_str()) {
        let server = tool["server"].as_str().unwrap_or_default();
        let own = name.strip_prefix(server).unwrap_or(&name);
        let words = handpick_lint::words::words(own).join(" ");
        let description = tool["description"].as_str().unwrap_or_default();
        tool["description"] = spoil(&words, description).into();
    }
    tool
}

fn names<'q>(query: &'q Value, key: &str) -> impl Iterator<Item = &'q str> {
    query[key]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}
