//! What may be reached through one gateway, and how is it shown?

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::{Presentation, ToolName};

/// One MCP endpoint with its own allow-list and presentation.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// Name in URLs and settings.
    pub name: String,
    /// How the tools are shown.
    pub presentation: Presentation,
    /// Which tools may be used.
    pub allow: ToolGlobs,
    /// Prefix of the recommend mode's tools, `Arcade` by default (A3).
    pub namespace: String,
    /// Whether the recommend mode also lists its `ListApps` tool (A3).
    pub list_apps: bool,
    /// Text for the model that describes the gateway as a whole.
    pub instructions: Option<String>,
}

/// Patterns over canonical tool names: `*` matches any run of characters, `?` one, `[ab]` a class,
/// `{a,b}` alternatives. Matching ignores case.
#[derive(Clone, Debug)]
pub struct ToolGlobs {
    patterns: Vec<String>,
    set: GlobSet,
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
        })
    }

    /// Patterns that allow every tool.
    pub fn everything() -> Self {
        Self {
            patterns: vec!["*".to_owned()],
            set: GlobSet::new([star()]).unwrap_or_default(),
        }
    }

    /// Whether any pattern matches the canonical name.
    pub fn matches(&self, name: &ToolName) -> bool {
        self.set.is_match(name.as_str())
    }

    /// The patterns as written.
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
    }

    #[test]
    fn a_bad_pattern_is_named_by_position() {
        let (index, reason) = ToolGlobs::new(&["ok.*".into(), "bad[".into()]).unwrap_err();
        assert_eq!(index, 1);
        assert!(!reason.is_empty());
    }
}
