//! What does a backend get when it publishes an agent and asks for the tools of a turn?

mod agents;
mod any_body;
mod document;
mod errors;
mod fields;
mod find_tools;
mod keys;
mod turn;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Gate, Reply};

/// An agent that is published.
pub const AGENT: &str = "acme-billing";
/// Where turns are asked about.
pub const CONTEXT: &str = "/v1/context";
/// Where the whole catalog is searched.
pub const FIND: &str = "/v1/find-tools";

/// A small catalog with a lookup, a restricted tool and one that is always on.
pub fn catalog() -> Value {
    json!({"tools": [
        {"name": "refund_invoice", "description": "Refund a paid invoice.",
         "parameters": [{"name": "invoice_id", "dataType": "string", "required": true},
                        {"name": "amount", "dataType": "number", "required": false}],
         "examples": ["give them their money back"]},
        {"name": "list_invoices", "description": "List the invoices of a customer.",
         "parameters": [{"name": "customer_id", "description": "e.g. cus_8812", "required": true}],
         "produces": ["invoice_id"]},
        {"name": "find_customer", "displayName": "Find a customer", "description": "Find a customer by name.",
         "parameters": [{"name": "query", "dataType": "string", "required": true}],
         "produces": ["customer_id"]},
        {"name": "delete_customer", "description": "Delete a customer for good.",
         "parameters": [{"name": "customer_id", "required": true}], "requiredRoles": ["admin"]},
        {"name": "ask_user", "description": "Ask the user a question.", "core": true}
    ]})
}

/// A gateway with [`catalog`] published as [`AGENT`].
pub async fn published() -> Gate {
    let gate = Gate::open().await;
    publish(&gate, AGENT, &catalog()).await;
    gate
}

/// Publishes a catalog, which must be taken over.
#[track_caller]
pub fn publish<'a>(gate: &'a Gate, agent: &str, body: &Value) -> impl Future<Output = Value> + use<'a> {
    let (path, body) = (format!("/v1/agents/{agent}/catalog"), body.to_string());
    async move {
        let reply = gate.ask(Method::PUT, &path, body).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        reply.json()
    }
}

/// A good turn.
pub fn turn() -> Value {
    json!({"agentId": AGENT, "message": "refund invoice INV-1042"})
}

/// A good search.
pub fn search() -> Value {
    json!({"agentId": AGENT, "query": "refund an invoice"})
}

/// The names of the tools of an answer.
#[track_caller]
pub fn names(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let json = reply.json();
    let tools = json["tools"].as_array().unwrap().iter();
    tools
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

/// A refusal with this status whose text names these fields, in this order.
#[track_caller]
pub fn refused(reply: &Reply, status: StatusCode, fields: &[&str]) {
    assert_eq!(reply.status, status, "{fields:?} {}", reply.text);
    let json = reply.json();
    assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
    let error = json["error"].as_str().unwrap();
    let named: Vec<&str> = error
        .split("; ")
        .filter_map(|line| line.split_once(": ").map(|(field, _)| field))
        .collect();
    assert_eq!(named, fields, "{error}");
}
