//! How is a server doing, in words?

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::{Facts, Server};
use crate::lock::lock;
use crate::{ServerState, ServerStatus};

impl Server {
    /// The server at this moment.
    pub fn status(&self) -> ServerStatus {
        let mut facts = lock(&self.facts);
        self.notice_end(&mut facts);
        ServerStatus {
            name: self.config.name.clone(),
            transport: facts
                .memory
                .transport
                .unwrap_or_else(|| self.config.transport.kind()),
            state: self.state(&facts),
            era: facts.memory.era,
            tools: facts.tools,
            problem: self.problem(&facts),
            skipped: facts.skipped.clone(),
            stderr: self.signals.stderr(),
            noise_lines: self.signals.noise_lines.load(Ordering::Relaxed),
            restarts: facts.restarts,
            fetched_at_ms: facts.fetched_at_ms,
        }
    }

    fn state(&self, facts: &Facts) -> ServerState {
        if self.open_link().is_some() {
            if self.trouble.load().is_some() {
                ServerState::Failed
            } else {
                ServerState::Ready
            }
        } else if facts.connecting || !*self.settled.borrow() {
            ServerState::Starting
        } else if facts.start_pause.remaining(Instant::now()).is_some() {
            ServerState::BackingOff
        } else if facts.list_problem.is_some() || facts.last_fault.is_some() {
            ServerState::Failed
        } else {
            ServerState::Cached
        }
    }

    fn problem(&self, facts: &Facts) -> Option<String> {
        if let Some(trouble) = &*self.trouble.load() {
            return Some(format!("its last call had no answer: {trouble}"));
        }
        let failure = facts.connect_problem.as_ref().or(facts.list_problem.as_ref());
        let Some(failure) = failure else {
            return facts.remark.clone();
        };
        if facts.list_problem.is_some() && facts.listed.is_some() {
            return Some(format!("{failure}; the tools it listed before are still offered"));
        }
        Some(failure.clone())
    }
}
