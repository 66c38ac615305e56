//! Which switch does a request set in the words of its description?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::choices::is_negated;
use crate::kind::Kind;
use crate::lexicon;
use crate::meaning::Meaning;
use crate::words::{Break, fold, stem};

/// `True to start watching, false to stop`, `If False, returns only index names`: what a description says of
/// either side.
pub(crate) fn by_sides(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let about = fold(&meaning.parameter.description);
    let (yes, no) = (clause(&about, "true"), clause(&about, "false"));
    let found = match (said(asked, &yes), said(asked, &no)) {
        (Some(at), None) => Some((at, true)),
        (None, Some(at)) => Some((at, false)),
        _ => None,
    };
    let (at, value) = found
        .or_else(|| listed_side(asked, &about).map(|at| (at, false)))
        .or_else(|| first_words(asked, meaning, &yes, &no))?;
    let mut candidate = asked.candidate(parameter, Value::Bool(value), asked.bytes(at, at + 1)?, 0.8);
    candidate.taking = false;
    Some(candidate)
}

/// The telling words of what a description says of one side: `returns only index names`.
fn clause(about: &str, truth: &str) -> Vec<String> {
    const LEADS: &[&str] = &[
        "to", "for", "if", "when", "the", "it", "a", "means", "will", "is", "it's",
    ];
    let at = about
        .match_indices(truth)
        .map(|(at, _)| at)
        .find(|at| !about.get(..*at).unwrap_or_default().ends_with("default is "));
    let Some(rest) = at.and_then(|at| about.get(at + truth.len()..)) else {
        return Vec::new();
    };
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = rest.find(['.', ';', '\n']).unwrap_or(rest.len());
    rest.get(..end)
        .unwrap_or_default()
        .split(|c: char| c.is_whitespace() || "/,".contains(c))
        .map(|word| word.split('(').next().unwrap_or_default())
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
        .filter(|word| !word.is_empty())
        .skip_while(|word| LEADS.contains(&word.as_str()))
        .take(8)
        .collect()
}

/// `only the names`, where a side gives back `only index names`: the word for what remains decides.
fn said(asked: &Asked<'_>, clause: &[String]) -> Option<usize> {
    const ONLY: &[&str] = &[
        "only",
        "just",
        "nur",
        "seulement",
        "juste",
        "solo",
        "solamente",
        "uniquement",
    ];
    let only = clause.iter().position(|word| ONLY.contains(&word.as_str()))?;
    let remaining = clause.get(only + 1..)?;
    let last = stem(remaining.last().filter(|_| remaining.len() <= 3)?);
    if last.len() < 3 || lexicon::is_common(&last) {
        return None;
    }
    (0..asked.tokens.len()).find(|at| {
        let is = asked.token(*at).is_some_and(|token| {
            (token.stem == last || token.sense == Some(&last)) && !asked.is_opaque(&token.range)
        });
        let marked = (1..=3).any(|back| {
            at.checked_sub(back).is_some_and(|before| {
                asked.token(before).is_some_and(|token| token.is_any(ONLY))
                    && (before + 1..*at).all(|place| {
                        asked
                            .token(place)
                            .is_some_and(|token| token.is_common() && token.after == Break::None)
                    })
            })
        });
        let alone = asked.break_before(at + 1) == Break::None
            && asked.token(at + 1).is_some_and(|next| {
                next.is_any(ONLY) && (next.after >= Break::Comma || at + 2 == asked.tokens.len())
            });
        is && (marked || alone)
    })
}

/// `Only done ones, or only those still to do`: the words of the second side.
fn listed_side(asked: &Asked<'_>, about: &str) -> Option<usize> {
    const LEADS: &[&str] = &["only", "those", "the", "ones", "that", "are", "which"];
    let (_, rest) = about
        .split_once(" or only ")
        .or_else(|| about.split_once(", or those "))?;
    let end = rest.find(['.', ';', ',', '\n']).unwrap_or(rest.len());
    let words: Vec<&str> = rest
        .get(..end)?
        .split_whitespace()
        .skip_while(|word| LEADS.contains(word))
        .collect();
    if words.len() < 2 || words.len() > 4 {
        return None;
    }
    (0..asked.tokens.len()).find(|at| {
        words.iter().enumerate().all(|(offset, word)| {
            asked
                .token(at + offset)
                .is_some_and(|token| token.fold == *word && !asked.is_opaque(&token.range))
        })
    })
}

/// Of a switch that needs to be set: the first telling word of either side decides.
fn first_words(asked: &Asked<'_>, meaning: &Meaning, yes: &[String], no: &[String]) -> Option<(usize, bool)> {
    if !meaning.is_required() {
        return None;
    }
    let place = |side: &[String]| {
        let word = stem(side.first()?);
        (0..asked.tokens.len()).find(|at| {
            asked
                .token(*at)
                .is_some_and(|token| token.stem == word && !asked.is_opaque(&token.range))
        })
    };
    // `true to start watching`: who watches starts.
    let started = yes
        .first()
        .is_some_and(|word| matches!(word.as_str(), "start" | "begin"))
        .then(|| place(yes.get(1..).unwrap_or_default()))
        .flatten();
    match (place(yes), place(no)) {
        (Some(at), None) => Some((at, true)),
        (None, Some(at)) => Some((at, false)),
        (None, None) => started.map(|at| (at, true)),
        _ => None,
    }
}

/// `read-only`, where only the description of one switch has that compound: `Open in lightbox mode (read-only view)`.
pub(crate) fn by_gloss(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    if meaning.kind != Kind::Flag {
        return None;
    }
    let has = |about: &str, word: &str| {
        fold(about)
            .split(|c: char| !(c.is_alphanumeric() || c == '-'))
            .any(|own| own == word)
    };
    let at = (0..asked.tokens.len()).find(|at| {
        asked.token(*at).is_some_and(|token| {
            let compound = token.fold.len() > 6
                && token.fold.contains('-')
                && token
                    .fold
                    .split('-')
                    .all(|part| part.len() > 1 && part.chars().all(char::is_alphabetic));
            compound
                && !asked.is_opaque(&token.range)
                && !asked.is_tool_word(token)
                && !is_negated(asked, *at)
                && asked.meanings.iter().enumerate().all(|(other, one)| {
                    let own = other == parameter;
                    has(&one.parameter.description, &token.fold) == own
                        && (own || one.spellings.iter().all(|choice| choice.plain != token.fold))
                })
        })
    })?;
    let about = fold(&meaning.parameter.description);
    let denied = ["not ", "non-", "false", "unless", "except"]
        .iter()
        .any(|word| about.split(['(', '.']).next().unwrap_or_default().contains(word));
    (!denied)
        .then(|| asked.bytes(at, at + 1))?
        .map(|range| asked.candidate(parameter, Value::Bool(true), range, 0.8))
}
