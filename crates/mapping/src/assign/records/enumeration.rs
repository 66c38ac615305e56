//! What belongs to one enumeration: `billing, urgent and late`?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::words::{Break, Token};

/// Words that are coordinated become one list.
pub(crate) fn as_list(
    asked: &Asked<'_>,
    parameter: usize,
    read: &[(usize, Value, f32)],
) -> Option<Candidate> {
    // Codes in a row are a list even where one alone could be anything.
    let several = |at: usize| {
        next_item(asked, at).is_some_and(|next| {
            read.iter()
                .any(|(place, _, score)| *place == next && *score >= 0.6)
        })
    };
    let raised;
    let (first, score) = match read.iter().find(|(_, _, score)| *score >= 0.75) {
        Some((first, _, score)) => (first, score),
        None => {
            let (first, _, _) = read
                .iter()
                .find(|(at, _, score)| *score >= 0.6 && asked.is_code(*at) && several(*at))?;
            raised = 0.76;
            (first, &raised)
        }
    };
    let mut values = Vec::new();
    let mut end = *first;
    let mut at = *first;
    loop {
        let known = read
            .iter()
            .find(|(place, _, _)| *place == at)
            .map(|(_, value, _)| value.clone());
        let item = known.or_else(|| {
            let token = asked.token(at)?;
            let goes_with = at > *first
                && !token.is_common()
                && (token.is_coded() || asked.is_unexplained(at) || is_coordinated(asked, at));
            let other = asked
                .hits
                .iter()
                .any(|hit| hit.parameter != parameter && hit.start == at && asked.is_loaded(hit));
            (goes_with && !other && !asked.is_opaque(&token.range))
                .then(|| Value::String(token.text.to_owned()))
        });
        let Some(item) = item.filter(|_| at == *first || !is_something_else(asked, *first, at)) else {
            break;
        };
        values.push(item);
        end = at + 1;
        match next_item(asked, at) {
            Some(next) => at = next,
            None => break,
        }
    }
    let range = asked.bytes(*first, end)?;
    let begun = first
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|before| {
            before.is_any(&["and", "und", "et", "y"])
                && first
                    .checked_sub(2)
                    .is_some_and(|place| asked.is_unexplained(place))
        });
    let score = if begun || is_cut_short(asked, end) {
        score * 0.6
    } else {
        *score
    };
    Some(asked.candidate(parameter, Value::Array(values), range, score))
}

/// Whether the request goes on with another thing to do or a limit where an enumeration could go on:
/// `Physics and include the details`, `billing, 15 max`.
pub(crate) fn is_something_else(asked: &Asked<'_>, first: usize, at: usize) -> bool {
    const OBJECTS: &[&str] = &[
        "the", "a", "an", "it", "them", "all", "its", "my", "our", "only", "die", "der", "das", "den", "le",
        "la", "les", "el", "los", "las",
    ];
    let Some(token) = asked.token(at) else { return true };
    let verb = crate::intent::is_verb(token) || token.is_any(&["include", "exclude", "keep", "skip", "also"]);
    let to_do =
        verb && token.after == Break::None && asked.token(at + 1).is_some_and(|next| next.is_any(OBJECTS));
    let number = |token: &Token<'_>| token.text.chars().all(|c| c.is_ascii_digit());
    let lettered = asked.token(first).is_some_and(|first| !number(first));
    let counts = asked
        .meanings
        .iter()
        .any(|meaning| meaning.is_numeric() && !meaning.parameter.list);
    let counted = |at: usize| asked.token(at).is_some_and(number);
    let goes_on = token.after == Break::None && at + 1 < asked.tokens.len();
    let limit = lettered && number(token) && (token.text.len() < 4 || goes_on);
    let most = token.is_any(&[
        "max", "maximum", "limit", "top", "first", "up", "page", "at", "no",
    ]) && goes_on
        && (at + 1..at + 4).any(counted);
    to_do || (counts && (limit || most))
}

/// Whether an enumeration goes on behind what was read of it, with something that could not be read.
pub(crate) fn is_cut_short(asked: &Asked<'_>, end: usize) -> bool {
    let Some(next) = end.checked_sub(1).and_then(|last| next_item(asked, last)) else {
        return false;
    };
    let joined = next
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "&"]));
    let named = asked
        .hits
        .iter()
        .any(|hit| hit.start == next || hit.start == next + 1);
    let apart = is_something_else(asked, end - 1, next);
    let Some(token) = asked.token(next).filter(|_| joined && !named && !apart) else {
        return false;
    };
    // `and close it` goes on with something else, and so does `and please …`; `and late` may be one more.
    let ends = next + 1 == asked.tokens.len() || token.after > Break::None;
    if crate::intent::is_verb(token) {
        return ends;
    }
    let goes_on = [
        "then", "please", "also", "it", "they", "i", "we", "you", "let", "so", "to", "for", "in", "with",
        "if", "bitte", "dann", "puis", "on", "at", "from",
    ];
    !token.is_any(&goes_on)
}

fn is_coordinated(asked: &Asked<'_>, at: usize) -> bool {
    asked.token(at).is_some_and(|token| token.after != Break::None) || at + 1 == asked.tokens.len()
}

/// The place of the next part of an enumeration: behind a comma, `and`, or both.
pub(crate) fn next_item(asked: &Asked<'_>, at: usize) -> Option<usize> {
    let token = asked.token(at)?;
    let joined = |place: usize| {
        asked.token(place).is_some_and(|token| {
            token.is_any(&["and", "und", "et", "y", "&", "or", "sowie", "e", "adn", "nad"])
        })
    };
    match token.after {
        Break::Stop | Break::Colon => None,
        Break::Comma if joined(at + 1) => asked.token(at + 2).map(|_| at + 2),
        Break::Comma => asked.token(at + 1).map(|_| at + 1),
        Break::None if joined(at + 1) => asked.token(at + 2).map(|_| at + 2),
        Break::None => None,
    }
}
