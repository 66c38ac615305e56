//! Do six presentations, two eras and two transports come to the same verdict and the same result? (P24, P25, R16, A26)

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, Reply, STYLES, Style, modern_meta, router};
use crate::deployment::{Deployment, KEY, Plan, Scripted, fillers, tool};
use crate::pipe::Pipe;

/// The gateways, one for each presentation; `adaptive` twice, since it comes to one of two modes.
const GATEWAYS: [(&str, Presentation, &[&str]); 7] = [
    ("direct", Presentation::Direct, ALL),
    ("discovery", Presentation::Discovery, ALL),
    ("unified", Presentation::Unified, ALL),
    ("few", Presentation::Adaptive, &["crm.*"]),
    ("many", Presentation::Adaptive, ALL),
    ("recommend", Presentation::Recommend, ALL),
    ("progressive", Presentation::Progressive, ALL),
];
const ALL: &[&str] = &["crm.*", "bulk.*"];

/// One action, in words and as a call.
struct Action {
    words: &'static str,
    tool: &'static str,
    arguments: Value,
}

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// The tool ran; its structured result.
    Ran(Value),
    /// Nothing ran.
    Refused,
}

fn actions() -> [(Action, bool); 3] {
    let person = json!({"name": "Dana Whitfield", "email": "dana@whitfield.example"});
    [
        (
            Action {
                words: "Create a contact in the CRM named Dana Whitfield, dana@whitfield.example",
                tool: "crm_create_contact",
                arguments: person.clone(),
            },
            true,
        ),
        (
            // Only officers may.
            Action {
                words: "Erase the contact archive of the CRM, archive_id arc_7",
                tool: "crm_erase_archive",
                arguments: json!({"archive_id": "arc_7"}),
            },
            false,
        ),
        (
            Action {
                words: "Launch the rocket from pad_3 into orbit",
                tool: "crm_launch_rocket",
                arguments: json!({"pad_id": "pad_3"}),
            },
            false,
        ),
    ]
}

async fn deployment(crm: &std::sync::Arc<Scripted>) -> Deployment {
    let plan = Plan::new()
        .server("crm", crm)
        .server("bulk", &Scripted::new(fillers(40)))
        .restrict("crm.erase_archive", "officer");
    let plan = GATEWAYS
        .into_iter()
        .fold(plan, |plan, (name, presentation, allow)| {
            plan.gateway(name, presentation, allow)
        });
    plan.start().await
}

fn crm() -> std::sync::Arc<Scripted> {
    let text =
        |key: &str| json!({"type": "object", "properties": {key: {"type": "string"}}, "required": [key]});
    let mut erase = tool("erase_archive", "Erase the contact archive of the CRM.");
    erase["inputSchema"] = text("archive_id");
    let create = json!({
        "name": "create_contact",
        "description": "Create a contact in the CRM.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Full name of the person"},
                "email": {"type": "string", "format": "email", "description": "Where they are written to"}
            },
            "required": ["name", "email"]
        },
        "annotations": {"readOnlyHint": false, "destructiveHint": false}
    });
    Scripted::new(vec![create, erase])
}

/// The call an agent makes for this action on this gateway.
fn asked(gateway: &str, action: &Action) -> Value {
    let (tool, arguments) = (action.tool, &action.arguments);
    match gateway {
        "discovery" | "many" => {
            json!({"name": "execute_tool", "arguments": {"tool_name": tool, "parameters": arguments}})
        }
        "unified" => json!({"name": "unified_tool", "arguments": {"request": action.words}}),
        "recommend" => {
            json!({"name": "Arcade_UseTool", "arguments": {"tool_name": tool, "inputs": arguments}})
        }
        "progressive" => {
            json!({"name": "arc_call_tool", "arguments": {"name": tool, "arguments": arguments}})
        }
        _ => json!({"name": tool, "arguments": arguments}),
    }
}

fn verdict(gateway: &str, message: &Value) -> Verdict {
    let structured = &message["result"]["structuredContent"];
    let ran = message.get("error").is_none() && message["result"]["isError"] != true;
    match gateway {
        "unified" if structured["needs_clarification"] == true => Verdict::Refused,
        "unified" if ran => Verdict::Ran(structured["result"].clone()),
        _ if ran => Verdict::Ran(structured.clone()),
        _ => Verdict::Refused,
    }
}

async fn over_http(router: &Router, gateway: &str, style: Style, action: &Action) -> Reply {
    let agent = Agent::open_as(router, gateway, style, KEY).await;
    agent.ask("tools/call", asked(gateway, action)).await
}

async fn over_pipes(deployment: &Deployment, gateway: &str, style: Style, action: &Action) -> Value {
    let mut pipe = Pipe::open(deployment, gateway);
    let mut params = asked(gateway, action);
    if style == Style::Modern {
        params["_meta"] = modern_meta();
    } else {
        pipe.initialize().await;
    }
    pipe.ask("tools/call", params).await
}

/// P24, A26: allowed, denied and unknown: the same everywhere, and what was denied never reached its server.
#[tokio::test]
async fn p24_every_mode_era_and_transport_agree() {
    let crm = crm();
    let deployment = deployment(&crm).await;
    let router = router(&deployment);
    let mut ran = 0;
    for (action, allowed) in actions() {
        let expected = match allowed {
            true => Verdict::Ran(action.arguments.clone()),
            false => Verdict::Refused,
        };
        for (gateway, _, _) in GATEWAYS {
            for style in STYLES {
                let reply = over_http(&router, gateway, style, &action).await;
                assert_eq!(
                    verdict(gateway, &reply.json()),
                    expected,
                    "{gateway} {style:?}: {reply:?}"
                );
                ran += usize::from(allowed);
            }
            for style in [Style::Session, Style::Modern] {
                let message = over_pipes(&deployment, gateway, style, &action).await;
                assert_eq!(
                    verdict(gateway, &message),
                    expected,
                    "{gateway} {style:?} over pipes: {message}"
                );
                ran += usize::from(allowed);
            }
        }
    }
    let calls = crm.calls();
    assert_eq!(calls.len(), ran, "{calls:?}");
    assert!(
        calls.iter().all(|(name, _)| name == "create_contact"),
        "{calls:?}"
    );
}

/// P11, P18, P26, R1: what each mode lists, over both transports and eras.
#[tokio::test]
async fn p26_lists_agree_over_transports() {
    let deployment = deployment(&crm()).await;
    let router = router(&deployment);
    for (gateway, _, _) in GATEWAYS {
        let mut lists = Vec::new();
        for style in STYLES {
            lists.push(Agent::open(&router, gateway, style).await.names().await);
        }
        for style in [Style::Session, Style::Modern] {
            let mut pipe = Pipe::open(&deployment, gateway);
            let mut params = json!({});
            if style == Style::Modern {
                params["_meta"] = modern_meta();
            } else {
                pipe.initialize().await;
            }
            let listed = pipe.ask("tools/list", params).await;
            let names = listed["result"]["tools"].as_array().unwrap().iter();
            lists.push(
                names
                    .map(|tool| tool["name"].as_str().unwrap().to_owned())
                    .collect(),
            );
        }
        // The key over HTTP has no role, the person at the pipe neither.
        assert!(lists.iter().all(|list| *list == lists[0]), "{gateway}: {lists:?}");
        let expected: &[&str] = match gateway {
            "discovery" | "many" => &["discover_tools", "get_tool_schema", "execute_tool"],
            "unified" => &["unified_tool"],
            "recommend" => &["Arcade_SelectTools", "Arcade_UseTool"],
            "progressive" => &["arc_search_tools", "arc_describe_tool", "arc_call_tool"],
            "few" => &["crm_create_contact"],
            _ => continue,
        };
        assert_eq!(lists[0], expected, "{gateway}");
    }
}
