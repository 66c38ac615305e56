//! What can go wrong with the data folder, and what should the operator do about it?

use std::path::{Path, PathBuf};

use crate::dialect::{self, Failure};

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be created, or the database in it cannot be created or written.
    #[error("cannot write to the data folder `{}`: {reason}", folder.display())]
    Unwritable {
        /// The data folder.
        folder: PathBuf,
        /// What the operating system or the database said.
        reason: String,
    },
    /// The file is something else than a database, or its content is broken.
    #[error("`{}` is not a database or is damaged; move it away and start again", file.display())]
    Damaged {
        /// The database file.
        file: PathBuf,
    },
    /// A later version of the program has changed the schema.
    #[error("`{}` was written by a newer version of handpick (schema {found}, this one knows {known}); use that version or another data folder", file.display())]
    Newer {
        /// The database file.
        file: PathBuf,
        /// The latest migration the file has seen.
        found: i64,
        /// The latest migration this program has.
        known: i64,
    },
    /// A build with the same schema number but a different schema wrote the file.
    #[error("`{}` was written by another build of handpick whose schema {version} differs; use that build or another data folder", file.display())]
    Foreign {
        /// The database file.
        file: PathBuf,
        /// The migration that differs.
        version: i64,
    },
    /// Another process kept the database locked for longer than we wait.
    #[error("`{}` is locked by another process; stop that process or use another data folder", file.display())]
    Locked {
        /// The database file.
        file: PathBuf,
    },
    /// No room to write.
    #[error("the disk that holds `{}` is full; free some space", file.display())]
    Full {
        /// The database file.
        file: PathBuf,
    },
    /// A key with this hash or this identifier is there already.
    #[error("a key with the identifier `{id}` exists already")]
    KeyExists {
        /// The identifier of the key that was to be added.
        id: String,
    },
    /// Anything else the database reports.
    #[error("the database `{}` failed", file.display())]
    Database {
        /// The database file.
        file: PathBuf,
        /// What it said.
        #[source]
        source: sqlx::Error,
    },
}

impl StoreError {
    /// Sorts a failure of the database at `file` into what the operator can do about it.
    pub(crate) fn new(file: &Path, source: sqlx::Error) -> Self {
        let file = file.to_owned();
        match dialect::failure(&source) {
            Failure::Unwritable => Self::Unwritable {
                folder: file.parent().unwrap_or(&file).to_owned(),
                reason: dialect::reason(&source),
            },
            Failure::Damaged => Self::Damaged { file },
            Failure::Locked => Self::Locked { file },
            Failure::Full => Self::Full { file },
            Failure::Other => Self::Database { file, source },
        }
    }
}
