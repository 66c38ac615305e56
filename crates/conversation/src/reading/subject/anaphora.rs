//! Which words of the message stand for, or point at, something said before?

use super::names::{is_name, is_unknown_noun};
use super::seen::id_kind;
use crate::reading::clause::{Clause, Heard, Kind};
use crate::reading::lexicon::{Class, Classes, Language};
use crate::reading::tokens::Mark;

/// The first word of the message that stands for something said before; what the message itself names first does not.
pub fn first_anaphor(heard: &Heard<'_>) -> Option<usize> {
    for clause in heard.content() {
        for at in clause.core..clause.end {
            let token = &heard.tokens[at];
            if is_anaphor(heard, clause, at) {
                return Some(at);
            }
            let is_named = id_kind(&token.folded).is_some()
                || token.written.contains('@')
                || is_name(heard, clause, at)
                || is_unknown_noun(heard, clause, at);
            if is_named && clause.kind != Kind::Side {
                return None;
            }
        }
    }
    None
}

pub(super) fn is_anaphor(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let token = &heard.tokens[at];
    if !token.classes().has(Class::Pronoun) || token.is_data() {
        return false;
    }
    let next = (at + 1 < clause.end).then(|| &heard.tokens[at + 1]);
    let follows = |class| next.is_some_and(|next| next.classes().has(class));
    match token.folded.as_str() {
        // "text both that we call", "there is no table", "one of the invoices".
        "that" => !follows(Class::Subject),
        "there" => false,
        "er" => heard.language != Language::Dutch,
        "one" | "ones" | "same" | "such" | "former" | "both" => next.is_none(),
        "this" => !follows(Class::Time),
        // Articles in these languages: they stand for something when no noun follows.
        "die" | "der" | "das" | "den" | "la" | "le" | "les" | "los" | "las" | "lo" | "li" | "gli" | "da"
        | "en" | "y" | "zijn" | "to" | "ci" | "ne" => next.is_none_or(|next| {
            next.classes()
                .meets(Classes::of(&[Class::Verb, Class::Please, Class::Finite]))
        }),
        _ => true,
    }
}

/// "her kid's elephant": says whose, not which.
pub(super) fn is_possessive(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let next = (at + 1 < clause.end).then(|| &heard.tokens[at + 1]);
    matches!(heard.tokens[at].folded.as_str(), "her" | "his" | "their" | "its")
        && next.is_some_and(|next| !next.classes().has(Class::Function))
}

/// Whether the message speaks of a thing, and no person, that was spoken of before.
pub fn points_at_thing(heard: &Heard<'_>) -> bool {
    heard.language == Language::English
        && heard.content().any(|clause| {
            (clause.core..clause.end).any(|at| {
                let thing = matches!(heard.tokens[at].folded.as_str(), "it" | "this" | "that");
                thing && is_anaphor(heard, clause, at)
            })
        })
}

/// The nouns that the message points at: `scene` of "put him on that scene".
pub fn pointed(heard: &Heard<'_>) -> Vec<String> {
    const POINTS: [&str; 22] = [
        "that", "this", "these", "those", "same", "said", "dieser", "diese", "dieses", "diesen", "diesem",
        "ese", "esa", "este", "esta", "ce", "cet", "cette", "questo", "questa", "deze", "dit",
    ];
    let tokens = &heard.tokens;
    (1..tokens.len())
        .filter(|&at| tokens[at - 1].mark == Mark::None && POINTS.contains(&tokens[at - 1].folded.as_str()))
        .filter(|&at| !tokens[at].classes().has(Class::Function))
        .map(|at| tokens[at].folded.clone())
        .collect()
}

/// The nouns that the message takes for known: `ticket` of "close the ticket", not of "the ticket of Ben".
pub fn definite(heard: &Heard<'_>) -> Vec<String> {
    const KNOWN: [&str; 7] = ["the", "his", "her", "their", "its", "my", "our"];
    let tokens = &heard.tokens;
    let is_tied = |at: usize| {
        let next = tokens.get(at + 1).filter(|_| tokens[at].mark == Mark::None);
        next.is_some_and(|next| {
            matches!(
                next.folded.as_str(),
                "of" | "for" | "from" | "in" | "on" | "with" | "about"
            )
        })
    };
    (1..tokens.len())
        .filter(|&at| KNOWN.contains(&tokens[at - 1].folded.as_str()) && !is_tied(at))
        .map(|at| tokens[at].folded.clone())
        .collect()
}
