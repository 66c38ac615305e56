//! Which schema does this version need, and how does a database get there?

use std::path::Path;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Connection as _, SqlSafeStr as _, SqliteConnection};

use crate::{StoreError, dialect};

/// Every schema change ever made, oldest first. Numbered from 1 without gaps; never edited once shipped.
const MIGRATIONS: &[(&str, &str)] = &[
    ("start", include_str!("../migrations/0001_start.sql")),
    ("agents", include_str!("../migrations/0002_agents.sql")),
    ("decisions", include_str!("../migrations/0003_decisions.sql")),
    ("system", include_str!("../migrations/0004_system.sql")),
    (
        "presentations",
        include_str!("../migrations/0005_presentations.sql"),
    ),
];

/// Brings the database to the latest schema, all or nothing.
///
/// The write lock is taken before the version is read, so that two processes that start together do not
/// both migrate.
pub(crate) async fn migrate(connection: &mut SqliteConnection, file: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::new(file, error);
    let mut transaction = connection
        .begin_with(dialect::BEGIN_WRITE)
        .await
        .map_err(failed)?;
    migrator()
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(|error| sorted(file, error))?;
    transaction.commit().await.map_err(failed)
}

fn migrator() -> Migrator {
    let numbered = (1..).zip(MIGRATIONS);
    let migrations = numbered.map(|(version, &(name, sql))| {
        Migration::new(
            version,
            name.into(),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    });
    Migrator::with_migrations(migrations.collect())
}

fn sorted(file: &Path, error: MigrateError) -> StoreError {
    match error {
        MigrateError::VersionMissing(found) => StoreError::Newer {
            file: file.to_owned(),
            found,
            known: i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX),
        },
        MigrateError::VersionMismatch(version) => StoreError::Foreign {
            file: file.to_owned(),
            version,
        },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            StoreError::new(file, error)
        }
        other => StoreError::new(file, other.into()),
    }
}
