//! Which tools does this turn need? The recipe, top to bottom.

use std::collections::BTreeMap;
use std::sync::Arc;

use handpick_selection::ranker::sigmoid;

use crate::evidence::{self, Evidence, Vectors};
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
            keep: 0.02,
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
    let is_idle = turn.turn_type == TurnType::Smalltalk || turn.request.tools_max == 0;
    let mut tools = if is_idle {
        Vec::new()
    } else {
        let weighed = weigh(index, turn, vectors, &tuning.model);
        let chosen: Vec<Weighed> = weighed
            .iter()
            .filter(|tool| tool.score >= tuning.keep)
            .take(turn.request.tools_max)
            .cloned()
            .collect();
        let lookups = lookups::close(turn, &chosen, &weighed);
        reason::explained(turn, &chosen, lookups, tuning.sure)
    };
    tools.extend(reason::core(turn));
    Turn {
        turn_type: turn.turn_type,
        resolved_params: turn.resolved.spelled(turn.agent),
        tools,
    }
}

/// The tools of a catalog that the user may have and that are not attached anyway, most probable first.
pub(crate) fn weigh(
    index: &AgentIndex,
    turn: &Prepared<'_>,
    vectors: &Vectors,
    model: &TurnModel,
) -> Vec<Weighed> {
    let allowed = candidates(turn);
    let evidence = evidence::gather(index, turn, vectors, &allowed);
    let alone: Vec<f32> = evidence
        .iter()
        .map(|evidence| model.alone.log_odds(&evidence.numbers()))
        .collect();
    let together = together::numbers(turn, &allowed, &evidence, &alone);
    let mut weighed: Vec<Weighed> = allowed
        .into_iter()
        .zip(evidence)
        .zip(together)
        .map(|((position, evidence), numbers)| Weighed {
            position,
            evidence,
            score: sigmoid(model.together.log_odds(&numbers)),
        })
        .collect();
    weighed.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.position.cmp(&b.position)));
    weighed
}

/// Positions of the tools that are chosen from.
pub(crate) fn candidates(turn: &Prepared<'_>) -> Vec<usize> {
    let tools = turn.agent.tools().iter().enumerate();
    tools
        .filter(|(_, tool)| !tool.core && tool.is_open_to(turn.request.roles))
        .map(|(position, _)| position)
        .collect()
}
