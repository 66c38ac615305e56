//! Which lookups do the chosen tools need, because an id is not known yet?

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::graph::Edge;
use crate::id_name::IdName;
use crate::prepared::Prepared;
use crate::turn::Weighed;

/// How many lookups may stand behind each other: the lookup of the id that a lookup needs, and so on (T38).
const DEPTH_MAX: usize = 3;

/// What is left of the promise of a provider that changes something.
const CHANGES: f32 = 0.4;

/// A tool that comes along because it supplies an id.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lookup {
    pub position: usize,
    pub score: f32,
    /// The id as the tool that needs it spells it.
    pub param: String,
    /// The tool that needs it.
    pub consumer: usize,
}

/// The lookups for the ids that `chosen` tools require and that are not known, those of lookups included (T38). Every
/// such id gets the most promising of its providers, unless a chosen tool, an `attached` one or another
/// lookup supplies it already.
pub(crate) fn close(
    turn: &Prepared<'_>,
    chosen: &[Weighed],
    weighed: &[Weighed],
    attached: &[usize],
) -> Vec<Lookup> {
    let scores: BTreeMap<usize, &Weighed> = weighed.iter().map(|tool| (tool.position, tool)).collect();
    let mut there: BTreeSet<usize> = chosen
        .iter()
        .map(|tool| tool.position)
        .chain(attached.iter().copied())
        .collect();
    let mut level: Vec<usize> = chosen.iter().map(|tool| tool.position).collect();
    let mut lookups = Vec::new();
    for _ in 0..DEPTH_MAX {
        let mut next = Vec::new();
        for &consumer in &level {
            for Unknown { param, edges } in unknown_ids(turn, consumer) {
                let Some(position) = provider(&edges, &scores, &there) else {
                    continue;
                };
                there.insert(position);
                next.push(position);
                lookups.push(Lookup {
                    position,
                    score: scores.get(&position).map_or(0.0, |tool| tool.score),
                    param: param.to_owned(),
                    consumer,
                });
            }
        }
        level = next;
    }
    lookups
}

/// An id that a tool requires and that is not known.
pub(crate) struct Unknown<'a> {
    /// As the tool spells it.
    pub param: &'a str,
    /// The links from those who supply it.
    pub edges: Vec<&'a Edge>,
}

/// The ids that a tool requires and that are not known.
pub(crate) fn unknown_ids<'a>(turn: &Prepared<'a>, tool: usize) -> Vec<Unknown<'a>> {
    let agent = turn.agent;
    let mut edges: HashMap<&IdName, Vec<&Edge>> = HashMap::new();
    for edge in agent.graph().into_tool(tool).filter(|edge| edge.provider != tool) {
        edges.entry(&edge.name).or_default().push(edge);
    }
    let params = agent.ids_taken(tool).iter().zip(agent.id_parameters(tool));
    params
        .filter(|((name, required), _)| *required && turn.resolved.lacks(name))
        .map(|((name, _), &param)| Unknown {
            param: &agent.tools()[tool].parameters[param].name,
            // A name that is spelled twice is looked up once.
            edges: edges.remove(name).unwrap_or_default(),
        })
        .collect()
}

/// The most promising tool that supplies an id; `None` where one of them is there already, or where none is.
fn provider(edges: &[&Edge], weighed: &BTreeMap<usize, &Weighed>, there: &BTreeSet<usize>) -> Option<usize> {
    if edges.iter().any(|edge| there.contains(&edge.provider)) {
        return None;
    }
    // What changes something is a poor way to find out an id, though it returns one.
    let promise = |provider, sure: f32| {
        let tool = weighed.get(&provider)?;
        let share = if tool.evidence.reads == 0.0 { CHANGES } else { 1.0 };
        Some(share * (tool.score + 0.2 * sure))
    };
    edges
        .iter()
        .filter_map(|edge| Some((promise(edge.provider, edge.confidence)?, edge.provider)))
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        .map(|(_, provider)| provider)
}
