//! Is everything acknowledged there again after a start? (T8, T18)

use std::sync::Arc;
use std::sync::atomic::Ordering;

use handpick_operations::agents::publish_catalog::publish_catalog;
use handpick_operations::agents::read_agent::{read_catalog, read_counts};
use handpick_store::Store;
use serde_json::json;

use super::memory::Gate;
use super::*;

/// T8, T18: the same counts, links and answers as before, and nothing is encoded again.
#[tokio::test]
async fn t8_t18_a_restart_changes_nothing_and_encodes_nothing() {
    let folder = std::env::temp_dir().join(format!("handpick-agents-{}", std::process::id()));
    let gate = Arc::new(Gate::default());
    let store = Store::open(&folder).await.unwrap();
    let deployment = plan()
        .store(&store)
        .encoder(Some(Arc::clone(&gate) as _))
        .start()
        .await;
    publish(&deployment.runtime, "acme", &billing()).await;
    let told = json!([
        handed_on("1", "find_customer", "audit_ledger"),
        handed_on("2", "find_customer", "audit_ledger"),
    ]);
    trace(&deployment.runtime, "acme", &told).await.unwrap();
    let question = || turn("acme", "please look into the matter of 1 and refund the invoice");
    let before = (
        counts(&deployment.runtime, "acme").await,
        graph(&deployment.runtime, "acme").await,
        read_catalog(&deployment.runtime, &id("acme")).await.unwrap(),
        ask(&deployment.runtime, question()).await.tools,
    );
    // Not closed: as if the process had been killed.
    drop(deployment);
    gate.texts.store(0, Ordering::Relaxed);

    let store = Store::open(&folder).await.unwrap();
    let deployment = plan()
        .store(&store)
        .encoder(Some(Arc::clone(&gate) as _))
        .start()
        .await;
    let runtime = &deployment.runtime;
    // T20: what is added after a start joins what was there before it.
    let after = (
        counts(runtime, "acme").await,
        graph(runtime, "acme").await,
        read_catalog(runtime, &id("acme")).await.unwrap(),
        ask(runtime, question()).await.tools,
    );
    assert_eq!(before, after);
    assert_eq!(gate.texts.load(Ordering::Relaxed), 0);
    store.close().await;
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A publish or conversations may be the first thing after a start.
#[tokio::test]
async fn writers_may_come_first_after_a_start() {
    let store = Store::in_memory().await.unwrap();
    let gate = Arc::new(Gate::default());
    let start = async || {
        plan()
            .store(&store)
            .encoder(Some(Arc::clone(&gate) as _))
            .start()
            .await
    };
    publish(&start().await.runtime, "acme", &billing()).await;
    let first = json!([handed_on("1", "find_customer", "audit_ledger")]);
    let second = json!([handed_on("2", "find_customer", "audit_ledger")]);
    trace(&start().await.runtime, "acme", &first).await.unwrap();
    let learned = trace(&start().await.runtime, "acme", &second).await.unwrap();
    assert_eq!(learned.conversations, 2);
    assert!(learned.traced > 0);
    gate.texts.store(0, Ordering::Relaxed);
    assert_eq!(publish(&start().await.runtime, "acme", &billing()).await, learned);
    assert_eq!(
        gate.texts.load(Ordering::Relaxed),
        0,
        "vectors of before the start are used"
    );
}

/// Several that ask for an agent right after a start wait for one reading of the store.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_is_learned_once_after_a_start() {
    let store = Store::in_memory().await.unwrap();
    publish(&plan().store(&store).start().await.runtime, "acme", &billing()).await;
    let deployment = plan().store(&store).start().await;
    let asking = (0..20).map(|_| {
        let runtime = Arc::clone(&deployment.runtime);
        tokio::spawn(async move { ask(&runtime, turn("acme", "refund the invoice")).await })
    });
    let mut agents = Vec::new();
    for answer in asking.collect::<Vec<_>>() {
        agents.push(answer.await.unwrap().agent);
    }
    assert!(agents.iter().all(|agent| Arc::ptr_eq(agent, &agents[0])));
    assert_eq!(deployment.runtime.agents.live(), 1);
}

/// A stored catalog that cannot be read is nobody's empty catalog: it is unavailable until it is published again.
#[tokio::test]
async fn an_unreadable_catalog_is_unavailable_until_published_again() {
    let store = Store::in_memory().await.unwrap();
    for json in ["", r#"{"tools":[{"name":""}]}"#, "[1]"] {
        store.agent_catalog_save("acme", json, 1).await.unwrap();
        let deployment = plan().store(&store).start().await;
        let runtime = &deployment.runtime;
        unavailable(read_counts(runtime, &id("acme")).await);
        unavailable(turn_context(runtime, turn("acme", "refund it")).await);
        unavailable(trace(runtime, "acme", &json!([])).await);
        let (tools, json) = catalog(&billing());
        publish_catalog(runtime, &id("acme"), tools, json).await.unwrap();
        assert_eq!(counts(runtime, "acme").await.tools, 6);
    }
}

/// A past conversation that cannot be read costs only itself.
#[tokio::test]
async fn an_unreadable_conversation_costs_only_itself() {
    let store = Store::in_memory().await.unwrap();
    publish(&plan().store(&store).start().await.runtime, "acme", &billing()).await;
    let rows = [
        ("bad", "{"),
        ("worse", "{\"id\":7}"),
        ("good", "{\"id\":\"good\",\"messages\":[]}"),
    ];
    let rows = rows.map(|(id, json)| handpick_store::AgentConversation {
        id: id.to_owned(),
        json: json.to_owned(),
    });
    store
        .agent_conversations_save("acme", &rows, &[], 1)
        .await
        .unwrap();
    let deployment = plan().store(&store).start().await;
    assert_eq!(counts(&deployment.runtime, "acme").await.conversations, 1);
}
