//! What is asked, and which tools would be right?

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// The kind of requests that name none.
pub const UNLABELLED: &str = "unlabelled";

/// One labelled request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Tells it apart within its set.
    pub id: String,
    /// What is asked, in words.
    pub text: String,
    /// What it is an example of.
    pub kind: String,
    /// The tools it needs, each once. None means that nothing in the catalog serves it.
    pub relevant: Vec<String>,
    /// Tools that are not wrong either.
    pub also_accept: Vec<String>,
    /// Earlier turns or the situation, as one text.
    pub context: Option<String>,
}

impl Query {
    /// Whether some tool serves it.
    pub fn is_answerable(&self) -> bool {
        !self.relevant.is_empty()
    }

    /// Whether the tool `name` is right, or at least not wrong.
    pub fn accepts(&self, name: &str) -> bool {
        self.relevant
            .iter()
            .chain(&self.also_accept)
            .any(|accepted| accepted == name)
    }
}

/// Where a file of labelled requests is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Mistake {
    /// The line, from 1; `None` for the file as a whole.
    pub line: Option<usize>,
    /// The field, and what it should be.
    pub text: String,
}

/// Reads labelled requests, one JSON object a line: `query` and `relevant`, and where they are given `id`,
/// `kind` (or `split`), `also_accept` and `context`. A request without `id` goes by the number of its line.
pub fn read(source: &str) -> Result<Vec<Query>, Mistake> {
    let mut queries = Vec::new();
    let mut seen = BTreeMap::new();
    let lines = source.trim_start_matches('\u{feff}').lines().enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        let query = read_line(line, number).map_err(|text| Mistake {
            line: Some(number),
            text,
        })?;
        if let Some(first) = seen.insert(query.id.clone(), number) {
            let text = format!("`id` must be given once, and line {first} has `{}` too", query.id);
            return Err(Mistake {
                line: Some(number),
                text,
            });
        }
        queries.push(query);
    }
    if queries.is_empty() {
        let text = "holds no request: one JSON object a line is expected, with `query` and `relevant`";
        return Err(Mistake {
            line: None,
            text: text.to_owned(),
        });
    }
    Ok(queries)
}

fn read_line(line: &str, number: usize) -> Result<Query, String> {
    let row = object(line)?;
    let relevant = names(&row, "relevant")?
        .ok_or("`relevant` is required: the names of the tools that are needed, [] where nothing fits")?;
    Ok(Query {
        id: id(&row)?.unwrap_or_else(|| number.to_string()),
        text: text(&row, "query")?
            .filter(|query| !query.trim().is_empty())
            .ok_or("`query` is required: what is asked, in words")?,
        kind: match text(&row, "kind")? {
            Some(kind) => Some(kind),
            None => text(&row, "split")?,
        }
        .filter(|kind| !kind.trim().is_empty())
        .unwrap_or_else(|| UNLABELLED.to_owned()),
        relevant,
        also_accept: names(&row, "also_accept")?.unwrap_or_default(),
        context: row.get("context").and_then(flattened),
    })
}

/// A line that is one JSON object.
pub(crate) fn object(line: &str) -> Result<Map<String, Value>, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| {
        let told = error.to_string();
        let reason = told.split(" at line ").next().unwrap_or(&told);
        format!("is not JSON (column {}): {reason}", error.column())
    })?;
    match value {
        Value::Object(row) => Ok(row),
        other => Err(format!("must be a JSON object, not {}", kind_of(&other))),
    }
}

pub(crate) fn id(row: &Map<String, Value>) -> Result<Option<String>, String> {
    match row.get("id") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(id)) => Ok(Some(id.clone())),
        Some(Value::Number(id)) => Ok(Some(id.to_string())),
        Some(other) => Err(format!("`id` must be a string, not {}", kind_of(other))),
    }
}

pub(crate) fn text(row: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match row.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("`{key}` must be a string, not {}", kind_of(other))),
    }
}

/// A list of names, each once.
pub(crate) fn names(row: &Map<String, Value>, key: &str) -> Result<Option<Vec<String>>, String> {
    let values = match row.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(values)) => values,
        Some(other) => {
            return Err(format!(
                "`{key}` must be an array of names, not {}",
                kind_of(other)
            ));
        }
    };
    let mut names: Vec<String> = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        match value.as_str() {
            Some(name) if names.iter().any(|known| known == name) => {}
            Some(name) => names.push(name.to_owned()),
            None => {
                return Err(format!("`{key}[{index}]` must be a name, not {}", kind_of(value)));
            }
        }
    }
    Ok(Some(names))
}

pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Where a turn of a conversation keeps its words, in the order they are looked for.
const WORDS_OF_A_TURN: [&str; 6] = ["content", "text", "message", "query", "user", "parts"];

/// A situation as one text, however it is written: a string, a turn, or a list of either. Who said it is left out:
/// a text is matched by what it is about. `None` when nothing was said.
fn flattened(context: &Value) -> Option<String> {
    let text = match context {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(turns) => turns.iter().filter_map(flattened).collect::<Vec<_>>().join("\n"),
        Value::Object(turn) => WORDS_OF_A_TURN
            .iter()
            .find_map(|key| turn.get(*key).and_then(flattened))
            .unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    };
    Some(text).filter(|text| !text.is_empty())
}

/// Names in labels that no tool of the catalog has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// How many different ones.
    pub names: usize,
    /// How many requests name one.
    pub queries: usize,
    /// One of them, with the id of a request that names it.
    pub example: Option<(String, String)>,
}

/// Spells every label as the catalog does, by `resolve`, and tells which ones it does not know. Those stay: a tool
/// that cannot be found is not found.
pub fn resolve(queries: &mut [Query], resolve: impl Fn(&str) -> Option<String>) -> Unknown {
    let mut names = BTreeSet::new();
    let mut unknown = Unknown::default();
    for query in queries {
        let mut all_known = true;
        for list in [&mut query.relevant, &mut query.also_accept] {
            for name in list.iter_mut() {
                match resolve(name) {
                    Some(known) => *name = known,
                    None => {
                        all_known = false;
                        names.insert(name.clone());
                        unknown
                            .example
                            .get_or_insert_with(|| (name.clone(), query.id.clone()));
                    }
                }
            }
            // Two spellings of one tool are one label.
            let mut seen = BTreeSet::new();
            list.retain(|name| seen.insert(name.clone()));
        }
        unknown.queries += usize::from(!all_known);
    }
    unknown.names = names.len();
    unknown
}

/// At most `limit` of the requests, taken evenly from the whole: a set sorted by kind keeps its mixture.
pub fn thinned(queries: Vec<Query>, limit: usize) -> Vec<Query> {
    let total = queries.len();
    if limit >= total {
        return queries;
    }
    let place = |nth: usize| nth * limit / total;
    queries
        .into_iter()
        .enumerate()
        .filter(|(nth, _)| place(*nth) != place(nth + 1))
        .map(|(_, query)| query)
        .collect()
}
