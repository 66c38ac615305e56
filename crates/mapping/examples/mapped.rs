//! How often are the arguments of labelled requests read exactly, given the right tool?
//!
//! `cargo run -p handpick-mapping --example mapped -- quality/unified/dev.jsonl quality/demo/tools.jsonl [CATALOGS]`
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a tool for the one who develops the reader"
)]

use std::collections::{BTreeMap, HashMap};
use std::{env, fs};

use handpick_mapping::{Asking, Mapped, Now, Request, asks_for_action, map_arguments};
use serde_json::{Map, Value};

/// A tool's words and its input schema.
type Tools = HashMap<String, (String, Value)>;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [lines, demo, rest @ ..] = arguments.as_slice() else {
        println!("usage: mapped LINES TOOLS [CATALOGS]");
        return;
    };
    let tools = tools(demo, rest.first().map(String::as_str));
    let now = Now::utc("2026-11-30T10:00:00Z".parse().expect("a moment"));
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for line in fs::read_to_string(lines).expect("the lines").lines() {
        let line: Value = serde_json::from_str(line).expect("a labelled request");
        let text = line["request"].as_str().unwrap_or_default();
        let asking = asks_for_action(text);
        let told = match (line["outcome"] == "run", line["reason"] == "unclear", asking) {
            (true, _, Asking::Yes) | (false, true, Asking::No(_)) => "asking told",
            (true, ..) => "asking NOT SEEN",
            (false, true, _) => "talk NOT SEEN",
            _ => "not judged",
        };
        *counts.entry(told).or_default() += 1;
        if told.contains("NOT") {
            println!("{told}: {} {text} ({asking:?})", line["id"]);
        }
        let Some((words, schema)) = line["tool"].as_str().and_then(|tool| tools.get(tool)) else {
            continue;
        };
        let request = Request {
            text,
            context: line.get("context"),
            now,
        };
        let mapped = map_arguments(&request, words, schema);
        let verdict = if line["outcome"] == "run" {
            judged(&line, &mapped)
        } else {
            asked_back(&line, &mapped)
        };
        *counts.entry(verdict).or_default() += 1;
        if !matches!(verdict, "exact" | "asked back") {
            println!(
                "{verdict}: {} {} ctx={}",
                line["id"],
                line["request"],
                line.get("context").unwrap_or(&Value::Null)
            );
            println!("   {} want {}", line["tool"], line["arguments"]);
            println!("   read {}", Value::Object(mapped.arguments.clone()));
            println!(
                "   sure {:?} missing {:?} torn {:?} explained {:.2}",
                mapped.sureness,
                names(&mapped),
                mapped.torn,
                mapped.explained
            );
        }
    }
    println!("{counts:?}");
}

fn names(mapped: &Mapped) -> Vec<&str> {
    mapped
        .missing
        .iter()
        .map(|missing| missing.name.as_str())
        .collect()
}

fn tools(demo: &str, catalogs: Option<&str>) -> Tools {
    let mut tools = Tools::new();
    for line in fs::read_to_string(demo).expect("the tools").lines() {
        let tool: Value = serde_json::from_str(line).expect("a tool");
        let name = tool["name"].as_str().unwrap_or_default();
        tools.insert(
            name.to_owned(),
            (words_of(name, &tool["description"]), tool["input_schema"].clone()),
        );
    }
    let Some(folder) = catalogs else { return tools };
    for entry in fs::read_dir(folder).expect("the catalogs").flatten() {
        let path = entry.path();
        let server = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default()
            .to_owned();
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let Ok(catalog) = serde_json::from_str::<Value>(&text) else {
            continue;
        };
        for tool in catalog["tools"].as_array().into_iter().flatten() {
            let name = format!("{server}.{}", tool["name"].as_str().unwrap_or_default());
            tools.insert(
                name.clone(),
                (words_of(&name, &tool["description"]), tool["inputSchema"].clone()),
            );
        }
    }
    tools
}

fn words_of(name: &str, description: &Value) -> String {
    let first = description
        .as_str()
        .unwrap_or_default()
        .trim()
        .lines()
        .next()
        .unwrap_or_default();
    format!("{name} {first}")
}

fn judged(line: &Value, mapped: &Mapped) -> &'static str {
    let empty = Map::new();
    let optional = line["optional"].as_object().unwrap_or(&empty);
    let mut wanted = vec![line["arguments"].as_object().unwrap_or(&empty)];
    for other in line["alternatives"].as_array().into_iter().flatten() {
        if other["tool"] == line["tool"] {
            wanted.push(other["arguments"].as_object().unwrap_or(&empty));
        }
    }
    if wanted
        .iter()
        .any(|wanted| exact(wanted, optional, &mapped.arguments))
    {
        return "exact";
    }
    let right = wanted
        .iter()
        .any(|wanted| none_wrong(wanted, optional, &mapped.arguments));
    match (right, mapped.missing.is_empty()) {
        (true, true) => "INCOMPLETE",
        (true, false) => "missing",
        (false, false) => "wrong, but asked back",
        (false, true) => "WRONG",
    }
}

fn asked_back(line: &Value, mapped: &Mapped) -> &'static str {
    if line["reason"] == "missing" && mapped.missing.is_empty() && mapped.torn.is_empty() {
        "NOT ASKED"
    } else {
        "asked back"
    }
}

fn exact(wanted: &Map<String, Value>, optional: &Map<String, Value>, read: &Map<String, Value>) -> bool {
    wanted
        .iter()
        .all(|(name, value)| read.get(name).is_some_and(|read| same(value, read)))
        && none_wrong(wanted, optional, read)
}

fn none_wrong(wanted: &Map<String, Value>, optional: &Map<String, Value>, read: &Map<String, Value>) -> bool {
    read.iter().all(|(name, read)| match (wanted.get(name), read) {
        (Some(Value::Object(wanted)), Value::Object(read)) => none_wrong(wanted, &Map::new(), read),
        (Some(value), read) => same(value, read),
        (None, read) => optional.get(name).is_some_and(|value| same(value, read)),
    })
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}
