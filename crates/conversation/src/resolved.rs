//! Which ids hold for this turn? The latest of each kind, unless the turn has moved on to something else.

use std::collections::BTreeMap;

use handpick_domain::Message;

use crate::agent::Agent;
use crate::found::FoundId;
use crate::id_name::IdName;
use crate::reading::Reading;

/// The ids that hold, by name. [`Resolved::spelled`] gives them as the catalog spells them (T39).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Values in force.
    pub values: BTreeMap<IdName, String>,
    /// Ids that were in force before and would mislead now: of the topic that the user left.
    pub stale: BTreeMap<IdName, String>,
}

impl Resolved {
    /// Whether a tool that needs this id finds it.
    pub fn has(&self, name: &IdName) -> bool {
        self.values.contains_key(name)
    }

    /// `resolvedParams`: keyed by parameter names as the catalog spells them (T39).
    pub fn spelled(&self, agent: &Agent) -> BTreeMap<String, String> {
        let _ = agent;
        BTreeMap::new()
    }
}

/// Decides which of the found ids hold for the new message.
pub fn resolve(
    agent: &Agent,
    history: &[Message],
    message: &str,
    reading: &Reading,
    found: &[FoundId],
) -> Resolved {
    let _ = (agent, history, message, reading, found);
    Resolved::default()
}
