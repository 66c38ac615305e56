//! What is one thing that is wrong?

use handpick_domain::ToolName;

use crate::{Client, Rule};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Makes the tool harder to find, or fails in some clients.
    Warning,
    /// The tool cannot be found or used as it stands.
    Error,
}

impl Severity {
    /// Spelling in output; SARIF uses the same words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The part of a tool that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// `name`
    Name,
    /// `description`
    Description,
    /// `inputSchema`
    InputSchema,
}

/// Something that is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// How bad it is here; mostly the rule's own severity.
    pub severity: Severity,
    /// The server.
    pub app: String,
    /// The tool; `None` for a finding about the server's list as a whole.
    pub tool: Option<ToolName>,
    /// The part of the tool.
    pub member: Member,
    /// Where inside the part, such as `properties.from.format`; empty for the part as a whole.
    pub path: String,
    /// What is wrong, one sentence that names the field.
    pub message: String,
    /// What to write or do instead.
    pub instead: String,
    /// Other tools it is about.
    pub related: Vec<ToolName>,
}

impl Finding {
    /// A finding about one part of a tool, with the rule's own severity.
    pub fn new(
        rule: &'static Rule,
        tool: &ToolName,
        member: Member,
        message: String,
        instead: String,
    ) -> Self {
        Self {
            rule,
            severity: rule.severity,
            app: tool.app().to_owned(),
            tool: Some(tool.clone()),
            member,
            path: String::new(),
            message,
            instead,
            related: Vec::new(),
        }
    }

    /// The clients it matters in; empty when it matters in all.
    pub fn clients(&self) -> &'static [Client] {
        self.rule.clients
    }

    /// The tool's canonical name, or the server's where it is about the whole list.
    pub fn subject(&self) -> &str {
        self.tool.as_ref().map_or(&self.app, ToolName::as_str)
    }
}

/// Where a part of a tool is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as given.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}
