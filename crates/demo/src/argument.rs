//! What does a tool need to be told, and how is that written as JSON Schema?

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::refusal::quoted;
use crate::story_time::{day_of, is_moment};

/// Longest text a tool accepts, in characters, so that no caller fills the memory.
const TEXT_MAX: usize = 2_000;
/// Most elements a list argument may have.
const ELEMENTS_MAX: usize = 20;
/// Largest amount of money, in euros.
const EUROS_MAX: f64 = 1_000_000.0;
/// Most rows one call may ask for.
const LIMIT_MAX: i64 = 50;

/// Closed sets of words by the name of their type.
pub(crate) type Vocabulary = BTreeMap<&'static str, &'static [&'static str]>;

/// One argument of a tool, as declared in the app's data.
#[derive(Deserialize)]
pub(crate) struct Arg {
    /// Its name, in snake case.
    pub name: String,
    about: String,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: Kind,
    /// A value that works with the seed data; for rows it is made of their members' samples.
    #[serde(default)]
    sample: Value,
    /// Whether a call may leave it out.
    #[serde(default)]
    pub optional: bool,
}

/// The values an argument takes.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Any text that is not blank.
    Text,
    /// True or false.
    Flag,
    /// A positive amount of money.
    Euros,
    /// A day, `YYYY-MM-DD`.
    Date,
    /// A day and a time, `YYYY-MM-DDTHH:MM`.
    Moment,
    /// A whole number between these two, inclusive.
    Integer { from: i64, to: i64 },
    /// One word of a closed set.
    Choice {
        /// The type declared by `choices!`.
        of: String,
        /// Its words, once they are looked up.
        #[serde(skip)]
        words: &'static [&'static str],
    },
    /// A list of texts.
    Texts,
    /// A list of whole numbers.
    Integers { from: i64, to: i64 },
    /// A list of objects with these members.
    Rows { of: Vec<Arg> },
}

impl Arg {
    /// How many rows a list gives back.
    pub fn limit() -> Self {
        Self {
            name: "limit".into(),
            about: "How many to give back at most".into(),
            kind: Kind::Integer {
                from: 1,
                to: LIMIT_MAX,
            },
            sample: 10.into(),
            optional: true,
        }
    }

    /// Looks up the words of choices. Fails with the name of a type that is not in the vocabulary.
    pub fn resolve(&mut self, vocabulary: &Vocabulary) -> Result<(), String> {
        match &mut self.kind {
            Kind::Choice { of, words } => {
                *words = vocabulary.get(of.as_str()).ok_or_else(|| of.clone())?;
                Ok(())
            }
            Kind::Rows { of } => of.iter_mut().try_for_each(|member| member.resolve(vocabulary)),
            _ => Ok(()),
        }
    }

    fn schema(&self) -> Value {
        let mut schema = self.kind.schema();
        if let Some(members) = schema.as_object_mut() {
            members.insert("description".into(), self.about.clone().into());
            members.insert("examples".into(), json!([self.sample()]));
        }
        schema
    }

    fn sample(&self) -> Value {
        let Kind::Rows { of } = &self.kind else {
            return self.sample.clone();
        };
        let row: Map<String, Value> = of
            .iter()
            .map(|member| (member.name.clone(), member.sample()))
            .collect();
        json!([row])
    }
}

/// The `inputSchema` of a tool with these arguments.
pub(crate) fn input_schema(args: &[Arg]) -> Value {
    let required = args.iter().filter(|arg| !arg.optional);
    let required: Vec<&str> = required.map(|arg| arg.name.as_str()).collect();
    let properties: Map<String, Value> = args.iter().map(|arg| (arg.name.clone(), arg.schema())).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

impl Kind {
    /// What the elements are, where this is a list of plain values.
    fn element(&self) -> Option<Self> {
        match *self {
            Self::Texts => Some(Self::Text),
            Self::Integers { from, to } => Some(Self::Integer { from, to }),
            _ => None,
        }
    }

    fn schema(&self) -> Value {
        let list_of =
            |items: Value| json!({"type": "array", "items": items, "minItems": 1, "maxItems": ELEMENTS_MAX});
        match self {
            Self::Text => json!({"type": "string", "minLength": 1, "maxLength": TEXT_MAX}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Euros => json!({"type": "number", "minimum": 0.01, "maximum": EUROS_MAX}),
            Self::Date => json!({"type": "string", "format": "date"}),
            Self::Moment => json!({"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$"}),
            Self::Integer { from, to } => json!({"type": "integer", "minimum": from, "maximum": to}),
            Self::Choice { words, .. } => json!({"type": "string", "enum": words}),
            Self::Rows { of } => list_of(input_schema(of)),
            Self::Texts | Self::Integers { .. } => {
                list_of(self.element().map_or(Value::Null, |e| e.schema()))
            }
        }
    }

    /// Whether the value is one of these; the members of objects are checked by the caller.
    pub fn accepts(&self, value: &Value) -> bool {
        let text = value.as_str();
        let is_list_of = |accepts: &dyn Fn(&Value) -> bool| {
            let list = value.as_array();
            list.is_some_and(|list| (1..=ELEMENTS_MAX).contains(&list.len()) && list.iter().all(accepts))
        };
        match self {
            Self::Text => text.is_some_and(|t| !t.trim().is_empty() && t.chars().count() <= TEXT_MAX),
            Self::Flag => value.is_boolean(),
            // Half a cent rounds to nothing, so a cent is the least there is.
            Self::Euros => value.as_f64().is_some_and(|n| (0.01..=EUROS_MAX).contains(&n)),
            Self::Date => text.is_some_and(|t| t.len() == 10 && day_of(t).is_some()),
            Self::Moment => text.is_some_and(is_moment),
            Self::Integer { from, to } => value.as_i64().is_some_and(|n| (*from..=*to).contains(&n)),
            Self::Choice { words, .. } => text.is_some_and(|t| words.contains(&t)),
            Self::Rows { .. } => is_list_of(&Value::is_object),
            Self::Texts | Self::Integers { .. } => {
                is_list_of(&|value| self.element().is_some_and(|element| element.accepts(value)))
            }
        }
    }

    /// What a value must be, to follow "must be".
    pub fn expected(&self) -> String {
        match self {
            Self::Text => format!("a text of 1 to {TEXT_MAX} characters that is not blank"),
            Self::Flag => "true or false".into(),
            Self::Euros => format!("an amount in euros from 0.01 to {EUROS_MAX}"),
            Self::Date => "a day written YYYY-MM-DD, such as `2026-11-27`".into(),
            Self::Moment => "a day and time written YYYY-MM-DDTHH:MM, such as `2026-11-27T14:30`".into(),
            Self::Integer { from, to } => format!("a whole number from {from} to {to}"),
            Self::Choice { words, .. } => format!("one of {}", quoted(words)),
            Self::Texts => format!("a list of 1 to {ELEMENTS_MAX} texts"),
            Self::Integers { from, to } => {
                format!("a list of 1 to {ELEMENTS_MAX} whole numbers from {from} to {to}")
            }
            Self::Rows { .. } => format!("a list of 1 to {ELEMENTS_MAX} objects"),
        }
    }
}
