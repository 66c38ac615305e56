//! Which of a parameter's listed values does a request say?

use serde_json::Value;

use super::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::lexicon;
use crate::meaning::Meaning;
use crate::words::{Break, Token, fold, name_words, stem};

/// Links behind which a state or a part is said: `move it to won`, `as commenter`, `by bicycle`.
const LINKS: &[&str] = &[
    "to", "as", "by", "via", "with", "in", "is", "on", "now", "be", "on", "als", "auf", "per", "mit",
    "comme", "en", "par", "como", "por", "says", "with", "only", "using", "were", "was", "are", "stands",
    "for", "among", "fur", "pour", "para", "of",
];

/// How well a word says a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// A word that means it, in any of the languages.
    Synonym,
    /// Another form of its word: `close` is `closed`.
    Form,
    /// Its own word.
    Own,
}

/// The values that a parameter lists, as the schema or its description spells them.
fn listed(meaning: &Meaning) -> Vec<Value> {
    if meaning.parameter.shape.choices.is_empty() {
        return meaning
            .listed
            .iter()
            .map(|text| Value::String(text.clone()))
            .collect();
    }
    meaning.parameter.shape.choices.clone()
}

/// The choice that a word says, if it says exactly one.
pub(crate) fn spelled(meaning: &Meaning, token: &Token<'_>) -> Option<Value> {
    meant(meaning, token, false)
}

/// As [`spelled`]; `Starte … neu` is no start but a restart.
fn meant(meaning: &Meaning, token: &Token<'_>, is_begun_anew: bool) -> Option<Value> {
    let choices = listed(meaning);
    let mut best: Option<(Likeness, Value)> = None;
    let mut tied = false;
    for choice in choices {
        let Some(likeness) = choice_text(&choice).and_then(|text| one_word(&text, token, is_begun_anew))
        else {
            continue;
        };
        match &best {
            Some((known, _)) if *known > likeness => {}
            Some((known, _)) if *known == likeness => tied = true,
            _ => {
                best = Some((likeness, choice));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied).map(|(_, choice)| choice)
}

/// Whether a German verb of starting has its `neu` at the end: `Starte die VM neu`.
fn is_begun_anew(asked: &Asked<'_>, at: usize) -> bool {
    asked
        .token(at)
        .is_some_and(|token| token.is_any(&["starte", "starten", "startet", "start"]))
        && asked
            .tokens
            .get(at + 1..)
            .unwrap_or_default()
            .iter()
            .any(|token| token.is_any(&["neu"]))
}

fn choice_text(choice: &Value) -> Option<String> {
    match choice {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn one_word(choice: &str, token: &Token<'_>, is_begun_anew: bool) -> Option<Likeness> {
    let plain = fold(choice);
    if plain == token.fold || plain.replace(['_', ' '], "-") == token.fold {
        return Some(Likeness::Own);
    }
    let words = name_words(choice);
    let [word] = words.as_slice() else { return None };
    let word = fold(word);
    if stem(&word) == token.stem && token.stem.len() > 2 {
        return Some(Likeness::Form);
    }
    let meant = lexicon::choices(&token.fold);
    if word == "start" && is_begun_anew {
        return None;
    }
    if word == "restart" && is_begun_anew && meant.contains(&"start") {
        return Some(Likeness::Own);
    }
    let same = |listed: &&str| *listed == word || stem(listed) == stem(&word);
    meant.iter().any(same).then_some(Likeness::Synonym)
}

/// Whether the words from a place on are those of a choice of several words, and where they end.
fn several_words(choice: &str, asked: &Asked<'_>, at: usize) -> Option<usize> {
    let words = name_words(choice);
    if words.len() < 2 {
        return None;
    }
    let says = words.iter().enumerate().all(|(offset, word)| {
        asked
            .token(at + offset)
            .is_some_and(|token| token.fold == fold(word) || token.stem == stem(&fold(word)))
    });
    says.then_some(at + words.len())
}

/// Choices that the request says, for every parameter that lists its values.
pub(crate) fn choices(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let lists = meaning.kind == Kind::Choice || !meaning.listed.is_empty();
        if !lists || meaning.parameter.only.is_some() {
            continue;
        }
        for at in 0..asked.tokens.len() {
            candidates.extend(choice_at(asked, parameter, meaning, at));
        }
    }
    candidates
}

fn choice_at(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, at: usize) -> Option<Candidate> {
    let token = asked.token(at)?;
    let (value, end) = listed(meaning)
        .into_iter()
        .find_map(|choice| several_words(&choice_text(&choice)?, asked, at).map(|end| (choice, end)))
        .or_else(|| meant(meaning, token, is_begun_anew(asked, at)).map(|choice| (choice, at + 1)))?;
    let range = asked.bytes(at, end)?;
    let quoted_alone = asked
        .spans_at(at)
        .any(|span| span.range.start <= range.start && span.range.end <= range.end + 2);
    if asked.is_opaque(&range) && !quoted_alone {
        return None;
    }
    if is_negated(asked, at) {
        return None;
    }
    let score = choice_score(asked, parameter, meaning, at, end)?;
    let value = if meaning.parameter.list {
        Value::Array(vec![value])
    } else {
        value
    };
    let mut candidate = asked.candidate(parameter, value, range, score);
    candidate.taking = score > 0.85 || meaning.is_required();
    Some(candidate)
}

/// How surely a word that spells a choice is meant as one.
fn choice_score(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    at: usize,
    end: usize,
) -> Option<f32> {
    if is_named(asked, parameter, at, end) {
        return Some(0.96);
    }
    // The name of another parameter, or a value of one, is no choice of this one.
    let names_other = asked
        .hits
        .iter()
        .any(|hit| hit.parameter != parameter && (hit.start..hit.end).contains(&at) && asked.is_loaded(hit));
    if names_other {
        return None;
    }
    let token = asked.token(at)?;
    let is_codes = |place: Option<usize>| {
        place
            .and_then(|place| asked.token(place))
            .is_some_and(Token::is_coded)
    };
    let unbroken = asked.break_before(at) == Break::None && asked.break_before(end) == Break::None;
    if unbroken && is_codes(at.checked_sub(1)) && is_codes(Some(end)) {
        return Some(0.88);
    }
    let in_name = asked.name.contains(&token.stem);
    if is_counted(asked, meaning, at, end) && !in_name {
        return Some(0.84);
    }
    let linked = asked.break_before(at) < Break::Comma && is_linked(asked, at);
    let before_thing = asked.break_before(end) == Break::None
        && asked.token(end).is_some_and(|next| asked.is_tool_word(next));
    let is_tool = asked.is_tool_word(token) && end - at == 1;
    let describes = before_thing && !in_name;
    if is_tool && !linked && !describes {
        // `merge PR 118` says what is done; `approve it` says it, too, where nothing else can.
        let decides =
            meaning.is_required() && is_first_of_request(asked, at) && is_verb_choice(asked, meaning);
        return decides.then_some(0.8);
    }
    if linked {
        return Some(if meaning.is_required() { 0.92 } else { 0.88 });
    }
    let behind_thing = asked.break_before(at) == Break::None
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|before| asked.is_tool_word(before));
    if before_thing || behind_thing {
        let telling = is_about_state(meaning) || meaning.is_required();
        return Some(if telling { 0.86 } else { 0.72 });
    }
    unlinked_score(asked, meaning, at, end)
}

/// Whether the parameter's name stands beside a choice: `priority high`, `high urgency`, `sorted by name`.
fn is_named(asked: &Asked<'_>, parameter: usize, at: usize, end: usize) -> bool {
    asked.hits_of(parameter).any(|hit| {
        let link = asked
            .token(hit.end)
            .is_some_and(|token| token.is_any(&["by", "nach", "par", "por"]));
        let before = asked.value_start(hit).is_some_and(|(start, _)| start == at) || hit.end == at;
        let behind = hit.start == end && asked.break_before(end) == Break::None;
        before || behind || (link && hit.end + 1 == at)
    })
}

/// `the last 3 calls`, `refunds on INV-3`: a choice that is counted or listed as things of its kind.
fn is_counted(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize) -> bool {
    const BEHIND: &[&str] = &[
        "on", "of", "for", "with", "in", "from", "von", "de", "mit", "avec", "con",
    ];
    let Some(token) = asked.token(at).filter(|token| token.fold.ends_with('s')) else {
        return false;
    };
    let counted = at.checked_sub(1).is_some_and(|before| {
        asked
            .spans_at(before)
            .any(|span| matches!(span.what, crate::span::What::Number(_)))
    });
    let plural = listed(meaning)
        .iter()
        .filter_map(choice_text)
        .any(|choice| format!("{}s", fold(&choice)) == token.fold);
    let goes_on =
        asked.break_before(end) < Break::Comma && asked.token(end).is_none_or(|next| next.is_any(BEHIND));
    counted || (plural && goes_on)
}

/// How surely a choice is meant that no word around it points at.
fn unlinked_score(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize) -> Option<f32> {
    if meaning.is_required() {
        return Some(if end - at > 1 { 0.9 } else { 0.82 });
    }
    let token = asked.token(at)?;
    let state = is_about_state(meaning);
    if is_first_of_request(asked, at) && (state || token.is_capitalised() || at == 0) {
        return Some(0.82);
    }
    let ends = token.after >= Break::Comma || end == asked.tokens.len();
    let behind_code = asked.break_before(at) == Break::None
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(Token::is_coded);
    let apart = asked.break_before(at) >= Break::Comma;
    if ends && (apart || (behind_code && state)) {
        return Some(0.8);
    }
    state.then_some(0.72)
}

/// Whether a link stands before a word, or before its article: `to won`, `in the inbox`.
fn is_linked(asked: &Asked<'_>, at: usize) -> bool {
    let is = |back: usize, words: &[&str]| {
        at.checked_sub(back)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.after == Break::None && token.is_any(words))
    };
    is(1, LINKS)
        || (is(1, &["the", "a", "an", "der", "die", "das", "le", "la", "el"])
            && is(2, &["in", "as", "to", "by", "into"]))
}

/// Whether a choice is what the action itself decides: `APPROVE`, `restart`.
fn is_verb_choice(asked: &Asked<'_>, meaning: &Meaning) -> bool {
    let names = asked
        .meanings
        .iter()
        .filter(|other| other.kind == Kind::Choice && other.is_required())
        .count();
    names == 1
        || meaning
            .thing
            .as_deref()
            .is_some_and(|thing| matches!(thing, "event" | "action" | "operation"))
}

fn is_about_state(meaning: &Meaning) -> bool {
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
fn is_first_of_request(asked: &Asked<'_>, at: usize) -> bool {
    asked
        .tokens
        .get(..at)
        .unwrap_or_default()
        .iter()
        .all(|token| token.is_common())
}

/// Whether a word of denial stands right before a word.
pub(crate) fn is_negated(asked: &Asked<'_>, at: usize) -> bool {
    (1..=3).any(|back| {
        let Some(before) = at.checked_sub(back) else {
            return false;
        };
        let unbroken =
            (before..at).all(|place| asked.token(place).is_some_and(|token| token.after == Break::None));
        unbroken
            && asked
                .token(before)
                .is_some_and(|token| lexicon::NEGATORS.contains(&token.fold.as_str()))
    })
}
