//! How often is an edge real whose names suggest it?
//!
//! An edge is right when, in some labelled conversation, the id that the consumer was called with had come out of the
//! provider; only edges count whose consumer was called with an id that had come out of some tool.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use handpick_conversation::{EdgeSource, Graph, published};
use handpick_domain::{AgentTool, Conversation, ToolCall};
use serde_json::{Value, json};

/// Folders to tune with; the others of `quality/turns` are there to judge.
const FOLDERS: [&str; 4] = ["helpdesk", "school", "property", "banking"];

fn folders() -> Vec<PathBuf> {
    let turns = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../quality/turns");
    let more = std::env::var("HANDPICK_TURNS").unwrap_or_default();
    let more = more
        .split(':')
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from);
    FOLDERS
        .iter()
        .map(|name| turns.join(name))
        .chain(more)
        .filter(|folder| folder.exists())
        .collect()
}

/// The catalog, past conversations, and the labelled conversations in the same form.
fn read(folder: &std::path::Path) -> (Vec<AgentTool>, Vec<Conversation>, Vec<Conversation>) {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let body = |name: &str| -> Value { serde_json::from_str(&text(name)).unwrap() };
    let conversations = |body: &Value| -> Vec<Conversation> {
        published::conversations(body)
            .unwrap()
            .into_iter()
            .map(|published| published.conversation)
            .collect()
    };
    let labelled: Vec<Value> = text("conversations.jsonl")
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let conversation: Value = serde_json::from_str(line).unwrap();
            let mut messages = Vec::new();
            for turn in conversation["turns"].as_array().unwrap() {
                messages.push(json!({"role": "user", "content": turn["message"]}));
                if let Value::Object(mut answer) = turn["assistant"].clone() {
                    answer.insert("role".to_owned(), json!("assistant"));
                    messages.push(Value::Object(answer));
                }
            }
            json!({"id": conversation["id"], "messages": messages})
        })
        .collect();
    let tools = published::catalog(&body("catalog.json")).unwrap();
    (
        tools,
        conversations(&body("traces.json")),
        conversations(&Value::Array(labelled)),
    )
}

/// Which tools' results held, in the same conversation, what each parameter was then given.
fn sources(conversations: &[Conversation]) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut sources: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for conversation in conversations {
        let mut returned: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for call in conversation
            .messages
            .iter()
            .flat_map(|message| &message.tool_calls)
        {
            for (param, value) in &call.arguments {
                if let Some(tools) = returned.get(&spelled(value)) {
                    sources
                        .entry((call.name.clone(), param.clone()))
                        .or_default()
                        .extend(tools.iter().cloned());
                }
            }
            for value in results(call) {
                returned.entry(value).or_default().insert(call.name.clone());
            }
        }
    }
    sources
}

fn results(call: &ToolCall) -> Vec<String> {
    fn walk(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| walk(value, into)),
            Value::Object(members) => members.values().for_each(|value| walk(value, into)),
            value => into.push(spelled(value)),
        }
    }
    let mut values = Vec::new();
    if let Ok(result) = serde_json::from_str(call.result.as_deref().unwrap_or_default()) {
        walk(&result, &mut values);
    }
    let given: BTreeSet<String> = call.arguments.values().map(spelled).collect();
    values.retain(|value| value.len() > 1 && !given.contains(value));
    values
}

fn spelled(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Edges of each confidence: how many could be judged, and how many of them are right.
type Calibration = BTreeMap<String, (usize, usize)>;

fn judge(
    tools: &[AgentTool],
    graph: &Graph,
    source: EdgeSource,
    seen: &[Conversation],
    calibration: &mut Calibration,
) {
    let sources = sources(seen);
    for edge in graph.edges().iter().filter(|edge| edge.source == source) {
        let (provider, consumer) = (&tools[edge.provider].name, &tools[edge.consumer].name);
        if let Some(real) = sources.get(&(consumer.to_string(), edge.param.to_string())) {
            let group = match source {
                EdgeSource::Static => format!("{:.2}", edge.confidence),
                _ => format!("{:.1}", (edge.confidence * 5.0).floor() / 5.0),
            };
            let (all, right) = calibration.entry(group).or_default();
            *all += 1;
            *right += usize::from(real.contains(&**provider));
        }
    }
}

/// T15: a confidence is the share of edges of that confidence that are right.
#[test]
fn t15_confidence_is_how_often_an_edge_is_right() {
    let mut calibration = Calibration::new();
    for folder in folders() {
        let (mut tools, past, labelled) = read(&folder);
        tools.iter_mut().for_each(|tool| tool.produces.clear());
        let graph = Graph::learn(&tools, &[]);
        let seen: Vec<Conversation> = past.into_iter().chain(labelled).collect();
        judge(&tools, &graph, EdgeSource::Static, &seen, &mut calibration);
    }
    for (confidence, (all, right)) in &calibration {
        println!("names: confidence {confidence}: {right} of {all} right");
        let (confidence, share): (f64, f64) = (confidence.parse().unwrap(), *right as f64 / *all as f64);
        assert!(
            *all < 10 || (share - confidence).abs() < 0.25,
            "{confidence} is {share}"
        );
    }
}

/// T19: what past conversations show holds in others.
#[test]
fn t19_traced_edges_hold_in_other_conversations() {
    let mut calibration = Calibration::new();
    for folder in folders() {
        let (mut tools, past, labelled) = read(&folder);
        tools.iter_mut().for_each(|tool| tool.produces.clear());
        let graph = Graph::learn(&tools, &past);
        judge(&tools, &graph, EdgeSource::Trace, &labelled, &mut calibration);
        for edge in graph
            .edges()
            .iter()
            .filter(|edge| edge.source == EdgeSource::Trace)
        {
            let (provider, consumer) = (&tools[edge.provider].name, &tools[edge.consumer].name);
            println!("{provider} -> {consumer} ({}) {:.2}", edge.param, edge.confidence);
        }
    }
    let (mut all, mut right) = (0, 0);
    for (confidence, counts) in &calibration {
        println!(
            "traces: confidence from {confidence}: {} of {} right",
            counts.1, counts.0
        );
        all += counts.0;
        right += counts.1;
    }
    assert!(right as f64 >= 0.8 * all as f64, "{right} of {all}");
}
