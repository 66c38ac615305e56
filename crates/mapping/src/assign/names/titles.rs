//! What is something called, where no quotation marks say where it ends?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, LINKS};
use crate::assign::texts::tails::is_weak;
use crate::kind::Kind;
use crate::span::What;
use crate::words::Break;

/// `a board named Offsite 2027, without lists`: what stands behind `named`, up to what goes on.
pub(crate) fn titles(asked: &Asked<'_>) -> Vec<Candidate> {
    const NAMING: &[&str] = &[
        "named",
        "called",
        "titled",
        "namens",
        "nomme",
        "nommee",
        "llamado",
        "llamada",
        "titulado",
        "titulada",
        "intitule",
        "intitulee",
        "title",
        "titel",
        "titre",
        "titulo",
        "genannt",
        "subject",
        "betreff",
    ];
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let takes = meaning.kind == Kind::Title
            || (meaning.kind == Kind::Slug && meaning.thing.as_deref() == Some("name"));
        if !takes || meaning.parameter.list {
            continue;
        }
        for hit in asked.hits_of(parameter) {
            let Some(last) = asked.token(hit.end.saturating_sub(1)) else {
                continue;
            };
            let Some((start, skipped)) = asked.value_start(hit) else {
                continue;
            };
            if !last.is_any(NAMING) || skipped > 1 || asked.quoted_at(start).is_some() {
                continue;
            }
            let end = title_end(asked, start, parameter);
            let words = asked.slice(start, end);
            if let Some(range) = asked.bytes(start, end).filter(|range| !asked.is_opaque(range)) {
                let sure = if end - start <= 4 { 0.88 } else { 0.8 };
                candidates.push(asked.candidate(
                    parameter,
                    Value::String(words.to_owned()),
                    range,
                    sure * hit.weight.max(0.9),
                ));
            }
        }
        if !is_beside_new_name(asked, parameter) {
            candidates.extend(renamed(asked, parameter));
        }
        candidates.extend(set_to(asked, parameter));
    }
    candidates
}

/// `change the name of task 120077 to Print banners`: the new name behind the last link.
fn set_to(asked: &Asked<'_>, parameter: usize) -> Option<Candidate> {
    let is = |at: usize, words: &[&str]| {
        asked
            .token(at)
            .is_some_and(|token| token.is_any(words) && !asked.is_opaque(&token.range))
    };
    let setting = [
        "set", "change", "update", "edit", "setze", "andere", "cambia", "changez",
    ];
    let hit = asked.hits_of(parameter).find(|hit| {
        let article = hit
            .start
            .checked_sub(1)
            .is_some_and(|at| is(at, &["the", "its", "den", "le", "el", "der"]));
        hit.weight > 0.78
            && hit
                .start
                .checked_sub(1 + usize::from(article))
                .is_some_and(|at| is(at, &setting))
    })?;
    let link = (hit.end..asked.tokens.len()).find(|at| is(*at, &["to", "auf", "a"]))?;
    let start = link + 1;
    let unbroken = (hit.end..=start).all(|at| asked.break_before(at) == Break::None);
    if !unbroken || asked.quoted_at(start).is_some() || asked.token(start).is_none() {
        return None;
    }
    let end = title_end(asked, start, parameter);
    let range = asked.bytes(start, end).filter(|range| !asked.is_opaque(range))?;
    Some(asked.candidate(
        parameter,
        Value::String(asked.slice(start, end).to_owned()),
        range,
        0.9,
    ))
}

/// Whether another parameter is plainly the new name: beside `new_name`, no `name` and no `new_namespace_name` takes it.
fn is_beside_new_name(asked: &Asked<'_>, parameter: usize) -> bool {
    asked.meanings.iter().enumerate().any(|(other, meaning)| {
        let words = crate::words::name_words(meaning.parameter.name());
        other != parameter && (words == ["new", "name"] || words == ["new", "title"])
    })
}

/// `rename X to Budget 2027`: the new name behind the second link.
fn renamed(asked: &Asked<'_>, parameter: usize) -> Option<Candidate> {
    const RENAMING: &[&str] = &[
        "rename",
        "retitle",
        "renomme",
        "renommer",
        "renombra",
        "renombrar",
        "umbenennen",
        "benenne",
        "nenne",
    ];
    let verb = asked
        .tokens
        .iter()
        .position(|token| token.is_any(RENAMING) && !asked.is_opaque(&token.range))?;
    let last = |links: &[&str]| {
        (verb + 1..asked.tokens.len()).rev().find(|at| {
            asked
                .token(*at)
                .is_some_and(|token| token.is_any(links) && !asked.is_opaque(&token.range))
        })
    };
    // `rename X to Z in Y`: in English, only `to` leads to the new name.
    let english = asked
        .token(verb)
        .is_some_and(|token| token.is_any(&["rename", "retitle"]));
    let link = last(&["to"]).or_else(|| last(&["in", "en", "a", "zu"]).filter(|_| !english))?;
    let start = link + 1;
    if let Some((span, text)) = asked.quoted_at(start) {
        return Some(asked.candidate(
            parameter,
            Value::String(text.to_owned()),
            span.range.clone(),
            0.95,
        ));
    }
    let end = title_end(asked, start, parameter);
    let range = asked.bytes(start, end)?;
    Some(asked.candidate(
        parameter,
        Value::String(asked.slice(start, end).to_owned()),
        range,
        0.92,
    ))
}

/// Behind the last word of an unquoted title.
pub(crate) fn title_end(asked: &Asked<'_>, start: usize, parameter: usize) -> usize {
    let mut at = start + 1;
    while at < asked.tokens.len() {
        let Some(token) = asked.token(at) else { break };
        let broken = asked.break_before(at) >= Break::Comma;
        if broken || asked.is_opaque(&token.range) || goes_on(asked, at, parameter) {
            return at;
        }
        at += 1;
    }
    // `Leg eine Aufgabe namens Budget an`: the verb's own end.
    let particle = asked
        .tokens
        .last()
        .is_some_and(|token| token.is_any(&["an", "hinzu", "ein", "auf", "aus", "neu"]));
    let german = asked
        .tokens
        .iter()
        .any(|token| token.is_any(&["eine", "einen", "ein", "der", "die", "das", "namens", "bitte"]));
    let end = asked.tokens.len();
    if particle && german && end > start + 1 {
        end - 1
    } else {
        end
    }
}

/// Whether the request goes on with something else than the title it is in.
pub(crate) fn goes_on(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let Some(token) = asked.token(at) else { return true };
    if token.is_any(&["please", "pls", "bitte"]) {
        return true;
    }
    if asked.hits.iter().any(|hit| {
        hit.start == at && hit.parameter != parameter && asked.is_loaded(hit) && !is_weak(asked, hit)
    }) {
        return true;
    }
    if token.is_any(&["saying", "stating"]) || leads_to_quote(asked, at) {
        return true;
    }
    // A reader of times takes the link in front with it: `on Thursday from 10:00`.
    let timed_here = !is_timeless(asked, parameter) && asked.spans_at(at).any(|span| is_time(&span.what));
    if timed_here {
        return true;
    }
    if crate::assign::names::title_ends::begins_other(asked, at, parameter) {
        return true;
    }
    if !LINKS.contains(&token.fold.as_str()) {
        return false;
    }
    let after_article = asked.token(at + 1).is_some_and(|next| {
        next.is_any(&[
            "the", "a", "an", "my", "our", "der", "die", "das", "dem", "den", "le", "la", "el", "its", "her",
            "his", "their", "your",
        ])
    });
    let next = if after_article { at + 2 } else { at + 1 };
    let Some(follows) = asked.token(next) else {
        return false;
    };
    let names = asked.hits.iter().any(|hit| {
        (hit.start == next || (after_article && hit.start == next + 1)) && hit.parameter != parameter
    });
    let timed = asked.spans_at(next).any(|span| {
        (is_time(&span.what) && !is_timeless(asked, parameter))
            || matches!(
                span.what,
                What::Email(_) | What::Handle(..) | What::Money(..) | What::Id(_)
            )
    });
    names || timed || asked.is_tool_word(follows)
}

/// `Trip notes containing "…"`: the word that leads to a quotation.
fn leads_to_quote(asked: &Asked<'_>, at: usize) -> bool {
    let leads = asked.token(at).is_some_and(|token| {
        token.is_any(&[
            "containing",
            "reading",
            "with",
            "and",
            "as",
            "described",
            "noting",
            "mit",
            "avec",
            "con",
        ])
    });
    leads && asked.quoted_at(at + 1).is_some()
}

/// Whether a title may hold a day or a time, since the tool takes none: `Lunch on Friday`.
fn is_timeless(asked: &Asked<'_>, parameter: usize) -> bool {
    let title = asked
        .meanings
        .get(parameter)
        .is_some_and(|meaning| meaning.kind == Kind::Title);
    title
        && !asked.meanings.iter().any(|meaning| {
            let name = meaning.parameter.name().to_lowercase();
            matches!(
                meaning.kind,
                Kind::Date | Kind::Moment(_) | Kind::Time | Kind::Length(_)
            ) || [
                "date", "time", "day", "due", "when", "schedule", "start", "deadline",
            ]
            .iter()
            .any(|word| name.contains(word))
        })
}

fn is_time(what: &What) -> bool {
    matches!(
        what,
        What::Date(_) | What::Time(_) | What::Moment(_) | What::Duration(_) | What::Days(..)
    )
}
