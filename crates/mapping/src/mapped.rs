//! What do a request and its context come to as arguments of one tool?

mod branches;

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Map, Value};

use crate::Now;
use crate::assign::asked::{Asked, Candidate, touches};
use crate::assign::solve::{Solution, solve};
use crate::assign::{self, context};
use crate::evidence::{self, Evidence};
use crate::lexicon::COURTESIES;
use crate::meaning::{Meaning, meanings};
use crate::span::What;

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
    /// Where each argument came from, by its name; within objects, names are joined by dots.
    pub sources: BTreeMap<String, Source>,
    /// Required arguments that neither the request nor the context gives, or that are torn.
    pub missing: Vec<Missing>,
    /// Arguments that two or more values of the request fit equally well. They are left out.
    pub torn: Vec<String>,
    /// How surely each argument was read, 0 to 1, by its name.
    pub sureness: BTreeMap<String, f32>,
    /// The share of the request's telling words that are explained by the tool's name and description or by an
    /// argument, 0 to 1.
    pub explained: f32,
    /// All of this in numbers.
    pub facts: Evidence,
}

impl Mapped {
    /// What speaks for and against these arguments, as a fixed list of numbers.
    pub fn evidence(&self) -> Evidence {
        self.facts
    }
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
    /// Its name; within objects, names are joined by dots.
    pub name: String,
    /// What the schema says of it.
    pub description: Option<String>,
}

/// Reads the arguments of a tool out of a request. `tool_words` is what the tool is called and described by: its
/// words name the action and are no values.
pub fn map_arguments(request: &Request<'_>, tool_words: &str, input_schema: &Value) -> Mapped {
    let meanings = meanings(input_schema);
    let mut asked = Asked::of(request.text, Origin::Request, tool_words, &meanings, request.now);
    let mut candidates = assign::candidates(&mut asked);
    if let Some(given) = request.context {
        candidates.extend(context::candidates(given, &asked, tool_words, request.now));
    }
    let solution = solve(candidates, &meanings);
    let mut mapped = assembled(&asked, request.context, &solution);
    objects_without_needs(input_schema, &mut mapped);
    branches::told_apart(request.text, input_schema, &mut mapped);
    mapped.explained = explained(&asked, &solution.chosen);
    mapped.facts = evidence::of(&mapped, request.text, &meanings, &solution.chosen);
    mapped.facts.unread = unread(&asked, &solution.chosen);
    mapped
}

fn assembled(asked: &Asked<'_>, given: Option<&Value>, solution: &Solution) -> Mapped {
    let mut mapped = Mapped::default();
    for candidate in &solution.chosen {
        let Some(meaning) = asked.meanings.get(candidate.parameter) else {
            continue;
        };
        let words = words_of(asked, given, candidate);
        let name = meaning.parameter.dotted();
        insert(
            &mut mapped.arguments,
            &meaning.parameter.path,
            as_sent(meaning, &candidate.value),
        );
        mapped.sources.insert(
            name.clone(),
            Source {
                origin: candidate.origin,
                words,
            },
        );
        mapped.sureness.insert(name, candidate.score);
    }
    for meaning in asked.meanings.iter().filter(|meaning| meaning.is_required()) {
        let name = meaning.parameter.dotted();
        if let Some(only) = meaning
            .parameter
            .only
            .as_ref()
            .filter(|_| !mapped.sources.contains_key(&name))
        {
            insert(&mut mapped.arguments, &meaning.parameter.path, only.clone());
            mapped.sources.insert(
                name.clone(),
                Source {
                    origin: Origin::Schema,
                    words: String::new(),
                },
            );
            mapped.sureness.insert(name, 1.0);
        }
    }
    for parameter in &solution.torn {
        mapped.torn.extend(
            asked
                .meanings
                .get(*parameter)
                .map(|meaning| meaning.parameter.dotted()),
        );
    }
    mapped.missing = missing(asked.meanings, &mapped);
    mapped
}

/// A list as its parameter takes it: some are one text with commas between.
fn as_sent(meaning: &Meaning, value: &Value) -> Value {
    let Some(items) = value.as_array().filter(|_| meaning.parameter.joined) else {
        return value.clone();
    };
    let texts: Vec<String> = items
        .iter()
        .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
        .collect();
    Value::String(texts.join(","))
}

/// Required values that are not there; what an optional object requires counts once the object is begun.
fn missing(meanings: &[Meaning], mapped: &Mapped) -> Vec<Missing> {
    meanings
        .iter()
        .filter(|meaning| {
            let parameter = &meaning.parameter;
            let begun = parameter.path.len() > 1
                && holds(
                    &mapped.arguments,
                    parameter.path.split_last().map_or(&[], |(_, around)| around),
                );
            (parameter.required || (parameter.own_required && begun))
                && !mapped.sources.contains_key(&parameter.dotted())
        })
        .map(|meaning| Missing {
            name: meaning.parameter.dotted(),
            description: (!meaning.parameter.description.is_empty())
                .then(|| meaning.parameter.description.clone()),
        })
        .collect()
}

/// A required object that requires nothing itself is empty, and a required name that nothing describes is missing.
fn objects_without_needs(input_schema: &Value, mapped: &mut Mapped) {
    let required = input_schema
        .get("required")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    for name in required.iter().filter_map(Value::as_str) {
        let within = format!("{name}.");
        let known = mapped.arguments.contains_key(name)
            || mapped
                .missing
                .iter()
                .any(|missing| missing.name == name || missing.name.starts_with(&within));
        if known {
            continue;
        }
        let schema = input_schema
            .get("properties")
            .and_then(|properties| properties.get(name));
        if schema.is_some_and(|schema| schema.get("properties").is_some_and(Value::is_object)) {
            mapped
                .arguments
                .insert(name.to_owned(), Value::Object(Map::new()));
            mapped.sources.insert(
                name.to_owned(),
                Source {
                    origin: Origin::Schema,
                    words: String::new(),
                },
            );
            mapped.sureness.insert(name.to_owned(), 0.8);
        } else {
            mapped.missing.push(Missing {
                name: name.to_owned(),
                description: None,
            });
        }
    }
}

fn words_of(asked: &Asked<'_>, given: Option<&Value>, candidate: &Candidate) -> String {
    match (candidate.origin, given) {
        (Origin::Request, _) => asked
            .text
            .get(candidate.range.clone())
            .unwrap_or_default()
            .to_owned(),
        (Origin::Context, Some(Value::String(text))) => {
            text.get(candidate.range.clone()).unwrap_or_default().to_owned()
        }
        _ => match &candidate.value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        },
    }
}

fn insert(arguments: &mut Map<String, Value>, path: &[String], value: Value) {
    match path {
        [] => {}
        [name] => {
            arguments.insert(name.clone(), value);
        }
        [name, rest @ ..] => {
            let inner = arguments
                .entry(name.clone())
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

/// Whether an object is there already.
fn holds(arguments: &Map<String, Value>, path: &[String]) -> bool {
    match path {
        [] => true,
        [name, rest @ ..] => match arguments.get(name) {
            Some(Value::Object(inner)) => holds(inner, rest),
            _ => false,
        },
    }
}

/// How many values of the request no argument took; names are left out, since half of them are guesses.
fn unread(asked: &Asked<'_>, chosen: &[Candidate]) -> f32 {
    let mut places: Vec<Range<usize>> = Vec::new();
    for span in asked
        .spans
        .iter()
        .filter(|span| !matches!(span.what, What::Name(_)))
    {
        let taken = chosen
            .iter()
            .any(|candidate| candidate.origin == Origin::Request && touches(&candidate.range, &span.range));
        if !taken && !places.iter().any(|known| touches(known, &span.range)) {
            places.push(span.range.clone());
        }
    }
    f32::from(u16::try_from(places.len()).unwrap_or(u16::MAX))
}

/// The share of telling words that something explains.
fn explained(asked: &Asked<'_>, chosen: &[Candidate]) -> f32 {
    let read: Vec<&Range<usize>> = chosen
        .iter()
        .filter(|candidate| candidate.origin == Origin::Request)
        .map(|candidate| &candidate.range)
        .collect();
    let mut telling = 0_u16;
    let mut told = 0_u16;
    for (at, token) in asked.tokens.iter().enumerate() {
        let value = read.iter().any(|range| touches(range, &token.range));
        if !value && (token.is_common() || COURTESIES.contains(&token.fold.as_str())) {
            continue;
        }
        telling = telling.saturating_add(1);
        let names = asked.hits.iter().any(|hit| {
            (hit.start..hit.end).contains(&at)
                && chosen
                    .iter()
                    .any(|candidate| candidate.parameter == hit.parameter)
        });
        if value || names || asked.is_tool_word(token) {
            told = told.saturating_add(1);
        }
    }
    if telling == 0 {
        0.0
    } else {
        f32::from(told) / f32::from(telling)
    }
}

#[cfg(test)]
mod phrases;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod tests;
