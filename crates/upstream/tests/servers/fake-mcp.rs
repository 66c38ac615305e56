//! What does an MCP server on stdio do that misbehaves on purpose?
//!
//! Every misbehaviour is a switch, `--name` or `--name=value`; see [`Switches`].
#![allow(
    clippy::print_stdout,
    clippy::zombie_processes,
    clippy::expect_used,
    reason = "a test fixture: it speaks on stdout, and a panic is a failed test"
)]

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

/// The command line.
struct Switches(BTreeMap<String, String>);

impl Switches {
    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.parse().ok()
    }

    /// Adds a line to the file a switch names. In one write: several processes share a file.
    fn append(&self, name: &str, line: &str) {
        if let Some(path) = self.0.get(name) {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
            let mut file = file.expect("the file of a switch can be opened");
            file.write_all(format!("{line}\n").as_bytes())
                .expect("the file of a switch can be written");
        }
    }
}

struct Fake {
    switches: Switches,
    calls: AtomicU64,
    grown: AtomicBool,
    modern: AtomicBool,
    replies: std::sync::Mutex<Vec<Value>>,
    listening: std::sync::Mutex<Option<Value>>,
}

fn main() {
    let switches = std::env::args().skip(1).filter_map(|argument| {
        let argument = argument.strip_prefix("--")?.to_owned();
        let (name, value) = argument.split_once('=').unwrap_or((&argument, ""));
        Some((name.to_owned(), value.to_owned()))
    });
    let fake = Arc::new(Fake {
        switches: Switches(switches.collect()),
        calls: AtomicU64::new(0),
        grown: AtomicBool::new(false),
        modern: AtomicBool::new(false),
        replies: std::sync::Mutex::default(),
        listening: std::sync::Mutex::default(),
    });
    fake.switches.append("pids", &std::process::id().to_string());
    if let Some(ms) = fake.switches.number("start-delay-ms") {
        std::thread::sleep(Duration::from_millis(ms));
    }
    if let Some(path) = fake.switches.0.get("start-after") {
        wait_until(|| std::path::Path::new(path).exists());
    }
    if fake.switches.has("crash-at-start") {
        eprintln!("no licence found");
        std::process::exit(4);
    }
    if fake.switches.has("noise") {
        write_bytes(b"Server starting...\n\n{\"level\":\"info\"}\n\xff\xfe\n[1,2\n{broken\n");
    }
    if fake.switches.has("chatty-stderr") {
        for line in 0..300 {
            eprintln!(
                "line {line} {}",
                "x".repeat(if line == 299 { 100_000 } else { 10 })
            );
        }
    }
    if let Some(seconds) = fake.switches.0.get("grandchild") {
        let child = std::process::Command::new("sleep")
            .arg(seconds)
            .spawn()
            .expect("sleep runs");
        fake.switches.append("pids", &child.id().to_string());
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("stdin is read");
        fake.switches.append("log", &line);
        let message: Value = serde_json::from_str(&line).expect("every line is a message");
        fake.take(message);
    }
    if fake.switches.has("ignore-eof") {
        loop {
            std::thread::sleep(Duration::from_secs(1000));
        }
    }
}

impl Fake {
    fn take(self: &Arc<Self>, message: Value) {
        let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else {
            if message.get("id").is_some() {
                self.replies.lock().expect("replies").push(message);
            }
            return;
        };
        let id = id.clone();
        if self.switches.has("mute") {
            return;
        }
        let modern_request = message
            .pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion")
            .is_some();
        match method {
            "server/discover" => self.discover(&id),
            "initialize" if self.switches.has("modern") => fail(&id, -32022, "only 2026-07-28"),
            "initialize" if self.takes_offence(&message["params"]["capabilities"]) => {
                fail(&id, -32603, "Unrecognized field in `capabilities`");
            }
            "initialize" => {
                let version = message["params"]["protocolVersion"].clone();
                answer(
                    &id,
                    &json!({
                        "protocolVersion": version, "capabilities": {"tools": {"listChanged": true}},
                        "serverInfo": {"name": "fake", "version": "1"},
                    }),
                );
            }
            _ if self.switches.has("modern") && !modern_request => fail(&id, -32602, "no metadata"),
            "tools/list" => self.list(&id, &message["params"]),
            "tools/call" => {
                let fake = Arc::clone(self);
                std::thread::spawn(move || fake.call(&id, &message["params"]));
            }
            "subscriptions/listen" => {
                send(&json!({
                    "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                    "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": id}, "notifications": {"toolsListChanged": true}},
                }));
                *self.listening.lock().expect("listening") = Some(id);
            }
            _ => fail(&id, -32601, "unknown method"),
        }
    }

    fn discover(&self, id: &Value) {
        if self.switches.has("exit-on-discover") {
            std::process::exit(1);
        }
        if self.switches.has("silent-on-discover") {
            return;
        }
        if !self.switches.has("modern") && !self.switches.has("dual") {
            return fail(id, -32601, "unknown method");
        }
        self.modern.store(true, Ordering::Relaxed);
        answer(
            id,
            &json!({
                "resultType": "complete", "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {"listChanged": true}}, "ttlMs": 0, "cacheScope": "private",
            }),
        );
    }

    fn list(&self, id: &Value, params: &Value) {
        if let Some(text) = self.switches.0.get("list-result") {
            let result: Value = serde_json::from_str(text).expect("a JSON result");
            return answer(id, &result);
        }
        let tool = |name: &str| json!({"name": name, "description": "A tool", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"}});
        if let Some(pages) = self.switches.number("pages") {
            let page: u64 = params["cursor"]
                .as_str()
                .and_then(|cursor| cursor.parse().ok())
                .unwrap_or(0);
            let mut result = json!({"tools": [tool(&format!("page{page}"))]});
            if page + 1 < pages {
                result["nextCursor"] = json!((page + 1).to_string());
            }
            return answer(id, &result);
        }
        let mut tools: Vec<Value> = [
            "echo", "sleep", "progress", "big", "fail", "env", "change", "ask", "die", "pid", "mute",
        ]
        .map(tool)
        .into();
        if self.grown.load(Ordering::Relaxed) {
            tools.push(tool("added"));
        }
        if self.switches.has("asks") {
            tools.push(tool("question"));
        }
        answer(id, &json!({"tools": tools}));
    }

    fn call(&self, id: &Value, params: &Value) {
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if self
            .switches
            .number("crash-after")
            .is_some_and(|after| call > after)
        {
            eprintln!("out of memory on call {call}");
            std::process::exit(3);
        }
        if self.switches.has("garbage-ids") {
            for wrong in [
                json!(999_999),
                json!("nonsense"),
                json!(null),
                json!(-1),
                json!({"a": 1}),
            ] {
                answer(&wrong, &json!({"content": [], "wrong": true}));
            }
        }
        let arguments = &params["arguments"];
        let number = |name: &str| arguments[name].as_u64().unwrap_or(0);
        match params["name"].as_str().unwrap_or_default() {
            "echo" => answer(
                id,
                &json!({"content": [], "structuredContent": arguments, "_meta": {"got": params["_meta"]}}),
            ),
            "sleep" => {
                std::thread::sleep(Duration::from_millis(number("ms")));
                answer(id, &json!({"content": [], "slept": number("ms")}));
            }
            "progress" => {
                // A step for each byte of the file: whoever calls sets the pace.
                let pace = arguments["pace"].as_str().unwrap_or_default();
                for step in 1..=number("steps") {
                    wait_until(|| std::fs::metadata(pace).is_ok_and(|file| file.len() >= step));
                    send(&json!({
                        "jsonrpc": "2.0", "method": "notifications/progress",
                        "params": {"progressToken": params["_meta"]["progressToken"], "progress": step, "message": format!("step {step}")},
                    }));
                }
                answer(id, &json!({"content": [], "done": true}));
            }
            "big" => {
                let text = "x".repeat(usize::try_from(number("bytes")).expect("bytes"));
                answer(id, &json!({"content": [{"type": "text", "text": text}]}));
            }
            "fail" => send(
                &json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32042, "message": "go there", "data": {"url": "x"}}}),
            ),
            "env" => {
                let value = std::env::var(arguments["name"].as_str().unwrap_or_default()).ok();
                let cwd = std::env::current_dir().expect("a working directory");
                answer(id, &json!({"content": [], "value": value, "cwd": cwd}));
            }
            "change" => {
                self.grown.store(true, Ordering::Relaxed);
                let listening = self.listening.lock().expect("listening").clone();
                send(&json!({
                    "jsonrpc": "2.0", "method": "notifications/tools/list_changed",
                    "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": listening}},
                }));
                answer(id, &json!({"content": []}));
            }
            "ask" => {
                for (id, method) in [
                    ("q1", "ping"),
                    ("q2", "roots/list"),
                    ("q3", "sampling/createMessage"),
                ] {
                    send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}}));
                }
                wait_until(|| self.replies.lock().expect("replies").len() >= 3);
                answer(
                    id,
                    &json!({"content": [], "replies": *self.replies.lock().expect("replies")}),
                );
            }
            "die" => {
                eprintln!("dying as asked");
                std::process::exit(i32::try_from(number("status")).expect("a status"));
            }
            "pid" => answer(id, &json!({"content": [], "pid": std::process::id()})),
            "mute" => {}
            "question" => self.question(id, call, params),
            _ => fail(id, -32602, "unknown tool"),
        }
    }

    /// Whether it cannot read what a client offers: the modes of elicitation, or elicitation itself.
    fn takes_offence(&self, offered: &Value) -> bool {
        let elicitation = &offered["elicitation"];
        if self.switches.has("exit-on-offers") && offered != &json!({}) {
            std::process::exit(1);
        }
        match self.switches.0.get("strict").map(String::as_str) {
            Some("modes") => elicitation.as_object().is_some_and(|modes| !modes.is_empty()),
            Some("all") => !elicitation.is_null(),
            _ => false,
        }
    }

    /// Asks its client what the arguments say, `[[method, params as text], ...]`, and answers with what came back.
    fn question(&self, id: &Value, call: u64, params: &Value) {
        let arguments = &params["arguments"];
        let asked: Vec<(&str, &str)> = arguments["ask"]
            .as_array()
            .expect("questions")
            .iter()
            .map(|asked| {
                (
                    asked[0].as_str().expect("a method"),
                    asked[1].as_str().expect("params"),
                )
            })
            .collect();
        if self.switches.has("modern") {
            return ask_by_result(id, &asked, params);
        }
        let ids: Vec<String> = (0..asked.len())
            .map(|number| format!("q{call}-{number}"))
            .collect();
        for (id, (method, params)) in ids.iter().zip(&asked) {
            write_bytes(
                format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}","params":{params}}}"#)
                    .as_bytes(),
            );
            write_bytes(b"\n");
        }
        if let Some(path) = arguments["withdraw_after"].as_str() {
            wait_until(|| std::path::Path::new(path).exists());
            for id in &ids {
                send(
                    &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}),
                );
            }
            return answer(id, &json!({"content": [], "withdrawn": true}));
        }
        let find = |id: &String| {
            let replies = self.replies.lock().expect("replies");
            replies.iter().find(|reply| reply["id"] == **id).cloned()
        };
        wait_until(|| ids.iter().all(|id| find(id).is_some()));
        let replies: Vec<_> = ids.iter().map(find).collect();
        answer(id, &json!({"content": [], "replies": replies}));
    }
}

/// The way of 2026-07-28: the call is answered with the questions until it carries the answers.
fn ask_by_result(id: &Value, asked: &[(&str, &str)], params: &Value) {
    if !params["inputResponses"].is_null() {
        return answer(
            id,
            &json!({
                "resultType": "complete", "content": [], "replies": params["inputResponses"],
                "state": params["requestState"], "got": params["_meta"],
            }),
        );
    }
    let requests: Vec<String> = asked
        .iter()
        .enumerate()
        .map(|(number, (method, params))| format!(r#""k{number}":{{"method":"{method}","params":{params}}}"#))
        .collect();
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{{{}}},"requestState":"a\u002fb"}}}}"#,
        requests.join(",")
    );
    write_bytes(format!("{line}\n").as_bytes());
}

fn wait_until(holds: impl Fn() -> bool) {
    while !holds() {
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn answer(id: &Value, result: &Value) {
    send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
}

fn fail(id: &Value, code: i64, message: &str) {
    send(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}));
}

fn send(message: &Value) {
    write_bytes(format!("{message}\n").as_bytes());
}

fn write_bytes(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
}
