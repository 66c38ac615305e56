//! Which presentation settings were changed while the gateway ran?
//!
//! What stands here stands over the settings file. Rows of gateways that the file no longer has stay and do nothing;
//! those of an agent go with it.

use std::collections::BTreeSet;

use handpick_domain::{Autonomy, Presentation, SystemToolkit};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::row::json_text;
use crate::{Store, StoreError, dialect};

/// Whose presentation it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Presented {
    /// A gateway, by name.
    Gateway(String),
    /// An agent, by id.
    Agent(String),
}

impl Presented {
    fn key(&self) -> (&'static str, &str) {
        match self {
            Self::Gateway(name) => ("gateway", name),
            Self::Agent(id) => ("agent", id),
        }
    }
}

/// What was changed; `None` where the file's value, or the default, holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PresentationSettings {
    /// How the tools are shown.
    pub mode: Option<Presentation>,
    /// How freely they may be run.
    pub autonomy: Option<Autonomy>,
    /// Toolkits of the gateway itself that are turned on.
    pub system_tools: Option<BTreeSet<SystemToolkit>>,
}

/// What becomes of one setting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Edit<T> {
    /// It stays as it is.
    #[default]
    Keep,
    /// Back to the file's value.
    Back,
    /// This value from now on.
    To(T),
}

impl<T> Edit<T> {
    /// The value it brings, if it brings one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::To(value) => Some(value),
            Self::Keep | Self::Back => None,
        }
    }

    fn apply(self, setting: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Back => *setting = None,
            Self::To(value) => *setting = Some(value),
        }
    }
}

/// What becomes of each setting of a presentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PresentationEdit {
    /// How the tools are shown.
    pub mode: Edit<Presentation>,
    /// How freely they may be run.
    pub autonomy: Edit<Autonomy>,
    /// Toolkits of the gateway itself that are turned on.
    pub system_tools: Edit<BTreeSet<SystemToolkit>>,
}

impl Store {
    /// Every presentation that was changed, gateways after agents, each by id. A setting that this version cannot read
    /// counts as not changed.
    pub async fn presentation_load_all(&self) -> Result<Vec<(Presented, PresentationSettings)>, StoreError> {
        let rows =
            sqlx::query("SELECT kind, id, mode, autonomy, system_tools FROM presentations ORDER BY kind, id")
                .fetch_all(&self.pool)
                .await
                .map_err(|error| self.failed(error))?;
        rows.iter()
            .map(|row| {
                let (kind, id): (String, String) = (row.try_get(0)?, row.try_get(1)?);
                let presented = match kind.as_str() {
                    "agent" => Presented::Agent(id),
                    _ => Presented::Gateway(id),
                };
                Ok((presented, settings(row, 2)?))
            })
            .collect::<Result<_, _>>()
            .map_err(|error| self.failed(error))
    }

    /// Changes the presentation of a gateway or agent and gives all that is changed of it by now. Settings that `edit`
    /// keeps are not written, so that changes made at the same time do not undo each other. `None`, and nothing is
    /// kept, when there is no such agent; whether there is such a gateway the settings file alone knows.
    pub async fn presentation_change(
        &self,
        presented: &Presented,
        edit: PresentationEdit,
        changed_at_ms: i64,
    ) -> Result<Option<PresentationSettings>, StoreError> {
        self.presentation_change_in_transaction(presented, edit, changed_at_ms)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn presentation_change_in_transaction(
        &self,
        presented: &Presented,
        edit: PresentationEdit,
        changed_at_ms: i64,
    ) -> Result<Option<PresentationSettings>, sqlx::Error> {
        let (kind, id) = presented.key();
        let agent_id = matches!(presented, Presented::Agent(_)).then_some(id);
        let mut transaction = self.pool.begin_with(dialect::BEGIN_WRITE).await?;
        if let Some(agent_id) = agent_id {
            let known = sqlx::query("SELECT 1 FROM agents WHERE id = $1").bind(agent_id);
            if known.fetch_optional(&mut *transaction).await?.is_none() {
                return Ok(None);
            }
        }
        let mut settings = load(&mut transaction, kind, id).await?;
        edit.mode.apply(&mut settings.mode);
        edit.autonomy.apply(&mut settings.autonomy);
        edit.system_tools.apply(&mut settings.system_tools);
        if settings == PresentationSettings::default() {
            sqlx::query("DELETE FROM presentations WHERE kind = $1 AND id = $2")
                .bind(kind)
                .bind(id)
                .execute(&mut *transaction)
                .await?;
        } else {
            sqlx::query(
                "INSERT INTO presentations (kind, id, agent_id, mode, autonomy, system_tools, changed_at_ms)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)
                 ON CONFLICT (kind, id) DO UPDATE SET
                   mode = excluded.mode,
                   autonomy = excluded.autonomy,
                   system_tools = excluded.system_tools,
                   changed_at_ms = excluded.changed_at_ms",
            )
            .bind(kind)
            .bind(id)
            .bind(agent_id)
            .bind(settings.mode.map(Presentation::as_str))
            .bind(settings.autonomy.map(Autonomy::as_str))
            .bind(settings.system_tools.as_ref().map(json_text).transpose()?)
            .bind(changed_at_ms)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(Some(settings))
    }
}

async fn load(
    connection: &mut SqliteConnection,
    kind: &str,
    id: &str,
) -> Result<PresentationSettings, sqlx::Error> {
    let row =
        sqlx::query("SELECT mode, autonomy, system_tools FROM presentations WHERE kind = $1 AND id = $2")
            .bind(kind)
            .bind(id)
            .fetch_optional(connection)
            .await?;
    row.map_or_else(|| Ok(PresentationSettings::default()), |row| settings(&row, 0))
}

/// Three columns from `first` on.
fn settings(row: &SqliteRow, first: usize) -> Result<PresentationSettings, sqlx::Error> {
    let text = |column: usize| row.try_get::<Option<String>, _>(first + column);
    Ok(PresentationSettings {
        mode: known(text(0)?, Presentation::parse),
        autonomy: known(text(1)?, Autonomy::parse),
        system_tools: known(text(2)?, |text| serde_json::from_str(text).ok()),
    })
}

/// A setting, or nothing where it is of no kind that this version knows: better the file's value than no start.
fn known<T>(text: Option<String>, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    let text = text?;
    let setting = read(&text);
    if setting.is_none() {
        tracing::warn!(
            setting = text,
            "a stored presentation setting cannot be read; the file's value holds"
        );
    }
    setting
}
