//! How does a connection tell its server that something happened?

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::Notify;

use crate::lock::lock;

/// Lines of standard error that are kept.
const STDERR_LINES_MAX: usize = 200;

/// What connections report, across all connections of one server.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    changed: AtomicBool,
    wake: Notify,
    /// Lines on standard output that were no messages.
    pub noise_lines: AtomicU64,
    stderr: Mutex<VecDeque<String>>,
}

impl Signals {
    /// The list may be out of date: the server said so, or may have said so unheard.
    pub fn tools_changed(&self) {
        self.changed.store(true, Ordering::Relaxed);
        self.wake.notify_one();
    }

    /// The list is about to be fetched: whatever was said before is dealt with.
    pub fn tools_seen(&self) {
        self.changed.store(false, Ordering::Relaxed);
    }

    /// Waits until the list is out of date.
    pub async fn until_changed(&self) {
        while !self.changed.load(Ordering::Relaxed) {
            self.wake.notified().await;
        }
    }

    /// Counts a line of noise.
    pub fn noise(&self) {
        self.noise_lines.fetch_add(1, Ordering::Relaxed);
    }

    /// Keeps a line of standard error.
    pub fn stderr_line(&self, line: String) {
        let mut lines = lock(&self.stderr);
        if lines.len() == STDERR_LINES_MAX {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The kept lines, oldest first.
    pub fn stderr(&self) -> Vec<String> {
        let lines = lock(&self.stderr);
        lines.iter().cloned().collect()
    }

    /// The last line that is not blank.
    pub fn stderr_last(&self) -> Option<String> {
        let lines = lock(&self.stderr);
        lines.iter().rev().find(|line| !line.trim().is_empty()).cloned()
    }
}
