//! What do all servers offer together?

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use arc_swap::ArcSwap;
use handpick_domain::{Catalog, Tool};
use tokio::sync::{Semaphore, watch};

use crate::CatalogCache;
use crate::http::connector::Clients;
use crate::lock::lock;

/// Processes that are started at the same time to list their tools. Calls are not counted.
const FETCHES_MAX: usize = 16;

/// What all servers share: the merged catalog, the cache and the connection pools.
pub(crate) struct Hub {
    /// Lists from run to run.
    pub cache: Arc<dyn CatalogCache>,
    /// HTTP connections.
    pub clients: Clients,
    /// Places for background fetches.
    pub fetches: Semaphore,
    merged: ArcSwap<Catalog>,
    changes: watch::Sender<u64>,
    parts: Mutex<BTreeMap<String, Vec<Arc<Tool>>>>,
}

impl Hub {
    /// Nothing is offered yet.
    pub fn new(cache: Arc<dyn CatalogCache>) -> Self {
        Self {
            cache,
            clients: Clients::default(),
            fetches: Semaphore::new(FETCHES_MAX),
            merged: ArcSwap::from_pointee(Catalog::new(0, Vec::new())),
            changes: watch::Sender::new(0),
            parts: Mutex::default(),
        }
    }

    /// The merged catalog as it is now.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.merged.load_full()
    }

    /// Generations of the merged catalog.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Replaces what some servers offer, and the merged catalog with it.
    pub fn publish(&self, offers: impl IntoIterator<Item = (String, Vec<Arc<Tool>>)>) {
        let mut parts = lock(&self.parts);
        parts.extend(offers);
        let tools = parts.values().flatten().map(Arc::clone).collect();
        let generation = self.merged.load().generation() + 1;
        // Under the lock, so that a slower merge never replaces a newer one.
        self.merged.store(Arc::new(Catalog::new(generation, tools)));
        self.changes.send_replace(generation);
    }
}
