//! What may this caller see right now?

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use handpick_domain::{Caller, Catalog, Gateway, Surface};
use handpick_presentation::Mode;

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
}

impl Opened {
    /// The same tools shown without recommendation (A9).
    pub fn without_recommendation(&self) -> Self {
        Self {
            surface: Arc::clone(&self.surface),
            mode: self.mode.without_recommendation(),
            gateway: self.gateway.clone(),
        }
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
    opened: HashMap<Key, Arc<Opened>>,
    projects: HashMap<BTreeSet<String>, Arc<Surface>>,
}

/// Opens a surface of `gateway` for `caller`; `None` when no gateway has this name.
///
/// Surfaces of one catalog generation are shared, so a stateless request opens one for the price of a
/// look-up.
pub fn open_surface(runtime: &Runtime, gateway: &str, caller: &Caller) -> Option<Arc<Opened>> {
    let gateway = runtime.policy.gateways.get(gateway)?;
    let catalog = runtime.upstreams.catalog();
    let key = (gateway.name.clone(), caller.roles.clone());
    if let Some(opened) = runtime
        .surfaces
        .of(&catalog, |ready| ready.opened.get(&key).cloned())
    {
        return Some(opened);
    }
    let surface = runtime
        .policy
        .open_surface(Arc::clone(&catalog), Some(gateway), caller);
    let mode = Mode::resolve(gateway.presentation, surface.bound.len());
    let opened = Arc::new(Opened {
        surface: Arc::new(surface),
        mode,
        gateway: gateway.clone(),
    });
    runtime.surfaces.keep(&catalog, |ready| {
        ready.opened.insert(key, Arc::clone(&opened));
    });
    Some(opened)
}

/// Opens the whole project for a caller that names no gateway (A44, A53).
pub fn open_project(runtime: &Runtime, caller: &Caller) -> Arc<Surface> {
    let catalog = runtime.upstreams.catalog();
    if let Some(surface) = runtime
        .surfaces
        .of(&catalog, |ready| ready.projects.get(&caller.roles).cloned())
    {
        return surface;
    }
    let surface = Arc::new(runtime.policy.open_surface(Arc::clone(&catalog), None, caller));
    runtime.surfaces.keep(&catalog, |ready| {
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

    /// Keeps something for this catalog, and nothing of another.
    fn keep(&self, catalog: &Catalog, insert: impl FnOnce(&mut Ready)) {
        let mut ready = self.ready.write().unwrap_or_else(PoisonError::into_inner);
        let full = ready.opened.len() + ready.projects.len() >= SURFACES_MAX;
        if full || ready.generation != catalog.generation() {
            *ready = Ready {
                generation: catalog.generation(),
                ..Ready::default()
            };
        }
        insert(&mut ready);
    }
}
