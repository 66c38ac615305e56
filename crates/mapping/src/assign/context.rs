//! Which values does the context give that came with a request?
//!
//! An object gives values by key; a text gives ids. Only what the request itself leaves open is taken, and only
//! where the request does not say that it means something else.

use serde_json::Value;

use crate::Now;
use crate::assign::asked::{Asked, Candidate};
use crate::assign::references;
use crate::kind::Kind;
use crate::lexicon::{DEMONSTRATIVES, OTHERS, POINTERS};
use crate::mapped::Origin;
use crate::meaning::{Meaning, sense_of};
use crate::words::{fold, name_words, squeezed};

/// Values that are read of a context object.
const LEAVES_MAX: usize = 300;

/// A value of a context object with its keys.
struct Leaf<'c> {
    path: Vec<&'c str>,
    value: &'c Value,
}

/// Candidates from a context, all of which stand behind what the request says.
pub(crate) fn candidates(context: &Value, request: &Asked<'_>, tool_words: &str, now: Now) -> Vec<Candidate> {
    match context {
        Value::String(text) => of_text(text, request, tool_words, now),
        Value::Object(_) | Value::Array(_) => of_object(context, request),
        _ => Vec::new(),
    }
}

/// Ids of a text: those that a prefix or a name beside them gives to a parameter.
fn of_text(text: &str, request: &Asked<'_>, tool_words: &str, now: Now) -> Vec<Candidate> {
    let asked = Asked::of(text, Origin::Context, tool_words, request.meanings, now);
    let mut found = references::references(&asked);
    found.extend(crate::assign::addresses::repositories(&asked));
    found.extend(crate::assign::addresses::folders(&asked));
    found
        .into_iter()
        .filter(|candidate| candidate.score >= 0.75)
        .filter(|candidate| meant(request, candidate.parameter))
        .filter(|candidate| {
            request
                .meanings
                .get(candidate.parameter)
                .is_some_and(|meaning| meaning.kind != Kind::Title)
        })
        .map(|mut candidate| {
            candidate.score *= 0.95;
            candidate
        })
        .collect()
}

fn of_object(context: &Value, request: &Asked<'_>) -> Vec<Candidate> {
    let mut leaves = Vec::new();
    collect(context, &mut Vec::new(), &mut leaves);
    let mut candidates = Vec::new();
    for (parameter, meaning) in request.meanings.iter().enumerate() {
        if !meant(request, parameter) {
            continue;
        }
        let mut best: Vec<(f32, &Leaf<'_>)> = leaves
            .iter()
            .filter_map(|leaf| Some((key_score(request, meaning, leaf, &leaves)?, leaf)))
            .collect();
        let top = best.iter().map(|(score, _)| *score).fold(0.0, f32::max);
        best.retain(|(score, _)| *score > top - 0.03);
        for (score, leaf) in best {
            if let Some(value) = typed(meaning, leaf.value) {
                candidates.push(Candidate {
                    parameter,
                    value,
                    range: 0..0,
                    score,
                    origin: Origin::Context,
                    taking: false,
                    whole: false,
                });
            }
        }
    }
    candidates
}

fn collect<'c>(value: &'c Value, path: &mut Vec<&'c str>, leaves: &mut Vec<Leaf<'c>>) {
    if leaves.len() >= LEAVES_MAX || path.len() > 8 {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                path.push(key);
                collect(inner, path, leaves);
                path.pop();
            }
        }
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            leaves.push(Leaf {
                path: path.clone(),
                value,
            });
        }
        Value::Array(items) => {
            for item in items.iter().take(50) {
                collect(item, path, leaves);
            }
        }
        Value::Null => {}
        _ => leaves.push(Leaf {
            path: path.clone(),
            value,
        }),
    }
}

/// How well the keys of a value are those of a parameter.
fn key_score(request: &Asked<'_>, meaning: &Meaning, leaf: &Leaf<'_>, all: &[Leaf<'_>]) -> Option<f32> {
    let name = meaning.parameter.name();
    let last = *leaf.path.last()?;
    if !is_given(request, meaning) {
        return None;
    }
    let exact = squeezed(last) == squeezed(name) && !meaning.is_generic;
    let with_object =
        leaf.path.len() > 1 && squeezed(&leaf.path.get(leaf.path.len() - 2..)?.concat()) == squeezed(name);
    if exact || with_object {
        return Some(0.95);
    }
    if !meaning.kind.is_reference() {
        return None;
    }
    same_thing(meaning, leaf).or_else(|| lone_id(request, meaning, leaf, all))
}

/// Places that things are in: a context that gives one says where the request is about.
const PLACES: &[&str] = &[
    "owner",
    "repository",
    "project",
    "workspace",
    "organization",
    "namespace",
    "database",
    "collection",
    "table",
    "base",
    "board",
    "channel",
    "region",
    "account",
    "connection",
    "cluster",
    "bucket",
    "index",
    "server",
    "site",
    "sheet",
    "spreadsheet",
    "document",
    "environment",
    "tenant",
    "team",
    "space",
    "folder",
];

/// Whether a context may say what a parameter is. What things are like now (their state, their owner, their title)
/// is no answer to what they shall become; only what names a thing or a place is taken.
fn is_given(request: &Asked<'_>, meaning: &Meaning) -> bool {
    match meaning.kind {
        Kind::Id | Kind::Path | Kind::Url | Kind::Zone => true,
        Kind::Email => meaning.parameter.name().to_lowercase().contains("user"),
        Kind::Slug => meaning.thing.as_deref().is_some_and(|thing| {
            let key = name_words(meaning.parameter.name())
                .last()
                .is_some_and(|word| matches!(word.as_str(), "key" | "slug" | "arn"));
            let pointed = (0..request.tokens.len()).any(|at| {
                request.token(at).is_some_and(|token| token.is(thing))
                    && determined(request, at, DEMONSTRATIVES)
            });
            key || pointed
                || PLACES.contains(&thing)
                || PLACES.iter().any(|place| crate::words::stem(place) == thing)
        }),
        _ => false,
    }
}

/// The thing that a value's keys name: `invoice` of `invoice.id` and of `invoiceId`.
fn thing_of(leaf: &Leaf<'_>) -> Option<(String, bool)> {
    let last = *leaf.path.last()?;
    let words = name_words(last);
    let is_id = words.last().is_some_and(|word| {
        matches!(
            word.as_str(),
            "id" | "uid" | "gid" | "uuid" | "key" | "number" | "iid" | "slug"
        )
    });
    let own: Vec<&String> = words
        .iter()
        .filter(|word| !crate::lexicon::KIND_WORDS.contains(&word.as_str()))
        .collect();
    if let Some(thing) = own.last() {
        return Some((sense_of(thing), is_id));
    }
    let around = leaf.path.len().checked_sub(2).and_then(|at| leaf.path.get(at))?;
    name_words(around).last().map(|word| (sense_of(word), is_id))
}

/// `{"invoice": {"id": …}}` and `{"invoiceNumber": …}` for `invoice_id`.
fn same_thing(meaning: &Meaning, leaf: &Leaf<'_>) -> Option<f32> {
    let (thing, is_id) = thing_of(leaf)?;
    let own = meaning.thing.as_deref()?;
    let wants_id = meaning.kind == Kind::Id;
    let alike = thing == own || same_family(&thing, own);
    let coded = leaf.path.last().is_some_and(|key| sense_of(key) == thing)
        && leaf.value.as_str().is_some_and(crate::words::is_coded);
    (alike && (is_id || coded || !wants_id) && !meaning.is_generic).then_some(if is_id { 0.9 } else { 0.84 })
}

/// Things that are called by either name.
pub(crate) fn same_family(a: &str, b: &str) -> bool {
    const FAMILIES: &[&[&str]] = &[
        &["file", "document", "doc"],
        &["event", "meeting", "appointment"],
        &["repository", "repo"],
        &["mail", "message", "email"],
        &["person", "employee", "user", "colleague"],
    ];
    FAMILIES
        .iter()
        .any(|family| family.contains(&a) && family.contains(&b))
}

/// The only id of a context, for a parameter that takes the id of anything, where the request speaks of it.
fn lone_id(request: &Asked<'_>, meaning: &Meaning, leaf: &Leaf<'_>, all: &[Leaf<'_>]) -> Option<f32> {
    let (thing, is_id) =
        thing_of(leaf).unwrap_or_else(|| (String::new(), leaf.path.last().is_some_and(|key| *key == "id")));
    if !is_id || !meaning.is_required() || meaning.kind != Kind::Id {
        return None;
    }
    let ids = all
        .iter()
        .filter(|leaf| thing_of(leaf).is_none_or(|(_, is_id)| is_id))
        .count();
    let named_thing = meaning.thing.as_deref().unwrap_or_default();
    let spoken = request.tokens.iter().any(|token| token.is(&thing));
    let bare = thing.is_empty() || thing == named_thing;
    (ids == 1 && meaning.is_generic && (bare || spoken)).then_some(0.84)
}

/// A context value as the schema types it.
fn typed(meaning: &Meaning, value: &Value) -> Option<Value> {
    let shape = &meaning.parameter.shape;
    let scalar = match value {
        Value::String(text) if shape.string && text.chars().count() <= 2_000 => Value::String(text.clone()),
        Value::String(text) if shape.number => Value::Number(text.parse::<i64>().ok()?.into()),
        Value::Number(number) if shape.number => Value::Number(number.clone()),
        Value::Number(number) if shape.string => Value::String(number.to_string()),
        Value::Bool(flag) if shape.boolean => Value::Bool(*flag),
        Value::Array(items) if meaning.parameter.list => return Some(Value::Array(items.clone())),
        _ => return None,
    };
    let choices = &shape.choices;
    if !choices.is_empty() && !choices.contains(&scalar) {
        return None;
    }
    Some(if meaning.parameter.list {
        Value::Array(vec![scalar])
    } else {
        scalar
    })
}

/// Whether the context may say what a parameter is: required ones unless the request speaks of others, optional
/// ones only where the request points at their thing.
fn meant(request: &Asked<'_>, parameter: usize) -> bool {
    let Some(meaning) = request.meanings.get(parameter) else {
        return false;
    };
    let thing = meaning.thing.clone().unwrap_or_default();
    let places: Vec<usize> = (0..request.tokens.len())
        .filter(|at| {
            request.token(*at).is_some_and(|token| {
                !request.is_opaque(&token.range) && (token.is(&thing) || names(meaning, token.stem.as_str()))
            })
        })
        .collect();
    let pointed = places.iter().any(|at| determined(request, *at, POINTERS));
    let of_others = !places.is_empty() && places.iter().all(|at| determined(request, *at, OTHERS));
    if of_others || speaks_of_another(request) {
        return false;
    }
    meaning.is_required() || pointed
}

fn names(meaning: &Meaning, stem: &str) -> bool {
    meaning
        .cues
        .iter()
        .any(|cue| cue.weight > 0.78 && matches!(cue.phrase.as_slice(), [one] if one == stem))
}

/// Whether one of these words stands before a noun, with at most two words between.
fn determined(request: &Asked<'_>, at: usize, words: &[&str]) -> bool {
    // `after all, open the ticket`: what stands before a comma says nothing of the noun.
    (1..=3)
        .map_while(|back| {
            at.checked_sub(back)
                .and_then(|before| request.token(before))
                .filter(|token| token.after < crate::words::Break::Comma)
        })
        .any(|token| words.contains(&fold(token.text).as_str()))
}

/// `the other one`, `another`: not what the context is about.
fn speaks_of_another(request: &Asked<'_>) -> bool {
    request.tokens.iter().enumerate().any(|(at, token)| {
        !request.is_opaque(&token.range)
            && token.is_any(&["other", "another", "andere", "anderen", "autre", "otro", "otra"])
            && request
                .token(at + 1)
                .is_none_or(|next| next.is_any(&["one", "ones"]) || next.after > crate::words::Break::None)
    })
}
