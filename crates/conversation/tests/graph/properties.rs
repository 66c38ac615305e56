//! Does the fast reader agree with the slow one, whatever the catalog and the conversations?

use std::collections::{BTreeMap, BTreeSet};

use handpick_conversation::{Edge, EdgeSource, Graph};
use handpick_domain::{AgentTool, Conversation};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::naive;
use crate::support::{call, catalog, conversation};

const PARAMS: &[&str] = &["a_id", "bId", "c-id", "dID"];
const PRODUCES: &[&str] = &["aId", "b_id", "c_id", "d_id"];
const NAMES: [&str; 6] = ["find_a", "list_b", "create_c", "get_d_of_a", "t", "u"];
const VALUES: &[&str] = &["v-1", "v-2", "v-3", "v-4", "v-5"];

fn tools() -> impl Strategy<Value = Vec<AgentTool>> {
    let ids = |of: &'static [&'static str]| {
        proptest::collection::btree_set(select(of).prop_map(str::to_owned), 0..3)
    };
    let tool = (ids(PARAMS), ids(PRODUCES));
    (1..=NAMES.len()).prop_flat_map(move |count| {
        proptest::collection::vec(tool.clone(), count..=count).prop_map(|tools| {
            let lines: Vec<String> = tools
                .iter()
                .zip(NAMES)
                .map(|((takes, makes), name)| {
                    let list =
                        |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
                    format!("{name}({}) -> {}", list(takes), list(makes))
                })
                .collect();
            catalog(&lines.iter().map(String::as_str).collect::<Vec<_>>())
        })
    })
}

/// Conversations in which every required id is given and every result is JSON.
fn conversations(tools: &[AgentTool]) -> impl Strategy<Value = Vec<Conversation>> + use<> {
    let tools = tools.to_vec();
    let count = tools.len();
    let values = || proptest::collection::vec(select(VALUES), 3);
    let one = (0..=count, values(), values());
    let turns = proptest::collection::vec(proptest::collection::vec(one, 0..4), 0..5);
    proptest::collection::vec(turns, 0..6).prop_map(move |conversations| {
        let called = |(tool, given, returned): &(usize, Vec<&str>, Vec<&str>)| -> Value {
            let Some(tool) = tools.get(*tool) else {
                return call("gone", json!({"a_id": given[0]}), "{}");
            };
            let given: serde_json::Map<String, Value> = tool
                .parameters
                .iter()
                .zip(given)
                .map(|(parameter, value)| (parameter.name.clone(), json!(value)))
                .collect();
            call(
                &tool.name,
                Value::Object(given),
                &json!({"x": returned[0], "y": returned[1]}).to_string(),
            )
        };
        let numbered = conversations.iter().enumerate();
        numbered
            .map(|(number, turns)| {
                let turns: Vec<_> = turns
                    .iter()
                    .map(|calls| ("x", calls.iter().map(called).collect()))
                    .collect();
                conversation(&number.to_string(), &turns)
            })
            .collect()
    })
}

fn world() -> impl Strategy<Value = (Vec<AgentTool>, Vec<Conversation>)> {
    tools().prop_flat_map(|tools| {
        let past = conversations(&tools);
        (Just(tools), past)
    })
}

fn keys(tools: &[AgentTool], graph: &Graph, source: EdgeSource) -> BTreeSet<(String, String, String)> {
    let name = |position: usize| tools[position].name.to_string();
    let edges = graph.edges().iter().filter(|edge| edge.source == source);
    edges
        .map(|edge| (name(edge.provider), name(edge.consumer), edge.param.to_string()))
        .collect()
}

/// Edges without positions.
fn told(tools: &[AgentTool], graph: &Graph) -> Vec<String> {
    let name = |position: usize| &tools[position].name;
    let tell = |edge: &Edge| {
        let ends = (name(edge.provider), name(edge.consumer), &edge.param);
        format!(
            "{ends:?} {:?} {} {}",
            edge.source,
            edge.confidence,
            edge.name.as_str()
        )
    };
    graph.edges().iter().map(tell).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn t14_t19_the_graph_is_what_a_naive_reader_links((tools, past) in world()) {
        let graph = Graph::learn(&tools, &past);
        let declared = naive::declared(&tools);
        prop_assert_eq!(&keys(&tools, &graph, EdgeSource::Declared), &declared);
        let traced: BTreeSet<_> = naive::traced(&tools, &past).difference(&declared).cloned().collect();
        prop_assert_eq!(keys(&tools, &graph, EdgeSource::Trace), traced);
        let [follows, beside] = naive::habits(&tools, &past);
        let all = |habits: &dyn Fn(usize) -> Vec<(usize, f32)>| -> BTreeMap<(usize, usize), f32> {
            let of = |tool: usize| habits(tool).into_iter().map(move |(other, share)| ((tool, other), share));
            (0..tools.len()).flat_map(of).collect()
        };
        prop_assert_eq!(all(&|tool| graph.follows(tool).collect()), follows);
        prop_assert_eq!(all(&|tool| graph.beside(tool).collect()), beside);
    }

    #[test]
    fn t14_t25_every_edge_is_one_of_a_kind((tools, past) in world()) {
        let graph = Graph::learn(&tools, &past);
        let name = |position: usize| &tools[position].name;
        let keys: Vec<_> =
            graph.edges().iter().map(|edge| (name(edge.provider), name(edge.consumer), &edge.param)).collect();
        prop_assert!(keys.is_sorted_by(|a, b| a < b));
        for edge in graph.edges() {
            prop_assert!(edge.confidence > 0.0 && edge.confidence <= 1.0);
            prop_assert!(edge.provider != edge.consumer);
            prop_assert_eq!(edge.source == EdgeSource::Declared, edge.confidence == 1.0);
        }
        let sum = [EdgeSource::Declared, EdgeSource::Trace, EdgeSource::Static].map(|source| graph.count(source));
        prop_assert_eq!(sum.iter().sum::<usize>(), graph.edges().len());
        for tool in 0..tools.len() {
            prop_assert!(graph.into_tool(tool).all(|edge| edge.consumer == tool));
        }
    }

    /// T16: learned again it is the same; the order of conversations and of tools does not matter.
    #[test]
    fn t16_order_does_not_matter((tools, past) in world(), seed in any::<u64>()) {
        let graph = Graph::learn(&tools, &past);
        prop_assert_eq!(told(&tools, &graph), told(&tools, &Graph::learn(&tools, &past)));
        let mut shuffled = past.clone();
        let length = shuffled.len().max(1);
        shuffled.rotate_left(seed as usize % length);
        shuffled.reverse();
        prop_assert_eq!(told(&tools, &graph), told(&tools, &Graph::learn(&tools, &shuffled)));
        let turned: Vec<AgentTool> = tools.iter().rev().cloned().collect();
        prop_assert_eq!(told(&tools, &graph), told(&turned, &Graph::learn(&turned, &past)));
    }

    /// T19: a conversation posted twice is one conversation.
    #[test]
    fn t19_the_same_conversation_again_changes_nothing((tools, past) in world()) {
        let again: Vec<Conversation> = past.iter().chain(&past).cloned().collect();
        prop_assert_eq!(told(&tools, &Graph::learn(&tools, &past)), told(&tools, &Graph::learn(&tools, &again)));
    }

    /// T16: the edges of a tool that is gone are gone, those between others stay declared, and all come back.
    #[test]
    fn t16_edges_of_removed_tools_vanish_and_come_back((tools, past) in world()) {
        let left = &tools[1..];
        let graph = Graph::learn(left, &past);
        let declared: BTreeSet<_> = keys(&tools, &Graph::learn(&tools, &past), EdgeSource::Declared)
            .into_iter()
            .filter(|(provider, consumer, _)| **provider != *tools[0].name && **consumer != *tools[0].name)
            .collect();
        prop_assert_eq!(keys(left, &graph, EdgeSource::Declared), declared);
    }
}
