//! Which turns are answered worst, and how?

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::judging::{Given, Judged, WrongId};

/// One turn with its verdict.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// The conversation's id and the turn's number.
    pub id: String,
    /// What the user said.
    pub message: String,
    /// The verdict.
    pub judged: Judged,
    /// How long the answer took; `None` where that says nothing.
    pub latency_ms: Option<f64>,
}

/// A turn whose answer is not flawless.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Miss {
    /// The conversation's id and the turn's number.
    pub id: String,
    /// What the user said.
    pub message: String,
    /// Needed tools that did not come back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Groups of which no tool came back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmet: Vec<Vec<String>>,
    /// Tools that must not come back, or that the user may not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<String>,
    /// The kind of turn that was told, where it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_type: Option<String>,
    /// Ids that are not what they should be.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub wrong_ids: BTreeMap<String, WrongId>,
    /// Ids resolved to what would mislead.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stale: BTreeMap<String, String>,
    /// Tools that are of no use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Given>,
}

/// The `count` worst turns, the worst first; equal ones in the order they were asked.
pub fn worst(asked: &[Asked], count: usize) -> Vec<Miss> {
    let mut bad: Vec<(f64, &Asked)> = asked
        .iter()
        .map(|turn| (turn.judged.badness(), turn))
        .filter(|(badness, _)| *badness > 0.0)
        .collect();
    bad.sort_by(|a, b| b.0.total_cmp(&a.0));
    bad.truncate(count);
    bad.into_iter().map(|(_, turn)| miss(turn)).collect()
}

fn miss(turn: &Asked) -> Miss {
    let judged = &turn.judged;
    Miss {
        id: turn.id.clone(),
        message: turn.message.clone(),
        missing: judged.missing.clone(),
        unmet: judged.unmet.clone(),
        forbidden: judged.forbidden.clone(),
        wrong_type: judged.wrong_type.clone(),
        wrong_ids: judged.wrong_ids.clone(),
        stale: judged.stale.clone(),
        noise: judged.noise.clone(),
    }
}
