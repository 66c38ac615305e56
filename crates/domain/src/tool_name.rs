//! How is a tool called, and how is that name rendered where `.` is not allowed?

use std::fmt;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

/// Longest rendered name, in characters: the limit OpenAI, Anthropic and Gemini share.
pub const RENDERED_MAX: usize = 64;

/// Characters of hash, in hex, that a shortened or ambiguous rendered name ends with.
const HASH_LENGTH: usize = 8;

/// The canonical name of an executable tool, `app.tool`.
///
/// The app part never contains a dot (settings refuse it), so the first dot always separates the two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolName {
    canonical: Arc<str>,
    app_length: usize,
}

impl ToolName {
    /// Joins an app with one of its tools. `tool` is the name as the upstream server spells it.
    pub fn new(app: &str, tool: &str) -> Self {
        Self {
            canonical: format!("{app}.{tool}").into(),
            app_length: app.len(),
        }
    }

    /// The app: the configured name of the upstream server.
    pub fn app(&self) -> &str {
        &self.canonical[..self.app_length]
    }

    /// The tool as its upstream server names it, verbatim.
    pub fn tool(&self) -> &str {
        &self.canonical[self.app_length + 1..]
    }

    /// `app.tool`.
    pub fn as_str(&self) -> &str {
        &self.canonical
    }

    /// The plain underscore form, before shortening and before collisions are told apart.
    pub fn underscored(&self) -> String {
        underscore(&self.canonical)
    }

    /// The name as model-facing lists show it: `^[A-Za-z0-9_-]{1,64}$`.
    ///
    /// Depends on this name alone, never on the order in which servers connect. A name that is too
    /// long, or that lost characters on the way, ends with a hash of the full name.
    pub fn rendered(&self) -> String {
        let plain = self.underscored();
        let lossless = self
            .canonical
            .chars()
            .all(|c| c == '.' || c == '_' || c == '-' || c.is_ascii_alphanumeric());
        if lossless && plain.len() <= RENDERED_MAX {
            plain
        } else {
            self.rendered_with_hash()
        }
    }

    /// The rendered name with a hash at its end, for names whose plain form collides with another's.
    pub fn rendered_with_hash(&self) -> String {
        let hash = Sha256::digest(self.canonical.as_bytes());
        let mut name: String = self
            .underscored()
            .chars()
            .take(RENDERED_MAX - HASH_LENGTH - 1)
            .collect();
        name.push('_');
        for byte in &hash[..HASH_LENGTH / 2] {
            name.push_str(&format!("{byte:02x}"));
        }
        name
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical)
    }
}

/// Every character outside `[A-Za-z0-9_-]` becomes `_`.
pub fn underscore(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_survive_dots_in_the_tool() {
        let name = ToolName::new("github", "repos.list");
        assert_eq!((name.app(), name.tool()), ("github", "repos.list"));
        assert_eq!(name.as_str(), "github.repos.list");
        assert_eq!(name.rendered(), "github_repos_list");
    }

    #[test]
    fn names_that_lose_characters_stay_apart() {
        let (a, b) = (ToolName::new("app", "读取"), ToolName::new("app", "写入"));
        assert_ne!(a.rendered(), b.rendered());
    }

    proptest! {
        #[test]
        fn rendered_names_are_valid_everywhere(app in "[a-z][a-z0-9_-]{0,40}", tool in ".{1,120}") {
            let name = ToolName::new(&app, &tool);
            for rendered in [name.rendered(), name.rendered_with_hash()] {
                prop_assert!((1..=RENDERED_MAX).contains(&rendered.len()));
                prop_assert!(rendered.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'));
            }
        }
    }
}
