//! How are on-demand tools found, shown, run and promoted?

use std::sync::Arc;

use handpick_access::Denial;
use handpick_domain::{Resolution, Surface, Tool, ToolKind};
use handpick_presentation::Mode;
use handpick_presentation::progressive::required_arguments;
use handpick_presentation::result::{failure, structured};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{AgentCall, Answer, refuse, run};
use crate::call_tool::CallFailure;
use crate::exactly::only;
use crate::promotions::Joined;
use crate::search_on_demand::{OnDemand, close_names, search_on_demand};
use crate::select_tools::Suggested;
use crate::shown::shown;
use crate::{Opened, Runtime};

/// Answers a search: hits with their required arguments, a clear winner with its schema and promoted (R2 to R5,
/// R10).
pub(super) async fn search(
    runtime: &Runtime,
    call: &AgentCall<'_>,
    query: &str,
    limit: usize,
) -> Box<RawValue> {
    let opened = call.opened;
    let on_demand = |tool: &Tool| !opened.gateway.core.matches(&tool.name);
    let searched = search_on_demand(runtime, &opened.surface, call.caller, query, limit, on_demand).await;
    let Ok(OnDemand { found, winner }) = searched else {
        return failure("tool search is temporarily unavailable, a retry may succeed");
    };
    if let Some(winner) = winner.and_then(|position| found.tools.get(position)) {
        call.joined.promote(winner.tool.name.as_str());
    }
    let promoted = call.joined.promoted();
    let tools: Vec<Value> = found
        .tools
        .iter()
        .enumerate()
        .map(|(position, hit)| {
            hit_json(
                hit,
                promoted.contains(hit.tool.name.as_str()),
                winner == Some(position),
            )
        })
        .collect();
    let promoted = winner
        .and_then(|position| found.tools.get(position))
        .map(|winner| &*winner.rendered);
    structured(&json!({
        "query": shown(query),
        "total": found.total,
        "promoted": promoted,
        "tools": tools,
        "hint": hint(promoted, tools.len()),
    }))
}

fn hit_json(hit: &Suggested, direct: bool, with_schema: bool) -> Value {
    let (required, arguments) = required_arguments(&hit.tool.input_schema);
    let mut json = json!({
        "name": &*hit.rendered,
        "description": hit.tool.first_line(),
        "required": required,
        "arguments": arguments,
        "direct": direct,
    });
    if with_schema {
        json["inputSchema"] = json!(&*hit.tool.input_schema);
    }
    json
}

fn hint(promoted: Option<&str>, hits: usize) -> String {
    match (promoted, hits) {
        (_, 0) => "no tool matches; say it in other words, naming the service or the object".to_owned(),
        (Some(name), 1) => format!("call {name} by its own name, or through arc_call_tool"),
        (Some(name), _) => format!(
            "call {name} by its own name, or through arc_call_tool; run any other with arc_call_tool, or read it first \
             with arc_describe_tool"
        ),
        (None, _) => "run one with arc_call_tool, or read it first with arc_describe_tool".to_owned(),
    }
}

/// Shows one tool in full; it joins the list (R6).
pub(super) fn describe(runtime: &Runtime, call: &AgentCall<'_>, name: &str) -> Box<RawValue> {
    let surface = &call.opened.surface;
    let Some(position) = exact(surface, name) else {
        return unknown(surface, name);
    };
    let tool = &surface.catalog.tools()[position];
    if runtime
        .policy()
        .find(surface, tool.name.as_str(), call.caller)
        .is_err()
    {
        return unknown(surface, name);
    }
    if may_join(call.opened, tool) {
        call.joined.promote(tool.name.as_str());
    }
    structured(&json!({
        "name": &**surface.catalog.rendered(position),
        "description": tool.description,
        "inputSchema": &*tool.input_schema,
    }))
}

/// Runs one tool by its exact name; it joins the list when it succeeds (R7, R8, R18).
pub(super) async fn run_exact(
    runtime: &Runtime,
    call: AgentCall<'_>,
    name: &str,
    arguments: Option<Box<RawValue>>,
) -> Answer {
    let (opened, joined) = (call.opened, call.joined);
    let surface = &opened.surface;
    let Some(tool) = exact(surface, name).map(|position| &surface.catalog.tools()[position]) else {
        return Answer::Result(unknown(surface, name));
    };
    // Forbidden, and one that differs in case alone is not: that one was not named (R14).
    let exactly = Arc::new(only(surface, tool.name.as_str()));
    let exactly = Opened::new(exactly, opened.mode, opened.gateway.clone());
    let call = AgentCall {
        opened: &exactly,
        ..call
    };
    match run(runtime, call, tool.name.as_str(), arguments, None).await {
        Ok(called) => {
            if !called.is_error && may_join(opened, tool) {
                joined.promote(tool.name.as_str());
            }
            Answer::Result(called.result)
        }
        Err(CallFailure::Denied(Denial::NotFound { .. })) => Answer::Result(unknown(surface, name)),
        Err(failed) => refuse(failed, name, true),
    }
}

/// A promoted tool that was called by its own name counts as used, whatever came of it.
pub(super) fn note_use(opened: &Opened, joined: &Joined, name: &str) {
    if opened.mode == Mode::Progressive
        && let Resolution::Found(position) = opened.surface.catalog.resolve(name)
        && let Some(tool) = opened.surface.catalog.tools().get(position)
        && joined.promoted().contains(tool.name.as_str())
    {
        joined.promote(tool.name.as_str());
    }
}

/// Only customers' tools that are not listed anyway join.
fn may_join(opened: &Opened, tool: &Tool) -> bool {
    tool.kind == ToolKind::Customer && !opened.gateway.core.matches(&tool.name)
}

/// The tool of exactly this listed or canonical name, whoever may use it (R14).
fn exact(surface: &Surface, name: &str) -> Option<usize> {
    let canonical = || {
        surface
            .catalog
            .tools()
            .iter()
            .position(|tool| tool.name.as_str() == name)
    };
    surface.catalog.position_of_rendered(name).or_else(canonical)
}

/// Unknown and forbidden read alike; names that look like it are told of those the caller may use (R14).
fn unknown(surface: &Surface, name: &str) -> Box<RawValue> {
    let close = close_names(surface, name);
    let hint = match close.as_slice() {
        [] => "; find one with arc_search_tools".to_owned(),
        close => format!("; did you mean {}?", close.join(", ")),
    };
    failure(&format!("unknown tool: {}{hint}", shown(name)))
}
