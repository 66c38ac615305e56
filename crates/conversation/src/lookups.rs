//! Which lookups do the chosen tools need, because an id is not known yet?

use std::collections::{BTreeMap, BTreeSet};

use crate::id_name::IdName;
use crate::prepared::Prepared;
use crate::turn::Weighed;

/// How many lookups may stand behind each other: the lookup of the id that a lookup needs, and so on (T38).
const DEPTH_MAX: usize = 3;

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
/// such id gets the most promising of its providers, unless a chosen tool or another lookup supplies it already.
pub(crate) fn close(turn: &Prepared<'_>, chosen: &[Weighed], weighed: &[Weighed]) -> Vec<Lookup> {
    let scores: BTreeMap<usize, f32> = weighed.iter().map(|tool| (tool.position, tool.score)).collect();
    let mut there: BTreeSet<usize> = chosen.iter().map(|tool| tool.position).collect();
    let mut level: Vec<usize> = chosen.iter().map(|tool| tool.position).collect();
    let mut lookups = Vec::new();
    for _ in 0..DEPTH_MAX {
        let mut next = Vec::new();
        for &consumer in &level {
            for (name, param) in unknown_ids(turn, consumer) {
                let Some(position) = provider(turn, consumer, name, &scores, &there) else {
                    continue;
                };
                there.insert(position);
                next.push(position);
                lookups.push(Lookup {
                    position,
                    score: scores.get(&position).copied().unwrap_or_default(),
                    param: param.to_owned(),
                    consumer,
                });
            }
        }
        level = next;
    }
    lookups
}

/// The ids that a tool requires and that are not known, with their spelling there.
pub(crate) fn unknown_ids<'a>(
    turn: &Prepared<'a>,
    tool: usize,
) -> impl Iterator<Item = (&'a IdName, &'a str)> {
    let agent = turn.agent;
    let unknown: Vec<&IdName> = agent
        .ids_taken(tool)
        .iter()
        .filter(|(name, required)| *required && turn.resolved.lacks(name))
        .map(|(name, _)| name)
        .collect();
    unknown.into_iter().map(move |name| {
        let tool = &agent.tools()[tool];
        let spelled = tool.parameters.iter().find(|parameter| {
            IdName::of_parameter(&tool.name, &parameter.name).as_ref() == Some(name)
                || IdName::declared(&parameter.name).as_ref() == Some(name)
        });
        (
            name,
            spelled.map_or(name.as_str(), |parameter| parameter.name.as_str()),
        )
    })
}

/// The most promising tool that supplies an id; `None` where one of them is there already, or where none is.
fn provider(
    turn: &Prepared<'_>,
    consumer: usize,
    name: &IdName,
    scores: &BTreeMap<usize, f32>,
    there: &BTreeSet<usize>,
) -> Option<usize> {
    let edges = || {
        turn.agent
            .graph()
            .into_tool(consumer)
            .filter(|edge| edge.name == *name && edge.provider != consumer)
    };
    if edges().any(|edge| there.contains(&edge.provider)) {
        return None;
    }
    let promise = |provider, sure: f32| Some(scores.get(&provider)? + 0.2 * sure);
    edges()
        .filter_map(|edge| Some((promise(edge.provider, edge.confidence)?, edge.provider)))
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        .map(|(_, provider)| provider)
}
