//! What in a request speaks for or against a word being meant as a choice?

use crate::assign::asked::Asked;
use crate::assign::choices::{LINKS, spelled};
use crate::kind::Kind;
use crate::lexicon;
use crate::meaning::Meaning;
use crate::words::{Break, Token};

/// Whether the parameter's name stands beside a choice: `priority high`, `high urgency`, `sorted by name`.
pub(super) fn is_named(asked: &Asked<'_>, parameter: usize, at: usize, end: usize) -> bool {
    asked.hits_of(parameter).any(|hit| {
        let link = asked
            .token(hit.end)
            .is_some_and(|token| token.is_any(&["by", "nach", "par", "por"]));
        let before = asked.value_start(hit).is_some_and(|(start, _)| start == at) || hit.end == at;
        let article = usize::from(
            asked
                .token(end)
                .is_some_and(|token| token.is_any(&["the", "a", "any"])),
        );
        // What only the description is about names nothing: `merge requests`.
        let behind = hit.weight > 0.78
            && (hit.start == end || hit.start == end + article)
            && asked.break_before(end) == Break::None;
        before || behind || (link && hit.end + 1 == at)
    }) || is_partly_named(asked, parameter, at, end)
}

/// `high confidence` of `confidenceThreshold`, `strict safe search` of `safesearch`.
pub(super) fn is_partly_named(asked: &Asked<'_>, parameter: usize, at: usize, end: usize) -> bool {
    const VAGUE: &[&str] = &[
        "type", "kind", "mode", "level", "format", "name", "order", "sort", "filter", "state", "status",
        "action", "event", "value", "values", "data", "list", "item", "items", "include", "show", "user",
        "group", "file", "page", "time",
    ];
    let Some(meaning) = asked.meanings.get(parameter) else {
        return false;
    };
    let name = crate::words::name_words(meaning.parameter.name());
    let squeezed: String = name.concat();
    let Some(next) = asked
        .token(end)
        .filter(|_| asked.break_before(end) == Break::None)
    else {
        return false;
    };
    let two = asked
        .token(end + 1)
        .filter(|_| next.after == Break::None)
        .is_some_and(|second| format!("{}{}", next.fold, second.fold) == squeezed);
    let one = name.len() > 1
        && name.first().is_some_and(|first| {
            first.len() > 4 && !VAGUE.contains(&first.as_str()) && crate::words::stem(first) == next.stem
        })
        && !asked.name.contains(&next.stem)
        && !asked
            .hits
            .iter()
            .any(|hit| hit.parameter != parameter && hit.start == end && hit.weight >= 0.95);
    at < end && (two || one)
}

/// Whether a word that nothing names may be a choice of a parameter that may stay away: no word that merely holds
/// the sentence together, no two letters, and no value of something else.
pub(super) fn may_mean(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    at: usize,
    end: usize,
) -> bool {
    let Some(token) = asked.token(at) else {
        return false;
    };
    if meaning.is_required() || end - at > 1 {
        return true;
    }
    if token.text.len() <= 2 {
        let exact = meaning
            .spellings
            .iter()
            .any(|choice| choice.value.as_str() == Some(token.text));
        return exact && !token.is_common() && token.text.chars().any(char::is_alphabetic);
    }
    let small = token.is_common() && !is_state_word(&token.fold)
        || lexicon::is_common(&token.stem) && !is_state_word(&token.stem);
    let decides =
        is_verb_choice(asked, meaning) && is_first_of_request(asked, at) && is_first_verb(asked, at);
    let counted = is_counted(asked, meaning, at, end);
    // `Which trips are planned?`
    let stands = token.fold.ends_with("ed")
        && !token.is_common()
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|before| before.is_any(&["are", "is", "were", "was", "been"]))
        && (token.after >= Break::Comma || end == asked.tokens.len());
    let small = small && !stands;
    (!small || decides || counted) && !is_named_value(asked, parameter, at)
}

/// Whether a word that may be a state is one of something else, only reported or only put first: `open hours`,
/// `they confirmed that it is closed`, `urgent ones first`, `Where do our deploys live?`.
pub(super) fn says_something_else(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize) -> bool {
    if meaning.is_required() {
        return false;
    }
    let is = |place: usize, words: &[&str]| asked.token(place).is_some_and(|token| token.is_any(words));
    let ones = usize::from(is(end, &["ones"]));
    let put_first = is(end + ones, &["first", "zuerst", "primero"]) && asked.break_before(end) == Break::None;
    let start = (0..at)
        .rev()
        .find(|place| asked.break_before(*place) >= Break::Comma)
        .unwrap_or(0);
    let clause = asked.tokens.get(start..at).unwrap_or_default();
    let told = clause.iter().any(|token| {
        token.is_any(&[
            "that",
            "dass",
            "que",
            "says",
            "said",
            "confirmed",
            "heard",
            "thinks",
            "wrote",
            "told",
        ])
    });
    let reported = told
        && !asked.reads
        && at.checked_sub(1).is_some_and(|before| {
            is(
                before,
                &[
                    "is", "are", "was", "were", "ist", "sind", "est", "sont", "esta", "estan",
                ],
            )
        });
    let by_others = is_done_by_others(asked, clause, at);
    let asked_of = is_about_state(meaning)
        && clause.iter().any(|token| token.is_any(&["do", "does", "did"]))
        && asked.token(at).is_some_and(|token| !token.fold.ends_with("ed"))
        && (asked.break_before(end) >= Break::Comma || end == asked.tokens.len());
    let next_is_other = |place: usize| {
        asked.break_before(place) == Break::None
            && asked.token(place).is_some_and(|next| {
                let time = next.is_any(&["hours", "hour", "day", "days", "time", "times"]);
                (!next.is_common() || time) && !next.is_coded() && !asked.is_tool_word(next)
            })
    };
    let of_other = is_about_state(meaning)
        && is(
            at,
            &[
                "open", "closed", "new", "high", "low", "running", "active", "live", "light", "dark",
                "normal",
            ],
        )
        && next_is_other(end)
        && asked
            .token(end)
            .is_some_and(|next| !next.is_capitalised() && next.sense.is_none())
        && !asked.token(end + 1).is_some_and(|next| asked.is_tool_word(next));
    // `to Mile End` goes to a place.
    let capital = |place: usize| asked.token(place).is_some_and(Token::is_capitalised);
    let in_name = at > 0
        && capital(at)
        && asked.break_before(end) == Break::None
        && capital(end)
        && !meaning
            .spellings
            .iter()
            .any(|choice| choice.value.as_str() == asked.token(at).map(|token| token.text));
    // `titled "…"` gives a title.
    let gives = is(at, &["titled", "named", "called", "title", "name"]) && asked.quoted_at(end).is_some();
    put_first || by_others || reported || asked_of || of_other || in_name || gives
}

/// `so that we can resolve it`, `they should close it`: what somebody else will do is not asked for.
fn is_done_by_others(asked: &Asked<'_>, clause: &[Token<'_>], at: usize) -> bool {
    const OTHERS: &[&str] = &[
        "we", "they", "he", "she", "i", "somebody", "someone", "people", "who",
    ];
    const INTENDING: &[&str] = &[
        "wants", "plans", "tries", "trying", "hopes", "intends", "promised", "failed", "forgot", "tried",
    ];
    const MODALS: &[&str] = &[
        "can", "could", "should", "will", "would", "might", "may", "must", "cannot", "can't", "shall",
    ];
    let acts = asked
        .token(at)
        .is_some_and(|token| crate::intent::is_verb(token) && !token.fold.ends_with("ed"));
    let by_them = clause.windows(2).any(|pair| match pair {
        [who, how] => who.is_any(OTHERS) && how.is_any(MODALS) && who.after == Break::None,
        _ => false,
    });
    // `she wants to resolve it`, `they failed to close it`
    let intended = clause.windows(2).any(|pair| match pair {
        [how, to] => how.is_any(INTENDING) && to.is_any(&["to"]),
        _ => false,
    });
    acts && !asked.reads && (by_them || intended)
}

/// `sheet Raw`: a capitalised word behind the name of what it is called.
pub(super) fn is_named_value(asked: &Asked<'_>, parameter: usize, at: usize) -> bool {
    asked.token(at).is_some_and(Token::is_capitalised)
        && asked.break_before(at) == Break::None
        && asked.hits.iter().any(|hit| {
            hit.parameter != parameter
                && hit.end == at
                && hit.weight >= 0.95
                && asked
                    .meanings
                    .get(hit.parameter)
                    .is_some_and(|other| other.kind.is_reference())
        })
}

/// Words that hold sentences together as often as they say a state.
pub(super) fn is_state_word(word: &str) -> bool {
    matches!(
        word,
        "open"
            | "close"
            | "closed"
            | "paid"
            | "cancel"
            | "cancelled"
            | "deleted"
            | "removed"
            | "merge"
            | "archive"
            | "created"
            | "updated"
            | "added"
            | "current"
            | "previous"
            | "older"
            | "newest"
            | "oldest"
            | "important"
            | "internal"
            | "privat"
            | "last"
            | "monthly"
            | "public"
    )
}

/// `the last 3 calls`, `refunds on INV-3`: a choice that is counted or listed as things of its kind.
pub(super) fn is_counted(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize) -> bool {
    const BEHIND: &[&str] = &[
        "on", "of", "for", "with", "in", "from", "von", "de", "mit", "avec", "con",
    ];
    const CLAUSES: &[&str] = &[
        "did", "do", "does", "have", "had", "has", "were", "was", "we", "i", "they", "you", "he", "she",
        "came", "haben", "hat", "hatten", "wurden", "avons", "ont", "hemos", "han", "that", "which", "die",
    ];
    const OBJECTS: &[&str] = &[
        "what", "which", "all", "the", "any", "our", "my", "their", "many", "welche", "alle", "die", "quels",
        "quelles", "les", "que", "los", "las", "cuantos", "cuantas",
    ];
    let Some(token) = asked.token(at).filter(|token| token.fold.ends_with('s')) else {
        return false;
    };
    let counted = at.checked_sub(1).is_some_and(|before| {
        asked
            .spans_at(before)
            .any(|span| matches!(span.what, crate::span::What::Number(_)))
    });
    let plural = meaning
        .spellings
        .iter()
        .any(|choice| format!("{}s", choice.plain) == token.fold);
    // `Which refunds did we book`, `Show the calls we had`.
    let clause = asked.token(end).is_some_and(|next| next.is_any(CLAUSES))
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|before| before.is_any(OBJECTS) || crate::intent::is_verb(before));
    let goes_on = asked.break_before(end) < Break::Comma
        && (clause || asked.token(end).is_none_or(|next| next.is_any(BEHIND)));
    let things = meaning.spellings.iter().any(|choice| {
        choice
            .words
            .last()
            .is_some_and(|word| *word == token.fold || token.fold.strip_suffix('s') == Some(word))
    });
    (counted && things) || (plural && goes_on)
}

/// `how far a cyclist gets`, `can I walk`: who does something, where the choice is doing it.
pub(super) fn does_it(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> bool {
    let is_activity = asked
        .token(at)
        .and_then(|token| spelled(meaning, token))
        .and_then(|value| value.as_str().map(|text| text.ends_with("ing")))
        .unwrap_or(false);
    is_activity
        && asked.break_before(at) == Break::None
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|before| {
                before.is_any(&[
                    "i", "we", "you", "one", "they", "a", "an", "ich", "wir", "man", "ein", "je", "on",
                    "nous", "un", "une",
                ])
            })
}

/// Whether a link stands before a word, or before its article: `to won`, `in the inbox`.
pub(super) fn is_linked(asked: &Asked<'_>, at: usize) -> bool {
    let is = |back: usize, words: &[&str]| {
        at.checked_sub(back)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.after == Break::None && token.is_any(words))
    };
    // `as plain text`
    let adjective = is(
        1,
        &[
            "plain",
            "raw",
            "pure",
            "pretty",
            "formatted",
            "reinen",
            "reiner",
            "simple",
        ],
    ) && is(2, &["as", "in", "als", "en", "comme", "como"]);
    is(1, LINKS)
        || adjective
        || (is(
            1,
            &[
                "the", "a", "an", "der", "die", "das", "le", "la", "el", "my", "our", "its", "meinem",
                "meiner", "mon", "ma", "mi", "dem", "den", "einen", "einem", "une", "un",
            ],
        ) && is(
            2,
            &[
                "in", "as", "to", "by", "into", "im", "als", "auf", "dans", "en", "comme", "como", "par",
                "mit",
            ],
        ))
}

/// `errors only`, `nur Fehler` at the end of a clause: nothing else is wanted.
pub(super) fn is_alone_told(asked: &Asked<'_>, at: usize, end: usize) -> bool {
    let only = |place: Option<usize>| {
        place.and_then(|place| asked.token(place)).filter(|token| {
            token.is_any(&[
                "only",
                "nur",
                "solo",
                "seulement",
                "uniquement",
                "solamente",
                "just",
            ])
        })
    };
    let behind = asked.break_before(end) == Break::None
        && only(Some(end)).is_some_and(|token| token.after >= Break::Comma || end + 1 == asked.tokens.len());
    let before = only(at.checked_sub(1)).is_some_and(|token| token.after == Break::None)
        && (asked.break_before(end) >= Break::Comma || end == asked.tokens.len());
    behind || before
}

/// Whether a choice is what the action itself decides: `APPROVE`, `restart`.
pub(super) fn is_verb_choice(asked: &Asked<'_>, meaning: &Meaning) -> bool {
    let names = asked
        .meanings
        .iter()
        .filter(|other| other.kind == Kind::Choice && other.is_required())
        .count();
    (names == 1 && meaning.is_required())
        || meaning.thing.as_deref().is_some_and(|thing| {
            matches!(thing, "action" | "operation")
                || (thing == "event" && (meaning.is_required() || are_verbs(meaning)))
        })
}

/// Whether all choices are things to do: `close` and `reopen`.
pub(super) fn are_verbs(meaning: &Meaning) -> bool {
    meaning.spellings.len() > 1
        && meaning.spellings.iter().all(|choice| {
            crate::words::tokens(&choice.plain)
                .first()
                .is_some_and(crate::intent::is_verb)
        })
}

/// Whether a parameter says in what its answer is counted.
pub(super) fn is_unit(meaning: &Meaning) -> bool {
    crate::words::name_words(meaning.parameter.name())
        .iter()
        .any(|word| matches!(word.as_str(), "unit" | "units"))
}

pub(super) fn is_about_state(meaning: &Meaning) -> bool {
    let said = [
        "status",
        "state",
        "stage",
        "phase",
        "visibility",
        "type",
        "priority",
        "severity",
        "urgency",
        "kind",
        "role",
        "event",
    ];
    meaning
        .cues
        .iter()
        .any(|cue| cue.phrase.iter().any(|word| said.contains(&word.as_str())))
}

/// Whether a word is the first that says something: `Approve pull request 77`, `Please close issue 42`.
pub(super) fn is_first_of_request(asked: &Asked<'_>, at: usize) -> bool {
    asked
        .tokens
        .get(..at)
        .unwrap_or_default()
        .iter()
        .all(|token| token.is_common())
}

/// Whether a word is the first thing behind the verb that a request begins with.
pub(super) fn is_first_object(asked: &Asked<'_>, at: usize) -> bool {
    let before = asked.tokens.get(..at).unwrap_or_default();
    let told = |token: &Token<'_>| {
        token.is_common()
            || crate::intent::is_verb(token)
            || lexicon::COURTESIES.contains(&token.fold.as_str())
    };
    before.iter().any(crate::intent::is_verb)
        && before.iter().all(told)
        && !before
            .iter()
            .any(|token| token.is_any(&["to", "in", "into", "from", "on", "of"]))
}

/// How many of the choices the tool's own name and description have: `insert_rows_or_columns`.
pub(super) fn tool_words_among(asked: &Asked<'_>, meaning: &Meaning) -> usize {
    meaning
        .spellings
        .iter()
        .filter(|choice| matches!(choice.words.as_slice(), [one] if asked.tool.contains(&crate::words::stem(one))))
        .count()
}

/// Whether a request says one of the choices and no other.
pub(super) fn is_only_one_said(asked: &Asked<'_>, meaning: &Meaning, token: &Token<'_>) -> bool {
    let own = spelled(meaning, token);
    own.is_some()
        && asked
            .tokens
            .iter()
            .filter(|other| !asked.is_opaque(&other.range))
            .filter_map(|other| spelled(meaning, other))
            .all(|other| Some(&other) == own.as_ref())
}

/// Whether no verb before a word says what is to be done: `Post an update` posts, and updates nothing.
pub(super) fn is_first_verb(asked: &Asked<'_>, at: usize) -> bool {
    let before = asked.tokens.get(..at).unwrap_or_default();
    !before.iter().any(crate::intent::is_verb)
}
