//! Which on-demand tools has a caller used, and who must hear of it?

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use handpick_domain::Caller;
use handpick_presentation::Promoted;
use tokio::sync::watch;

use crate::limits::PROMOTIONS_MAX;

/// The promoted tools of one caller, shared by whatever shows or calls them.
#[derive(Debug, Default)]
pub struct Joined {
    promoted: RwLock<Promoted>,
    changes: watch::Sender<u64>,
}

impl Joined {
    /// The tools as they are now.
    pub fn promoted(&self) -> Promoted {
        self.promoted
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// A tool joins, by its canonical name, or counts as used again.
    pub fn promote(&self, name: &str) {
        let changed = self
            .promoted
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .promote(name);
        if changed {
            self.changes.send_modify(|count| *count += 1);
        }
    }

    /// Counts the changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

/// The promoted tools of callers that have no session (R16): kept for one gateway, key and user.
#[derive(Debug, Default)]
pub(crate) struct Promotions {
    callers: Mutex<Callers>,
    nothing: Arc<Joined>,
}

#[derive(Debug, Default)]
struct Callers {
    joined: HashMap<Key, (u64, Arc<Joined>)>,
    clock: u64,
}

type Key = (String, String, Option<String>);

impl Promotions {
    /// What nobody has used.
    pub fn nothing(&self) -> Arc<Joined> {
        Arc::clone(&self.nothing)
    }

    /// What this caller has used through this gateway. Bounded: the caller not seen for longest is forgotten.
    pub fn of(&self, gateway: &str, caller: &Caller) -> Arc<Joined> {
        let key = (gateway.to_owned(), caller.key_id.clone(), caller.user_id.clone());
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        callers.clock += 1;
        let now = callers.clock;
        if callers.joined.len() >= PROMOTIONS_MAX && !callers.joined.contains_key(&key) {
            // Halving costs one pass for many callers; looking for the oldest each time would cost one for each.
            let mut seen: Vec<u64> = callers.joined.values().map(|(seen, _)| *seen).collect();
            let middle = seen.len() / 2;
            let (_, oldest_kept, _) = seen.select_nth_unstable(middle);
            let oldest_kept = *oldest_kept;
            callers.joined.retain(|_, (seen, _)| *seen >= oldest_kept);
        }
        let (seen, joined) = callers.joined.entry(key).or_default();
        *seen = now;
        Arc::clone(joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(user: &str) -> Caller {
        Caller {
            key_id: "k".to_owned(),
            user_id: Some(user.to_owned()),
            ..Caller::default()
        }
    }

    /// R15, R16: each user of a key has tools of their own, and the number of users is bounded.
    #[test]
    fn r15_promotions_are_by_user_and_bounded() {
        let promotions = Promotions::default();
        let ann = promotions.of("g", &caller("ann"));
        let changes = ann.changes();
        ann.promote("app.t");
        assert!(changes.has_changed().unwrap());
        assert!(promotions.of("g", &caller("ann")).promoted().contains("app.t"));
        assert!(!promotions.of("g", &caller("bob")).promoted().contains("app.t"));
        assert!(
            !promotions
                .of("other", &caller("ann"))
                .promoted()
                .contains("app.t")
        );
        for number in 0..PROMOTIONS_MAX * 2 {
            promotions.of("g", &caller(&number.to_string()));
            if number % 100 == 0 {
                promotions.of("g", &caller("bob"));
            }
        }
        let known = promotions.callers.lock().unwrap();
        assert!(known.joined.len() <= PROMOTIONS_MAX);
        let key = |user: &str| ("g".to_owned(), "k".to_owned(), Some(user.to_owned()));
        assert!(known.joined.contains_key(&key("bob")), "seen all along");
        assert!(!known.joined.contains_key(&key("ann")));
    }
}
