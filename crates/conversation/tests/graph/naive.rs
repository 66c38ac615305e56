//! What would a reader with all the time in the world link?

use std::collections::{BTreeMap, BTreeSet};

use handpick_conversation::id_name::IdName;
use handpick_domain::{AgentTool, Conversation, Role, ToolCall};
use serde_json::Value;

type Key = (String, String, String);

/// Declared edges, pair by pair.
pub fn declared(tools: &[AgentTool]) -> BTreeSet<Key> {
    let mut edges = BTreeSet::new();
    let required = |tool: &AgentTool| -> Vec<(String, IdName)> {
        let needed = tool.parameters.iter().filter(|parameter| parameter.required);
        needed
            .filter_map(|parameter| {
                Some((
                    parameter.name.clone(),
                    IdName::of_parameter(&tool.name, &parameter.name)?,
                ))
            })
            .collect()
    };
    for provider in tools {
        for consumer in tools {
            for (param, name) in required(consumer) {
                let produces = provider
                    .produces
                    .iter()
                    .any(|made| IdName::declared(made).as_ref() == Some(&name));
                let needs_it = required(provider).iter().any(|(_, needed)| *needed == name);
                if produces && !needs_it {
                    edges.insert((provider.name.to_string(), consumer.name.to_string(), param));
                }
            }
        }
    }
    edges
}

/// Edges by values: for every argument of every call, the first place in the conversation where its value stands.
pub fn traced(tools: &[AgentTool], conversations: &[Conversation]) -> BTreeSet<Key> {
    let mut shown: BTreeMap<Key, BTreeSet<&str>> = BTreeMap::new();
    for conversation in conversations {
        let calls: Vec<&ToolCall> = conversation
            .messages
            .iter()
            .flat_map(|message| &message.tool_calls)
            .filter(|call| tools.iter().any(|tool| *tool.name == call.name))
            .collect();
        for (number, call) in calls.iter().enumerate() {
            for (param, value) in &call.arguments {
                let value = value.as_str().unwrap();
                let first = calls[..number].iter().find_map(|earlier| {
                    if earlier.arguments.values().any(|given| given == value) {
                        return Some(None);
                    }
                    let result: Value = serde_json::from_str(earlier.result.as_deref()?).ok()?;
                    let holds = result.as_object()?.values().any(|returned| returned == value);
                    holds.then_some(Some(earlier.name.clone()))
                });
                if let Some(Some(provider)) = first.filter(|first| first.as_deref() != Some(&call.name)) {
                    let key = (provider, call.name.clone(), param.clone());
                    shown.entry(key).or_default().insert(&conversation.id);
                }
            }
        }
    }
    shown
        .into_iter()
        .filter(|(_, conversations)| conversations.len() >= 2)
        .map(|(key, _)| key)
        .collect()
}

/// For each tool the share of its successors, and of its turns, that each other tool is in.
pub fn habits(tools: &[AgentTool], conversations: &[Conversation]) -> [BTreeMap<(usize, usize), f32>; 2] {
    let position = |name: &str| tools.iter().position(|tool| &*tool.name == name);
    let mut follows: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    let mut beside: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    let (mut successors, mut turns) = (vec![0; tools.len()], vec![0; tools.len()]);
    for conversation in conversations {
        let mut by_turn: Vec<Vec<usize>> = vec![Vec::new()];
        for message in &conversation.messages {
            if message.role == Role::User {
                by_turn.push(Vec::new());
            }
            let calls = message.tool_calls.iter().filter_map(|call| position(&call.name));
            by_turn.last_mut().unwrap().extend(calls);
        }
        for (number, turn) in by_turn.iter().enumerate() {
            for (at, &tool) in turn.iter().enumerate() {
                let next_turn = || by_turn.get(number + 1).and_then(|turn| turn.first());
                if let Some(&next) = turn.get(at + 1).or_else(next_turn) {
                    successors[tool] += 1;
                    follows.entry((tool, next)).or_default().push(&conversation.id);
                }
            }
            for &tool in turn.iter().collect::<BTreeSet<_>>() {
                turns[tool] += 1;
                for &other in turn.iter().collect::<BTreeSet<_>>() {
                    if other != tool {
                        beside.entry((tool, other)).or_default().push(&conversation.id);
                    }
                }
            }
        }
    }
    let shares = |pairs: BTreeMap<(usize, usize), Vec<&str>>, all: &[usize]| {
        let repeated = pairs
            .into_iter()
            .filter(|(_, ids)| ids.iter().collect::<BTreeSet<_>>().len() >= 2);
        repeated
            .map(|(pair, ids)| (pair, ids.len() as f32 / all[pair.0] as f32))
            .collect()
    };
    [shares(follows, &successors), shares(beside, &turns)]
}
