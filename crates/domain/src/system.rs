//! Which tools are listed as themselves whatever the presentation?

use serde::{Deserialize, Serialize};

/// Whose tool is it, as far as presentation asks (P9, P23)?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolKind {
    /// Bound by the customer: counted, found, folded behind meta-tools.
    #[default]
    Customer,
    /// Of a server or tool that the operator marked `system`: always direct.
    System,
    /// Of a toolkit of the gateway itself: always direct where it is turned on, unknown elsewhere.
    BuiltIn(SystemToolkit),
}

/// A set of system tools that comes with the gateway. Its name is the app of its tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemToolkit {
    /// Folders of instructions: list them, read them.
    Skills,
    /// Notes that outlive the session.
    Journal,
    /// Questions to the person.
    Form,
    /// Saved sequences of tool calls.
    Workflow,
}

impl SystemToolkit {
    /// Every toolkit.
    pub const ALL: [Self; 4] = [Self::Skills, Self::Journal, Self::Form, Self::Workflow];

    /// Its name, and the app of its tools.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::Journal => "journal",
            Self::Form => "form",
            Self::Workflow => "workflow",
        }
    }

    /// The toolkit with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|toolkit| toolkit.as_str() == text)
    }
}
