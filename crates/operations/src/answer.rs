//! What does this `tools/call` of an agent come to?

mod found;
mod on_demand;

use std::sync::Arc;

use handpick_access::Denial;
use handpick_domain::Caller;
use handpick_presentation::result::failure;
use handpick_presentation::{ToolRequest, read_call};
use handpick_protocol::RpcError;
use handpick_upstream::Client;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

pub use found::suggestion;

use crate::call_tool::{Call, CallFailure, Called, call_tool, new_execution_id};
use crate::promotions::Joined;
use crate::shown::shown;
use crate::unified::unified;
use crate::{Opened, Runtime};

/// An agent's call, as both MCP transports hand it over.
pub struct AgentCall<'a> {
    /// The surface it was made on.
    pub opened: &'a Opened,
    /// The on-demand tools that have joined the caller's list.
    pub joined: &'a Joined,
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
    /// Who can be asked while the call runs.
    pub client: Option<Arc<dyn Client>>,
}

/// What the agent gets back.
#[derive(Debug)]
pub enum Answer {
    /// A tool result: the tool's own, a meta-tool's, or a refusal the model should read.
    Result(Box<RawValue>),
    /// What a meta-tool found, which goes by the snapshot it was found in (P14).
    Found(Box<RawValue>),
    /// The name is not callable here: a protocol error (X11).
    UnknownTool(String),
    /// The tool's server answered with a protocol error, passed on as it is.
    Rpc(RpcError),
}

/// Reads the call on its surface and carries it out. Meta-tools need no permit; the tool inside one
/// passes the same door as a direct call (P24, P25).
pub async fn answer(runtime: &Runtime, call: AgentCall<'_>) -> Answer {
    let opened = call.opened;
    let promoted = call.joined.promoted();
    let read = read_call(
        &opened.surface,
        opened.mode,
        &opened.gateway,
        &promoted,
        call.name,
        call.arguments,
    );
    match read {
        Err(bad) => Answer::Result(failure(&bad.to_string())),
        Ok(ToolRequest::NotEnabled) => Answer::Result(failure("tool not enabled for this gateway")),
        Ok(ToolRequest::Unknown) => Answer::UnknownTool(shown(call.name).into_owned()),
        Ok(ToolRequest::Meta(meta)) => Answer::Found(found::answer_meta(runtime, &call, meta).await),
        Ok(ToolRequest::Unified(asked)) => Box::pin(unified(runtime, call, asked)).await,
        Ok(ToolRequest::RunOnDemand { name, arguments }) => {
            on_demand::run_exact(runtime, call, &name, arguments).await
        }
        Ok(ToolRequest::Run {
            name,
            arguments,
            query_id,
            through_meta_tool,
        }) => {
            on_demand::note_use(opened, call.joined, &name);
            match run(runtime, call, &name, arguments, query_id).await {
                Ok(called) => Answer::Result(called.result),
                Err(failed) => refuse(failed, &name, through_meta_tool),
            }
        }
    }
}

/// Runs the tool of this name for the agent.
pub(crate) async fn run(
    runtime: &Runtime,
    call: AgentCall<'_>,
    name: &str,
    arguments: Option<Box<RawValue>>,
    query_id: Option<String>,
) -> Result<Called, CallFailure> {
    let run = Call {
        execution_id: new_execution_id(),
        surface: &call.opened.surface,
        caller: call.caller,
        tool: name,
        arguments,
        query_id,
        meta: call.meta,
        progress: call.progress,
        client: call.client,
        source: call.opened.mode.as_str(),
    };
    call_tool(runtime, run).await
}

/// A refusal is worded for whoever reads it: a protocol error for a name called directly, a tool
/// result for a name passed to a meta-tool.
pub(crate) fn refuse(failed: CallFailure, name: &str, through_meta_tool: bool) -> Answer {
    match failed {
        CallFailure::Rpc(error) => Answer::Rpc(error),
        CallFailure::Denied(Denial::NotFound { .. }) if !through_meta_tool => {
            Answer::UnknownTool(shown(name).into_owned())
        }
        other => Answer::Result(failure(&other.to_string())),
    }
}
