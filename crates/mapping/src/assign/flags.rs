//! Which switches of a tool does a request turn on or off?

use serde_json::Value;

use super::asked::{Asked, Candidate};
use super::choices::is_negated;
use crate::kind::Kind;
use crate::lexicon;
use crate::meaning::Meaning;
use crate::words::{Break, fold, name_words, stem};

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
        if meaning.kind != Kind::Flag || meaning.parameter.list {
            continue;
        }
        candidates.extend(flag(asked, parameter, meaning));
    }
    candidates
}

fn flag(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let words = flag_words(meaning);
    // `enabled: false`, `draft = yes`.
    for hit in asked.hits_of(parameter) {
        let said = asked
            .value_start(hit)
            .and_then(|(at, _)| Some((at, truth(asked.token(at)?.fold.as_str())?)));
        if let Some((at, value)) = said.filter(|(at, _)| *at <= hit.end + 1) {
            let range = asked.bytes(hit.start, at + 1)?;
            return Some(asked.candidate(parameter, Value::Bool(value), range, 0.95));
        }
    }
    if let Some(candidate) = quietly(asked, parameter, &words) {
        return Some(candidate);
    }
    if let Some(candidate) = by_opposite(asked, parameter, meaning, &words) {
        return Some(candidate);
    }
    by_words(asked, parameter, &words).or_else(|| by_description(asked, parameter, meaning))
}

/// `True to start watching, false to stop`: the first telling word of either side decides.
fn by_description(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    if !meaning.is_required() {
        return None;
    }
    let about = fold(&meaning.parameter.description);
    let words: Vec<&str> = about
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let side = |truth: &str| -> Option<String> {
        let at = words.iter().position(|word| *word == truth)?;
        let telling = words
            .get(at + 1..)?
            .iter()
            .take(4)
            .find(|word| !["to", "for", "if", "when", "the", "it", "a", "means"].contains(word))?;
        Some(stem(telling))
    };
    let (yes, no) = (side("true"), side("false"));
    let said = |word: &Option<String>| {
        word.as_ref().and_then(|word| {
            (0..asked.tokens.len()).find(|at| {
                asked
                    .token(*at)
                    .is_some_and(|token| token.stem == *word && !asked.is_opaque(&token.range))
            })
        })
    };
    let (at, value) = match (said(&yes), said(&no)) {
        (Some(at), None) => (at, true),
        (None, Some(at)) => (at, false),
        _ => return None,
    };
    let mut candidate = asked.candidate(parameter, Value::Bool(value), asked.bytes(at, at + 1)?, 0.8);
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

fn flag_words(meaning: &Meaning) -> Vec<String> {
    let skipped = [
        "is", "has", "should", "include", "included", "with", "only", "show", "the", "use", "set", "be",
        "are", "by", "when", "and", "of", "send", "enable", "allow", "create", "add", "make", "do",
    ];
    name_words(meaning.parameter.name())
        .into_iter()
        .filter(|word| !skipped.contains(&word.as_str()))
        .collect()
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
        let says_yes = yes.contains(&token.fold.as_str());
        if !(says_no || says_yes) || is_preposition(asked, at) {
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

/// By the words of its name: all of them near each other, and none that the tool itself is called by alone.
fn by_words(asked: &Asked<'_>, parameter: usize, words: &[String]) -> Option<Candidate> {
    if words.is_empty() {
        return None;
    }
    // `unpaid`, `unread`: the first word's opposite.
    let denied = words.first().map(|word| format!("un{word}")).unwrap_or_default();
    if let Some(at) = asked
        .tokens
        .iter()
        .position(|token| token.fold == denied && !asked.is_opaque(&token.range))
    {
        return Some(asked.candidate(parameter, Value::Bool(false), asked.bytes(at, at + 1)?, 0.84));
    }
    let stems: Vec<String> = words.iter().map(|word| crate::meaning::sense_of(word)).collect();
    for at in 0..asked.tokens.len() {
        let Some(end) = all_within(asked, at, &stems) else {
            continue;
        };
        let range = asked.bytes(at, end)?;
        if asked.is_opaque(&range) {
            continue;
        }
        let all_name = (at..end).all(|place| {
            asked
                .token(place)
                .is_some_and(|token| asked.name.contains(&token.stem))
        });
        // `with the content "…"` names another parameter.
        let names_other = asked
            .hits
            .iter()
            .any(|hit| hit.parameter != parameter && hit.start < end && at < hit.end && asked.is_loaded(hit));
        if names_other {
            continue;
        }
        let marked = is_negated(asked, at) || is_marked(asked, at, end);
        if all_name && !marked {
            continue;
        }
        // `draft` alone may be a thing of its own: `send the draft`.
        let single_noun = words.len() == 1 && !marked && !qualifies(asked, at, end);
        if single_noun {
            continue;
        }
        let value = !is_negated(asked, at) && !is_denied_behind(asked, end);
        let score = if words.len() > 1 || marked { 0.88 } else { 0.84 };
        return Some(asked.candidate(parameter, Value::Bool(value), range, score));
    }
    None
}

/// Where words end that all stand within a few words from a place on, in any order.
fn all_within(asked: &Asked<'_>, at: usize, stems: &[String]) -> Option<usize> {
    let is = |place: usize, stem: &String| {
        asked.token(place).is_some_and(|token| {
            token.is(stem)
                || (token.stem.len() > 4
                    && stem.len() > 4
                    && (token.stem.starts_with(stem.as_str()) || stem.starts_with(token.stem.as_str())))
        })
    };
    if !stems.iter().any(|stem| is(at, stem)) {
        return None;
    }
    let reach = at + stems.len() + 1;
    let mut end = at + 1;
    for stem in stems {
        let place = (at..reach).find(|place| is(*place, stem))?;
        end = end.max(place + 1);
    }
    Some(end)
}

/// `transcript included`, `with attachments`, `including archived`, `as a draft`.
fn is_marked(asked: &Asked<'_>, at: usize, end: usize) -> bool {
    let marks = [
        "with",
        "including",
        "include",
        "as",
        "mit",
        "avec",
        "con",
        "inklusive",
        "incl",
        "plus",
    ];
    let before = (1..=2).any(|back| {
        at.checked_sub(back)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.is_any(&marks) && token.after == Break::None)
    });
    let behind = asked
        .token(end)
        .is_some_and(|token| token.is_any(&["included", "incl", "too", "inclus", "incluido"]))
        && asked.break_before(end) == Break::None;
    before || behind
}

fn is_denied_behind(asked: &Asked<'_>, end: usize) -> bool {
    asked.break_before(end) == Break::None
        && asked
            .token(end)
            .is_some_and(|token| token.is_any(&["excluded", "off", "disabled"]))
}

/// Whether a word describes the thing that the tool is about: `a private repository`, `overdue stories`.
fn qualifies(asked: &Asked<'_>, at: usize, end: usize) -> bool {
    let next_is_thing = asked.break_before(end) == Break::None
        && (0..3).any(|ahead| {
            (0..=ahead).all(|step| {
                step == ahead
                    || asked
                        .token(end + step)
                        .is_some_and(|token| token.after == Break::None)
            }) && asked
                .token(end + ahead)
                .is_some_and(|token| asked.is_tool_word(token))
        });
    let submits = asked.token(at).is_some_and(|token| {
        at > 0
            && asked
                .token(at - 1)
                .is_some_and(|before| before.is_any(&["and", "und", "et", "y"]))
            && asked
                .token(at + 1)
                .is_some_and(|next| next.is_any(&["it", "them"]))
            && !token.is_common()
    });
    let as_state = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|before| before.is_any(&["as", "als", "from", "is", "are", "in", "comme", "como"]));
    next_is_thing || submits || as_state
}
