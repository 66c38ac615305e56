//! Which revision of MCP is spoken, and what does it require on each request?

/// The stateless revision: no handshake, metadata on every request.
pub const MODERN: &str = "2026-07-28";

/// Revisions that open with `initialize`, newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Every revision spoken, newest first.
pub const SUPPORTED: [&str; 5] = [MODERN, LEGACY[0], LEGACY[1], LEGACY[2], LEGACY[3]];

/// Request metadata: the protocol revision of this request.
pub const META_PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Request metadata: name and version of the client.
pub const META_CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// Request metadata: what the client can do.
pub const META_CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Notification metadata: the `subscriptions/listen` request it belongs to.
pub const META_SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// Result metadata: name and version of the server.
pub const META_SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Result metadata of our own: names the corpus and the presentation that a list or a finding was made from.
pub const META_SNAPSHOT: &str = "handpick/snapshot";

/// The two ways MCP has worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// 2026-07-28 and later: stateless.
    Modern,
    /// 2025-11-25 and earlier: a session begun by `initialize`.
    Legacy,
}

impl Era {
    /// The era a revision belongs to; `None` for one that is not spoken here.
    pub fn of(version: &str) -> Option<Self> {
        if version == MODERN {
            Some(Self::Modern)
        } else {
            LEGACY.contains(&version).then_some(Self::Legacy)
        }
    }

    /// Stable spelling for storage and display.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Legacy => "legacy",
        }
    }
}
