//! Do stateless answers name the snapshot they were made from, and how long they may be kept? (P14, X10)

use std::sync::Arc;

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, Reply, STYLES, Style, router};
use crate::deployment::{Deployment, OFFICER_KEY, Plan, Scripted, chat_tools, lab_tools};

const MODES: [(&str, Presentation); 5] = [
    ("direct", Presentation::Direct),
    ("discovery", Presentation::Discovery),
    ("unified", Presentation::Unified),
    ("recommend", Presentation::Recommend),
    ("progressive", Presentation::Progressive),
];

async fn deployment() -> (Deployment, Router, Arc<Scripted>) {
    let lab = Scripted::new(lab_tools());
    let mut plan = Plan::new().server("lab", &lab).restrict("lab.secret", "officer");
    for (name, presentation) in MODES {
        plan = plan.gateway(name, presentation, &["*"]);
    }
    let deployment = plan.start().await;
    let router = router(&deployment);
    (deployment, router, lab)
}

fn snapshot(reply: &Reply) -> Value {
    reply.result()["_meta"]["handpick/snapshot"].clone()
}

/// P14, P10: the snapshot stays while the caller sees the same, and changes with the tools, the mode and the roles.
#[tokio::test]
async fn p14_lists_name_their_snapshot() {
    let (deployment, router, lab) = deployment().await;
    let mut seen = Vec::new();
    for (gateway, _) in MODES {
        let agent = Agent::open(&router, gateway, Style::Modern).await;
        let list = agent.ask("tools/list", json!({})).await;
        let named = snapshot(&list);
        assert!(
            named.as_str().is_some_and(|name| name.len() >= 16),
            "{gateway}: {named}"
        );
        assert_eq!(list.result()["ttlMs"], 60_000);
        assert_eq!(list.result()["cacheScope"], "private");
        assert_eq!(snapshot(&agent.ask("tools/list", json!({})).await), named);
        let officer = Agent::open_as(&router, gateway, Style::Modern, OFFICER_KEY).await;
        let theirs = snapshot(&officer.ask("tools/list", json!({})).await);
        assert_ne!(theirs, named, "{gateway}: officers see one tool more");
        seen.extend([named, theirs]);
    }
    let mut tools = lab_tools();
    tools[0]["description"] = json!("Say something else.");
    lab.set_tools(tools);
    deployment.refresh("lab").await;
    for (gateway, _) in MODES {
        let agent = Agent::open(&router, gateway, Style::Modern).await;
        seen.push(snapshot(&agent.ask("tools/list", json!({})).await));
    }
    let mut different: Vec<&str> = seen.iter().map(|name| name.as_str().unwrap()).collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 15);
    lab.set_tools(chat_tools());
}

/// P14: whatever finds tools says where; a tool's own result is not touched, nor is anything of a legacy client.
#[tokio::test]
async fn p14_findings_name_their_snapshot() {
    let (_deployment, router, _) = deployment().await;
    for (gateway, tool, arguments) in [
        ("discovery", "discover_tools", json!({"query": "say words"})),
        ("discovery", "get_tool_schema", json!({"tool_name": "lab.echo"})),
        ("recommend", "Arcade_SelectTools", json!({"tasks": ["say words"]})),
        ("progressive", "arc_search_tools", json!({"query": "say words"})),
        ("progressive", "arc_describe_tool", json!({"name": "lab_echo"})),
    ] {
        for style in STYLES {
            let agent = Agent::open(&router, gateway, style).await;
            let found = agent.call(tool, arguments.clone()).await;
            assert_eq!(found.result()["isError"], false, "{tool}: {found:?}");
            let list = agent.ask("tools/list", json!({})).await;
            assert_eq!(snapshot(&found), snapshot(&list), "{tool} {style:?}");
            assert_eq!(snapshot(&found).is_string(), style == Style::Modern);
            for cached in ["ttlMs", "cacheScope"] {
                assert_eq!(list.result().get(cached).is_some(), style == Style::Modern);
            }
        }
    }
    for (gateway, tool, arguments) in [
        ("direct", "lab_echo", json!({})),
        ("discovery", "execute_tool", json!({"tool_name": "lab.echo"})),
        ("recommend", "Arcade_UseTool", json!({"tool_name": "lab.echo"})),
        ("progressive", "arc_call_tool", json!({"name": "lab_echo"})),
    ] {
        let agent = Agent::open(&router, gateway, Style::Modern).await;
        let ran = agent.call(tool, arguments).await.result();
        assert!(ran.get("_meta").is_none(), "{tool}: {ran}");
    }
}
