//! How is a server doing?

use handpick_protocol::Era;

use crate::TransportKind;

/// One server at one moment, for people.
#[derive(Clone, Debug)]
pub struct ServerStatus {
    /// Name of the server.
    pub name: String,
    /// How it is reached: the configured transport, or HTTP+SSE where only that worked.
    pub transport: TransportKind,
    /// What it is doing.
    pub state: ServerState,
    /// The era it speaks, once known.
    pub era: Option<Era>,
    /// How many of its tools are in the catalog.
    pub tools: usize,
    /// What is wrong, in words.
    pub problem: Option<String>,
    /// Listed tools that are not offered.
    pub skipped: Vec<SkippedTool>,
    /// The last lines of its standard error, oldest first; stdio only.
    pub stderr: Vec<String>,
    /// Lines on its standard output that were no messages; stdio only.
    pub noise_lines: u64,
    /// How often it was started again after it had stopped by itself; stdio only.
    pub restarts: u64,
    /// When its list was fetched, milliseconds since 1970; from an earlier run where cached.
    pub fetched_at_ms: Option<u64>,
}

/// What a server is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServerState {
    /// Its list is known from before; it is contacted when a call needs it.
    Cached,
    /// It is being started or listed for the first time.
    Starting,
    /// It is connected.
    Ready,
    /// It stopped; the next start waits a moment.
    BackingOff,
    /// The last attempt to reach it or to list its tools failed. Tried again at growing intervals,
    /// and on the next call.
    Failed,
}

impl ServerState {
    /// Stable spelling for storage and display.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cached => "cached",
            Self::Starting => "starting",
            Self::Ready => "ready",
            Self::BackingOff => "backing off",
            Self::Failed => "failed",
        }
    }
}

/// A listed tool that is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedTool {
    /// Its own name, or its position in the list where it has none.
    pub tool: String,
    /// Why.
    pub reason: String,
}
