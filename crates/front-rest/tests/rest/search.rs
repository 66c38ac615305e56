//! What does a program get when it asks which tools match some words?

use axum::http::StatusCode;
use serde_json::json;

use crate::support::Gate;

const PATH: &str = "/v1/tools/search";

/// A49, A50: the whole body, shaped like suggestions, without a `query_id`.
#[tokio::test]
async fn a49_the_whole_answer() {
    let gate = Gate::open().await;
    let reply = gate
        .post(PATH, json!({"query": "closeTicket", "user_id": "u"}))
        .await;
    assert_eq!(reply.status, StatusCode::OK);
    insta::assert_json_snapshot!(reply.json());
}

/// A49, A51: no shared word, no hit.
#[tokio::test]
async fn a51_no_hits() {
    let gate = Gate::open().await;
    let reply = gate.post(PATH, json!({"query": "zzyzx", "user_id": "u"})).await;
    assert_eq!(
        (reply.status, reply.text.as_str()),
        (StatusCode::OK, r#"{"results":[]}"#)
    );
}

/// A50, A44: `top_k` and the gateway narrow; above 50 is 50.
#[tokio::test]
async fn a50_narrowed() {
    let gate = Gate::open().await;
    for (body, expected) in [
        (json!({"query": "ticket answer", "user_id": "u", "top_k": 1}), 1),
        (json!({"query": "ticket answer", "user_id": "u", "top_k": 51}), 6),
        (
            json!({"query": "ticket answer", "user_id": "u", "top_k": null}),
            6,
        ),
        (
            json!({"query": "ticket answer", "user_id": "u", "gateway_id": "plain"}),
            1,
        ),
        (
            json!({"query": "ticket answer", "user_id": "u", "gateway_id": "nothing"}),
            0,
        ),
    ] {
        let reply = gate.post(PATH, &body).await.json();
        assert_eq!(reply["results"].as_array().unwrap().len(), expected, "{body}");
    }
}
