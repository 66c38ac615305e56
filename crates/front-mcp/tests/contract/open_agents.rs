//! Does an agent that is in use stay open, however many others are opened meanwhile? (C13)

use handpick_domain::Presentation;
use handpick_operations::limits::AGENT_GATEWAYS_MAX;
use handpick_store::Store;
use serde_json::json;

use crate::agent::{Agent, Style, modern_meta, router};
use crate::deployment::{Deployment, Plan, Scripted, chat_tools};
use crate::pipe::Pipe;

/// A deployment and what is published in it: agents by the name `agent-N`.
struct Scene {
    deployment: Deployment,
    store: Store,
}

impl Scene {
    async fn new() -> Self {
        let store = Store::in_memory().await.unwrap();
        let deployment = Plan::new()
            .server("chat", &Scripted::new(chat_tools()))
            .gateway("shop", Presentation::Direct, &["*"])
            .store(&store)
            .start()
            .await;
        Self { deployment, store }
    }

    async fn publish(&self, id: &str) {
        let json = json!({"tools": [{"name": "chat_list_channels", "description": "Do it."}]}).to_string();
        self.store.agent_catalog_save(id, &json, 0).await.unwrap();
    }

    /// Publishes and opens this many other agents, for a moment each.
    async fn open_others(&self, count: usize) {
        for number in 0..count {
            let id = format!("other-{number}");
            self.publish(&id).await;
            assert!(self.deployment.runtime.gateway_exists(&id).await);
        }
    }

    fn is_open(&self, id: &str) -> bool {
        self.deployment.runtime.policy().gateways.contains_key(id)
    }

    fn open_count(&self) -> usize {
        self.deployment.runtime.policy().gateways.len() - 1
    }
}

/// A session, a stream without one, and a pipe keep their agents; an agent that nobody uses leaves. What is kept is not
/// told of a change that never was, and goes on; once it is over, it can leave, too.
#[tokio::test]
async fn c13_agents_in_use_stay_open() {
    let scene = Scene::new().await;
    for id in ["session", "stream", "pipe", "idle"] {
        scene.publish(id).await;
    }
    let router = router(&scene.deployment);
    let session = Agent::open(&router, "session", Style::Session).await;
    let mut heard = session.listen().await;
    let modern = Agent::open(&router, "stream", Style::Modern).await;
    let listen = json!({"notifications": {"toolsListChanged": true}});
    let mut subscribed = modern
        .stream(modern.request("1", "subscriptions/listen", listen))
        .await;
    subscribed.next().await.unwrap();
    let mut pipe = Pipe::open(&scene.deployment, "pipe");
    pipe.ask("tools/list", json!({"_meta": modern_meta()})).await;
    let idle = Agent::open(&router, "idle", Style::Modern).await;
    assert_eq!(idle.names().await.len(), 1);

    scene.open_others(AGENT_GATEWAYS_MAX + 3).await;
    for id in ["session", "stream", "pipe"] {
        assert!(scene.is_open(id), "{id}");
    }
    assert!(!scene.is_open("idle") && !scene.is_open("other-0"));
    assert_eq!(scene.open_count(), AGENT_GATEWAYS_MAX);
    assert!(heard.is_silent().await && subscribed.is_silent().await);
    session.call("chat_list_channels", json!({})).await.result();
    let listed = pipe.ask("tools/list", json!({"_meta": modern_meta()})).await;
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(idle.names().await.len(), 1, "opened again");

    assert_eq!(session.end().await.status, 204);
    assert_eq!(heard.next_text().await, None);
    drop((heard, subscribed));
    pipe.close().await;
    scene.open_others(AGENT_GATEWAYS_MAX + 3).await;
    for id in ["session", "stream", "pipe"] {
        assert!(!scene.is_open(id), "{id}");
    }
}

/// Where all are in use, one more is opened besides; when they are not any more, there are as many as before.
#[tokio::test]
async fn c13_all_agents_in_use() {
    let scene = Scene::new().await;
    let router = router(&scene.deployment);
    let mut sessions = Vec::new();
    for number in 0..AGENT_GATEWAYS_MAX + 2 {
        let id = format!("agent-{number}");
        scene.publish(&id).await;
        sessions.push(Agent::open(&router, &id, Style::Session).await);
    }
    assert_eq!(scene.open_count(), AGENT_GATEWAYS_MAX + 2);
    for agent in sessions.iter().step_by(50) {
        agent.call("chat_list_channels", json!({})).await.result();
    }
    for agent in &sessions {
        assert_eq!(agent.end().await.status, 204);
    }
    scene.open_others(1).await;
    assert_eq!(scene.open_count(), AGENT_GATEWAYS_MAX);
}
