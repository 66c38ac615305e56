//! Which of a parameter's listed values does a request say?

pub(crate) mod choice_signs;
pub(crate) mod denials;
pub(crate) mod glosses;
pub(crate) mod likeness;
pub(crate) mod locales;
pub(crate) mod operations;
pub(crate) mod orders;
pub(crate) mod phrases;
pub(crate) mod switches;
pub(crate) mod verb_states;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::choices::choice_signs::{
    does_it, is_about_state, is_alone_told, is_counted, is_first_object, is_first_of_request, is_first_verb,
    is_linked, is_named, is_only_one_said, is_unit, is_verb_choice, may_mean, says_something_else,
    tool_words_among,
};
use crate::assign::choices::likeness::{Likeness, one_word, several_words};
use crate::kind::Kind;
use crate::lexicon;
use crate::meaning::Meaning;
use crate::words::{Break, Token, fold, stem};

/// Links behind which a state or a part is said: `move it to won`, `as commenter`, `by bicycle`.
pub(super) const LINKS: &[&str] = &[
    "to", "as", "by", "via", "with", "in", "is", "on", "now", "be", "on", "als", "auf", "per", "mit",
    "comme", "en", "par", "como", "por", "says", "with", "only", "using", "were", "was", "are", "stands",
    "for", "among", "fur", "pour", "para", "of", "im", "zum", "zur", "au", "al", "dans",
];

/// Words that rather mark another one than say a choice of their own.
const MARKS: &[&str] = &[
    "include",
    "includes",
    "including",
    "included",
    "exclude",
    "excluding",
    "skip",
    "only",
    "with",
    "without",
    "as",
    "by",
    "in",
    "to",
    "from",
    "for",
    "and",
    "or",
    "at",
    "is",
    "are",
    "the",
    "of",
];

/// The choice that a word says, if it says exactly one.
pub(crate) fn spelled(meaning: &Meaning, token: &Token<'_>) -> Option<Value> {
    meant(meaning, token, false)
}

/// As [`spelled`]; `Starte … neu` is no start but a restart.
fn meant(meaning: &Meaning, token: &Token<'_>, is_begun_anew: bool) -> Option<Value> {
    let mut best: Option<(Likeness, &Value)> = None;
    let mut tied = false;
    for choice in &meaning.spellings {
        let Some(likeness) = one_word(choice, token, is_begun_anew) else {
            continue;
        };
        match &best {
            Some((known, _)) if *known > likeness => {}
            Some((known, _)) if *known == likeness => tied = true,
            _ => {
                best = Some((likeness, &choice.value));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied).map(|(_, choice)| choice.clone())
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

/// Choices that the request says, for every parameter that lists its values.
pub(crate) fn choices(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let lists = meaning.kind == Kind::Choice || !meaning.listed.is_empty();
        if !lists || meaning.parameter.only.is_some() {
            continue;
        }
        let said: Vec<Candidate> = (0..asked.tokens.len())
            .filter_map(|at| choice_at(asked, parameter, meaning, at))
            .collect();
        if meaning.parameter.list {
            candidates.extend(enumerated(asked, &said));
        } else {
            candidates.extend(said);
        }
    }
    candidates
}

/// Choices that are said in one breath become one list: `in alert or have no data`.
fn enumerated(asked: &Asked<'_>, said: &[Candidate]) -> Vec<Candidate> {
    let mut lists: Vec<Candidate> = Vec::new();
    for candidate in said {
        let joined = lists
            .last()
            .is_some_and(|last| is_joined(asked, last.range.end, candidate.range.start));
        match lists.last_mut().filter(|_| joined) {
            Some(last) => {
                last.range.end = candidate.range.end;
                last.score = last.score.max(candidate.score);
                last.taking |= candidate.taking;
                let items = candidate.value.as_array().cloned().unwrap_or_default();
                if let Value::Array(known) = &mut last.value {
                    let new: Vec<Value> = items.into_iter().filter(|item| !known.contains(item)).collect();
                    known.extend(new);
                }
            }
            None => lists.push(candidate.clone()),
        }
    }
    lists
}

/// Whether between two places stands nothing but a comma, an `and` or an `or`, with small words around it.
fn is_joined(asked: &Asked<'_>, from: usize, to: usize) -> bool {
    const JOINTS: &[&str] = &[
        "and", "or", "und", "oder", "et", "ou", "y", "o", "&", "plus", "sowie",
    ];
    let (first, last) = (asked.at_byte(from), asked.at_byte(to));
    let between = asked.tokens.get(first..last).unwrap_or_default();
    let unbroken = (first..=last).all(|at| asked.break_before(at) <= Break::Comma);
    let comma = (first..=last).any(|at| asked.break_before(at) == Break::Comma);
    let joint = between.iter().any(|token| token.is_any(JOINTS));
    unbroken
        && between.len() <= 3
        && (comma || joint)
        && between
            .iter()
            .all(|token| token.is_any(JOINTS) || token.is_common())
}

fn choice_at(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, at: usize) -> Option<Candidate> {
    let token = asked.token(at)?;
    let (value, end) = meaning
        .spellings
        .iter()
        .find_map(|choice| several_words(choice, asked, at).map(|end| (choice.value.clone(), end)))
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
    // Of an enumeration, one that is surely said speaks for the others.
    let least = meaning.parameter.list.then_some(0.3);
    let score = choice_score(asked, parameter, meaning, at, end)
        .or(least.filter(|_| end - at > 1 || !token.is_any(MARKS)))?;
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
    // `the key vault kv-1` is a thing of that name, and nothing has the key for its method.
    if end - at == 1 && is_of_compound(asked, parameter, meaning, at) {
        return None;
    }
    // `including subdomains` says what is included, and `only open ones` nothing of a choice `only`.
    if token.is_any(MARKS) && end - at == 1 {
        return None;
    }
    if !may_mean(asked, parameter, meaning, at, end) || says_something_else(asked, meaning, at, end) {
        return None;
    }
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
    let asks_unit = is_unit(meaning)
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|before| before.is_any(&["many", "wieviele", "viele", "cuantos", "cuantas"]));
    // `Search in the web` only says again what the tool is called.
    let echoed = in_name
        && !meaning.is_required()
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|before| before.is_any(&["the", "la", "le", "el", "dem", "der", "das", "im"]));
    let linked = asked.break_before(at) < Break::Comma && !echoed && (is_linked(asked, at) || asks_unit);
    let before_thing = asked.break_before(end) == Break::None
        && asked.token(end).is_some_and(|next| asked.is_tool_word(next));
    let behind_code = asked.break_before(at) == Break::None
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(Token::is_coded);
    let ends = token.after >= Break::Comma || end == asked.tokens.len();
    // `deal DEA-31 won`: a description may list its states.
    let is_result = behind_code && ends && !in_name && (meaning.is_required() || is_about_state(meaning));
    let lists_them = tool_words_among(asked, meaning) > 1;
    if lists_them && meaning.is_required() && is_only_one_said(asked, meaning, token) {
        return Some(0.8);
    }
    // `Move the board 5001 to folder 77` moves a board.
    if lists_them && meaning.is_required() && is_first_object(asked, at) {
        return Some(0.86);
    }
    let is_tool = asked.is_tool_word(token) && end - at == 1 && !is_result;
    // `merged merge requests` of `list_merge_requests`.
    let participle = token.fold.ends_with("ed") && is_about_state(meaning);
    let describes = before_thing && (!in_name || participle);
    if is_tool && !linked && !describes {
        // `merge PR 118` says what is done; `approve it` says it, too, where nothing else can.
        let decides =
            is_first_of_request(asked, at) && is_verb_choice(asked, meaning) && is_first_verb(asked, at);
        return decides.then_some(0.8);
    }
    if linked || is_alone_told(asked, at, end) {
        return Some(if meaning.is_required() { 0.92 } else { 0.88 });
    }
    let behind_thing = asked.break_before(at) == Break::None
        && at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|before| asked.is_tool_word(before));
    if is_before_own_noun(asked, parameter, meaning, end) {
        return Some(if meaning.is_required() { 0.86 } else { 0.8 });
    }
    if before_thing || behind_thing {
        let telling = is_about_state(meaning) || meaning.is_required();
        return Some(if telling { 0.86 } else { 0.72 });
    }
    unlinked_score(asked, meaning, at, end)
}

/// Whether a word is the first half of what another parameter's thing is called: `key vault` of the `vault`.
fn is_of_compound(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, at: usize) -> bool {
    let (Some(token), Some(next)) = (asked.token(at), asked.token(at + 1)) else {
        return false;
    };
    let pair = format!("{} {}", token.fold, next.fold);
    !meaning.is_required()
        && token.after == Break::None
        && asked.hits.iter().any(|hit| {
            hit.parameter != parameter
                && hit.start == at + 1
                && hit.weight > 0.9
                && asked.meanings.get(hit.parameter).is_some_and(|other| {
                    other.kind.is_reference() && fold(&other.parameter.description).contains(&pair)
                })
        })
}

/// `dark mode` of a parameter that is described as the dark or the light mode.
fn is_before_own_noun(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, end: usize) -> bool {
    let Some(next) = asked
        .token(end)
        .filter(|next| asked.break_before(end) == Break::None && !next.is_common() && next.stem.len() > 3)
    else {
        return false;
    };
    let has = |meaning: &Meaning| {
        let about = fold(&meaning.parameter.description);
        let first = about.split(['.', ';', '\n']).next().unwrap_or_default();
        first
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| stem(word) == next.stem)
    };
    // What many parameters are described by tells nothing.
    let others = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(other, meaning)| *other != parameter && has(meaning))
        .count();
    has(meaning) && others == 0 && !asked.is_tool_word(next)
}

/// How surely a choice is meant that no word around it points at.
fn unlinked_score(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize) -> Option<f32> {
    if meaning.is_required() {
        return Some(if end - at > 1 { 0.9 } else { 0.82 });
    }
    let token = asked.token(at)?;
    // `arm64` means nothing else.
    if token.is_coded() && token.fold.len() > 3 && asked.is_unexplained(at) {
        return Some(0.86);
    }
    let state = is_about_state(meaning);
    let first = is_first_of_request(asked, at);
    // `replace 'Q3' with 'Q4'` says what is done; `close it` may say what becomes of it.
    let participle =
        spelled(meaning, token).is_some_and(|value| value.as_str().is_some_and(|text| text.ends_with("ed")));
    let points = asked
        .token(end)
        .is_none_or(|next| lexicon::POINTERS.contains(&next.fold.as_str()));
    if !first && participle && !token.fold.ends_with("ed") && crate::intent::is_verb(token) && !points {
        return None;
    }
    if first && (state || token.is_capitalised() || at == 0) {
        // `Open https://…` and `Run …` say what is done, and no state.
        let acts = crate::intent::is_verb(token) && !is_verb_choice(asked, meaning);
        return (!acts).then_some(0.82);
    }
    let ends = token.after >= Break::Comma || end == asked.tokens.len();
    if !state && does_it(asked, meaning, at) {
        return Some(0.78);
    }
    // `its text` is a part of the thing, and no format.
    let owned = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|before| before.is_any(&["its", "their", "his", "her", "my", "our", "your"]));
    if ends && !owned && !asked.name.contains(&token.stem) && is_first_object(asked, at) {
        return Some(0.76);
    }
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

/// Whether what a word says is denied.
pub(crate) fn is_negated(asked: &Asked<'_>, at: usize) -> bool {
    crate::assign::choices::denials::is_denied(asked, at)
}
