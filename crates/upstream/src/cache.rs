//! Which lists are remembered from one run to the next?

use async_trait::async_trait;
use handpick_protocol::Era;

use crate::TransportKind;

/// Remembers what servers listed, so that a restart starts nothing that is not called.
#[async_trait]
pub trait CatalogCache: Send + Sync {
    /// Every remembered list. Asked once, at start; what cannot be read is left out.
    async fn load_all(&self) -> Vec<CachedCatalog>;

    /// Remembers a list in place of the server's former one. Failures are the cache's to report: the
    /// list is served all the same.
    async fn save(&self, catalog: CachedCatalog);
}

/// What one server listed, and what was learnt about it on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedCatalog {
    /// Name of the server.
    pub server: String,
    /// [`ServerConfig::digest`](crate::ServerConfig::digest) at the time.
    pub settings_digest: String,
    /// The era the server spoke.
    pub era: Option<Era>,
    /// The transport that worked: a server configured as HTTP may have turned out to speak HTTP+SSE.
    pub transport: TransportKind,
    /// The tools as the server sent them: one JSON array, pages joined.
    pub tools: String,
    /// When the list was fetched, milliseconds since 1970.
    pub fetched_at_ms: u64,
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

#[async_trait]
impl CatalogCache for NoCache {
    async fn load_all(&self) -> Vec<CachedCatalog> {
        Vec::new()
    }

    async fn save(&self, _catalog: CachedCatalog) {}
}
