//! What did each upstream server last offer?

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::{Store, StoreError};

/// The catalog of one upstream server as it was last fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedCatalog {
    /// Configured name of the server.
    pub server: String,
    /// Of the settings it was reached with; whoever loads it compares.
    pub settings_digest: String,
    /// Protocol revision the server speaks, when known.
    pub era: Option<String>,
    /// How it was reached, when there was a choice.
    pub transport: Option<String>,
    /// JSON array of its tools, all pages, byte for byte as they came.
    pub tools_json: String,
    /// What it says about itself, as JSON.
    pub server_info_json: Option<String>,
    /// When it was fetched, milliseconds since 1970.
    pub fetched_at_ms: i64,
}

impl Store {
    /// Keeps a catalog; replaces the one of the same server.
    pub async fn catalog_save(&self, catalog: &CachedCatalog) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO catalogs
               (server, settings_digest, era, transport, tools_json, server_info_json, fetched_at_ms)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (server) DO UPDATE SET
               settings_digest = excluded.settings_digest,
               era = excluded.era,
               transport = excluded.transport,
               tools_json = excluded.tools_json,
               server_info_json = excluded.server_info_json,
               fetched_at_ms = excluded.fetched_at_ms",
        )
        .bind(&catalog.server)
        .bind(&catalog.settings_digest)
        .bind(&catalog.era)
        .bind(&catalog.transport)
        .bind(&catalog.tools_json)
        .bind(&catalog.server_info_json)
        .bind(catalog.fetched_at_ms)
        .execute(&self.pool)
        .await
        .map(|_| ())
        .map_err(|error| self.failed(error))
    }

    /// Every kept catalog, by name of its server.
    pub async fn catalog_load_all(&self) -> Result<Vec<CachedCatalog>, StoreError> {
        let rows = sqlx::query(
            "SELECT server, settings_digest, era, transport, tools_json, server_info_json, fetched_at_ms
             FROM catalogs ORDER BY server",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(catalog)
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }

    /// Forgets the catalog of a server. `false` when there was none.
    pub async fn catalog_remove(&self, server: &str) -> Result<bool, StoreError> {
        sqlx::query("DELETE FROM catalogs WHERE server = $1")
            .bind(server)
            .execute(&self.pool)
            .await
            .map(|done| done.rows_affected() > 0)
            .map_err(|error| self.failed(error))
    }
}

fn catalog(row: &SqliteRow) -> Result<CachedCatalog, sqlx::Error> {
    Ok(CachedCatalog {
        server: row.try_get(0)?,
        settings_digest: row.try_get(1)?,
        era: row.try_get(2)?,
        transport: row.try_get(3)?,
        tools_json: row.try_get(4)?,
        server_info_json: row.try_get(5)?,
        fetched_at_ms: row.try_get(6)?,
    })
}
