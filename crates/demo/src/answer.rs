//! What does a demo tool give back?

use serde::Serialize;
use serde::ser::SerializeMap as _;
use serde_json::{Map, Value, json};

use crate::arguments::Args;
use crate::refusal::Refusal;
use crate::schema::{Described, object};
use crate::table::Record;

/// What a handler returns.
pub(crate) type Outcome<T> = Result<Answer<T>, Refusal>;

/// A successful result: a sentence for people, a value for programs, and what else belongs to it.
pub(crate) struct Answer<T> {
    text: String,
    value: T,
    blocks: Vec<Value>,
    meta: Option<Value>,
}

impl<T> Answer<T> {
    /// A sentence and its value.
    pub fn new(text: impl Into<String>, value: T) -> Self {
        Self {
            text: text.into(),
            value,
            blocks: Vec::new(),
            meta: None,
        }
    }

    /// Adds a content block: an image, a resource or a link to one.
    pub fn with_block(mut self, block: Value) -> Self {
        self.blocks.push(block);
        self
    }

    /// Sets the `_meta` of the result.
    pub fn with_meta(mut self, meta: Value) -> Self {
        self.meta = Some(meta);
        self
    }
}

impl<T: Serialize> Answer<T> {
    /// The `tools/call` result. The structured value is repeated as text for clients that read only text.
    pub fn into_result(self) -> Value {
        let structured = serde_json::to_value(&self.value).unwrap_or_default();
        let mut content = vec![json!({"type": "text", "text": self.text})];
        content.extend(self.blocks);
        let mut result = Map::new();
        if structured.is_object() {
            content.push(json!({
                "type": "text", "text": structured.to_string(), "annotations": {"audience": ["assistant"]},
            }));
            result.insert("structuredContent".into(), structured);
        }
        result.shift_insert(0, "content".into(), content.into());
        if let Some(meta) = self.meta {
            result.insert("_meta".into(), meta);
        }
        Value::Object(result)
    }
}

/// The `tools/call` result of a refusal.
pub(crate) fn refused(refusal: &Refusal) -> Value {
    json!({"content": [{"type": "text", "text": refusal.to_string()}], "isError": true})
}

/// Rows of one kind, and how many there were before the list was cut.
pub(crate) struct Listing<R> {
    rows: Vec<R>,
    total: usize,
}

impl<R: Record> Serialize for Listing<R> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry(R::PLURAL, &self.rows)?;
        map.serialize_entry("total", &self.total)?;
        map.end()
    }
}

impl<R: Record> Described for Listing<R> {
    fn schema() -> Value {
        object(&[
            (R::PLURAL, "What was found, newest first", Vec::<R>::schema()),
            ("total", "How many there are without the limit", i64::schema()),
        ])
    }
}

/// Rows as an answer, cut at the call's `limit` where it has one.
pub(crate) fn listing<'a, R: Record>(rows: impl Iterator<Item = &'a R>, args: &Args) -> Outcome<Listing<R>> {
    let mut rows: Vec<R> = rows.cloned().collect();
    let total = rows.len();
    let limit = args.given().find(|(name, _)| *name == "limit");
    if let Some(limit) = limit.and_then(|(_, value)| value.as_u64()) {
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    }
    let noun = if total == 1 { R::NOUN } else { R::PLURAL };
    let text = match rows.len() {
        0 => format!("no {} found", R::PLURAL),
        shown if shown < total => format!("{shown} of {total} {noun}"),
        _ => format!("{total} {noun}"),
    };
    Ok(Answer::new(text, Listing { rows, total }))
}
