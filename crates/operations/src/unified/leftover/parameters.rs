//! Which parameters does a request name that a call does not give?

use std::collections::{BTreeMap, BTreeSet};

use handpick_selection::words::spelled_out;
use serde_json::{Map, Value};

use super::references::followed;
use super::states::is_in_state;
use super::strict::{Word, is_akin};
use super::terms;

/// Properties of a schema that are looked at.
const PROPERTIES_MAX: usize = 200;
/// Share of the words of a parameter's name that a request must have to name it.
const NAMED: f32 = 0.6;
/// Levels of a schema that are looked at.
const DEPTH: usize = 4;
/// Bytes of a parameter's description that are looked at.
const DESCRIPTION_BYTES: usize = 400;
/// Descriptions that may have a word which tells of one of them.
const DESCRIPTIONS_MAX: usize = 2;

/// Words of a parameter's name that say how it is set and not what is.
pub(super) const SETTINGS: [&str; 34] = [
    "is",
    "are",
    "be",
    "has",
    "have",
    "do",
    "does",
    "should",
    "can",
    "must",
    "use",
    "using",
    "with",
    "include",
    "including",
    "included",
    "only",
    "show",
    "enable",
    "enabled",
    "allow",
    "set",
    "want",
    "the",
    "of",
    "by",
    "to",
    "in",
    "for",
    "as",
    "on",
    "when",
    "if",
    "needed",
];

/// Words that descriptions have whatever they describe, and that tell nothing in a request either.
const FRAME: &str = "id name type value list number string default optional filter return result specify specified \
                     parameter field item input output option current example everything anything \
                     something whether currently date time day today tomorrow yesterday last next first new one two \
                     three user request required information info detail data server service app account project";

/// Whether a parameter that could take a word is not given.
pub(super) fn is_open(schema: &Value, arguments: &Map<String, Value>) -> bool {
    is_open_within(schema, schema, arguments)
}

fn is_open_within(root: &Value, schema: &Value, arguments: &Map<String, Value>) -> bool {
    let Some(properties) = followed(root, schema)["properties"].as_object() else {
        return false;
    };
    properties.iter().take(PROPERTIES_MAX).any(|(name, property)| {
        let kind = followed(root, property);
        let takes_words = kind["type"] != "integer" && kind["type"] != "number" && kind["type"] != "boolean";
        match arguments.get(name) {
            Some(Value::Object(inner)) => is_open_within(root, property, inner),
            Some(_) => false,
            None => takes_words && !is_paging(name),
        }
    })
}

/// Parameters that say how an answer is cut, which nobody asks for by a noun.
fn is_paging(name: &str) -> bool {
    spelled_out(name).split(' ').any(|word| {
        matches!(
            word,
            "cursor" | "page" | "offset" | "limit" | "fields" | "format" | "sort" | "order" | "token"
        )
    })
}

/// The parameters that a call does not give, by their names.
pub(super) fn left_out<'s>(schema: &'s Value, arguments: &Map<String, Value>) -> Vec<(&'s str, &'s Value)> {
    let mut found = Vec::new();
    collect(schema, schema, Some(arguments), DEPTH, &mut found);
    found
}

fn collect<'s>(
    root: &'s Value,
    schema: &'s Value,
    arguments: Option<&Map<String, Value>>,
    depth: usize,
    found: &mut Vec<(&'s str, &'s Value)>,
) {
    let Some(properties) = followed(root, schema)["properties"]
        .as_object()
        .filter(|_| depth > 0)
    else {
        return;
    };
    for (name, property) in properties.iter().take(PROPERTIES_MAX) {
        // What refers to itself branches without end.
        if found.len() >= PROPERTIES_MAX {
            return;
        }
        match arguments.and_then(|arguments| arguments.get(name)) {
            Some(Value::Object(inner)) => collect(root, property, Some(inner), depth - 1, found),
            Some(_) => {}
            None => {
                found.push((name, told(root, property)));
                collect(root, property, None, depth - 1, found);
            }
        }
    }
}

/// The property itself, or what it refers to where only that has the choices.
fn told<'s>(root: &'s Value, property: &'s Value) -> &'s Value {
    let behind = followed(root, property);
    if choices(property).next().is_none() && choices(behind).next().is_some() {
        behind
    } else {
        property
    }
}

/// How many parameters that are not given are named, by their name or by a choice they offer.
pub(super) fn named(
    left_out: &[(&str, &Value)],
    said: &BTreeSet<String>,
    strict: &[Word],
    text: &str,
    tool: &BTreeSet<String>,
) -> usize {
    let open: BTreeSet<&str> = open_terms(strict);
    // That a description has a word does not choose it: `changes their status` is not `acknowledged`.
    let choosing: BTreeSet<&str> = terms_of(strict, |word| {
        word.is_telling && !word.is_covered && !word.is_named
    });
    let lower = text.to_lowercase();
    left_out
        .iter()
        .filter(|(name, property)| {
            is_named(name, property, said, tool)
                || is_strictly_named(name, property, (&open, &choosing), tool)
                || is_in_state(name, &lower)
        })
        .count()
}

/// How many words that nothing explains stand in what is said of parameters that are not given: in their descriptions,
/// or as a part of their names and choices.
pub(super) fn described(left_out: &[(&str, &Value)], strict: &[Word], tool: &BTreeSet<String>) -> usize {
    let frame = terms(FRAME);
    let mut of: BTreeMap<String, usize> = BTreeMap::new();
    for (name, property) in left_out {
        let about = property["description"].as_str().unwrap_or_default();
        let mut text = format!("{} {}", spelled_out(name), beginning(about, DESCRIPTION_BYTES));
        for choice in choices(property) {
            text.push(' ');
            text.push_str(&spelled_out(choice));
        }
        for term in terms(&text) {
            *of.entry(term).or_default() += 1;
        }
    }
    let open = open_terms(strict);
    let is_told = |term: &&&str| {
        term.chars().count() > 2
            && !frame.contains(**term)
            && !tool.contains(**term)
            && of
                .iter()
                .any(|(known, count)| *count <= DESCRIPTIONS_MAX && is_akin(term, known))
    };
    open.iter().filter(is_told).count()
}

fn open_terms(strict: &[Word]) -> BTreeSet<&str> {
    terms_of(strict, Word::is_open)
}

fn terms_of(strict: &[Word], is_such: impl Fn(&Word) -> bool) -> BTreeSet<&str> {
    strict
        .iter()
        .filter(|word| is_such(word))
        .flat_map(|word| word.terms.iter().map(String::as_str))
        .collect()
}

/// Words of all choices that a schema offers.
pub(in crate::unified) fn choices_of(schema: &Value) -> BTreeSet<String> {
    left_out(schema, &Map::new())
        .iter()
        .flat_map(|(_, property)| choices(property))
        .flat_map(|choice| {
            spelled_out(choice)
                .split(' ')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The choices of a property, or of the members of its list.
pub(super) fn choices(property: &Value) -> impl Iterator<Item = &str> {
    let alternatives = ["anyOf", "oneOf"]
        .iter()
        .filter_map(|word| property[*word].as_array())
        .flatten();
    std::iter::once(property)
        .chain(alternatives)
        .filter_map(|kind| {
            kind["enum"]
                .as_array()
                .or_else(|| kind["items"]["enum"].as_array())
        })
        .flatten()
        .filter_map(Value::as_str)
}

/// Whether a choice is what is done anyway where none is given.
fn is_default(property: &Value, choice: &str) -> bool {
    let about = property["description"]
        .as_str()
        .unwrap_or_default()
        .to_lowercase();
    let choice = choice.to_lowercase();
    let is_told = about.match_indices("default").any(|(at, word)| {
        let rest = about.get(at + word.len()..).unwrap_or_default();
        let rest = rest.trim_start_matches("s to").trim_start_matches(" is");
        let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let rest = rest.strip_prefix(choice.as_str());
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    });
    property["default"].as_str() == Some(choice.as_str()) || is_told
}

fn is_named(name: &str, property: &Value, said: &BTreeSet<String>, tool: &BTreeSet<String>) -> bool {
    let is_said = |text: &str, share: f32| {
        let all = terms(&spelled_out(text));
        let telling: Vec<&String> = all
            .iter()
            .filter(|term| term.chars().count() > 2 && !tool.contains(*term))
            .collect();
        let hits = telling.iter().filter(|term| said.contains(**term)).count();
        hits > 0 && hits as f32 >= share * telling.len() as f32
    };
    choices(property).any(|choice| is_said(choice, 1.0) && !is_default(property, choice))
        || is_said(name, NAMED)
}

/// Whether words that nothing explains are what a parameter is called, or words that neither the tool's name nor an
/// argument took tell one of its choices from the others.
fn is_strictly_named(
    name: &str,
    property: &Value,
    (open, choosing): (&BTreeSet<&str>, &BTreeSet<&str>),
    tool: &BTreeSet<String>,
) -> bool {
    let is_said = |said: &BTreeSet<&str>, words: &BTreeSet<String>, share: f32| {
        let telling: Vec<&String> = words
            .iter()
            .filter(|term| term.chars().count() > 2 && !tool.contains(*term))
            .collect();
        let is_among = |term: &str| said.iter().any(|said| is_akin(said, term));
        let hits = telling.iter().filter(|term| is_among(term)).count();
        hits > 0 && hits as f32 >= share * telling.len() as f32
    };
    let name = spelled_out(name);
    let telling: Vec<&str> = name.split(' ').filter(|word| !SETTINGS.contains(word)).collect();
    if is_said(open, &terms(&telling.join(" ")), NAMED) {
        return true;
    }
    let all: Vec<(BTreeSet<String>, bool)> = choices(property)
        .take(PROPERTIES_MAX)
        .map(|choice| (terms(&spelled_out(choice)), is_default(property, choice)))
        .collect();
    // `StateUpdate` beside `ConfigurationUpdate`: the first word says which.
    let tells = |term: &String| all.iter().filter(|(choice, _)| choice.contains(term)).count() == 1;
    all.len() > 1
        && all
            .iter()
            .filter(|(_, is_default)| !is_default)
            .any(|(choice, _)| {
                let telling: BTreeSet<String> = choice.iter().filter(|term| tells(term)).cloned().collect();
                is_said(choosing, &telling, 1.0)
            })
}

fn beginning(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
