//! Does recording stay out of the way, within its bounds, and honest about what it lost?

use std::time::Duration;

use tokio::time::timeout;

use super::*;
use crate::CallOutcome;

const FOREVER: Retention = Retention {
    age_ms_max: i64::MAX,
    rows_max: u32::MAX,
};

fn call(id: usize) -> CallRecord {
    CallRecord {
        id: id.to_string(),
        at_ms: 0,
        key_id: "k".into(),
        user_id: None,
        gateway: None,
        tool: "app.tool".into(),
        source: "direct/mcp".into(),
        outcome: CallOutcome::Ok,
        error: None,
        latency_us: 0,
        query_id: None,
        arguments_json: None,
        result_json: None,
        decision: None,
    }
}

/// The background task cannot run before the first await, so the queue fills exactly.
#[tokio::test]
async fn what_does_not_fit_is_dropped_and_counted() {
    let store = Store::in_memory().await.unwrap();
    let recorder = Recorder::start_with_queue(store.clone(), FOREVER, 3);
    (0..10).for_each(|id| recorder.record_call(call(id)));
    assert_eq!(recorder.dropped(), 7);
    recorder.flush().await;
    // There is room again, and what was accepted is there.
    recorder.record_call(call(10));
    recorder.flush().await;
    assert_eq!(recorder.dropped(), 7);
    assert_eq!(store.calls_recent(100).await.unwrap().len(), 4);
}

#[tokio::test]
async fn waiting_text_is_bounded() {
    let store = Store::in_memory().await.unwrap();
    let recorder = Recorder::start(store.clone(), FOREVER);
    for id in 0..600 {
        let result = format!("\"{}\"", "x".repeat(60_000));
        recorder.record_call(CallRecord {
            result_json: Some(result),
            ..call(id)
        });
    }
    let accepted = QUEUE_BYTES / (60_002 + "app.tool".len());
    assert_eq!(recorder.dropped(), u64::try_from(600 - accepted).unwrap());
    recorder.flush().await;
    assert_eq!(recorder.load.waiting_bytes.load(Ordering::Relaxed), 0);
    assert_eq!(store.calls_recent(1000).await.unwrap().len(), accepted);
}

#[tokio::test]
async fn long_texts_do_not_reach_the_database() {
    let store = Store::in_memory().await.unwrap();
    let recorder = Recorder::start(store.clone(), FOREVER);
    recorder.record_call(CallRecord {
        tool: "t".repeat(1_000_000),
        error: Some("é".repeat(1_000_000)),
        arguments_json: Some(format!("\"{}\"", "a".repeat(1_000_000))),
        ..call(1)
    });
    recorder.flush().await;
    let stored = store.calls_recent(1).await.unwrap().remove(0);
    assert_eq!(stored.tool.len(), 2048 + '…'.len_utf8());
    assert!(stored.error.unwrap().ends_with("é…"));
    assert_eq!(stored.arguments_json.unwrap(), r#"{"omitted_bytes":1000002}"#);
}

#[tokio::test]
async fn a_failing_database_costs_records_and_nothing_else() {
    let store = Store::in_memory().await.unwrap();
    let recorder = Recorder::start(store.clone(), FOREVER);
    recorder.record_call(call(0));
    recorder.flush().await;
    sqlx::query("ALTER TABLE calls RENAME TO away")
        .execute(&store.pool)
        .await
        .unwrap();
    (1..4).for_each(|id| recorder.record_call(call(id)));
    recorder.flush().await;
    assert_eq!(recorder.dropped(), 3);
    sqlx::query("ALTER TABLE away RENAME TO calls")
        .execute(&store.pool)
        .await
        .unwrap();
    recorder.record_call(call(4));
    recorder.flush().await;
    assert_eq!(recorder.dropped(), 3);
    assert_eq!(store.calls_recent(9).await.unwrap().len(), 2);
    store.close().await;
    recorder.record_call(call(5));
    recorder.flush().await;
    assert_eq!(recorder.dropped(), 4);
}

#[tokio::test]
async fn history_is_bounded_while_recording() {
    let store = Store::in_memory().await.unwrap();
    let retention = Retention {
        rows_max: 50,
        ..FOREVER
    };
    let recorder = Recorder::start(store.clone(), retention);
    for id in 0..12_000 {
        recorder.record_call(call(id));
        if id % 100 == 0 {
            recorder.flush().await;
        }
    }
    recorder.flush().await;
    assert_eq!(recorder.dropped(), 0);
    // The bound, and at most what came since it was last enforced.
    let rows = store.calls_recent(10_000).await.unwrap().len();
    assert!((50..=50 + 5000 + 1024).contains(&rows), "{rows}");
}

#[tokio::test]
async fn old_records_go_at_the_start() {
    let store = Store::in_memory().await.unwrap();
    let recorder = Recorder::start(store.clone(), FOREVER);
    recorder.record_call(call(1));
    recorder.flush().await;
    assert_eq!(store.calls_recent(9).await.unwrap().len(), 1);
    let recorder = Recorder::start(store.clone(), Retention::default());
    timeout(Duration::from_secs(60), async {
        while !store.calls_recent(9).await.unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
    drop(recorder);
}

/// Handles may go away with records still waiting: those are written, then the task ends.
#[tokio::test]
async fn the_last_handle_leaves_nothing_behind() {
    let store = Store::in_memory().await.unwrap();
    let recorder = Recorder::start(store.clone(), FOREVER);
    let load = Arc::clone(&recorder.load);
    recorder.clone().record_call(call(1));
    drop(recorder);
    timeout(Duration::from_secs(60), async {
        while Arc::strong_count(&load) > 1 {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
    assert_eq!(store.calls_recent(9).await.unwrap().len(), 1);
}
