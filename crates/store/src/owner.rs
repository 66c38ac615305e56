//! Whose note or workflow is it?

use crate::{Store, StoreError, dialect};

/// One holder at one gateway. What belongs to one owner is never read, changed or counted for another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    /// Where it was made.
    pub gateway: String,
    /// Who made it; users and keys are spelled differently, so that neither can pass for the other.
    pub holder: String,
}

impl Owner {
    /// What an end user made through a gateway.
    pub fn user(gateway: &str, user_id: &str) -> Self {
        Self {
            gateway: gateway.to_owned(),
            holder: format!("user:{user_id}"),
        }
    }

    /// What was made with a key that named no end user.
    pub fn key(gateway: &str, key_id: &str) -> Self {
        Self {
            gateway: gateway.to_owned(),
            holder: format!("key:{key_id}"),
        }
    }
}

impl Store {
    /// Erases the notes, workflows and runs of everybody at one gateway, all or nothing.
    pub async fn owners_remove(&self, gateway: &str) -> Result<(), StoreError> {
        let erase = async {
            let mut transaction = self.pool.begin().await?;
            for statement in [
                "DELETE FROM notes WHERE gateway = $1",
                "DELETE FROM note_numbers WHERE gateway = $1",
                "DELETE FROM workflows WHERE gateway = $1",
                "DELETE FROM workflow_runs WHERE gateway = $1",
            ] {
                sqlx::query(statement)
                    .bind(gateway)
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await
        };
        erase.await.map_err(|error| self.failed(error))?;
        self.empty_log().await;
        Ok(())
    }

    /// What was erased also stands in the log of changes until that is started anew. A reader may be in the way; then
    /// the next time does it.
    pub(crate) async fn empty_log(&self) {
        if let Err(error) = sqlx::query(dialect::EMPTY_LOG).execute(&self.pool).await {
            tracing::warn!(%error, "the log of the database cannot be emptied now");
        }
    }
}
