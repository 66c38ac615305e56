//! Which sequences of calls has somebody saved, and how far did their runs come?

mod runs;

use sqlx::Row as _;

pub use runs::{Claim, NewWorkflowRun, OpenRun, RunProgress, RunStatus};

use crate::{Owner, Store, StoreError, dialect};

/// A workflow as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowRow {
    /// Unique for its owner.
    pub name: String,
    /// What it is for; empty for none.
    pub description: String,
    /// When it was saved, milliseconds since 1970.
    pub updated_at_ms: i64,
}

/// A workflow to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewWorkflow<'a> {
    /// Unique for its owner.
    pub name: &'a str,
    /// What it is for; empty for none.
    pub description: &'a str,
    /// All of it.
    pub json: &'a str,
}

/// What became of a workflow that was to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkflowSaved {
    /// It is new.
    Added,
    /// It took the place of one with the same name.
    Replaced,
    /// It is not kept: the owner has as many as may be.
    Full,
}

impl Store {
    /// Keeps a workflow in the place of one with the same name. An owner has `most` at most.
    pub async fn workflow_save(
        &self,
        owner: &Owner,
        workflow: NewWorkflow<'_>,
        at_ms: i64,
        most: u32,
    ) -> Result<WorkflowSaved, StoreError> {
        self.workflow_save_in_transaction(owner, workflow, at_ms, most)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn workflow_save_in_transaction(
        &self,
        owner: &Owner,
        workflow: NewWorkflow<'_>,
        at_ms: i64,
        most: u32,
    ) -> Result<WorkflowSaved, sqlx::Error> {
        let mut transaction = self.pool.begin_with(dialect::BEGIN_WRITE).await?;
        let others: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM workflows WHERE gateway = $1 AND holder = $2 AND name <> $3",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(workflow.name)
        .fetch_one(&mut *transaction)
        .await?;
        let same = sqlx::query("SELECT 1 FROM workflows WHERE gateway = $1 AND holder = $2 AND name = $3")
            .bind(&owner.gateway)
            .bind(&owner.holder)
            .bind(workflow.name)
            .fetch_optional(&mut *transaction)
            .await?
            .is_some();
        if !same && others >= i64::from(most) {
            return Ok(WorkflowSaved::Full);
        }
        sqlx::query(
            "INSERT INTO workflows (gateway, holder, name, description, json, updated_at_ms)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (gateway, holder, name) DO UPDATE SET
               description = excluded.description,
               json = excluded.json,
               updated_at_ms = excluded.updated_at_ms",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(workflow.name)
        .bind(workflow.description)
        .bind(workflow.json)
        .bind(at_ms)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(match same {
            true => WorkflowSaved::Replaced,
            false => WorkflowSaved::Added,
        })
    }

    /// The workflows of an owner, by name.
    pub async fn workflow_list(&self, owner: &Owner) -> Result<Vec<WorkflowRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT name, description, updated_at_ms FROM workflows
             WHERE gateway = $1 AND holder = $2 ORDER BY name",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(|row| {
                Ok(WorkflowRow {
                    name: row.try_get(0)?,
                    description: row.try_get(1)?,
                    updated_at_ms: row.try_get(2)?,
                })
            })
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }

    /// A workflow as it was saved; `None` when the owner has none of this name.
    pub async fn workflow_load(&self, owner: &Owner, name: &str) -> Result<Option<String>, StoreError> {
        sqlx::query_scalar("SELECT json FROM workflows WHERE gateway = $1 AND holder = $2 AND name = $3")
            .bind(&owner.gateway)
            .bind(&owner.holder)
            .bind(name)
            .fetch_optional(&self.pool)
            .await
            .map_err(|error| self.failed(error))
    }

    /// Erases a workflow; its runs stay. `false` when the owner has none of this name.
    pub async fn workflow_remove(&self, owner: &Owner, name: &str) -> Result<bool, StoreError> {
        sqlx::query("DELETE FROM workflows WHERE gateway = $1 AND holder = $2 AND name = $3")
            .bind(&owner.gateway)
            .bind(&owner.holder)
            .bind(name)
            .execute(&self.pool)
            .await
            .map(|done| done.rows_affected() > 0)
            .map_err(|error| self.failed(error))
    }
}
