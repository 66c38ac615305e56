//! What may this caller see right now?

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use handpick_domain::{Caller, Catalog, Gateway, Surface};
use handpick_presentation::Mode;
use sha2::{Digest as _, Sha256};

use crate::Runtime;
use crate::limits::SURFACES_MAX;

/// A surface with the presentation it was opened in.
#[derive(Debug)]
pub struct Opened {
    /// The tools as they were.
    pub surface: Arc<Surface>,
    /// How they are shown.
    pub mode: Mode,
    /// The gateway's settings.
    pub gateway: Gateway,
    snapshot: OnceLock<String>,
}

impl Opened {
    /// A surface in a mode.
    pub fn new(surface: Arc<Surface>, mode: Mode, gateway: Gateway) -> Self {
        Self {
            surface,
            mode,
            gateway,
            snapshot: OnceLock::new(),
        }
    }

    /// The same tools shown without recommendation (A9).
    pub fn without_recommendation(&self) -> Self {
        let mode = self.mode.without_recommendation();
        Self::new(Arc::clone(&self.surface), mode, self.gateway.clone())
    }

    /// Names the corpus and the presentation a caller sees: the same text for as long as neither changes, over
    /// restarts too (P14).
    pub fn snapshot(&self) -> &str {
        self.snapshot.get_or_init(|| {
            let mut hasher = Sha256::new();
            hasher.update(self.mode.as_str());
            for (position, tool) in self.surface.tools().chain(self.surface.system_tools()) {
                let rendered = self.surface.catalog.rendered(position);
                for part in [rendered.as_bytes(), tool.definition.get().as_bytes()] {
                    hasher.update((part.len() as u64).to_le_bytes());
                    hasher.update(part);
                }
            }
            let digest = hasher.finalize();
            digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
        })
    }
}

/// Surfaces ready for reuse: they differ only by gateway and roles until the catalog changes.
#[derive(Debug, Default)]
pub(crate) struct Surfaces {
    ready: RwLock<Ready>,
}

type Key = (String, BTreeSet<String>);

#[derive(Debug, Default)]
struct Ready {
    generation: u64,
    /// Grows whenever the rules change: what was opened by older ones is not kept.
    rules: u64,
    opened: HashMap<Key, Arc<Opened>>,
    projects: HashMap<BTreeSet<String>, Arc<Surface>>,
}

/// Opens a surface of `gateway` for `caller`; `None` when no gateway has this name.
///
/// Surfaces of one catalog generation are shared, so a stateless request opens one for the price of a
/// look-up.
pub fn open_surface(runtime: &Runtime, gateway: &str, caller: &Caller) -> Option<Arc<Opened>> {
    let surfaces = &runtime.rules.surfaces;
    let catalog = runtime.upstreams.catalog();
    let key = (gateway.to_owned(), caller.roles.clone());
    // What is ready was opened by the rules in force: it is forgotten when they change.
    if let Some(opened) = surfaces.of(&catalog, |ready| ready.opened.get(&key).cloned()) {
        return Some(opened);
    }
    runtime.rules.keep_up(gateway);
    let rules = surfaces.rules();
    let policy = runtime.policy();
    let gateway = policy.gateways.get(gateway)?;
    let surface = policy.open_surface(Arc::clone(&catalog), Some(gateway), caller);
    let mode = Mode::resolve(gateway.presentation, surface.bound.len());
    let surface = Arc::new(surface);
    runtime.rules.note_surface(&gateway.name, &surface);
    let opened = Arc::new(Opened::new(surface, mode, gateway.clone()));
    surfaces.keep(&catalog, rules, |ready| {
        ready.opened.insert(key, Arc::clone(&opened));
    });
    Some(opened)
}

/// Opens the whole project for a caller that names no gateway (A44, A53).
pub fn open_project(runtime: &Runtime, caller: &Caller) -> Arc<Surface> {
    let surfaces = &runtime.rules.surfaces;
    let rules = surfaces.rules();
    let catalog = runtime.upstreams.catalog();
    if let Some(surface) = surfaces.of(&catalog, |ready| ready.projects.get(&caller.roles).cloned()) {
        return surface;
    }
    let surface = Arc::new(runtime.policy().open_surface(Arc::clone(&catalog), None, caller));
    surfaces.keep(&catalog, rules, |ready| {
        ready.projects.insert(caller.roles.clone(), Arc::clone(&surface));
    });
    surface
}

impl Surfaces {
    /// What is ready for this catalog, if anything is.
    fn of<T>(&self, catalog: &Catalog, find: impl FnOnce(&Ready) -> Option<T>) -> Option<T> {
        let ready = self.ready.read().unwrap_or_else(PoisonError::into_inner);
        (ready.generation == catalog.generation())
            .then(|| find(&ready))
            .flatten()
    }

    /// Which rules are in force: to be asked before they are read.
    fn rules(&self) -> u64 {
        self.ready.read().unwrap_or_else(PoisonError::into_inner).rules
    }

    /// The rules have changed: everything is opened anew.
    pub(crate) fn forget(&self) {
        let mut ready = self.ready.write().unwrap_or_else(PoisonError::into_inner);
        *ready = Ready {
            generation: ready.generation,
            rules: ready.rules + 1,
            ..Ready::default()
        };
    }

    /// Keeps something for this catalog and these rules, and nothing of others.
    fn keep(&self, catalog: &Catalog, rules: u64, insert: impl FnOnce(&mut Ready)) {
        let mut ready = self.ready.write().unwrap_or_else(PoisonError::into_inner);
        if ready.rules != rules {
            return;
        }
        let full = ready.opened.len() + ready.projects.len() >= SURFACES_MAX;
        if full || ready.generation != catalog.generation() {
            *ready = Ready {
                generation: catalog.generation(),
                rules,
                ..Ready::default()
            };
        }
        insert(&mut ready);
    }
}
