//! Is what a word says denied, wanted beyond itself, or still to come: `haven't been paid back yet`?

use crate::assign::asked::Asked;
use crate::lexicon;
use crate::words::{Break, Token};

/// Most words between a verb that is denied and what is denied of it: `haven't all been fully paid`.
const REACH: usize = 5;

/// Whom a request or a suggestion in the form of a denied question is put to: `won't you`, `why don't we`.
const PUT_TO: &[&str] = &["you", "we", "i", "it", "they", "he", "she", "this", "that", "ya"];

/// Words that stand between a denied verb and what is denied of it.
const BETWEEN: &[&str] = &[
    "been",
    "be",
    "being",
    "yet",
    "all",
    "fully",
    "actually",
    "ever",
    "already",
    "even",
    "really",
    "any",
    "completely",
    "entirely",
    "so",
    "far",
    "gotten",
    "got",
    "still",
    "to",
    "it",
    "them",
    "these",
    "those",
    "the",
    "want",
    "need",
    "marked",
    "as",
    "set",
    "were",
    "was",
    "is",
    "are",
    "had",
    "have",
    "has",
    "far",
    "encore",
    "ete",
    "jamais",
    "noch",
    "aun",
    "todavia",
    "sido",
    "a",
    "ont",
];

/// Auxiliary verbs whose denial reaches over their whole predicate.
const DENIED_VERBS: &[&str] = &[
    "havent", "hasnt", "hadnt", "arent", "isnt", "wasnt", "werent", "cannot", "wont", "doesnt", "didnt",
];

/// Whether a word of denial stands before a word, near it or with its own predicate between.
pub(crate) fn is_denied(asked: &Asked<'_>, at: usize) -> bool {
    is_close(asked, at) || is_of_predicate(asked, at) || is_to_come(asked, at)
}

/// Whether a word says no by itself: `not`, `ohne`, `haven't`.
fn denies(asked: &Asked<'_>, at: usize) -> bool {
    let Some(token) = asked.token(at) else {
        return false;
    };
    if is_denied_verb(token) {
        // `Won't you include …` asks for it.
        return !asked
            .token(at + 1)
            .is_some_and(|next| token.after == Break::None && next.is_any(PUT_TO));
    }
    lexicon::NEGATORS.contains(&token.fold.as_str()) && !is_widening(asked, at)
}

fn is_denied_verb(token: &Token<'_>) -> bool {
    token.fold.ends_with("n't") || DENIED_VERBS.contains(&token.fold.as_str())
}

/// `not only`, `not just`: more than that, and no denial.
fn is_widening(asked: &Asked<'_>, at: usize) -> bool {
    asked.token(at).is_some_and(|token| token.after == Break::None)
        && asked.token(at + 1).is_some_and(|next| {
            next.is_any(&["only", "just", "merely", "solely", "nur", "seulement", "solo"])
        })
}

fn is_close(asked: &Asked<'_>, at: usize) -> bool {
    (1..=3).any(|back| {
        let Some(before) = at.checked_sub(back) else {
            return false;
        };
        is_unbroken(asked, before, at) && denies(asked, before)
    })
}

/// `haven't all been paid`, `have never been fully paid`: nothing but the predicate's own words between.
fn is_of_predicate(asked: &Asked<'_>, at: usize) -> bool {
    (4..=REACH + 1).any(|back| {
        let Some(before) = at.checked_sub(back) else {
            return false;
        };
        let denied = asked.token(before).is_some_and(|token| {
            is_denied_verb(token) || token.is_any(&["not", "never", "pas", "nicht", "no"])
        });
        denied
            && is_unbroken(asked, before, at)
            && denies(asked, before)
            && asked
                .tokens
                .get(before + 1..at)
                .unwrap_or_default()
                .iter()
                .all(|token| token.is_any(BETWEEN))
    })
}

/// `still to be paid`, `are yet to be approved`: what is to come has not been done.
fn is_to_come(asked: &Asked<'_>, at: usize) -> bool {
    const WAITING: &[&str] = &[
        "still",
        "yet",
        "remain",
        "remains",
        "remaining",
        "left",
        "waiting",
        "awaiting",
        "outstanding",
    ];
    const DUTIES: &[&str] = &["have", "has", "need", "needs"];
    let is = |back: usize, words: &[&str]| {
        at.checked_sub(back)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.after == Break::None && token.is_any(words))
    };
    let passive = is(1, &["be", "get"]) && is(2, &["to"]);
    asked.reads && passive && (is(3, WAITING) || (is(3, DUTIES) && is(4, WAITING)))
}

fn is_unbroken(asked: &Asked<'_>, from: usize, to: usize) -> bool {
    (from..to).all(|place| {
        asked
            .token(place)
            .is_some_and(|token| token.after == Break::None && (place == from || !turns(token)))
    })
}

/// `don't delete it but archive it`: what follows is wanted again.
fn turns(token: &Token<'_>) -> bool {
    token.is_any(&[
        "but", "sondern", "aber", "mais", "sino", "pero", "though", "instead",
    ])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P20: what has not happened is not wanted as if it had.
    #[test]
    fn p20_denials_turn_switches_off() {
        let schema = json!({"properties": {"paid_back": {"type": "boolean", "description": "Only those paid back or not"}}});
        let yes = json!({"paid_back": true});
        let no = json!({"paid_back": false});
        check(
            "list_expenses List the expenses of a trip",
            &schema,
            &[
                ("Which expenses have been paid back?", yes.clone()),
                ("Which expenses haven't been paid back yet?", no.clone()),
                ("Which expenses haven’t been paid back yet?", no.clone()),
                ("expenses that weren't paid back", no.clone()),
                ("expenses that have never been paid back", no.clone()),
                ("Which expenses have not yet been fully paid back?", no.clone()),
                ("Which expenses haven't all been fully paid back?", no.clone()),
                ("Which expenses are still to be paid back?", no.clone()),
                ("Which expenses are yet to be paid back?", no.clone()),
                ("Which expenses still have to be paid back?", no.clone()),
                ("Which expenses hasnt anybody paid back?", no),
                ("Won't you list the expenses that were paid back?", yes),
            ],
        );
    }

    /// P20: a denied state is none.
    #[test]
    fn p20_denied_states_are_not_read() {
        let schema =
            json!({"properties": {"status": {"type": "string", "enum": ["open", "closed", "pending"]}}});
        check(
            "list_tickets List tickets",
            &schema,
            &[
                ("Which tickets are closed?", json!({"status": "closed"})),
                ("Which tickets aren't closed?", json!({})),
                ("Which tickets haven't been closed yet?", json!({})),
                ("tickets that were never closed", json!({})),
            ],
        );
    }
}
