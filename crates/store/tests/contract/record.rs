//! Is what happened recorded, linked to what it followed, and kept within bounds?

use std::collections::BTreeMap;

use handpick_store::{CallOutcome, CallRecord, Recorder, Retention, SelectionRecord, SelectionSource, Store};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

/// A retention that never interferes.
const FOREVER: Retention = Retention {
    age_ms_max: i64::MAX,
    rows_max: u32::MAX,
};

fn selection(query_id: &str, key_id: &str, at_ms: i64) -> SelectionRecord {
    SelectionRecord {
        query_id: query_id.into(),
        at_ms,
        key_id: key_id.into(),
        user_id: None,
        gateway: None,
        source: SelectionSource::Select,
        tasks: 1,
        tasks_json: None,
        tools_json: "[]".into(),
        latency_us: 1,
    }
}

fn call(id: &str, key_id: &str, query_id: Option<&str>, at_ms: i64) -> CallRecord {
    CallRecord {
        id: id.into(),
        at_ms,
        key_id: key_id.into(),
        user_id: None,
        gateway: None,
        tool: "Slack.SendMessage".into(),
        source: "recommend/mcp".into(),
        outcome: CallOutcome::Ok,
        error: None,
        latency_us: 1,
        query_id: query_id.map(Into::into),
        arguments_json: None,
        result_json: None,
        decision: None,
    }
}

pub async fn everything_survives(store: &Store) {
    let recorder = Recorder::start(store.clone(), FOREVER);
    let mut selections = Vec::new();
    for (index, source) in SelectionSource::ALL.into_iter().enumerate() {
        selections.push(SelectionRecord {
            user_id: Some("zoë".into()),
            gateway: Some("default".into()),
            source,
            tasks: 3,
            tasks_json: Some(r#"["tell the team"]"#.into()),
            tools_json: r#"[{"name":"Slack.SendMessage","score":0.91}]"#.into(),
            latency_us: u64::try_from(i64::MAX).unwrap(),
            ..selection(&format!("q{index}"), "k1", i64::try_from(index).unwrap())
        });
    }
    let mut calls = Vec::new();
    for (index, outcome) in CallOutcome::ALL.into_iter().enumerate() {
        calls.push(CallRecord {
            user_id: Some("u".into()),
            gateway: Some("default".into()),
            outcome,
            error: Some("it's \"broken\"\0".into()),
            latency_us: 0,
            arguments_json: Some("{}".into()),
            result_json: Some(r#"{"content":[]}"#.into()),
            decision: Some("confirmed".into()),
            ..call(
                &format!("c{index}"),
                "k1",
                Some("q1"),
                i64::try_from(index).unwrap(),
            )
        });
    }
    selections
        .iter()
        .for_each(|record| recorder.record_selection(record.clone()));
    calls
        .iter()
        .for_each(|record| recorder.record_call(record.clone()));
    recorder.flush().await;
    assert_eq!(recorder.dropped(), 0);
    assert_eq!(store.calls_by_query("q1").await.unwrap(), calls);
    calls.reverse();
    selections.reverse();
    assert_eq!(store.calls_recent(100).await.unwrap(), calls);
    assert_eq!(store.calls_recent(2).await.unwrap(), calls[..2]);
    assert_eq!(store.calls_recent(0).await.unwrap(), []);
    assert_eq!(store.selections_recent(100).await.unwrap(), selections);
    assert_eq!(store.selections_recent(1).await.unwrap(), selections[..1]);
}

/// A21: unknown, malformed and foreign identifiers are stored unlinked and never fail.
pub async fn a21_calls_are_linked_to_their_own_selection(store: &Store) {
    let recorder = Recorder::start(store.clone(), FOREVER);
    recorder.record_selection(selection("mine", "k1", 1));
    recorder.record_selection(selection("theirs", "k2", 1));
    let long = "x".repeat(1_000_000);
    for (index, (sent, linked)) in [
        (Some("mine"), Some("mine")),
        (Some("theirs"), None),
        (Some("later"), None),
        (Some(""), None),
        (Some("MINE"), None),
        (Some("' OR '1' = '1"), None),
        (Some("mi\0ne"), None),
        (Some(long.as_str()), None),
        (None, None),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("c{index}");
        recorder.record_call(call(&id, "k1", sent, 2));
        recorder.flush().await;
        let calls = store.calls_recent(100).await.unwrap();
        let stored = calls.iter().find(|call| call.id == id).expect("stored");
        assert_eq!(
            stored.query_id.as_deref(),
            linked,
            "{:.40}",
            sent.unwrap_or("none")
        );
    }
    recorder.record_selection(selection("later", "k1", 3));
    recorder.record_call(call("last", "k1", Some("later"), 3));
    recorder.flush().await;
    let ids: Vec<_> = store.calls_by_query("later").await.unwrap();
    assert_eq!(ids.len(), 1, "only the call that came after its selection");
    assert_eq!(recorder.dropped(), 0);
}

pub async fn a_call_outlives_its_selection(store: &Store) {
    let recorder = Recorder::start(store.clone(), FOREVER);
    recorder.record_selection(selection("q", "k", 10));
    recorder.record_call(call("c", "k", Some("q"), 20));
    recorder.flush().await;
    assert_eq!(store.record_prune(15, 100).await.unwrap(), 1);
    assert_eq!(store.selections_recent(9).await.unwrap(), []);
    assert_eq!(store.calls_recent(9).await.unwrap(), [call("c", "k", None, 20)]);
}

pub async fn pruning_keeps_the_newest(store: &Store) {
    let recorder = Recorder::start(store.clone(), FOREVER);
    for number in 0..20 {
        // Pairs share a millisecond: the bound still holds exactly.
        recorder.record_call(call(&format!("c{number:02}"), "k", None, number / 2));
        recorder.record_selection(selection(&format!("q{number:02}"), "k", number / 2));
    }
    recorder.flush().await;
    assert_eq!(store.record_prune(0, 20).await.unwrap(), 0);
    assert_eq!(store.record_prune(2, 20).await.unwrap(), 8);
    assert_eq!(store.record_prune(0, 5).await.unwrap(), 22);
    let left: Vec<_> = store.calls_recent(100).await.unwrap();
    let ids: Vec<_> = left.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["c19", "c18", "c17", "c16", "c15"]);
    assert_eq!(store.selections_recent(100).await.unwrap().len(), 5);
    assert_eq!(store.record_prune(0, 0).await.unwrap(), 10);
    assert_eq!(store.record_prune(i64::MAX, 0).await.unwrap(), 0);
}

pub async fn recording_twice_changes_nothing(store: &Store) {
    let recorder = Recorder::start(store.clone(), FOREVER);
    recorder.record_selection(selection("q", "k1", 1));
    recorder.record_selection(selection("q", "k2", 2));
    recorder.record_call(call("c", "k1", None, 1));
    recorder.record_call(call("c", "k2", None, 2));
    recorder.flush().await;
    assert_eq!(recorder.dropped(), 0);
    assert_eq!(
        store.selections_recent(9).await.unwrap(),
        [selection("q", "k1", 1)]
    );
    assert_eq!(store.calls_recent(9).await.unwrap(), [call("c", "k1", None, 1)]);
}

pub async fn recorders_and_readers_share_the_store(store: &Store) {
    let tasks: Vec<_> = (0..4)
        .map(|task| {
            let store = store.clone();
            tokio::spawn(async move {
                let recorder = Recorder::start(store.clone(), FOREVER);
                for number in 0..200 {
                    let (id, key) = (format!("{task}-{number}"), format!("k{task}"));
                    recorder.record_selection(selection(&id, &key, number));
                    recorder.record_call(call(&id, &key, Some(&id), number));
                    if number % 50 == 0 {
                        store.calls_recent(10).await.unwrap();
                    }
                }
                recorder.flush().await;
                assert_eq!(recorder.dropped(), 0);
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let calls = store.calls_recent(10_000).await.unwrap();
    assert_eq!(calls.len(), 800);
    assert!(calls.iter().all(|call| call.query_id.as_ref() == Some(&call.id)));
}

/// What may happen: a selection (`true`) or a call, of one key, with a query identifier, at a time.
type Event = (bool, u8, u8, i64);

/// Random histories against plain maps.
pub async fn linking_and_pruning_match_a_naive_twin(open: &impl AsyncFn() -> Store) {
    let history = prop::collection::vec((any::<bool>(), 0..2_u8, 0..6_u8, 0..12_i64), 0..40);
    let case = (history, 0..8_i64, 0..12_u32);
    let mut runner = TestRunner::deterministic();
    for _ in 0..24 {
        let (history, older_than_ms, keep) = case.new_tree(&mut runner).unwrap().current();
        let store = open().await;
        let recorder = Recorder::start(store.clone(), FOREVER);
        for (index, &(is_selection, key, query, at_ms)) in history.iter().enumerate() {
            let (key, query) = (format!("k{key}"), format!("q{query}"));
            if is_selection {
                recorder.record_selection(selection(&query, &key, at_ms));
            } else {
                recorder.record_call(call(&format!("c{index:02}"), &key, Some(&query), at_ms));
            }
        }
        recorder.flush().await;
        store.record_prune(older_than_ms, keep).await.unwrap();
        let (selections, calls) = naive(&history, older_than_ms, keep);
        let left = store.selections_recent(100).await.unwrap();
        let left: Vec<_> = left.into_iter().map(|one| (one.at_ms, one.query_id)).collect();
        assert_eq!(left, selections, "{history:?} {older_than_ms} {keep}");
        let left = store.calls_recent(100).await.unwrap();
        let left: Vec<_> = left
            .into_iter()
            .map(|one| (one.at_ms, one.id, one.query_id))
            .collect();
        assert_eq!(left, calls, "{history:?} {older_than_ms} {keep}");
    }
}

type Selections = Vec<(i64, String)>;
type Calls = Vec<(i64, String, Option<String>)>;

/// What is left of a history, newest first.
fn naive(history: &[Event], older_than_ms: i64, keep: u32) -> (Selections, Calls) {
    let mut owners: BTreeMap<u8, u8> = BTreeMap::new();
    let mut selections = Selections::new();
    let mut calls = Calls::new();
    for (index, &(is_selection, key, query, at_ms)) in history.iter().enumerate() {
        if !is_selection {
            let linked = (owners.get(&query) == Some(&key)).then(|| format!("q{query}"));
            calls.push((at_ms, format!("c{index:02}"), linked));
        } else if let std::collections::btree_map::Entry::Vacant(slot) = owners.entry(query) {
            slot.insert(key);
            selections.push((at_ms, format!("q{query}")));
        }
    }
    let keep = usize::try_from(keep).unwrap();
    selections.retain(|(at_ms, _)| *at_ms >= older_than_ms);
    selections.sort_by(|a, b| b.cmp(a));
    selections.truncate(keep);
    calls.retain(|(at_ms, ..)| *at_ms >= older_than_ms);
    calls.sort_by(|a, b| (b.0, &b.1).cmp(&(a.0, &a.1)));
    calls.truncate(keep);
    for (.., linked) in &mut calls {
        linked.take_if(|query| !selections.iter().any(|(_, kept)| kept == query));
    }
    (selections, calls)
}
