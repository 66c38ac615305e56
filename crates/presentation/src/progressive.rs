//! How does the progressive mode look: search, describe, call, and a list that grows with what was used?

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::{BadRequest, MetaCall, ToolRequest};

/// Hits of a search that names no number (R2).
pub const LIMIT_DEFAULT: usize = 8;
/// Most hits of a search (R2).
pub const LIMIT_MAX: usize = 25;

/// The tools of this mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressiveTool {
    /// Searches on-demand tools.
    Search,
    /// Shows one, which joins the list.
    Describe,
    /// Runs one, which joins the list when it succeeds.
    Call,
}

impl ProgressiveTool {
    const ALL: [Self; 3] = [Self::Search, Self::Describe, Self::Call];

    /// The listed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "arc_search_tools",
            Self::Describe => "arc_describe_tool",
            Self::Call => "arc_call_tool",
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
            Self::Search => Ok(ToolRequest::Meta(MetaCall::SearchOnDemand {
                query: arguments.text(&["query"])?,
                limit: read_limit(&arguments)?,
            })),
            Self::Describe => Ok(ToolRequest::Meta(MetaCall::DescribeOnDemand {
                name: arguments.text(&["name"])?,
            })),
            Self::Call => Ok(ToolRequest::RunOnDemand {
                name: arguments.text(&["name"])?,
                arguments: arguments.object(&["arguments", "parameters", "input", "inputs"])?,
            }),
        }
    }

    fn definition(self) -> Value {
        let (title, description, read_only) = match self {
            Self::Search => (
                "Search tools",
                "Search the tools available on demand by keyword or phrase. Every hit names its required arguments. A \
                 clear winner comes with its whole schema and joins your own tool list; run any other hit with \
                 arc_call_tool, or read it first with arc_describe_tool.",
                true,
            ),
            Self::Describe => (
                "Describe a tool",
                "Read the full description and input schema of one tool available on demand. It joins your own tool \
                 list.",
                true,
            ),
            Self::Call => (
                "Call a tool",
                "Run a tool that arc_search_tools found; `arguments` is that tool's own input object. The answer is the \
                 tool's own result, and a tool that ran well joins your own tool list.",
                false,
            ),
        };
        json!({
            "name": self.name(),
            "title": title,
            "description": description,
            "inputSchema": self.input_schema(),
            "annotations": {"readOnlyHint": read_only, "openWorldHint": !read_only},
            "_meta": {"anthropic/alwaysLoad": true}
        })
    }

    /// The schemas are the contract, key for key (`contracts.md`, section R).
    fn input_schema(self) -> Value {
        match self {
            Self::Search => json!({
                "type": "object",
                "properties": {
                    "query": {
                        "type": "string",
                        "description": "keyword or phrase matched against tool names and descriptions"
                    },
                    "limit": {"type": "integer", "description": "max results (default 8, max 25)"}
                },
                "required": ["query"]
            }),
            Self::Describe => json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "exact tool name, e.g. 'arc_create_task'"}
                },
                "required": ["name"]
            }),
            Self::Call => json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "exact tool name to invoke, e.g. 'arc_create_task'"},
                    "arguments": {
                        "type": "object",
                        "description": "argument object for that tool (omit if it takes none)"
                    }
                },
                "required": ["name"]
            }),
        }
    }
}

/// Above the most is the most, below one is one; anything but a whole number is a mistake (R12).
fn read_limit(arguments: &Arguments) -> Result<usize, BadRequest> {
    let Some(limit) = arguments.optional::<f64>(&["limit"], "must be an integer")? else {
        return Ok(LIMIT_DEFAULT);
    };
    if limit.fract() != 0.0 {
        return Err(BadRequest::new("limit", "must be an integer"));
    }
    Ok(limit.clamp(1.0, LIMIT_MAX as f64) as usize)
}

/// The tools this mode lists before anything was used.
pub fn definitions() -> Vec<Value> {
    ProgressiveTool::ALL
        .into_iter()
        .map(ProgressiveTool::definition)
        .collect()
}

/// The required arguments of a tool, by its input schema: names, and name, type and description of each (R11).
/// A schema that says nothing readable has none.
pub fn required_arguments(input_schema: &RawValue) -> (Vec<String>, Vec<Value>) {
    let schema: Value = serde_json::from_str(input_schema.get()).unwrap_or_default();
    let required: Vec<String> = schema["required"]
        .as_array()
        .map(|names| {
            names
                .iter()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect()
        })
        .unwrap_or_default();
    let arguments = required
        .iter()
        .map(|name| {
            let property = &schema["properties"][name];
            let mut argument = json!({"name": name});
            for key in ["type", "description"] {
                if let Some(value) = property.get(key) {
                    argument[key] = value.clone();
                }
            }
            argument
        })
        .collect();
    (required, arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tool: ProgressiveTool, json: &str) -> Result<ToolRequest, String> {
        let raw = RawValue::from_string(json.to_owned()).unwrap();
        tool.read(Some(&raw)).map_err(|bad| bad.to_string())
    }

    /// R2, R12: the limit is clamped, and only a whole number is one.
    #[test]
    fn r12_limits() {
        for (limit, expected) in [
            ("", Some(8)),
            (r#","limit":null"#, Some(8)),
            (r#","limit":3"#, Some(3)),
            (r#","limit":5.0"#, Some(5)),
            (r#","limit":25"#, Some(25)),
            (r#","limit":26"#, Some(25)),
            (r#","limit":1e99"#, Some(25)),
            (r#","limit":0"#, Some(1)),
            (r#","limit":-4"#, Some(1)),
            (r#","limit":2.5"#, None),
            (r#","limit":"3""#, None),
            (r#","limit":true"#, None),
        ] {
            let read = read(ProgressiveTool::Search, &format!(r#"{{"query":"q"{limit}}}"#));
            match (read, expected) {
                (Ok(ToolRequest::Meta(MetaCall::SearchOnDemand { limit: read, .. })), Some(expected)) => {
                    assert_eq!(read, expected, "{limit}");
                }
                (Err(error), None) => assert!(error.contains("`limit` must be an integer"), "{error}"),
                (read, expected) => panic!("{limit}: {read:?}, expected {expected:?}"),
            }
        }
    }

    /// R12, E1: names and queries are needed.
    #[test]
    fn e1_blank_texts_are_named() {
        for (tool, json, field) in [
            (ProgressiveTool::Search, "{}", "query"),
            (ProgressiveTool::Search, r#"{"query":" "}"#, "query"),
            (ProgressiveTool::Describe, r#"{"name":""}"#, "name"),
            (ProgressiveTool::Call, r#"{"arguments":{}}"#, "name"),
            (
                ProgressiveTool::Call,
                r#"{"name":"a","arguments":[1]}"#,
                "arguments",
            ),
        ] {
            let error = read(tool, json).unwrap_err();
            assert!(error.contains(&format!("`{field}`")), "{json}: {error}");
        }
    }

    /// R11: what is required, with what the schema says of it.
    #[test]
    fn r11_required_arguments() {
        for (schema, names, arguments) in [
            (
                r#"{"properties":{"title":{"type":"string","description":"d","maxLength":3},"due":{"type":"string"}},"required":["title"]}"#,
                vec!["title"],
                json!([{"name":"title","type":"string","description":"d"}]),
            ),
            (
                r#"{"required":["ghost",7]}"#,
                vec!["ghost"],
                json!([{"name":"ghost"}]),
            ),
            ("{}", vec![], json!([])),
            (r#"{"required":"title","properties":[]}"#, vec![], json!([])),
        ] {
            let raw = RawValue::from_string(schema.to_owned()).unwrap();
            let (required, told) = required_arguments(&raw);
            assert_eq!(required, names, "{schema}");
            assert_eq!(Value::from(told), arguments, "{schema}");
        }
    }
}
