//! Who is asking?

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// What a key is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Select, search and list.
    Read,
    /// Run tools.
    Execute,
    /// Change the gateway itself. Implies the other two.
    Admin,
}

/// The one principal every front turns its credentials into.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Caller {
    /// Identifier of the key that was presented; `local` on stdio.
    pub key_id: String,
    /// The end user the call is made for, when the caller named one.
    pub user_id: Option<String>,
    /// Roles of the key. No roles means no restricted tool.
    pub roles: BTreeSet<String>,
    /// What the key may do.
    pub scopes: BTreeSet<Scope>,
}

impl Caller {
    /// Whether the caller's key carries `scope`, directly or through `admin`.
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope) || self.scopes.contains(&Scope::Admin)
    }
}
