//! Why is each tool there, and how is that said?

use std::collections::BTreeMap;

use handpick_domain::Role;

use crate::lookups::{Lookup, unknown_ids};
use crate::prepared::Prepared;
use crate::turn::{TurnTool, Weighed};

/// Why a tool is there (T36).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It matches what the user asked.
    Retrieved,
    /// It supplies an id that a selected tool needs.
    Dependency,
    /// It was used in the last turns, or acts on the record that a recent tool returned.
    Sticky,
    /// A close match kept as a safety net.
    Reranked,
    /// Its owner marked it always-on.
    Core,
    /// It is tied to the page the user is on.
    Page,
}

impl Reason {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retrieved => "RETRIEVED",
            Self::Dependency => "DEPENDENCY",
            Self::Sticky => "STICKY",
            Self::Reranked => "RERANKED",
            Self::Core => "CORE",
            Self::Page => "PAGE",
        }
    }
}

/// How far below the best match a tool still counts as matching, in logarithms of odds.
const MATCHES_WITHIN: f32 = 1.5;

/// How alike a past turn has to be to be given as a reason.
const ALIKE: f32 = 0.6;

/// The chosen tools and their lookups with their reasons, in the order a model should read them: the surest match first,
/// what the conversation brings along with its lookups, further matches, the safety net last (T33).
pub(crate) fn explained(
    turn: &Prepared<'_>,
    chosen: &[Weighed],
    lookups: Vec<Lookup>,
    sure: f32,
) -> Vec<TurnTool> {
    let needed = needed_by(turn, chosen);
    let mut tools: Vec<TurnTool> = chosen
        .iter()
        .map(|tool| {
            let (reason, detail) = why(turn, tool, needed.get(&tool.position).copied(), sure);
            TurnTool {
                position: tool.position,
                score: tool.score,
                reason,
                detail,
            }
        })
        .collect();
    for lookup in lookups {
        tools.push(TurnTool {
            position: lookup.position,
            score: lookup.score,
            reason: Reason::Dependency,
            detail: provides(turn, &lookup.param, lookup.consumer),
        });
    }
    tools.sort_by_key(|tool| tool.reason == Reason::Reranked);
    tools
}

/// The always-on tools that the user may have (T12).
pub(crate) fn core(turn: &Prepared<'_>) -> Vec<TurnTool> {
    let tools = turn.agent.tools().iter().enumerate();
    tools
        .filter(|(_, tool)| tool.core && tool.is_open_to(turn.request.roles))
        .map(|(position, _)| TurnTool {
            position,
            score: 1.0,
            reason: Reason::Core,
            detail: "always on".to_owned(),
        })
        .collect()
}

/// For each chosen tool that supplies an unknown id: the most probable chosen tool that needs it, with the parameter.
fn needed_by<'a>(turn: &Prepared<'a>, chosen: &[Weighed]) -> BTreeMap<usize, (usize, &'a str)> {
    let mut needed = BTreeMap::new();
    for consumer in chosen {
        for unknown in unknown_ids(turn, consumer.position) {
            for edge in unknown.edges {
                needed
                    .entry(edge.provider)
                    .or_insert((consumer.position, unknown.param));
            }
        }
    }
    needed
}

fn why(turn: &Prepared<'_>, tool: &Weighed, needed: Option<(usize, &str)>, sure: f32) -> (Reason, String) {
    let evidence = &tool.evidence;
    let matches = evidence.own_gap <= MATCHES_WITHIN || evidence.context_gap <= MATCHES_WITHIN;
    let called = evidence.called_last + evidence.called_before > 0.0;
    if evidence.page_id > 0.0 && !called {
        return (Reason::Page, "acts on the record of the page".to_owned());
    }
    if called {
        return (Reason::Sticky, "called in a recent turn".to_owned());
    }
    if let Some((consumer, param)) = needed.filter(|_| !matches) {
        return (Reason::Dependency, provides(turn, param, consumer));
    }
    if matches && tool.score >= sure {
        let detail = match (
            evidence.own_gap.min(evidence.context_gap) <= 0.0,
            evidence.memory_closest,
        ) {
            (_, closest) if closest >= ALIKE => {
                "matched the turn; past conversations called it for such words"
            }
            (true, _) => "matched the turn",
            (false, _) => "one of the best matches for a request",
        };
        return (Reason::Retrieved, detail.to_owned());
    }
    if evidence.memory_closest >= ALIKE && evidence.memory_share > 0.0 {
        let detail = "past conversations called it for such words";
        return (Reason::Retrieved, detail.to_owned());
    }
    if let Some(source) = source_of_record(turn, tool) {
        let name = &turn.agent.tools()[source].name;
        return (Reason::Sticky, format!("acts on the record {name} returned"));
    }
    if evidence.follows_last > 0.0 {
        let detail = "past conversations called it after the last tool";
        return (Reason::Sticky, detail.to_owned());
    }
    if tool.score >= sure {
        return (
            Reason::Retrieved,
            "one of the best matches for a request".to_owned(),
        );
    }
    (Reason::Reranked, "a close match kept as a safety net".to_owned())
}

fn provides(turn: &Prepared<'_>, param: &str, consumer: usize) -> String {
    format!("provides {param} for {}", turn.agent.tools()[consumer].name)
}

/// The tool that, in a recent turn, returned an id that this one requires, if the user may have it (T29).
fn source_of_record(turn: &Prepared<'_>, tool: &Weighed) -> Option<usize> {
    let agent = turn.agent;
    let required = || {
        let taken = agent.ids_taken(tool.position).iter();
        taken
            .filter(|(name, required)| *required && turn.resolved.has(name))
            .map(|(name, _)| name)
    };
    let recent: Vec<_> = turn.recent().collect();
    recent
        .into_iter()
        .rev()
        .filter(|(_, message)| message.role == Role::Assistant)
        .flat_map(|(_, message)| message.tool_calls.iter().rev())
        .filter_map(|call| agent.position(&call.name))
        .find(|&position| {
            let is_open = agent.tools()[position].is_open_to(turn.request.roles);
            is_open
                && position != tool.position
                && required().any(|name| agent.ids_supplied(position).contains(name))
        })
}
