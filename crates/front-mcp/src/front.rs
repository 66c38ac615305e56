//! What do all MCP connections share?

use std::sync::Arc;
use std::time::Duration;

use handpick_operations::Runtime;

use crate::session::Sessions;
use crate::suspended::Suspended;

/// Largest request body (E8).
pub const BODY_BYTES_MAX: usize = 8 * 1024 * 1024;
/// How often an idle event stream shows that it is alive.
pub const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long a modern client may reuse a list before asking again.
pub const LIST_TTL: Duration = Duration::from_secs(60);

/// The MCP side of one gateway process.
pub struct McpFront {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) sessions: Sessions,
    /// Calls whose stateless client was asked.
    pub(crate) suspended: Arc<Suspended>,
    pub(crate) allowed_origins: Vec<String>,
}

impl McpFront {
    /// A front over `runtime`. Browsers are let in from loopback and from `allowed_origins`.
    pub fn new(runtime: Arc<Runtime>, allowed_origins: Vec<String>) -> Self {
        Self {
            runtime,
            sessions: Sessions::default(),
            suspended: Arc::default(),
            allowed_origins,
        }
    }
}
