//! When does a client's tool list change?

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use handpick_operations::{Opened, Runtime};
use handpick_presentation::Mode;
use tokio::sync::watch;

/// Waits for changes of what one client's `tools/list` would show.
///
/// Meta-tool lists never change (C8), so their clients are left in peace; a direct list changes when a
/// tool comes, goes or is defined anew.
pub struct ListChanges {
    generations: watch::Receiver<u64>,
    shown: u64,
    reopen: Box<dyn Fn() -> Option<Arc<Opened>> + Send>,
}

impl ListChanges {
    /// Follows the list behind `reopen`, beginning with what the client was shown last: a change since
    /// then is told at once.
    pub fn new(
        runtime: &Runtime,
        shown: Option<&Opened>,
        reopen: impl Fn() -> Option<Arc<Opened>> + Send + 'static,
    ) -> Self {
        Self {
            generations: runtime.upstreams.changes(),
            shown: shown.map_or(0, fingerprint),
            reopen: Box::new(reopen),
        }
    }

    /// Returns when the list has changed; `false` when it never will again.
    pub async fn next(&mut self) -> bool {
        loop {
            self.generations.borrow_and_update();
            let shown = (self.reopen)().map_or(0, |opened| fingerprint(&opened));
            if shown != self.shown {
                self.shown = shown;
                return true;
            }
            if self.generations.changed().await.is_err() {
                return false;
            }
        }
    }
}

fn fingerprint(opened: &Opened) -> u64 {
    let mut hasher = DefaultHasher::new();
    opened.mode.hash(&mut hasher);
    if opened.mode == Mode::Direct {
        for (position, tool) in opened.surface.tools() {
            opened.surface.catalog.rendered(position).hash(&mut hasher);
            tool.definition.get().hash(&mut hasher);
        }
    }
    hasher.finish()
}
