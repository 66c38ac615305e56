//! What has somebody noted, and which of it has these words?

use std::ops::Range;

use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use crate::{Owner, Store, StoreError, dialect};

/// Notes that one statement looks through for words.
const PAGE: i64 = 128;

/// A note as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Counts from 1 for each owner; never given twice.
    pub id: i64,
    /// When it was made, milliseconds since 1970.
    pub at_ms: i64,
    /// What was noted, as it came.
    pub text: String,
    /// In lower case, in the order they came.
    pub tags: Vec<String>,
}

/// Which notes are asked for: those that fit everything given.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoteFilter<'a> {
    /// Only those with a smaller id.
    pub before: Option<i64>,
    /// Only those with this tag, in any case.
    pub tag: Option<&'a str>,
    /// Only those that have each of these in their text or in a tag, in any case and within words too.
    pub words: &'a [String],
}

impl Store {
    /// Keeps a note and gives its id. Of each owner `most` notes are kept; the oldest leave. Tags must hold no line
    /// feed.
    pub async fn note_append(
        &self,
        owner: &Owner,
        text: &str,
        tags: &[String],
        at_ms: i64,
        most: u32,
    ) -> Result<i64, StoreError> {
        self.note_append_in_transaction(owner, text, tags, at_ms, most)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn note_append_in_transaction(
        &self,
        owner: &Owner,
        text: &str,
        tags: &[String],
        at_ms: i64,
        most: u32,
    ) -> Result<i64, sqlx::Error> {
        let mut transaction = self.pool.begin_with(dialect::BEGIN_WRITE).await?;
        let id: i64 = sqlx::query_scalar(
            "INSERT INTO note_numbers (gateway, holder, last_id) VALUES ($1, $2, 1)
             ON CONFLICT (gateway, holder) DO UPDATE SET last_id = note_numbers.last_id + 1
             RETURNING last_id",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .fetch_one(&mut *transaction)
        .await?;
        sqlx::query(
            "INSERT INTO notes (gateway, holder, id, at_ms, text, tags, folded)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(id)
        .bind(at_ms)
        .bind(text)
        .bind(joined(tags))
        .bind(text.to_lowercase())
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "DELETE FROM notes WHERE gateway = $1 AND holder = $2 AND id <= (
               SELECT id FROM notes WHERE gateway = $1 AND holder = $2 ORDER BY id DESC LIMIT 1 OFFSET $3)",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(i64::from(most))
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// The notes of an owner that fit a filter, newest first, `limit` at most.
    ///
    /// Words and tags are looked for page by page: between two pages the connection is free for others, and a search
    /// whose caller goes away ends with its page. Notes that are made meanwhile are not found.
    pub async fn note_list(
        &self,
        owner: &Owner,
        filter: NoteFilter<'_>,
        limit: u32,
    ) -> Result<Vec<Note>, StoreError> {
        self.note_pages(owner, filter, limit)
            .await
            .map_err(|error| self.failed(error))
    }

    async fn note_pages(
        &self,
        owner: &Owner,
        filter: NoteFilter<'_>,
        limit: u32,
    ) -> Result<Vec<Note>, sqlx::Error> {
        let mut before = filter.before.unwrap_or(i64::MAX);
        if filter.tag.is_none() && filter.words.is_empty() {
            return self.note_page(owner, filter, 0..before, limit.into()).await;
        }
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut found = Vec::new();
        loop {
            let oldest = self.note_page_oldest(owner, before).await?;
            let page = oldest.unwrap_or(0)..before;
            let room = i64::try_from(limit - found.len()).unwrap_or(i64::MAX);
            found.extend(self.note_page(owner, filter, page, room).await?);
            match oldest {
                Some(oldest) if found.len() < limit => before = oldest,
                _ => return Ok(found),
            }
        }
    }

    /// The smallest id of the page of notes before this one; `None` for the last page.
    async fn note_page_oldest(&self, owner: &Owner, before: i64) -> Result<Option<i64>, sqlx::Error> {
        sqlx::query_scalar(
            "SELECT id FROM notes WHERE gateway = $1 AND holder = $2 AND id < $3
             ORDER BY id DESC LIMIT 1 OFFSET $4",
        )
        .bind(&owner.gateway)
        .bind(&owner.holder)
        .bind(before)
        .bind(PAGE - 1)
        .fetch_optional(&self.pool)
        .await
    }

    /// The notes of a page that fit a filter, newest first.
    async fn note_page(
        &self,
        owner: &Owner,
        filter: NoteFilter<'_>,
        page: Range<i64>,
        limit: i64,
    ) -> Result<Vec<Note>, sqlx::Error> {
        let mut statement =
            QueryBuilder::<Sqlite>::new("SELECT id, at_ms, text, tags FROM notes WHERE gateway = ");
        statement.push_bind(&owner.gateway).push(" AND holder = ");
        statement.push_bind(&owner.holder);
        statement.push(" AND id >= ").push_bind(page.start);
        statement.push(" AND id < ").push_bind(page.end);
        // `instr` compares whole stretches of bytes, where a pattern goes from letter to letter.
        if let Some(tag) = filter.tag {
            let line = format!("\n{}\n", tag.to_lowercase());
            statement.push(" AND instr(tags, ").push_bind(line).push(") > 0");
        }
        for word in filter.words {
            let word = word.to_lowercase();
            statement.push(" AND (instr(folded, ").push_bind(word.clone());
            statement.push(") > 0 OR instr(tags, ").push_bind(word);
            statement.push(") > 0)");
        }
        statement.push(" ORDER BY id DESC LIMIT ").push_bind(limit);
        let rows = statement.build().fetch_all(&self.pool).await?;
        rows.iter().map(note).collect()
    }

    /// Erases a note. `false` when the owner has none with this id.
    pub async fn note_remove(&self, owner: &Owner, id: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM notes WHERE gateway = $1 AND holder = $2 AND id = $3")
            .bind(&owner.gateway)
            .bind(&owner.holder)
            .bind(id)
            .execute(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        self.empty_log().await;
        Ok(done.rows_affected() > 0)
    }
}

fn note(row: &SqliteRow) -> Result<Note, sqlx::Error> {
    let tags: &str = row.try_get(3)?;
    Ok(Note {
        id: row.try_get(0)?,
        at_ms: row.try_get(1)?,
        text: row.try_get(2)?,
        tags: tags
            .lines()
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect(),
    })
}

/// Tags as one column holds them.
fn joined(tags: &[String]) -> String {
    tags.iter().fold("\n".to_owned(), |mut joined, tag| {
        joined.push_str(&tag.to_lowercase());
        joined.push('\n');
        joined
    })
}
