//! How does the discovery mode look: search, read one schema, execute?

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::{BadRequest, MetaCall, ToolRequest};

/// Tools returned by `discover_tools` when no limit is given (P15).
pub const LIMIT_DEFAULT: usize = 10;
/// Most tools `discover_tools` returns (P15).
pub const LIMIT_MAX: usize = 50;

/// The tools of this mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscoveryTool {
    /// Searches.
    DiscoverTools,
    /// Shows one schema.
    GetToolSchema,
    /// Runs a tool.
    ExecuteTool,
}

impl DiscoveryTool {
    const ALL: [Self; 3] = [Self::DiscoverTools, Self::GetToolSchema, Self::ExecuteTool];

    /// The listed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::DiscoverTools => "discover_tools",
            Self::GetToolSchema => "get_tool_schema",
            Self::ExecuteTool => "execute_tool",
        }
    }

    /// The tool with exactly this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Reads a call of this tool.
    pub fn read(self, arguments: Option<&RawValue>) -> Result<ToolRequest, BadRequest> {
        let arguments = Arguments::read(arguments)?;
        match self {
            Self::DiscoverTools => Ok(ToolRequest::Meta(MetaCall::Discover {
                query: arguments
                    .optional::<String>(&["query", "task"], "must be a string")?
                    .unwrap_or_default(),
                limit: read_limit(&arguments)?,
            })),
            Self::GetToolSchema => Ok(ToolRequest::Meta(MetaCall::Describe {
                name: arguments.text(&["tool_name", "name"])?,
            })),
            Self::ExecuteTool => Ok(ToolRequest::Run {
                name: arguments.text(&["tool_name", "name"])?,
                arguments: arguments.object(&["parameters", "arguments", "input", "inputs"])?,
                query_id: None,
                through_meta_tool: true,
            }),
        }
    }

    fn definition(self) -> Value {
        match self {
            Self::DiscoverTools => json!({
                "name": "discover_tools",
                "title": "Discover tools",
                "description": "Search the tools available here. Pass `query`: what you want to do, in words, \
                                naming the service or object. Returns names and descriptions, best first. \
                                Then read the arguments of the one you choose with get_tool_schema and run \
                                it with execute_tool.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "query": {"type": "string", "description": "What you want to do, for example `refund a customer's invoice`. Empty lists tools alphabetically."},
                        "limit": {"type": "integer", "minimum": 1, "maximum": LIMIT_MAX, "default": LIMIT_DEFAULT, "description": "At most this many tools."}
                    },
                    "required": ["query"]
                },
                "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
                "_meta": {"anthropic/alwaysLoad": true}
            }),
            Self::GetToolSchema => json!({
                "name": "get_tool_schema",
                "title": "Get a tool's schema",
                "description": "Read the full description and the input schema of one tool that discover_tools \
                                found, before running it with execute_tool.",
                "inputSchema": {
                    "type": "object",
                    "properties": {"tool_name": {"type": "string", "description": "A `name` that discover_tools returned."}},
                    "required": ["tool_name"]
                },
                "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
                "_meta": {"anthropic/alwaysLoad": true}
            }),
            Self::ExecuteTool => json!({
                "name": "execute_tool",
                "title": "Execute a tool",
                "description": "Run a tool by name. Pass `tool_name` as discover_tools returned it and the \
                                tool's own arguments in `parameters`, as get_tool_schema shows them. The \
                                answer is the tool's own result. The tools discover_tools finds can only be \
                                run this way.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "tool_name": {"type": "string", "description": "A `name` that discover_tools returned."},
                        "parameters": {"type": "object", "description": "The tool's own arguments. Leave out when it takes none."}
                    },
                    "required": ["tool_name"]
                },
                "annotations": {"readOnlyHint": false, "openWorldHint": true},
                "_meta": {"anthropic/alwaysLoad": true}
            }),
        }
    }
}

/// The tools this mode lists (P11).
pub fn definitions() -> Vec<Value> {
    DiscoveryTool::ALL
        .into_iter()
        .map(DiscoveryTool::definition)
        .collect()
}

/// A whole number, clamped to 1..=50 (E4); anything that is not one is refused (E6).
fn read_limit(arguments: &Arguments) -> Result<usize, BadRequest> {
    let Some(number) = arguments.optional::<f64>(&["limit"], "must be a whole number from 1 to 50")? else {
        return Ok(LIMIT_DEFAULT);
    };
    if number.fract() != 0.0 {
        return Err(BadRequest::new("limit", "must be a whole number from 1 to 50"));
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 1..=50 first"
    )]
    Ok(number.clamp(1.0, LIMIT_MAX as f64) as usize)
}
