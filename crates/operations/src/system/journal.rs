//! What has the agent noted, and what of it is asked for?

use std::time::Duration;

use handpick_store::{Note, NoteFilter};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::{Answered, SystemCall, at_text, no_such_tool, store_failed};
use crate::Runtime;
use crate::limits::{
    JOURNAL_ANSWER_BYTES, JOURNAL_LIST_DEFAULT, JOURNAL_LIST_MAX, JOURNAL_NOTES_MAX, JOURNAL_QUERY_CHARS,
    JOURNAL_TAG_CHARS, JOURNAL_TAGS_MAX, JOURNAL_TEXT_BYTES,
};
use crate::runtime::now_ms;

/// Most words of one search.
const WORDS_MAX: usize = 32;
/// Searches at the same time. Fewer than the store has connections: the rest is for others.
const SEARCHES_MAX: usize = 2;
/// How long a search may take.
const SEARCH_WAIT: Duration = Duration::from_secs(5);

static SEARCHES: Semaphore = Semaphore::const_new(SEARCHES_MAX);

pub(super) fn definitions() -> Vec<Value> {
    vec![
        append_definition(),
        read_definition(),
        search_definition(),
        delete_definition(),
    ]
}

fn append_definition() -> Value {
    json!({
        "name": "append",
        "title": "Write a note",
        "description": format!(
            "Write a note into your journal, so that you still know it in later sessions.\nNotes are kept for this \
             user alone. A note holds at most {} KB; {JOURNAL_NOTES_MAX} notes are kept, then the oldest leave. Never \
             note passwords or keys.",
            JOURNAL_TEXT_BYTES / 1024
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "minLength": 1, "description": "What to remember, understandable without this conversation."},
                "tags": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": JOURNAL_TAG_CHARS},
                    "maxItems": JOURNAL_TAGS_MAX,
                    "description": "Words to find it by, such as a project or a person. Kept in lower case."
                }
            },
            "required": ["text"],
            "additionalProperties": false
        },
        "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false, "openWorldHint": false}
    })
}

fn limit_schema() -> Value {
    json!({
        "type": "integer",
        "minimum": 1,
        "maximum": JOURNAL_LIST_MAX,
        "default": JOURNAL_LIST_DEFAULT,
        "description": "At most this many notes."
    })
}

fn read_definition() -> Value {
    json!({
        "name": "read",
        "title": "Read notes",
        "description": "Read the notes of your journal, newest first.\nEach comes with its id, time and tags. `more` \
                        says whether older ones follow: pass the last id as `before` to read on. To find notes by \
                        their words use journal_search.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "limit": limit_schema(),
                "before": {"type": "integer", "minimum": 1, "description": "Only notes older than the one with this id."},
                "tag": {"type": "string", "minLength": 1, "maxLength": JOURNAL_TAG_CHARS, "description": "Only notes with exactly this tag; case is ignored."}
            },
            "additionalProperties": false
        },
        "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false}
    })
}

fn search_definition() -> Value {
    json!({
        "name": "search",
        "title": "Search notes",
        "description": "Find notes of your journal by words, newest first.\nA note is found when each word stands in \
                        its text or tags; case is ignored, parts of words count, and there is no search by meaning: \
                        try fewer or other words when nothing is found.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": JOURNAL_QUERY_CHARS, "description": "Words that must all be there."},
                "limit": limit_schema()
            },
            "required": ["query"],
            "additionalProperties": false
        },
        "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false}
    })
}

fn delete_definition() -> Value {
    json!({
        "name": "delete",
        "title": "Delete a note",
        "description": "Delete one note of your journal for good, by its id.\nIt cannot be brought back. Read the id \
                        with journal_read or journal_search first.",
        "inputSchema": {
            "type": "object",
            "properties": {"id": {"type": "integer", "minimum": 1, "description": "The id of the note."}},
            "required": ["id"],
            "additionalProperties": false
        },
        "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false}
    })
}

pub(super) async fn run(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    match call.tool() {
        "append" => append(runtime, call).await,
        "read" => read(runtime, call).await,
        "search" => search(runtime, call).await,
        "delete" => delete(runtime, call).await,
        _ => Err(no_such_tool(call)),
    }
}

#[derive(Deserialize)]
struct Append {
    text: String,
    #[serde(default)]
    tags: Vec<String>,
}

async fn append(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let Append { text, tags } = call.read()?;
    if text.trim().is_empty() {
        return Err("invalid arguments: `text` must hold something to remember".to_owned());
    }
    if text.len() > JOURNAL_TEXT_BYTES {
        return Err(format!(
            "invalid arguments: `text` must be {JOURNAL_TEXT_BYTES} bytes at most, not {}; shorten it or write several \
             notes",
            text.len()
        ));
    }
    // A database ends texts at it, so that what follows could not be found.
    if text.contains('\0') {
        return Err("invalid arguments: `text` must hold no NUL character".to_owned());
    }
    let tags = tidy_tags(&tags)?;
    let at_ms = now_ms();
    let id = runtime
        .store
        .note_append(&call.owner(), &text, &tags, at_ms, JOURNAL_NOTES_MAX)
        .await
        .map_err(|error| store_failed(&error))?;
    Ok(json!({"id": id, "at": at_text(at_ms), "tags": tags}))
}

/// In lower case, each once, without white space around.
fn tidy_tags(tags: &[String]) -> Result<Vec<String>, String> {
    if tags.len() > JOURNAL_TAGS_MAX {
        return Err(format!(
            "invalid arguments: `tags` must be {JOURNAL_TAGS_MAX} at most, not {}",
            tags.len()
        ));
    }
    let mut tidy: Vec<String> = Vec::with_capacity(tags.len());
    for (index, tag) in tags.iter().enumerate() {
        let tag = tag.trim().to_lowercase();
        if tag.is_empty() || tag.chars().count() > JOURNAL_TAG_CHARS || tag.contains(char::is_control) {
            return Err(format!(
                "invalid arguments: `tags[{index}]` must be 1 to {JOURNAL_TAG_CHARS} characters on one line"
            ));
        }
        if !tidy.contains(&tag) {
            tidy.push(tag);
        }
    }
    Ok(tidy)
}

#[derive(Deserialize)]
struct Read {
    limit: Option<u32>,
    before: Option<i64>,
    tag: Option<String>,
}

async fn read(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let Read { limit, before, tag } = call.read()?;
    let tag = tag.as_deref().map(str::trim);
    if tag.is_some_and(|tag| tag.contains(char::is_control)) {
        return Err("invalid arguments: `tag` must be on one line, without control characters".into());
    }
    let filter = NoteFilter {
        before,
        tag,
        ..NoteFilter::default()
    };
    match tag {
        None => list(runtime, call, filter, limit).await,
        Some(_) => in_time(&SEARCHES, SEARCH_WAIT, list(runtime, call, filter, limit)).await,
    }
}

#[derive(Deserialize)]
struct Search {
    query: String,
    limit: Option<u32>,
}

async fn search(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let Search { query, limit } = call.read()?;
    if query.contains(|c: char| c.is_control() && !c.is_whitespace()) {
        return Err("invalid arguments: `query` must be words, without control characters".into());
    }
    let words: Vec<String> = query.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() || words.len() > WORDS_MAX || query.chars().count() > JOURNAL_QUERY_CHARS {
        return Err(format!(
            "invalid arguments: `query` must be 1 to {WORDS_MAX} words, {JOURNAL_QUERY_CHARS} characters at most; \
             journal_read lists notes without words"
        ));
    }
    let filter = NoteFilter {
        words: &words,
        ..NoteFilter::default()
    };
    in_time(&SEARCHES, SEARCH_WAIT, list(runtime, call, filter, limit)).await
}

/// Searches when it is its turn, and no longer than there is time. The store looks through a page at a time, so a
/// search that is given up ends with its page.
async fn in_time(turns: &Semaphore, wait: Duration, search: impl Future<Output = Answered>) -> Answered {
    let searching = async {
        let _turn = turns.acquire().await;
        search.await
    };
    timeout(wait, searching).await.unwrap_or_else(|_| {
        Err(format!(
            "not found: a search must end within {} seconds, and this one did not; give fewer words, read on with \
             journal_read, or try again when less is going on",
            wait.as_secs()
        ))
    })
}

async fn list(
    runtime: &Runtime,
    call: &SystemCall<'_>,
    filter: NoteFilter<'_>,
    limit: Option<u32>,
) -> Answered {
    let limit = limit.unwrap_or(JOURNAL_LIST_DEFAULT);
    if !(1..=JOURNAL_LIST_MAX).contains(&limit) {
        return Err(format!(
            "invalid arguments: `limit` must be from 1 to {JOURNAL_LIST_MAX}, not {limit}"
        ));
    }
    let found = runtime
        .store
        .note_list(&call.owner(), filter, limit + 1)
        .await
        .map_err(|error| store_failed(&error))?;
    let shown = how_many_fit(&found, limit);
    let notes: Vec<Value> = found.iter().take(shown).map(note_json).collect();
    Ok(json!({"notes": notes, "more": shown < found.len()}))
}

/// As many as were asked for and as one answer holds, but at least one.
fn how_many_fit(found: &[Note], limit: u32) -> usize {
    let mut bytes = 0;
    let fitting = found.iter().take_while(|note| {
        bytes += note.text.len();
        bytes <= JOURNAL_ANSWER_BYTES
    });
    fitting.count().max(1).min(found.len()).min(limit as usize)
}

fn note_json(note: &Note) -> Value {
    json!({"id": note.id, "at": at_text(note.at_ms), "text": note.text, "tags": note.tags})
}

#[derive(Deserialize)]
struct Delete {
    id: i64,
}

async fn delete(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let Delete { id } = call.read()?;
    let removed = runtime.store.note_remove(&call.owner(), id).await;
    match removed.map_err(|error| store_failed(&error))? {
        true => Ok(json!({"deleted": id})),
        false => Err(format!(
            "no note has the id {id}; journal_read and journal_search tell the ids there are"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    /// A search that does not end is told of in time, and so is one that waits for its turn.
    #[tokio::test]
    async fn a_search_ends_in_time() {
        let turns = Semaphore::new(1);
        let wait = Duration::from_millis(20);
        let (one, other) = tokio::join!(in_time(&turns, wait, pending()), in_time(&turns, wait, pending()));
        for answer in [one, other] {
            assert!(answer.unwrap_err().contains("must end within"));
        }
        let quick = async { Ok(json!(1)) };
        assert_eq!(in_time(&turns, wait, quick).await, Ok(json!(1)));
    }
}
