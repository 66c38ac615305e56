//! Which ids stand in JSON, and what stands beside them?

use std::collections::{BTreeSet, HashMap};

use handpick_domain::ToolCall;
use serde_json::{Map, Value};

use super::known::{KnownIds, ToolIds};
use crate::id_name::IdName;
use crate::words::words;

/// Longest value that is taken for an id, in bytes.
const VALUE_MAX: usize = 128;

/// How much of the name of a member is read, in bytes.
const NAME_MAX: usize = 128;

/// How much of the words beside an id is kept, in bytes.
const BESIDE_MAX: usize = 240;

/// Names of members that hold whatever was asked for, and so name nothing.
const CONTAINERS: &[&str] = &[
    "content", "data", "docs", "edges", "elements", "entries", "entry", "found", "hits", "item", "items",
    "list", "matches", "node", "nodes", "objects", "output", "payload", "records", "record", "response",
    "result", "results", "rows", "row", "values",
];

/// Last words of members by which people call a thing.
const NAMES: &[&str] = &[
    "address",
    "caption",
    "company",
    "contact",
    "description",
    "display",
    "domain",
    "email",
    "firstname",
    "headline",
    "item",
    "items",
    "label",
    "lastname",
    "name",
    "names",
    "nickname",
    "product",
    "subject",
    "title",
    "topic",
    "username",
];

/// Arguments in which people's words for a thing stand.
const QUERIES: &[&str] = &["filter", "keyword", "keywords", "q", "query", "search", "term"];

/// What is called what, beside an id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Beside {
    /// Names of the thing, in lower case.
    pub(crate) names: String,
    /// Its other short values.
    pub(crate) attributes: String,
}

/// An id in JSON, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) id: usize,
    pub(crate) value: String,
    /// The element of a list it stands in; 0 outside of lists.
    pub(crate) element: usize,
}

/// A value that may be an id by its looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) member: String,
    pub(crate) value: String,
    pub(crate) element: usize,
}

/// What a JSON value holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walked {
    pub(crate) named: Vec<Named>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) elements: Vec<Beside>,
}

/// The arguments or the result of a call.
#[derive(Clone, Debug)]
pub(crate) enum Source<'a> {
    Json(Walked),
    Text(&'a str),
}

/// What the name of a member says.
#[derive(Clone, Copy)]
enum Member {
    Id(usize),
    /// `id`, of whatever it stands in.
    Bare,
    /// An id that the catalog does not know.
    Foreign,
    Other,
}

/// One walk over the arguments or the result of a call.
pub(crate) struct Walk<'a> {
    known: &'a KnownIds,
    tool: Option<&'a ToolIds>,
    /// The ids among the arguments of the same call; empty while those are walked.
    given: Vec<(usize, String)>,
    in_arguments: bool,
    members: HashMap<String, Member>,
    walked: Walked,
}

impl<'a> Walk<'a> {
    /// Walks the arguments and then the result of a call.
    pub(crate) fn call(known: &'a KnownIds, call: &'a ToolCall) -> Vec<Source<'a>> {
        let tool = known.tool(&call.name);
        let mut walk = Self {
            known,
            tool,
            given: Vec::new(),
            in_arguments: true,
            members: HashMap::new(),
            walked: Walked::default(),
        };
        walk.walked.elements.push(Beside::default());
        walk.object(&call.arguments, None, 0);
        let arguments = std::mem::take(&mut walk.walked);
        let given = arguments
            .named
            .iter()
            .map(|named| (named.id, named.value.clone()))
            .collect();
        let words = spoken(&call.arguments);
        let mut sources = vec![Source::Json(arguments)];
        let Some(result) = call.result.as_deref() else {
            return sources;
        };
        sources.push(match serde_json::from_str::<Value>(result) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => {
                let mut walk = Self {
                    known,
                    tool,
                    given,
                    in_arguments: false,
                    members: walk.members,
                    walked: Walked::default(),
                };
                walk.walked.elements.push(Beside::default());
                walk.value(&value, None, 0);
                let ids: BTreeSet<usize> = walk.walked.named.iter().map(|named| named.element).collect();
                if let (Some(&only), 1) = (ids.first(), ids.len()) {
                    push(&mut walk.walked.elements[only].names, &words);
                }
                Source::Json(walk.walked)
            }
            _ => Source::Text(result),
        });
        sources
    }

    fn value(&mut self, value: &Value, container: Option<&str>, element: usize) {
        match value {
            Value::Object(members) => self.object(members, container, element),
            Value::Array(values) => {
                for value in values {
                    let element = self.walked.elements.len();
                    if value.is_object() {
                        self.walked.elements.push(Beside::default());
                    }
                    self.value(value, container, element);
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, members: &Map<String, Value>, container: Option<&str>, element: usize) {
        let is_record = members
            .keys()
            .any(|name| matches!(self.member(name), Member::Id(_) | Member::Bare));
        for (name, value) in members {
            let member = self.member(name);
            match (scalars(value), member) {
                (Some(values), Member::Id(id)) => {
                    for value in values {
                        self.named(id, value, element);
                    }
                }
                (Some(values), Member::Bare) => {
                    for value in values {
                        match self.bare(container, &value) {
                            Some(id) => self.named(id, value, element),
                            None => self.leaf(name, value, element),
                        }
                    }
                }
                (Some(_), Member::Foreign) => {}
                (Some(values), Member::Other) => {
                    for value in values {
                        self.beside(name, &value, element);
                        self.leaf(name, value, element);
                    }
                }
                (None, _) => {
                    let generic = CONTAINERS.contains(&name.to_lowercase().as_str()) && !is_record;
                    let inner = if generic { container } else { Some(name.as_str()) };
                    self.value(value, inner, element);
                }
            }
        }
    }

    fn member(&mut self, name: &str) -> Member {
        if self.in_arguments
            && let Some(id) = self.tool.and_then(|tool| tool.parameters.get(name))
        {
            return Member::Id(*id);
        }
        if let Some(member) = self.members.get(name) {
            return *member;
        }
        let member = match IdName::of(name) {
            Some(id) if matches!(id.as_str(), "id" | "uuid" | "guid") => Member::Bare,
            Some(id) => self.known.number(&id).map_or(Member::Foreign, Member::Id),
            None => {
                let declared = IdName::declared(name).and_then(|id| self.known.number(&id));
                declared.map_or(Member::Other, Member::Id)
            }
        };
        self.members.insert(name.to_owned(), member);
        member
    }

    /// What a bare `id` is of: what it stands in, or else what the tool supplies.
    fn bare(&self, container: Option<&str>, value: &str) -> Option<usize> {
        if let Some(container) = container {
            return match self.known.of_entity(container) {
                [id] => Some(*id),
                _ => None,
            };
        }
        let id = self.tool?.supplies?;
        // A tool that takes the id of an order returns that order's id, or that of something new about it.
        let taken = self.given.iter().find(|(given, _)| *given == id);
        taken.is_none_or(|(_, given)| given == value).then_some(id)
    }

    fn named(&mut self, id: usize, value: String, element: usize) {
        if is_value(&value) {
            self.walked.named.push(Named { id, value, element });
        }
    }

    fn leaf(&mut self, member: &str, value: String, element: usize) {
        if value.bytes().any(|b| b.is_ascii_digit() || b == b'_') {
            self.walked.leaves.push(Leaf {
                member: ending(member).to_owned(),
                value,
                element,
            });
        }
    }

    fn beside(&mut self, name: &str, value: &str, element: usize) {
        let last = words(ending(name)).pop().unwrap_or_default();
        let beside = &mut self.walked.elements[element];
        if NAMES.contains(&last.as_str()) || is_full_name(value) {
            push(&mut beside.names, value);
        } else {
            push(&mut beside.attributes, value);
        }
    }
}

/// The end of a name, in which its telling words stand: a name may be as long as the body, and has many values.
pub(crate) fn ending(name: &str) -> &str {
    &name[name.ceil_char_boundary(name.len().saturating_sub(NAME_MAX))..]
}

/// The scalars of a value that holds nothing else. Fractions and truth values are no ids, but may stand beside one.
fn scalars(value: &Value) -> Option<Vec<String>> {
    let scalar = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(_) | Value::Null => Some(String::new()),
        _ => None,
    };
    match value {
        Value::Array(values) if !values.is_empty() => values.iter().map(scalar).collect(),
        value => scalar(value).map(|one| vec![one]),
    }
}

/// Whether a value can be an id: one short line that is not a fraction.
pub(crate) fn is_value(value: &str) -> bool {
    !value.is_empty()
        && value.len() <= VALUE_MAX
        && !value.chars().any(char::is_control)
        && value.trim() == value
        && value.split(' ').count() <= 3
        && !(value.contains('.') && value.parse::<f64>().is_ok())
}

/// The words by which the arguments of a call ask for a thing.
fn spoken(arguments: &Map<String, Value>) -> String {
    let mut text = String::new();
    for (name, value) in arguments {
        let last = words(name).pop().unwrap_or_default();
        if let Value::String(value) = value
            && (QUERIES.contains(&last.as_str()) || NAMES.contains(&last.as_str()))
        {
            push(&mut text, value);
        }
    }
    text
}

/// "Kestrel Bakery": two to four words, each with a capital and no digit.
fn is_full_name(value: &str) -> bool {
    let parts = value.split(' ');
    let is_part = |part: &str| {
        let mut letters = part.chars();
        part.len() > 1
            && letters.next().is_some_and(char::is_uppercase)
            && letters.all(|c| c.is_alphabetic() || "-'’.".contains(c))
            && part.chars().any(char::is_lowercase)
    };
    (2..=4).contains(&parts.clone().count()) && parts.clone().all(is_part)
}

fn push(text: &mut String, value: &str) {
    if value.is_empty() || text.len() >= BESIDE_MAX {
        return;
    }
    let room = BESIDE_MAX - text.len();
    text.push(' ');
    text.extend(value.chars().take(room).flat_map(char::to_lowercase));
}
