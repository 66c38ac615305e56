//! What does a program get when it asks which tools fit its tasks?

use axum::http::{StatusCode, header};
use handpick_store::SelectionSource;
use serde_json::{Value, json};

use crate::support::{Gate, READ};

const PATH: &str = "/v1/tools/select";

fn names(suggestions: &Value) -> Vec<&str> {
    let list = suggestions.as_array().unwrap();
    list.iter()
        .map(|tool| tool["tool_name"].as_str().unwrap())
        .collect()
}

/// A42, A45, A46, A48: the whole body, one entry per task in the order sent, no `empty_reason`.
#[tokio::test]
async fn a42_the_whole_answer() {
    let gate = Gate::open().await;
    let body = json!({
        "tasks": ["open a new ticket", "zzyzx qwertz", "close a solved ticket"],
        "context": "the queue is long", "user_id": "u-1", "gateway_id": "support", "top_k": 1, "unknown": [1]
    });
    let reply = gate.post(PATH, &body).await;
    assert_eq!(reply.status, StatusCode::OK);
    insta::assert_json_snapshot!(reply.json(), {".query_id" => "[uuid]"});
}

/// A42, E10, E14: equal tasks are each answered, and equal requests equally, under a new `query_id`.
#[tokio::test]
async fn a42_equal_tasks_and_equal_requests() {
    let gate = Gate::open().await;
    let body = json!({"tasks": ["close ticket", "close ticket"], "user_id": "u"});
    let (first, second) = (
        gate.post(PATH, &body).await.json(),
        gate.post(PATH, &body).await.json(),
    );
    assert_eq!(first["results"][0], first["results"][1]);
    assert_eq!(first["results"], second["results"]);
    assert_ne!(first["query_id"], second["query_id"]);
    assert_eq!(first["query_id"].as_str().unwrap().len(), 36);
}

/// A43: 5 when absent, as many as asked, 20 at most. The catalog of these tests has fewer than 20 tools.
#[tokio::test]
async fn a43_top_k() {
    let gate = Gate::open().await;
    let everything = "answer a ticket";
    let all = gate
        .post(PATH, json!({"tasks": [everything], "user_id": "u", "top_k": 20}))
        .await
        .json();
    let all = names(&all["results"][0]["suggestions"]).len();
    assert!(all > 5, "{all}");
    for (top_k, expected) in [
        (Value::Null, 5),
        (json!(1), 1),
        (json!(3.0), 3),
        (json!(21), all),
        (json!(1e30), all),
    ] {
        let body = json!({"tasks": [everything], "user_id": "u", "top_k": top_k});
        let reply = gate.post(PATH, &body).await;
        assert_eq!(reply.status, StatusCode::OK, "{top_k}");
        assert_eq!(
            names(&reply.json()["results"][0]["suggestions"]).len(),
            expected,
            "{top_k}"
        );
    }
}

/// A39, A44, A46: a gateway narrows whatever its presentation is, also to nothing; without one the whole
/// project is searched, less what access rules hide (E11).
#[tokio::test]
async fn a44_gateways() {
    let gate = Gate::open().await;
    for (gateway, expected) in [
        (json!("support"), vec!["desk.close_ticket", "desk.create_ticket"]),
        (json!("plain"), vec!["desk.create_ticket"]),
        (json!("nothing"), vec![]),
        (Value::Null, vec!["desk.close_ticket", "desk.create_ticket"]),
    ] {
        let body = json!({"tasks": ["ticket"], "user_id": "u", "gateway_id": gateway});
        let reply = gate.post_with(READ, PATH, body.to_string()).await.json();
        let mut found = names(&reply["results"][0]["suggestions"]);
        found.sort_unstable();
        assert_eq!(found, expected, "{gateway}");
    }
    let body = json!({"tasks": ["answer officers alone"], "user_id": "u", "top_k": 20});
    let reply = gate.post(PATH, &body).await.json();
    assert!(!names(&reply["results"][0]["suggestions"]).contains(&"odd.secret"));
}

/// `explain` adds a score and its reasons, and nothing else changes.
#[tokio::test]
async fn explanations_on_request() {
    let gate = Gate::open().await;
    let mut body = json!({"tasks": ["close a ticket"], "user_id": "u", "top_k": 2});
    let plain = gate.post(PATH, &body).await.json();
    body["explain"] = json!(true);
    let explained = gate.post(PATH, &body).await.json();
    let list = explained["results"][0]["suggestions"].as_array().unwrap();
    for tool in list {
        let (score, explanation) = (tool["score"].as_f64().unwrap(), &tool["explanation"]);
        assert!((0.0..=1.0).contains(&score));
        let sum = |list: &str| -> f64 {
            let list = explanation[list].as_array().unwrap();
            list.iter().map(|entry| entry["share"].as_f64().unwrap()).sum()
        };
        let log_odds = explanation["base"].as_f64().unwrap() + sum("shares");
        assert!((1.0 / (1.0 + (-log_odds).exp()) - score).abs() < 0.005, "{tool}");
        assert!((sum("shares") - sum("evidence")).abs() < 0.05, "{tool}");
        assert!(
            explanation["in_words"].as_str().unwrap().contains("`ticket`"),
            "{tool}"
        );
    }
    let mut stripped = list.clone();
    for tool in &mut stripped {
        for added in ["score", "explanation"] {
            tool.as_object_mut().unwrap().shift_remove(added);
        }
    }
    assert_eq!(plain["results"][0]["suggestions"], json!(stripped));
}

/// E16, E17: long, foreign and odd texts are ordinary tasks.
#[tokio::test]
async fn e16_e17_odd_texts() {
    let gate = Gate::open().await;
    let long = "ticket ".repeat(20_000);
    for task in [
        long.as_str(),
        "🦀🦀",
        "チケットを閉じる",
        "افتح تذكرة",
        "nul \u{0} ticket",
        "\u{202e}x",
    ] {
        let reply = gate.post(PATH, json!({"tasks": [task], "user_id": "u"})).await;
        assert_eq!(reply.status, StatusCode::OK);
        assert_eq!(reply.json()["results"][0]["task"], task);
    }
}

/// A47, E13: a task that no word answers, while the model is down, fails the whole request; it may be
/// repeated. A request whose every task words can answer is answered.
#[tokio::test]
async fn a47_a_broken_model() {
    let gate = Gate::with_broken_model().await;
    let answered = gate
        .post(PATH, json!({"tasks": ["close ticket"], "user_id": "u"}))
        .await;
    assert_eq!(answered.status, StatusCode::OK);
    let body = json!({"tasks": ["close ticket", "zzyzx"], "user_id": "u"});
    let failed = gate.post(PATH, &body).await;
    assert_eq!(failed.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(failed.headers[header::RETRY_AFTER], "1");
    assert_eq!(failed.json()["name"], "service_unavailable");
    assert!(failed.json()["message"].as_str().unwrap().contains("retry"));
}

/// A15: what was asked and answered is recorded under the `query_id`, for this user.
#[tokio::test]
async fn a15_recorded() {
    let gate = Gate::open().await;
    let body = json!({"tasks": ["close ticket"], "user_id": "u-1", "gateway_id": "support"});
    let reply = gate.post(PATH, &body).await.json();
    gate.runtime.recorder.flush().await;
    let recorded = gate.runtime.store.selections_recent(1).await.unwrap().remove(0);
    assert_eq!(reply["query_id"], recorded.query_id);
    assert_eq!(recorded.user_id.as_deref(), Some("u-1"));
    assert_eq!(recorded.gateway.as_deref(), Some("support"));
    assert_eq!(recorded.source, SelectionSource::Select);
}
