//! How does the recommend mode look: describe tasks, get the tools that fit, run one?

use handpick_domain::Gateway;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::{BadRequest, MetaCall, ToolRequest};

/// Most tasks in one request (E2).
pub const TASKS_MAX: usize = 50;

/// The tools of this mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecommendTool {
    /// Finds tools for tasks.
    SelectTools,
    /// Runs a tool.
    UseTool,
    /// Lists apps; listed only where the gateway asks for it.
    ListApps,
}

impl RecommendTool {
    const ALL: [Self; 3] = [Self::SelectTools, Self::UseTool, Self::ListApps];

    fn leaf(self) -> &'static str {
        match self {
            Self::SelectTools => "SelectTools",
            Self::UseTool => "UseTool",
            Self::ListApps => "ListApps",
        }
    }

    /// The listed name, `Arcade_SelectTools` (A4).
    pub fn rendered(self, namespace: &str) -> String {
        format!("{namespace}_{}", self.leaf())
    }

    /// The tool a caller means by `Arcade.SelectTools` or `Arcade_SelectTools` (A4).
    pub fn named(namespace: &str, name: &str) -> Option<Self> {
        let leaf = name.strip_prefix(namespace)?.strip_prefix(['.', '_'])?;
        Self::ALL.into_iter().find(|tool| tool.leaf() == leaf)
    }

    /// Reads a call of this tool. A meta-tool named inside one is no tool of any catalog, so it is refused
    /// like every other unknown name (A25).
    pub fn read(self, arguments: Option<&RawValue>) -> Result<ToolRequest, BadRequest> {
        let arguments = Arguments::read(arguments)?;
        match self {
            Self::SelectTools => Ok(ToolRequest::Meta(MetaCall::Select {
                tasks: read_tasks(&arguments)?,
                context: arguments.optional(&["context"], "must be a string")?,
            })),
            Self::ListApps => Ok(ToolRequest::Meta(MetaCall::ListApps)),
            Self::UseTool => Ok(ToolRequest::Run {
                name: arguments.text(&["tool_name"])?,
                arguments: arguments.object(&["inputs", "input", "arguments", "parameters"])?,
                query_id: arguments
                    .optional(&["query_id"], "must be a string")
                    .unwrap_or(None),
                through_meta_tool: true,
            }),
        }
    }

    fn definition(self, namespace: &str) -> Value {
        let select = Self::SelectTools.rendered(namespace);
        let use_tool = Self::UseTool.rendered(namespace);
        match self {
            Self::SelectTools => json!({
                "name": select,
                "title": "Select tools",
                "description": format!(
                    "Find the tools that can carry out what you are about to do. Pass `tasks`: one short \
                     description per separate action, each naming the service or object it acts on. Returns up \
                     to five tools per task, best first, each with its name, description and full input \
                     schema, and one `query_id` for the whole request. Then run a tool with {use_tool}. A \
                     task without tools carries `empty_reason`: `no_match` means that nothing available fits \
                     and asking again gives the same answer; `unavailable` means that the lookup failed and \
                     may be retried."
                ),
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "tasks": {
                            "type": "array",
                            "items": {"type": "string"},
                            "minItems": 1,
                            "maxItems": TASKS_MAX,
                            "description": "One separate action per entry, in plain words. Split a request that \
                                            needs several steps: [\"find the customer Initech\", \"refund \
                                            their last invoice\"] rather than one long sentence."
                        },
                        "context": {
                            "type": "string",
                            "description": "Optional. The situation in a sentence; it helps to rank, it adds no task."
                        }
                    },
                    "required": ["tasks"]
                },
                "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
                "_meta": {"anthropic/alwaysLoad": true}
            }),
            Self::UseTool => json!({
                "name": use_tool,
                "title": "Use a tool",
                "description": format!(
                    "Run a tool by name. Pass `tool_name` exactly as {select} returned it, the tool's own \
                     arguments nested in `inputs` (they must fit the input schema {select} showed), and the \
                     `query_id` that came with it. The answer is the tool's own result."
                ),
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "tool_name": {"type": "string", "description": format!("A `tool_name` that {select} returned.")},
                        "inputs": {"type": "object", "description": "The tool's own arguments, as its input schema asks. Leave out when it takes none."},
                        "query_id": {"type": "string", "description": format!("The `query_id` that {select} returned with this tool.")}
                    },
                    "required": ["tool_name"]
                },
                "annotations": {"readOnlyHint": false, "openWorldHint": true},
                "_meta": {"anthropic/alwaysLoad": true}
            }),
            Self::ListApps => json!({
                "name": Self::ListApps.rendered(namespace),
                "title": "List apps",
                "description": format!(
                    "List the apps whose tools you can use here, and whether each is connected. To find a tool, \
                     describe what you want to do with {select} instead."
                ),
                "inputSchema": {"type": "object", "properties": {}},
                "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
                "_meta": {"anthropic/alwaysLoad": true}
            }),
        }
    }
}

/// The tools this mode lists: a set that does not depend on the gateway's tools (A2, A3).
pub fn definitions(gateway: &Gateway) -> Vec<Value> {
    RecommendTool::ALL
        .into_iter()
        .filter(|tool| *tool != RecommendTool::ListApps || gateway.list_apps)
        .map(|tool| tool.definition(&gateway.namespace))
        .collect()
}

fn read_tasks(arguments: &Arguments) -> Result<Vec<String>, BadRequest> {
    let raw = arguments.raw(&["tasks"]).ok_or_else(|| {
        BadRequest::new(
            "tasks",
            "is required: an array of strings, one separate action each",
        )
    })?;
    let values: Vec<Value> = serde_json::from_str(raw.get())
        .map_err(|_| BadRequest::new("tasks", "must be an array of strings, one separate action each"))?;
    check_tasks(&values)
}

/// The rules for `tasks`, the same over MCP and REST: 1 to 50 strings, none blank.
pub fn check_tasks(values: &[Value]) -> Result<Vec<String>, BadRequest> {
    if values.is_empty() {
        return Err(BadRequest::new("tasks", "must hold at least one task"));
    }
    if values.len() > TASKS_MAX {
        return Err(BadRequest::new(
            "tasks",
            format!("must hold at most {TASKS_MAX} tasks, not {}", values.len()),
        ));
    }
    values
        .iter()
        .enumerate()
        .map(|(index, value)| match value.as_str() {
            None => Err(BadRequest::new(format!("tasks[{index}]"), "must be a string")),
            Some(task) if task.trim().is_empty() => {
                Err(BadRequest::new(format!("tasks[{index}]"), "must not be blank"))
            }
            Some(task) => Ok(task.to_owned()),
        })
        .collect()
}
