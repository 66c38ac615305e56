//! Which switches of a tool does a request turn on or off?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::choices::glosses::{by_gloss, by_sides};
use crate::assign::choices::is_negated;
use crate::assign::choices::phrases::turned;
use crate::assign::choices::switches::{by_words, flag_words, qualifies};
use crate::kind::Kind;
use crate::lexicon;
use crate::meaning::Meaning;
use crate::words::{Break, stem};

/// Words that say yes to a parameter by its meaning, and words that say no.
const OPPOSITES: &[(&[&str], &[&str])] = &[
    (
        &[
            "on",
            "enable",
            "enabled",
            "activate",
            "active",
            "an",
            "activer",
            "activa",
            "einschalten",
            "aktiviere",
        ],
        &[
            "off",
            "disable",
            "disabled",
            "deactivate",
            "inactive",
            "aus",
            "desactive",
            "desactiver",
            "desactiva",
            "ausschalten",
            "deaktiviere",
        ],
    ),
    (
        &["read", "gelesen", "lu", "leido"],
        &["unread", "ungelesen", "non-lu", "non-lus"],
    ),
    (
        &["private", "privat", "prive", "privee", "privado", "privada"],
        &["public", "offentlich", "publico", "publica"],
    ),
    (
        &[
            "approve",
            "approved",
            "accept",
            "accepted",
            "grant",
            "allow",
            "genehmige",
            "approuve",
            "aprueba",
            "bewillige",
        ],
        &[
            "decline",
            "declined",
            "reject",
            "rejected",
            "deny",
            "denied",
            "refuse",
            "turn-down",
            "dismiss",
            "ablehnen",
            "lehne",
            "rechaza",
            "refuser",
        ],
    ),
    (
        &[
            "complete",
            "completed",
            "done",
            "finished",
            "erledigt",
            "terminee",
            "termine",
            "hecho",
        ],
        &["incomplete", "undone", "unfinished", "uncompleted"],
    ),
    (
        &[
            "resolve", "resolved", "solve", "solved", "close", "closed", "gelost",
        ],
        &["reopen", "reopened", "unresolved", "unsolved"],
    ),
    (&["lock", "locked"], &["unlock", "unlocked"]),
    (&["archive", "archived"], &["unarchive", "unarchived"]),
    (&["star", "starred"], &["unstar", "unstarred"]),
    (&["pin", "pinned"], &["unpin", "unpinned"]),
    (&["mute", "muted"], &["unmute", "unmuted"]),
    (&["public"], &["private"]),
    (&["visible"], &["hidden", "invisible"]),
];

/// Parameters that are on or off, where the request says which.
pub(crate) fn flags(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if meaning.parameter.list {
            continue;
        }
        if meaning.kind == Kind::Flag {
            candidates.extend(flag(asked, parameter, meaning));
        } else if let Some((yes, no)) = as_words(meaning) {
            // `dark`: `"true"`, `"false"` or `"auto"`.
            candidates.extend(flag(asked, parameter, meaning).map(|mut candidate| {
                candidate.value = if candidate.value == Value::Bool(true) {
                    yes
                } else {
                    no
                };
                candidate
            }));
        }
    }
    candidates
}

/// The two values of a choice that says yes and no in words.
fn as_words(meaning: &Meaning) -> Option<(Value, Value)> {
    let find = |word: &str| {
        meaning
            .spellings
            .iter()
            .find(|choice| choice.plain == word)
            .map(|choice| choice.value.clone())
    };
    [("true", "false"), ("enabled", "disabled"), ("on", "off")]
        .iter()
        .find_map(|(yes, no)| Some((find(yes)?, find(no)?)))
        .filter(|_| meaning.kind == Kind::Choice)
}

fn flag(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let words = flag_words(meaning);
    // `enabled: false`, `draft = yes`.
    for hit in asked.hits_of(parameter) {
        let said = asked
            .value_start(hit)
            .and_then(|(at, _)| Some((at, truth(asked.token(at)?.fold.as_str())?)))
            // `a status on 120055` switches nothing on.
            .filter(|(at, _)| asked.break_before(*at) == Break::Colon || !is_preposition(asked, *at));
        if let Some((at, value)) = said.filter(|(at, _)| *at <= hit.end + 1) {
            let range = asked.bytes(hit.start, at + 1)?;
            return Some(asked.candidate(parameter, Value::Bool(value), range, 0.95));
        }
    }
    quietly(asked, parameter, &words)
        .or_else(|| by_turn(asked, parameter, &words))
        .or_else(|| by_opposite(asked, parameter, meaning, &words))
        .or_else(|| by_words(asked, parameter, meaning))
        .or_else(|| by_sides(asked, parameter, meaning))
        .or_else(|| by_gloss(asked, parameter, meaning))
}

/// `in the background`, `still to do`: turns of phrase that the name has no word of.
fn by_turn(asked: &Asked<'_>, parameter: usize, words: &[String]) -> Option<Candidate> {
    let (value, places) = turned(asked, words)?;
    let range = asked.bytes(places.start, places.end)?;
    let mut candidate = asked.candidate(parameter, Value::Bool(value), range, 0.87);
    candidate.taking = false;
    Some(candidate)
}

fn truth(word: &str) -> Option<bool> {
    match word {
        "true" | "yes" | "on" | "ja" | "oui" | "si" => Some(true),
        "false" | "no" | "off" | "nein" | "non" => Some(false),
        _ => None,
    }
}

/// `don't notify anybody`, `silently`: what says no to a notification.
fn quietly(asked: &Asked<'_>, parameter: usize, words: &[String]) -> Option<Candidate> {
    if !words.iter().any(|word| word.starts_with("notif")) {
        return None;
    }
    let silent = [
        "silent",
        "silently",
        "quietly",
        "stillschweigend",
        "discretement",
        "silenciosamente",
    ];
    let told = ["notif", "benachrichtig"];
    let at = (0..asked.tokens.len()).find(|at| {
        asked.token(*at).is_some_and(|token| {
            let denied = told.iter().any(|start| token.fold.starts_with(start)) && is_negated(asked, *at);
            !asked.is_opaque(&token.range) && (denied || token.is_any(&silent))
        })
    })?;
    Some(asked.candidate(parameter, Value::Bool(false), asked.bytes(at, at + 1)?, 0.9))
}

/// By words that stand for on and off: `turn it off`, `unread again`, `decline it`.
fn by_opposite(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    words: &[String],
) -> Option<Candidate> {
    let [word] = words else { return None };
    let about = meaning.parameter.description.to_lowercase();
    let is_row = |(yes, no): &&(&[&str], &[&str])| {
        let same = |listed: &[&str]| {
            listed.contains(&word.as_str()) || listed.iter().any(|other| stem(other) == stem(word))
        };
        same(yes) || same(no)
    };
    let (yes, no) = OPPOSITES.iter().find(is_row)?;
    let inverse = !yes.contains(&word.as_str()) && no.contains(&word.as_str());
    for at in 0..asked.tokens.len() {
        let token = asked.token(at)?;
        if asked.is_opaque(&token.range) {
            continue;
        }
        let says_no = no.contains(&token.fold.as_str());
        let meant = |side: &[&str]| {
            let foreign = lexicon::choices(&token.fold);
            !foreign.contains(&token.fold.as_str()) && foreign.iter().any(|own| side.contains(own))
        };
        let says_no = says_no || (!yes.contains(&token.fold.as_str()) && meant(no));
        let says_yes = yes.contains(&token.fold.as_str()) || (!says_no && meant(yes));
        if !(says_no || says_yes)
            || is_preposition(asked, at)
            || is_beside_the_point(asked, meaning, at, says_no)
        {
            continue;
        }
        let value = (says_yes != is_negated(asked, at)) != inverse;
        // What the tool is for is no setting of it, unless it needs to be told.
        let qualified = says_yes && qualifies(asked, at, at + 1) && !asked.name.contains(&token.stem);
        if asked.is_tool_word(token)
            && !meaning.is_required()
            && !about.contains("false")
            && says_yes
            && !qualified
        {
            continue;
        }
        let score = if meaning.is_required() { 0.88 } else { 0.84 };
        let range = asked.bytes(at, at + 1)?;
        let mut candidate = asked.candidate(parameter, Value::Bool(value), range, score);
        candidate.taking = false;
        return Some(candidate);
    }
    None
}

/// Whether a word only reports how things are, says what is to be done, or has more included: `that ticket is
/// solved`, `close issue 42` of `include_resolved`, `including inactive ones` of `active`.
fn is_beside_the_point(asked: &Asked<'_>, meaning: &Meaning, at: usize, says_no: bool) -> bool {
    if meaning.is_required() {
        return false;
    }
    let is = |back: usize, words: &[&str]| {
        at.checked_sub(back)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.is_any(words) && token.after == Break::None)
    };
    let reported = !asked.reads
        && is(
            1,
            &[
                "is", "are", "was", "were", "been", "ist", "sind", "est", "sont", "esta", "estan",
            ],
        )
        && !is(2, &["that", "which", "who", "die", "der", "das", "qui", "que"]);
    let more = says_no
        && (1..=2).any(|back| {
            is(
                back,
                &[
                    "including",
                    "include",
                    "also",
                    "even",
                    "incl",
                    "auch",
                    "aussi",
                    "tambien",
                    "plus",
                ],
            )
        });
    let includes = crate::words::name_words(meaning.parameter.name())
        .first()
        .is_some_and(|word| matches!(word.as_str(), "include" | "has" | "with" | "show" | "only"));
    let acts = includes
        && asked
            .token(at)
            .is_some_and(|token| crate::intent::is_verb(token) || token.is_any(&["on", "off", "an", "aus"]));
    reported || more || acts
}

/// `on` and `off` are said of a switch only at the end of a clause or behind `turn`, `switch` and `are`.
fn is_preposition(asked: &Asked<'_>, at: usize) -> bool {
    let Some(token) = asked.token(at) else { return true };
    if !token.is_any(&["on", "off", "an", "aus"]) {
        return false;
    }
    let before = at.checked_sub(1).and_then(|before| asked.token(before));
    let switched = before.is_some_and(|before| {
        before.is_any(&[
            "turn", "switch", "is", "are", "be", "toggle", "turned", "switched", "schalte",
        ])
    });
    let ends = token.after >= Break::Comma
        || asked
            .token(at + 1)
            .is_none_or(|next| lexicon::COURTESIES.contains(&next.fold.as_str()));
    let told = asked.tokens.iter().any(|token| {
        token.is_any(&[
            "turn", "switch", "toggle", "schalte", "schalt", "mach", "are", "is",
        ])
    });
    !(switched || (ends && told))
}
