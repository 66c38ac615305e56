//! When is a server's list fetched, and what becomes of it?

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use handpick_domain::{Tool, ToolKind};
use handpick_protocol::Era;
use tokio::time::{sleep, timeout};

use super::Server;
use crate::connect::Memory;
use crate::fault::Fault;
use crate::link::Link;
use crate::list::{self, Listing};
use crate::lock::lock;
use crate::{CachedCatalog, TransportKind};

/// A server that keeps saying that its tools changed is listed at most this often.
const LIST_SPACING: Duration = Duration::from_secs(1);

/// How long a server may keep its place among those that are started at the same time.
const TURN: Duration = Duration::from_secs(5);

/// A list is not fetched again for its age sooner than this, whatever age is configured.
const REFRESH_SPACING: Duration = Duration::from_secs(60);

impl Server {
    /// Takes over a remembered list. Returns the tools it offers, or nothing if it cannot be read.
    pub fn recall(&self, cached: &CachedCatalog) -> Option<Vec<Arc<Tool>>> {
        let same_settings = cached.settings_digest == self.config.digest;
        let mirrored = cached.era == Some(Era::Modern) && cached.transport == TransportKind::Http;
        let listing = list::assemble(&self.config.name, &cached.tools, mirrored).ok()?;
        let mut facts = lock(&self.facts);
        if same_settings {
            facts.memory = Memory {
                era: cached.era,
                transport: Some(cached.transport),
            };
        }
        facts.fetched_at_ms = Some(cached.fetched_at_ms);
        facts.listed = Some(fingerprint(&listing.text, mirrored));
        facts.tools = listing.tools.len();
        facts.skipped = listing.skipped;
        self.mirrors.store(Arc::new(listing.mirrors));
        let age = Duration::from_millis(now_ms().saturating_sub(cached.fetched_at_ms));
        if same_settings && age < self.config.catalog_max_age {
            self.settled.send_replace(true);
        }
        Some(self.marked(listing.tools))
    }

    /// Keeps the list fresh until the program ends: fetches it where none is remembered, when it gets
    /// old, when the server says that it changed, and again after failures.
    pub async fn keep(self: Arc<Self>) {
        let keeping = async {
            if !*self.settled.borrow() {
                self.list_in_turn().await;
                self.settled.send_replace(true);
            }
            loop {
                tokio::select! {
                    () = self.signals.until_changed() => {}
                    () = sleep(self.due()) => {}
                }
                self.list_in_turn().await;
                sleep(LIST_SPACING).await;
            }
        };
        tokio::select! {
            () = self.closing.cancelled() => {}
            () = keeping => {}
        }
        self.settled.send_replace(true);
    }

    /// Waits until the first attempt to have a list has ended.
    pub async fn settled(&self) {
        let _ = self.settled.subscribe().wait_for(|settled| *settled).await;
    }

    /// How long until the list should be fetched again without being asked.
    fn due(&self) -> Duration {
        let facts = lock(&self.facts);
        if facts.list_problem.is_some() {
            return facts.list_pause.remaining(Instant::now()).unwrap_or_default();
        }
        let age = Duration::from_millis(now_ms().saturating_sub(facts.fetched_at_ms.unwrap_or_default()));
        self.config
            .catalog_max_age
            .saturating_sub(age)
            .max(REFRESH_SPACING)
    }

    /// Fetches the list when it is this server's turn. Starting processes is what needs turns, and a
    /// process that hangs must not keep others waiting: after a while it goes on outside the queue.
    async fn list_in_turn(self: &Arc<Self>) {
        let turn = match self.config.transport.kind() {
            TransportKind::Stdio => self.hub.fetches.acquire().await.ok(),
            _ => None,
        };
        let mut listing = pin!(self.list());
        if timeout(TURN, &mut listing).await.is_err() {
            drop(turn);
            listing.await;
        }
    }

    /// Fetches the list now. Returns whether that worked; if not, what was known before stays offered.
    pub async fn list(self: &Arc<Self>) -> bool {
        let _one_at_a_time = self.listing.lock().await;
        match self.fetch().await {
            Ok((link, listing)) => {
                self.adopt(&link, listing).await;
                true
            }
            Err(fault) => {
                let mut facts = lock(&self.facts);
                facts.list_pause.fail(Instant::now());
                facts.list_problem = Some(fault.describe());
                false
            }
        }
    }

    async fn fetch(self: &Arc<Self>) -> Result<(Arc<Link>, Listing), Fault> {
        // Opening has its own limits; a process may be started twice to find out its era.
        let limit = self.config.start_timeout.saturating_mul(3);
        let link = self.link(limit).await?;
        self.signals.tools_seen();
        match list::fetch(&link, &self.config.name, self.config.start_timeout).await {
            Ok(listing) => Ok((link, listing)),
            // The remembered era may be wrong by now: ask anew, once.
            Err(fault) => match &*link {
                Link::Http(http) if http.doubts(&fault) => {
                    http.give_up();
                    lock(&self.facts).memory = Memory::default();
                    let link = self.link(limit).await?;
                    let listing = list::fetch(&link, &self.config.name, self.config.start_timeout).await?;
                    Ok((link, listing))
                }
                _ => Err(fault),
            },
        }
    }

    /// The same tools, those of the system marked as such.
    fn marked(&self, mut tools: Vec<Arc<Tool>>) -> Vec<Arc<Tool>> {
        for tool in &mut tools {
            if self.config.system.matches(&tool.name) {
                Arc::make_mut(tool).kind = ToolKind::System;
            }
        }
        tools
    }

    /// Offers a list that was just fetched, and remembers it.
    async fn adopt(&self, link: &Link, listing: Listing) {
        let fetched_at_ms = now_ms();
        let listed = fingerprint(&listing.text, link.mirrors());
        let (changed, memory) = {
            let mut facts = lock(&self.facts);
            facts.list_pause.reset();
            facts.list_problem = None;
            facts.fetched = true;
            facts.remark = listing.remark;
            facts.skipped = listing.skipped;
            facts.tools = listing.tools.len();
            (facts.listed.replace(listed) != Some(listed), facts.memory)
        };
        self.mirrors.store(Arc::new(listing.mirrors));
        self.note_trouble(None);
        if changed {
            self.hub
                .publish([(self.config.name.clone(), self.marked(listing.tools))]);
        }
        // Last: whoever sees the time may count on the tools being there.
        lock(&self.facts).fetched_at_ms = Some(fetched_at_ms);
        if !matches!(link, Link::Local(_)) {
            let catalog = CachedCatalog {
                server: self.config.name.clone(),
                settings_digest: self.config.digest.clone(),
                era: memory.era,
                transport: link.kind(),
                tools: listing.text,
                fetched_at_ms,
            };
            self.hub.cache.save(catalog).await;
        }
    }
}

/// Tells lists apart. Headers are planned from the list too, in one era only.
fn fingerprint(text: &str, mirrored: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (text, mirrored).hash(&mut hasher);
    hasher.finish()
}

fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
