//! What is an agent of the context API? One catalog of tools under an id that its owner chose.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Longest id of an agent, in characters (T5).
pub const AGENT_ID_MAX: usize = 128;

/// An id of an agent: letters, digits, `-` and `_`, at most [`AGENT_ID_MAX`] of them (T5).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(Arc<str>);

/// Why a text is no id of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {AGENT_ID_MAX} letters, digits, `-` or `_`")]
pub struct AgentIdDefect;

impl AgentId {
    /// Checks an id.
    pub fn parse(text: &str) -> Result<Self, AgentIdDefect> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if text.is_empty() || text.len() > AGENT_ID_MAX || !text.chars().all(fits) {
            return Err(AgentIdDefect);
        }
        Ok(Self(Arc::from(text)))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One tool of an agent's catalog, as its owner published it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentTool {
    /// Its name, exactly as the model sees it.
    pub name: Arc<str>,
    /// A name for people.
    pub display_name: Option<String>,
    /// What it does.
    pub description: String,
    /// What it takes, in the order published.
    pub parameters: Vec<Parameter>,
    /// How users ask for it, in their words.
    pub examples: Vec<String>,
    /// Names of the ids it returns.
    pub produces: Vec<String>,
    /// Whether it is attached on every turn (T12).
    pub core: bool,
    /// Only users with one of these get it; everybody where it is empty (T12).
    pub required_roles: BTreeSet<String>,
}

impl AgentTool {
    /// Whether a user with these roles may have it (T29).
    pub fn is_open_to(&self, roles: &BTreeSet<String>) -> bool {
        self.required_roles.is_empty() || !self.required_roles.is_disjoint(roles)
    }
}

/// One parameter of a tool of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// Its type, as the owner wrote it.
    pub data_type: Option<String>,
    /// Whether a call needs it.
    pub required: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T5: letters, digits, `-` and `_`, at most 128.
    #[test]
    fn t5_an_agent_id_is_letters_digits_dashes_and_underscores() {
        for good in ["acme-billing", "A_1", &"x".repeat(128)] {
            assert_eq!(AgentId::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "a b", "a/b", "ä", "a.b", &"x".repeat(129)] {
            assert_eq!(AgentId::parse(bad), Err(AgentIdDefect));
        }
    }

    /// T29: without a role in common a restricted tool stays away.
    #[test]
    fn t29_roles_open_restricted_tools() {
        let roles = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
        let tool = AgentTool {
            required_roles: roles(&["finance", "lead"]),
            ..AgentTool::default()
        };
        assert!(tool.is_open_to(&roles(&["agent", "lead"])));
        assert!(!tool.is_open_to(&roles(&["agent"])));
        assert!(!tool.is_open_to(&roles(&[])));
        assert!(AgentTool::default().is_open_to(&roles(&[])));
    }
}
