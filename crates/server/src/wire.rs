//! Where do the concrete parts meet?
//!
//! The only place that knows the embedded model, SQLite, the transports and the fronts all at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use handpick_access::{NewKey, Policy};
use handpick_domain::Scope;
use handpick_operations::limits::KEY_REFRESH;
use handpick_operations::runtime::now_ms;
use handpick_operations::{KeyRing, Options, Runtime, Selector};
use handpick_store::{NewKeyRow, Recorder, Retention, Store};
use handpick_upstream::{CachedCatalog, CatalogCache, Era, ServerConfig, TransportKind, Upstreams};
use tokio::task::JoinSet;

use crate::encoder::{self, Chosen};
use crate::settings::Settings;

/// A start that takes longer is over all the same.
const START_MAX: Duration = Duration::from_secs(60);

/// The parts of a gateway that are decided before its servers are.
pub struct Plan {
    /// Gateways and restrictions.
    pub policy: Policy,
    /// How tools are found; `None` switches selection off.
    pub selection: Option<Selection>,
    /// Choices that operations read.
    pub options: Options,
    /// How long records are kept.
    pub retention: Retention,
    /// A key that opens everything and is stored nowhere.
    pub admin_key: Option<String>,
}

/// How tools are found.
pub struct Selection {
    /// Weights and floor.
    pub tuning: handpick_selection::Tuning,
    /// Another encoder than the embedded one.
    pub encoder: Option<Chosen>,
}

impl Plan {
    /// What the settings ask for, with what is fetched kept in the folder `data`.
    pub fn from_settings(settings: &Settings, data: &Path) -> Self {
        let encoder = settings.encoder.as_ref().map(|source| Chosen {
            source: source.clone(),
            data: data.to_owned(),
        });
        Self {
            policy: settings.policy.clone(),
            selection: settings.selection_enabled.then(|| Selection {
                tuning: settings.tuning.clone(),
                encoder,
            }),
            options: Options {
                record_content: settings.record_content,
                turn_tools_max: settings.turn_tools_max,
                turn_memory: settings.turn_memory,
                unified: settings.unified.clone(),
                skills: settings.skills.clone(),
                ..Options::default()
            },
            retention: settings.retention,
            admin_key: admin_key_of_environment(),
        }
    }
}

/// The admin key the operator chose, if they chose one.
pub fn admin_key_of_environment() -> Option<String> {
    let key = std::env::var("HANDPICK_ADMIN_KEY").ok()?;
    Some(key.trim().to_owned()).filter(|key| !key.is_empty())
}

/// A gateway put together, with the tasks that keep it going.
pub struct Gateway {
    /// What the fronts stand on.
    pub runtime: Arc<Runtime>,
    tasks: JoinSet<()>,
}

impl Gateway {
    /// Puts a gateway together over an open store. Returns as soon as cached catalogs answer: servers
    /// start and vectors are made behind it.
    pub async fn assemble(plan: Plan, servers: Vec<ServerConfig>, store: Store) -> anyhow::Result<Self> {
        let encoder = plan.selection.as_ref().map(|selection| selection.encoder.clone());
        let encoder = async {
            match encoder {
                Some(chosen) => encoder::load(chosen).await.map(Some),
                None => Ok(None),
            }
        };
        let cache = Arc::new(StoredCatalogs { store: store.clone() });
        let (upstreams, encoder) = tokio::join!(Upstreams::start(servers, cache), encoder);
        let selector = match (plan.selection, encoder?) {
            (Some(selection), Some(encoder)) => {
                Some(Arc::new(Selector::load(encoder, &store, selection.tuning).await))
            }
            _ => None,
        };
        let keys = KeyRing::new(&plan.admin_key.iter().map(String::as_str).collect::<Vec<_>>());
        keys.refresh(&store).await?;
        let recorder = Recorder::start(store.clone(), plan.retention);
        let runtime = Arc::new(Runtime::new(
            plan.policy,
            upstreams,
            selector,
            keys,
            store,
            recorder,
            plan.options,
        ));
        runtime.load_presentations().await?;
        let mut tasks = JoinSet::new();
        tasks.spawn(refresh_keys(Arc::clone(&runtime)));
        if let Some(selector) = &runtime.selector {
            selector.publish(runtime.upstreams.catalog());
            tasks.spawn(Arc::clone(selector).follow(Arc::clone(&runtime.upstreams), runtime.store.clone()));
        }
        tasks.spawn(end_of_start(Arc::clone(&runtime)));
        Ok(Self { runtime, tasks })
    }

    /// Ends every server, writes what is still to be recorded and closes the store.
    pub async fn close(mut self) {
        self.tasks.abort_all();
        self.runtime.agents.stop().await;
        self.runtime.upstreams.shutdown().await;
        self.runtime.recorder.flush().await;
        self.runtime.store.close().await;
    }
}

/// Waits until every server has listed its tools and every vector is made, then stops saving memory at
/// the cost of time.
async fn end_of_start(runtime: Arc<Runtime>) {
    runtime.upstreams.settled(START_MAX).await;
    if let Some(selector) = &runtime.selector {
        let mut progress = selector.progress();
        let done = progress.wait_for(handpick_operations::Indexing::is_done);
        // Either way the start is over.
        let _ = tokio::time::timeout(START_MAX, done).await;
    }
    crate::memory::give_back_at_once(false);
}

async fn refresh_keys(runtime: Arc<Runtime>) {
    let mut interval = tokio::time::interval(KEY_REFRESH);
    loop {
        interval.tick().await;
        if let Err(error) = runtime.keys.refresh(&runtime.store).await {
            tracing::warn!(%error, "keys cannot be read; those known before stay good");
        }
    }
}

/// A key nobody has had before.
pub fn new_key() -> NewKey {
    NewKey::from_secret(rand::random())
}

/// Makes a key and stores its hash. The text is returned once and kept nowhere.
pub async fn create_key(
    store: &Store,
    label: &str,
    scopes: impl IntoIterator<Item = Scope>,
    roles: &[String],
) -> anyhow::Result<(String, String)> {
    let key = new_key();
    let row = NewKeyRow {
        hash: key.hash.0,
        id: key.hash.id(),
        label: label.to_owned(),
        scopes: scopes.into_iter().collect(),
        roles: roles.iter().cloned().collect(),
        created_at_ms: now_ms(),
    };
    store.key_insert(row).await?;
    Ok((key.hash.id(), key.text))
}

/// The data folder: what was asked for, or the user's own, with a part of it for what is kept apart.
pub fn data_folder(asked: Option<&Path>, below: Option<&str>) -> anyhow::Result<PathBuf> {
    if let Some(folder) = asked {
        return Ok(folder.to_owned());
    }
    let named = std::env::var_os("HANDPICK_DATA").filter(|folder| !folder.is_empty());
    let own = match named {
        Some(folder) => PathBuf::from(folder),
        None => directories::ProjectDirs::from("", "", "handpick")
            .context("no home folder is known to keep data in; name one with --data FOLDER or HANDPICK_DATA")?
            .data_local_dir()
            .to_owned(),
    };
    Ok(below.map_or_else(|| own.clone(), |below| own.join(below)))
}

/// The store as the memory of upstream catalogs.
struct StoredCatalogs {
    store: Store,
}

#[async_trait]
impl CatalogCache for StoredCatalogs {
    async fn load_all(&self) -> Vec<CachedCatalog> {
        let stored = self.store.catalog_load_all().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "cached tool lists cannot be read; servers are asked again");
            Vec::new()
        });
        let known = |stored: handpick_store::CachedCatalog| {
            Some(CachedCatalog {
                transport: TransportKind::parse(stored.transport.as_deref()?)?,
                era: stored.era.as_deref().and_then(|era| match era {
                    "modern" => Some(Era::Modern),
                    "legacy" => Some(Era::Legacy),
                    _ => None,
                }),
                server: stored.server,
                settings_digest: stored.settings_digest,
                tools: stored.tools_json,
                fetched_at_ms: u64::try_from(stored.fetched_at_ms).ok()?,
            })
        };
        stored.into_iter().filter_map(known).collect()
    }

    async fn save(&self, catalog: CachedCatalog) {
        let row = handpick_store::CachedCatalog {
            server: catalog.server,
            settings_digest: catalog.settings_digest,
            era: catalog.era.map(|era| era.as_str().to_owned()),
            transport: Some(catalog.transport.as_str().to_owned()),
            tools_json: catalog.tools,
            server_info_json: None,
            fetched_at_ms: i64::try_from(catalog.fetched_at_ms).unwrap_or(i64::MAX),
        };
        if let Err(error) = self.store.catalog_save(&row).await {
            tracing::warn!(%error, server = row.server, "a tool list cannot be cached");
        }
    }
}

/// Waits for the operator to end the process.
pub async fn interrupted() {
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    let hangup = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminate => {}
        () = hangup => {}
    }
}

/// How long open requests may finish after the process was asked to end.
pub const DRAIN: Duration = Duration::from_secs(3);
