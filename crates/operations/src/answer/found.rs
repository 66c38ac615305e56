//! What does a meta-tool that finds or shows tools answer?

use handpick_presentation::MetaCall;
use handpick_presentation::result::{failure, structured};
use handpick_store::SelectionSource;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{AgentCall, on_demand};
use crate::Runtime;
use crate::describe_tool::describe_tool;
use crate::discover_tools::discover_tools;
use crate::limits::SELECT_DEFAULT;
use crate::list_apps::list_apps;
use crate::select_tools::{Selected, Selection, Suggested, TaskOutcome, select_tools};

pub(super) async fn answer_meta(runtime: &Runtime, call: &AgentCall<'_>, meta: MetaCall) -> Box<RawValue> {
    let surface = &call.opened.surface;
    match meta {
        MetaCall::Select { .. } if surface.allowed.is_empty() => {
            failure("no tools are eligible for discovery: this gateway allows you no tool")
        }
        MetaCall::Select { tasks, context } => {
            let selection = Selection {
                tasks: &tasks,
                context: context.as_deref(),
                limit: SELECT_DEFAULT,
                floor: None,
                source: SelectionSource::Select,
            };
            let selected = select_tools(runtime, surface, call.caller, selection).await;
            structured(&selection_json(&tasks, &selected))
        }
        MetaCall::ListApps => {
            let apps: Vec<Value> = list_apps(surface)
                .into_iter()
                .map(|app| json!({"app_id": app.app_id, "name": app.app_id, "connected": app.connected}))
                .collect();
            structured(&json!({"apps": apps}))
        }
        MetaCall::Discover { query, limit } => {
            match discover_tools(runtime, surface, call.caller, &query, limit).await {
                Ok(found) => {
                    let tools: Vec<Value> = found.tools.iter().map(brief).collect();
                    structured(&json!({"tools": tools, "total": found.total}))
                }
                Err(_) => failure("tool discovery is temporarily unavailable, a retry may succeed"),
            }
        }
        MetaCall::Describe { name } => match describe_tool(runtime, surface, call.caller, &name) {
            Ok(found) => structured(&json!({
                "name": &*found.rendered,
                "description": found.tool.description,
                "input_schema": &*found.tool.input_schema,
            })),
            Err(denial) => failure(&denial.to_string()),
        },
        MetaCall::SearchOnDemand { query, limit } => on_demand::search(runtime, call, &query, limit).await,
        MetaCall::DescribeOnDemand { name } => on_demand::describe(runtime, call, &name),
    }
}

/// The body of a selection over MCP: `empty_reason` tells why a task got nothing (A16).
fn selection_json(tasks: &[String], selected: &Selected) -> Value {
    let results: Vec<Value> = tasks
        .iter()
        .zip(&selected.tasks)
        .map(|(task, outcome)| match outcome {
            TaskOutcome::Found(found) if found.is_empty() => {
                json!({"task": task, "suggestions": [], "empty_reason": "no_match"})
            }
            TaskOutcome::Found(found) => {
                json!({"task": task, "suggestions": found.iter().map(suggestion).collect::<Vec<_>>()})
            }
            TaskOutcome::Unavailable => {
                json!({"task": task, "suggestions": [], "empty_reason": "unavailable"})
            }
        })
        .collect();
    json!({"query_id": selected.query_id, "results": results})
}

/// A suggestion as both SelectTools and the REST endpoints show it (A13).
pub fn suggestion(found: &Suggested) -> Value {
    json!({
        "tool_name": found.tool.name.as_str(),
        "description": found.tool.description,
        "input_schema": &*found.tool.input_schema,
    })
}

fn brief(found: &Suggested) -> Value {
    json!({
        "name": &*found.rendered,
        "description": found.tool.description,
        "score": (f64::from(found.score) * 1000.0).round() / 1000.0,
    })
}
