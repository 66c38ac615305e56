//! Is a client told that its list changed exactly when it did? (X10, C8)

use std::sync::Arc;

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, Events, Style, modern_meta, router};
use crate::deployment::{Deployment, OFFICER_KEY, Plan, Scripted, fillers, lab_tools, tool};

const CHANGED: &str = "notifications/tools/list_changed";

struct Scene {
    deployment: Deployment,
    router: Router,
    bulk: Arc<Scripted>,
    other: Arc<Scripted>,
}

impl Scene {
    async fn new(tools: usize) -> Self {
        let (bulk, other) = (Scripted::new(fillers(tools)), Scripted::new(lab_tools()));
        let deployment = Plan::new()
            .server("bulk", &bulk)
            .server("other", &other)
            .gateway("direct", Presentation::Direct, &["bulk.*"])
            .gateway("discovery", Presentation::Discovery, &["bulk.*"])
            .gateway("recommend", Presentation::Recommend, &["bulk.*"])
            .gateway("adaptive", Presentation::Adaptive, &["bulk.*"])
            .restrict("bulk.fill_0000", "officer")
            .start()
            .await;
        let router = router(&deployment);
        Self {
            deployment,
            router,
            bulk,
            other,
        }
    }

    async fn set(&self, tools: Vec<Value>) {
        self.bulk.set_tools(tools);
        self.deployment.refresh("bulk").await;
    }
}

/// Opens the stream a client of this era hears on, past its acknowledgement.
async fn listen(agent: &Agent, style: Style) -> Events {
    if style == Style::Session {
        return agent.listen().await;
    }
    let params = json!({"notifications": {"toolsListChanged": true}});
    let mut events = agent
        .stream(agent.request("\"sub-1\"", "subscriptions/listen", params))
        .await;
    let acknowledged = events.next().await.unwrap();
    assert_eq!(
        acknowledged,
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {
                "_meta": {"io.modelcontextprotocol/subscriptionId": "sub-1"},
                "notifications": {"toolsListChanged": true}
            }
        })
    );
    events
}

async fn heard(events: &mut Events, style: Style) {
    let message = events.next().await.unwrap();
    let expected = match style {
        Style::Modern => json!({
            "jsonrpc": "2.0",
            "method": CHANGED,
            "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": "sub-1"}}
        }),
        _ => json!({"jsonrpc": "2.0", "method": CHANGED}),
    };
    assert_eq!(message, expected);
}

/// A direct list: a tool that comes, goes or is defined anew is told; what the client cannot see is not.
#[tokio::test]
async fn x10_direct_lists() {
    for style in [Style::Session, Style::Modern] {
        let scene = Scene::new(5).await;
        let agent = Agent::open(&scene.router, "direct", style).await;
        let mut events = listen(&agent, style).await;
        assert!(events.is_event_stream());
        scene.set(fillers(6)).await;
        heard(&mut events, style).await;
        scene.set(fillers(4)).await;
        heard(&mut events, style).await;
        let mut reworded = fillers(4);
        reworded[2]["description"] = json!("Says something else now.");
        scene.set(reworded.clone()).await;
        heard(&mut events, style).await;

        scene
            .other
            .set_tools(vec![tool("new", "Of an app that is not allowed here.")]);
        scene.deployment.refresh("other").await;
        let mut hidden = reworded.clone();
        hidden[0]["description"] = json!("Hidden from this caller.");
        scene.set(hidden).await;
        scene.deployment.refresh("bulk").await;
        assert!(
            events.is_silent().await,
            "{style:?}: nothing the client sees has changed"
        );
        scene.set(fillers(1)).await;
        heard(&mut events, style).await;
        assert!(events.is_silent().await, "{style:?}: told once");
    }
}

/// A caller with another role sees other changes.
#[tokio::test]
async fn x10_changes_are_the_callers_own() {
    let scene = Scene::new(3).await;
    let officer = Agent::open_as(&scene.router, "direct", Style::Session, OFFICER_KEY).await;
    let mut events = listen(&officer, Style::Session).await;
    let mut tools = fillers(3);
    tools[0]["description"] = json!("For officers.");
    scene.set(tools).await;
    heard(&mut events, Style::Session).await;
}

/// C8: lists of meta-tools never change.
#[tokio::test]
async fn c8_meta_tool_lists_never_change() {
    for style in [Style::Session, Style::Modern] {
        for gateway in ["discovery", "recommend"] {
            let scene = Scene::new(5).await;
            let agent = Agent::open(&scene.router, gateway, style).await;
            let mut events = listen(&agent, style).await;
            scene.set(fillers(90)).await;
            scene.set(Vec::new()).await;
            assert!(events.is_silent().await, "{gateway} {style:?}");
        }
        let scene = Scene::new(5).await;
        let agent = Agent::open(&scene.router, "recommend?tool_recommendation=false", style).await;
        let mut events = listen(&agent, style).await;
        scene.set(fillers(6)).await;
        heard(&mut events, style).await;
    }
}

/// P10: an adaptive session that was opened as `direct` stays so beyond thirty tools, and keeps hearing
/// of its changes; one that was opened as `discovery` never hears anything, however few are left.
#[tokio::test]
async fn p10_adaptive_sessions_hear_of_their_own_list() {
    let scene = Scene::new(29).await;
    let direct = Agent::open(&scene.router, "adaptive", Style::Session).await;
    let mut events = listen(&direct, Style::Session).await;
    for count in [31, 32, 28, 33] {
        scene.set(fillers(count)).await;
        heard(&mut events, Style::Session).await;
        assert_eq!(direct.names().await.len(), count - 1);
    }
    assert!(events.is_silent().await);

    let discovery = Agent::open(&scene.router, "adaptive", Style::Session).await;
    let mut events = listen(&discovery, Style::Session).await;
    for count in [12, 11, 40] {
        scene.set(fillers(count)).await;
    }
    assert!(events.is_silent().await);
    assert_eq!(discovery.names().await.len(), 3);
}

/// A stateless client lists anew each time, so crossing the threshold changes what it sees.
#[tokio::test]
async fn p10_stateless_clients_see_the_threshold_crossed() {
    let scene = Scene::new(29).await;
    let agent = Agent::open(&scene.router, "adaptive", Style::Modern).await;
    let mut events = listen(&agent, Style::Modern).await;
    scene.set(fillers(30)).await;
    heard(&mut events, Style::Modern).await;
    assert_eq!(agent.names().await.len(), 3);
    scene.set(fillers(31)).await;
    assert!(events.is_silent().await, "three meta-tools before and after");
    scene.set(fillers(3)).await;
    heard(&mut events, Style::Modern).await;
}

/// A change between the last list and the opening of the stream is not lost.
#[tokio::test]
async fn x10_a_change_before_the_stream_is_told() {
    let scene = Scene::new(5).await;
    let agent = Agent::open(&scene.router, "direct", Style::Session).await;
    agent.names().await;
    scene.set(fillers(6)).await;
    let mut events = listen(&agent, Style::Session).await;
    heard(&mut events, Style::Session).await;
    assert_eq!(agent.names().await.len(), 5);
    assert!(events.is_silent().await);
    let mut again = listen(&agent, Style::Session).await;
    assert!(again.is_silent().await, "the client has seen today's list");
}

/// Changes that came to nothing before anybody looked are no change.
#[tokio::test]
async fn x10_back_and_forth_is_no_change() {
    let scene = Scene::new(5).await;
    let agent = Agent::open(&scene.router, "direct", Style::Session).await;
    scene.set(fillers(6)).await;
    scene.set(fillers(5)).await;
    let mut events = listen(&agent, Style::Session).await;
    assert!(events.is_silent().await);
}

/// A subscription that asks for nothing we have is acknowledged as such, and stays silent.
#[tokio::test]
async fn x10_other_subscriptions() {
    let scene = Scene::new(5).await;
    let agent = Agent::open(&scene.router, "direct", Style::Modern).await;
    for notifications in [
        json!({"promptsListChanged": true}),
        json!({"toolsListChanged": false}),
        json!({"toolsListChanged": "yes"}),
        json!({}),
        json!(null),
        json!([]),
    ] {
        let params = json!({"notifications": notifications, "_meta": modern_meta()});
        let mut events = agent
            .stream(agent.request("7", "subscriptions/listen", params))
            .await;
        let acknowledged = events.next().await.unwrap();
        assert_eq!(acknowledged["params"]["notifications"], json!({}));
        assert_eq!(
            acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
            7
        );
        scene.set(fillers(6)).await;
        scene.set(fillers(5)).await;
        assert!(events.is_silent().await, "{notifications}");
    }
}
