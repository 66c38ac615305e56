//! Which texts of a request are marked as somebody's own words?
//!
//! A text is taken only where something marks it: quotation marks, a colon, what it is called, a verb of saying.

use std::ops::Range;

use serde_json::Value;

use super::asked::{Asked, Candidate, touches};
use super::titles::{sought, titles};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::Break;

/// Quoted texts, and titles behind `named` and `called`.
pub(crate) fn marked_texts(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = quoted(asked);
    candidates.extend(titles(asked));
    candidates.extend(sought(asked));
    candidates
}

/// Texts in quotation marks: the name of a parameter before or behind tells whose; one alone goes to the one
/// parameter that takes texts.
fn quoted(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = quoted_lists(asked);
    let listed: Vec<Range<usize>> = candidates
        .iter()
        .map(|candidate| candidate.range.clone())
        .collect();
    for span in &asked.spans {
        let What::Quoted(text) = &span.what else { continue };
        if listed.iter().any(|range| touches(range, &span.range)) {
            continue;
        }
        let belongs = belongs_to(asked, asked.at_byte(span.range.start));
        candidates.extend(belongs.into_iter().map(|(parameter, score)| {
            asked.candidate(parameter, Value::String(text.clone()), span.range.clone(), score)
        }));
    }
    candidates
}

/// The parameters that the quoted text at a place may belong to, and how surely.
fn belongs_to(asked: &Asked<'_>, at: usize) -> Vec<(usize, f32)> {
    let named: Vec<(usize, f32)> = asked
        .hits
        .iter()
        .filter(|hit| asked.value_start(hit).is_some_and(|(start, _)| start == at))
        .filter(|hit| asked.meanings.get(hit.parameter).is_some_and(takes_quotes))
        .map(|hit| (hit.parameter, 0.97 * hit.weight.max(0.85)))
        .collect();
    if !named.is_empty() {
        return named;
    }
    if let Some(parameter) = text_that_is_set(asked, at) {
        return vec![(parameter, 0.92)];
    }
    let takers = takers(asked);
    let score = if takers.len() == 1 { 0.88 } else { 0.7 };
    takers.into_iter().map(|parameter| (parameter, score)).collect()
}

/// Whether any text fits a parameter: no list, no choice, nothing of a fixed form.
fn takes_quotes(meaning: &Meaning) -> bool {
    let formed = matches!(
        meaning.kind,
        Kind::Date | Kind::Moment(_) | Kind::Time | Kind::Email | Kind::Zone
    );
    let shape = &meaning.parameter.shape;
    !meaning.parameter.list && shape.string && shape.choices.is_empty() && !formed
}

/// `set the title of issue 12 to "Timeouts"`: the one text that is named before the link.
fn text_that_is_set(asked: &Asked<'_>, at: usize) -> Option<usize> {
    const SETTING: &[&str] = &[
        "set", "change", "update", "edit", "replace", "setze", "andere", "change", "cambia",
    ];
    let sets = asked.tokens.get(..at)?.iter().any(|token| token.is_any(SETTING));
    let linked = asked
        .token(at.checked_sub(1)?)
        .is_some_and(|token| token.is_any(&["to", "with", "auf", "in", "a", "par", "por", "durch"]));
    let mut named: Vec<usize> = asked
        .hits
        .iter()
        .filter(|hit| hit.end < at && hit.weight > 0.9)
        .filter(|hit| {
            asked
                .meanings
                .get(hit.parameter)
                .is_some_and(|meaning| meaning.kind.is_text() && !meaning.parameter.list)
        })
        .map(|hit| hit.parameter)
        .collect();
    named.dedup();
    match named.as_slice() {
        [one] if sets && linked => Some(*one),
        _ => None,
    }
}

/// Parameters that a quoted text without a name may belong to: required ones, or else the others.
fn takers(asked: &Asked<'_>) -> Vec<usize> {
    let named = |at: usize| {
        asked.hits_of(at).any(|hit| {
            let quoted = asked
                .value_start(hit)
                .is_some_and(|(start, _)| asked.quoted_at(start).is_some());
            quoted || asked.break_before(hit.end) == Break::Colon
        })
    };
    let fits = |required: bool| -> Vec<usize> {
        asked
            .meanings
            .iter()
            .enumerate()
            .filter(|(at, meaning)| {
                meaning.kind.is_text()
                    && !meaning.parameter.list
                    && meaning.is_required() == required
                    && !named(*at)
            })
            .map(|(at, _)| at)
            .collect()
    };
    let required = fits(true);
    if !required.is_empty() {
        return required;
    }
    let plain: Vec<usize> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(at, meaning)| {
            meaning.kind == Kind::Slug
                && meaning.is_required()
                && !meaning.parameter.list
                && meaning.parameter.shape.string
                && !named(*at)
                && !meaning.parameter.name().to_lowercase().contains("selector")
        })
        .filter(|(at, _)| !asked.hits_of(*at).any(|hit| asked.is_loaded(hit)))
        .map(|(at, _)| at)
        .collect();
    let optional = fits(false);
    if plain.len() == 1 && optional.is_empty() {
        plain
    } else {
        optional
    }
}

/// `the questions "…" and "…"`: several quoted texts for one list.
fn quoted_lists(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if !meaning.parameter.list || !meaning.parameter.shape.string || meaning.kind == Kind::Email {
            continue;
        }
        for hit in asked.hits_of(parameter) {
            let Some((start, _)) = asked.value_start(hit) else {
                continue;
            };
            let mut items = Vec::new();
            let mut at = start;
            let mut end = 0;
            let mut begin = None;
            while let Some((span, text)) = asked.quoted_at(at) {
                items.push(Value::String(text.to_owned()));
                begin = begin.or(Some(span.range.start));
                end = span.range.end;
                at = asked.at_byte(span.range.end);
                if asked
                    .token(at)
                    .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "&", "or"]))
                {
                    at += 1;
                }
            }
            if let Some(begin) = begin {
                candidates.push(asked.candidate(
                    parameter,
                    Value::Array(items),
                    begin..end,
                    0.95 * hit.weight.max(0.9),
                ));
            }
        }
    }
    candidates
}

/// `replace 'Q3' with 'Q4'`: what is found, and what takes its place.
pub(crate) fn replaced(asked: &Asked<'_>) -> Vec<Candidate> {
    let of_role = |role| {
        let mut found = asked
            .meanings
            .iter()
            .enumerate()
            .filter(|(_, meaning)| meaning.kind == Kind::Query && meaning.role == role);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Some(at),
            _ => None,
        }
    };
    let (Some(found), Some(placed)) = (
        of_role(crate::meaning::Role::From),
        of_role(crate::meaning::Role::To),
    ) else {
        return Vec::new();
    };
    let quotes: Vec<(Range<usize>, &str)> = asked
        .spans
        .iter()
        .filter_map(|span| match &span.what {
            What::Quoted(text) => Some((span.range.clone(), text.as_str())),
            _ => None,
        })
        .collect();
    let [(first, old), (second, new)] = quotes.as_slice() else {
        return Vec::new();
    };
    let link = asked.token(asked.at_byte(second.start).saturating_sub(1));
    let replaces =
        link.is_some_and(|token| token.is_any(&["with", "by", "to", "durch", "par", "por", "con", "mit"]));
    if !replaces {
        return Vec::new();
    }
    vec![
        asked.candidate(found, Value::String((*old).to_owned()), first.clone(), 0.95),
        asked.candidate(placed, Value::String((*new).to_owned()), second.clone(), 0.95),
    ]
}
