//! How are selections and calls recorded without slowing them down?
//!
//! A caller hands a record over and goes on; one background task writes what has piled up in a single
//! transaction. When records come faster than the disk takes them, the surplus is dropped and counted:
//! losing history is better than losing time or memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::{Notify, mpsc, oneshot};

use crate::{CallRecord, SelectionRecord, Store};

mod limits;
mod writer;

use writer::Writer;

/// Records that may wait. At a thousand calls a second this is four seconds of a stuck disk.
const QUEUE_RECORDS: usize = 4096;

/// Bytes of text in records that may wait.
const QUEUE_BYTES: usize = 16 << 20;

/// How much history is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Longest age of a record; checked once an hour.
    pub age_ms_max: i64,
    /// Most selections, and most calls; checked once an hour and after every five thousand records, so
    /// that there may be that many more for a moment.
    pub rows_max: u32,
}

impl Default for Retention {
    /// Thirty days, and a hundred thousand of each.
    fn default() -> Self {
        Self {
            age_ms_max: 30 * 24 * 60 * 60 * 1000,
            rows_max: 100_000,
        }
    }
}

/// The handle records are handed to. Cheap to clone; the background task ends with the last clone.
#[derive(Clone, Debug)]
pub struct Recorder {
    queue: mpsc::Sender<Entry>,
    load: Arc<Load>,
}

/// What travels to the background task. Order is kept, so a call never overtakes its selection.
#[derive(Debug)]
enum Entry {
    Selection(SelectionRecord),
    Call(CallRecord),
    /// Answered when everything before it is written.
    Flush(oneshot::Sender<()>),
}

/// What the handles and the background task both count.
#[derive(Debug, Default)]
struct Load {
    /// Bytes of text handed over and not yet written.
    waiting_bytes: AtomicUsize,
    /// Records lost.
    dropped: AtomicU64,
    /// Ends the writer's wait for a fuller batch.
    flush_wanted: Notify,
}

impl Recorder {
    /// Starts the background task on the current tokio runtime, which must have its timer enabled.
    pub fn start(store: Store, retention: Retention) -> Self {
        Self::start_with_queue(store, retention, QUEUE_RECORDS)
    }

    fn start_with_queue(store: Store, retention: Retention, queue_records: usize) -> Self {
        let (queue, entries) = mpsc::channel(queue_records);
        let load = Arc::new(Load::default());
        tokio::spawn(Writer::new(store, retention, Arc::clone(&load)).run(entries));
        Self { queue, load }
    }

    /// Records a selection. Returns at once.
    pub fn record_selection(&self, mut record: SelectionRecord) {
        limits::selection_limit(&mut record);
        self.hand_over(Entry::Selection(record));
    }

    /// Records a call. Returns at once.
    pub fn record_call(&self, mut record: CallRecord) {
        limits::call_limit(&mut record);
        self.hand_over(Entry::Call(record));
    }

    /// Waits until everything handed over before is written or given up. For shutdown.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        // Either end fails only when the background task is gone, with its runtime: nothing to wait for.
        if self.queue.send(Entry::Flush(done)).await.is_ok() {
            self.load.flush_wanted.notify_one();
            let _ = written.await;
        }
    }

    /// How many records were lost since the start: no room, or the database failed.
    pub fn dropped(&self) -> u64 {
        self.load.dropped.load(Ordering::Relaxed)
    }

    fn hand_over(&self, entry: Entry) {
        let bytes = entry.bytes();
        let waiting = self.load.waiting_bytes.fetch_add(bytes, Ordering::Relaxed);
        if waiting + bytes > QUEUE_BYTES || self.queue.try_send(entry).is_err() {
            self.load.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.load.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Entry {
    /// Bytes of text that may be long.
    fn bytes(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        match self {
            Self::Selection(record) => record.tools_json.len() + length(&record.tasks_json),
            Self::Call(record) => {
                record.tool.len()
                    + length(&record.error)
                    + length(&record.query_id)
                    + length(&record.arguments_json)
                    + length(&record.result_json)
            }
            Self::Flush(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests;
