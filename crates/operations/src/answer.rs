//! What does this `tools/call` of an agent come to?

use handpick_domain::Caller;
use handpick_presentation::result::{failure, structured};
use handpick_presentation::{MetaCall, ToolRequest, read_call};
use handpick_protocol::RpcError;
use handpick_store::SelectionSource;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::call_tool::{Call, CallFailure, call_tool, new_execution_id};
use crate::describe_tool::describe_tool;
use crate::discover_tools::discover_tools;
use crate::limits::SELECT_DEFAULT;
use crate::list_apps::list_apps;
use crate::select_tools::{Selected, Selection, Suggested, TaskOutcome, select_tools};
use crate::shown::shown;
use crate::{Opened, Runtime};

/// An agent's call, as both MCP transports hand it over.
pub struct AgentCall<'a> {
    /// The surface it was made on.
    pub opened: &'a Opened,
    /// Who asks.
    pub caller: &'a Caller,
    /// The name that was called.
    pub name: &'a str,
    /// Its arguments, as they came.
    pub arguments: Option<&'a RawValue>,
    /// The caller's `_meta`, without its progress token.
    pub meta: Option<Box<RawValue>>,
    /// Where progress goes.
    pub progress: Option<mpsc::UnboundedSender<Box<RawValue>>>,
}

/// What the agent gets back.
#[derive(Debug)]
pub enum Answer {
    /// A tool result: the tool's own, a meta-tool's, or a refusal the model should read.
    Result(Box<RawValue>),
    /// The name is not callable here: a protocol error (X11).
    UnknownTool(String),
    /// The tool's server answered with a protocol error, passed on as it is.
    Rpc(RpcError),
}

/// Reads the call on its surface and carries it out. Meta-tools need no permit; the tool inside one
/// passes the same door as a direct call (P24, P25).
pub async fn answer(runtime: &Runtime, call: AgentCall<'_>) -> Answer {
    let Opened {
        surface,
        mode,
        gateway,
    } = call.opened;
    match read_call(surface, *mode, gateway, call.name, call.arguments) {
        Err(bad) => Answer::Result(failure(&bad.to_string())),
        Ok(ToolRequest::NotEnabled) => Answer::Result(failure("tool not enabled for this gateway")),
        Ok(ToolRequest::Unknown) => Answer::UnknownTool(shown(call.name).into_owned()),
        Ok(ToolRequest::Meta(meta)) => Answer::Result(answer_meta(runtime, &call, meta).await),
        Ok(ToolRequest::Run {
            name,
            arguments,
            query_id,
            through_meta_tool,
        }) => {
            let run = Call {
                execution_id: new_execution_id(),
                surface,
                caller: call.caller,
                tool: &name,
                arguments,
                query_id,
                meta: call.meta,
                progress: call.progress,
                source: mode.as_str(),
            };
            match call_tool(runtime, run).await {
                Ok(called) => Answer::Result(called.result),
                Err(failed) => refuse(failed, &name, through_meta_tool),
            }
        }
    }
}

/// A refusal is worded for whoever reads it: a protocol error for a name called directly, a tool
/// result for a name passed to a meta-tool.
fn refuse(failed: CallFailure, name: &str, through_meta_tool: bool) -> Answer {
    match failed {
        CallFailure::Rpc(error) => Answer::Rpc(error),
        CallFailure::Denied(handpick_access::Denial::NotFound { .. }) if !through_meta_tool => {
            Answer::UnknownTool(shown(name).into_owned())
        }
        other => Answer::Result(failure(&other.to_string())),
    }
}

async fn answer_meta(runtime: &Runtime, call: &AgentCall<'_>, meta: MetaCall) -> Box<RawValue> {
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
