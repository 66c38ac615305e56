//! How is an agent published, taught, read and forgotten?

use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::{AGENT, CONTEXT, catalog, names, publish, published, turn};
use crate::support::Gate;

/// A past conversation that finds a customer and then acts on it.
fn conversation(id: &str) -> Value {
    json!({"id": id, "messages": [
        {"role": "user", "content": "close the account of Globex"},
        {"role": "assistant", "content": "Done.", "toolCalls": [
            {"name": "find_customer", "arguments": {"query": "Globex"}, "result": "{\"ref\": \"GLX-88123\"}"},
            {"name": "close_account", "arguments": {"account": "GLX-88123"}}
        ]}
    ]})
}

/// Two tools that nothing but conversations can link.
fn unlinked() -> Value {
    json!({"tools": [
        {"name": "find_customer", "description": "Find a customer.",
         "parameters": [{"name": "query", "required": true}]},
        {"name": "close_account", "description": "Close an account.",
         "parameters": [{"name": "account", "required": true}]}
    ]})
}

async fn teach(gate: &Gate, agent: &str, body: Value) -> Value {
    let reply = gate.post(&format!("/v1/agents/{agent}/traces"), body).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    reply.json()
}

/// T13, T14, T16, T23: the counts, the same however often they are asked for or made.
#[tokio::test]
async fn t13_counts() {
    let gate = Gate::open().await;
    let first = publish(&gate, AGENT, &catalog()).await;
    insta::assert_json_snapshot!(first);
    let sum: u64 = ["DECLARED", "STATIC", "TRACE"]
        .iter()
        .map(|source| first["edgesBySource"][source].as_u64().unwrap())
        .sum();
    assert_eq!(first["edges"], sum);
    assert_eq!(publish(&gate, AGENT, &catalog()).await, first);
    assert_eq!(gate.get("/v1/agents/acme-billing").await.json(), first);
}

/// T17, E1: a catalog without tools is one.
#[tokio::test]
async fn t17_an_empty_catalog() {
    let gate = published().await;
    let counts = publish(&gate, AGENT, &json!({"tools": []})).await;
    insta::assert_json_snapshot!(counts);
    assert_eq!(
        gate.get("/v1/agents/acme-billing/graph").await.json(),
        json!({"edges": []})
    );
    assert!(names(&gate.post(CONTEXT, turn()).await).is_empty());
}

/// T8: a publish replaces all of it, and the next request already sees that.
#[tokio::test]
async fn t8_a_publish_replaces_and_is_read_at_once() {
    let gate = published().await;
    for round in 0..5 {
        let name = format!("archive_{round}");
        let tool = json!({"name": name, "description": "Archive a document.", "core": true});
        publish(&gate, AGENT, &json!({"tools": [tool]})).await;
        let reply = gate.post(CONTEXT, turn()).await;
        assert_eq!(names(&reply), [name.as_str()]);
    }
}

/// T24: every byte of a catalog comes back: spelling, order, unknown fields and what was left out.
#[tokio::test]
async fn t24_the_catalog_as_published() {
    let gate = Gate::open().await;
    let body = "{ \"version\" : 1.0e2,\n \"tools\":[ {\"description\":\"d\\u00e9\", \"x\":{\"b\":null,\"a\":[1,2.50]},\
                \n\"name\":\"t\" } ],\"z\":\"é\"}\n";
    let reply = gate.ask(Method::PUT, "/v1/agents/a/catalog", body).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let reply = gate.get("/v1/agents/a/catalog").await;
    assert_eq!(reply.text, body);
    assert_eq!(reply.headers[header::CONTENT_TYPE], "application/json");
}

/// T25: the graph.
#[tokio::test]
async fn t25_the_graph() {
    let gate = published().await;
    let reply = gate.get("/v1/agents/acme-billing/graph").await;
    assert_eq!(reply.status, StatusCode::OK);
    let graph = reply.json();
    let edges = graph["edges"].as_array().unwrap();
    let key =
        |edge: &Value| ["provider", "consumer", "param"].map(|name| edge[name].as_str().unwrap().to_owned());
    assert!(edges.iter().map(key).is_sorted(), "{graph}");
    for edge in edges {
        let confidence = edge["confidence"].as_f64().unwrap();
        assert!(confidence > 0.0 && confidence <= 1.0, "{edge}");
    }
    insta::assert_json_snapshot!(graph);
}

/// T18, T19, T20, E10: conversations add up by their ids, and a pattern counts once it repeats.
#[tokio::test]
async fn t19_a_pattern_counts_once_it_repeats() {
    let gate = Gate::open().await;
    publish(&gate, AGENT, &unlinked()).await;
    let seen = |counts: &Value| {
        (
            counts["traces"].as_u64().unwrap(),
            counts["edgesBySource"]["TRACE"].as_u64().unwrap(),
        )
    };
    assert_eq!(seen(&teach(&gate, AGENT, json!([])).await), (0, 0));
    for _ in 0..2 {
        let counts = teach(&gate, AGENT, json!([conversation("one")])).await;
        assert_eq!(seen(&counts), (1, 0), "the same id again");
    }
    let counts = teach(&gate, AGENT, json!([conversation("two"), conversation("two")])).await;
    let (traces, links) = seen(&counts);
    assert!(traces == 2 && links >= 1, "{counts}");
    assert_eq!(gate.get("/v1/agents/acme-billing").await.json(), counts);
    // T16: they outlive a publish.
    assert_eq!(publish(&gate, AGENT, &unlinked()).await, counts);
    // T6: another agent with the same catalog has learned nothing of it.
    assert_eq!(seen(&publish(&gate, "other", &unlinked()).await), (0, 0));
}

/// T20, T21, T22, E18, E19: foreign tools, results of any kind and messages of tool calls alone are taken.
#[tokio::test]
async fn t20_what_is_taken() {
    let gate = published().await;
    let body = json!([{"id": "a", "kept": true, "messages": [
        {"role": "user", "content": ""},
        {"role": "assistant", "toolCalls": [
            {"name": "nobody_knows_it", "arguments": {"a": [1, {"b": null}]}, "result": "not { json"},
            {"name": "find_customer"},
            {"name": "find_customer", "arguments": null, "result": null}
        ]},
        {"role": "assistant", "content": null, "toolCalls": []}
    ]}, {"id": "b", "messages": []}]);
    assert_eq!(teach(&gate, AGENT, body).await["traces"], 2);
}

/// T26: what is deleted is gone, and can be published anew.
#[tokio::test]
async fn t26_delete() {
    let gate = published().await;
    teach(&gate, AGENT, json!([conversation("one"), conversation("two")])).await;
    let path = format!("/v1/agents/{AGENT}");
    let reply = gate.ask(Method::DELETE, &path, "").await;
    assert_eq!(reply.status, StatusCode::NO_CONTENT);
    assert_eq!(reply.text, "");
    assert!(!reply.headers.contains_key(header::CONTENT_TYPE));
    let unknown = json!({"error": format!("unknown agent: {AGENT}")});
    for (method, below) in [
        (Method::GET, ""),
        (Method::GET, "/catalog"),
        (Method::GET, "/graph"),
        (Method::DELETE, ""),
    ] {
        let reply = gate.ask(method, &format!("{path}{below}"), "").await;
        assert_eq!(
            (reply.status, reply.json()),
            (StatusCode::NOT_FOUND, unknown.clone())
        );
    }
    assert_eq!(publish(&gate, AGENT, &catalog()).await["traces"], 0);
}

/// T5: which ids an agent may have.
#[tokio::test]
async fn t5_ids() {
    let gate = Gate::open().await;
    let longest = "x".repeat(128);
    for id in ["a", "A-1_b", "-", "0", longest.as_str(), "%61%2D"] {
        let path = format!("/v1/agents/{id}/catalog");
        let reply = gate.ask(Method::PUT, &path, catalog()).await;
        assert_eq!(reply.status, StatusCode::OK, "{id}");
        let plain = id.replace("%61%2D", "a-");
        assert_eq!(reply.json()["agentId"], plain.as_str());
    }
    let too_long = "x".repeat(129);
    for id in [
        "a%20b",
        "a.b",
        "a%2Fb",
        "%C3%A4",
        "%FF",
        "%00",
        "a:b",
        too_long.as_str(),
    ] {
        for (method, below, body) in [
            (Method::PUT, "/catalog", catalog()),
            (Method::POST, "/traces", json!([])),
            (Method::GET, "", Value::Null),
            (Method::GET, "/catalog", Value::Null),
            (Method::GET, "/graph", Value::Null),
            (Method::DELETE, "", Value::Null),
        ] {
            let reply = gate.ask(method, &format!("/v1/agents/{id}{below}"), body).await;
            super::refused(&reply, StatusCode::BAD_REQUEST, &["agentId"]);
        }
    }
}

/// T5: an id that is left out is none either.
#[tokio::test]
async fn t5_no_id() {
    let gate = Gate::open().await;
    let reply = gate.get("/v1/agents//catalog").await;
    super::refused(&reply, StatusCode::BAD_REQUEST, &["agentId"]);
}

/// C17: names that providers refuse are taken, counted and handed on.
#[tokio::test]
async fn c17_invalid_names() {
    let gate = Gate::open().await;
    let tool = |name: &str| json!({"name": name, "description": "Refund a paid invoice."});
    let long = "x".repeat(65);
    let tools: Vec<Value> = [
        "refund",
        "refund.invoice",
        "refund invoice",
        long.as_str(),
        "rückzahlung",
    ]
    .into_iter()
    .map(tool)
    .collect();
    assert_eq!(
        publish(&gate, AGENT, &json!({"tools": tools})).await["invalidNames"],
        4
    );
    assert_eq!(
        gate.get("/v1/agents/acme-billing").await.json()["invalidNames"],
        4
    );
    let reply = gate
        .post(
            super::FIND,
            json!({"agentId": AGENT, "query": "refund", "limit": 50}),
        )
        .await;
    let json = reply.json();
    let defined = json["definitions"].as_array().unwrap().iter();
    let mut defined = defined.map(|definition| &definition["function"]["name"]);
    assert!(defined.any(|name| name == "refund.invoice"), "{json}");
}

/// E17: texts of any script, and NUL where it is no name.
#[tokio::test]
async fn e17_any_text() {
    let gate = Gate::open().await;
    let tools = json!({"tools": [
        {"name": "退款", "description": "退款 🙈 \u{0} استرداد", "examples": ["\u{0}", "💸"], "core": true},
        {"name": "a b/c", "description": "x"}
    ]});
    publish(&gate, "any", &tools).await;
    for message in ["🙈", "退款", "\u{0}", "استرداد الفاتورة", "\u{202e}x"] {
        let reply = gate
            .post(CONTEXT, json!({"agentId": "any", "message": message}))
            .await;
        assert!(names(&reply).contains(&"退款".to_owned()), "{message:?}");
    }
}
