//! Does the message talk about something else than the history did?

mod anaphora;
mod described;
mod names;
mod seen;

use super::clause::{Clause, Heard, Kind};
use super::lexicon::{Class, Classes};
use super::tokens::Token;

pub use anaphora::{definite, first_anaphor, pointed, points_at_thing};
pub use described::described;
pub use names::{names_something, titles};
pub use seen::{Seen, id_kind};

use names::{is_other_name, plain};
use seen::is_plain_number;

/// Words that name nobody, capital or not.
const COMMON: Classes = Classes::of(&[
    Class::Function,
    Class::Time,
    Class::Subject,
    Class::Verb,
    Class::Title,
    Class::Wh,
]);

/// Whether the message names a record or a person other than those at hand. `exchange` is the number of the first
/// message of the last exchange.
pub fn names_another(heard: &Heard<'_>, seen: &Seen, exchange: usize) -> bool {
    heard.content().any(|clause| {
        (clause.core..clause.end).any(|at| {
            let token = &heard.tokens[at];
            is_other_id(token, seen, exchange)
                || is_other_name(heard, clause, at, seen)
                || is_other_number(heard, clause, at, seen)
        })
    })
}

/// "and van 22?" after "van 14".
fn is_other_number(heard: &Heard<'_>, clause: &Clause, at: usize, seen: &Seen) -> bool {
    let names = matches!(
        clause.kind,
        Kind::Ask | Kind::Look | Kind::Fragment | Kind::Repeat
    );
    if !names || at == clause.core || !is_plain_number(&heard.tokens[at].folded) {
        return false;
    }
    let noun = &heard.tokens[at - 1];
    let counts = noun
        .classes()
        .meets(COMMON.with(Classes::of(&[Class::About, Class::Prep])));
    !counts && seen.last(&heard.tokens[at].folded).is_none() && seen.kinds.contains_key(&noun.folded)
}

/// "back to the complaint"
pub fn returns(heard: &Heard<'_>) -> bool {
    const BACK: [&str; 12] = [
        "back to",
        "zuruck zu",
        "zuruck zum",
        "zuruck zur",
        "volviendo a",
        "volvamos a",
        "revenons a",
        "retour a",
        "voltando a",
        "tornando a",
        "torniamo a",
        "terug naar",
    ];
    heard.tokens.windows(2).any(|pair| {
        let said = format!("{} {}", pair[0].folded, pair[1].folded);
        BACK.contains(&said.as_str())
    })
}

/// Whether a thing is told from one before by its number, and nothing else is referred to.
pub fn numbers_another(heard: &Heard<'_>, seen: &Seen) -> bool {
    first_anaphor(heard).is_none()
        && heard
            .content()
            .any(|clause| (clause.core..clause.end).any(|at| is_other_number(heard, clause, at, seen)))
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

fn is_other_id(token: &Token<'_>, seen: &Seen, exchange: usize) -> bool {
    let Some(kind) = id_kind(&token.folded) else {
        return false;
    };
    let latest = seen.kinds.get(kind);
    latest.is_some_and(|latest| *latest != token.folded)
        && seen.last(&token.folded).is_none_or(|last| last < exchange)
}
