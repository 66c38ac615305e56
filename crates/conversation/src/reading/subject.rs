//! Does the message talk about something else than the history did?

use std::collections::{HashMap, HashSet};

use handpick_domain::Message;
use handpick_selection::words::fold;

use super::clause::{Clause, Heard, Kind};
use super::lexicon::{Class, Classes, Language};
use super::tokens::{self, Token};

/// Words that name nobody, capital or not.
const COMMON: Classes = Classes::of(&[
    Class::Function,
    Class::Time,
    Class::Subject,
    Class::Verb,
    Class::Title,
    Class::Wh,
]);

/// The words of a conversation, with the number of the last message each of them stands in.
#[derive(Debug, Default)]
pub struct Seen {
    words: HashMap<String, usize>,
    /// The kinds of ids, `inv` of `INV-7`, with the last id of each.
    kinds: HashMap<String, String>,
    /// Words that were spelled with a capital where others are not.
    names: HashSet<String>,
}

impl Seen {
    /// Takes in a message with its calls and their results.
    pub fn add(&mut self, number: usize, message: &Message) {
        self.add_text(number, &message.content);
        for call in &message.tool_calls {
            for value in call.arguments.values() {
                match value.as_str() {
                    Some(text) => self.add_text(number, text),
                    None => self.add_text(number, &value.to_string()),
                }
            }
            if let Some(result) = &call.result {
                self.add_text(number, result);
            }
        }
    }

    /// The last message a word stands in.
    pub fn last(&self, word: &str) -> Option<usize> {
        self.words.get(word).copied()
    }

    fn add_text(&mut self, number: usize, text: &str) {
        let mut begins = true;
        let ends = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '#'));
        for word in tokens::truncate(text).split(ends).filter(|word| !word.is_empty()) {
            let is_capital = word.chars().next().is_some_and(char::is_uppercase);
            let word = fold(word).into_owned();
            if let Some(kind) = id_kind(&word) {
                self.kinds.insert(kind.to_owned(), word.clone());
            }
            if is_capital && !begins {
                self.names.insert(word.clone());
            }
            begins = false;
            for part in word.split('-').filter(|part| part.len() < word.len()) {
                self.words.insert(part.to_owned(), number);
            }
            self.words.insert(word, number);
        }
    }
}

/// The kind of record an id is of: the letters before its separator, `inv` of `inv-2291`.
pub fn id_kind(folded: &str) -> Option<&str> {
    let (kind, rest) = folded.split_once(['-', '_', '#'])?;
    let has_digit = rest.bytes().any(|byte| byte.is_ascii_digit());
    (has_digit && !kind.is_empty() && kind.chars().all(char::is_alphabetic)).then_some(kind)
}

/// Whether the message names a record or a person other than those at hand. `exchange` is the number of the first
/// message of the last exchange.
pub fn names_another(heard: &Heard<'_>, seen: &Seen, exchange: usize) -> bool {
    heard.content().any(|clause| {
        (clause.core..clause.end).any(|at| {
            let token = &heard.tokens[at];
            is_other_id(token, seen, exchange) || is_other_name(heard, clause, at, seen)
        })
    })
}

/// "and massive dynamic gets a mail": goes on with a name that was spoken of before the last exchange.
pub fn returns_to_name(heard: &Heard<'_>, seen: &Seen, exchange: usize) -> bool {
    heard.content().next().is_some_and(|clause| {
        let token = &heard.tokens[clause.core];
        let set_apart =
            clause.lead.has(Class::Join) || clause.kind == Kind::Fragment && clause.end - clause.core <= 2;
        set_apart
            && !token.classes().meets(COMMON)
            && [token.folded.clone(), plain(&token.folded)]
                .iter()
                .any(|name| seen.names.contains(name) && seen.last(name).is_some_and(|last| last < exchange))
    })
}

/// Whether the message names a thing of its own: an id, an address or a name.
pub fn names_something(heard: &Heard<'_>, clause: &Clause) -> bool {
    (clause.core..clause.end).any(|at| {
        let token = &heard.tokens[at];
        id_kind(&token.folded).is_some() || token.written.contains('@') || is_name(heard, clause, at)
    })
}

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

fn is_anaphor(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
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

fn is_other_id(token: &Token<'_>, seen: &Seen, exchange: usize) -> bool {
    let Some(kind) = id_kind(&token.folded) else {
        return false;
    };
    let latest = seen.kinds.get(kind);
    latest.is_some_and(|latest| *latest != token.folded)
        && seen.last(&token.folded).is_none_or(|last| last < exchange)
}

fn is_other_name(heard: &Heard<'_>, clause: &Clause, at: usize, seen: &Seen) -> bool {
    is_name(heard, clause, at)
        && !seen.words.is_empty()
        && seen.last(&plain(&heard.tokens[at].folded)).is_none()
        && seen.last(&heard.tokens[at].folded).is_none()
}

/// Without the `s` of a possessive, which folding leaves behind.
fn plain(folded: &str) -> String {
    folded.strip_suffix('s').unwrap_or(folded).to_owned()
}

/// A capitalised word where a record or a person would be named.
fn is_name(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let token = &heard.tokens[at];
    let letters = token.written.chars().filter(|c| c.is_alphabetic()).count();
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
    before.classes().meets(ties) || at == clause.core
}

/// "die Eltern von Ben": where every noun has a capital, one that no list knows may be a name.
fn is_unknown_noun(heard: &Heard<'_>, clause: &Clause, at: usize) -> bool {
    let token = &heard.tokens[at];
    heard.language.has_capital_nouns()
        && token.is_capital()
        && token.classes().is_empty()
        && at > clause.core
        && heard.tokens[at - 1].classes().has(Class::About)
}
