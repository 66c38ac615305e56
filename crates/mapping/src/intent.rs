//! Does a request ask for an action now?
//!
//! Most do. Told apart are those that forbid one, suppose one, report one, ask about one, or only chat, and those
//! that ask for several at once. English, German, French and Spanish.

mod bans;
mod news;
mod said;
mod talk;
mod wonders;

use bans::{holds_back, needs_it};
use news::tells_of_others;
pub(crate) use said::is_verb;
use said::{DETAILS, PRAISE, forbids, is_request, opened, reports, sentence_about};
use talk::{begins_an_act, is_question};
use wonders::sighs;

use crate::words::{Break, Token, tokens};

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// One action, now.
    Yes,
    /// Several actions that are no parts of one.
    Several,
    /// None, and why.
    No(Reason),
}

/// Why a request asks for no action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It forbids one: `don't delete it`.
    Negation,
    /// It supposes one: `what would happen if`.
    Supposition,
    /// It reports one: `I already cancelled it`.
    Report,
    /// It asks about one: `is it safe to`, `how does it work`.
    Question,
    /// It only chats.
    Chat,
}

/// What a request asks for.
pub fn asks_for_action(text: &str) -> Asking {
    let words = tokens(text);
    let spoken = before_quotation(&words);
    let clauses = clauses(spoken);
    let requests: Vec<Clause<'_, '_>> = clauses
        .iter()
        .copied()
        .filter(|clause| is_request(clause.words))
        .collect();
    if let Some(reason) = about_an_action(spoken) {
        return Asking::No(reason);
    }
    let refuses = |clause: &Clause<'_, '_>| forbids(clause.words) || holds_back(clause.words);
    let asks = |clause: &Clause<'_, '_>| is_request(clause.words) || begins_an_act(clause.words);
    if clauses.iter().any(refuses)
        && !clauses
            .iter()
            .any(|clause| asks(clause) && !refuses(clause) && !needs_it(clause.words))
    {
        return Asking::No(Reason::Negation);
    }
    let all = self::clauses(&words);
    let idle = !all.iter().any(asks);
    let quiet = idle && !all.iter().any(|clause| is_question(clause.words));
    if idle && clauses.iter().any(|clause| reports(clause.words)) {
        return Asking::No(Reason::Report);
    }
    if requests.is_empty() && only_chats(&words) {
        return Asking::No(Reason::Chat);
    }
    if quiet && clauses.iter().any(|clause| tells_of_others(clause.words)) {
        return Asking::No(Reason::Report);
    }
    if quiet && sighs(&words) {
        return Asking::No(Reason::Chat);
    }
    if are_several(&requests) {
        Asking::Several
    } else {
        Asking::Yes
    }
}

/// The words up to a colon that is followed by somebody's words; those ask for nothing.
fn before_quotation<'w, 't>(words: &'w [Token<'t>]) -> &'w [Token<'t>] {
    let colon = words
        .iter()
        .enumerate()
        .position(|(at, token)| token.after == Break::Colon && at > 1 && words.len() > at + 1);
    words
        .get(..colon.map_or(words.len(), |at| at + 1))
        .unwrap_or(words)
}

/// Words that join clauses.
const JOINS: &[&str] = &[
    "and", "but", "then", "und", "aber", "et", "mais", "puis", "y", "pero",
];

/// A stretch of words between signs and joining words.
#[derive(Clone, Copy)]
struct Clause<'w, 't> {
    words: &'w [Token<'t>],
    /// Whether a word such as `and` stands before it.
    joined: bool,
}

fn clauses<'w, 't>(words: &'w [Token<'t>]) -> Vec<Clause<'w, 't>> {
    let mut clauses = Vec::new();
    let mut start = 0;
    let mut joined = false;
    let clause = |from: usize, to: usize, joined: bool| Clause {
        words: words.get(from..to).unwrap_or_default(),
        joined,
    };
    for (at, token) in words.iter().enumerate() {
        let joins = token.is_any(JOINS) && at > start;
        if joins {
            clauses.push(clause(start, at, joined));
            start = at + 1;
            joined = true;
        } else if token.after >= Break::Comma {
            clauses.push(clause(start, at + 1, joined));
            start = at + 1;
            // `…, and then …` is joined as well.
            joined = false;
        } else if start == at && token.is_any(JOINS) {
            start = at + 1;
            joined = true;
        }
    }
    clauses.push(clause(start, words.len(), joined));
    clauses.retain(|clause| !clause.words.is_empty());
    clauses
}

/// Suppositions, and questions about an action instead of for one.
fn about_an_action(words: &[Token<'_>]) -> Option<Reason> {
    let mut start = 0;
    let mut found = None;
    let mut asks = false;
    for (at, token) in words.iter().enumerate() {
        if token.after == Break::Stop || at + 1 == words.len() {
            let sentence = words.get(start..=at).unwrap_or_default();
            match sentence_about(sentence) {
                Some(reason) => found = found.or(Some(reason)),
                None => asks = asks || is_request(sentence),
            }
            start = at + 1;
        }
    }
    found.filter(|_| !asks)
}

/// Whether there are only greetings, thanks and praise.
fn only_chats(words: &[Token<'_>]) -> bool {
    let Some(first) = words.first() else { return true };
    let coded = words.iter().any(|token| {
        token.text.chars().any(|c| c.is_ascii_digit() || c == '_') || token.text.contains(['/', '@', '#'])
    });
    let praises = PRAISE.contains(&first.fold.as_str());
    let empty = words
        .iter()
        .all(|token| token.is_common() || PRAISE.contains(&token.fold.as_str()));
    let asks = words.iter().any(|token| is_verb(token) && !token.is_common())
        || words.iter().any(|token| {
            token.is_any(&[
                "what", "which", "who", "when", "where", "how", "welche", "wer", "wann", "wo", "quel",
                "quels", "quelle", "que", "cual",
            ])
        });
    !coded && !asks && (praises || empty)
}

/// Whether two requests want different things done.
fn are_several(requests: &[Clause<'_, '_>]) -> bool {
    let strong: Vec<&str> = requests
        .iter()
        .filter_map(|clause| {
            let said = opened(clause.words);
            let verb = said.iter().take(5).find(|token| is_verb(token))?;
            // `…, reject it` says the same once more; `… and refund it` asks for more.
            let again = !clause.joined
                && said.len() == 2
                && said
                    .last()
                    .is_some_and(|last| last.is_any(&["it", "them", "that"]));
            let detail = DETAILS.contains(&verb.fold.as_str());
            (!detail && !again && said.len() > 1).then_some(verb.fold.as_str())
        })
        .collect();
    strong.iter().any(|verb| strong.first() != Some(verb))
}

#[cfg(test)]
mod tests;
