//! What does a turn get?

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{AGENT, CONTEXT, catalog, names, published, turn};
use crate::support::{Gate, Reply};

/// A turn within a conversation that found a customer.
fn follow_up(message: &str) -> Value {
    json!({"agentId": AGENT, "message": message, "history": [
        {"role": "user", "content": "which plan is Globex on?"},
        {"role": "assistant", "content": "Globex (cus_8812) is on growth.", "toolCalls": [
            {"name": "find_customer", "arguments": {"query": "Globex"},
             "result": "{\"customer_id\": \"cus_8812\", \"plan\": \"growth\"}"}
        ]}
    ]})
}

/// How many tools of an answer fall under the cap.
fn matched(reply: &Reply) -> usize {
    let json = reply.json();
    let tools = json["tools"].as_array().unwrap().iter();
    tools
        .filter(|tool| !["DEPENDENCY", "CORE"].contains(&tool["reason"].as_str().unwrap()))
        .count()
}

/// T33, T36, T37, T39, T40: the whole answer, with each reason in words.
#[tokio::test]
async fn t33_the_whole_answer() {
    let gate = published().await;
    let reply = gate
        .post(CONTEXT, follow_up("list the invoices of this customer"))
        .await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let json = reply.json();
    assert!(json["timings"]["totalMs"].as_f64().unwrap() >= 0.0);
    insta::assert_json_snapshot!(json, {".timings.totalMs" => "[ms]", ".tools[].score" => "[score]"});
}

/// T33, T34, T36: what holds for every answer.
#[tokio::test]
async fn t33_every_answer() {
    let gate = published().await;
    let known: BTreeSet<String> = catalog()["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    for message in [
        "refund invoice INV-1042",
        "hello!",
        "who is Globex?",
        "find Globex and refund them",
        "zzyzx",
        "?",
    ] {
        let reply = gate.post(CONTEXT, follow_up(message)).await;
        let names = names(&reply);
        let distinct: BTreeSet<String> = names.iter().cloned().collect();
        assert_eq!(distinct.len(), names.len(), "{names:?}");
        assert!(
            distinct.is_subset(&known) && distinct.contains("ask_user"),
            "{names:?}"
        );
        let json = reply.json();
        assert!(["SMALLTALK", "KNOWLEDGE", "ACTION", "MIXED"].contains(&json["turnType"].as_str().unwrap()));
        for tool in json["tools"].as_array().unwrap() {
            let reasons = ["RETRIEVED", "DEPENDENCY", "STICKY", "RERANKED", "CORE"];
            assert!(
                reasons.contains(&tool["reason"].as_str().unwrap()),
                "T30: no page, no PAGE: {tool}"
            );
            assert!(tool["score"].is_number() && !tool["detail"].as_str().unwrap().is_empty());
        }
        assert!(json.get("prompt").is_none());
    }
}

/// T27, E14: the same turn gets the same tools.
#[tokio::test]
async fn t27_the_same_again() {
    let gate = published().await;
    let body = follow_up("and refund the last invoice");
    let first = gate.post(CONTEXT, &body).await.json();
    for _ in 0..3 {
        let again = gate.post(CONTEXT, &body).await.json();
        for field in ["agentId", "turnType", "tools", "resolvedParams"] {
            assert_eq!(again[field], first[field]);
        }
    }
}

/// T29: a restricted tool comes for its roles alone.
#[tokio::test]
async fn t29_roles() {
    let gate = published().await;
    for (context, open) in [
        (json!({"user": {"roles": ["admin"]}}), true),
        (
            json!({"user": {"roles": ["agent", "admin"], "name": "Dana"}}),
            true,
        ),
        (json!({"user": {"roles": ["Admin", "agent"]}}), false),
        (json!({"user": {"roles": []}}), false),
        (json!({"user": {}}), false),
        (json!({}), false),
        (Value::Null, false),
    ] {
        let mut body = follow_up("delete the customer Globex for good");
        body["context"] = context.clone();
        let names = names(&gate.post(CONTEXT, &body).await);
        assert_eq!(names.contains(&"delete_customer".to_owned()), open, "{context}");
    }
}

/// T31: the cap holds for what matched, and none at all means the always-on tools alone.
#[tokio::test]
async fn t31_the_cap() {
    let gate = published().await;
    for most in [0, 1, 2, 50] {
        let mut body = follow_up("find the customer, list the invoices and refund one");
        body["options"] = json!({"maxTools": most, "includePrompt": false});
        let reply = gate.post(CONTEXT, &body).await;
        assert!(matched(&reply) <= most, "{}", reply.text);
        if most == 0 {
            assert_eq!(names(&reply), ["ask_user"]);
        }
    }
}

/// T34: small talk gets the always-on tools alone.
#[tokio::test]
async fn t34_small_talk() {
    let gate = published().await;
    for message in ["hello", "thanks a lot!"] {
        let reply = gate
            .post(CONTEXT, json!({"agentId": AGENT, "message": message}))
            .await;
        assert_eq!(reply.json()["turnType"], "SMALLTALK", "{message}");
        assert_eq!(names(&reply), ["ask_user"], "{message}");
    }
}

/// T39: ids of the conversation, as texts; none where there is none.
#[tokio::test]
async fn t39_ids() {
    let gate = published().await;
    let reply = gate.post(CONTEXT, follow_up("list the invoices")).await;
    assert_eq!(reply.json()["resolvedParams"], json!({"customer_id": "cus_8812"}));
    let reply = gate
        .post(CONTEXT, json!({"agentId": AGENT, "message": "list the invoices"}))
        .await;
    assert_eq!(reply.json()["resolvedParams"], json!({}));
}

/// T22, E2, E16, E19: long conversations, long messages and foreign tools are taken.
#[tokio::test]
async fn e16_much_to_read() {
    let gate = published().await;
    let message = "refund the invoice ".repeat(10_000);
    let reply = gate
        .post(CONTEXT, json!({"agentId": AGENT, "message": message}))
        .await;
    assert_eq!(reply.status, StatusCode::OK);
    let said = json!({"role": "assistant", "content": "", "toolCalls": [{"name": "nobody", "result": "x"}]});
    let body = json!({"agentId": AGENT, "message": "refund it", "history": vec![said; 2_000]});
    assert_eq!(gate.post(CONTEXT, body).await.status, StatusCode::OK);
}

/// T30: a page may be sent.
#[tokio::test]
async fn t30_a_page() {
    let gate = published().await;
    for page in [
        json!({"url": "https://app.example/customers/cus_8812", "title": "Globex"}),
        json!({"url": "no address"}),
        json!({"title": ""}),
        json!({}),
    ] {
        let mut body = turn();
        body["context"] = json!({"page": page});
        assert_eq!(gate.post(CONTEXT, &body).await.status, StatusCode::OK, "{page}");
    }
}

/// E13: a deployment that finds no tools says so, and takes no catalogs that nobody could be served from.
#[tokio::test]
async fn e13_no_selection() {
    let gate = Gate::without_selection().await;
    for (method, path, body) in super::keys::endpoints() {
        let reply = gate.ask(method.clone(), path, body).await;
        if method == Method::PUT || method == Method::POST {
            assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
            let told = json!({"error": "finding tools is not available in this deployment"});
            assert_eq!(reply.json(), told);
        } else {
            assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        }
    }
}

/// E13: without the model the words alone find tools.
#[tokio::test]
async fn e13_a_broken_model() {
    let gate = Gate::with_broken_model().await;
    super::publish(&gate, AGENT, &catalog()).await;
    let found = names(&gate.post(CONTEXT, turn()).await);
    assert!(found.contains(&"refund_invoice".to_owned()), "{found:?}");
}
