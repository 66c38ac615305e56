//! What does a `tools/call` mean on this surface?

use handpick_domain::{Gateway, Resolution, Surface};
use serde_json::value::RawValue;

use crate::{Mode, Promoted, UnifiedRequest, discovery, list, progressive, recommend, unified};

/// A `tools/call`, read.
#[derive(Debug)]
pub enum ToolRequest {
    /// Run one tool. Its name is not resolved yet: that is admission's part.
    Run {
        /// The tool's name as the caller wrote it.
        name: String,
        /// The tool's own arguments; `None` means `{}`.
        arguments: Option<Box<RawValue>>,
        /// The recommendation it follows from.
        query_id: Option<String>,
        /// Whether the caller went through a meta-tool, which decides how a refusal is worded.
        through_meta_tool: bool,
    },
    /// Run the on-demand tool of exactly this name; if that goes well it joins the list (R7, R8, R14).
    RunOnDemand {
        /// The tool's name as the caller wrote it.
        name: String,
        /// The tool's own arguments; `None` means `{}`.
        arguments: Option<Box<RawValue>>,
    },
    /// Find one tool for a request in words, and run it (P19).
    Unified(UnifiedRequest),
    /// Answer a meta-tool.
    Meta(MetaCall),
    /// The name is not callable here.
    Unknown,
    /// The name is a recommendation tool, on a gateway without recommendation (A10).
    NotEnabled,
}

/// A call of a meta-tool that finds or shows tools.
#[derive(Debug, PartialEq, Eq)]
pub enum MetaCall {
    /// Which tools fit each of these tasks?
    Select {
        /// One separate action each.
        tasks: Vec<String>,
        /// The situation, to rank with.
        context: Option<String>,
    },
    /// Which apps can the caller act on?
    ListApps,
    /// Which tools fit this query? Blank lists alphabetically (P15).
    Discover {
        /// Words or a sentence.
        query: String,
        /// At most this many, 1 to 50.
        limit: usize,
    },
    /// What arguments does this tool take?
    Describe {
        /// The tool's name as the caller wrote it.
        name: String,
    },
    /// Which on-demand tools match this query (R2)?
    SearchOnDemand {
        /// A keyword or a phrase.
        query: String,
        /// At most this many, 1 to 25.
        limit: usize,
    },
    /// What arguments does the on-demand tool of exactly this name take (R6)?
    DescribeOnDemand {
        /// The tool's name as the caller wrote it.
        name: String,
    },
}

/// Arguments that cannot be read: which one, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest {
    /// Path of the argument, such as `tasks[1]`.
    pub field: String,
    /// What it must be.
    pub message: String,
}

impl BadRequest {
    /// Names a field and what would be right.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}

impl std::fmt::Display for BadRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "invalid arguments: `{}` {}", self.field, self.message)
    }
}

/// Reads a call of `name` on a surface opened in `mode`.
///
/// In `direct` any bound tool may be named; in `recommend` an allowed tool may be called by its own
/// name although it is not listed (C7); in `discovery` and `unified` only the meta-tools are callable (P13), in
/// `progressive` those and what has joined the list (R17). System tools are callable everywhere (P23).
pub fn read_call(
    surface: &Surface,
    mode: Mode,
    gateway: &Gateway,
    promoted: &Promoted,
    name: &str,
    arguments: Option<&RawValue>,
) -> Result<ToolRequest, BadRequest> {
    let recommendation = recommend::RecommendTool::named(&gateway.namespace, name);
    let found = match surface.catalog.resolve(name) {
        Resolution::Found(position) => Some(position),
        Resolution::Ambiguous | Resolution::Unknown => None,
    };
    if found.is_some_and(|position| surface.system.contains(position)) {
        return run_by_name(name, arguments);
    }
    let otherwise = || match recommendation {
        Some(_) => Ok(ToolRequest::NotEnabled),
        None => Ok(ToolRequest::Unknown),
    };
    match mode {
        Mode::Discovery => match discovery::DiscoveryTool::named(name) {
            Some(tool) => tool.read(arguments),
            None => otherwise(),
        },
        Mode::Unified if name == unified::NAME => unified::read(arguments),
        Mode::Unified => otherwise(),
        Mode::Progressive => match progressive::ProgressiveTool::named(name) {
            Some(tool) => tool.read(arguments),
            None if found.is_some_and(|position| {
                surface.allowed.contains(position)
                    && list::is_listed(surface, mode, gateway, promoted, position)
            }) =>
            {
                run_by_name(name, arguments)
            }
            None => otherwise(),
        },
        Mode::Recommend => match recommendation {
            Some(tool) => tool.read(arguments),
            None => run_by_name(name, arguments),
        },
        Mode::Direct => {
            let hidden_meta_tool =
                recommendation.is_some() && surface.catalog.resolve(name) == Resolution::Unknown;
            if hidden_meta_tool {
                Ok(ToolRequest::NotEnabled)
            } else {
                run_by_name(name, arguments)
            }
        }
    }
}

fn run_by_name(name: &str, arguments: Option<&RawValue>) -> Result<ToolRequest, BadRequest> {
    let arguments = crate::arguments::object_of(arguments)
        .map_err(|_| BadRequest::new("arguments", "must be an object"))?;
    Ok(ToolRequest::Run {
        name: name.to_owned(),
        arguments,
        query_id: None,
        through_meta_tool: false,
    })
}

#[cfg(test)]
mod tests;
