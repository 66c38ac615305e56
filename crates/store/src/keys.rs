//! Which API keys exist, and which are still good?

use std::collections::BTreeSet;

use handpick_domain::Scope;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::row::{digest, json_text, set};
use crate::{Store, StoreError};

/// A key to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKeyRow {
    /// SHA-256 of the key.
    pub hash: [u8; 32],
    /// Public identifier, unique.
    pub id: String,
    /// What a person calls it.
    pub label: String,
    /// What the key is good for.
    pub scopes: BTreeSet<Scope>,
    /// Roles of whoever presents it.
    pub roles: BTreeSet<String>,
    /// When it was made, milliseconds since 1970.
    pub created_at_ms: i64,
}

/// A key as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// SHA-256 of the key.
    pub hash: [u8; 32],
    /// Public identifier, unique.
    pub id: String,
    /// What a person calls it.
    pub label: String,
    /// What the key is good for.
    pub scopes: BTreeSet<Scope>,
    /// Roles of whoever presents it.
    pub roles: BTreeSet<String>,
    /// When it was made, milliseconds since 1970.
    pub created_at_ms: i64,
    /// When it was revoked, milliseconds since 1970; `None` while it is good.
    pub revoked_at_ms: Option<i64>,
}

impl Store {
    /// Adds a key. One with the same hash or identifier, revoked or not, is [`StoreError::KeyExists`].
    pub async fn key_insert(&self, key: NewKeyRow) -> Result<(), StoreError> {
        let scopes = json_text(&key.scopes).map_err(|error| self.failed(error))?;
        let roles = json_text(&key.roles).map_err(|error| self.failed(error))?;
        let result = sqlx::query(
            "INSERT INTO api_keys (hash, id, label, scopes, roles, created_at_ms)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&key.hash[..])
        .bind(&key.id)
        .bind(&key.label)
        .bind(scopes)
        .bind(roles)
        .bind(key.created_at_ms)
        .execute(&self.pool)
        .await;
        match result {
            Ok(_) => Ok(()),
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
                Err(StoreError::KeyExists { id: key.id })
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Every key, revoked ones included, oldest first.
    pub async fn key_list(&self) -> Result<Vec<KeyRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT hash, id, label, scopes, roles, created_at_ms, revoked_at_ms
             FROM api_keys ORDER BY created_at_ms, id",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(key)
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }

    /// Revokes a key for good; its row stays. `false` when no good key has this identifier: it does not
    /// exist, or was revoked before (the first time stands).
    pub async fn key_revoke(&self, id: &str, revoked_at_ms: i64) -> Result<bool, StoreError> {
        sqlx::query("UPDATE api_keys SET revoked_at_ms = $1 WHERE id = $2 AND revoked_at_ms IS NULL")
            .bind(revoked_at_ms)
            .bind(id)
            .execute(&self.pool)
            .await
            .map(|done| done.rows_affected() > 0)
            .map_err(|error| self.failed(error))
    }
}

fn key(row: &SqliteRow) -> Result<KeyRow, sqlx::Error> {
    Ok(KeyRow {
        hash: digest(row, 0)?,
        id: row.try_get(1)?,
        label: row.try_get(2)?,
        scopes: set(row, 3)?,
        roles: set(row, 4)?,
        created_at_ms: row.try_get(5)?,
        revoked_at_ms: row.try_get(6)?,
    })
}
