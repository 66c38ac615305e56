//! What does the background task do with the records it is handed?

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::{Entry, Load, Retention};
use crate::CallRecord;
use crate::record::{CALLS_PER_STATEMENT, calls_insert, selection_insert};
use crate::{Store, StoreError};

/// Records written in one transaction at most: they share one wait for the disk.
const BATCH_RECORDS: usize = 1024;

/// How long the first record of a batch waits for others. Many records in one transaction touch each page
/// of the database once; a crash loses at most this much history.
const BATCH_WAIT: Duration = Duration::from_millis(50);

/// Records after which the number of rows is brought back within its bound.
const PRUNE_AFTER_RECORDS: usize = 5000;

/// How often old records are looked for when little is written.
const PRUNE_INTERVAL: Duration = Duration::from_secs(60 * 60);

pub(super) struct Writer {
    store: Store,
    retention: Retention,
    load: Arc<Load>,
    written_since_prune: usize,
    failing: bool,
}

impl Writer {
    pub(super) fn new(store: Store, retention: Retention, load: Arc<Load>) -> Self {
        Self {
            store,
            retention,
            load,
            written_since_prune: 0,
            failing: false,
        }
    }

    /// Writes until the last handle is gone and nothing waits.
    pub(super) async fn run(mut self, mut entries: mpsc::Receiver<Entry>) {
        let mut batch = Vec::with_capacity(BATCH_RECORDS);
        let mut prune = interval(PRUNE_INTERVAL);
        prune.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                count = entries.recv_many(&mut batch, BATCH_RECORDS) => {
                    if count == 0 {
                        return;
                    }
                    self.gather(&mut entries, &mut batch).await;
                    self.batch_write(&mut batch).await;
                }
                // The first tick comes at once.
                _ = prune.tick() => self.prune().await,
            }
        }
    }

    /// Gives a batch a moment to fill, unless it is full or somebody waits for it. Asleep meanwhile, so that
    /// handing a record over wakes nobody.
    async fn gather(&self, entries: &mut mpsc::Receiver<Entry>, batch: &mut Vec<Entry>) {
        if batch.len() < BATCH_RECORDS && !batch.iter().any(|entry| matches!(entry, Entry::Flush(_))) {
            tokio::select! {
                () = sleep(BATCH_WAIT) => {}
                () = self.load.flush_wanted.notified() => {}
            }
        }
        while batch.len() < BATCH_RECORDS
            && let Ok(entry) = entries.try_recv()
        {
            batch.push(entry);
        }
    }

    async fn batch_write(&mut self, batch: &mut Vec<Entry>) {
        let records = batch
            .iter()
            .filter(|entry| !matches!(entry, Entry::Flush(_)))
            .count();
        if records > 0 {
            let result = self.transaction_write(batch).await;
            if result.is_err() {
                let lost = u64::try_from(records).unwrap_or(u64::MAX);
                self.load.dropped.fetch_add(lost, Ordering::Relaxed);
            }
            self.report(result.map_err(|error| self.store.failed(error)));
            let bytes = batch.iter().map(Entry::bytes).sum();
            self.load.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.written_since_prune += records;
            if self.written_since_prune >= PRUNE_AFTER_RECORDS {
                self.prune().await;
            }
        }
        for entry in batch.drain(..) {
            if let Entry::Flush(done) = entry {
                // Whoever asked may have stopped waiting.
                let _ = done.send(());
            }
        }
    }

    async fn transaction_write(&self, batch: &[Entry]) -> Result<(), sqlx::Error> {
        let mut transaction = self.store.pool.begin().await?;
        let mut calls: Vec<&CallRecord> = Vec::with_capacity(CALLS_PER_STATEMENT);
        for entry in batch {
            // A call links only to selections that came before it, so the order is kept.
            let full = calls.len() == CALLS_PER_STATEMENT;
            if (full || matches!(entry, Entry::Selection(_))) && !calls.is_empty() {
                calls_insert(&mut transaction, &calls).await?;
                calls.clear();
            }
            match entry {
                Entry::Selection(record) => selection_insert(&mut transaction, record).await?,
                Entry::Call(record) => calls.push(record),
                Entry::Flush(_) => {}
            }
        }
        if !calls.is_empty() {
            calls_insert(&mut transaction, &calls).await?;
        }
        transaction.commit().await
    }

    async fn prune(&mut self) {
        self.written_since_prune = 0;
        let oldest_ms = now_ms().saturating_sub(self.retention.age_ms_max);
        let result = self.store.record_prune(oldest_ms, self.retention.rows_max).await;
        self.report(result.map(|_| ()));
    }

    /// Logs the first of a series of failures, and its end.
    fn report(&mut self, result: Result<(), StoreError>) {
        match result {
            Ok(()) if self.failing => {
                self.failing = false;
                let dropped = self.load.dropped.load(Ordering::Relaxed);
                tracing::info!(dropped, "records are written again, {dropped} were lost");
            }
            Ok(()) => {}
            Err(error) if !self.failing => {
                self.failing = true;
                tracing::warn!(%error, "selections and calls are not recorded: {error}");
            }
            Err(_) => {}
        }
    }
}

fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or_default()
}
