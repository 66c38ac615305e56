//! How long does a turn take apart from the encoder, over an agent of 50 tools and one of 1,000?
//!
//! Run with `cargo bench -p handpick-conversation`. Ten turns of history, each with one call and its result; the vectors
//! are made up, one for every text a turn would encode.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

use std::collections::BTreeSet;
use std::sync::Arc;

use divan::{Bencher, black_box};
use handpick_conversation::{Agent, AgentIndex, Prepared, Request, TurnTuning, tools_of_turn};
use handpick_domain::{AgentTool, Conversation, Message, Parameter, Role, ToolCall};
use handpick_selection::Vector;
use serde_json::json;

const AGENTS: [usize; 2] = [50, 1_000];
const TURNS: usize = 10;
const DIMENSIONS: usize = 384;
const VERBS: [&str; 8] = [
    "list", "get", "create", "update", "delete", "send", "export", "approve",
];
const NOUNS: [&str; 16] = [
    "invoice", "order", "ticket", "customer", "contract", "shipment", "payment", "refund", "report",
    "campaign", "meeting", "lease", "vehicle", "course", "patient", "permit",
];
const KINDS: [&str; 8] = [
    "draft", "service", "sales", "project", "partner", "school", "field", "vendor",
];

fn main() {
    divan::main();
}

/// Reading the message and its history: what it is about, which ids there are, which of them hold.
#[divan::bench(args = AGENTS)]
fn read(bencher: Bencher<'_, '_>, tools: usize) {
    let stage = Stage::new(tools);
    bencher.bench(|| Prepared::read(stage.index.agent(), black_box(stage.request()), false).texts());
}

/// Weighing every tool and explaining the chosen ones, once the turn is read and encoded.
#[divan::bench(args = AGENTS)]
fn weigh(bencher: Bencher<'_, '_>, tools: usize) {
    let stage = Stage::new(tools);
    let turn = Prepared::read(stage.index.agent(), stage.request(), false);
    let vectors: Vec<Vec<f32>> = (0..turn.texts().len() as u64)
        .map(|seed| numbers(1_000_000 + seed))
        .collect();
    let tuning = TurnTuning::default();
    assert!(
        !tools_of_turn(&stage.index, &turn, &vectors, &tuning)
            .tools
            .is_empty()
    );
    bencher.bench(|| tools_of_turn(&stage.index, black_box(&turn), &vectors, &tuning));
}

/// An agent and a turn of a conversation with it.
struct Stage {
    index: AgentIndex,
    history: Vec<Message>,
    roles: BTreeSet<String>,
}

impl Stage {
    fn new(tools: usize) -> Self {
        let tools: Vec<AgentTool> = (0..tools).map(tool).collect();
        let past: Vec<Conversation> = (0..50)
            .map(|number| Conversation {
                id: format!("past-{number}"),
                messages: (0..3).flat_map(|turn| said(&tools, number * 3 + turn)).collect(),
            })
            .collect();
        let history = (0..TURNS).flat_map(|turn| said(&tools, 7 + turn)).collect();
        Self {
            index: AgentIndex::build(Arc::new(Agent::learn(tools, &past)), |digest| {
                let seed = u64::from_le_bytes(digest[..8].try_into().unwrap());
                Vector::from_f32(&numbers(seed))
            }),
            history,
            roles: BTreeSet::new(),
        }
    }

    fn request(&self) -> Request<'_> {
        Request {
            message: "and the same for Initech please, then send the invoice of last month to ap@initech.example",
            history: &self.history,
            roles: &self.roles,
            page: None,
            tools_max: 10,
            memory: true,
        }
    }
}

/// A thing of the catalog: every eight tools are about the same one.
fn noun(number: usize) -> String {
    let (noun, kind) = (NOUNS[number / 8 % 16], number / 128);
    match kind {
        0 => noun.to_owned(),
        kind => format!("{}_{noun}", KINDS[(kind - 1) % 8]),
    }
}

/// Lists find things by name and supply their ids, everything else needs the id.
fn tool(number: usize) -> AgentTool {
    let (verb, noun) = (VERBS[number % 8], noun(number));
    let (plain, id) = (noun.replace('_', " "), format!("{noun}_id"));
    let lists = verb == "list";
    let parameter = |name: &str, description: &str, required| Parameter {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        data_type: Some("string".to_owned()),
        required,
    };
    AgentTool {
        name: format!("{verb}_{noun}").into(),
        description: format!(
            "{verb} one or more of the {plain} records of a company, as the accounts team sees them."
        ),
        parameters: if lists {
            vec![parameter("query", "a name or a part of one", true)]
        } else {
            vec![
                parameter(&id, "which one", true),
                parameter("note", "what to remember about it", false),
            ]
        },
        produces: if lists { vec![id] } else { Vec::new() },
        examples: vec![
            format!("{verb} the {plain} of Globex"),
            format!("please {verb} that {plain} now"),
        ],
        ..AgentTool::default()
    }
}

/// One turn: what the user wants, and the call that serves it.
fn said(tools: &[AgentTool], number: usize) -> [Message; 2] {
    let position = number * 3 % tools.len();
    let (tool, noun) = (&tools[position], noun(position));
    let (verb, plain, id) = (VERBS[position % 8], noun.replace('_', " "), format!("{noun}_id"));
    let value = format!("{}-{}", &noun[..3], 1_000 + number);
    let arguments = match verb {
        "list" => json!({"query": "Globex"}),
        _ => json!({id.as_str(): value}),
    };
    let result = json!({"results": [{id: value, "name": "Globex", "status": "open", "total": 1_310.5}]});
    [
        Message {
            role: Role::User,
            content: format!("{verb} the {plain} of Globex, it is the one from last week"),
            tool_calls: Vec::new(),
        },
        Message {
            role: Role::Assistant,
            content: format!("Here is the {plain} of Globex ({value}). Shall I send it to them as well?"),
            tool_calls: vec![ToolCall {
                name: tool.name.to_string(),
                arguments: arguments.as_object().unwrap().clone(),
                result: Some(result.to_string()),
            }],
        },
    ]
}

/// Numbers for a vector, the same in every run.
fn numbers(seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut number = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    };
    (0..DIMENSIONS).map(|_| number()).collect()
}
