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
    pub surface: Surface,
    /// How they are shown.
    pub mode: Mode,
    /// The gateway's settings.
    pub gateway: Gateway,
}

impl Opened {
    /// The same tools shown without recommendation (A9).
    pub fn without_recommendation(&self) -> Self {
        Self {
            surface: self.surface.clone(),
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
}

/// Opens a surface of `gateway` for `caller`; `None` when no gateway has this name.
///
/// Surfaces of one catalog generation are shared, so a stateless request opens one for the price of a
/// look-up.
pub fn open_surface(runtime: &Runtime, gateway: &str, caller: &Caller) -> Option<Arc<Opened>> {
    let gateway = runtime.policy.gateways.get(gateway)?;
    let catalog = runtime.upstreams.catalog();
    if let Some(opened) = runtime.surfaces.get(&catalog, gateway, caller) {
        return Some(opened);
    }
    let surface = runtime
        .policy
        .open_surface(Arc::clone(&catalog), Some(gateway), caller);
    let mode = Mode::resolve(gateway.presentation, surface.bound.len());
    let opened = Arc::new(Opened {
        surface,
        mode,
        gateway: gateway.clone(),
    });
    runtime
        .surfaces
        .insert(&catalog, gateway, caller, Arc::clone(&opened));
    Some(opened)
}

/// Opens the whole project for a caller that names no gateway (A44, A53).
pub fn open_project(runtime: &Runtime, caller: &Caller) -> Surface {
    runtime
        .policy
        .open_surface(runtime.upstreams.catalog(), None, caller)
}

impl Surfaces {
    fn get(&self, catalog: &Catalog, gateway: &Gateway, caller: &Caller) -> Option<Arc<Opened>> {
        let ready = self.ready.read().unwrap_or_else(PoisonError::into_inner);
        if ready.generation != catalog.generation() {
            return None;
        }
        ready
            .opened
            .get(&(gateway.name.clone(), caller.roles.clone()))
            .cloned()
    }

    fn insert(&self, catalog: &Catalog, gateway: &Gateway, caller: &Caller, opened: Arc<Opened>) {
        let mut ready = self.ready.write().unwrap_or_else(PoisonError::into_inner);
        if ready.generation != catalog.generation() || ready.opened.len() >= SURFACES_MAX {
            ready.generation = catalog.generation();
            ready.opened.clear();
        }
        ready
            .opened
            .insert((gateway.name.clone(), caller.roles.clone()), opened);
    }
}
