//! By how much, and which way: `14 were broken, take them off the stock`?

use crate::assign::asked::{Asked, Candidate};
use crate::assign::numbers::{counts, value};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Break, name_words};

/// Words that make something less.
const DOWN: &[&str] = &[
    "minus",
    "less",
    "fewer",
    "remove",
    "removed",
    "subtract",
    "deduct",
    "decrease",
    "decrement",
    "reduce",
    "lower",
    "lost",
    "broken",
    "broke",
    "damaged",
    "sold",
    "cracked",
    "smashed",
    "pieces",
    "spoiled",
    "expired",
    "stolen",
    "missing",
    "off",
    "down",
    "gone",
    "withdraw",
    "shrink",
    "rotten",
    "ruined",
    "weniger",
    "abziehen",
    "kaputt",
    "zerbrochen",
    "verkauft",
    "moins",
    "retire",
    "casses",
    "cassees",
    "vendus",
    "menos",
    "resta",
    "rotos",
    "rotas",
    "vendidos",
];

/// Words that make something more.
const UP: &[&str] = &[
    "plus",
    "more",
    "add",
    "added",
    "extra",
    "increase",
    "increment",
    "raise",
    "receive",
    "received",
    "arrive",
    "arrived",
    "restock",
    "restocked",
    "delivered",
    "additional",
    "gained",
    "came",
    "mehr",
    "hinzu",
    "geliefert",
    "eingetroffen",
    "ajoute",
    "recus",
    "recues",
    "livres",
    "arrives",
    "mas",
    "suma",
    "recibidos",
    "llegaron",
    "another",
];

/// Words that say how many there are, not by how many that changes.
const ABSOLUTE: &[&str] = &[
    "left",
    "remaining",
    "remain",
    "total",
    "counted",
    "set",
    "exactly",
    "restants",
    "quedan",
    "ubrig",
];

/// Candidates for numbers that are added to what there is.
pub(crate) fn changes(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut takers = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| is_change(meaning));
    let (Some((parameter, meaning)), None) = (takers.next(), takers.next()) else {
        return Vec::new();
    };
    let counts = counts(asked);
    let [count] = counts.as_slice() else {
        return Vec::new();
    };
    // `to 14` says what there is to be, not by how much it changes.
    let set = count
        .at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|token| token.after == Break::None && token.is_any(&["to", "auf", "a", "at", "="]))
        || asked
            .tokens
            .iter()
            .any(|token| token.is_any(ABSOLUTE) && !asked.is_opaque(&token.range));
    let named = asked
        .hits_of(parameter)
        .any(|hit| asked.value_start(hit).is_some_and(|(start, _)| start == count.at));
    if set || named || asked.is_claimed(count.at, parameter, 1) {
        return Vec::new();
    }
    let number = if count.number < 0.0 {
        count.number
    } else {
        match way(asked) {
            Some(Way::Down) => -count.number,
            Some(Way::Up) => count.number,
            None => return Vec::new(),
        }
    };
    value(meaning, number)
        .map(|value| asked.candidate(parameter, value, count.range.clone(), 0.86))
        .into_iter()
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// Which way all words of the request point; nothing where they point both ways.
fn way(asked: &Asked<'_>) -> Option<Way> {
    let says = |words: &[&str]| {
        asked
            .tokens
            .iter()
            .any(|token| !asked.is_opaque(&token.range) && token.is_any(words))
    };
    match (says(UP), says(DOWN)) {
        (true, false) => Some(Way::Up),
        (false, true) => Some(Way::Down),
        _ => None,
    }
}

/// Whether a parameter takes a difference, less than nothing included.
fn is_change(meaning: &Meaning) -> bool {
    let about = meaning.parameter.description.to_lowercase();
    let words = name_words(meaning.parameter.name());
    let named = words.iter().any(|word| {
        matches!(
            word.as_str(),
            "change"
                | "delta"
                | "adjustment"
                | "difference"
                | "adjust"
                | "diff"
                | "offset"
                | "by"
                | "quantity"
                | "amount"
        )
    });
    let signed = meaning.parameter.shape.minimum.is_some_and(|least| least < 0.0)
        || ["negative", "minus", "decrease", "subtract"]
            .iter()
            .any(|said| about.contains(said));
    named
        && signed
        && meaning.is_numeric()
        && !meaning.parameter.list
        && matches!(meaning.kind, Kind::Number | Kind::Count)
}

#[cfg(test)]
mod tests;
