//! What does SQLite do its own way?

use std::path::Path;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

/// Opens a transaction that holds the write lock from its first statement on, so that what it reads
/// before it writes cannot change in between.
pub(crate) const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";

/// Moves the log of changes into the database and cuts it to nothing.
pub(crate) const EMPTY_LOG: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// Rows that wait between the database's thread and ours. The default of 50 costs a wake-up for every
/// fifty of several thousand vectors.
const ROWS_BUFFERED: usize = 1024;

/// How a database file is opened. Other processes that hold a lock are waited for up to `busy_timeout`.
pub(crate) fn file_options(file: &Path, busy_timeout: Duration) -> SqliteConnectOptions {
    options()
        .filename(file)
        .create_if_missing(true)
        .busy_timeout(busy_timeout)
        .journal_mode(SqliteJournalMode::Wal)
        // A revoked key must stay revoked after a power cut, so every commit reaches the disk. What
        // commits often does so in batches, in the background.
        .synchronous(SqliteSynchronous::Full)
}

/// How a database that dies with its only connection is opened.
pub(crate) fn memory_options() -> SqliteConnectOptions {
    options().in_memory(true)
}

fn options() -> SqliteConnectOptions {
    // Statements are not logged: their arguments are other people's data, and failures are reported
    // by whoever asked.
    SqliteConnectOptions::new()
        .row_buffer_size(ROWS_BUFFERED)
        // What is deleted is overwritten, not only unlinked: an erased conversation is nowhere in the file.
        .pragma("secure_delete", "ON")
        .disable_statement_logging()
}

/// Connections that stay: opening one costs more than keeping it, and a database in memory lives only
/// as long as its connection.
pub(crate) fn pool_options(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// What a failure means to the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Unwritable,
    Damaged,
    Locked,
    Full,
    Other,
}

/// Reads the primary result code out of SQLite's extended one.
pub(crate) fn failure(error: &sqlx::Error) -> Failure {
    let code = match error {
        sqlx::Error::Database(error) => error.code().and_then(|code| code.parse::<u32>().ok()),
        // The path has a form SQLite cannot take.
        sqlx::Error::Io(_) => return Failure::Unwritable,
        _ => None,
    };
    match code.map(|code| code & 0xff) {
        // PERM, READONLY, CANTOPEN
        Some(3 | 8 | 14) => Failure::Unwritable,
        // BUSY, LOCKED
        Some(5 | 6) => Failure::Locked,
        // CORRUPT, NOTADB
        Some(11 | 26) => Failure::Damaged,
        // FULL
        Some(13) => Failure::Full,
        _ => Failure::Other,
    }
}

/// The failure in words, without SQLite's numbers where it gives words.
pub(crate) fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        error => error.to_string(),
    }
}
