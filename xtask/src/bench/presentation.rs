//! How long does one task take in each presentation, from the first message of the agent to the tool's result?
//!
//! The demo's 167 tools in one process, so that nearly all the time is the gateway's own. The task is the same each
//! time: messages are searched, for words nobody said before, so that no text was encoded earlier. What a model thinks
//! between two messages is not in it; the number of messages is told.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::http::Connection;
use super::{KEY, Programs, fresh_folder};
use crate::processes::{Running, free_port, within};

/// Tasks counted in each presentation, after some that are not.
const COUNTED: usize = 200;
const BEFORE: usize = 10;

/// A way to get the task done.
struct Way {
    name: &'static str,
    mode: &'static str,
    /// The messages for the `nth` task: the last one runs the tool.
    messages: fn(&Task) -> Vec<Value>,
}

const WAYS: [Way; 6] = [
    Way {
        name: "direct",
        mode: "direct",
        messages: |task| vec![json!({"name": TOOL, "arguments": task.arguments()})],
    },
    Way {
        name: "discovery",
        mode: "discovery",
        messages: |task| {
            vec![
                json!({"name": "discover_tools", "arguments": {"query": task.query}}),
                json!({"name": "get_tool_schema", "arguments": {"tool_name": TOOL}}),
                json!({"name": "execute_tool", "arguments": {"tool_name": TOOL, "parameters": task.arguments()}}),
            ]
        },
    },
    Way {
        name: "recommend",
        mode: "recommend",
        messages: |task| {
            vec![
                json!({"name": "Arcade_SelectTools", "arguments": {"tasks": [task.query]}}),
                json!({"name": "Arcade_UseTool", "arguments": {"tool_name": TOOL, "inputs": task.arguments()}}),
            ]
        },
    },
    Way {
        name: "progressive, first",
        mode: "progressive",
        messages: |task| {
            vec![
                json!({"name": "arc_search_tools", "arguments": {"query": task.query}}),
                json!({"name": "arc_call_tool", "arguments": {"name": TOOL, "arguments": task.arguments()}}),
            ]
        },
    },
    Way {
        name: "progressive, again",
        mode: "progressive",
        messages: |task| vec![json!({"name": TOOL, "arguments": task.arguments()})],
    },
    Way {
        name: "unified",
        mode: "unified",
        messages: |task| vec![json!({"name": "unified_tool", "arguments": {"request": task.request}})],
    },
];

const TOOL: &str = "chat_search_messages";

/// One search.
struct Task {
    query: String,
    request: String,
    text: String,
}

impl Task {
    fn new(number: usize) -> Self {
        let word: String = [number / 676, number / 26, number]
            .map(|part| char::from(b'a' + (part % 26) as u8))
            .into_iter()
            .collect();
        let text = format!("Build {word} is done");
        Self {
            query: format!("search the chat messages for {word}"),
            request: format!("Search the chat messages for \"{text}\""),
            text,
        }
    }

    fn arguments(&self) -> Value {
        json!({"query": self.text})
    }
}

/// Starts the demo, sets each presentation in turn and measures.
pub fn run(programs: &Programs) -> Result<bool> {
    let folder = fresh_folder("presentation")?;
    let address = format!("127.0.0.1:{}", free_port()?);
    let mut demo = programs.command("handpick");
    demo.args(["demo", "--listen", &address, "--data"])
        .arg(folder.join("data"))
        .env("HANDPICK_ADMIN_KEY", KEY)
        .stdout(Stdio::null());
    let _demo = Running::start(&mut demo)?;
    if !within(Duration::from_secs(120), || Connection::open(&address).is_ok()) {
        bail!("the demo does not answer at {address}");
    }
    let mut connection = Connection::open(&address)?;
    println!("── presentation: one task over 167 tools, a single caller");
    println!(
        "{:<20}{:>10}{:>10}{:>10}{:>10}",
        "", "messages", "p50, ms", "p99, ms", "ran"
    );
    for way in WAYS {
        let change = json!({"mode": way.mode}).to_string();
        connection.exchange("PATCH /v1/gateways/default", "", &change)?;
        let mut times = Vec::new();
        let (mut messages, mut ran) = (0, 0);
        for number in 0..BEFORE + COUNTED {
            let task = Task::new(number);
            let began = Instant::now();
            let asked = (way.messages)(&task);
            messages = asked.len();
            let mut last = Value::Null;
            for params in asked {
                last = call(&mut connection, &params)?;
            }
            if number >= BEFORE {
                times.push(began.elapsed());
                ran += usize::from(has_run(&last));
            }
        }
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!(
            "{:<20}{messages:>10}{:>10.2}{:>10.2}{ran:>10}",
            way.name,
            at(0.5),
            at(0.99)
        );
    }
    Ok(true)
}

fn call(connection: &mut Connection, params: &Value) -> Result<Value> {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let headers = "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n";
    connection
        .exchange("POST /mcp/default", headers, &body)
        .with_context(|| format!("calling {params}"))
}

/// Whether the tool did what was asked.
fn has_run(answer: &Value) -> bool {
    let result = &answer["result"];
    result.is_object()
        && result["isError"] != true
        && result["structuredContent"]["needs_clarification"] != true
}
