//! What do a request and its context come to as arguments of one tool?

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::Now;

/// What is read.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The request in words.
    pub text: &'a str,
    /// The situation: a text, or an object that ids may be taken from.
    pub context: Option<&'a Value>,
    /// The present where the person is.
    pub now: Now,
}

/// Arguments of one tool as far as they could be read.
#[derive(Clone, Debug, Default)]
pub struct Mapped {
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// Where each argument came from, by its name.
    pub sources: BTreeMap<String, Source>,
    /// Required arguments that neither the request nor the context gives.
    pub missing: Vec<Missing>,
    /// Arguments that two or more values of the request fit equally well.
    pub torn: Vec<String>,
    /// How surely each argument was read, 0 to 1, by its name.
    pub sureness: BTreeMap<String, f32>,
    /// The share of the request's telling words that are explained by the tool's name and description or by an
    /// argument, 0 to 1.
    pub explained: f32,
}

/// Where a value was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// In what.
    pub origin: Origin,
    /// The words it was read from, as they stand there.
    pub words: String,
}

/// In what a value was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the request.
    Request,
    /// In the context.
    Context,
    /// The schema allows no other value.
    Schema,
}

impl Origin {
    /// Stable spelling for answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Context => "context",
            Self::Schema => "schema",
        }
    }
}

/// A required argument that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Its name.
    pub name: String,
    /// What the schema says of it.
    pub description: Option<String>,
}

/// Reads the arguments of a tool out of a request. `tool_words` is what the tool is called and described by: its
/// words name the action and are no values.
pub fn map_arguments(request: &Request<'_>, tool_words: &str, input_schema: &Value) -> Mapped {
    let _ = (request, tool_words, input_schema);
    Mapped::default()
}
