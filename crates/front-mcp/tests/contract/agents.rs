//! Is an agent of the context API an endpoint like any gateway, and does a changed presentation keep out of open
//! sessions? (P10, P14, C13, C20)

use axum::http::StatusCode;
use handpick_domain::{AgentId, AgentTool, Autonomy, Presentation};
use handpick_operations::agents::delete_agent::delete_agent;
use handpick_operations::agents::publish_catalog::publish_catalog;
use handpick_operations::gateways::set_presentation;
use handpick_store::{Edit, PresentationEdit, Presented};
use serde_json::json;

use crate::agent::{Agent, STYLES, Style, post, router, send};
use crate::deployment::{Deployment, KEY, OFFICER_KEY, Plan, Scripted, chat_tools};
use crate::pipe::Pipe;

async fn deployment() -> Deployment {
    Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("all", Presentation::Direct, &["*"])
        .start()
        .await
}

/// Publishes tools, each with the role it needs, if any.
async fn publish(deployment: &Deployment, agent: &str, tools: &[(&str, Option<&str>)]) {
    let published = tools.iter().map(|(name, role)| AgentTool {
        name: (*name).into(),
        description: "Do it.".to_owned(),
        required_roles: role.iter().map(|&role| role.to_owned()).collect(),
        ..AgentTool::default()
    });
    let json: Vec<_> = tools
        .iter()
        .map(|(name, role)| {
            let roles: Vec<_> = role.iter().collect();
            json!({"name": name, "description": "Do it.", "requiredRoles": roles})
        })
        .collect();
    let id = AgentId::parse(agent).unwrap();
    let json = json!({"tools": json}).to_string();
    publish_catalog(&deployment.runtime, &id, published.collect(), json)
        .await
        .unwrap();
}

async fn set(deployment: &Deployment, presented: Presented, edit: PresentationEdit) {
    set_presentation(&deployment.runtime, presented, edit)
        .await
        .unwrap();
}

fn mode(presentation: Presentation) -> PresentationEdit {
    PresentationEdit {
        mode: Edit::To(presentation),
        ..PresentationEdit::default()
    }
}

/// C13, C20: its tools are listed and run over HTTP in both eras and over stdio; roles hold; nothing else is there.
#[tokio::test]
async fn c13_an_agent_is_an_endpoint() {
    let deployment = deployment().await;
    let tools = [
        ("chat_list_channels", None),
        ("chat.delete_message", Some("officer")),
        ("elsewhere", None),
    ];
    publish(&deployment, "acme", &tools).await;
    let router = router(&deployment);
    for style in STYLES {
        let agent = Agent::open_as(&router, "acme", style, KEY).await;
        assert_eq!(agent.names().await, ["chat_list_channels"], "{style:?}");
        let ran = agent.call("chat_list_channels", json!({})).await.result();
        assert_eq!(ran["content"][0]["text"], "list_channels");
        for name in ["chat_delete_message", "chat_send_message", "elsewhere"] {
            assert_eq!(
                agent.call(name, json!({})).await.error().0,
                -32602,
                "{style:?} {name}"
            );
        }
        let officer = Agent::open_as(&router, "acme", style, OFFICER_KEY).await;
        assert_eq!(
            officer.names().await,
            ["chat_delete_message", "chat_list_channels"]
        );
        officer.call("chat_delete_message", json!({})).await.result();
    }
    let mut pipe = Pipe::open(&deployment, "acme");
    pipe.send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))
        .await;
    let listed = pipe.message().await;
    assert_eq!(listed["result"]["tools"][0]["name"], "chat_list_channels");

    for unknown in ["nobody", "a%20b"] {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
        let reply = send(&router, post(&format!("/mcp/{unknown}"), &[], body)).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{unknown}");
    }
}

/// P10, P14: what is changed of an agent or gateway counts from the next session on; what is published or deleted counts
/// at once for what may run.
#[tokio::test]
async fn p10_open_sessions_keep_their_presentation() {
    let deployment = deployment().await;
    let all: Vec<(&str, Option<&str>)> = vec![("chat_list_channels", None), ("chat_send_message", None)];
    publish(&deployment, "acme", &all).await;
    let router = router(&deployment);
    for (name, presented) in [
        ("acme", Presented::Agent("acme".to_owned())),
        ("all", Presented::Gateway("all".to_owned())),
    ] {
        let old = Agent::open(&router, name, Style::Session).await;
        let before = old.names().await;
        set(&deployment, presented.clone(), mode(Presentation::Recommend)).await;
        assert_eq!(old.names().await, before, "{name}");
        old.call("chat_send_message", json!({})).await.result();
        for style in STYLES {
            let new = Agent::open(&router, name, style).await;
            let names = new.names().await;
            assert_eq!(
                names,
                ["Arcade_SelectTools", "Arcade_UseTool"],
                "{name} {style:?}"
            );
        }
        let read_only = PresentationEdit {
            autonomy: Edit::To(Autonomy::ReadOnly),
            ..PresentationEdit::default()
        };
        set(&deployment, presented, read_only).await;
        let refused = old.call("chat_send_message", json!({})).await.failure();
        assert!(refused.contains("read-only"), "P4: at once: {refused}");
    }
    let session = Agent::open(&router, "acme", Style::Session).await;
    publish(&deployment, "acme", &all[..1]).await;
    let used = json!({"tool_name": "chat_send_message"});
    let refused = session.call("Arcade_UseTool", used).await.failure();
    assert!(refused.starts_with("tool not found"), "{refused}");
    delete_agent(&deployment.runtime, &AgentId::parse("acme").unwrap())
        .await
        .unwrap();
    let gone = session.ask("tools/list", json!({})).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
}
