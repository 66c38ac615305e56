//! How do values that a column cannot hold as they are get in and out?

use std::collections::BTreeSet;

use handpick_domain::Digest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

/// A value as JSON text.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String, sqlx::Error> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(error.into()))
}

/// A set kept as a JSON array.
pub(crate) fn set<T: DeserializeOwned + Ord>(
    row: &SqliteRow,
    column: usize,
) -> Result<BTreeSet<T>, sqlx::Error> {
    serde_json::from_str(row.try_get(column)?).map_err(|error| unreadable(column, error.into()))
}

/// A hash of 32 bytes.
pub(crate) fn digest(row: &SqliteRow, column: usize) -> Result<Digest, sqlx::Error> {
    let bytes: &[u8] = row.try_get(column)?;
    bytes.try_into().map_err(|_| {
        let reason = format!("a digest has 32 bytes, this one has {}", bytes.len());
        unreadable(column, reason.into())
    })
}

/// A number that is never negative.
pub(crate) fn unsigned(row: &SqliteRow, column: usize) -> Result<u64, sqlx::Error> {
    let number: i64 = row.try_get(column)?;
    u64::try_from(number).map_err(|error| unreadable(column, error.into()))
}

/// A number for a column: the largest one it can hold stands for all beyond.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What a column holds is not what this program writes there.
pub(crate) fn unreadable(column: usize, reason: Box<dyn std::error::Error + Send + Sync>) -> sqlx::Error {
    sqlx::Error::ColumnDecode {
        index: column.to_string(),
        source: reason,
    }
}
