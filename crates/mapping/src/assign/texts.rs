//! Which texts of a request are marked as somebody's own words?
//!
//! A text is taken only where something marks it: quotation marks, a colon, what it is called, a verb of saying.

pub(crate) mod colons;
pub(crate) mod formal;
pub(crate) mod queries;
pub(crate) mod query_ends;
pub(crate) mod questions;
pub(crate) mod quote_owners;
pub(crate) mod reasons;
pub(crate) mod replacing;
pub(crate) mod tails;
pub(crate) mod text_ends;

use std::ops::Range;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, touches};
use crate::assign::names::titles::titles;
use crate::assign::texts::queries::sought;
use crate::assign::texts::quote_owners::As;
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
    if candidates.is_empty() {
        candidates.extend(crate::assign::records::lists::quoted_row(asked));
    }
    let listed: Vec<Range<usize>> = candidates
        .iter()
        .map(|candidate| candidate.range.clone())
        .collect();
    for span in &asked.spans {
        let What::Quoted(text) = &span.what else { continue };
        // Quotation marks within a statement or a list of JSON are its own.
        let inner = asked
            .opaque
            .iter()
            .any(|closed| touches(closed, &span.range) && *closed != span.range);
        if inner || listed.iter().any(|range| touches(range, &span.range)) {
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
    let named: Vec<(usize, f32, f32)> = asked
        .hits
        .iter()
        .filter(|hit| asked.value_start(hit).is_some_and(|(start, _)| start == at))
        .filter(|hit| asked.meanings.get(hit.parameter).is_some_and(takes_quotes))
        .flat_map(|hit| {
            let own = (hit.parameter, 0.97 * hit.weight.max(0.85), hit.weight);
            let text = asked.quoted_at(at).map_or("", |(_, text)| text);
            match crate::assign::texts::quote_owners::title_for_id(asked, hit, text) {
                Some((title, true)) => vec![(title, 0.95, 0.95)],
                Some((title, false)) => vec![own, (title, own.1, own.2)],
                None => vec![own],
            }
        })
        .collect();
    // `titled "…"` leaves no doubt, whatever else has a name.
    let naming = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|token| {
            token.is_any(&[
                "titled",
                "called",
                "named",
                "namens",
                "genannt",
                "nomme",
                "nommee",
                "intitule",
                "intitulee",
                "llamado",
                "llamada",
                "titulado",
                "titulada",
            ])
        });
    if naming && let Some(title) = surest_title(asked, &named) {
        return vec![(title, 0.95)];
    }
    // A noun of a description alone names no optional text where a required one has none yet.
    let weak = named.iter().all(|(parameter, _, weight)| {
        *weight <= 0.8
            && asked
                .meanings
                .get(*parameter)
                .is_some_and(|meaning| !meaning.is_required() && !meaning.kind.is_text())
    });
    let needed = takers(asked).iter().any(|at| {
        asked
            .meanings
            .get(*at)
            .is_some_and(|meaning| meaning.is_required())
    });
    let names = !(weak && needed);
    if names && !named.is_empty() {
        return named
            .into_iter()
            .map(|(parameter, score, _)| (parameter, score))
            .collect();
    }
    if let Some(parameter) = text_that_is_set(asked, at) {
        return vec![(parameter, 0.92)];
    }
    let takers = takers(asked);
    if let Some(parameter) = by_word_before(asked, at, &takers) {
        return vec![(parameter, 0.92)];
    }
    let reference = |at: &usize| {
        !asked
            .meanings
            .get(*at)
            .is_some_and(|meaning| meaning.kind.is_text())
    };
    if takers.iter().all(reference) && crate::assign::texts::quote_owners::is_of_field(asked, at) {
        return Vec::new();
    }
    let score = if takers.len() == 1 { 0.88 } else { 0.7 };
    takers.into_iter().map(|parameter| (parameter, score)).collect()
}

/// The title among parameters that a word names, if one is named more surely than the others.
fn surest_title(asked: &Asked<'_>, named: &[(usize, f32, f32)]) -> Option<usize> {
    let titles: Vec<&(usize, f32, f32)> = named
        .iter()
        .filter(|(parameter, _, _)| {
            asked
                .meanings
                .get(*parameter)
                .is_some_and(|meaning| meaning.kind == Kind::Title)
        })
        .collect();
    let most = titles.iter().map(|(_, _, weight)| *weight).fold(0.0, f32::max);
    let surest: Vec<usize> = titles
        .iter()
        .filter(|(_, _, weight)| *weight >= most)
        .map(|(parameter, _, _)| *parameter)
        .collect();
    outermost(asked, &surest)
}

/// The one of several parameters that fewest objects hide: what a thing is called goes before what its parts are.
fn outermost(asked: &Asked<'_>, parameters: &[usize]) -> Option<usize> {
    let depth = |parameter: &usize| {
        asked
            .meanings
            .get(*parameter)
            .map_or(usize::MAX, |meaning| meaning.parameter.path.len())
    };
    let least = parameters.iter().map(depth).min()?;
    let mut found = parameters.iter().filter(|parameter| depth(parameter) == least);
    match (found.next(), found.next()) {
        (Some(one), None) => Some(*one),
        _ => None,
    }
}

/// Whether any text fits a parameter: no list, no choice, nothing of a fixed form.
fn takes_quotes(meaning: &Meaning) -> bool {
    let formed = matches!(
        meaning.kind,
        Kind::Date | Kind::Moment(_) | Kind::Time | Kind::Email | Kind::Zone
    );
    let shape = &meaning.parameter.shape;
    !meaning.parameter.list && shape.string && !shape.boolean && shape.choices.is_empty() && !formed
}

/// `a page "Returns"` is a title, `saying "On my way"` what is said: the word before tells which of several.
fn by_word_before(asked: &Asked<'_>, at: usize, takers: &[usize]) -> Option<usize> {
    // What takes texts besides those that have to be given.
    let pool: Vec<usize> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(at, meaning)| {
            takers.contains(at)
                || (meaning.kind == Kind::Prose && takes_quotes(meaning) && meaning.parameter.only.is_none())
        })
        .map(|(at, _)| at)
        .collect();
    let pool = crate::assign::texts::tails::without_variants(asked, pool);
    if pool.len() < 2 {
        return None;
    }
    let of = |fits: fn(&Meaning) -> bool| {
        let found: Vec<usize> = pool
            .iter()
            .copied()
            .filter(|parameter| asked.meanings.get(*parameter).is_some_and(fits))
            .collect();
        outermost(asked, &found)
    };
    let title = of(|meaning| meaning.kind == Kind::Title);
    let prose = of(|meaning| meaning.kind == Kind::Prose);
    let before = asked.token(at.checked_sub(1)?)?;
    let naming = [
        "called",
        "named",
        "titled",
        "it",
        "namens",
        "nomme",
        "nommee",
        "intitule",
        "intitulee",
        "llamado",
        "llamada",
        "titulado",
        "titulada",
    ];
    let saying = [
        "saying",
        "says",
        "say",
        "stating",
        "reading",
        "reads",
        "write",
        "writes",
        "reply",
        "replying",
        "post",
        "posting",
        "that",
        "sagt",
        "disant",
        "diciendo",
        "containing",
        "text",
        "content",
        "body",
    ];
    let called = before.is_any(&naming)
        && (!before.is_any(&["it"])
            || asked
                .token(at.checked_sub(2)?)
                .is_some_and(|token| token.is_any(&["call", "name", "title"])));
    if called
        || (before.after == Break::None && asked.is_tool_word(before) && !crate::intent::is_verb(before))
    {
        return title.filter(|_| called || prose.is_some());
    }
    if before.is_any(&["as"]) {
        return match crate::assign::texts::quote_owners::said_as(asked, at) {
            As::Title => title,
            As::Prose => prose.filter(|_| title.is_some()),
            As::Open => None,
        };
    }
    let says = before.is_any(&saying);
    prose.filter(|_| says && title.is_some())
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
    let required = crate::assign::texts::tails::without_variants(asked, fits(true));
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
    let optional = crate::assign::texts::tails::without_variants(asked, fits(false));
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
