//! What may be reached through one gateway, and how is it shown?

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::{Autonomy, Presentation, SystemToolkit, ToolName};

/// One MCP endpoint with its own allow-list and presentation.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// Name in URLs and settings.
    pub name: String,
    /// How the tools are shown.
    pub presentation: Presentation,
    /// How freely they may be run.
    pub autonomy: Autonomy,
    /// Which tools may be used.
    pub allow: ToolGlobs,
    /// Tools of this gateway alone that need a role, besides those of the whole deployment.
    pub restrictions: Vec<Restriction>,
    /// Tools that the progressive presentation lists from the start (R19).
    pub core: ToolGlobs,
    /// Toolkits of the gateway itself that are turned on (P23).
    pub system_tools: BTreeSet<SystemToolkit>,
    /// Prefix of the recommend mode's tools, `Arcade` by default (A3).
    pub namespace: String,
    /// Whether the recommend mode also lists its `ListApps` tool (A3).
    pub list_apps: bool,
    /// Text for the model that describes the gateway as a whole.
    pub instructions: Option<String>,
}

impl Gateway {
    /// A gateway of this name that shows every tool as a new one does (P2, C16).
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            presentation: Presentation::default(),
            autonomy: Autonomy::default(),
            allow: ToolGlobs::everything(),
            restrictions: Vec::new(),
            core: ToolGlobs::nothing(),
            system_tools: BTreeSet::new(),
            namespace: "Arcade".to_owned(),
            list_apps: false,
            instructions: None,
        }
    }
}

/// Patterns over canonical tool names: `*` matches any run of characters, `?` one, `[ab]` a class,
/// `{a,b}` alternatives. Matching ignores case.
#[derive(Clone, Debug)]
pub struct ToolGlobs {
    patterns: Vec<String>,
    set: GlobSet,
    names: BTreeSet<String>,
}

impl ToolGlobs {
    /// Compiles the patterns. On failure returns the position of the bad pattern and the reason.
    pub fn new(patterns: &[String]) -> Result<Self, (usize, String)> {
        let mut builder = GlobSetBuilder::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let glob = GlobBuilder::new(pattern)
                .case_insensitive(true)
                .literal_separator(false)
                .build()
                .map_err(|error| (index, error.kind().to_string()))?;
            builder.add(glob);
        }
        let set = builder.build().map_err(|error| (0, error.kind().to_string()))?;
        Ok(Self {
            patterns: patterns.to_vec(),
            set,
            names: BTreeSet::new(),
        })
    }

    /// Exactly the tools with these names, each written `app.tool` or `app_tool`. Case matters.
    pub fn exactly(names: impl IntoIterator<Item = String>) -> Self {
        Self {
            patterns: Vec::new(),
            set: GlobSet::empty(),
            names: names.into_iter().collect(),
        }
    }

    /// No tool at all.
    pub fn nothing() -> Self {
        Self::exactly([])
    }

    /// Patterns that allow every tool.
    pub fn everything() -> Self {
        Self {
            patterns: vec!["*".to_owned()],
            set: GlobSet::new([star()]).unwrap_or_default(),
            names: BTreeSet::new(),
        }
    }

    /// Whether any pattern matches the canonical name.
    pub fn matches(&self, name: &ToolName) -> bool {
        self.set.is_match(name.as_str())
            || (!self.names.is_empty()
                && (self.names.contains(name.as_str()) || self.names.contains(&name.underscored())))
    }

    /// The patterns as written; exact names are not among them.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

#[allow(clippy::expect_used, reason = "a constant pattern that the tests compile")]
fn star() -> globset::Glob {
    globset::Glob::new("*").expect("`*` is a valid pattern")
}

/// Tools that only callers with one of some roles may see and use.
#[derive(Clone, Debug)]
pub struct Restriction {
    /// The tools it covers.
    pub tools: ToolGlobs,
    /// The caller needs at least one of these.
    pub roles: BTreeSet<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_cross_dots_and_slashes() {
        let globs = ToolGlobs::new(&["github.*".into(), "files.read_{file,dir}".into()]).unwrap();
        for (app, tool, expected) in [
            ("github", "repos.list", true),
            ("github", "a/b", true),
            ("GitHub", "x", true),
            ("files", "read_dir", true),
            ("files", "write_file", false),
            ("mygithub", "x", false),
        ] {
            assert_eq!(globs.matches(&ToolName::new(app, tool)), expected, "{app}.{tool}");
        }
        assert!(ToolGlobs::everything().matches(&ToolName::new("a", "b/c.d")));
        assert!(!ToolGlobs::new(&[]).unwrap().matches(&ToolName::new("a", "b")));
        let exact = ToolGlobs::exactly(["crm.find*".to_owned(), "chat_send".to_owned()]);
        assert!(exact.matches(&ToolName::new("chat", "send")));
        assert!(exact.matches(&ToolName::new("crm", "find*")));
        assert!(!exact.matches(&ToolName::new("crm", "find_all")));
        assert!(!ToolGlobs::nothing().matches(&ToolName::new("a", "b")));
    }

    #[test]
    fn a_bad_pattern_is_named_by_position() {
        let (index, reason) = ToolGlobs::new(&["ok.*".into(), "bad[".into()]).unwrap_err();
        assert_eq!(index, 1);
        assert!(!reason.is_empty());
    }
}
