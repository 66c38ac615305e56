//! Is the answer to one turn right?

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::labels::Expected;
use super::tally::Tally;

/// What the product answered to one turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The kind of turn.
    pub turn_type: String,
    /// The tools, in order.
    pub tools: Vec<Given>,
    /// The ids that it says hold.
    pub resolved: BTreeMap<String, String>,
    /// How long it took; `None` where a cache made it no real question.
    pub latency_ms: Option<f64>,
}

/// One tool of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// Its name.
    pub name: String,
    /// How surely.
    pub score: f64,
    /// Why, as a word and in words.
    pub reason: String,
    /// In words.
    pub detail: String,
}

/// What the catalog says about who gets which tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// The tools that everybody gets on every turn.
    pub core: BTreeSet<String>,
    /// The roles of which one is needed, of the tools that are not for everybody.
    pub roles: BTreeMap<String, BTreeSet<String>>,
}

impl Rights {
    /// Whether a user with these roles may have a tool.
    pub fn open(&self, name: &str, roles: &[String]) -> bool {
        self.roles
            .get(name)
            .is_none_or(|required| roles.iter().any(|role| required.contains(role)))
    }
}

/// The verdict on one turn: what it counts for, and what went wrong.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// What it counts for.
    pub tally: Tally,
    /// Needed tools that did not come back.
    pub missing: Vec<String>,
    /// Groups of which no tool came back.
    pub unmet: Vec<Vec<String>>,
    /// Tools that are of no use.
    pub noise: Vec<Given>,
    /// Tools that must not come back, or that the user may not have.
    pub forbidden: Vec<String>,
    /// The kind that was told, where it is wrong.
    pub wrong_type: Option<String>,
    /// Ids that have another value than they should, or none, by name.
    pub wrong_ids: BTreeMap<String, WrongId>,
    /// Ids resolved to what would mislead.
    pub stale: BTreeMap<String, String>,
}

/// An id that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongId {
    /// What it should be.
    pub expected: String,
    /// What it is, if anything.
    pub got: Option<String>,
}

impl Judged {
    /// How bad the answer is; 0 is flawless. A tool that must not be there weighs most, then what lacks, then the rest.
    pub fn badness(&self) -> f64 {
        let lacks = self.missing.len() + self.unmet.len();
        let wrong = usize::from(self.wrong_type.is_some()) + self.wrong_ids.len() + self.stale.len();
        100.0 * self.forbidden.len() as f64
            + 4.0 * lacks as f64
            + 1.0 * wrong as f64
            + 0.1 * self.noise.len() as f64
    }
}

/// Judges the answer to one turn of a user with these roles.
pub fn judge(expected: &Expected, roles: &[String], rights: &Rights, answer: &Answer) -> Judged {
    let came = |name: &String| answer.tools.iter().any(|tool| tool.name == *name);
    let has = |name: &String| came(name) || (rights.core.contains(name) && rights.open(name, roles));
    let not_had = |names: &[String]| names.iter().filter(|name| !has(name)).cloned().collect();
    let missing: Vec<String> = not_had(&expected.needed);
    let unmet: Vec<Vec<String>> = expected
        .any_of
        .iter()
        .filter(|group| !group.iter().any(has))
        .cloned()
        .collect();
    let beyond_core: Vec<&Given> = answer
        .tools
        .iter()
        .filter(|tool| !rights.core.contains(&tool.name))
        .collect();
    let noise: Vec<Given> = beyond_core
        .iter()
        .filter(|tool| !expected.accepts(&tool.name))
        .map(|&tool| tool.clone())
        .collect();
    let is_forbidden = |name: &String| expected.forbidden.contains(name) || !rights.open(name, roles);
    let forbidden: Vec<String> = answer
        .tools
        .iter()
        .map(|tool| &tool.name)
        .filter(|name| is_forbidden(name))
        .cloned()
        .collect();
    let is_type_right = expected.turn_types.contains(&answer.turn_type);
    let wrong_ids: BTreeMap<String, WrongId> = expected
        .resolved
        .iter()
        .filter(|(name, value)| answer.resolved.get(*name) != Some(value))
        .map(|(name, value)| {
            let wrong = WrongId {
                expected: value.clone(),
                got: answer.resolved.get(name).cloned(),
            };
            (name.clone(), wrong)
        })
        .collect();
    let agreeing = |labels: &BTreeMap<String, String>| -> BTreeMap<String, String> {
        let given = labels
            .iter()
            .filter(|(name, value)| answer.resolved.get(*name) == Some(value));
        given.map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    let stale = agreeing(&expected.stale);
    let has_types = !expected.turn_types.is_empty();
    let needs = expected.needs_a_tool();
    let tally = Tally {
        turns: 1,
        needing: usize::from(needs),
        complete: usize::from(needs && missing.is_empty() && unmet.is_empty()),
        needed: expected.needed.len(),
        found: expected.needed.len() - missing.len(),
        groups: expected.any_of.len(),
        groups_met: expected.any_of.len() - unmet.len(),
        given: beyond_core.len(),
        noise: noise.len(),
        typed: usize::from(has_types),
        types_right: usize::from(is_type_right),
        ids: expected.resolved.len(),
        ids_right: expected.resolved.len() - wrong_ids.len(),
        ids_missing: wrong_ids.values().filter(|wrong| wrong.got.is_none()).count(),
        stale: expected.stale.len(),
        stale_offered: stale.len(),
        page_ids: expected.of_page.len(),
        page_ids_right: agreeing(&expected.of_page).len(),
        forbidden: forbidden.len(),
    };
    Judged {
        tally,
        missing,
        unmet,
        noise,
        forbidden,
        wrong_type: (has_types && !is_type_right).then(|| answer.turn_type.clone()),
        wrong_ids,
        stale,
    }
}
