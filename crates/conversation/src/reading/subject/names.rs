//! Which words of the message are names, and of what?

use super::COMMON;
use super::seen::{Seen, id_kind};
use crate::reading::clause::{Clause, Heard, Kind};
use crate::reading::lexicon::{Class, Classes, Language};
use crate::reading::tokens::Mark;

/// What the people and things are that the message names: `trainer` of "trainer Joao".
pub fn titles(heard: &Heard<'_>, seen: &Seen) -> Vec<String> {
    let mut titles = Vec::new();
    for clause in heard.content() {
        for at in clause.core..clause.end {
            if !is_other_name(heard, clause, at, seen) {
                continue;
            }
            match at.checked_sub(1).filter(|&before| before >= clause.core) {
                Some(before) if heard.tokens[before].is_capital() => {}
                Some(before) => titles.push(heard.tokens[before].folded.clone()),
                None => titles.push(String::new()),
            }
        }
    }
    titles
}

/// Whether the message names a thing of its own: an id, an address or a name.
pub fn names_something(heard: &Heard<'_>, clause: &Clause) -> bool {
    (clause.core..clause.end).any(|at| {
        let token = &heard.tokens[at];
        id_kind(&token.folded).is_some() || token.written.contains('@') || is_name(heard, clause, at)
    })
}

pub(super) fn is_other_name(heard: &Heard<'_>, clause: &Clause, at: usize, seen: &Seen) -> bool {
    is_name(heard, clause, at)
        && !seen.words.is_empty()
        && seen.last(&plain(&heard.tokens[at].folded)).is_none()
        && seen.last(&heard.tokens[at].folded).is_none()
}

/// Without the `s` of a possessive, which folding leaves behind.
pub(super) fn plain(folded: &str) -> String {
    folded.strip_suffix('s').unwrap_or(folded).to_owned()
}

/// A capitalised word where a record or a person would be named.
pub(super) fn is_name(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let token = &heard.tokens[at];
    let letters = token.written.chars().filter(|c| c.is_alphabetic()).count();
    if is_full_name(heard, clause, at) {
        return true;
    }
    let shouted = token.written.chars().filter(|c| c.is_uppercase()).count() == letters && letters < 6;
    if !token.is_capital() || letters < 3 || shouted || token.is_data() || token.classes().meets(COMMON) {
        return false;
    }
    let before = (at > clause.start).then(|| &heard.tokens[at - 1]);
    let Some(before) = before else {
        // The first word of a sentence is capitalised anyway, unless two follow each other.
        let next = heard.tokens.get(at + 1).filter(|_| at + 1 < clause.end);
        return next
            .is_some_and(|next| next.is_capital() && !next.is_data() && !heard.language.has_capital_nouns());
    };
    if before.classes().has(Class::Title) {
        return true;
    }
    let ties = Classes::of(&[
        Class::About,
        Class::Verb,
        Class::Look,
        Class::Switch,
        Class::Join,
        Class::Title,
    ]);
    if heard.language.has_capital_nouns() {
        return before.is_capital() && before.classes().is_empty();
    }
    // Where nobody orders anything, a capital in the middle of a sentence is a name and no value to put in.
    let reads = matches!(
        clause.kind,
        Kind::Ask | Kind::Look | Kind::Fragment | Kind::Repeat
    );
    let place = matches!(
        before.folded.as_str(),
        "to" | "at" | "in" | "into" | "as" | "a" | "an" | "i"
    );
    if !reads && before.folded == "on" {
        return false;
    }
    before.classes().meets(ties)
        || at == clause.core
        || reads && !place && !before.is_capital() && !before.is_data() && heard.language == Language::English
}

/// "Per Lund": two capitals in a row, whatever else the words mean.
fn is_full_name(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let is_part = |at: usize| {
        let token = &heard.tokens[at];
        let letters = token.written.chars().filter(|c| c.is_alphabetic()).count();
        let small = token.written.chars().skip(1).any(char::is_lowercase);
        token.is_capital() && small && letters >= 3 && !token.is_data()
    };
    if heard.language.has_capital_nouns()
        || at == clause.start
        || !is_part(at)
        || heard.tokens[at - 1].is_data()
    {
        return false;
    }
    let common = |at: usize| heard.tokens[at].classes().meets(COMMON);
    let next =
        at + 1 < clause.end && heard.tokens[at].mark == Mark::None && is_part(at + 1) && !common(at + 1);
    let tie = heard.tokens[at - 1].folded.as_str();
    next && !matches!(tie, "to" | "at" | "in" | "into" | "as" | "on")
}

/// "die Eltern von Ben": where every noun has a capital, one that no list knows may be a name.
pub(super) fn is_unknown_noun(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let token = &heard.tokens[at];
    heard.language.has_capital_nouns()
        && token.is_capital()
        && token.classes().is_empty()
        && at > clause.core
        && heard.tokens[at - 1].classes().has(Class::About)
}
