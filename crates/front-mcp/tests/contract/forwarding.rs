//! What of a call reaches the tool's server, and what stays here?

use std::sync::Arc;

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, STYLES, Style, post, router, send};
use crate::deployment::{Deployment, Plan, Scripted, lab_tools};

async fn deployment() -> (Deployment, Router, Arc<Scripted>) {
    let lab = Scripted::new(lab_tools());
    let deployment = Plan::new()
        .server("lab", &lab)
        .gateway("direct", Presentation::Direct, &["lab.*"])
        .gateway("discovery", Presentation::Discovery, &["lab.*"])
        .gateway("recommend", Presentation::Recommend, &["lab.*"])
        .start()
        .await;
    let router = router(&deployment);
    (deployment, router, lab)
}

fn params(gateway: &str, tool: &str, arguments: &Value, meta: &Value) -> Value {
    let (name, arguments) = match gateway {
        "direct" => (tool, arguments.clone()),
        "discovery" => (
            "execute_tool",
            json!({"tool_name": tool, "parameters": arguments}),
        ),
        _ => ("Arcade_UseTool", json!({"tool_name": tool, "inputs": arguments})),
    };
    json!({"name": name, "arguments": arguments, "_meta": meta})
}

/// `_meta` goes along, without the progress token and the members of this hop.
#[tokio::test]
async fn metadata_is_forwarded() {
    let (_deployment, router, lab) = deployment().await;
    for gateway in ["direct", "discovery", "recommend"] {
        for style in STYLES {
            let agent = Agent::open(&router, gateway, style).await;
            let meta = json!({
                "progressToken": 7,
                "traceparent": "00-1",
                "vendor.example/k": {"a": [1.50, null]},
                "io.modelcontextprotocol/relatedTask": {"taskId": "t"},
            });
            let ask = agent.ask("tools/call", params(gateway, "lab.echo", &json!({"x": 1}), &meta));
            assert_eq!(ask.await.status, 200);
            let expected = json!({
                "name": "echo",
                "arguments": {"x": 1},
                "_meta": {"traceparent": "00-1", "vendor.example/k": {"a": [1.50, null]}}
            });
            assert_eq!(lab.last_params(), expected, "{gateway} {style:?}");
            for meta in [json!({}), json!({"progressToken": "t"}), json!(null)] {
                if style == Style::Modern && meta.is_null() {
                    continue;
                }
                agent
                    .ask("tools/call", params(gateway, "lab.echo", &json!({}), &meta))
                    .await;
                assert_eq!(lab.last_params(), json!({"name": "echo", "arguments": {}}));
            }
        }
    }
}

/// Arguments arrive byte for byte, on every path.
#[tokio::test]
async fn a26_arguments_keep_their_spelling() {
    let (_deployment, router, lab) = deployment().await;
    let arguments = r#"{ "z" : 1.0e2, "a":"\u00e9\/é", "n":12345678901234567890123, "d":1, "d":2 }"#;
    for (name, call) in [
        (
            "direct",
            format!(r#"{{"name":"lab_echo","arguments":{arguments}}}"#),
        ),
        (
            "discovery",
            format!(
                r#"{{"name":"execute_tool","arguments":{{"tool_name":"lab_echo","parameters":{arguments}}}}}"#
            ),
        ),
        (
            "recommend",
            format!(
                r#"{{"name":"Arcade_UseTool","arguments":{{"inputs":{arguments},"tool_name":"lab.echo"}}}}"#
            ),
        ),
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{call}}}"#);
        let reply = send(&router, post(&format!("/mcp/{name}"), &[], body)).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let (_, params) = lab.calls().pop().unwrap();
        assert!(params.contains(arguments), "{name}: {params}");
    }
}

/// Arguments that models write as a string are read as the object they hold; nothing is dropped.
#[tokio::test]
async fn stringified_arguments_are_read() {
    let (deployment, router, lab) = deployment().await;
    let text = json!({"guests": 2, "note": "a \"quoted\" word"});
    for gateway in ["direct", "discovery", "recommend"] {
        for style in STYLES {
            let agent = Agent::open(&router, gateway, style).await;
            for arguments in [json!(text.to_string()), json!(format!("  {text}\n"))] {
                let reply = agent
                    .ask(
                        "tools/call",
                        params(gateway, "lab.strict", &arguments, &json!({})),
                    )
                    .await;
                assert_eq!(reply.result()["structuredContent"], text, "{gateway} {style:?}");
            }
            for broken in [
                json!("{\"guests\": 2"),
                json!("guests=2"),
                json!("[1]"),
                json!(7),
                json!([]),
            ] {
                let reply = agent
                    .ask("tools/call", params(gateway, "lab.strict", &broken, &json!({})))
                    .await;
                assert!(
                    reply.failure().starts_with("invalid arguments: `"),
                    "{}",
                    reply.failure()
                );
            }
        }
    }
    // The whole of a meta-tool's arguments may be such a string, too.
    let agent = Agent::open(&router, "recommend", Style::Session).await;
    let whole = json!({"tool_name": "lab.echo", "inputs": {"a": 1}}).to_string();
    let result = agent.call("Arcade_UseTool", json!(whole)).await.result();
    assert_eq!(result["structuredContent"], json!({"a": 1}));
    drop((deployment, lab));
}

/// Absent and null arguments are an empty object.
#[tokio::test]
async fn absent_arguments_are_empty() {
    let (_deployment, router, lab) = deployment().await;
    let agent = Agent::open(&router, "direct", Style::Session).await;
    for params in [
        json!({"name": "lab_echo"}),
        json!({"name": "lab_echo", "arguments": null}),
    ] {
        agent.ask("tools/call", params).await;
        assert_eq!(lab.last_params(), json!({"name": "echo", "arguments": {}}));
    }
    let missing = agent.ask("tools/call", json!({"name": "lab_strict"})).await;
    assert_eq!(
        missing.failure(),
        "invalid arguments for lab.strict: \"guests\" is a required property"
    );
}

/// A tool whose own schema is broken is called with whatever came; its neighbours are checked.
#[tokio::test]
async fn a_broken_schema_checks_nothing() {
    let mut tools = lab_tools();
    tools.push(json!({"name": "odd", "inputSchema": {"type": 5, "properties": {"a": {"pattern": "("}}}}));
    let lab = Scripted::new(tools);
    let deployment = Plan::new()
        .server("lab", &lab)
        .gateway("direct", Presentation::Direct, &["lab.*"])
        .start()
        .await;
    let agent = Agent::open(&router(&deployment), "direct", Style::Modern).await;
    assert_eq!(
        agent.call("lab_odd", json!({"a": [1]})).await.result()["structuredContent"],
        json!({"a": [1]})
    );
    assert!(
        agent
            .call("lab_strict", json!({}))
            .await
            .failure()
            .contains("guests")
    );
}

/// A schema that changes upstream is the one that counts.
#[tokio::test]
async fn a_changed_schema_counts_at_once() {
    let (deployment, router, lab) = deployment().await;
    let agent = Agent::open(&router, "direct", Style::Modern).await;
    assert_eq!(
        agent.call("lab_echo", json!({})).await.result()["isError"],
        json!(null)
    );
    let mut tools = lab_tools();
    tools[0]["inputSchema"] = json!({"type": "object", "required": ["now"]});
    lab.set_tools(tools);
    deployment.refresh("lab").await;
    assert!(agent.call("lab_echo", json!({})).await.failure().contains("now"));
}
