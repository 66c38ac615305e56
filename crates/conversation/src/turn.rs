//! Which tools does this turn need? The recipe, top to bottom.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use handpick_domain::AgentTool;
use handpick_selection::ranker::sigmoid;

use crate::evidence::{self, Evidence, Vectors};
use crate::id_name::IdName;
use crate::index::AgentIndex;
use crate::lookups;
use crate::model::TurnModel;
use crate::prepared::Prepared;
use crate::reason::{self, Reason};
use crate::together;
use crate::turn_type::TurnType;

/// What may be set about turns.
#[derive(Clone, Debug)]
pub struct TurnTuning {
    /// How probable it is that a turn needs a tool.
    pub model: Arc<TurnModel>,
    /// Least probability of a tool that is handed out.
    pub keep: f32,
    /// Below this probability a tool is only a safety net.
    pub sure: f32,
}

impl Default for TurnTuning {
    /// Measured on labelled conversations, see docs/context.md.
    fn default() -> Self {
        Self {
            model: TurnModel::embedded(),
            keep: 0.018,
            sure: 0.12,
        }
    }
}

/// The tools of one turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// What kind of turn it is.
    pub turn_type: TurnType,
    /// The tools in the order a model should read them.
    pub tools: Vec<TurnTool>,
    /// Ids found in the conversation that hold, by parameter name (T39).
    pub resolved_params: BTreeMap<String, String>,
}

/// One tool of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnTool {
    /// Its position in the agent's catalog.
    pub position: usize,
    /// The probability that the turn needs it: 0 to 1.
    pub score: f32,
    /// Why it is there, and the same in words.
    pub reason: Reason,
    /// In words. Names only tools that the user may have.
    pub detail: String,
}

/// One tool that the user may have, weighed.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    pub position: usize,
    pub evidence: Evidence,
    pub score: f32,
}

/// The tools that a turn needs. `vectors` are those of [`Prepared::texts`]; without them words alone decide.
///
/// Only tools the user's roles open are looked at, so that no other one leaves a trace anywhere (T29). The same
/// arguments always give the same answer (T27).
pub fn tools_of_turn(
    index: &AgentIndex,
    turn: &Prepared<'_>,
    vectors: &Vectors,
    tuning: &TurnTuning,
) -> Turn {
    let mut tools = if turn.asks_for_none() {
        Vec::new()
    } else {
        let weighed = weigh(index, turn, vectors, &candidates(turn), &tuning.model);
        let chosen: Vec<Weighed> = weighed
            .iter()
            .filter(|tool| tool.score >= tuning.keep)
            .take(turn.request.tools_max)
            .cloned()
            .collect();
        let attached: Vec<usize> = reason::core(turn).iter().map(|tool| tool.position).collect();
        let lookups = lookups::close(turn, &chosen, &weighed, &attached);
        reason::explained(turn, &chosen, lookups, tuning.sure)
    };
    tools.extend(reason::core(turn));
    Turn {
        turn_type: turn.turn_type,
        resolved_params: resolved_params(turn),
        tools,
    }
}

/// The ids that hold, without those that only tools know which the user may not have (T29, T39).
fn resolved_params(turn: &Prepared<'_>) -> BTreeMap<String, String> {
    let mut params = turn.resolved.spelled(turn.agent);
    let tools = || turn.agent.tools().iter().enumerate();
    let is_open = |tool: &AgentTool| tool.is_open_to(turn.request.roles);
    if params.is_empty() || tools().all(|(_, tool)| is_open(tool)) {
        return params;
    }
    let (mut ids, mut open, mut closed) = (HashSet::new(), HashSet::new(), HashSet::new());
    for (position, tool) in tools() {
        let parameters = tool.parameters.iter().map(|parameter| &parameter.name);
        let names = parameters.chain(&tool.produces).map(String::as_str);
        if is_open(tool) {
            open.extend(names);
            ids.extend(
                turn.agent
                    .ids_taken(position)
                    .iter()
                    .map(|(name, _)| name.clone()),
            );
            ids.extend(tool.produces.iter().filter_map(|name| IdName::declared(name)));
        } else {
            closed.extend(names);
        }
    }
    params.retain(|param, _| {
        let is_known = || IdName::declared(param).is_some_and(|name| ids.contains(&name));
        open.contains(param.as_str()) || !closed.contains(param.as_str()) && is_known()
    });
    params
}

/// The tools of `allowed`, by their positions, most probable first.
pub(crate) fn weigh(
    index: &AgentIndex,
    turn: &Prepared<'_>,
    vectors: &Vectors,
    allowed: &[usize],
    model: &TurnModel,
) -> Vec<Weighed> {
    let evidence = evidence::gather(index, turn, vectors, allowed);
    let alone: Vec<f32> = evidence
        .iter()
        .map(|evidence| model.alone.log_odds(&evidence.numbers()))
        .collect();
    let together = together::numbers(turn, allowed, &evidence, &alone);
    let mut weighed: Vec<Weighed> = allowed
        .iter()
        .zip(evidence)
        .zip(together)
        .map(|((&position, evidence), numbers)| Weighed {
            position,
            evidence,
            score: sigmoid(model.together.log_odds(&numbers)),
        })
        .collect();
    weighed.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.position.cmp(&b.position)));
    weighed
}

/// Positions of the tools that a turn is chosen from: those the user may have and that are not attached anyway.
pub(crate) fn candidates(turn: &Prepared<'_>) -> Vec<usize> {
    let mut open = open_tools(turn);
    open.retain(|&position| !turn.agent.tools()[position].core);
    open
}

/// Positions of the tools that the user may have.
pub(crate) fn open_tools(turn: &Prepared<'_>) -> Vec<usize> {
    let tools = turn.agent.tools().iter().enumerate();
    tools
        .filter(|(_, tool)| tool.is_open_to(turn.request.roles))
        .map(|(position, _)| position)
        .collect()
}
