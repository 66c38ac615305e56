//! Which agents were published, and what did each of them learn from?
//!
//! The catalog, the past conversations and the vectors of an agent live and die together.

use std::collections::{HashMap, HashSet};

use handpick_domain::Digest;
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use crate::row::digest;
use crate::vectors::{ROWS_PER_STATEMENT, distinct, vectors_of};
use crate::{Store, StoreError, dialect};

/// A past conversation of an agent as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentConversation {
    /// The id its owner gave it, unique within the agent.
    pub id: String,
    /// What was said, as it came.
    pub json: String,
}

impl Store {
    /// The catalog of an agent, byte for byte as it was published; `None` for an unknown agent.
    pub async fn agent_catalog_load(&self, agent_id: &str) -> Result<Option<String>, StoreError> {
        sqlx::query_scalar("SELECT catalog_json FROM agents WHERE id = $1")
            .bind(agent_id)
            .fetch_optional(&self.pool)
            .await
            .map_err(|error| self.failed(error))
    }

    /// Keeps the catalog of an agent; makes the agent where there is none. What it learned from stays.
    pub async fn agent_catalog_save(
        &self,
        agent_id: &str,
        catalog_json: &str,
        updated_at_ms: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO agents (id, catalog_json, updated_at_ms) VALUES ($1, $2, $3)
             ON CONFLICT (id) DO UPDATE SET
               catalog_json = excluded.catalog_json,
               updated_at_ms = excluded.updated_at_ms",
        )
        .bind(agent_id)
        .bind(catalog_json)
        .bind(updated_at_ms)
        .execute(&self.pool)
        .await
        .map(|_| ())
        .map_err(|error| self.failed(error))
    }

    /// Erases an agent with its conversations and vectors, all or nothing. `false` when there is none.
    pub async fn agent_remove(&self, agent_id: &str) -> Result<bool, StoreError> {
        let removed = sqlx::query("DELETE FROM agents WHERE id = $1")
            .bind(agent_id)
            .execute(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        self.empty_log().await;
        Ok(removed.rows_affected() > 0)
    }

    /// The past conversations of an agent, in the order they were added or last replaced.
    pub async fn agent_conversations_load(
        &self,
        agent_id: &str,
    ) -> Result<Vec<AgentConversation>, StoreError> {
        let rows =
            sqlx::query("SELECT id, json FROM agent_conversations WHERE agent_id = $1 ORDER BY position, id")
                .bind(agent_id)
                .fetch_all(&self.pool)
                .await
                .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(|row| {
                Ok(AgentConversation {
                    id: row.try_get(0)?,
                    json: row.try_get(1)?,
                })
            })
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }

    /// Adds past conversations to an agent, replacing those with the same id, and forgets those named in `forgotten`:
    /// all or nothing. `false`, and nothing is kept, when there is no such agent.
    pub async fn agent_conversations_save(
        &self,
        agent_id: &str,
        added: &[AgentConversation],
        forgotten: &[String],
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        self.agent_conversations_save_in_transaction(agent_id, added, forgotten, at_ms)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn agent_conversations_save_in_transaction(
        &self,
        agent_id: &str,
        added: &[AgentConversation],
        forgotten: &[String],
        at_ms: i64,
    ) -> Result<bool, sqlx::Error> {
        let mut transaction = self.pool.begin_with(dialect::BEGIN_WRITE).await?;
        if !agent_exists(&mut transaction, agent_id).await? {
            return Ok(false);
        }
        let last: i64 = sqlx::query_scalar(
            "SELECT COALESCE(MAX(position), 0) FROM agent_conversations WHERE agent_id = $1",
        )
        .bind(agent_id)
        .fetch_one(&mut *transaction)
        .await?;
        for (position, conversation) in (last + 1..).zip(added) {
            sqlx::query(
                "INSERT INTO agent_conversations (agent_id, id, position, json, at_ms)
                 VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (agent_id, id) DO UPDATE SET
                   position = excluded.position,
                   json = excluded.json,
                   at_ms = excluded.at_ms",
            )
            .bind(agent_id)
            .bind(&conversation.id)
            .bind(position)
            .bind(&conversation.json)
            .bind(at_ms)
            .execute(&mut *transaction)
            .await?;
        }
        for ids in forgotten.chunks(ROWS_PER_STATEMENT) {
            let mut statement =
                QueryBuilder::<Sqlite>::new("DELETE FROM agent_conversations WHERE agent_id = ");
            statement.push_bind(agent_id).push(" AND id IN (");
            let mut list = statement.separated(", ");
            for id in ids {
                list.push_bind(id);
            }
            statement.push(")");
            statement.build().execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// The vectors that one encoder made of an agent's texts, by the digest of the text.
    pub async fn agent_vectors_load(
        &self,
        agent_id: &str,
        encoder_id: &str,
    ) -> Result<HashMap<Digest, Vec<u8>>, StoreError> {
        let rows =
            sqlx::query("SELECT digest, vector FROM agent_vectors WHERE agent_id = $1 AND encoder_id = $2")
                .bind(agent_id)
                .bind(encoder_id)
                .fetch_all(&self.pool)
                .await
                .map_err(|error| self.failed(error))?;
        vectors_of(&rows).map_err(|error| self.failed(error))
    }

    /// Keeps vectors of an agent's texts, all or none; replaces those with the same digest. `false`, and nothing is
    /// kept, when there is no such agent.
    pub async fn agent_vectors_save(
        &self,
        agent_id: &str,
        encoder_id: &str,
        vectors: &[(Digest, Vec<u8>)],
    ) -> Result<bool, StoreError> {
        self.agent_vectors_save_in_transaction(agent_id, encoder_id, vectors)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn agent_vectors_save_in_transaction(
        &self,
        agent_id: &str,
        encoder_id: &str,
        vectors: &[(Digest, Vec<u8>)],
    ) -> Result<bool, sqlx::Error> {
        let mut transaction = self.pool.begin_with(dialect::BEGIN_WRITE).await?;
        if !agent_exists(&mut transaction, agent_id).await? {
            return Ok(false);
        }
        for rows in distinct(vectors).chunks(ROWS_PER_STATEMENT) {
            QueryBuilder::<Sqlite>::new("INSERT INTO agent_vectors (agent_id, encoder_id, digest, vector) ")
                .push_values(rows, |mut row, (digest, vector)| {
                    row.push_bind(agent_id)
                        .push_bind(encoder_id)
                        .push_bind(&digest[..])
                        .push_bind(*vector);
                })
                .push(" ON CONFLICT (agent_id, encoder_id, digest) DO UPDATE SET vector = excluded.vector")
                .build()
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Forgets every vector of an agent that another encoder made or whose digest is not in `keep`, all or none; gives
    /// their number.
    pub async fn agent_vectors_prune(
        &self,
        agent_id: &str,
        encoder_id: &str,
        keep: &HashSet<Digest>,
    ) -> Result<u64, StoreError> {
        self.agent_vectors_prune_in_transaction(agent_id, encoder_id, keep)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn agent_vectors_prune_in_transaction(
        &self,
        agent_id: &str,
        encoder_id: &str,
        keep: &HashSet<Digest>,
    ) -> Result<u64, sqlx::Error> {
        let mut transaction = self.pool.begin_with(dialect::BEGIN_WRITE).await?;
        let others = "DELETE FROM agent_vectors WHERE agent_id = $1 AND encoder_id <> $2";
        let mut count = sqlx::query(others)
            .bind(agent_id)
            .bind(encoder_id)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
        let rows = sqlx::query("SELECT digest FROM agent_vectors WHERE agent_id = $1 AND encoder_id = $2")
            .bind(agent_id)
            .bind(encoder_id)
            .fetch_all(&mut *transaction)
            .await?;
        let mut gone = Vec::new();
        for row in &rows {
            let digest = digest(row, 0)?;
            if !keep.contains(&digest) {
                gone.push(digest);
            }
        }
        for digests in gone.chunks(ROWS_PER_STATEMENT) {
            let mut statement = QueryBuilder::<Sqlite>::new("DELETE FROM agent_vectors WHERE agent_id = ");
            statement.push_bind(agent_id).push(" AND encoder_id = ");
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

/// Asked within the transaction that is about to add to the agent: what belongs to no agent could never be erased.
async fn agent_exists(connection: &mut SqliteConnection, agent_id: &str) -> Result<bool, sqlx::Error> {
    let row = sqlx::query("SELECT 1 FROM agents WHERE id = $1")
        .bind(agent_id)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}
