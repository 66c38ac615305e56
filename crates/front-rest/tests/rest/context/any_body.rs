//! Can any body at all break an endpoint of the context API?

use axum::http::{Method, StatusCode};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{AGENT, CONTEXT, FIND, published};

/// Names that mean something, and some that do not.
const NAMES: &str = "(agentId|message|history|context|user|roles|page|url|title|options|maxTools|includePrompt|role|\
                     content|toolCalls|name|arguments|result|query|exclude|limit|format|tools|displayName|description|\
                     parameters|dataType|required|examples|produces|core|requiredRoles|id|messages|x)";

/// Any JSON, with names and values that come close to right ones.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..60).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "(acme-billing|user|assistant|admin|refund it|openai|gemini|mcp|customer_id|find_customer|refund_invoice)"
            .prop_map(Value::from),
        Just(json!("{\"customer_id\": [\"cus_1\", {\"id\": 7}]}")),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(NAMES, inner, 0..6).prop_map(|members| json!(members)),
        ]
    })
}

/// A good body with one member replaced by anything.
fn nearly_good() -> impl Strategy<Value = Value> {
    let good = json!({
        "agentId": AGENT, "message": "refund it", "query": "refund",
        "history": [{"role": "assistant", "content": "x", "toolCalls": [
            {"name": "find_customer", "arguments": {"query": "x"}, "result": "{\"customer_id\":\"cus_1\"}"}]}],
        "tools": [{"name": "a_b", "description": "x", "parameters": [{"name": "b_id", "required": true}]}],
        "context": {"user": {"roles": ["admin"]}, "page": {"url": "x/cus_1"}}
    });
    (NAMES, any_json()).prop_map(move |(name, value)| {
        let mut body = good.clone();
        body[&name] = value;
        body
    })
}

fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => nearly_good().prop_map(|value| value.to_string().into_bytes()),
        2 => any_json().prop_map(|value| value.to_string().into_bytes()),
        1 => vec(any_json(), 0..3).prop_map(|values| {
            let conversation = |value: &Value| json!({"id": "c", "messages": value});
            Value::Array(values.iter().map(conversation).collect()).to_string().into_bytes()
        }),
        1 => vec(any::<u8>(), 0..64),
    ]
}

/// T47, E6, E7: every body gets an answer of the agreed shape, right or wrong.
#[test]
fn t47_every_body_gets_an_agreed_answer() {
    let executor = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let gate = executor.block_on(published());
    let mut runner = TestRunner::new(Config::with_cases(128));
    let checked = runner.run(&any_bytes(), |body| {
        for (method, path) in [
            (Method::POST, CONTEXT),
            (Method::POST, FIND),
            (Method::PUT, "/v1/agents/fuzzed/catalog"),
            (Method::POST, "/v1/agents/fuzzed/traces"),
            (Method::GET, "/v1/agents/fuzzed/graph"),
        ] {
            let request = crate::support::request(method, path, Some(crate::support::ADMIN), body.clone());
            let reply = executor.block_on(gate.send(request));
            let json = reply.json();
            match reply.status {
                StatusCode::OK => prop_assert!(json["agentId"].is_string() || json["edges"].is_array()),
                StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND => {
                    prop_assert!(json["error"].as_str().is_some_and(|error| !error.is_empty()));
                }
                other => prop_assert!(false, "{} {} {}", path, other, reply.text),
            }
        }
        Ok(())
    });
    checked.unwrap();
}
