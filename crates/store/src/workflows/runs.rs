//! Who may go on with a run, and from where?

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::row::unreadable;
use crate::{Owner, Store, StoreError, dialect};

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// Somebody works on it.
    Running,
    /// A step failed; it can be taken up there.
    Failed,
    /// Whoever asked for it went away while a step was under way; it can be taken up there.
    Cancelled,
    /// Every step is done.
    Finished,
}

impl RunStatus {
    const ALL: [Self; 4] = [Self::Running, Self::Failed, Self::Cancelled, Self::Finished];

    /// Stable spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Finished => "finished",
        }
    }

    fn read(row: &SqliteRow, column: usize) -> Result<Self, sqlx::Error> {
        let text: &str = row.try_get(column)?;
        let found = Self::ALL.into_iter().find(|status| status.as_str() == text);
        found.ok_or_else(|| unreadable(column, format!("`{text}` is no status of a run").into()))
    }
}

/// A run to be started.
#[derive(Clone, Copy, Debug)]
pub struct NewWorkflowRun<'a> {
    /// Unique for its owner, and ordered by time.
    pub id: &'a str,
    /// The name of its workflow.
    pub workflow: &'a str,
    /// What it starts with.
    pub json: &'a str,
    /// When it starts, milliseconds since 1970.
    pub started_at_ms: i64,
    /// Until when nobody else may take it up, milliseconds since 1970.
    pub held_until_ms: i64,
}

/// How far whoever works on a run has come.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress<'a> {
    /// How it stands now.
    pub status: RunStatus,
    /// What was done and what the next steps need.
    pub json: &'a str,
    /// Until when nobody else may take it up, milliseconds since 1970.
    pub held_until_ms: i64,
}

/// Whether a run can be taken up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It is the caller's now.
    Granted {
        /// Names this attempt: only the latest one may write.
        attempt: i64,
        /// What was done and what the next steps need.
        json: String,
        /// Whether the last attempt ended without a word, so that its last step may have happened.
        cut_short: bool,
    },
    /// Somebody works on it.
    Busy,
    /// Every step is done.
    Finished,
    /// The owner has no such run.
    Unknown,
}

/// A run that is not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRun {
    /// Names it.
    pub id: String,
    /// The name of its workflow.
    pub workflow: String,
    /// Failed, cancelled or running; one that nobody holds any more counts as cancelled.
    pub status: RunStatus,
    /// When it started, milliseconds since 1970.
    pub started_at_ms: i64,
}

impl Store {
    /// Starts a run as attempt 1. Of each owner `most` runs are kept; the oldest leave.
    pub async fn workflow_run_begin(
        &self,
        owner: &Owner,
        run: NewWorkflowRun<'_>,
        most: u32,
    ) -> Result<i64, StoreError> {
        self.workflow_run_begin_in_transaction(owner, run, most)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn workflow_run_begin_in_transaction(
        &self,
        owner: &Owner,
        run: NewWorkflowRun<'_>,
        most: u32,
    ) -> Result<i64, sqlx::Error> {
        let attempt = 1_i64;
        let mut transaction = self.pool.begin_with(dialect::BEGIN_WRITE).await?;
        sqlx::query(
            "INSERT INTO workflow_runs
               (gateway, holder, id, workflow, status, attempt, held_until_ms, started_at_ms, json)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(run.id)
        .bind(run.workflow)
        .bind(RunStatus::Running.as_str())
        .bind(attempt)
        .bind(run.held_until_ms)
        .bind(run.started_at_ms)
        .bind(run.json)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "DELETE FROM workflow_runs WHERE gateway = $1 AND holder = $2 AND id <= (
               SELECT id FROM workflow_runs WHERE gateway = $1 AND holder = $2
               ORDER BY id DESC LIMIT 1 OFFSET $3)",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(i64::from(most))
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(attempt)
    }

    /// Notes how far an attempt has come. `false`, and nothing is written, when a later attempt has taken the run up
    /// or the run is gone.
    pub async fn workflow_run_save(
        &self,
        owner: &Owner,
        id: &str,
        attempt: i64,
        progress: RunProgress<'_>,
    ) -> Result<bool, StoreError> {
        sqlx::query(
            "UPDATE workflow_runs SET status = $1, json = $2, held_until_ms = $3
             WHERE gateway = $4 AND holder = $5 AND id = $6 AND attempt = $7",
        )
        .bind(progress.status.as_str())
        .bind(progress.json)
        .bind(progress.held_until_ms)
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(id)
        .bind(attempt)
        .execute(&self.pool)
        .await
        .map(|done| done.rows_affected() > 0)
        .map_err(|error| self.failed(error))
    }

    /// Says that an attempt still works on its run. `false` when it is no longer its own.
    pub async fn workflow_run_hold(
        &self,
        owner: &Owner,
        id: &str,
        attempt: i64,
        held_until_ms: i64,
    ) -> Result<bool, StoreError> {
        sqlx::query(
            "UPDATE workflow_runs SET held_until_ms = $1
             WHERE gateway = $2 AND holder = $3 AND id = $4 AND attempt = $5",
        )
        .bind(held_until_ms)
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(id)
        .bind(attempt)
        .execute(&self.pool)
        .await
        .map(|done| done.rows_affected() > 0)
        .map_err(|error| self.failed(error))
    }

    /// Says that an attempt was given up while a step was under way. Nothing happens when it has ended otherwise.
    pub async fn workflow_run_cancel(&self, owner: &Owner, id: &str, attempt: i64) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE workflow_runs SET status = $1, held_until_ms = 0
             WHERE gateway = $2 AND holder = $3 AND id = $4 AND attempt = $5 AND status = $6",
        )
        .bind(RunStatus::Cancelled.as_str())
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(id)
        .bind(attempt)
        .bind(RunStatus::Running.as_str())
        .execute(&self.pool)
        .await
        .map(|_| ())
        .map_err(|error| self.failed(error))
    }

    /// Takes up a run that failed, was cancelled or was left by a process that died. Of several that try at once one
    /// is granted.
    pub async fn workflow_run_claim(
        &self,
        owner: &Owner,
        id: &str,
        now_ms: i64,
        held_until_ms: i64,
    ) -> Result<Claim, StoreError> {
        self.workflow_run_claim_in_transaction(owner, id, now_ms, held_until_ms)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn workflow_run_claim_in_transaction(
        &self,
        owner: &Owner,
        id: &str,
        now_ms: i64,
        held_until_ms: i64,
    ) -> Result<Claim, sqlx::Error> {
        let mut transaction = self.pool.begin_with(dialect::BEGIN_WRITE).await?;
        let found = sqlx::query(
            "SELECT status, attempt, held_until_ms, json FROM workflow_runs
             WHERE gateway = $1 AND holder = $2 AND id = $3",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(id)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = found else {
            return Ok(Claim::Unknown);
        };
        let (attempt, held_now): (i64, i64) = (row.try_get(1)?, row.try_get(2)?);
        let cut_short = match RunStatus::read(&row, 0)? {
            RunStatus::Finished => return Ok(Claim::Finished),
            RunStatus::Running if held_now > now_ms => return Ok(Claim::Busy),
            RunStatus::Running | RunStatus::Cancelled => true,
            RunStatus::Failed => false,
        };
        // Where a transaction does not keep others out, the attempt does: it is only taken up from where it was read.
        let taken = sqlx::query(
            "UPDATE workflow_runs SET status = $1, attempt = $2, held_until_ms = $3
             WHERE gateway = $4 AND holder = $5 AND id = $6 AND attempt = $7",
        )
        .bind(RunStatus::Running.as_str())
        .bind(attempt + 1)
        .bind(held_until_ms)
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(id)
        .bind(attempt)
        .execute(&mut *transaction)
        .await?
        .rows_affected()
            > 0;
        let json = row.try_get(3)?;
        transaction.commit().await?;
        Ok(match taken {
            true => Claim::Granted {
                attempt: attempt + 1,
                json,
                cut_short,
            },
            false => Claim::Busy,
        })
    }

    /// The runs of an owner that are not finished, the latest first, `limit` at most.
    pub async fn workflow_run_list_open(
        &self,
        owner: &Owner,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<OpenRun>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, workflow, status, held_until_ms, started_at_ms FROM workflow_runs
             WHERE gateway = $1 AND holder = $2 AND status <> $3 ORDER BY id DESC LIMIT $4",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(RunStatus::Finished.as_str())
        .bind(i64::from(limit))
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(|row| open_run(row, now_ms))
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }
}

fn open_run(row: &SqliteRow, now_ms: i64) -> Result<OpenRun, sqlx::Error> {
    let held_until_ms: i64 = row.try_get(3)?;
    let status = match RunStatus::read(row, 2)? {
        RunStatus::Running if held_until_ms <= now_ms => RunStatus::Cancelled,
        status => status,
    };
    Ok(OpenRun {
        id: row.try_get(0)?,
        workflow: row.try_get(1)?,
        status,
        started_at_ms: row.try_get(4)?,
    })
}
