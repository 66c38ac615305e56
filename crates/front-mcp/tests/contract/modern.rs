//! What does 2026-07-28 ask of each request? (X10)

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Reply, modern_meta, post, router, send};
use crate::deployment::{Deployment, Plan, Scripted, lab_tools};

async fn deployment() -> (Deployment, Router) {
    let deployment = Plan::new()
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("lab", Presentation::Direct, &["lab.*"])
        .start()
        .await;
    let router = router(&deployment);
    (deployment, router)
}

async fn ask(router: &Router, headers: &[(&str, &str)], method: &str, params: Value) -> Reply {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    send(router, post("/mcp/lab", headers, body)).await
}

const VERSION: (&str, &str) = ("mcp-protocol-version", "2026-07-28");

/// Headers that contradict the body, or are missing.
#[tokio::test]
async fn x10_header_mismatch() {
    let (deployment, router) = deployment().await;
    let list = json!({"_meta": modern_meta()});
    let call = json!({"name": "lab_echo", "_meta": modern_meta()});
    for (headers, method, params) in [
        (vec![], "tools/list", &list),
        (vec![("mcp-method", "tools/list")], "tools/list", &list),
        (vec![VERSION], "tools/list", &list),
        (vec![VERSION, ("mcp-method", "tools/call")], "tools/list", &list),
        (vec![VERSION, ("mcp-method", "TOOLS/LIST")], "tools/list", &list),
        (
            vec![
                ("mcp-protocol-version", "2025-11-25"),
                ("mcp-method", "tools/list"),
            ],
            "tools/list",
            &list,
        ),
        (
            vec![
                ("mcp-protocol-version", "2099-01-01"),
                ("mcp-method", "tools/list"),
            ],
            "tools/list",
            &list,
        ),
        (vec![VERSION, ("mcp-method", "tools/call")], "tools/call", &call),
        (
            vec![VERSION, ("mcp-method", "tools/call"), ("mcp-name", "lab_fail")],
            "tools/call",
            &call,
        ),
        (
            vec![VERSION, ("mcp-method", "tools/call"), ("mcp-name", "LAB_ECHO")],
            "tools/call",
            &call,
        ),
        (
            vec![
                VERSION,
                ("mcp-method", "tools/call"),
                ("mcp-name", "=?base64?*?="),
            ],
            "tools/call",
            &call,
        ),
    ] {
        let reply = ask(&router, &headers, method, params.clone()).await;
        assert_eq!(
            (reply.status.as_u16(), reply.error().0),
            (400, -32020),
            "{headers:?}: {reply:?}"
        );
        assert_eq!(reply.json()["id"], 1);
    }
    for name in ["lab_echo", "=?base64?bGFiX2VjaG8=?="] {
        let headers = [VERSION, ("mcp-method", "tools/call"), ("mcp-name", name)];
        assert_eq!(
            ask(&router, &headers, "tools/call", call.clone()).await.status,
            200,
            "{name}"
        );
    }
    assert_eq!(
        deployment.outcomes().await.len(),
        2,
        "what contradicts itself does not run"
    );
}

/// Metadata that is missing or incomplete.
#[tokio::test]
async fn x10_missing_metadata() {
    let (_deployment, router) = deployment().await;
    let mut incomplete = modern_meta();
    incomplete
        .as_object_mut()
        .unwrap()
        .remove("io.modelcontextprotocol/clientCapabilities");
    let mut odd = modern_meta();
    odd["io.modelcontextprotocol/clientCapabilities"] = json!([]);
    let mut numeric = modern_meta();
    numeric["io.modelcontextprotocol/protocolVersion"] = json!(2026);
    for method in ["tools/list", "server/discover", "subscriptions/listen"] {
        for params in [
            json!({}),
            json!({"_meta": {}}),
            json!({"_meta": null}),
            json!({"_meta": "2026-07-28"}),
            json!({"_meta": [modern_meta()]}),
            json!({"_meta": incomplete}),
            json!({"_meta": odd}),
            json!({"_meta": numeric}),
        ] {
            let headers = [VERSION, ("mcp-method", method)];
            let reply = ask(&router, &headers, method, params.clone()).await;
            assert_eq!(
                (reply.status.as_u16(), reply.error().0),
                (400, -32602),
                "{method} {params}: {reply:?}"
            );
        }
    }
    let reply = ask(&router, &[], "server/discover", json!({})).await;
    assert_eq!(
        (reply.status.as_u16(), reply.error().0),
        (400, -32602),
        "whatever its headers"
    );
}

/// Revisions nobody here speaks, of either era.
#[tokio::test]
async fn x10_unsupported_versions() {
    let (_deployment, router) = deployment().await;
    let mut future = modern_meta();
    future["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let headers = [
        ("mcp-protocol-version", "2099-01-01"),
        ("mcp-method", "tools/list"),
    ];
    let modern = ask(&router, &headers, "tools/list", json!({"_meta": future})).await;
    let legacy = ask(&router, &headers[..1], "tools/list", json!({})).await;
    for reply in [modern, legacy] {
        assert_eq!(
            (reply.status.as_u16(), reply.error().0),
            (400, -32022),
            "{reply:?}"
        );
        assert_eq!(
            reply.json()["error"]["data"],
            json!({
                "supported": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
                "requested": "2099-01-01"
            })
        );
    }
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let reply = ask(
            &router,
            &[("mcp-protocol-version", version)],
            "tools/list",
            json!({}),
        )
        .await;
        assert_eq!(reply.status, 200, "{version}");
    }
    for version in ["2025-11-26", "1", "2025-11-25, 2025-06-18"] {
        let reply = ask(
            &router,
            &[("mcp-protocol-version", version)],
            "tools/list",
            json!({}),
        )
        .await;
        assert_eq!(reply.status, 400, "{version}");
    }
    let reply = ask(&router, &[], "tools/list", json!({})).await;
    assert_eq!(reply.status, 200, "an old client sends no header");
}

/// Lists say how long they may be kept and by whom; results say that they are complete.
#[tokio::test]
async fn x10_cache_hints() {
    let (_deployment, router) = deployment().await;
    for method in ["tools/list", "server/discover"] {
        let headers = [VERSION, ("mcp-method", method)];
        let result = ask(&router, &headers, method, json!({"_meta": modern_meta()}))
            .await
            .result();
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["cacheScope"], "private");
        assert!(result["ttlMs"].is_u64(), "{result}");
    }
    let legacy = ask(&router, &[], "tools/list", json!({})).await.result();
    for member in ["resultType", "ttlMs", "cacheScope"] {
        assert!(legacy.get(member).is_none(), "{member}");
    }
}

/// A stateless request ignores a session it was not asked to have, and gives none.
#[tokio::test]
async fn x10_no_sessions() {
    let (_deployment, router) = deployment().await;
    let headers = [
        VERSION,
        ("mcp-method", "tools/list"),
        ("mcp-session-id", "made-up"),
    ];
    let reply = ask(&router, &headers, "tools/list", json!({"_meta": modern_meta()})).await;
    assert_eq!(reply.status, 200);
    assert!(reply.header("mcp-session-id").is_none());
}

/// What belongs to the other era is not answered in this one.
#[tokio::test]
async fn x10_the_other_era() {
    let (_deployment, router) = deployment().await;
    let headers = [VERSION, ("mcp-method", "ping")];
    let reply = ask(&router, &headers, "ping", json!({"_meta": modern_meta()})).await;
    assert_eq!(
        (reply.status.as_u16(), reply.error().0),
        (404, -32601),
        "removed in this revision"
    );
    for method in ["subscriptions/listen", "notifications/initialized"] {
        let reply = ask(&router, &[], method, json!({})).await;
        assert_eq!(
            (reply.status.as_u16(), reply.error().0),
            (200, -32601),
            "{method}"
        );
    }
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let reply = send(&router, post("/mcp/lab", &[VERSION], answer)).await;
    assert_eq!(
        (reply.status.as_u16(), reply.error().0),
        (400, -32600),
        "no responses are awaited"
    );
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    assert_eq!(
        send(&router, post("/mcp/lab", &[VERSION], notification))
            .await
            .status,
        202
    );
}

/// `initialize` opens a session whatever else a client says.
#[tokio::test]
async fn x10_initialize_is_always_legacy() {
    let (_deployment, router) = deployment().await;
    let params = json!({"protocolVersion": "2026-07-28", "_meta": modern_meta()});
    let reply = ask(&router, &[], "initialize", params).await;
    assert_eq!(reply.result()["protocolVersion"], "2025-11-25");
    assert!(reply.header("mcp-session-id").is_some());
}
