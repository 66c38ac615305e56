//! What speaks for each tool at labelled turns? One line of JSON per turn, for `training/fit_turns.py`.
//!
//! `cargo run --example evidence -p handpick-conversation -- OUT DOMAIN_FOLDER...`. Each domain gives two files: with its
//! past conversations, and without them (`NAME-bare.jsonl`).

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use handpick_conversation::found::Page;
use handpick_conversation::{Agent, AgentIndex, Prepared, Request, evidence, published};
use handpick_domain::{Conversation, Digest, Message};
use handpick_inference::MiniLm;
use handpick_selection::{Encoder, Vector};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, folders @ ..] = arguments.as_slice() else {
        println!("usage: evidence OUT DOMAIN_FOLDER...");
        return;
    };
    std::fs::create_dir_all(out).unwrap();
    let encoder = MiniLm::load().unwrap();
    for folder in folders {
        let folder = Path::new(folder);
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        for (suffix, with_traces) in [("", true), ("-bare", false)] {
            let file = Path::new(out).join(format!("{name}{suffix}.jsonl"));
            let turns = write(folder, with_traces, &encoder, &file);
            println!("{}: {turns} turns", file.display());
        }
    }
}

fn write(folder: &Path, with_traces: bool, encoder: &MiniLm, file: &Path) -> usize {
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap()
    };
    let tools = published::catalog(&read("catalog.json")).unwrap();
    let past: Vec<Conversation> = if with_traces {
        let past = published::conversations(&read("traces.json")).unwrap();
        past.into_iter().map(|published| published.conversation).collect()
    } else {
        Vec::new()
    };
    let agent = Arc::new(Agent::learn(tools, &past));
    let index = AgentIndex::build(Arc::clone(&agent), |_| None);
    let missing = index.missing();
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let vectors: HashMap<Digest, Vector> = missing
        .iter()
        .zip(encoder.encode(&texts).unwrap())
        .filter_map(|((digest, _), vector)| Some((*digest, Vector::from_f32(&vector)?)))
        .collect();
    let index = index.with_vectors(|digest| vectors.get(digest).cloned());
    let mut out = std::io::BufWriter::new(std::fs::File::create(file).unwrap());
    writeln!(
        out,
        "{}",
        json!({"evidence": evidence::Evidence::NAMES.as_slice()})
    )
    .unwrap();
    let mut turns = 0;
    for line in std::fs::read_to_string(folder.join("conversations.jsonl"))
        .unwrap()
        .lines()
    {
        let conversation: Value = serde_json::from_str(line).unwrap();
        let mut history: Vec<Value> = Vec::new();
        for turn in conversation["turns"].as_array().unwrap() {
            writeln!(
                out,
                "{}",
                describe(&index, encoder, &conversation, turn, &history)
            )
            .unwrap();
            history.push(json!({"role": "user", "content": turn["message"]}));
            let mut answer = turn["assistant"].clone();
            answer["role"] = "assistant".into();
            history.push(answer);
            turns += 1;
        }
    }
    turns
}

fn describe(
    index: &AgentIndex,
    encoder: &MiniLm,
    conversation: &Value,
    turn: &Value,
    history: &[Value],
) -> Value {
    let agent = index.agent();
    let mut defects = Vec::new();
    let history: Vec<Message> = published::messages(&json!(history), "history", &mut defects);
    assert!(defects.is_empty(), "{defects:?}");
    let strings = |value: &Value| -> BTreeSet<String> {
        let array = value.as_array().into_iter().flatten();
        array
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect()
    };
    let roles = strings(&conversation["user"]["roles"]);
    let page = conversation.get("page").map(|page| Page {
        url: page["url"].as_str().map(str::to_owned),
        title: page["title"].as_str().map(str::to_owned),
    });
    let request = Request {
        message: turn["message"].as_str().unwrap(),
        history: &history,
        roles: &roles,
        page: page.as_ref(),
        tools_max: 10,
        memory: true,
    };
    let prepared = Prepared::read(agent, request, false);
    let texts = prepared.texts();
    let vectors = encoder
        .encode(&texts.iter().map(String::as_str).collect::<Vec<_>>())
        .unwrap();
    let expected = &turn["expect"];
    let (needed, helpful) = (strings(&expected["needed"]), strings(&expected["helpful"]));
    let any: Vec<BTreeSet<String>> = expected["anyOf"]
        .as_array()
        .into_iter()
        .flatten()
        .map(strings)
        .collect();
    let label = |name: &str| match name {
        name if needed.contains(name) => 2,
        name if any.iter().any(|group| group.contains(name)) => 3,
        name if helpful.contains(name) => 1,
        _ => 0,
    };
    let evidence = evidence::of_turn(index, &prepared, &vectors);
    let place: HashMap<usize, usize> = evidence
        .iter()
        .enumerate()
        .map(|(nth, (position, _))| (*position, nth))
        .collect();
    let name = |position: usize| &*agent.tools()[position].name;
    let mut supplies = Vec::new();
    let (mut follows, mut beside) = (Vec::new(), Vec::new());
    for (nth, (position, _)) in evidence.iter().enumerate() {
        for edge in agent.graph().into_tool(*position) {
            if let Some(provider) = place
                .get(&edge.provider)
                .filter(|_| prepared.resolved.lacks(&edge.name))
            {
                supplies.push(json!([provider, nth, edge.name.as_str(), edge.confidence]));
            }
        }
        let pairs = |links: &mut Vec<Value>, other: usize, share: f32| {
            if let Some(other) = place.get(&other) {
                links.push(json!([nth, other, share]));
            }
        };
        agent
            .graph()
            .follows(*position)
            .for_each(|(other, share)| pairs(&mut follows, other, share));
        agent
            .graph()
            .beside(*position)
            .for_each(|(other, share)| pairs(&mut beside, other, share));
    }
    let core: BTreeSet<&str> = agent
        .tools()
        .iter()
        .filter(|tool| tool.core)
        .map(|tool| &*tool.name)
        .collect();
    let types = std::iter::once(&expected["turnType"])
        .chain(expected["turnTypeAlso"].as_array().into_iter().flatten());
    let never: Vec<&String> = needed
        .iter()
        .filter(|name| !core.contains(name.as_str()))
        .filter(|&name| {
            !evidence
                .iter()
                .any(|(position, _)| agent.tools()[*position].name.as_ref() == name)
        })
        .collect();
    json!({
        "conversation": conversation["id"], "message": turn["message"],
        "turn_type": prepared.turn_type.as_str(), "accepted_types": types.collect::<Vec<_>>(),
        "leaning": format!("{:?}", prepared.reading.leaning), "with_context": prepared.reading.with_context,
        "names": evidence.iter().map(|(position, _)| name(*position)).collect::<Vec<_>>(),
        "labels": evidence.iter().map(|(position, _)| label(name(*position))).collect::<Vec<_>>(),
        "numbers": evidence.iter().map(|(_, evidence)| evidence.numbers().to_vec()).collect::<Vec<_>>(),
        "supplies": supplies, "follows": follows, "beside": beside, "never": never,
        "resolved": prepared.resolved.spelled(agent),
    })
}
