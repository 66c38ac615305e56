//! Do vectors come, stay and leave with the texts they stand for, and agents with the room there is?

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use handpick_operations::agents::delete_agent::delete_agent;
use handpick_operations::agents::read_agent::read_counts;
use handpick_operations::limits::AGENTS_LIVE_MAX;
use handpick_selection::{EncodeError, Encoder};
use serde_json::json;

use super::*;
use crate::deployment::HashedWords;

/// Counts the texts of agents it encodes, and can be closed like a gate.
#[derive(Default)]
pub struct Gate {
    inner: HashedWords,
    pub texts: AtomicUsize,
    shut: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub fn set_shut(&self, shut: bool) {
        *self.shut.lock().unwrap() = shut;
        self.opened.notify_all();
    }
}

impl Encoder for Gate {
    fn id(&self) -> &str {
        "gate"
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        drop(
            self.opened
                .wait_while(self.shut.lock().unwrap(), |shut| *shut)
                .unwrap(),
        );
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        self.inner.encode(texts)
    }

    fn encode_questions(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        self.inner.encode(texts)
    }
}

async fn stored_vectors(runtime: &Runtime, agent: &str) -> usize {
    let kind = format!("gate+{}", handpick_selection::text::RECIPE);
    runtime
        .store
        .agent_vectors_load(agent, &kind)
        .await
        .unwrap()
        .len()
}

/// Only texts that are new are encoded, and a small catalog is complete when its publish is answered.
#[tokio::test]
async fn only_new_texts_are_encoded_and_gone_ones_forgotten() {
    let gate = Arc::new(Gate::default());
    let deployment = plan().encoder(Some(Arc::clone(&gate) as _)).start().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    assert_eq!(gate.texts.swap(0, Ordering::Relaxed), 7, "six tools, one example");
    assert_eq!(stored_vectors(runtime, "acme").await, 7);
    let mut changed = billing();
    changed["tools"][0]["description"] = "Pay a paid invoice back.".into();
    changed["tools"].as_array_mut().unwrap().pop();
    publish(runtime, "acme", &changed).await;
    assert_eq!(gate.texts.swap(0, Ordering::Relaxed), 1);
    assert_eq!(stored_vectors(runtime, "acme").await, 6);
    let told = json!([handed_on("1", "find_customer", "audit_ledger")]);
    trace(runtime, "acme", &told).await.unwrap();
    assert_eq!(gate.texts.swap(0, Ordering::Relaxed), 1, "one past turn");
    // T6: the same texts of another agent are its own.
    publish(runtime, "twin", &billing()).await;
    assert_eq!(gate.texts.swap(0, Ordering::Relaxed), 7);
    // Replaced by a conversation that says nothing: its turn is forgotten.
    trace(runtime, "acme", &json!([{"id": "1", "messages": []}]))
        .await
        .unwrap();
    assert_eq!(stored_vectors(runtime, "acme").await, 6);
}

/// T8: words answer while vectors are on their way, and a later publish is not kept waiting by an earlier one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t8_words_answer_until_the_vectors_are_there() {
    let gate = Arc::new(Gate::default());
    gate.set_shut(true);
    let deployment = plan().encoder(Some(Arc::clone(&gate) as _)).start().await;
    let runtime = &deployment.runtime;
    let publishing = {
        let runtime = Arc::clone(runtime);
        tokio::spawn(async move { publish(&runtime, "acme", &billing()).await })
    };
    until(async || read_counts(runtime, &id("acme")).await.is_ok()).await;
    let found = find(runtime, task("acme", "refund the invoice")).await;
    assert!(names(&found.tools).contains("refund_invoice"));
    assert_eq!(stored_vectors(runtime, "acme").await, 0);
    gate.set_shut(false);
    publishing.await.unwrap();
    assert_eq!(stored_vectors(runtime, "acme").await, 7);
}

/// T26: vectors that were on their way when their agent was deleted do not come back with the next one of its name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t26_vectors_on_their_way_do_not_outlive_their_agent() {
    let gate = Arc::new(Gate::default());
    gate.set_shut(true);
    let deployment = plan().encoder(Some(Arc::clone(&gate) as _)).start().await;
    let runtime = &deployment.runtime;
    let publishing = {
        let runtime = Arc::clone(runtime);
        tokio::spawn(async move { publish(&runtime, "acme", &billing()).await })
    };
    until(async || read_counts(runtime, &id("acme")).await.is_ok()).await;
    delete_agent(runtime, &id("acme")).await.unwrap();
    let again = {
        let runtime = Arc::clone(runtime);
        let one = json!({"tools": [{"name": "only", "description": "The only tool."}]});
        tokio::spawn(async move { publish(&runtime, "acme", &one).await })
    };
    until(async || read_counts(runtime, &id("acme")).await.is_ok()).await;
    gate.set_shut(false);
    publishing.await.unwrap();
    again.await.unwrap();
    assert_eq!(stored_vectors(runtime, "acme").await, 1);
    delete_agent(runtime, &id("acme")).await.unwrap();
    assert_eq!(stored_vectors(runtime, "acme").await, 0);
}

/// Questions about agents that do not exist leave nothing in memory.
#[tokio::test]
async fn unknown_agents_take_no_memory() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    for number in 0..500 {
        let agent = format!("nobody-{number}");
        unknown(read_counts(runtime, &id(&agent)).await, &agent);
        unknown(turn_context(runtime, turn(&agent, "hello")).await, &agent);
        unknown(trace(runtime, &agent, &json!([])).await, &agent);
        unknown(delete_agent(runtime, &id(&agent)).await, &agent);
    }
    assert_eq!(runtime.agents.live(), 0);
}

/// More agents than fit: those used least recently leave memory and answer all the same.
#[tokio::test]
async fn agents_beyond_the_room_leave_and_come_back() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    let name = |number: usize| format!("agent-{number}");
    for number in 0..AGENTS_LIVE_MAX + 20 {
        let tool = json!({"tools": [{"name": name(number), "description": "Open the door."}]});
        publish(runtime, &name(number), &tool).await;
    }
    assert!(runtime.agents.live() <= AGENTS_LIVE_MAX);
    for number in (0..AGENTS_LIVE_MAX + 20).rev().step_by(7) {
        let found = find(runtime, task(&name(number), "open the door")).await;
        assert_eq!(names(&found.tools), roles(&[&name(number)]));
    }
    until(async || runtime.agents.live() <= AGENTS_LIVE_MAX).await;
}
