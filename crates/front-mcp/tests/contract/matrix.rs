//! Does the way tools are shown ever change whether and how a tool runs? (P24, P25, A22, A23, A26, C7)

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, Reply, STYLES, Style, router};
use crate::deployment::{
    AUTHORIZE, Deployment, KEY, OFFICER_KEY, Plan, READ_KEY, RICH, Scripted, fillers, lab_tools, tool,
};

/// What came of a call, whatever it was wrapped in.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// The tool ran: its result, byte for byte.
    Ran(String),
    /// No such tool, as far as the caller may know: the whole text.
    NotFound(String),
    /// Handpick refused and says why.
    Refused(String),
    /// The tool's server answered with a protocol error.
    Rpc(String),
}

/// A way to name a tool and have it run.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// `tools/call` with the tool's own name.
    Named,
    /// `execute_tool`.
    Execute,
    /// `Arcade_UseTool`.
    Use,
    /// `arc_call_tool`.
    OnDemand,
}

/// Every gateway and the ways that lead to a tool there.
const WAYS: [(&str, Way); 7] = [
    ("direct", Way::Named),
    ("discovery", Way::Execute),
    ("few", Way::Named),
    ("many", Way::Execute),
    ("recommend", Way::Use),
    ("recommend", Way::Named),
    ("progressive", Way::OnDemand),
];

async fn call(agent: &Agent, way: Way, tool: &str, arguments: &Value) -> Reply {
    match way {
        Way::Named => agent.call(tool, arguments.clone()).await,
        Way::Execute => {
            let arguments = json!({"tool_name": tool, "parameters": arguments});
            agent.call("execute_tool", arguments).await
        }
        Way::Use => {
            let arguments = json!({"tool_name": tool, "inputs": arguments, "query_id": "none of ours"});
            agent.call("Arcade_UseTool", arguments).await
        }
        Way::OnDemand => {
            let arguments = json!({"name": tool, "arguments": arguments});
            agent.call("arc_call_tool", arguments).await
        }
    }
}

fn verdict(reply: &Reply) -> Verdict {
    let json = reply.json();
    if json.get("error").is_some() {
        let (code, message) = reply.error();
        return match code {
            -32602 => Verdict::NotFound(message),
            _ => Verdict::Rpc(json["error"].to_string()),
        };
    }
    let text = reply.result()["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let own = reply.result()["isError"] == true;
    if own && text.starts_with("tool not found") {
        Verdict::NotFound(text)
    } else if let Some((name, _)) = text
        .strip_prefix("unknown tool: ")
        .and_then(|rest| rest.split_once(';'))
    {
        // R14 words it in another way, with names that look like it.
        Verdict::NotFound(format!("tool not found: {name}"))
    } else if own && (text.starts_with("invalid arguments") || text.starts_with("this key")) {
        Verdict::Refused(text)
    } else {
        Verdict::Ran(reply.result_text())
    }
}

async fn deployment() -> Deployment {
    let lab = Scripted::new(lab_tools());
    let bulk = Scripted::new(fillers(40));
    let closed = Scripted::new(vec![tool("echo", "Never allowed anywhere.")]);
    let allow = ["lab.*", "bulk.*"];
    Plan::new()
        .server("lab", &lab)
        .server("bulk", &bulk)
        .server("closed", &closed)
        .gateway("direct", Presentation::Direct, &allow)
        .gateway("discovery", Presentation::Discovery, &allow)
        .gateway("few", Presentation::Adaptive, &["lab.*"])
        .gateway("many", Presentation::Adaptive, &allow)
        .gateway("recommend", Presentation::Recommend, &allow)
        .gateway("progressive", Presentation::Progressive, &allow)
        .gateway("unified", Presentation::Unified, &allow)
        .restrict("lab.secret", "officer")
        .start()
        .await
}

/// Checks one call on every gateway, in every way and era: the same verdict each time.
async fn check(router: &Router, key: &str, tool: &str, arguments: Value, expected: Verdict) {
    check_ways(router, &WAYS, key, tool, arguments, expected).await;
}

/// Checks one call on these gateways and ways.
async fn check_ways(
    router: &Router,
    ways: &[(&str, Way)],
    key: &str,
    tool: &str,
    arguments: Value,
    expected: Verdict,
) {
    for (gateway, way) in ways.iter().copied() {
        for style in STYLES {
            let agent = Agent::open_as(router, gateway, style, key).await;
            let reply = call(&agent, way, tool, &arguments).await;
            assert_eq!(
                verdict(&reply),
                expected,
                "{tool} by {way:?} on {gateway}, {style:?}: {reply:?}"
            );
            assert_eq!(
                reply.status, 200,
                "{tool} by {way:?} on {gateway}, {style:?}: {reply:?}"
            );
        }
    }
}

fn ran(result: &str) -> Verdict {
    Verdict::Ran(result.to_owned())
}

/// A26, P24: an allowed tool runs and its result is the same bytes on every path.
#[tokio::test]
async fn p24_allowed_tools_run_alike_everywhere() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let echoed =
        r#"{"content":[{"type":"text","text":"echo"}],"structuredContent":{"x":1,"words":["a",null]}}"#;
    check(
        &router,
        KEY,
        "lab.echo",
        json!({"x": 1, "words": ["a", null]}),
        ran(echoed),
    )
    .await;
    check(
        &router,
        KEY,
        "lab_echo",
        json!({"x": 1, "words": ["a", null]}),
        ran(echoed),
    )
    .await;
    check(&router, KEY, "lab.rich", json!({}), ran(RICH)).await;
    check(&router, KEY, "lab.empty", json!({}), ran("{}")).await;
    let failed = r#"{"content":[{"type":"text","text":"the disk is full"}],"isError":true}"#;
    check(&router, KEY, "lab.fail", json!({}), ran(failed)).await;
    check(&router, KEY, "lab.authorize", json!({}), ran(AUTHORIZE)).await;
}

/// A24: spelling is read generously, the same everywhere.
#[tokio::test]
async fn a24_every_spelling_means_the_same_everywhere() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for name in [
        "LAB.Echo",
        "Lab_ECHO",
        "lab.echo@1.2.0",
        "lab_echo@7",
        " lab.echo ",
    ] {
        let echoed = r#"{"content":[{"type":"text","text":"echo"}],"structuredContent":{}}"#;
        let forgiving: Vec<_> = WAYS
            .into_iter()
            .filter(|(_, way)| !matches!(way, Way::OnDemand))
            .collect();
        check_ways(&router, &forgiving, KEY, name, json!({}), ran(echoed)).await;
        // R14: on-demand tools are named exactly.
        let expected = Verdict::NotFound(format!("tool not found: {name}"));
        let exact = [("progressive", Way::OnDemand)];
        check_ways(&router, &exact, KEY, name, json!({}), expected).await;
    }
}

/// A19, A23, P24, C19: not allowed, hidden by role and unknown read alike, so that nobody can probe.
#[tokio::test]
async fn p24_denied_and_unknown_read_alike_everywhere() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for name in [
        "closed.echo",
        "closed_echo",
        "lab.secret",
        "LAB_SECRET@2",
        "lab.nope",
        "nope",
        "лаб.эхо",
    ] {
        let expected = Verdict::NotFound(format!("tool not found: {name}"));
        check(&router, KEY, name, json!({}), expected).await;
    }
    let echoed = r#"{"content":[{"type":"text","text":"secret"}],"structuredContent":{}}"#;
    check(&router, OFFICER_KEY, "lab.secret", json!({}), ran(echoed)).await;
    let expected = Verdict::NotFound("tool not found: lab.secret".to_owned());
    check(&router, READ_KEY, "lab.secret", json!({}), expected).await;
}

/// A25: a meta-tool inside a meta-tool is a tool that does not exist.
#[tokio::test]
async fn a25_meta_tools_do_not_nest() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for (gateway, way) in [("recommend", Way::Use), ("discovery", Way::Execute)] {
        for name in [
            "Arcade.UseTool",
            "Arcade_UseTool",
            "Arcade_SelectTools",
            "arcade_usetool",
            "execute_tool",
            "discover_tools",
            "get_tool_schema",
            "unified_tool",
        ] {
            for style in STYLES {
                let agent = Agent::open(&router, gateway, style).await;
                let reply = call(&agent, way, name, &json!({"tool_name": "lab.echo"})).await;
                assert_eq!(reply.failure(), format!("tool not found: {name}"));
            }
        }
    }
}

/// P17, A57: arguments that break the schema are refused with the failing paths, before the tool.
#[tokio::test]
async fn p17_schema_failures_read_alike_everywhere() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let expected = |text: &str| Verdict::Refused(text.to_owned());
    check(
        &router,
        KEY,
        "lab.strict",
        json!({"guests": 0, "dishes": [{"price": "x"}, 5]}),
        expected(
            "invalid arguments for lab.strict: guests: 0 is less than the minimum of 1; \
             dishes[0].price: \"x\" is not of type \"number\"; dishes[1]: 5 is not of type \"object\"",
        ),
    )
    .await;
    check(
        &router,
        KEY,
        "lab.strict",
        json!({}),
        expected("invalid arguments for lab.strict: \"guests\" is a required property"),
    )
    .await;
    let outcomes = deployment.outcomes().await;
    assert!(
        outcomes.iter().all(|outcome| outcome == "lab.strict invalid"),
        "{outcomes:?}"
    );
}

/// P24: a key that may only look runs nothing on any path.
#[tokio::test]
async fn p24_a_read_key_runs_nothing_anywhere() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let expected = Verdict::Refused("this key may not run tools: it lacks the `execute` scope".to_owned());
    check(&router, READ_KEY, "lab.echo", json!({}), expected).await;
    assert!(
        deployment
            .outcomes()
            .await
            .iter()
            .all(|outcome| outcome == "lab.echo denied")
    );
}

/// A26: a protocol error of the tool's server passes through with its code and data, and never looks
/// like an error of the gateway's own endpoint.
#[tokio::test]
async fn a26_protocol_errors_pass_through_alike() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for (name, code) in [("lab.refuse", -32000), ("lab.refuse_method", -32601)] {
        let error = json!({"code": code, "message": "not today", "data": {"until": "tomorrow"}});
        check(&router, KEY, name, json!({}), Verdict::Rpc(error.to_string())).await;
    }
}

/// P25: a meta-tool is open to whoever may run nothing; the tool inside is judged, once.
#[tokio::test]
async fn p25_meta_tools_are_open_and_the_inner_tool_is_judged_once() {
    let plan = Plan::new()
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("shut", Presentation::Discovery, &["lab.*"])
        .restrict("lab.*", "officer");
    let deployment = plan.start().await;
    let router = router(&deployment);
    let agent = Agent::open(&router, "shut", Style::Session).await;
    let found = agent
        .call("discover_tools", json!({"query": "say words"}))
        .await
        .structured();
    assert_eq!(found, json!({"tools": [], "total": 0}));
    let denied = agent.call("execute_tool", json!({"tool_name": "lab.echo"})).await;
    assert_eq!(denied.failure(), "tool not found: lab.echo");
    assert_eq!(deployment.outcomes().await, ["lab.echo denied"]);
}

/// P13: on a discovery surface a bound tool cannot be called by its own name; the refusal says how.
#[tokio::test]
async fn p13_bound_tools_are_not_callable_by_name_in_discovery() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let discovery = "tools found with discover_tools are run with execute_tool";
    for (gateway, hint) in [
        ("discovery", discovery),
        ("many", discovery),
        ("unified", "say what you want done with unified_tool"),
        (
            "progressive",
            "tools found with arc_search_tools are run with arc_call_tool",
        ),
    ] {
        for style in STYLES {
            let agent = Agent::open(&router, gateway, style).await;
            for name in ["lab_echo", "lab.echo", "closed_echo", "nope"] {
                let (code, message) = agent.call(name, json!({})).await.error();
                assert_eq!(code, -32602);
                assert_eq!(message, format!("tool not found: {name}; {hint}"));
            }
        }
    }
    assert!(deployment.outcomes().await.is_empty());
}

/// A10: the recommendation tools on a gateway without recommendation.
#[tokio::test]
async fn a10_recommendation_tools_are_not_enabled_elsewhere() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for gateway in [
        "direct",
        "discovery",
        "few",
        "many",
        "unified",
        "progressive",
        "recommend?tool_recommendation=false",
    ] {
        for style in STYLES {
            let agent = Agent::open(&router, gateway, style).await;
            for name in ["Arcade.SelectTools", "Arcade_UseTool", "Arcade_ListApps"] {
                let reply = agent
                    .call(name, json!({"tasks": ["x"], "tool_name": "lab.echo"}))
                    .await;
                assert_eq!(reply.failure(), "tool not enabled for this gateway");
            }
        }
    }
    assert!(deployment.outcomes().await.is_empty());
}
