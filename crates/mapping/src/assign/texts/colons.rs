//! Whose is a text behind a colon that no parameter's name stands in front of?

use crate::assign::asked::{Asked, Hit};
use crate::assign::names::titles::title_end;
use crate::assign::texts::tails::{Marked, is_reference, lone_prose, tail_end};
use crate::kind::Kind;
use crate::words::Break;

/// `Reply in that thread: on my way`: a colon, and one parameter that takes prose.
pub(crate) fn behind_bare_colon(asked: &Asked<'_>, marked: &[Marked]) -> Option<Marked> {
    let parameter = lone_title(asked)
        .or_else(|| lone_prose(asked, marked))
        .or_else(|| crate::assign::texts::queries::lone_query(asked))
        .or_else(|| lone_list(asked))?;
    let closed = |at: usize| {
        marked
            .iter()
            .any(|text| (text.start.saturating_sub(1)..text.end).contains(&at))
    };
    let at = (1..asked.tokens.len()).find(|at| {
        asked.token(*at).is_some_and(|token| {
            token.after == Break::Colon
                && (!asked.is_opaque(&token.range) || is_quote_end(asked, token.range.end))
                && !closed(*at)
                && *at + 1 < asked.tokens.len()
        })
    })?;
    let start = at + 1;
    let named = asked.hits.iter().any(|hit| {
        hit.end == start
            && hit.parameter != parameter
            && asked.break_before(start) == Break::Colon
            && !is_reference(asked, hit.parameter)
            && !is_chosen_before(asked, hit)
    });
    let goes_on = asked
        .hits
        .iter()
        .any(|hit| hit.start == start && hit.parameter != parameter && asked.is_loaded(hit));
    // `Fresh start: I'd like …` asks behind the colon, not before it.
    let asked_before = asked.tokens.get(..=at).unwrap_or_default().iter().any(|token| {
        asked.is_tool_word(token) || token.is_any(&["this", "that", "it", "tell"]) || token.is_coded()
    }) || asked
        .tokens
        .iter()
        .find(|token| !crate::lexicon::COURTESIES.contains(&token.fold.as_str()))
        .is_some_and(crate::intent::is_verb);
    let named = named || !asked_before;
    if named || goes_on || asked.quoted_at(start).is_some() {
        return None;
    }
    let meaning = asked.meanings.get(parameter)?;
    let required = meaning.is_required();
    let end = if meaning.kind == Kind::Query {
        crate::assign::texts::query_ends::phrase_end(asked, start, parameter)
    } else if meaning.kind == Kind::Title {
        title_end(asked, start, parameter)
    } else {
        tail_end(asked, start, parameter)
    };
    // `…: rename the table` asks for something behind the colon.
    let first = asked.token(start)?;
    let asks = meaning.kind == Kind::Title && !first.is_capitalised() && crate::intent::is_verb(first);
    if asks || (!required && is_values(asked, start, end)) {
        return None;
    }
    // `answers: 5, 3, 4` are numbers and no text.
    let told = asked
        .tokens
        .get(start..end)
        .unwrap_or_default()
        .iter()
        .any(|token| token.text.chars().any(char::is_alphabetic));
    told.then_some(Marked {
        parameter,
        start,
        end,
        score: if required { 0.9 } else { 0.75 },
        with_stop: true,
    })
}

/// `in the support space:` names the space before the colon.
fn is_chosen_before(asked: &Asked<'_>, hit: &Hit) -> bool {
    hit.start
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .zip(asked.meanings.get(hit.parameter))
        .is_some_and(|(before, meaning)| crate::assign::choices::spelled(meaning, before).is_some())
}

/// `new card in list 12: Order cups`: what something new is called, where it needs a title and no text.
fn lone_title(asked: &Asked<'_>) -> Option<usize> {
    let needs_text = asked
        .meanings
        .iter()
        .any(|meaning| meaning.kind == Kind::Prose && meaning.is_required());
    let quoted = asked
        .spans
        .iter()
        .any(|span| matches!(span.what, crate::span::What::Quoted(_)));
    let mut found = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.kind == Kind::Title && meaning.is_required());
    let (Some((at, _)), None) = (found.next(), found.next()) else {
        return None;
    };
    let called = asked.hits_of(at).any(|hit| {
        asked.token(hit.end.saturating_sub(1)).is_some_and(|token| {
            token.is_any(&[
                "called", "named", "titled", "title", "name", "namens", "nomme", "llamado",
            ])
        })
    });
    (!asked.reads && !needs_text && !quoted && !called).then_some(at)
}

/// `: 5 December 2026`, `: python3.13, pip, arm64`: values that are told, and no sentence of anybody's.
fn is_values(asked: &Asked<'_>, start: usize, end: usize) -> bool {
    let Some(range) = asked.bytes(start, end) else {
        return true;
    };
    let one = asked.spans_at(start).any(|span| {
        span.range.end >= range.end
            && !matches!(
                span.what,
                crate::span::What::Name(_) | crate::span::What::Quoted(_)
            )
    });
    let words = asked.tokens.get(start..end).unwrap_or_default();
    let listed = words
        .iter()
        .rev()
        .skip(1)
        .any(|token| token.after == Break::Comma);
    one || (listed && !words.iter().any(crate::words::Token::is_common))
}

/// `called "Returns": …`: the colon stands behind a quotation and not in it.
fn is_quote_end(asked: &Asked<'_>, at: usize) -> bool {
    asked
        .opaque
        .iter()
        .find(|closed| closed.start < at && at <= closed.end)
        .and_then(|closed| asked.text.get(closed.end..))
        .is_some_and(|rest| rest.starts_with(':'))
}

/// The one required list of free texts.
fn lone_list(asked: &Asked<'_>) -> Option<usize> {
    let mut found = asked.meanings.iter().enumerate().filter(|(_, meaning)| {
        let shape = &meaning.parameter.shape;
        meaning.is_required()
            && meaning.parameter.list
            && shape.string
            && shape.choices.is_empty()
            && (meaning.kind.is_text() || meaning.kind == Kind::Slug)
    });
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}
