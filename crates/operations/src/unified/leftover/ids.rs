//! Which ids does a context hold, and does a request say which is meant?

use handpick_mapping::{Mapped, Now, Origin, What, spans};
use handpick_selection::words::spelled_out;
use serde_json::Value;

use super::{Said, terms};

/// Levels of a context that ids are looked for in.
const CONTEXT_DEPTH: usize = 4;

/// The ids of a context, an object or a text.
pub(super) fn ids(context: Option<&Value>, now: Now) -> Vec<String> {
    let mut ids = Vec::new();
    match context {
        Some(Value::String(text)) => {
            ids.extend(spans(text, now).into_iter().filter_map(|span| match span.what {
                What::Id(id) => Some(id),
                _ => None,
            }));
        }
        Some(context) => collect_ids("", context, CONTEXT_DEPTH, &mut ids),
        None => {}
    }
    ids
}

impl Said<'_> {
    /// How many ids of the context the call does not use, where nothing says which one is meant.
    pub(super) fn other_ids(&self, mapped: &Mapped) -> usize {
        let text = self.english.as_deref().unwrap_or(self.text);
        let said = terms(text);
        let is_unsaid = |name: &str| {
            let noun = terms(&spelled_out(name));
            noun.iter()
                .filter(|term| term.chars().count() > 2)
                .all(|term| !said.contains(term))
        };
        let from_context = || {
            mapped
                .sources
                .iter()
                .filter(|(_, source)| source.origin == Origin::Context)
        };
        if !from_context().any(|(name, _)| is_unsaid(name)) {
            return 0;
        }
        let is_used = |id: &String| from_context().any(|(_, source)| source.words.contains(id.as_str()));
        self.ids.iter().filter(|id| !is_used(id)).count()
    }
}

/// Members of an object whose names end in `id`, or in a word for one.
fn collect_ids(key: &str, value: &Value, depth: usize, ids: &mut Vec<String>) {
    let is_id = || {
        let name = spelled_out(key);
        let last = name.rsplit(' ').next().unwrap_or_default().to_owned();
        matches!(last.as_str(), "id" | "ids" | "key" | "number" | "uuid" | "slug")
    };
    match value {
        Value::Object(members) if depth > 0 => {
            for (key, value) in members {
                collect_ids(key, value, depth - 1, ids);
            }
        }
        Value::Array(items) if depth > 0 => {
            for item in items {
                collect_ids(key, item, depth - 1, ids);
            }
        }
        Value::String(id) if is_id() => ids.push(id.clone()),
        Value::Number(id) if is_id() => ids.push(id.to_string()),
        _ => {}
    }
}
