//! What does the gateway say of itself, and how do its lists look as a whole?

use handpick_domain::Presentation;
use serde_json::json;

use crate::agent::{Agent, Style, router};
use crate::deployment::{Plan, Scripted, gateway, lab_tools};

async fn deployment() -> crate::deployment::Deployment {
    let mut described = gateway("described", Presentation::Recommend, &["lab.*"]);
    described.instructions = Some("Everything about the lab.".to_owned());
    described.namespace = "Acme".to_owned();
    described.list_apps = true;
    Plan::new()
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("direct", Presentation::Direct, &["lab.strict", "lab.echo"])
        .gateway("discovery", Presentation::Discovery, &["lab.*"])
        .exact_gateway(described)
        .start()
        .await
}

/// A text without this program's version.
fn undated(text: &str) -> String {
    text.replace(
        concat!("\"version\":\"", env!("CARGO_PKG_VERSION"), "\""),
        "\"version\":\"[ours]\"",
    )
}

/// X10: `initialize` and `server/discover`, whole.
#[tokio::test]
async fn x10_greetings() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for gateway in ["direct", "discovery", "described"] {
        let agent = Agent::open(&router, gateway, Style::Sessionless).await;
        let reply = agent
            .ask("initialize", json!({"protocolVersion": "2025-06-18"}))
            .await;
        insta::assert_snapshot!(format!("initialize_{gateway}"), undated(&reply.text));
        let agent = Agent::open(&router, gateway, Style::Modern).await;
        let reply = agent.ask("server/discover", json!({})).await;
        insta::assert_snapshot!(format!("discover_{gateway}"), undated(&reply.text));
    }
}

/// A1, A2, P5, P11: `tools/list` in each mode and era, whole. Fields nobody knows survive.
#[tokio::test]
async fn p5_lists() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for gateway in ["direct", "discovery", "described"] {
        for (style, era) in [(Style::Sessionless, "legacy"), (Style::Modern, "modern")] {
            let agent = Agent::open(&router, gateway, style).await;
            let reply = agent.ask("tools/list", json!({})).await;
            insta::assert_snapshot!(format!("list_{gateway}_{era}"), reply.text);
        }
    }
}

/// X10: the revision that is asked for is spoken where it is known, else the newest with a handshake.
#[tokio::test]
async fn x10_versions_are_negotiated() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "direct", Style::Sessionless).await;
    for (requested, spoken) in [
        (json!("2025-11-25"), "2025-11-25"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2026-07-28"), "2025-11-25"),
        (json!("1999-01-01"), "2025-11-25"),
        (json!(5), "2025-11-25"),
        (json!(null), "2025-11-25"),
    ] {
        let result = agent
            .ask("initialize", json!({"protocolVersion": requested}))
            .await
            .result();
        assert_eq!(result["protocolVersion"], spoken, "{requested}");
    }
}

/// Every call of the protocol that is not served says so.
#[tokio::test]
async fn x11_what_is_not_served_says_so() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for method in [
        "resources/list",
        "prompts/list",
        "completion/complete",
        "logging/setLevel",
        "tools/lists",
    ] {
        for (style, status) in [
            (Style::Session, 200),
            (Style::Sessionless, 200),
            (Style::Modern, 404),
        ] {
            let agent = Agent::open(&router, "direct", style).await;
            let reply = agent.ask(method, json!({})).await;
            assert_eq!(
                reply.error(),
                (-32601, format!("method not found: {method}")),
                "{style:?}"
            );
            assert_eq!(reply.status, status, "{style:?}");
        }
    }
    let legacy = Agent::open(&router, "direct", Style::Session).await;
    assert_eq!(legacy.ask("ping", json!({})).await.result_text(), "{}");
}
