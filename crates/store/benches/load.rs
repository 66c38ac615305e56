//! How long does a start wait for the store, and a call for its record?
//!
//! The corpus is the captured catalogs of 87 real servers (7.6 MB of JSON) when `HANDPICK_SHARED` or
//! `../shared` holds them, else as many made-up ones of the same size; and 3,207 vectors of 400 bytes.
//! The file is warm in the page cache, as it is after an install or a restart.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "benchmarks may fail loudly"
)]

use std::path::{Path, PathBuf};

use divan::{Bencher, counter::ItemsCount};
use handpick_store::{
    CachedCatalog, CallOutcome, CallRecord, Recorder, Retention, SelectionRecord, SelectionSource, Store,
};
use tempfile::{TempDir, tempdir};
use tokio::runtime::Runtime;

const ENCODER: &str = "bench";

fn main() {
    divan::main();
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
}

fn catalog_texts() -> Vec<String> {
    let shared = std::env::var_os("HANDPICK_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    match std::fs::read_dir(shared.join("catalogs")) {
        Ok(files) => files
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .collect(),
        Err(_) => {
            println!("no captured catalogs under {}: made-up ones", shared.display());
            vec![format!("[{}]", "1,".repeat(44_000)); 87]
        }
    }
}

fn vectors() -> Vec<([u8; 32], Vec<u8>)> {
    (0..3_207_u32)
        .map(|number| {
            // Spread like hashes are, so that the index grows in no order.
            let mut digest = [0; 32];
            for (index, byte) in digest.iter_mut().enumerate() {
                *byte = (number.wrapping_mul(2_654_435_761) >> (index % 4 * 8)).to_le_bytes()[0];
            }
            (digest, vec![7; 400])
        })
        .collect()
}

fn filled(runtime: &Runtime) -> (TempDir, Store) {
    let folder = tempdir().unwrap();
    let store = runtime.block_on(async {
        let store = Store::open(folder.path()).await.unwrap();
        for (index, tools_json) in catalog_texts().into_iter().enumerate() {
            let catalog = CachedCatalog {
                server: format!("server-{index}"),
                settings_digest: "0".repeat(64),
                era: Some("2025-11-25".into()),
                transport: Some("stdio".into()),
                tools_json,
                server_info_json: Some("{}".into()),
                fetched_at_ms: 0,
            };
            store.catalog_save(&catalog).await.unwrap();
        }
        store.vectors_save(ENCODER, &vectors()).await.unwrap();
        store.close().await;
        Store::open(folder.path()).await.unwrap()
    });
    (folder, store)
}

fn call(number: u64) -> CallRecord {
    CallRecord {
        id: format!("6b2f0000-0000-4000-8000-{number:012}"),
        at_ms: i64::try_from(number).unwrap(),
        key_id: "0123456789ab".into(),
        user_id: Some("user@example.com".into()),
        gateway: Some("default".into()),
        tool: "Slack.SendMessage".into(),
        source: "recommend/mcp".into(),
        outcome: CallOutcome::Ok,
        error: None,
        latency_us: 1_234,
        query_id: Some(format!("q{}", number / 3)),
        arguments_json: None,
        result_json: None,
        decision: None,
    }
}

fn selection(number: u64) -> SelectionRecord {
    SelectionRecord {
        query_id: format!("q{number}"),
        at_ms: i64::try_from(number).unwrap(),
        key_id: "0123456789ab".into(),
        user_id: None,
        gateway: Some("default".into()),
        source: SelectionSource::Select,
        tasks: 2,
        tasks_json: None,
        tools_json: r#"[{"name":"Slack.SendMessage","score":0.9123}]"#.repeat(10),
        latency_us: 800,
    }
}

#[divan::bench]
fn open_fresh(bencher: Bencher) {
    let runtime = runtime();
    bencher
        .with_inputs(|| tempdir().unwrap())
        .bench_local_refs(|folder| runtime.block_on(Store::open(folder.path())).unwrap());
}

#[divan::bench]
fn open_filled(bencher: Bencher) {
    let runtime = runtime();
    let (folder, store) = filled(&runtime);
    runtime.block_on(store.close());
    bencher.bench_local(|| {
        runtime.block_on(async {
            Store::open(folder.path()).await.unwrap().close().await;
        });
    });
}

#[divan::bench]
fn catalogs_load(bencher: Bencher) {
    let runtime = runtime();
    let (_folder, store) = filled(&runtime);
    bencher.bench_local(|| runtime.block_on(store.catalog_load_all()).unwrap());
}

#[divan::bench]
fn vectors_load(bencher: Bencher) {
    let runtime = runtime();
    let (_folder, store) = filled(&runtime);
    bencher.bench_local(|| runtime.block_on(store.vectors_load(ENCODER)).unwrap());
}

#[divan::bench(sample_count = 20)]
fn vectors_save(bencher: Bencher) {
    let runtime = runtime();
    let folder = tempdir().unwrap();
    let store = runtime.block_on(Store::open(folder.path())).unwrap();
    let vectors = vectors();
    bencher.bench_local(|| runtime.block_on(store.vectors_save(ENCODER, &vectors)).unwrap());
}

/// What a call pays: the hand-over alone. The queue is emptied between samples.
#[divan::bench(sample_count = 50, sample_size = 256)]
fn record_hand_over(bencher: Bencher) {
    let runtime = runtime();
    let folder = tempdir().unwrap();
    let store = runtime.block_on(Store::open(folder.path())).unwrap();
    let recorder = {
        let _guard = runtime.enter();
        Recorder::start(store, Retention::default())
    };
    let mut number = 0;
    bencher
        .with_inputs(|| {
            runtime.block_on(recorder.flush());
            number += 1;
            call(number)
        })
        .bench_local_values(|call| recorder.record_call(call));
}

/// What the background task manages: a thousand calls and their selections until they are on disk.
#[divan::bench(sample_count = 20)]
fn record_to_disk(bencher: Bencher) {
    let runtime = runtime();
    let folder = tempdir().unwrap();
    let store = runtime.block_on(Store::open(folder.path())).unwrap();
    let recorder = {
        let _guard = runtime.enter();
        Recorder::start(
            store,
            Retention {
                age_ms_max: i64::MAX,
                ..Retention::default()
            },
        )
    };
    let mut next = 0;
    bencher.counter(ItemsCount::new(1_333_u32)).bench_local(|| {
        for number in next..next + 1_000 {
            if number % 3 == 0 {
                recorder.record_selection(selection(number / 3));
            }
            recorder.record_call(call(number));
        }
        next += 1_000;
        runtime.block_on(recorder.flush());
        assert_eq!(recorder.dropped(), 0);
    });
}
