//! Which enumerations fill a list by their kind alone: `5, 3 and 4` a list of numbers, `"…" and "…"` one of texts?

use serde_json::{Number, Value};

use crate::assign::asked::{Asked, Candidate};
use crate::assign::records::enumeration::next_item;
use crate::kind::Kind;
use crate::span::What;
use crate::words::Break;

/// The one list of a kind that a tool takes; a required one goes before.
fn only_list(asked: &Asked<'_>, fits: impl Fn(&crate::meaning::Meaning) -> bool) -> Option<usize> {
    let all: Vec<(usize, bool)> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.parameter.list && meaning.parameter.only.is_none() && fits(meaning))
        .map(|(at, meaning)| (at, meaning.is_required()))
        .collect();
    let required: Vec<usize> = all
        .iter()
        .filter(|(_, required)| *required)
        .map(|(at, _)| *at)
        .collect();
    match (required.as_slice(), all.as_slice()) {
        ([one], _) | ([], [(one, _)]) => Some(*one),
        _ => None,
    }
}

/// `answers: 5, 3, 4`: numbers in a row for the one list of numbers.
pub(crate) fn number_lists(asked: &Asked<'_>) -> Vec<Candidate> {
    let Some(parameter) = only_list(asked, |meaning| {
        meaning.is_numeric() && meaning.parameter.shape.choices.is_empty() && meaning.kind != Kind::Id
    }) else {
        return Vec::new();
    };
    let integer = asked
        .meanings
        .get(parameter)
        .is_some_and(|meaning| meaning.parameter.shape.integer);
    let mut found: Vec<(Vec<Number>, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < asked.tokens.len() {
        let (numbers, end) = row(asked, at, integer);
        if numbers.len() > 1 {
            found.push((numbers, at, end));
        }
        at = end.max(at + 1);
    }
    let [(numbers, start, end)] = found.as_slice() else {
        return Vec::new();
    };
    let values = numbers.iter().cloned().map(Value::Number).collect();
    asked
        .bytes(*start, *end)
        .map(|range| vec![asked.candidate(parameter, Value::Array(values), range, 0.86)])
        .unwrap_or_default()
}

/// The numbers from a word on, and where they end.
fn row(asked: &Asked<'_>, start: usize, integer: bool) -> (Vec<Number>, usize) {
    let mut numbers = Vec::new();
    let mut at = start;
    let mut end = start;
    while let Some(number) = number_at(asked, at, integer) {
        numbers.push(number);
        end = at + 1;
        match next_item(asked, at) {
            Some(next) => at = next,
            None => break,
        }
    }
    (numbers, end)
}

fn number_at(asked: &Asked<'_>, at: usize, integer: bool) -> Option<Number> {
    let token = asked.token(at)?;
    let plain = token
        .text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let read = asked
        .spans_at(at)
        .any(|span| matches!(span.what, What::Number(_) | What::Money(..) | What::Duration(_)));
    if !plain || asked.is_opaque(&token.range) || !(read || token.text.len() < 5) {
        return None;
    }
    if integer {
        return token.text.parse::<i64>().ok().map(Number::from);
    }
    token
        .text
        .parse::<i64>()
        .ok()
        .map(Number::from)
        .or_else(|| token.text.parse::<f64>().ok().and_then(Number::from_f64))
}

/// `the nodes beekeeping, Lisbon office and Aurora`: names of several words behind the name of their list.
pub(crate) fn spoken_lists(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let lone = only_list(asked, |meaning| {
        let shape = &meaning.parameter.shape;
        shape.string && shape.choices.is_empty() && (meaning.kind.is_text() || meaning.kind == Kind::Slug)
    });
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let shape = &meaning.parameter.shape;
        let free = meaning.parameter.list
            && shape.string
            && shape.choices.is_empty()
            && (meaning.kind.is_text() || meaning.kind == Kind::Slug);
        if !free {
            continue;
        }
        candidates.extend(asked.hits_of(parameter).find_map(|hit| {
            let start = led(asked, hit.end).or_else(|| {
                let (start, skipped) = asked.value_start(hit)?;
                (skipped < 2).then_some(start)
            })?;
            spoken_list(asked, parameter, start)
        }));
        // `open the nodes beekeeping and Lisbon office`: things of the tool's own name, for the one list it needs.
        if lone == Some(parameter) && meaning.is_required() {
            candidates.extend((0..asked.tokens.len()).find_map(|at| {
                let thing = asked.token(at)?;
                let things = asked.name.contains(&thing.stem)
                    && thing.fold.ends_with('s')
                    && thing.after == Break::None;
                things.then(|| spoken_list(asked, parameter, at + 1)).flatten()
            }));
        }
    }
    candidates
}

/// `the changes in it are …`: behind the word that says what they are.
fn led(asked: &Asked<'_>, from: usize) -> Option<usize> {
    let is = |at: usize, words: &str| {
        asked
            .token(at)
            .is_some_and(|token| words.split(' ').any(|word| word == token.fold))
    };
    let mut at = from;
    while at < from + 4 && is(at, "in it for of this here should be there") {
        at += 1;
    }
    is(at, "are include includes were sind sont son").then_some(at + 1)
}

fn spoken_list(asked: &Asked<'_>, parameter: usize, start: usize) -> Option<Candidate> {
    let is_and = |at: usize| {
        asked
            .token(at)
            .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "&"]))
    };
    let mut items: Vec<(usize, usize)> = Vec::new();
    let mut at = start;
    loop {
        let limit = crate::assign::names::titles::title_end(asked, at, parameter);
        let end = (at + 1..limit).find(|place| is_and(*place)).unwrap_or(limit);
        let first = asked.token(at)?;
        let article = first.is_any(&["a", "an", "the"]);
        if (first.is_common() && !first.is_capitalised() && !article)
            || asked.is_opaque(&first.range)
            || end - at > 4
        {
            return None;
        }
        items.push((at, end));
        let next = if is_and(end) { end + 1 } else { end };
        let goes_on = asked.break_before(end) == Break::Comma
            || (is_and(end) && asked.break_before(end) == Break::None);
        let other = asked
            .hits
            .iter()
            .any(|hit| hit.start == next && hit.parameter != parameter && hit.weight > 0.9);
        let verb = asked.token(next).is_some_and(crate::intent::is_verb);
        let else_said = crate::assign::records::enumeration::is_something_else(asked, start, next);
        if !goes_on || other || verb || else_said || asked.token(next).is_none() {
            break;
        }
        at = if asked.break_before(end) == Break::Comma && is_and(end) {
            end + 1
        } else {
            next
        };
    }
    let several = items.iter().any(|(from, to)| to - from > 1) && items.len() > 1;
    let unread = items.iter().any(|(from, to)| {
        (*from..*to).any(|at| {
            asked
                .spans_at(at)
                .any(|span| !matches!(span.what, What::Name(_) | What::Number(_)))
        })
    });
    let range = asked
        .bytes(start, items.last()?.1)
        .filter(|_| several && !unread)?;
    let values = items
        .iter()
        .map(|(from, to)| Value::String(asked.slice(*from, *to).to_owned()))
        .collect();
    Some(asked.candidate(parameter, Value::Array(values), range, 0.93))
}

/// `that asks "…" and "…"`: quoted texts in a row for the one list of texts.
pub(crate) fn quoted_row(asked: &Asked<'_>) -> Option<Candidate> {
    let parameter = only_list(asked, |meaning| {
        let shape = &meaning.parameter.shape;
        shape.string && shape.choices.is_empty() && (meaning.kind.is_text() || meaning.kind == Kind::Slug)
    })?;
    let mut found = Vec::new();
    let mut at = 0;
    while at < asked.tokens.len() {
        let mut items = Vec::new();
        let mut place = at;
        let mut range = 0..0;
        while let Some((span, text)) = asked.quoted_at(place) {
            if items.is_empty() {
                range = span.range.clone();
            }
            items.push(Value::String(text.to_owned()));
            range.end = span.range.end;
            place = asked.at_byte(span.range.end).max(place + 1);
            if asked
                .token(place)
                .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "&"]))
            {
                place += 1;
            }
        }
        if items.len() > 1 {
            found.push((items, range));
        }
        at = place.max(at + 1);
    }
    match found.as_slice() {
        [(items, range)] => Some(asked.candidate(parameter, Value::Array(items.clone()), range.clone(), 0.9)),
        _ => None,
    }
}
