//! What was selected, what was called, and which call followed from which selection?

use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite, SqliteConnection};

use crate::row::{signed, unreadable, unsigned};
use crate::{Store, StoreError};

/// How a selection was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SelectionSource {
    /// Tools for described tasks.
    Select,
    /// Tools for a search text.
    Search,
    /// A discovery meta-tool.
    Discover,
}

impl SelectionSource {
    /// Every source.
    pub const ALL: [Self; 3] = [Self::Select, Self::Search, Self::Discover];

    /// The word that is kept.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Search => "search",
            Self::Discover => "discover",
        }
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallOutcome {
    /// The tool answered.
    Ok,
    /// The tool answered that it failed.
    ToolError,
    /// Refused before it reached the tool.
    Denied,
    /// The arguments do not fit the tool.
    Invalid,
    /// The upstream server could not be reached.
    Unavailable,
    /// No answer in time.
    Timeout,
    /// The caller gave up.
    Cancelled,
    /// The upstream server answered with a protocol error.
    RpcError,
}

impl CallOutcome {
    /// Every outcome.
    pub const ALL: [Self; 8] = [
        Self::Ok,
        Self::ToolError,
        Self::Denied,
        Self::Invalid,
        Self::Unavailable,
        Self::Timeout,
        Self::Cancelled,
        Self::RpcError,
    ];

    /// The word that is kept.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ToolError => "tool_error",
            Self::Denied => "denied",
            Self::Invalid => "invalid",
            Self::Unavailable => "unavailable",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::RpcError => "rpc_error",
        }
    }
}

/// One answered selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionRecord {
    /// What the caller was given to link calls with. Unique.
    pub query_id: String,
    /// When, milliseconds since 1970.
    pub at_ms: i64,
    /// Identifier of the caller's key.
    pub key_id: String,
    /// The end user, when the caller named one.
    pub user_id: Option<String>,
    /// The gateway; `None` for the whole project.
    pub gateway: Option<String>,
    /// How it was asked for.
    pub source: SelectionSource,
    /// How many tasks were described.
    pub tasks: u64,
    /// Their texts as JSON, when settings ask for it.
    pub tasks_json: Option<String>,
    /// What was suggested as JSON: names and scores.
    pub tools_json: String,
    /// How long it took.
    pub latency_us: u64,
}

/// One call of a tool, refused ones included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRecord {
    /// Identifier of the call. Unique.
    pub id: String,
    /// When, milliseconds since 1970.
    pub at_ms: i64,
    /// Identifier of the caller's key.
    pub key_id: String,
    /// The end user, when the caller named one.
    pub user_id: Option<String>,
    /// The gateway; `None` for the whole project.
    pub gateway: Option<String>,
    /// Canonical name of the tool, or what the caller wrote when nothing has that name.
    pub tool: String,
    /// Mode and front it came through.
    pub source: String,
    /// How it ended.
    pub outcome: CallOutcome,
    /// What went wrong, where something did.
    pub error: Option<String>,
    /// How long it took.
    pub latency_us: u64,
    /// Written: whatever the caller sent. Read: the selection the call followed, if one of the same key
    /// exists under that identifier, else `None` (A21).
    pub query_id: Option<String>,
    /// Its arguments as JSON, when settings ask for it.
    pub arguments_json: Option<String>,
    /// Its result as JSON, when settings ask for it.
    pub result_json: Option<String>,
    /// Why admission let it through or stopped it, in one word; `None` where that was never judged.
    pub decision: Option<String>,
}

impl Store {
    /// The last selections, newest first.
    pub async fn selections_recent(&self, limit: u32) -> Result<Vec<SelectionRecord>, StoreError> {
        let rows = sqlx::query(
            "SELECT query_id, at_ms, key_id, user_id, gateway, source, tasks, tasks_json, tools_json, latency_us
             FROM selections ORDER BY at_ms DESC, query_id DESC LIMIT $1",
        )
        .bind(i64::from(limit))
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(selection)
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }

    /// The last calls, newest first.
    pub async fn calls_recent(&self, limit: u32) -> Result<Vec<CallRecord>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, at_ms, key_id, user_id, gateway, tool, source, outcome, error, latency_us,
                    query_id, arguments_json, result_json, decision
             FROM calls ORDER BY at_ms DESC, id DESC LIMIT $1",
        )
        .bind(i64::from(limit))
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(call)
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }

    /// The calls that followed one selection, oldest first.
    pub async fn calls_by_query(&self, query_id: &str) -> Result<Vec<CallRecord>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, at_ms, key_id, user_id, gateway, tool, source, outcome, error, latency_us,
                    query_id, arguments_json, result_json, decision
             FROM calls WHERE query_id = $1 ORDER BY at_ms, id",
        )
        .bind(query_id)
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(call)
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }

    /// Forgets selections and calls from before `older_than_ms`, then the oldest beyond `keep_max_rows`
    /// of each; gives the number of rows removed. The file does not shrink, its space is used again.
    ///
    /// A call outlives the selection it followed; it is then no longer linked.
    pub async fn record_prune(&self, older_than_ms: i64, keep_max_rows: u32) -> Result<u64, StoreError> {
        self.record_prune_in_transaction(older_than_ms, keep_max_rows)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn record_prune_in_transaction(
        &self,
        older_than_ms: i64,
        keep_max_rows: u32,
    ) -> Result<u64, sqlx::Error> {
        let mut transaction = self.pool.begin().await?;
        let mut count = 0;
        for statement in [
            "DELETE FROM calls WHERE at_ms < $1",
            "DELETE FROM selections WHERE at_ms < $1",
        ] {
            let done = sqlx::query(statement).bind(older_than_ms);
            count += done.execute(&mut *transaction).await?.rows_affected();
        }
        // The newest row that has to go, and everything older than it.
        for statement in [
            "DELETE FROM calls WHERE (at_ms, id) <=
               (SELECT at_ms, id FROM calls ORDER BY at_ms DESC, id DESC LIMIT 1 OFFSET $1)",
            "DELETE FROM selections WHERE (at_ms, query_id) <=
               (SELECT at_ms, query_id FROM selections ORDER BY at_ms DESC, query_id DESC LIMIT 1 OFFSET $1)",
        ] {
            let done = sqlx::query(statement).bind(i64::from(keep_max_rows));
            count += done.execute(&mut *transaction).await?.rows_affected();
        }
        transaction.commit().await?;
        Ok(count)
    }
}

/// Writes a selection; one with the same identifier is left as it is.
pub(crate) async fn selection_insert(
    connection: &mut SqliteConnection,
    record: &SelectionRecord,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO selections
           (query_id, at_ms, key_id, user_id, gateway, source, tasks, tasks_json, tools_json, latency_us)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (query_id) DO NOTHING",
    )
    .bind(&record.query_id)
    .bind(record.at_ms)
    .bind(&record.key_id)
    .bind(&record.user_id)
    .bind(&record.gateway)
    .bind(record.source.as_str())
    .bind(signed(record.tasks))
    .bind(&record.tasks_json)
    .bind(&record.tools_json)
    .bind(signed(record.latency_us))
    .execute(connection)
    .await
    .map(|_| ())
}

/// Calls in one statement: a statement costs more than its rows, and 32 rows of 15 parameters stay below
/// every database's limit.
pub(crate) const CALLS_PER_STATEMENT: usize = 32;

/// Writes up to [`CALLS_PER_STATEMENT`] calls, each linked to its selection if that is there and belongs to
/// the same key (A21); one with an identifier that is there already is left out.
pub(crate) async fn calls_insert(
    connection: &mut SqliteConnection,
    records: &[&CallRecord],
) -> Result<(), sqlx::Error> {
    QueryBuilder::<Sqlite>::new(
        "INSERT INTO calls
           (id, at_ms, key_id, user_id, gateway, tool, source, outcome, error, latency_us,
            arguments_json, result_json, decision, query_id) ",
    )
    .push_values(records, |mut row, record| {
        row.push_bind(&record.id)
            .push_bind(record.at_ms)
            .push_bind(&record.key_id)
            .push_bind(&record.user_id)
            .push_bind(&record.gateway)
            .push_bind(&record.tool)
            .push_bind(&record.source)
            .push_bind(record.outcome.as_str())
            .push_bind(&record.error)
            .push_bind(signed(record.latency_us))
            .push_bind(&record.arguments_json)
            .push_bind(&record.result_json)
            .push_bind(&record.decision)
            .push("(SELECT query_id FROM selections WHERE query_id = ")
            .push_bind_unseparated(&record.query_id)
            .push_unseparated(" AND key_id = ")
            .push_bind_unseparated(&record.key_id)
            .push_unseparated(")");
    })
    .push(" ON CONFLICT (id) DO NOTHING")
    .build()
    .execute(connection)
    .await
    .map(|_| ())
}

fn selection(row: &SqliteRow) -> Result<SelectionRecord, sqlx::Error> {
    Ok(SelectionRecord {
        query_id: row.try_get(0)?,
        at_ms: row.try_get(1)?,
        key_id: row.try_get(2)?,
        user_id: row.try_get(3)?,
        gateway: row.try_get(4)?,
        source: word(row, 5, &SelectionSource::ALL, SelectionSource::as_str)?,
        tasks: unsigned(row, 6)?,
        tasks_json: row.try_get(7)?,
        tools_json: row.try_get(8)?,
        latency_us: unsigned(row, 9)?,
    })
}

fn call(row: &SqliteRow) -> Result<CallRecord, sqlx::Error> {
    Ok(CallRecord {
        id: row.try_get(0)?,
        at_ms: row.try_get(1)?,
        key_id: row.try_get(2)?,
        user_id: row.try_get(3)?,
        gateway: row.try_get(4)?,
        tool: row.try_get(5)?,
        source: row.try_get(6)?,
        outcome: word(row, 7, &CallOutcome::ALL, CallOutcome::as_str)?,
        error: row.try_get(8)?,
        latency_us: unsigned(row, 9)?,
        query_id: row.try_get(10)?,
        arguments_json: row.try_get(11)?,
        result_json: row.try_get(12)?,
        decision: row.try_get(13)?,
    })
}

/// The one of `all` that is kept as this word.
fn word<T: Copy>(
    row: &SqliteRow,
    column: usize,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Result<T, sqlx::Error> {
    let kept: &str = row.try_get(column)?;
    all.iter()
        .copied()
        .find(|&one| as_str(one) == kept)
        .ok_or_else(|| unreadable(column, format!("`{kept}` is not a known word").into()))
}
