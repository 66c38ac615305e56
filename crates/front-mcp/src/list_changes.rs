//! When does a client's tool list change?

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use handpick_operations::{Joined, Opened, Runtime};
use handpick_presentation::Promoted;
use handpick_presentation::list::listed;
use tokio::sync::watch;

/// Waits for changes of what one client's `tools/list` would show.
///
/// Meta-tools never change (C8); what is listed as itself does when a tool comes, goes, is defined anew or joins
/// the list of a session (R15).
pub struct ListChanges {
    generations: watch::Receiver<u64>,
    /// The on-demand tools that have joined, where the list shows them.
    joined: Option<(Arc<Joined>, watch::Receiver<u64>)>,
    shown: u64,
    reopen: Box<dyn Fn() -> Option<Arc<Opened>> + Send>,
}

impl ListChanges {
    /// Follows the list behind `reopen`, beginning with what the client was shown last: a change since
    /// then is told at once. `joined` belongs to a list that may grow, with what had joined when it was shown.
    pub fn new(
        runtime: &Runtime,
        shown: Option<&Opened>,
        joined: Option<(Arc<Joined>, Promoted)>,
        reopen: impl Fn() -> Option<Arc<Opened>> + Send + 'static,
    ) -> Self {
        let (joined, listed) = match joined {
            None => (None, Promoted::default()),
            Some((joined, listed)) => {
                let changes = joined.changes();
                (Some((joined, changes)), listed)
            }
        };
        Self {
            generations: runtime.upstreams.changes(),
            shown: shown.map_or(0, |opened| fingerprint(opened, &listed)),
            joined,
            reopen: Box::new(reopen),
        }
    }

    /// Returns when the list has changed; `false` when it never will again.
    pub async fn next(&mut self) -> bool {
        loop {
            self.generations.borrow_and_update();
            if let Some((_, changes)) = &mut self.joined {
                changes.borrow_and_update();
            }
            let promoted = self.joined.as_ref().map(|(joined, _)| joined.promoted());
            let promoted = promoted.unwrap_or_default();
            let shown = (self.reopen)().map_or(0, |opened| fingerprint(&opened, &promoted));
            if shown != self.shown {
                self.shown = shown;
                return true;
            }
            let grown = async {
                match &mut self.joined {
                    Some((_, changes)) => changes.changed().await,
                    None => std::future::pending().await,
                }
            };
            let changed = tokio::select! {
                changed = self.generations.changed() => changed,
                changed = grown => changed,
            };
            if changed.is_err() {
                return false;
            }
        }
    }
}

fn fingerprint(opened: &Opened, promoted: &Promoted) -> u64 {
    let mut hasher = DefaultHasher::new();
    opened.mode.hash(&mut hasher);
    for (_, position) in listed(&opened.surface, opened.mode, &opened.gateway, promoted) {
        opened.surface.catalog.rendered(position).hash(&mut hasher);
        opened.surface.catalog.tools()[position]
            .definition
            .get()
            .hash(&mut hasher);
    }
    hasher.finish()
}
