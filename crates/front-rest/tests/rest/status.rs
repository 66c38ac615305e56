//! What does a program get when it asks how the gateway is doing?

use axum::body::Body;
use axum::http::{Method, StatusCode};

use crate::support::{EXECUTE, Gate, READ, request};

#[tokio::test]
async fn health_needs_no_key() {
    let gate = Gate::open().await;
    let reply = gate
        .send(request(Method::GET, "/v1/health", None, Body::empty()))
        .await;
    assert_eq!(
        (reply.status, reply.text.as_str()),
        (StatusCode::OK, r#"{"healthy":true}"#)
    );
}

#[tokio::test]
async fn status_tells_of_every_part() {
    let gate = Gate::open().await;
    let reply = gate.get("/v1/status").await;
    assert_eq!(reply.status, StatusCode::OK);
    insta::assert_json_snapshot!(reply.json(), {
        ".version" => "[version]",
        ".servers[].fetched_at" => "[time]",
    });
    assert_eq!(
        Gate::without_selection().await.get("/v1/status").await.json()["indexing"],
        serde_json::Value::Null
    );
}

/// C4: the scope is `read`.
#[tokio::test]
async fn c4_status_needs_read() {
    let gate = Gate::open().await;
    for (key, status) in [
        (None, StatusCode::UNAUTHORIZED),
        (Some(EXECUTE), StatusCode::FORBIDDEN),
        (Some(READ), StatusCode::OK),
    ] {
        let reply = gate
            .send(request(Method::GET, "/v1/status", key, Body::empty()))
            .await;
        assert_eq!(reply.status, status, "{key:?}");
    }
}
