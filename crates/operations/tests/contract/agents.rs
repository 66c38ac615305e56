//! Are agents published, asked and forgotten as the context API promises?
//!
//! How good a turn's tools are is measured elsewhere; here every tool that may be had is had.

mod asking;
mod at_once;
mod memory;
mod publishing;
mod restarting;
mod traces;

use std::collections::BTreeSet;

use handpick_conversation::TurnTuning;
use handpick_conversation::published::{self, PublishedConversation};
use handpick_domain::{AgentId, AgentTool};
use handpick_operations::agents::add_traces::add_traces;
use handpick_operations::agents::find_agent_tools::{FindRequest, FoundTools, find_agent_tools};
use handpick_operations::agents::publish_catalog::publish_catalog;
use handpick_operations::agents::read_agent::{NamedEdge, read_counts, read_graph};
use handpick_operations::agents::turn_context::{ContextTool, TurnAnswer, TurnRequest, turn_context};
use handpick_operations::{AgentCounts, AgentError, Options, Runtime};
use serde_json::{Value, json};

use crate::deployment::{Deployment, PATIENCE, Plan};

pub fn id(text: &str) -> AgentId {
    AgentId::parse(text).unwrap()
}

/// A deployment without servers whose turns keep every tool.
pub fn plan() -> Plan {
    let turn_tuning = TurnTuning {
        keep: 0.0,
        ..TurnTuning::default()
    };
    Plan::new().options(Options {
        turn_tuning,
        ..Options::default()
    })
}

pub async fn deployment() -> Deployment {
    plan().start().await
}

/// A catalog as a front hands it over.
pub fn catalog(body: &Value) -> (Vec<AgentTool>, String) {
    (published::catalog(body).unwrap(), body.to_string())
}

/// Past conversations as a front hands them over.
pub fn conversations(body: &Value) -> Vec<PublishedConversation> {
    published::conversations(body).unwrap()
}

/// A small catalog with every kind of tool: a lookup, those that need it, one that is always on, one for a role.
pub fn billing() -> Value {
    json!({"tools": [
        {"name": "refund_invoice", "description": "Refund a paid invoice.", "examples": ["give them their money back"],
         "parameters": [{"name": "invoice_id", "dataType": "string", "required": true}], "later": [1.50]},
        {"name": "find_customer", "description": "Find a customer by name.", "produces": ["customer_id"],
         "parameters": [{"name": "query", "required": true}]},
        {"name": "list_invoices", "description": "List the invoices of a customer.", "produces": ["invoice_id"],
         "parameters": [{"name": "customer_id", "required": true}]},
        {"name": "ask_user", "description": "Ask the user a question.", "core": true},
        {"name": "audit_ledger", "description": "Audit the ledger of the company.", "requiredRoles": ["auditor"]},
        {"name": "audit_always", "description": "Note what was audited.", "core": true, "requiredRoles": ["auditor"]},
    ]})
}

/// A past conversation: the code that `from` returned is what `to` is called with.
pub fn handed_on(id: &str, from: &str, to: &str) -> Value {
    let code = format!("SN-{id}-77123");
    json!({"id": id, "messages": [
        {"role": "user", "content": format!("please look into the matter of {id}")},
        {"role": "assistant", "content": "Done.", "toolCalls": [
            {"name": from, "arguments": {"query": id}, "result": json!({"serial": code}).to_string()},
            {"name": to, "arguments": {"serial": code}, "result": "ok"},
        ]},
    ]})
}

pub async fn publish(runtime: &Runtime, agent: &str, body: &Value) -> AgentCounts {
    let (tools, json) = catalog(body);
    publish_catalog(runtime, &id(agent), tools, json).await.unwrap()
}

pub async fn trace(runtime: &Runtime, agent: &str, body: &Value) -> Result<AgentCounts, AgentError> {
    add_traces(runtime, &id(agent), conversations(body)).await
}

pub async fn counts(runtime: &Runtime, agent: &str) -> AgentCounts {
    read_counts(runtime, &id(agent)).await.unwrap()
}

pub async fn graph(runtime: &Runtime, agent: &str) -> Vec<NamedEdge> {
    read_graph(runtime, &id(agent)).await.unwrap()
}

pub fn roles(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

pub fn turn(agent: &str, message: &str) -> TurnRequest {
    TurnRequest {
        agent_id: id(agent),
        message: message.to_owned(),
        history: Vec::new(),
        roles: BTreeSet::new(),
        page: None,
        tools_max: None,
    }
}

pub async fn ask(runtime: &Runtime, request: TurnRequest) -> TurnAnswer {
    turn_context(runtime, request).await.unwrap()
}

pub fn task(agent: &str, query: &str) -> FindRequest {
    FindRequest {
        agent_id: id(agent),
        query: query.to_owned(),
        exclude: BTreeSet::new(),
        limit: 5,
        roles: BTreeSet::new(),
    }
}

pub async fn find(runtime: &Runtime, request: FindRequest) -> FoundTools {
    find_agent_tools(runtime, request).await.unwrap()
}

pub fn names(tools: &[ContextTool]) -> BTreeSet<String> {
    tools.iter().map(|tool| tool.name.to_string()).collect()
}

/// Waits for what happens behind the answers.
pub async fn until(what: impl AsyncFn() -> bool) {
    let poll = async {
        while !what().await {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, poll).await.unwrap();
}

#[track_caller]
pub fn unknown<T>(result: Result<T, AgentError>, agent: &str) {
    match result {
        Err(AgentError::Unknown(id)) => assert_eq!(id.as_str(), agent),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("`{agent}` is known"),
    }
}

#[track_caller]
pub fn unavailable<T>(result: Result<T, AgentError>) {
    match result {
        Err(AgentError::Unavailable) => {}
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it is available"),
    }
}
