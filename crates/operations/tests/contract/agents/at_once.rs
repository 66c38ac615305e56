//! What happens when several publish, add and ask at the same time? (E15)

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use handpick_operations::agents::delete_agent::delete_agent;
use handpick_operations::agents::publish_catalog::publish_catalog;
use handpick_operations::agents::read_agent::read_catalog;
use handpick_store::Store;
use serde_json::json;

use super::*;

/// A catalog whose tools all carry its own name.
fn of(name: &str, tools: usize) -> Value {
    let tool = |number| {
        json!({
            "name": format!("{name}_{number}"),
            "description": format!("Move the box number {number} to {name}."),
            "produces": [format!("{name}_id")],
        })
    };
    json!({"tools": (0..tools).map(tool).collect::<Vec<_>>()})
}

/// E15: whoever asks while catalogs are replaced gets one of them whole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e15_readers_see_one_catalog_whole() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &of("red", 12)).await;
    let done = Arc::new(AtomicBool::new(false));
    let readers = (0..4).map(|_| {
        let (runtime, done) = (Arc::clone(runtime), Arc::clone(&done));
        tokio::spawn(async move {
            let mut seen = BTreeSet::new();
            while !done.load(Ordering::Relaxed) {
                let answer = ask(&runtime, turn("acme", "move the box number 3 to the cellar")).await;
                let color = assert_whole(&answer.agent, &answer.tools);
                seen.insert(color);
                let found = find(&runtime, task("acme", "move the box number 3")).await;
                assert_whole(&found.agent, &found.tools);
                let tools = counts(&runtime, "acme").await.tools;
                assert!(matches!(tools, 12 | 17), "{tools}");
                let json: Value =
                    serde_json::from_str(&read_catalog(&runtime, &id("acme")).await.unwrap()).unwrap();
                assert!(json == of("red", 12) || json == of("blue", 17));
            }
            seen
        })
    });
    let readers: Vec<_> = readers.collect();
    for _ in 0..15 {
        publish(runtime, "acme", &of("blue", 17)).await;
        publish(runtime, "acme", &of("red", 12)).await;
    }
    done.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(!reader.await.unwrap().is_empty());
    }
}

fn assert_whole(agent: &handpick_conversation::Agent, tools: &[ContextTool]) -> String {
    let color = |name: &str| name.split_once('_').unwrap().0.to_owned();
    let colors: BTreeSet<String> = agent.tools().iter().map(|tool| color(&tool.name)).collect();
    let shown: BTreeSet<String> = tools.iter().map(|tool| color(&tool.name)).collect();
    assert_eq!(colors.len(), 1, "{colors:?}");
    assert_eq!(colors, shown);
    assert_eq!(agent.tools().len(), if colors.contains("red") { 12 } else { 17 });
    colors.into_iter().next().unwrap()
}

/// E15: publishes and conversations that arrive together all count, and memory and store say the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e15_nothing_acknowledged_is_lost_among_writers() {
    let store = Store::in_memory().await.unwrap();
    let deployment = plan().store(&store).start().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &of("red", 2)).await;
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..24 {
        let runtime = Arc::clone(runtime);
        writers.spawn(async move {
            if number % 3 == 0 {
                publish(&runtime, "acme", &of("red", 2 + number)).await;
            } else {
                let told = json!([handed_on(&number.to_string(), "red_0", "red_1")]);
                trace(&runtime, "acme", &told).await.unwrap();
            }
        });
    }
    while let Some(written) = writers.join_next().await {
        written.unwrap();
    }
    let counted = counts(runtime, "acme").await;
    assert_eq!(counted.conversations, 16);
    let links = graph(runtime, "acme").await;
    let restarted = plan().store(&store).start().await;
    assert_eq!(counts(&restarted.runtime, "acme").await, counted);
    assert_eq!(graph(&restarted.runtime, "acme").await, links);
}

/// Whoever publishes may go away at any moment: memory and store never differ for that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_publisher_that_goes_away_leaves_nothing_half_done() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &of("red", 1)).await;
    for number in 0..40_u64 {
        let runtime_of_task = Arc::clone(runtime);
        let publishing = tokio::spawn(async move {
            let (tools, json) = catalog(&of("blue", 2 + number as usize));
            publish_catalog(&runtime_of_task, &id("acme"), tools, json).await
        });
        tokio::time::sleep(std::time::Duration::from_micros(number * 100)).await;
        publishing.abort();
        // Another writer comes after whatever was begun.
        trace(runtime, "acme", &json!([handed_on("1", "a", "b")]))
            .await
            .unwrap();
        until(async || {
            let json = read_catalog(runtime, &id("acme")).await.unwrap();
            let json: Value = serde_json::from_str(&json).unwrap();
            json["tools"].as_array().unwrap().len() == counts(runtime, "acme").await.tools
        })
        .await;
    }
}

/// T26: deletions among publishes end in an agent that is there whole or not at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t26_deletions_among_publishes_leave_all_or_nothing() {
    let store = Store::in_memory().await.unwrap();
    let deployment = plan().store(&store).start().await;
    let runtime = &deployment.runtime;
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..30 {
        let runtime = Arc::clone(runtime);
        writers.spawn(async move {
            let told = json!([handed_on(&number.to_string(), "red_0", "red_1")]);
            // Unknown is an answer here, whatever came first.
            match number % 3 {
                0 => drop(delete_agent(&runtime, &id("acme")).await),
                1 => drop(trace(&runtime, "acme", &told).await),
                _ => drop(publish(&runtime, "acme", &of("red", 3)).await),
            }
        });
    }
    while let Some(written) = writers.join_next().await {
        written.unwrap();
    }
    let restarted = plan().store(&store).start().await;
    let before = handpick_operations::agents::read_agent::read_counts(runtime, &id("acme")).await;
    let after = handpick_operations::agents::read_agent::read_counts(&restarted.runtime, &id("acme")).await;
    assert_eq!(before.ok(), after.ok());
    drop(delete_agent(runtime, &id("acme")).await);
    assert_eq!(publish(runtime, "acme", &of("red", 3)).await.conversations, 0);
}
