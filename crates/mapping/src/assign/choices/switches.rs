//! Which switches does a request set in the words of their names?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, is_slip};
use crate::assign::choices::is_negated;
use crate::meaning::Meaning;
use crate::words::{Break, fold, name_words, squeezed, stem};

/// Words of a switch's name that say nothing of what it switches.
const SMALL: &[&str] = &[
    "is", "has", "should", "include", "included", "includes", "with", "only", "show", "the", "use", "set",
    "be", "are", "by", "when", "and", "of", "send", "enable", "allow", "create", "add", "make", "do", "a",
    "an",
];

/// Verbs at the beginning of a name: `generate_sample_usage` is also set by `with sample usage`.
const DOING: &[&str] = &[
    "generate", "copy", "get", "fetch", "return", "attach", "append", "render", "populate", "expand",
    "quote", "store", "save", "keep", "run", "collect", "list", "load", "retain", "preserve", "draw",
    "print", "display",
];

/// Beginnings of a name by which it switches something off.
const DENYING: &[&str] = &[
    "exclude", "skip", "no", "without", "omit", "hide", "disable", "ignore", "suppress", "not", "dont",
];

/// The telling words of a switch's name.
pub(crate) fn flag_words(meaning: &Meaning) -> Vec<String> {
    name_words(meaning.parameter.name())
        .into_iter()
        .filter(|word| !SMALL.contains(&word.as_str()))
        .collect()
}

/// By the words of its name: all of them near each other, and none that the tool itself is called by alone.
pub(crate) fn by_words(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let words = flag_words(meaning);
    let first = words.first()?;
    if let Some(candidate) = undone(asked, parameter, &words) {
        return Some(candidate);
    }
    if let Some(candidate) = said(asked, parameter, meaning, &words) {
        return Some(candidate);
    }
    // `merge_when_pipeline_succeeds` of a tool that merges: `when the pipeline succeeds`.
    let own: Vec<String> = words
        .iter()
        .filter(|word| !asked.name.contains(&stem(word)))
        .cloned()
        .collect();
    if own.len() > 1
        && own.len() < words.len()
        && let Some(candidate) = said(asked, parameter, meaning, &own)
    {
        return Some(candidate);
    }
    let rest = words.get(1..).filter(|rest| !rest.is_empty())?;
    if DENYING.contains(&first.as_str()) {
        // `no attachments` turns on what leaves them out.
        let denied =
            said(asked, parameter, meaning, rest).filter(|candidate| candidate.value == Value::Bool(false));
        return denied.map(|mut candidate| {
            candidate.value = Value::Bool(true);
            candidate
        });
    }
    let marked = |candidate: &Candidate| {
        let at = asked.at_byte(candidate.range.start);
        candidate.value == Value::Bool(false) || is_marked(asked, at, asked.at_byte(candidate.range.end))
    };
    DOING
        .contains(&first.as_str())
        .then(|| said(asked, parameter, meaning, rest).filter(marked))
        .flatten()
}

/// `unpaid`, `uninstall`: the first word's opposite.
fn undone(asked: &Asked<'_>, parameter: usize, words: &[String]) -> Option<Candidate> {
    let opposites: Vec<String> = words
        .iter()
        .filter(|word| word.len() > 3)
        .flat_map(|word| {
            [
                format!("un{}", stem(word)),
                format!("non-{word}"),
                format!("not-{word}"),
            ]
        })
        .collect();
    let at = asked.tokens.iter().position(|token| {
        (opposites.contains(&token.stem) || opposites.contains(&token.fold)) && !asked.is_opaque(&token.range)
    })?;
    Some(asked.candidate(parameter, Value::Bool(false), asked.bytes(at, at + 1)?, 0.84))
}

fn said(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, words: &[String]) -> Option<Candidate> {
    let stems: Vec<String> = words.iter().map(|word| crate::meaning::sense_of(word)).collect();
    for at in 0..asked.tokens.len() {
        let Some(end) = all_within(asked, at, &stems).or_else(|| as_one(asked, at, words)) else {
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
        let marked = is_negated(asked, at)
            || is_marked(asked, at, end)
            || is_within(asked, meaning, at)
            || is_only(asked, meaning, at, end);
        if all_name && !marked {
            continue;
        }
        if !marked && words.len() == 1 && end - at == 1 && is_prose(asked, meaning, at) {
            continue;
        }
        // `draft` alone may be a thing of its own: `send the draft`.
        let told = marked
            || qualifies(asked, at, end)
            || is_described(asked, meaning, at, end)
            || stands_alone(asked, at, end)
            || asks_for_it(asked, meaning, at);
        if words.len() == 1 && end - at == 1 && !told {
            continue;
        }
        // A consent is given in a clause of its own, and what is used is used in it: `confirmed pods`, `the container site`.
        let needs_mark = name_words(meaning.parameter.name())
            .first()
            .is_some_and(|word| matches!(word.as_str(), "use" | "using" | "confirm" | "confirmed"));
        if words.len() == 1 && needs_mark && !marked && !stands_alone(asked, at, end) {
            continue;
        }
        // Neither `reading lists` nor `the trash budget` says that something is read or trashed.
        let as_named = asked.token(at).is_some_and(|token| {
            let meant = |word: &String| {
                token.fold == *word
                    || token.sense == Some(word)
                    || crate::lexicon::choices(&token.fold).contains(&word.as_str())
            };
            words.first().is_none_or(meant)
                && token.fold.ends_with("ing") == words.iter().any(|word| word.ends_with("ing"))
        });
        if words.len() == 1 && end - at == 1 && !marked && !as_named {
            continue;
        }
        let value = !is_negated(asked, at) && !is_denied_behind(asked, end);
        let score = if words.len() > 1 || marked { 0.88 } else { 0.84 };
        return Some(asked.candidate(parameter, Value::Bool(value), range, score));
    }
    None
}

/// Whether a single word rather is one of prose, or what is asked to be done: `Draft a survey`, `find all files`.
fn is_prose(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> bool {
    const HEADS: &[&str] = &["create", "add", "send", "make", "enable", "allow", "set"];
    let Some(token) = asked.token(at) else { return true };
    let first = asked
        .tokens
        .get(..at)
        .unwrap_or_default()
        .iter()
        .all(|token| token.is_common());
    let acts = first
        && asked.token(at + 1).is_some_and(|next| {
            next.is_any(&[
                "a", "an", "the", "my", "our", "this", "that", "ein", "eine", "das", "la", "le",
            ])
        });
    // `add_note` is told by its verb, too.
    let name = name_words(meaning.parameter.name());
    let head = name.first().filter(|head| HEADS.contains(&head.as_str()));
    let unsaid = head.is_some_and(|head| asked.tokens.iter().all(|token| token.stem != stem(head)));
    // `abort the cherry-pick`, where the switch is there to abort it.
    let told = fold(&meaning.parameter.description)
        .split_whitespace()
        .next()
        .is_some_and(|verb| stem(verb) == token.stem && token.stem == stem(&token.fold));
    token.is_common() || (acts && !told) || unsaid
}

/// `abort the cherry-pick`, where the description begins with that verb: `Abort the operation`.
fn asks_for_it(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> bool {
    let first = asked
        .tokens
        .get(..at)
        .unwrap_or_default()
        .iter()
        .all(|token| token.is_common());
    let about = fold(&meaning.parameter.description);
    let verb = about.split_whitespace().next().unwrap_or_default();
    let done_to = asked.tokens.iter().skip(at + 1).take(3).any(|token| {
        asked.is_tool_word(token) || token.fold.split('-').all(|part| asked.tool.contains(&stem(part)))
    });
    first
        && done_to
        && asked
            .token(at)
            .is_some_and(|token| token.fold == verb && token.stem.len() > 3)
}

/// Where words end that all stand within a few words from a place on, in any order.
fn all_within(asked: &Asked<'_>, at: usize, stems: &[String]) -> Option<usize> {
    let is = |place: usize, stem: &String| {
        asked.token(place).is_some_and(|token| {
            token.is(stem)
                || (stems.len() > 1
                    && token.stem.len() > 4
                    && stem.len() > 4
                    && (token.stem.starts_with(stem.as_str()) || stem.starts_with(token.stem.as_str())))
                || (stems.len() > 1 && (is_slip(&token.fold, stem) || is_slip(&token.stem, stem)))
                || (stem == "image"
                    && token.is_any(&[
                        "picture", "pictures", "photos", "photo", "bilder", "bildern", "fotos",
                    ]))
                || (stem == "next" && token.is_any(&["another", "further"]))
                || (stem == "auto" && token.stem.starts_with("automat"))
                || crate::lexicon::choices(&token.fold)
                    .iter()
                    .any(|own| crate::words::stem(own) == *stem)
        })
    };
    if !stems.iter().any(|stem| is(at, stem)) {
        return None;
    }
    // Articles and what stands like them take no place: `stop on the first error`.
    let small = (at..at + stems.len() + 3)
        .filter(|place| {
            asked.token(*place).is_some_and(|token| {
                token.is_any(&[
                    "the", "a", "an", "any", "first", "der", "die", "das", "den", "dem", "le", "la", "les",
                    "el", "los", "las",
                ])
            })
        })
        .count();
    let reach = at + stems.len() + 1 + small.min(2);
    let mut end = at + 1;
    for stem in stems {
        let place = (at..reach).find(|place| is(*place, stem))?;
        end = end.max(place + 1);
    }
    let unbroken = (at + 1..end).all(|place| asked.break_before(place) < Break::Stop);
    unbroken.then_some(end)
}

/// Where words end that are the name but for blanks and hyphens: `stack traces`, `one line`, `dry-run`.
fn as_one(asked: &Asked<'_>, at: usize, words: &[String]) -> Option<usize> {
    let bare = |text: &str| squeezed(text).trim_end_matches('s').to_owned();
    let name = bare(&words.concat());
    if name.len() < 5 {
        return None;
    }
    let mut read = String::new();
    for end in at + 1..=at + 4 {
        if end > at + 1 && asked.break_before(end - 1) != Break::None {
            return None;
        }
        read.push_str(&squeezed(&asked.token(end - 1)?.fold));
        if bare(&read) == name {
            return Some(end);
        }
        if read.len() > name.len() + 1 {
            return None;
        }
    }
    None
}

/// `transcript included`, `with attachments`, `including archived`, `as a draft`.
fn is_marked(asked: &Asked<'_>, at: usize, end: usize) -> bool {
    let marks = [
        "with",
        "including",
        "include",
        "includes",
        "as",
        "mit",
        "avec",
        "con",
        "inklusive",
        "einschliesslich",
        "samt",
        "incl",
        "inkl",
        "plus",
        "y compris",
        "incluyendo",
        "incluidos",
        "incluidas",
        "incluido",
        "incluida",
        "inclus",
        "also",
        "even",
        "auch",
        "aussi",
        "tambien",
    ];
    let before = (1..=2).any(|back| {
        at.checked_sub(back)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| {
                let short = token.is_any(&["incl", "inkl"]) && token.after == Break::Stop;
                token.is_any(&marks) && (token.after == Break::None || short)
            })
    });
    let behind = asked.token(end).is_some_and(|token| {
        token.is_any(&[
            "included",
            "incl",
            "inkl",
            "too",
            "inclus",
            "incluse",
            "incluses",
            "incluido",
            "incluidos",
            "incluidas",
            "inbegriffen",
            "eingeschlossen",
            "compris",
            "comprises",
            "auch",
            "aussi",
            "tambien",
        ])
    }) && asked.break_before(end) == Break::None;
    before || behind
}

/// `only attached ones`, `defaults only`, where the switch leaves nothing else.
fn is_only(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize) -> bool {
    const ONLY: &[&str] = &[
        "only",
        "just",
        "nur",
        "seulement",
        "uniquement",
        "solo",
        "solamente",
    ];
    let named = name_words(meaning.parameter.name())
        .iter()
        .any(|word| word == "only");
    let before = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|token| token.after == Break::None && token.is_any(ONLY));
    let behind = asked.break_before(end) == Break::None
        && asked.token(end).is_some_and(|token| {
            token.is_any(ONLY) && token.after >= Break::Comma
                || end + 1 == asked.tokens.len() && token.is_any(ONLY)
        });
    let closed = asked.break_before(end) >= Break::Comma
        || end == asked.tokens.len()
        || asked
            .token(end)
            .is_some_and(|token| token.is_any(&["ones", "one"]) || asked.is_tool_word(token));
    named && ((before && closed) || behind)
}

/// `inside a container`, where the switch is to use one.
fn is_within(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> bool {
    let uses = name_words(meaning.parameter.name())
        .first()
        .is_some_and(|word| matches!(word.as_str(), "use" | "using" | "in" | "via" | "run"));
    let is = |back: usize, words: &[&str]| {
        at.checked_sub(back)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.after == Break::None && token.is_any(words))
    };
    const PLACES: &[&str] = &[
        "in",
        "inside",
        "using",
        "via",
        "through",
        "within",
        "over",
        "dans",
        "en",
        "dentro",
        "innerhalb",
        "uber",
        "uses",
        "use",
        "mittels",
    ];
    const ARTICLES: &[&str] = &[
        "a", "an", "the", "un", "une", "einem", "einer", "eines", "una", "dem", "der", "its",
    ];
    uses && (is(1, PLACES) || (is(1, ARTICLES) && is(2, PLACES)))
}

fn is_denied_behind(asked: &Asked<'_>, end: usize) -> bool {
    asked.break_before(end) == Break::None
        && asked
            .token(end)
            .is_some_and(|token| token.is_any(&["excluded", "off", "disabled", "omitted", "aus"]))
}

/// Whether a word stands before one that its own description is about: `raw HTML`, `recursive tree`.
fn is_described(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize) -> bool {
    let general = asked
        .token(at)
        .is_none_or(|token| token.is_any(&["all", "count", "total", "type", "value", "group", "host"]));
    let Some(next) = asked
        .token(end)
        .filter(|_| !general && asked.break_before(end) == Break::None)
    else {
        return false;
    };
    !next.is_common()
        && next.stem.len() > 2
        && fold(&meaning.parameter.description)
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| stem(word) == next.stem)
}

/// Whether a word is a clause of its own at the end of what is said: `…, confirmed`, `run mon_77 async`.
fn stands_alone(asked: &Asked<'_>, at: usize, end: usize) -> bool {
    let Some(token) = asked
        .token(at)
        .filter(|token| token.fold.len() > 3 && !token.is_common())
    else {
        return false;
    };
    let before = at.checked_sub(1).and_then(|before| asked.token(before));
    let apart = asked.break_before(at) == Break::Comma
        || before.is_some_and(|before| before.is_coded() && before.after == Break::None);
    let ends = token.after >= Break::Comma || end == asked.tokens.len();
    let is_value = asked
        .meanings
        .iter()
        .any(|other| crate::assign::choices::spelled(other, token).is_some());
    at > 0 && apart && ends && !is_value && !asked.name.contains(&token.stem)
}

/// Whether a word describes the thing that the tool is about: `a private repository`, `overdue stories`.
pub(crate) fn qualifies(asked: &Asked<'_>, at: usize, end: usize) -> bool {
    let next_is_thing = asked.break_before(end) == Break::None
        && (0..3).any(|ahead| {
            (0..=ahead).all(|step| {
                step == ahead
                    || asked
                        .token(end + step)
                        .is_some_and(|token| token.after == Break::None)
            }) && asked
                .token(end + ahead)
                .is_some_and(|token| asked.is_tool_word(token) || is_request_for_changes(asked, token))
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

/// `PR` of a tool for pull requests, `MR` of one for merge requests.
fn is_request_for_changes(asked: &Asked<'_>, token: &crate::words::Token<'_>) -> bool {
    (token.is_any(&["pr", "prs"]) && asked.tool.contains("pull"))
        || (token.is_any(&["mr", "mrs"]) && asked.tool.contains("merg"))
}
