//! Does a progressive list grow with what was used, for whom, and what does a tool that joined allow? (R4 to R8, R15
//! to R17)

use std::sync::Arc;

use axum::Router;
use handpick_domain::{Gateway, Presentation, ToolGlobs};
use handpick_presentation::promoted::PROMOTED_MAX;
use serde_json::{Value, json};

use crate::agent::{Agent, Events, Style, modern_meta, router};
use crate::deployment::{Deployment, OTHER_KEY, Plan, Scripted, fillers, gateway, lab_tools, tool};
use crate::pipe::Pipe;

const META_TOOLS: [&str; 3] = ["arc_search_tools", "arc_describe_tool", "arc_call_tool"];

struct Scene {
    deployment: Deployment,
    router: Router,
    lab: Arc<Scripted>,
}

impl Scene {
    async fn new() -> Self {
        let (lab, bulk) = (Scripted::new(lab_tools()), Scripted::new(fillers(40)));
        let core = Gateway {
            core: ToolGlobs::new(&["lab.empty".to_owned()]).unwrap(),
            ..gateway("core", Presentation::Progressive, &["lab.*"])
        };
        let deployment = Plan::new()
            .server("lab", &lab)
            .server("bulk", &bulk)
            .gateway("lab", Presentation::Progressive, &["lab.*"])
            .gateway("all", Presentation::Progressive, &["*"])
            .exact_gateway(core)
            .restrict("lab.secret", "officer")
            .start()
            .await;
        let router = router(&deployment);
        Self {
            deployment,
            router,
            lab,
        }
    }

    async fn agent(&self, gateway: &str, style: Style) -> Agent {
        Agent::open(&self.router, gateway, style).await
    }
}

/// The names listed besides the meta-tools, which must come first.
async fn joined(agent: &Agent) -> Vec<String> {
    let names = agent.names().await;
    assert_eq!(names[..3], META_TOOLS);
    names[3..].to_vec()
}

async fn heard(events: &mut Events) {
    let message = events.next().await.unwrap();
    assert_eq!(
        message,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    );
}

/// What makes a tool join, and what does not: the call, and the tool that joins.
fn uses() -> Vec<(&'static str, Value, Option<&'static str>)> {
    vec![
        // R4, R9: a clear winner.
        ("arc_search_tools", json!({"query": "lab_echo"}), Some("lab_echo")),
        // R5: hits without one, and none at all.
        ("arc_search_tools", json!({"query": "lab"}), None),
        ("arc_search_tools", json!({"query": "zebra quagga"}), None),
        // R6.
        (
            "arc_describe_tool",
            json!({"name": "lab_strict"}),
            Some("lab_strict"),
        ),
        ("arc_describe_tool", json!({"name": "lab.rich"}), Some("lab_rich")),
        ("arc_describe_tool", json!({"name": "LAB_WAIT"}), None),
        ("arc_describe_tool", json!({"name": "lab_secret"}), None),
        // R7, R8.
        ("arc_call_tool", json!({"name": "lab_empty"}), Some("lab_empty")),
        ("arc_call_tool", json!({"name": "lab_fail"}), None),
        ("arc_call_tool", json!({"name": "lab_authorize"}), None),
        ("arc_call_tool", json!({"name": "lab_refuse"}), None),
        ("arc_call_tool", json!({"name": "lab_secret"}), None),
        ("arc_call_tool", json!({"name": "nothing"}), None),
        (
            "arc_call_tool",
            json!({"name": "lab_strict", "arguments": {"guests": 0}}),
            None,
        ),
        ("arc_call_tool", json!({"name": "arc_call_tool"}), None),
    ]
}

/// R4 to R8, R15: the list of a session grows with a clear winner, a description and a call that went well; the client
/// is told each time, once. Nothing else makes it grow.
#[tokio::test]
async fn r15_the_list_of_a_session_grows() {
    let scene = Scene::new().await;
    for (name, arguments, joins) in uses() {
        let agent = scene.agent("lab", Style::Session).await;
        let mut events = agent.listen().await;
        let expected: Vec<&str> = joins.into_iter().collect();
        for _ in 0..2 {
            agent.call(name, arguments.clone()).await;
            assert_eq!(joined(&agent).await, expected, "{name} {arguments}");
        }
        if joins.is_some() {
            heard(&mut events).await;
        }
        assert!(events.is_silent().await, "R15: idempotent: {name} {arguments}");
    }
}

/// R4: the winner comes with its schema, and is marked as joined from then on.
#[tokio::test]
async fn r4_the_winner_comes_with_its_schema() {
    let scene = Scene::new().await;
    for style in [Style::Session, Style::Sessionless, Style::Modern] {
        let mut agent = scene.agent("lab", style).await;
        agent.user = Some(format!("{style:?}"));
        let found = agent
            .call("arc_search_tools", json!({"query": "lab strict"}))
            .await
            .structured();
        assert_eq!(found["promoted"], "lab_strict", "{found}");
        assert_eq!(found["tools"][0]["inputSchema"], lab_tools()[9]["inputSchema"]);
        assert_eq!(found["tools"][0]["direct"], true);
        let again = agent
            .call("arc_search_tools", json!({"query": "lab", "limit": 25}))
            .await
            .structured();
        for hit in again["tools"].as_array().unwrap() {
            assert_eq!(hit["direct"], hit["name"] == "lab_strict", "{style:?} {hit}");
        }
    }
}

/// R17: a tool that joined is called by its own name, and any other is refused with a word on what to do.
#[tokio::test]
async fn r17_only_what_joined_is_called_by_name() {
    let scene = Scene::new().await;
    for style in [Style::Session, Style::Sessionless, Style::Modern] {
        let mut agent = scene.agent("lab", style).await;
        agent.user = Some(format!("{style:?}"));
        let hint = "tools found with arc_search_tools are run with arc_call_tool";
        for name in ["lab_echo", "lab.echo", "lab_secret", "nothing", "Lab_Echo"] {
            let (code, text) = agent.call(name, json!({})).await.error();
            assert_eq!(
                (code, text),
                (-32602, format!("tool not found: {name}; {hint}")),
                "{style:?}"
            );
        }
        agent
            .call("arc_describe_tool", json!({"name": "lab_echo"}))
            .await
            .structured();
        let ran = agent.call("lab_echo", json!({"x": 1})).await.result();
        assert_eq!(ran["structuredContent"], json!({"x": 1}), "{style:?}");
        let (code, _) = agent.call("lab_empty", json!({})).await.error();
        assert_eq!(code, -32602, "{style:?}: the others are not");
    }
}

/// A client that never lists again goes on with `arc_call_tool`, whatever joined.
#[tokio::test]
async fn r15_a_client_may_ignore_the_change() {
    let scene = Scene::new().await;
    for style in [Style::Session, Style::Sessionless, Style::Modern] {
        let agent = scene.agent("lab", style).await;
        for number in 0..3 {
            let arguments = json!({"name": "lab_echo", "arguments": {"n": number}});
            let ran = agent.call("arc_call_tool", arguments).await.result();
            assert_eq!(ran["structuredContent"], json!({"n": number}), "{style:?}");
        }
    }
    assert_eq!(scene.lab.calls().len(), 9);
}

/// R16: without a session nothing a call does changes a list, its snapshot, or what a subscriber hears; the tool is
/// callable by name all the same.
#[tokio::test]
async fn r16_a_stateless_list_stays_as_it_is() {
    let scene = Scene::new().await;
    for style in [Style::Modern, Style::Sessionless] {
        let mut agent = scene.agent("lab", style).await;
        agent.user = Some(format!("{style:?}"));
        let before = agent.ask("tools/list", json!({})).await.text;
        let mut events = None;
        if style == Style::Modern {
            let params = json!({"notifications": {"toolsListChanged": true}});
            let request = agent.request("\"s\"", "subscriptions/listen", params);
            let mut stream = agent.stream(request).await;
            stream.next().await.unwrap();
            events = Some(stream);
        }
        for (name, arguments, joins) in uses() {
            agent.call(name, arguments.clone()).await;
            assert_eq!(
                agent.ask("tools/list", json!({})).await.text,
                before,
                "{name} {arguments}"
            );
            if let Some(tool) = joins {
                let reply = agent.call(tool, json!({"guests": 2})).await;
                assert!(
                    reply.json().get("result").is_some(),
                    "{style:?} {tool}: {reply:?}"
                );
            }
        }
        if let Some(events) = &mut events {
            assert!(events.is_silent().await);
        }
    }
}

/// R15: what joined belongs to one session and one user of it.
#[tokio::test]
async fn r15_everybody_has_a_list_of_their_own() {
    let scene = Scene::new().await;
    let mut ann = scene.agent("lab", Style::Session).await;
    ann.user = Some("ann".to_owned());
    let mut bob = scene.agent("lab", Style::Session).await;
    bob.user = Some("bob".to_owned());
    bob.session = ann.session.clone();
    let another = scene.agent("lab", Style::Session).await;
    let other_key = Agent::open_as(&scene.router, "lab", Style::Session, OTHER_KEY).await;
    let mut bobs_events = bob.listen().await;
    let mut other_events = another.listen().await;
    ann.call("arc_describe_tool", json!({"name": "lab_echo"})).await;
    assert_eq!(joined(&ann).await, ["lab_echo"]);
    for stranger in [&bob, &another, &other_key] {
        assert!(joined(stranger).await.is_empty());
        assert_eq!(stranger.call("lab_echo", json!({})).await.error().0, -32602);
    }
    assert!(bobs_events.is_silent().await && other_events.is_silent().await);
}

/// R15: the list is bounded; what was not used for longest leaves, and what is core never does.
#[tokio::test]
async fn r15_the_least_recently_used_leaves() {
    let scene = Scene::new().await;
    let agent = scene.agent("all", Style::Session).await;
    let name = |number: usize| format!("bulk_fill_{number:04}");
    for number in 0..PROMOTED_MAX {
        agent
            .call("arc_describe_tool", json!({"name": name(number)}))
            .await;
    }
    assert_eq!(joined(&agent).await.len(), PROMOTED_MAX);
    agent.call(&name(0), json!({})).await.result();
    agent
        .call("arc_describe_tool", json!({"name": name(PROMOTED_MAX)}))
        .await;
    let listed = joined(&agent).await;
    assert_eq!(listed.len(), PROMOTED_MAX);
    assert!(
        listed.contains(&name(0)) && listed.contains(&name(PROMOTED_MAX)),
        "{listed:?}"
    );
    assert!(!listed.contains(&name(1)));
    assert_eq!(agent.call(&name(1), json!({})).await.error().0, -32602);

    let core = scene.agent("core", Style::Session).await;
    assert_eq!(joined(&core).await, ["lab_empty"]);
    let mut events = core.listen().await;
    core.call("arc_call_tool", json!({"name": "lab_empty"}))
        .await
        .result();
    core.call("lab_empty", json!({})).await.result();
    assert!(events.is_silent().await, "R13: it was listed all along");
    assert_eq!(joined(&core).await, ["lab_empty"]);
}

/// R15: a tool that vanished is no longer listed; when it comes back it still counts as joined.
#[tokio::test]
async fn r15_what_vanished_is_not_listed() {
    let scene = Scene::new().await;
    let agent = scene.agent("lab", Style::Session).await;
    agent.call("arc_describe_tool", json!({"name": "lab_echo"})).await;
    let mut events = agent.listen().await;
    scene.lab.set_tools(vec![tool("other", "Something else.")]);
    scene.deployment.refresh("lab").await;
    heard(&mut events).await;
    assert!(joined(&agent).await.is_empty());
    scene.lab.set_tools(lab_tools());
    scene.deployment.refresh("lab").await;
    heard(&mut events).await;
    assert_eq!(joined(&agent).await, ["lab_echo"]);
}

/// R15: what joined between the last list and the stream is told, too.
#[tokio::test]
async fn r15_a_late_listener_hears_what_joined_before() {
    let scene = Scene::new().await;
    let agent = scene.agent("lab", Style::Session).await;
    assert!(joined(&agent).await.is_empty());
    agent.call("arc_describe_tool", json!({"name": "lab_echo"})).await;
    let mut events = agent.listen().await;
    heard(&mut events).await;
    assert_eq!(joined(&agent).await, ["lab_echo"]);
}

/// R15, R16: the same on stdio: a session hears of its list, a stateless client has nothing to hear.
#[tokio::test]
async fn r15_over_stdio() {
    let scene = Scene::new().await;
    let mut session = Pipe::open(&scene.deployment, "lab");
    session.initialize().await;
    let describe = json!({"name": "arc_describe_tool", "arguments": {"name": "lab_echo"}});
    session
        .send(json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": describe}))
        .await;
    let mut seen = [session.message().await, session.message().await];
    seen.sort_by_key(|message| message["id"].is_null());
    assert_eq!(seen[0]["id"], 5);
    assert_eq!(seen[1]["method"], "notifications/tools/list_changed");
    let listed = session.ask("tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"][3]["name"], "lab_echo");

    let mut modern = Pipe::open(&scene.deployment, "lab");
    let with_meta = |mut params: Value| {
        params["_meta"] = modern_meta();
        params
    };
    let before = modern.ask("tools/list", with_meta(json!({}))).await;
    modern.ask("tools/call", with_meta(describe)).await;
    assert_eq!(modern.ask("tools/list", with_meta(json!({}))).await, before);
    let ran = modern
        .ask("tools/call", with_meta(json!({"name": "lab_echo"})))
        .await;
    assert!(ran["result"].is_object(), "{ran}");
    for pipe in [session, modern] {
        pipe.close().await;
    }
}
