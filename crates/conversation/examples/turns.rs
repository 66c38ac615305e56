//! How good are the tools of labelled turns? `turns DIR... [--misses N] [--no-traces] [--no-memory] [--max-tools N]`
//!
//! The quick way, without a gateway: what `handpick eval turns` measures, straight from the conversation crate.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a tool for developers"
)]

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use handpick_conversation::found::Page;
use handpick_conversation::{Agent, AgentIndex, Prepared, Request, TurnTuning, published, tools_of_turn};
use handpick_domain::{AgentTool, Conversation, Digest, Message};
use handpick_evaluation::turns::misses::Asked;
use handpick_evaluation::turns::{self, Answer, Given, Report, Reports, Rights, Setup, judge, told};
use handpick_inference::MiniLm;
use handpick_selection::{Encoder, Vector};
use serde_json::Value;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut folders = Vec::new();
    let (mut misses, mut max_tools) = (0, None);
    let (mut traces, mut memory) = (true, true);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            arguments
                .next()
                .and_then(|text| text.parse().ok())
                .expect("a number")
        };
        match argument.as_str() {
            "--misses" => misses = number(),
            "--max-tools" => max_tools = Some(number()),
            "--no-traces" => traces = false,
            "--no-memory" => memory = false,
            folder => folders.extend(domains(Path::new(folder))),
        }
    }
    let setup = Setup {
        traces,
        memory,
        max_tools,
    };
    let encoder = MiniLm::load().unwrap();
    let mut all = Vec::new();
    let mut reports = Vec::new();
    for folder in folders {
        let (report, asked) = domain(&folder, &encoder, &setup, misses);
        reports.push(report);
        all.extend(asked);
    }
    let reports = Reports::of(setup, reports, all.iter());
    let misses = reports.domains.iter().flat_map(told::misses);
    for line in misses.chain(told::table(&reports)) {
        println!("{}", line.text);
    }
}

/// The folder itself, or those in it.
fn domains(folder: &Path) -> Vec<PathBuf> {
    let is_domain = |folder: &Path| folder.join("conversations.jsonl").is_file();
    if is_domain(folder) {
        return vec![folder.to_owned()];
    }
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|folder| is_domain(folder));
    found.sort();
    found
}

fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn domain(folder: &Path, encoder: &MiniLm, setup: &Setup, misses: usize) -> (Report, Vec<Asked>) {
    let conversations = read(&folder.join("conversations.jsonl")).unwrap();
    let (catalog, conversations) = match read(&folder.join("catalog.json")) {
        Some(catalog) => (
            serde_json::from_str(&catalog).unwrap(),
            turns::labels::read(&conversations),
        ),
        None => {
            let tools = read(&folder.join("tools.jsonl")).unwrap();
            (
                turns::dialogues::catalog(&tools).unwrap(),
                turns::dialogues::read(&conversations),
            )
        }
    };
    let conversations = conversations.unwrap_or_else(|mistake| panic!("{}: {mistake:?}", folder.display()));
    let traces = read(&folder.join("traces.json")).filter(|_| setup.traces);
    let past = traces.map_or_else(Vec::new, |traces| past(&serde_json::from_str(&traces).unwrap()));
    let tools = tools(&catalog);
    let rights = rights(&tools);
    let agent = Arc::new(Agent::learn(tools, &past));
    let index = index(&agent, encoder);
    let mut asked = Vec::new();
    for conversation in &conversations {
        let roles: BTreeSet<String> = conversation.roles.iter().cloned().collect();
        let page = conversation.page.as_ref().map(|page| Page {
            url: page.url.clone(),
            title: page.title.clone(),
        });
        for (number, turn) in conversation.turns.iter().enumerate() {
            let history = messages(&conversation.history(number));
            let request = Request {
                message: &turn.message,
                history: &history,
                roles: &roles,
                page: page.as_ref(),
                tools_max: setup.max_tools.unwrap_or(10),
                memory: setup.memory,
            };
            let started = Instant::now();
            let answer = answer(&index, encoder, request);
            let latency_ms = Some(started.elapsed().as_secs_f64() * 1e3);
            asked.push(Asked {
                id: conversation.turn_id(number),
                message: turn.message.clone(),
                judged: judge(&turn.expected, &conversation.roles, &rights, &answer),
                latency_ms,
            });
        }
    }
    let name = folder.file_name().unwrap().to_string_lossy();
    let report = Report::of(&name, agent.tools().len(), past.len(), &asked, misses);
    (report, asked)
}

fn index(agent: &Arc<Agent>, encoder: &MiniLm) -> AgentIndex {
    let words = AgentIndex::build(Arc::clone(agent), |_| None);
    let mut vectors: HashMap<Digest, Vector> = HashMap::new();
    for batch in words.missing().chunks(32) {
        let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
        for ((digest, _), vector) in batch.iter().zip(encoder.encode(&texts).unwrap()) {
            vectors.extend(Vector::from_f32(&vector).map(|vector| (*digest, vector)));
        }
    }
    words.with_vectors(|digest| vectors.get(digest).cloned())
}

fn answer(index: &AgentIndex, encoder: &MiniLm, request: Request<'_>) -> Answer {
    let agent = Arc::clone(index.agent());
    let prepared = Prepared::read(&agent, request, encoder.is_multilingual());
    let texts = prepared.texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = encoder.encode_questions(&texts).unwrap();
    let turn = tools_of_turn(index, &prepared, &vectors, &TurnTuning::default());
    Answer {
        turn_type: turn.turn_type.as_str().to_owned(),
        tools: turn
            .tools
            .iter()
            .map(|tool| Given {
                name: agent.tools()[tool.position].name.to_string(),
                score: f64::from(tool.score),
                reason: tool.reason.as_str().to_owned(),
                detail: tool.detail.clone(),
            })
            .collect(),
        resolved: turn.resolved_params,
        latency_ms: None,
    }
}

fn rights(tools: &[AgentTool]) -> Rights {
    let restricted = tools.iter().filter(|tool| !tool.required_roles.is_empty());
    let core = tools.iter().filter(|tool| tool.core);
    Rights {
        core: core.map(|tool| tool.name.to_string()).collect(),
        roles: restricted
            .map(|tool| (tool.name.to_string(), tool.required_roles.clone()))
            .collect(),
    }
}

fn tools(body: &Value) -> Vec<AgentTool> {
    published::catalog(body).unwrap_or_else(|defects| panic!("{defects:?}"))
}

fn past(body: &Value) -> Vec<Conversation> {
    let published = published::conversations(body).unwrap_or_else(|defects| panic!("{defects:?}"));
    published.into_iter().map(|past| past.conversation).collect()
}

fn messages(history: &Value) -> Vec<Message> {
    let mut defects = Vec::new();
    let messages = published::messages(history, "history", &mut defects);
    assert!(defects.is_empty(), "{defects:?}");
    messages
}
