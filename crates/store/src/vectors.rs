//! Which tool texts have been embedded already?

use std::collections::{HashMap, HashSet};

use handpick_domain::Digest;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use crate::row::digest;
use crate::{Store, StoreError};

/// Rows in one statement: few statements, and their parameters stay below every database's limit.
pub(crate) const ROWS_PER_STATEMENT: usize = 256;

/// The vectors of rows of digest and vector.
pub(crate) fn vectors_of(rows: &[SqliteRow]) -> Result<HashMap<Digest, Vec<u8>>, sqlx::Error> {
    rows.iter()
        .map(|row| Ok((digest(row, 0)?, row.try_get(1)?)))
        .collect()
}

impl Store {
    /// Every vector one encoder made, by the digest of the text it stands for.
    ///
    /// `encoder_id` names the model and how it writes numbers: vectors of different ids never mix.
    pub async fn vectors_load(&self, encoder_id: &str) -> Result<HashMap<Digest, Vec<u8>>, StoreError> {
        let rows = sqlx::query("SELECT digest, vector FROM vectors WHERE encoder_id = $1")
            .bind(encoder_id)
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        vectors_of(&rows).map_err(|error| self.failed(error))
    }

    /// Keeps vectors, all or none; replaces those with the same digest.
    pub async fn vectors_save(
        &self,
        encoder_id: &str,
        vectors: &[(Digest, Vec<u8>)],
    ) -> Result<(), StoreError> {
        self.vectors_save_in_transaction(encoder_id, vectors)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn vectors_save_in_transaction(
        &self,
        encoder_id: &str,
        vectors: &[(Digest, Vec<u8>)],
    ) -> Result<(), sqlx::Error> {
        let mut transaction = self.pool.begin().await?;
        for rows in distinct(vectors).chunks(ROWS_PER_STATEMENT) {
            QueryBuilder::<Sqlite>::new("INSERT INTO vectors (encoder_id, digest, vector) ")
                .push_values(rows, |mut row, (digest, vector)| {
                    row.push_bind(encoder_id)
                        .push_bind(&digest[..])
                        .push_bind(*vector);
                })
                .push(" ON CONFLICT (encoder_id, digest) DO UPDATE SET vector = excluded.vector")
                .build()
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await
    }

    /// Forgets every vector of `encoder_id` whose digest is not in `keep`; gives their number.
    pub async fn vectors_prune(&self, encoder_id: &str, keep: &HashSet<Digest>) -> Result<u64, StoreError> {
        self.vectors_prune_in_transaction(encoder_id, keep)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn vectors_prune_in_transaction(
        &self,
        encoder_id: &str,
        keep: &HashSet<Digest>,
    ) -> Result<u64, sqlx::Error> {
        let rows = sqlx::query("SELECT digest FROM vectors WHERE encoder_id = $1")
            .bind(encoder_id)
            .fetch_all(&self.pool)
            .await?;
        let mut gone = Vec::new();
        for row in &rows {
            let digest = digest(row, 0)?;
            if !keep.contains(&digest) {
                gone.push(digest);
            }
        }
        let mut transaction = self.pool.begin().await?;
        let mut count = 0;
        for digests in gone.chunks(ROWS_PER_STATEMENT) {
            let mut statement = QueryBuilder::<Sqlite>::new("DELETE FROM vectors WHERE encoder_id = ");
            statement.push_bind(encoder_id).push(" AND digest IN (");
            let mut list = statement.separated(", ");
            for digest in digests {
                list.push_bind(&digest[..]);
            }
            statement.push(")");
            count += statement
                .build()
                .execute(&mut *transaction)
                .await?
                .rows_affected();
        }
        transaction.commit().await?;
        Ok(count)
    }
}

/// One vector a digest, the last one given: a statement must not touch the same row twice.
pub(crate) fn distinct(vectors: &[(Digest, Vec<u8>)]) -> Vec<(&Digest, &[u8])> {
    let by_digest: HashMap<&Digest, &[u8]> = vectors
        .iter()
        .map(|(digest, vector)| (digest, vector.as_slice()))
        .collect();
    by_digest.into_iter().collect()
}
