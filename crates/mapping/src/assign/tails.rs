//! Which texts run to the end of what was said: behind a colon, a reason, a verb of saying?

use std::ops::Range;

use serde_json::Value;

use super::asked::{Asked, Candidate, Hit};
use super::titles::title_end;
use crate::kind::Kind;
use crate::lexicon::COURTESIES;
use crate::words::{Break, TOKENS_MAX};

/// A text that stands for itself.
struct Marked {
    parameter: usize,
    /// Words of the text.
    start: usize,
    end: usize,
    score: f32,
    /// Whether the sign that ends a sentence belongs to it.
    with_stop: bool,
}

/// Texts behind a colon or a verb of saying. They are closed: nothing within them is another value.
pub(crate) fn tails(asked: &mut Asked<'_>) -> Vec<Candidate> {
    let mut marked = labelled(asked);
    marked.extend(said(asked));
    marked.extend(told(asked, &marked));
    marked.extend(because(asked, &marked));
    if let Some(bare) = behind_bare_colon(asked, &marked) {
        marked.push(bare);
    }
    if let Some(said) = reported(asked, &marked) {
        marked.push(said);
    }
    let mut candidates = Vec::new();
    for text in marked {
        let Some(range) = whole_range(asked, &text) else {
            continue;
        };
        if asked.is_opaque(&range) {
            continue;
        }
        let Some(words) = asked.text.get(range.clone()) else {
            continue;
        };
        let value = value_of(asked, text.parameter, words);
        let mut candidate = asked.candidate(text.parameter, value, range.clone(), text.score);
        candidate.whole = true;
        candidates.push(candidate);
        asked.close(range);
    }
    candidates
}

fn is_texty(asked: &Asked<'_>, parameter: usize) -> bool {
    asked.meanings.get(parameter).is_some_and(|meaning| {
        let shape = &meaning.parameter.shape;
        let plain_list = meaning.parameter.list && meaning.kind == Kind::Slug && shape.string;
        (meaning.kind.is_text() && shape.string) || plain_list
    })
}

/// `reason: wrong pots delivered`: a text with the name of its parameter and a colon in front.
fn labelled(asked: &Asked<'_>) -> Vec<Marked> {
    let mut found: Vec<Marked> = Vec::new();
    let mut hits: Vec<&Hit> = asked.hits.iter().collect();
    hits.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    for hit in hits {
        let colon = asked.break_before(hit.end) == Break::Colon;
        let taken = found
            .iter()
            .any(|text| text.start == hit.end || text.parameter == hit.parameter);
        if !colon || taken || !is_texty(asked, hit.parameter) || asked.quoted_at(hit.end).is_some() {
            continue;
        }
        let end = tail_end(asked, hit.end, hit.parameter);
        found.push(Marked {
            parameter: hit.parameter,
            start: hit.end,
            end,
            score: 0.95 * hit.weight.max(0.9),
            with_stop: true,
        });
    }
    found
}

/// `the reason is that it broke`, `, note Taxi to the fair`: prose behind its name without a colon.
fn told(asked: &Asked<'_>, marked: &[Marked]) -> Vec<Marked> {
    let mut found: Vec<Marked> = Vec::new();
    for hit in asked.hits.iter().filter(|hit| hit.weight > 0.78) {
        let prose = asked
            .meanings
            .get(hit.parameter)
            .is_some_and(|meaning| meaning.kind == Kind::Prose && !meaning.parameter.list);
        let known = marked
            .iter()
            .chain(&found)
            .any(|text| text.parameter == hit.parameter || (text.start..text.end).contains(&hit.start));
        if !prose || known || asked.break_before(hit.end) != Break::None || asked.quoted_at(hit.end).is_some()
        {
            continue;
        }
        let is = |at: usize, words: &[&str]| asked.token(at).is_some_and(|token| token.is_any(words));
        let says_that =
            is(hit.end, &["is", "being", "ist", "est", "es"]) && is(hit.end + 1, &["that", "dass", "que"]);
        let carried = hit
            .start
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.is_any(&["with", "mit", "avec", "con"]))
            && asked
                .token(hit.end)
                .is_some_and(|token| token.is_capitalised() && !token.is_coded());
        let enumerated = (asked.break_before(hit.start) == Break::Comma || carried)
            && asked
                .token(hit.end)
                .is_some_and(|token| !token.is_common() && !asked.is_opaque(&token.range))
            && !asked.hits.iter().any(|other| other.start == hit.end);
        let start = if says_that { hit.end + 2 } else { hit.end };
        if (!says_that && !enumerated) || asked.token(start).is_none() {
            continue;
        }
        let end = if says_that {
            tail_end(asked, start, hit.parameter)
        } else {
            title_end(asked, start, hit.parameter)
        };
        found.push(Marked {
            parameter: hit.parameter,
            start,
            end,
            score: 0.82,
            with_stop: false,
        });
    }
    found
}

/// `Write in the incidents channel that the disk was swapped`: what a verb of saying is followed by.
fn reported(asked: &Asked<'_>, marked: &[Marked]) -> Option<Marked> {
    const SAYING: &[&str] = &[
        "tell", "write", "say", "post", "note", "answer", "reply", "inform", "let", "announce", "schreib",
        "schreibe", "sag", "sage", "antworte", "dis", "ecris", "reponds", "di", "escribe", "responde",
    ];
    let parameter = lone_prose(asked, marked)?;
    let first = asked
        .tokens
        .iter()
        .position(|token| !token.is_common() || token.is_any(SAYING))?;
    if !asked.token(first)?.is_any(SAYING) {
        return None;
    }
    let link = (first + 1..asked.tokens.len()).find(|at| {
        asked
            .token(*at)
            .is_some_and(|token| token.is_any(&["that", "dass", "que"]) && !asked.is_opaque(&token.range))
    })?;
    let start = link + 1;
    let clause =
        asked.tokens.len() >= start + 3 && !marked.iter().any(|text| (text.start..text.end).contains(&link));
    let thing = asked.token(start)?;
    // `reply to that message` points at something.
    let points = asked.is_tool_word(thing) && thing.sense.is_some() && !thing.is_common();
    (clause && !points && asked.quoted_at(start).is_none()).then(|| Marked {
        parameter,
        start,
        end: tail_end(asked, start, parameter),
        score: 0.8,
        with_stop: true,
    })
}

/// `saying the boat is late`, `that says …`: prose behind a verb of saying.
fn said(asked: &Asked<'_>) -> Vec<Marked> {
    const SAYING: &[&str] = &["saying", "stating", "reading", "sagend", "disant", "diciendo"];
    let Some(parameter) = lone_prose(asked, &[]) else {
        return Vec::new();
    };
    for at in 0..asked.tokens.len() {
        let Some(token) = asked.token(at) else { break };
        if asked.is_opaque(&token.range) {
            continue;
        }
        let next = asked.token(at + 1);
        let that_says = token.is_any(&["that", "which", "das", "qui", "que"])
            && next.is_some_and(|next| next.is_any(&["says", "reads", "sagt", "dit", "diga", "dice"]));
        let start = if that_says { at + 2 } else { at + 1 };
        let plain = token.is_any(SAYING) || that_says;
        if !plain || asked.token(start).is_none() || asked.quoted_at(start).is_some() {
            continue;
        }
        if asked.break_before(start) == Break::Colon || asked.break_before(start) == Break::None {
            let skip_that = usize::from(
                asked
                    .token(start)
                    .is_some_and(|token| token.is_any(&["that", "dass", "que"])),
            );
            return vec![Marked {
                parameter,
                start: start + skip_that,
                end: tail_end(asked, start, parameter),
                score: 0.85,
                with_stop: true,
            }];
        }
    }
    Vec::new()
}

/// `because the pots arrived broken`: a reason behind the word for it.
fn because(asked: &Asked<'_>, marked: &[Marked]) -> Option<Marked> {
    let is_reason = |meaning: &crate::meaning::Meaning| {
        meaning.kind == Kind::Prose && meaning.thing.as_deref() == Some("reason")
    };
    let parameter = asked.meanings.iter().position(is_reason)?;
    let at = asked
        .tokens
        .iter()
        .position(|token| token.is_any(&["because", "weil", "porque"]) && !asked.is_opaque(&token.range))?;
    let start = at + 1;
    if marked
        .iter()
        .any(|text| text.parameter == parameter || (text.start..text.end).contains(&at))
        || asked.token(start)?.is_any(&["of"])
    {
        return None;
    }
    Some(Marked {
        parameter,
        start,
        end: tail_end(asked, start, parameter),
        score: 0.85,
        with_stop: false,
    })
}

/// `Reply in that thread: on my way`: a colon, and one parameter that takes prose.
fn behind_bare_colon(asked: &Asked<'_>, marked: &[Marked]) -> Option<Marked> {
    let parameter = lone_prose(asked, marked)?;
    let closed = |at: usize| {
        marked
            .iter()
            .any(|text| (text.start.saturating_sub(1)..text.end).contains(&at))
    };
    let at = (1..asked.tokens.len()).find(|at| {
        asked.token(*at).is_some_and(|token| {
            token.after == Break::Colon
                && !asked.is_opaque(&token.range)
                && !closed(*at)
                && *at + 1 < asked.tokens.len()
        })
    })?;
    let start = at + 1;
    let named = asked.hits.iter().any(|hit| {
        hit.end == start
            && hit.parameter != parameter
            && asked.break_before(start) == Break::Colon
            && !is_reference(asked, hit.parameter)
    });
    let goes_on = asked
        .hits
        .iter()
        .any(|hit| hit.start == start && hit.parameter != parameter && asked.is_loaded(hit));
    // `Fresh start: I'd like …` asks behind the colon, not before it.
    let asked_before = asked.tokens.get(..=at).unwrap_or_default().iter().any(|token| {
        asked.is_tool_word(token) || token.is_any(&["this", "that", "it", "tell"]) || token.is_coded()
    }) || asked
        .tokens
        .iter()
        .find(|token| !crate::lexicon::COURTESIES.contains(&token.fold.as_str()))
        .is_some_and(crate::intent::is_verb);
    let named = named || !asked_before;
    if named || goes_on || asked.quoted_at(start).is_some() {
        return None;
    }
    let required = asked
        .meanings
        .get(parameter)
        .is_some_and(|meaning| meaning.is_required());
    Some(Marked {
        parameter,
        start,
        end: tail_end(asked, start, parameter),
        score: if required { 0.9 } else { 0.75 },
        with_stop: true,
    })
}

fn is_reference(asked: &Asked<'_>, parameter: usize) -> bool {
    asked
        .meanings
        .get(parameter)
        .is_some_and(|meaning| meaning.kind.is_reference())
}

/// The one parameter that takes prose and that nothing marked yet names; a required one goes before.
fn lone_prose(asked: &Asked<'_>, marked: &[Marked]) -> Option<usize> {
    let free = |at: &usize| {
        let named = asked.hits_of(*at).any(|hit| {
            asked.break_before(hit.end) == Break::Colon
                || asked
                    .value_start(hit)
                    .is_some_and(|(at, _)| asked.quoted_at(at).is_some())
        });
        !named && !marked.iter().any(|text| text.parameter == *at)
    };
    let prose: Vec<usize> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.kind == Kind::Prose && !meaning.parameter.list)
        .map(|(at, _)| at)
        .filter(free)
        .collect();
    let required: Vec<usize> = prose
        .iter()
        .copied()
        .filter(|at| {
            asked
                .meanings
                .get(*at)
                .is_some_and(|meaning| meaning.is_required())
        })
        .collect();
    match (required.as_slice(), prose.as_slice()) {
        ([one], _) | ([], [one]) => Some(*one),
        _ => None,
    }
}

/// Behind the last word of a text that begins at a word: another parameter's name, or the end of what was said.
fn tail_end(asked: &Asked<'_>, start: usize, parameter: usize) -> usize {
    let mut at = start + 1;
    while at < asked.tokens.len() {
        let before = asked.break_before(at);
        if before >= Break::Comma {
            let next = if asked
                .token(at)
                .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "with", "mit", "avec", "con"]))
            {
                at + 1
            } else {
                at
            };
            let named = asked.hits.iter().any(|hit| {
                let colon = asked.break_before(hit.end) == Break::Colon;
                hit.start == next
                    && hit.parameter != parameter
                    && (colon
                        || (asked.is_loaded(hit) && !is_weak(asked, hit))
                        || (before == Break::Comma && enumerates(asked, hit)))
            });
            let polite = is_courtesy(asked, at)
                && (before == Break::Stop
                    || asked
                        .token(at)
                        .is_some_and(|token| token.is_any(&["please", "pls", "bitte", "svp"])));
            if named || polite || is_own_request(asked, at, before) {
                return at;
            }
        }
        at += 1;
    }
    asked.tokens.len()
}

/// `, members clara and jonah`: the whole name of a parameter that takes names, and names behind it.
fn enumerates(asked: &Asked<'_>, hit: &Hit) -> bool {
    let takes = asked
        .meanings
        .get(hit.parameter)
        .is_some_and(|meaning| meaning.kind.is_reference());
    takes
        && hit.weight >= 0.95
        && asked.token(hit.end).is_some_and(|token| !token.is_common())
        && asked.is_loaded(hit)
}

/// Words that describe a thing as often as they name a parameter end no text.
pub(crate) fn is_weak(asked: &Asked<'_>, hit: &Hit) -> bool {
    let Some(meaning) = asked.meanings.get(hit.parameter) else {
        return true;
    };
    if hit.weight < 0.78 {
        return true;
    }
    let value = asked.value_start(hit).map(|(at, _)| at);
    let sure_value = value.is_some_and(|at| {
        asked.quoted_at(at).is_some()
            || asked
                .token(at)
                .is_some_and(|token| token.is_coded() || super::choices::spelled(meaning, token).is_some())
            || (at == hit.end && asked.spans_at(at).next().is_some())
    });
    !sure_value
}

/// Whether the rest of the request is courtesy.
fn is_courtesy(asked: &Asked<'_>, at: usize) -> bool {
    let rest = asked.tokens.get(at..).unwrap_or_default();
    rest.len() <= 6 && !rest.is_empty() && rest.iter().all(|token| COURTESIES.contains(&token.fold.as_str()))
}

/// Whether a new sentence asks for something: `Could you book that?`.
fn is_own_request(asked: &Asked<'_>, at: usize, before: Break) -> bool {
    before == Break::Stop
        && asked
            .token(at)
            .is_some_and(|token| token.is_any(&["could", "can", "would", "please", "bitte"]))
        && asked
            .token(at + 1)
            .is_some_and(|token| token.is_any(&["you", "u"]) || asked.is_tool_word(token))
}

/// The bytes of a text; the sign that ends its last sentence belongs to it at the end of the request.
fn whole_range(asked: &Asked<'_>, text: &Marked) -> Option<Range<usize>> {
    let range = asked.bytes(text.start, text.end)?;
    // Of a very long request only the beginning is read in words; a text that runs to its end runs to the very end.
    let range = if text.end == TOKENS_MAX {
        range.start..asked.text.trim_end().len()
    } else {
        range
    };
    let start = range.start - lead(asked.text, range.start);
    let prose = asked
        .meanings
        .get(text.parameter)
        .is_some_and(|meaning| meaning.kind == Kind::Prose);
    if !text.with_stop || !prose {
        return Some(start..range.end);
    }
    let next = asked
        .token(text.end)
        .map_or(asked.text.len(), |token| token.range.start);
    let signs = asked.text.get(range.end..next).unwrap_or_default();
    let at_end = text.end >= asked.tokens.len() || is_courtesy(asked, text.end);
    let sentences = asked
        .tokens
        .get(text.start..text.end.saturating_sub(1))
        .unwrap_or_default()
        .iter()
        .any(|token| token.after == Break::Stop);
    let kept: usize = signs
        .chars()
        .take_while(|c| {
            !c.is_whitespace()
                && (at_end || sentences || matches!(c, '!' | '?' | ')'))
                && !matches!(c, ',' | ';')
        })
        .map(char::len_utf8)
        .sum();
    Some(start..range.end + kept)
}

/// Bytes of an opening bracket or sign that belongs to a text.
fn lead(text: &str, start: usize) -> usize {
    let before = text.get(..start).unwrap_or_default();
    before
        .chars()
        .rev()
        .take_while(|c| matches!(c, '(' | '[' | '*' | '<' | '¿' | '¡'))
        .map(char::len_utf8)
        .sum()
}

/// A text as its parameter takes it: lists are cut at commas.
fn value_of(asked: &Asked<'_>, parameter: usize, words: &str) -> Value {
    let list = asked
        .meanings
        .get(parameter)
        .is_some_and(|meaning| meaning.parameter.list);
    if !list {
        return Value::String(words.to_owned());
    }
    let items = words
        .split([',', ';'])
        .flat_map(|part| part.split(" and "))
        .map(|item| item.trim().trim_end_matches('.').to_owned())
        .filter(|item| !item.is_empty())
        .map(Value::String)
        .collect();
    Value::Array(items)
}
