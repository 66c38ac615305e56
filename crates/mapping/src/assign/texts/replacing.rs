//! What is to be found, and what takes its place: `replace A with B`, `swap A for B`, `change A to B`?

use std::ops::Range;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::span::What;
use crate::words::{Break, squeezed};

/// Parameters that hold what is found, without signs.
const OLD: &str = "find findtext findwhat oldtext oldstring oldstr searchtext search searchstring texttofind old original oldvalue oldcontent searchfor searchterm";
/// Parameters that hold what takes its place.
const NEW: &str = "replace replacetext replacement replacementtext newtext newstring newstr replacewith new newvalue newcontent replacestring with";

/// Verbs of replacing, each with the words that lead to the new text.
const VERBS: &[(&str, &str)] = &[
    (
        "replace replaces replacing substitute ersetze ersetz ersetzen remplace remplacer reemplaza sustituye",
        "with by durch par por",
    ),
    ("swap exchange tausche austauschen", "for with gegen"),
    ("change turn convert andere cambia correct fix", "to into in en a"),
];

/// The texts of a replacement.
pub(crate) fn replaced(asked: &Asked<'_>) -> Vec<Candidate> {
    let named = |names: &str| {
        let mut found = asked.meanings.iter().enumerate().filter(|(_, meaning)| {
            let shape = &meaning.parameter.shape;
            let name = squeezed(meaning.parameter.name());
            shape.string
                && shape.choices.is_empty()
                && !meaning.parameter.list
                && names.split(' ').any(|known| known == name)
        });
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Some(at),
            _ => None,
        }
    };
    let (Some(old), Some(new)) = (named(OLD), named(NEW)) else {
        return Vec::new();
    };
    let Some((first, second)) = quoted_pair(asked).or_else(|| spoken_pair(asked, new)) else {
        return Vec::new();
    };
    let text = |(range, words): &(Range<usize>, String)| (range.clone(), Value::String(words.clone()));
    let ((old_range, old_text), (new_range, new_text)) = (text(&first), text(&second));
    vec![
        asked.candidate(old, old_text, old_range, 0.95),
        asked.candidate(new, new_text, new_range, 0.95),
    ]
}

type Piece = (Range<usize>, String);

/// Two quoted texts with a link of replacing between.
fn quoted_pair(asked: &Asked<'_>) -> Option<(Piece, Piece)> {
    let quotes: Vec<Piece> = asked
        .spans
        .iter()
        .filter_map(|span| match &span.what {
            What::Quoted(text) => Some((span.range.clone(), text.clone())),
            _ => None,
        })
        .collect();
    let [first, second] = quotes.as_slice() else {
        return None;
    };
    let link = asked.token(asked.at_byte(second.0.start).checked_sub(1)?)?;
    let between = asked.text.get(first.0.end..second.0.start)?.trim();
    let (_, links) = verb(asked)
        .map(|(_, row)| row)
        .unwrap_or(("", "with by durch par por"));
    let linked = links.split(' ').any(|word| word == link.fold) || matches!(between, "->" | "→" | "=>");
    linked.then(|| (first.clone(), second.clone()))
}

/// The verb of replacing that a request is led by.
fn verb(asked: &Asked<'_>) -> Option<(usize, (&'static str, &'static str))> {
    asked.tokens.iter().enumerate().find_map(|(at, token)| {
        let row = VERBS
            .iter()
            .find(|(verbs, _)| verbs.split(' ').any(|verb| verb == token.fold))?;
        (!asked.is_opaque(&token.range)).then_some((at, *row))
    })
}

/// `replace Q3 with Q4 in the report`: short texts without quotation marks.
fn spoken_pair(asked: &Asked<'_>, parameter: usize) -> Option<(Piece, Piece)> {
    let (at, (_, links)) = verb(asked)?;
    let is = |place: usize, words: &str| {
        asked
            .token(place)
            .is_some_and(|token| words.split(' ').any(|word| word == token.fold))
    };
    let mut start = at + 1;
    while is(
        start,
        "every all each any the word words text phrase string occurrence occurrences of instance instances jedes alle das wort",
    ) {
        start += 1;
    }
    let link = (start + 1..asked.tokens.len().min(start + 8)).find(|place| is(*place, links))?;
    let broken = (start + 1..=link + 1).any(|place| asked.break_before(place) >= Break::Comma);
    let begin = link + 1 + usize::from(is(link + 1, "the") && is(link + 2, "word text phrase string")) * 2;
    asked.token(begin)?;
    let end = (begin + 1..asked.tokens.len())
        .find(|place| {
            asked.break_before(*place) >= Break::Comma
                || is(
                    *place,
                    "in throughout across inside within everywhere on of please im dans en bitte",
                )
                || crate::assign::names::titles::goes_on(asked, *place, parameter)
        })
        .unwrap_or(asked.tokens.len());
    let again = (link + 1..end).any(|place| is(place, links));
    let piece = |from: usize, to: usize| {
        let range = asked.bytes(from, to).filter(|range| !asked.is_opaque(range))?;
        Some((range, asked.slice(from, to).to_owned()))
    };
    // `change the title to …` names a parameter and no text.
    let named = asked
        .hits
        .iter()
        .any(|hit| (start..link).contains(&hit.start) && hit.weight > 0.78);
    if broken || again || named || end - begin > 8 {
        return None;
    }
    Some((piece(start, link)?, piece(begin, end)?))
}
