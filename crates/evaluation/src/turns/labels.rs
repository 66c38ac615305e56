//! What is said in each turn of a conversation, and what would be right?

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::labelled::{Mistake, id, kind_of, names, object, text};

/// The kinds of turns.
pub const TURN_TYPES: [&str; 4] = ["SMALLTALK", "KNOWLEDGE", "ACTION", "MIXED"];

/// One labelled conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    /// Tells it apart within its domain.
    pub id: String,
    /// Roles of its user.
    pub roles: Vec<String>,
    /// The page the user is on.
    pub page: Option<Page>,
    /// Its turns, in order.
    pub turns: Vec<Turn>,
}

/// The page a user is on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its address.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

/// What the user says, what would be right, and what the assistant then said and did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// The user's message.
    pub message: String,
    /// What would be right.
    pub expected: Expected,
    /// The assistant's message in the shape of `history`, without its `role`.
    pub assistant: Map<String, Value>,
}

/// What would be right for one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Tools that must all come back.
    pub needed: Vec<String>,
    /// Tools that are no noise.
    pub helpful: Vec<String>,
    /// Groups of tools of which one each must come back.
    pub any_of: Vec<Vec<String>>,
    /// Tools that the words suggest and that must not come back.
    pub forbidden: Vec<String>,
    /// The kinds of turn that are right; empty where nobody said.
    pub turn_types: Vec<String>,
    /// Ids that must be resolved to these values; no other id is judged.
    pub resolved: BTreeMap<String, String>,
    /// Values of the topic that was left; resolving to one would mislead.
    pub stale: BTreeMap<String, String>,
    /// Ids that only the page tells: a credit, and no fault where they lack.
    pub of_page: BTreeMap<String, String>,
}

impl Expected {
    /// Whether some tool must come back.
    pub fn needs_a_tool(&self) -> bool {
        !self.needed.is_empty() || !self.any_of.is_empty()
    }

    /// Whether a tool does no harm.
    pub fn accepts(&self, name: &str) -> bool {
        self.needed
            .iter()
            .chain(&self.helpful)
            .chain(self.any_of.iter().flatten())
            .any(|accepted| accepted == name)
    }

    /// Every tool the labels name.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let lists = [&self.needed, &self.helpful, &self.forbidden];
        lists.into_iter().flatten().chain(self.any_of.iter().flatten())
    }
}

impl Conversation {
    /// Everything before the turn with this number, from 0, in the shape of the request's `history`.
    pub fn history(&self, turn: usize) -> Value {
        let messages = self.turns.iter().take(turn).flat_map(|turn| {
            let asked = json!({"role": "user", "content": turn.message});
            // Where nobody answered, nothing was said.
            let answered = (!turn.assistant.is_empty()).then(|| {
                let mut answer = Map::from_iter([("role".to_owned(), json!("assistant"))]);
                answer.extend(turn.assistant.clone());
                Value::Object(answer)
            });
            std::iter::once(asked).chain(answered)
        });
        Value::Array(messages.collect())
    }

    /// What a turn of it is called, by its number from 0.
    pub fn turn_id(&self, turn: usize) -> String {
        format!("{}#{}", self.id, turn + 1)
    }
}

/// Reads labelled conversations, one JSON object a line.
pub fn read(source: &str) -> Result<Vec<Conversation>, Mistake> {
    each_line(source, |row, number| {
        let turns = list(row, "turns")?.ok_or("`turns` is required: what is said, turn by turn")?;
        let user = within(row, "user")?;
        Ok(Conversation {
            id: id(row)?.unwrap_or_else(|| number.to_string()),
            roles: user
                .map_or(Ok(None), |user| names(user, "roles"))?
                .unwrap_or_default(),
            page: within(row, "page")?.map(page).transpose()?,
            turns: turns
                .iter()
                .enumerate()
                .map(|(nth, turn)| read_turn(turn).map_err(|text| format!("`turns[{nth}]`: {text}")))
                .collect::<Result<_, String>>()?,
        })
    })
}

/// Reads one conversation a line, each with an id of its own.
pub(super) fn each_line(
    source: &str,
    read: impl Fn(&Map<String, Value>, usize) -> Result<Conversation, String>,
) -> Result<Vec<Conversation>, Mistake> {
    let mut conversations: Vec<Conversation> = Vec::new();
    let mut seen = BTreeSet::new();
    let lines = source.trim_start_matches('\u{feff}').lines().enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        let mistake = |text: String| Mistake {
            line: Some(number),
            text,
        };
        let conversation = object(line).and_then(|row| read(&row, number)).map_err(mistake)?;
        if !seen.insert(conversation.id.clone()) {
            let text = format!(
                "`id` must be given once, and an earlier line has `{}` too",
                conversation.id
            );
            return Err(mistake(text));
        }
        conversations.push(conversation);
    }
    if conversations.is_empty() {
        return Err(Mistake {
            line: None,
            text: "holds no conversation: one JSON object a line is expected".to_owned(),
        });
    }
    Ok(conversations)
}

fn read_turn(turn: &Value) -> Result<Turn, String> {
    let turn = as_object(turn)?;
    let expect = within(turn, "expect")?.ok_or("`expect` is required: what would be right")?;
    Ok(Turn {
        message: text(turn, "message")?
            .filter(|message| !message.trim().is_empty())
            .ok_or("`message` is required: what the user says")?,
        expected: expected(expect).map_err(|text| format!("`expect`: {text}"))?,
        assistant: within(turn, "assistant")?.cloned().unwrap_or_default(),
    })
}

fn expected(row: &Map<String, Value>) -> Result<Expected, String> {
    let turn_type = text(row, "turnType")?;
    let turn_types: Vec<String> = turn_type
        .into_iter()
        .chain(names(row, "turnTypeAlso")?.unwrap_or_default())
        .collect();
    if let Some(unknown) = turn_types
        .iter()
        .find(|name| !TURN_TYPES.contains(&name.as_str()))
    {
        return Err(format!(
            "`{unknown}` is no turn type; there are {}",
            TURN_TYPES.join(", ")
        ));
    }
    let any_of = list(row, "anyOf")?.unwrap_or_default();
    Ok(Expected {
        needed: names(row, "needed")?
            .ok_or("`needed` is required: the tools that must come back, [] for none")?,
        helpful: names(row, "helpful")?.unwrap_or_default(),
        any_of: any_of
            .iter()
            .enumerate()
            .map(|(nth, group)| {
                let group = Map::from_iter([("anyOf".to_owned(), group.clone())]);
                let told = |text: String| format!("group {}: {text}", nth + 1);
                Ok(names(&group, "anyOf").map_err(told)?.unwrap_or_default())
            })
            .collect::<Result<_, String>>()?,
        forbidden: names(row, "forbidden")?.unwrap_or_default(),
        turn_types,
        resolved: values(row, "resolvedParams")?,
        stale: values(row, "staleParams")?,
        of_page: values(row, "pageParams")?,
    })
}

fn page(row: &Map<String, Value>) -> Result<Page, String> {
    Ok(Page {
        url: text(row, "url")?,
        title: text(row, "title")?,
    })
}

/// An object of strings; numbers count as what they look like.
fn values(row: &Map<String, Value>, key: &str) -> Result<BTreeMap<String, String>, String> {
    let given = within(row, key)?.into_iter().flatten();
    given
        .map(|(name, value)| match value {
            Value::String(value) => Ok((name.clone(), value.clone())),
            Value::Number(value) => Ok((name.clone(), value.to_string())),
            other => Err(format!("`{key}.{name}` must be a string, not {}", kind_of(other))),
        })
        .collect()
}

pub(super) fn within<'a>(
    row: &'a Map<String, Value>,
    key: &str,
) -> Result<Option<&'a Map<String, Value>>, String> {
    match row.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => as_object(value)
            .map(Some)
            .map_err(|text| format!("`{key}` {text}")),
    }
}

pub(super) fn as_object(value: &Value) -> Result<&Map<String, Value>, String> {
    value
        .as_object()
        .ok_or_else(|| format!("must be an object, not {}", kind_of(value)))
}

pub(super) fn list<'a>(row: &'a Map<String, Value>, key: &str) -> Result<Option<&'a [Value]>, String> {
    match row.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(values)) => Ok(Some(values)),
        Some(other) => Err(format!("`{key}` must be an array, not {}", kind_of(other))),
    }
}
