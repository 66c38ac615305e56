//! Which servers are there, and which one is called?

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use handpick_access::Permit;
use handpick_domain::{Catalog, Tool};
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::hub::Hub;
use crate::server::Server;
use crate::{CallError, CatalogCache, ServerConfig, ServerStatus, ToolCall};

/// All configured servers.
pub struct Upstreams {
    servers: BTreeMap<String, Arc<Server>>,
    hub: Arc<Hub>,
}

impl Upstreams {
    /// Takes over the remembered lists and returns at once. Servers without a fresh one are started
    /// and listed in the background, a few at a time; the others are started by their first call. Of
    /// two servers with the same name the first counts.
    ///
    /// Must be called within a tokio runtime that lives as long as the servers should.
    pub async fn start(configs: Vec<ServerConfig>, cache: Arc<dyn CatalogCache>) -> Arc<Self> {
        let hub = Arc::new(Hub::new(Arc::clone(&cache)));
        let mut servers = BTreeMap::new();
        for config in configs {
            servers
                .entry(config.name.clone())
                .or_insert_with(|| Arc::new(Server::new(config, Arc::clone(&hub))));
        }
        let mut remembered: HashMap<_, _> = cache
            .load_all()
            .await
            .into_iter()
            .map(|cached| (cached.server.clone(), cached))
            .collect();
        hub.publish(servers.iter().filter_map(|(name, server)| {
            let tools = server.recall(&remembered.remove(name)?)?;
            Some((name.clone(), tools))
        }));
        for server in servers.values() {
            tokio::spawn(Arc::clone(server).keep());
        }
        Arc::new(Self { servers, hub })
    }

    /// Every tool of every server, as known now. Cheap.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.hub.catalog()
    }

    /// Whether a configured server has this name, whatever its case.
    pub fn serves(&self, name: &str) -> bool {
        self.servers
            .keys()
            .any(|server| server.eq_ignore_ascii_case(name))
    }

    /// Replaces the tools that the gateway itself offers under the name `app`; none takes them away.
    pub fn offer(&self, app: &str, tools: Vec<Arc<Tool>>) {
        self.hub.publish([(app.to_owned(), tools)]);
    }

    /// The generation of the catalog, whenever it changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.hub.changes()
    }

    /// Calls the tool the permit names; the result is exactly what the server sent. Dropping the
    /// future cancels the call upstream and withdraws what its client is being asked. A call that may have reached
    /// its server is never repeated, except for a server that asks for something and wants it sent again (2026-07-28).
    pub async fn call(&self, permit: Permit, call: ToolCall) -> Result<Box<RawValue>, CallError> {
        let name = &permit.tool().name;
        let Some(server) = self.servers.get(name.app()) else {
            return Err(CallError::Unavailable {
                server: name.app().to_owned(),
                reason: "it is not configured".to_owned(),
            });
        };
        server.call(name.tool(), &call).await
    }

    /// How every server is doing, by name.
    pub fn status(&self) -> Vec<ServerStatus> {
        self.servers.values().map(|server| server.status()).collect()
    }

    /// Waits until the first attempt to have a list has ended for every server, `limit` at most.
    pub async fn settled(&self, limit: Duration) {
        let all = async {
            for server in self.servers.values() {
                server.settled().await;
            }
        };
        let _ = timeout(limit, all).await;
    }

    /// Fetches one server's list now, starting the server if need be. The outcome is in its status.
    pub async fn refresh(&self, server: &str) {
        if let Some(server) = self.servers.get(server) {
            server.list().await;
        }
    }

    /// Ends all servers at once, politely first: no process survives this.
    pub async fn shutdown(&self) {
        let mut ending: JoinSet<()> = self
            .servers
            .values()
            .map(|server| {
                let server = Arc::clone(server);
                async move { server.shutdown().await }
            })
            .collect();
        while ending.join_next().await.is_some() {}
    }
}

impl Drop for Upstreams {
    fn drop(&mut self) {
        for server in self.servers.values() {
            server.closing.cancel();
        }
    }
}
