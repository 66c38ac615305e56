//! What did the assistant ask last, and what would a yes mean?

use handpick_domain::{Message, Role};

use super::clause::{self, Kind};
use super::lexicon::{Class, Classes, Language};
use super::tokens;

/// What the assistant's last message asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Nothing.
    Nothing,
    /// For the next request: "anything else?"
    Closing,
    /// Whether to look something up or tell something.
    OfferToTell,
    /// Whether to do something.
    OfferToDo,
    /// Which one, when, what exactly.
    Which,
}

/// The question a message may answer.
#[derive(Clone, Copy, Debug)]
pub struct Pending<'h> {
    /// What it asks.
    pub asked: Asked,
    /// The question itself; empty when there is none.
    pub text: &'h str,
    /// All that the assistant said last; empty when it was not the last to speak.
    pub said: &'h str,
}

impl Pending<'_> {
    /// Whether the assistant waits for an answer.
    pub fn is_open(&self) -> bool {
        !matches!(self.asked, Asked::Nothing | Asked::Closing)
    }

    /// Whether a yes means: do so.
    pub fn is_offer(&self) -> bool {
        matches!(self.asked, Asked::OfferToDo | Asked::OfferToTell)
    }
}

/// Reads the last message of the history when it is the assistant's.
pub fn pending(history: &[Message], language: Option<Language>) -> Pending<'_> {
    let said = match history.last() {
        Some(message) if message.role == Role::Assistant => tail(&message.content),
        _ => "",
    };
    let Some(text) = last_question(said) else {
        return Pending {
            asked: Asked::Nothing,
            text: "",
            said,
        };
    };
    Pending {
        asked: asked(text, language),
        text,
        said,
    }
}

/// The end of a text, where questions stand.
fn tail(text: &str) -> &str {
    let from = text.len().saturating_sub(tokens::MESSAGE_BYTES_MAX);
    text[text.ceil_char_boundary(from)..].trim()
}

/// The last sentence when it asks, or the one before it when that does.
fn last_question(said: &str) -> Option<&str> {
    const AFTER_BYTES_MAX: usize = 80;
    let mark = said.rfind(['?', '？'])?;
    if said.len() - mark > AFTER_BYTES_MAX {
        return None;
    }
    let before = said[..mark].trim_end_matches(['?', '？']);
    let mut start = 0;
    for (index, c) in before.char_indices() {
        let after = &before[index + c.len_utf8()..];
        let ends = matches!(c, '。' | '？' | '！' | '\n' | '¿')
            || matches!(c, '.' | '!' | '?' | ':' | ';') && after.starts_with(char::is_whitespace);
        if ends {
            start = index + c.len_utf8();
        }
    }
    Some(said[start..mark].trim_matches(['?', '？', '¿', ' ', '\n']))
}

fn asked(text: &str, language: Option<Language>) -> Asked {
    const BEGINS: Classes = Classes::of(&[Class::Offer, Class::Which, Class::Closing]);
    let heard = clause::hear(text, language);
    let starts = |class| {
        let class = Classes::of(&[class]);
        heard.clauses.iter().any(|clause| {
            (clause.start..=clause.core).any(|at| heard.tokens[at].longest(class) > 0 && at < clause.end)
        })
    };
    let first = heard.clauses.first().map_or(0, |clause| clause.core);
    if starts(Class::Closing) {
        return Asked::Closing;
    }
    let Some(token) = heard.tokens.get(first) else {
        return Asked::Which;
    };
    let length = token.longest(BEGINS);
    let begins = token.phrase(length);
    let which = Classes::of(&[Class::Which]);
    if begins.has(Class::Which) && token.longest(Classes::of(&[Class::Offer])) < token.longest(which) {
        return Asked::Which;
    }
    if begins.has(Class::Offer) || heard.language.is_unspaced() && heard.contains(Class::Offer) {
        return offered(&heard, first + length);
    }
    match heard.content().next().map(|clause| clause.kind) {
        Some(Kind::Order) => Asked::OfferToDo,
        _ if begins.has(Class::Which) => Asked::Which,
        _ => offered_by_verb(&heard, first),
    }
}

fn offered(heard: &clause::Heard<'_>, from: usize) -> Asked {
    const TOLD: Classes = Classes::of(&[Class::Ask, Class::Look, Class::Know]);
    const DONE: Classes = Classes::of(&[Class::Verb, Class::NounVerb]);
    let tokens = heard.tokens.get(from..).unwrap_or_default();
    let first = tokens.iter().find(|token| token.longest(TOLD.with(DONE)) > 0);
    // "May I ask why?" waits for an answer.
    let asks_back = first.is_some_and(|token| {
        let classes = token.classes();
        classes.has(Class::Know) && !classes.meets(Classes::of(&[Class::Ask, Class::Look]))
            || token.folded == "ask"
    });
    if asks_back {
        return Asked::Which;
    }
    let tells = first.is_some_and(|token| token.longest(TOLD) >= token.longest(DONE).max(1));
    if tells {
        Asked::OfferToTell
    } else {
        Asked::OfferToDo
    }
}

/// "Refund it fully?" offers, "From order 7?" asks for more.
fn offered_by_verb(heard: &clause::Heard<'_>, first: usize) -> Asked {
    let verb = Classes::of(&[Class::Verb]);
    match heard.tokens.get(first) {
        Some(token) if token.longest(verb) > 0 => Asked::OfferToDo,
        // "La prenoto?"
        Some(_)
            if heard.tokens.len() <= 6
                && heard.language != Language::English
                && heard.contains(Class::Verb) =>
        {
            Asked::OfferToDo
        }
        _ if heard.contains(Class::Correct)
            || heard
                .tokens
                .iter()
                .any(|token| token.folded == "too" || token.folded == "well") =>
        {
            Asked::OfferToDo
        }
        _ => Asked::Which,
    }
}
