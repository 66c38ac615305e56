//! How often is the kind of a turn read as it is labelled?
//!
//! `cargo run -p handpick-conversation --example reading -- DIR...`
//!
//! Each folder holds `conversations.jsonl`, in the format of `quality/turns`. `-v` prints every reading;
//! STALE marks turns whose labels say that ids of the last subject mislead, KEEP those where they still hold.

use std::error::Error;
use std::path::Path;

use handpick_conversation::{reading, turn_type};
use handpick_domain::{Message, Role, ToolCall};
use serde_json::Value;

#[allow(clippy::print_stdout, reason = "the report is its output")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut total = (0, 0);
    let (flags, folders): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with('-'));
    for folder in folders {
        let mut count = (0, 0);
        let text = std::fs::read_to_string(Path::new(&folder).join("conversations.jsonl"))?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (right, all) = conversation(&serde_json::from_str(line)?, !flags.is_empty());
            count = (count.0 + right, count.1 + all);
        }
        println!("{folder}: {} of {}", count.0, count.1);
        total = (total.0 + count.0, total.1 + count.1);
    }
    println!(
        "all: {} of {} = {:.3}",
        total.0,
        total.1,
        f64::from(total.0) / f64::from(total.1.max(1))
    );
    Ok(())
}

#[allow(clippy::print_stdout, reason = "the report is its output")]
fn conversation(conversation: &Value, verbose: bool) -> (i32, i32) {
    let mut history = Vec::new();
    let (mut right, mut all) = (0, 0);
    for turn in conversation["turns"].as_array().into_iter().flatten() {
        let message = turn["message"].as_str().unwrap_or_default();
        let expect = &turn["expect"];
        let reading = reading::read(message, &history);
        let kind = turn_type::turn_type(message, &history, &reading).as_str();
        let also = expect["turnTypeAlso"].as_array().into_iter().flatten();
        let accepted: Vec<&str> = also
            .chain([&expect["turnType"]])
            .filter_map(Value::as_str)
            .collect();
        let is_right = accepted.contains(&kind);
        let stale = expect
            .get("staleParams")
            .filter(|stale| stale.as_object().is_some_and(|ids| !ids.is_empty()));
        let ids = expect["resolvedParams"].as_object();
        let keeps = ids.is_some_and(|ids| {
            ids.values()
                .any(|id| !message.contains(id.as_str().unwrap_or_default()))
        });
        if verbose || !is_right {
            println!(
                "{} {} {message:?}: {kind}, labelled {accepted:?} ({:?}{}{}) -> {:?}",
                if is_right { "    " } else { "MISS" },
                conversation["id"].as_str().unwrap_or_default(),
                reading.leaning,
                if reading.new_subject { ", new subject" } else { "" },
                match (stale.is_some(), keeps) {
                    (true, _) => ", STALE",
                    (false, true) => ", KEEP",
                    _ => "",
                },
                reading.with_context,
            );
        }
        right += i32::from(is_right);
        all += 1;
        history.push(said(Role::User, message, &Value::Null));
        let assistant = &turn["assistant"];
        let content = assistant["content"].as_str().unwrap_or_default();
        history.push(said(Role::Assistant, content, &assistant["toolCalls"]));
    }
    (right, all)
}

fn said(role: Role, content: &str, calls: &Value) -> Message {
    let call = |call: &Value| ToolCall {
        name: call["name"].as_str().unwrap_or_default().to_owned(),
        arguments: call["arguments"].as_object().cloned().unwrap_or_default(),
        result: call["result"].as_str().map(str::to_owned),
    };
    Message {
        role,
        content: content.to_owned(),
        tool_calls: calls.as_array().into_iter().flatten().map(call).collect(),
    }
}
