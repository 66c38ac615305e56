//! How is the data folder opened and closed?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};

use crate::{StoreError, dialect, migrations};

/// Name of the database within the data folder.
const FILE_NAME: &str = "handpick.db";

/// How long a lock held by another process is waited for.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a refused start waits before it asks again.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// Readers do not wait for the writer, so a few connections suffice.
const CONNECTIONS: u32 = 4;

/// The one handle to everything that is kept. Cheap to clone; clones share their connections.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: SqlitePool,
    file: Arc<Path>,
}

impl Store {
    /// Opens the database in `folder`; creates the folder (readable by its owner only) and the database
    /// where they are missing, and brings an older schema up to date.
    ///
    /// The content is not checked for damage beyond what opening touches: a full check reads the whole
    /// file. Damage found later is reported as [`StoreError::Damaged`] by the method that hits it.
    pub async fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_within(folder, BUSY_TIMEOUT).await
    }

    async fn open_within(folder: &Path, busy_timeout: Duration) -> Result<Self, StoreError> {
        let unwritable = |error: std::io::Error| StoreError::Unwritable {
            folder: folder.to_owned(),
            reason: error.to_string(),
        };
        // SQLite reads a name that starts with `file:` as an address; an absolute path never does.
        let folder = std::path::absolute(folder).map_err(unwritable)?;
        folder_create(&folder).await.map_err(unwritable)?;
        let file = folder.join(FILE_NAME);
        let options = dialect::file_options(&file, busy_timeout);
        // Turning a fresh file to write-ahead logging needs it alone and does not wait for that, so of
        // several processes that start together some are refused at once and have to ask again.
        let started = Instant::now();
        loop {
            match Self::connect(options.clone(), CONNECTIONS, file.clone()).await {
                Err(StoreError::Locked { .. }) if started.elapsed() < busy_timeout => {
                    tokio::time::sleep(RETRY_INTERVAL).await;
                }
                result => return result,
            }
        }
    }

    /// A store that lives as long as this handle and its clones.
    pub async fn in_memory() -> Result<Self, StoreError> {
        Self::connect(dialect::memory_options(), 1, PathBuf::from(":memory:")).await
    }

    async fn connect(
        options: SqliteConnectOptions,
        connections: u32,
        file: PathBuf,
    ) -> Result<Self, StoreError> {
        let pool = dialect::pool_options(connections)
            .connect_with(options)
            .await
            .map_err(|error| StoreError::new(&file, error))?;
        let mut connection = pool
            .acquire()
            .await
            .map_err(|error| StoreError::new(&file, error))?;
        migrations::migrate(&mut connection, &file).await?;
        drop(connection);
        Ok(Self {
            pool,
            file: file.into(),
        })
    }

    /// The database file; `:memory:` for a store in memory.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Waits for running statements and closes. Not needed for safety, only to leave a single tidy file:
    /// what a method has acknowledged is on disk.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// Gives a failure the name of the file it happened in.
    pub(crate) fn failed(&self, error: sqlx::Error) -> StoreError {
        StoreError::new(&self.file, error)
    }
}

async fn folder_create(folder: &Path) -> std::io::Result<()> {
    let mut builder = tokio::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(folder).await
}

#[cfg(test)]
mod tests;
