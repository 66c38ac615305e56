//! Whose key is this?

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use handpick_access::KeyHash;
use handpick_domain::{Caller, Scope};
use handpick_store::{Store, StoreError};

use crate::Runtime;

/// The keys that open this gateway, by hash. Immutable inside; replaced whole on every refresh.
pub struct KeyRing {
    fixed: HashMap<KeyHash, Arc<Caller>>,
    known: ArcSwap<HashMap<KeyHash, Arc<Caller>>>,
}

impl KeyRing {
    /// A ring with the given admin keys and nothing else yet; stored keys come with
    /// [`KeyRing::refresh`].
    pub fn new(admin_keys: &[&str]) -> Self {
        let fixed: HashMap<_, _> = admin_keys
            .iter()
            .map(|key| {
                let hash = KeyHash::of(key);
                let caller = Caller {
                    key_id: hash.id(),
                    scopes: [Scope::Admin].into(),
                    ..Caller::default()
                };
                (hash, Arc::new(caller))
            })
            .collect();
        Self {
            known: ArcSwap::from_pointee(fixed.clone()),
            fixed,
        }
    }

    /// Reads the stored keys again, so that keys made or revoked elsewhere count.
    pub async fn refresh(&self, store: &Store) -> Result<(), StoreError> {
        let rows = store.key_list().await?;
        let mut known = self.fixed.clone();
        for row in rows.into_iter().filter(|row| row.revoked_at_ms.is_none()) {
            let caller = Caller {
                key_id: row.id,
                user_id: None,
                roles: row.roles,
                scopes: row.scopes,
            };
            known.insert(KeyHash(row.hash), Arc::new(caller));
        }
        self.known.store(Arc::new(known));
        Ok(())
    }

    /// Whether any key opens the gateway.
    pub fn is_empty(&self) -> bool {
        self.known.load().is_empty()
    }

    fn find(&self, key: &str) -> Option<Arc<Caller>> {
        self.known.load().get(&KeyHash::of(key)).cloned()
    }
}

/// The caller behind a presented key, acting for `user_id`; `None` for a key nobody was given.
pub fn authenticate(runtime: &Runtime, key: &str, user_id: Option<&str>) -> Option<Arc<Caller>> {
    let caller = runtime.keys.find(key)?;
    match user_id {
        None => Some(caller),
        Some(user_id) => {
            let mut caller = Caller::clone(&caller);
            caller.user_id = Some(user_id.to_owned());
            Some(Arc::new(caller))
        }
    }
}
