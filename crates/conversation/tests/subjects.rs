//! Does an id hold exactly as long as its record is talked about?
//!
//! The cases stand in `data/subjects.txt`, in fields that no labelled conversation is from.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that prints what it measured"
)]

use std::collections::BTreeMap;

use handpick_conversation::{Agent, found, reading, resolved};
use handpick_domain::{AgentTool, Message, Parameter, Role, ToolCall};

const CASES: [&str; 2] = [
    include_str!("data/subjects.txt"),
    include_str!("data/subjects_more.txt"),
];

#[derive(Default)]
struct Case {
    field: String,
    name: String,
    history: Vec<Message>,
    calls: Vec<ToolCall>,
    message: String,
    has: Vec<(String, String)>,
    not: Vec<(String, String)>,
}

/// T39: of eighty-two invented cases, as many are right as were when they were last looked at.
#[test]
fn t39_an_id_holds_as_long_as_its_record_is_talked_about() {
    let (agents, cases) = read();
    let mut right = 0;
    for case in &cases {
        let wrong = judge(&agents[&case.field], case);
        right += usize::from(wrong.is_empty());
        if !wrong.is_empty() {
            println!(
                "{}: {}: {:?}: {}",
                case.field,
                case.name,
                case.message,
                wrong.join(", ")
            );
        }
    }
    println!("{right} of {} cases are right", cases.len());
    assert_eq!(cases.len(), 82);
    assert!(right >= 80, "{right} of {}", cases.len());
}

fn read() -> (BTreeMap<String, Agent>, Vec<Case>) {
    let mut tools: BTreeMap<String, Vec<AgentTool>> = BTreeMap::new();
    let mut cases: Vec<Case> = Vec::new();
    let mut field = String::new();
    for line in CASES
        .into_iter()
        .flat_map(str::lines)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (kind, rest) = line.split_once(' ').unwrap();
        let message = |role, calls| Message {
            role,
            content: rest.to_owned(),
            tool_calls: calls,
        };
        match kind {
            "field" => rest.clone_into(&mut field),
            "tool" => tools.entry(field.clone()).or_default().push(tool(rest)),
            "case" => cases.push(Case {
                field: field.clone(),
                name: rest.to_owned(),
                ..Case::default()
            }),
            _ => {
                let case = cases.last_mut().unwrap();
                match kind {
                    "u" => case.history.push(message(Role::User, Vec::new())),
                    "c" => case.calls.push(call(rest)),
                    "a" => {
                        let calls = std::mem::take(&mut case.calls);
                        case.history.push(message(Role::Assistant, calls));
                    }
                    "?" => rest.clone_into(&mut case.message),
                    "has" => case.has = ids(rest),
                    "not" => case.not = ids(rest),
                    _ => panic!("{line}"),
                }
            }
        }
    }
    let agents = tools
        .into_iter()
        .map(|(field, tools)| (field, Agent::learn(tools, &[])))
        .collect();
    (agents, cases)
}

fn tool(line: &str) -> AgentTool {
    let (takes, produces) = line.split_once("->").unwrap_or((line, ""));
    let (name, takes) = takes.trim().split_once(' ').unwrap_or((takes.trim(), ""));
    let parameter = |word: &str| Parameter {
        name: word.trim_end_matches('!').to_owned(),
        required: word.ends_with('!'),
        ..Parameter::default()
    };
    AgentTool {
        name: name.into(),
        description: name.replace('_', " "),
        parameters: takes.split_whitespace().map(parameter).collect(),
        produces: produces.split_whitespace().map(str::to_owned).collect(),
        ..AgentTool::default()
    }
}

/// A tool, its arguments, its result.
fn call(line: &str) -> ToolCall {
    let (name, rest) = line.split_once(' ').unwrap();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<serde_json::Value>();
    let arguments = values.next().unwrap().unwrap();
    ToolCall {
        name: name.to_owned(),
        arguments: arguments.as_object().unwrap().clone(),
        result: Some(values.next().unwrap().unwrap().to_string()),
    }
}

fn ids(line: &str) -> Vec<(String, String)> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap();
        (name.trim().to_owned(), value.trim().to_owned())
    };
    line.split(';').map(pair).collect()
}

/// What is wrong, in words.
fn judge(agent: &Agent, case: &Case) -> Vec<String> {
    let reading = reading::read(&case.message, &case.history);
    let found = found::ids(agent, &case.history, &case.message, None);
    let given = resolved::resolve(agent, &case.history, &case.message, &reading, &found).spelled(agent);
    let missing = case
        .has
        .iter()
        .filter(|(name, value)| given.get(name) != Some(value));
    let offered = case
        .not
        .iter()
        .filter(|(name, value)| given.get(name) == Some(value));
    missing
        .map(|(name, value)| format!("{name} is not {value}"))
        .chain(offered.map(|(name, value)| format!("{name} is still {value}")))
        .collect()
}
