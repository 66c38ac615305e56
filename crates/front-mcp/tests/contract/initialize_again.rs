//! What becomes of a session whose client initializes again, and is each change told once? (X10, R15)

use std::sync::Arc;

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, Style, router};
use crate::deployment::{Deployment, OTHER_KEY, PATIENCE, Plan, Scripted, fillers, lab_tools};
use crate::pipe::Pipe;

const CHANGED: &str = "notifications/tools/list_changed";
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

struct Scene {
    deployment: Deployment,
    router: Router,
    lab: Arc<Scripted>,
}

impl Scene {
    async fn new() -> Self {
        let lab = Scripted::new(lab_tools());
        let deployment = Plan::new()
            .server("lab", &lab)
            .gateway("direct", Presentation::Direct, &["lab.*"])
            .gateway("progressive", Presentation::Progressive, &["lab.*"])
            .gateway("twin", Presentation::Direct, &["lab.*"])
            .start()
            .await;
        let router = router(&deployment);
        Self {
            deployment,
            router,
            lab,
        }
    }

    async fn change(&self, count: usize) {
        let mut tools = lab_tools();
        tools.extend(fillers(count));
        self.lab.set_tools(tools);
        self.deployment.refresh("lab").await;
    }
}

fn greeting() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    })
}

fn describe(tool: &str) -> Value {
    json!({"name": "arc_describe_tool", "arguments": {"name": tool}})
}

/// Over a pipe: the new session alone is told of changes, once each, and not before its own `initialized`.
#[tokio::test]
async fn x10_one_follower_on_a_pipe() {
    let scene = Scene::new().await;
    let mut pipe = Pipe::open(&scene.deployment, "direct");
    for _ in 0..3 {
        pipe.initialize().await;
    }
    scene.change(1).await;
    assert_eq!(pipe.message().await["method"], CHANGED);
    assert!(pipe.is_silent().await, "told once");

    let again = pipe.ask("initialize", greeting()).await;
    assert_eq!(again["result"]["protocolVersion"], "2025-11-25");
    scene.change(2).await;
    assert!(pipe.is_silent().await, "not initialized yet");
    pipe.send(INITIALIZED).await;
    assert_eq!(
        pipe.message().await["method"],
        CHANGED,
        "since the surface was opened"
    );
    assert!(pipe.is_silent().await, "told once");
    pipe.close().await;
}

/// R15: over a pipe: what joins the list of the new session is told, once; what joined the earlier one is forgotten.
#[tokio::test]
async fn r15_a_pipe_follows_its_new_session() {
    let scene = Scene::new().await;
    let mut pipe = Pipe::open(&scene.deployment, "progressive");
    for tool in ["lab_echo", "lab_strict", "lab_echo"] {
        pipe.initialize().await;
        let listed = pipe.ask("tools/list", json!({})).await;
        assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 3);
        pipe.send(json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": describe(tool)}))
            .await;
        let mut seen = [pipe.message().await, pipe.message().await];
        seen.sort_by_key(|message| message["id"].is_null());
        assert_eq!((&seen[0]["id"], &seen[1]["method"]), (&json!(5), &json!(CHANGED)));
        assert!(pipe.is_silent().await, "told once");
        let listed = pipe.ask("tools/list", json!({})).await;
        assert_eq!(listed["result"]["tools"][3]["name"], tool);
    }
    pipe.close().await;
}

/// Over a pipe: calls of the earlier session are over and answered before the new one begins, so that no answer of
/// theirs meets a request of the new one that has the same id; that one can still be cancelled.
#[tokio::test]
async fn x10_calls_of_the_earlier_session_are_over() {
    let scene = Scene::new().await;
    let mut pipe = Pipe::open(&scene.deployment, "direct");
    let wait = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"lab_wait"}}"#;
    let mut waiting = scene.lab.waiting.subscribe();
    let mut abandoned = scene.lab.abandoned.subscribe();
    pipe.initialize().await;
    pipe.send(wait).await;
    let begun = waiting.wait_for(|&count| count == 1);
    tokio::time::timeout(PATIENCE, begun).await.unwrap().unwrap();
    let over = pipe.initialize().await;
    assert_eq!(
        (&over["id"], &over["result"]["isError"]),
        (&json!(7), &json!(true))
    );
    assert!(pipe.message().await["result"]["protocolVersion"].is_string());
    pipe.send(wait).await;
    let ended = abandoned.wait_for(|&count| count == 1);
    tokio::time::timeout(PATIENCE, ended).await.unwrap().unwrap();
    assert!(pipe.is_silent().await);
    pipe.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#)
        .await;
    let ended = abandoned.wait_for(|&count| count == 2);
    tokio::time::timeout(PATIENCE, ended).await.unwrap().unwrap();
    assert_eq!(pipe.ask("ping", json!({})).await["id"], 1);
    pipe.close().await;
}

/// Over HTTP: whoever initializes within a session ends it; the new one alone is told of changes, once each.
#[tokio::test]
async fn x10_one_follower_over_http() {
    let scene = Scene::new().await;
    let earlier = Agent::open(&scene.router, "direct", Style::Session).await;
    let mut over = earlier.listen().await;
    let mut agent = Agent::open(&scene.router, "direct", Style::Sessionless).await;
    agent.session = earlier.session.clone();
    let again = agent.ask("initialize", greeting()).await;
    assert_eq!(again.status, 200, "{again:?}");
    agent.session = again.header("mcp-session-id").map(str::to_owned);
    assert_ne!(agent.session, earlier.session);

    let mut events = agent.listen().await;
    scene.change(1).await;
    assert_eq!(events.next().await.unwrap()["method"], CHANGED);
    assert!(events.is_silent().await, "told once");
    assert_eq!(over.next_text().await, None, "ended, with nothing said");
    let gone = earlier.ask("ping", json!({})).await;
    assert_eq!((gone.status.as_u16(), gone.error().0), (404, -32600));
    assert_eq!(agent.ask("ping", json!({})).await.status, 200);
}

/// Only a session of one's own, on the same gateway, is ended; a session that is over already does no harm.
#[tokio::test]
async fn x10_nobody_elses_session_is_ended() {
    let scene = Scene::new().await;
    let mine = Agent::open(&scene.router, "direct", Style::Session).await;
    let mut other_key = Agent::open_as(&scene.router, "direct", Style::Sessionless, OTHER_KEY).await;
    let mut other_gateway = Agent::open(&scene.router, "twin", Style::Sessionless).await;
    let mut late = Agent::open(&scene.router, "direct", Style::Sessionless).await;
    other_key.session = mine.session.clone();
    other_gateway.session = mine.session.clone();
    late.session = Some("00000000000000000000000000000000".to_owned());
    for agent in [other_key, other_gateway, late] {
        let greeted = agent.ask("initialize", greeting()).await;
        assert_eq!(greeted.status, 200);
        assert!(greeted.header("mcp-session-id").is_some());
        assert_eq!(mine.ask("ping", json!({})).await.status, 200);
    }
}

/// A session may be listened to on several streams; the newest that is open is told, and no other.
#[tokio::test]
async fn x10_one_of_several_streams_is_told() {
    let scene = Scene::new().await;
    let agent = Agent::open(&scene.router, "direct", Style::Session).await;
    let mut first = agent.listen().await;
    let mut second = agent.listen().await;
    scene.change(1).await;
    assert_eq!(second.next().await.unwrap()["method"], CHANGED);
    assert!(second.is_silent().await && first.is_silent().await, "told once");
    agent.names().await;
    drop(second);
    scene.change(2).await;
    assert_eq!(first.next().await.unwrap()["method"], CHANGED);
    assert!(first.is_silent().await, "told once");

    let mut other_user = Agent::open(&scene.router, "direct", Style::Sessionless).await;
    other_user.session = agent.session.clone();
    other_user.user = Some("ann".to_owned());
    let mut theirs = other_user.listen().await;
    scene.change(3).await;
    for events in [&mut first, &mut theirs] {
        assert_eq!(
            events.next().await.unwrap()["method"],
            CHANGED,
            "each user's own list"
        );
        assert!(events.is_silent().await, "told once");
    }
}
