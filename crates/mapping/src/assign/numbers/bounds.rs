//! Which numbers are the least or the most of something: `at least 4 stars`, `under 100 euros`?

use crate::assign::asked::{Asked, Candidate};
use crate::assign::numbers::{Count, value};
use crate::kind::Kind;
use crate::meaning::{Meaning, sense_of};
use crate::span::What;
use crate::words::{Break, name_words};

/// Which end a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The least that is wanted.
    Least,
    /// The most that is wanted.
    Most,
}

/// Words of a name that make it an end.
const LEAST_NAMES: &[&str] = &["min", "minimum", "least", "lowest", "lower"];
const MOST_NAMES: &[&str] = &["max", "maximum", "most", "highest", "upper"];

/// Phrases in front of a number, from their last word back.
const LEAST_BEFORE: &[&[&str]] = &[
    &["least", "at"],
    &["min"],
    &["minimum"],
    &["of", "minimum"],
    &["than", "more"],
    &["than", "greater"],
    &["than", "higher"],
    &["than", "larger"],
    &["than", "bigger"],
    &["than", "longer"],
    &["than", "older"],
    &["than", "better"],
    &["over"],
    &["above"],
    &["exceeding"],
    &["than", "less", "no"],
    &["mindestens"],
    &["uber"],
    &["als", "mehr"],
    &["moins", "au"],
    &["de", "plus"],
    &["menos", "al"],
    &["de", "mas"],
    &[">="],
    &[">"],
];
const MOST_BEFORE: &[&[&str]] = &[
    &["most", "at"],
    &["max"],
    &["maximum"],
    &["of", "maximum"],
    &["to", "up"],
    &["than", "less"],
    &["than", "fewer"],
    &["than", "lower"],
    &["than", "smaller"],
    &["than", "cheaper"],
    &["than", "shorter"],
    &["than", "more", "no"],
    &["than", "more", "not"],
    &["over", "not"],
    &["under"],
    &["below"],
    &["hochstens"],
    &["maximal"],
    &["unter"],
    &["zu", "bis"],
    &["als", "weniger"],
    &["plus", "au"],
    &["de", "moins"],
    &["de", "menos"],
    &["<="],
    &["<"],
];

/// Phrases behind a number or what it counts.
const LEAST_AFTER: &[&[&str]] = &[
    &["or", "more"],
    &["or", "higher"],
    &["or", "better"],
    &["or", "above"],
    &["or", "over"],
    &["and", "up"],
    &["and", "above"],
    &["and", "more"],
    &["at", "least"],
    &["minimum"],
    &["min"],
    &["oder", "mehr"],
    &["ou", "plus"],
    &["o", "mas"],
    &["mindestens"],
];
const MOST_AFTER: &[&[&str]] = &[
    &["or", "less"],
    &["or", "fewer"],
    &["or", "lower"],
    &["or", "under"],
    &["or", "below"],
    &["and", "below"],
    &["at", "most"],
    &["maximum"],
    &["max"],
    &["tops"],
    &["oder", "weniger"],
    &["ou", "moins"],
    &["o", "menos"],
    &["hochstens"],
];

/// Whether a word of a name only says which end it is.
pub(crate) fn is_end_word(word: &str) -> bool {
    LEAST_NAMES.contains(&word) || MOST_NAMES.contains(&word)
}

/// Which end of something a parameter takes.
pub(crate) fn side_of(meaning: &Meaning) -> Option<Side> {
    let words = name_words(meaning.parameter.name());
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
    match (has(LEAST_NAMES), has(MOST_NAMES)) {
        (true, false) => Some(Side::Least),
        (false, true) => Some(Side::Most),
        _ => None,
    }
}

/// Which end a number at these words is said to be.
pub(crate) fn said_side(asked: &Asked<'_>, at: usize, end: usize) -> Option<Side> {
    let before = |phrases: &[&[&str]]| {
        phrases
            .iter()
            .filter(|phrase| {
                phrase.iter().enumerate().all(|(back, word)| {
                    at.checked_sub(back + 1)
                        .and_then(|place| asked.token(place))
                        .is_some_and(|token| token.fold == *word && token.after == Break::None)
                })
            })
            .map(|phrase| phrase.len())
            .max()
    };
    match (before(LEAST_BEFORE), before(MOST_BEFORE)) {
        (Some(least), Some(most)) if least > most => return Some(Side::Least),
        (Some(_), None) => return Some(Side::Least),
        (_, Some(_)) => return Some(Side::Most),
        (None, None) => {}
    }
    (end..end + 3)
        .take_while(|place| {
            (end - 1..*place).all(|at| asked.token(at).is_some_and(|t| t.after == Break::None))
        })
        .find_map(|place| {
            let says = |phrases: &[&[&str]]| {
                phrases.iter().any(|phrase| {
                    phrase.iter().enumerate().all(|(offset, word)| {
                        asked
                            .token(place + offset)
                            .is_some_and(|token| token.fold == *word)
                    })
                })
            };
            if says(LEAST_AFTER) {
                Some(Side::Least)
            } else if says(MOST_AFTER) {
                Some(Side::Most)
            } else {
                None
            }
        })
}

/// Candidates for parameters that take the least or the most of something.
pub(crate) fn bounds(asked: &Asked<'_>, counts: &[Count]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let depth = |meaning: &Meaning| meaning.parameter.path.len();
    let least = asked.meanings.iter().map(depth).min().unwrap_or_default();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        // A bound within an optional object is one of a detail.
        let shallow = depth(meaning) == least || meaning.is_required();
        let Some(side) = side_of(meaning).filter(|_| !meaning.parameter.list && shallow) else {
            continue;
        };
        match meaning.kind {
            Kind::Money(false) => candidates.extend(amounts(asked, parameter, meaning, side)),
            Kind::Number | Kind::Count | Kind::Percent | Kind::Money(true) => {
                candidates.extend(counts.iter().filter_map(|count| {
                    let said = said_side(asked, count.at, count.end)? == side;
                    let named = said && names_measure(asked, meaning, count.at, count.end);
                    let value = value(meaning, count.number).filter(|_| named)?;
                    Some(asked.candidate(parameter, value, count.range.clone(), 0.92))
                }));
            }
            _ => {}
        }
    }
    candidates
}

/// Whether what the bound is of is named close by: `stars` of `min_stars`.
fn names_measure(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize) -> bool {
    let nouns: Vec<String> = name_words(meaning.parameter.name())
        .iter()
        .filter(|word| {
            !LEAST_NAMES.contains(&word.as_str())
                && !MOST_NAMES.contains(&word.as_str())
                && !matches!(word.as_str(), "number" | "count" | "of" | "value" | "num")
        })
        .map(|word| sense_of(word))
        .collect();
    let is_noun = |place: usize| {
        asked.token(place).is_some_and(|token| {
            nouns.iter().any(|noun| {
                token.is(noun)
                    // `rated` is by a `rating`.
                    || (noun.len() >= 5 && token.stem.len() >= 4 && noun.starts_with(token.stem.trim_end_matches('e')))
            })
        })
    };
    let open = |from: usize, to: usize| {
        (from..to).all(|place| asked.token(place).is_some_and(|token| token.after == Break::None))
    };
    let before = (1..=5)
        .map_while(|back| at.checked_sub(back))
        .take_while(|place| open(*place, at))
        .any(is_noun);
    before || (end..end + 3).any(|place| open(end - 1, place) && is_noun(place))
}

/// `under €100`: an amount of money is of a price, whatever that is called.
fn amounts(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, side: Side) -> Vec<Candidate> {
    let alike = asked
        .meanings
        .iter()
        .filter(|other| matches!(other.kind, Kind::Money(_)) && side_of(other) == Some(side))
        .count();
    asked
        .spans
        .iter()
        .filter(|span| !asked.is_opaque(&span.range))
        .filter_map(|span| {
            let (number, money) = match span.what {
                What::Money(number, _) => (number, true),
                What::Number(number) => (number, false),
                _ => return None,
            };
            let at = asked.at_byte(span.range.start);
            let end = asked.at_byte(span.range.end).max(at + 1);
            let said = said_side(asked, at, end)? == side;
            let sure = (money && alike == 1) || names_measure(asked, meaning, at, end);
            let value = value(meaning, number).filter(|_| said && sure)?;
            Some(asked.candidate(parameter, value, span.range.clone(), 0.94))
        })
        .collect()
}

#[cfg(test)]
mod tests;
