//! Which two numbers of a request belong together: `lines 40 to 80`, `between version 4 and 9`, `step 2 of 5`?

use std::ops::Range;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::numbers::bounds::{Side, side_of};
use crate::assign::numbers::{Count, counts, value};
use crate::kind::Kind;
use crate::meaning::{Meaning, sense_of};
use crate::span::What;
use crate::words::{Break, name_words};

/// Words of two names that are one name but for them, the first part's and the second's.
const ENDS: &[(&[&str], &[&str])] = &[
    (&["from"], &["to", "until"]),
    (&["start", "starting"], &["end", "stop", "ending", "finish"]),
    (&["begin", "beginning"], &["end"]),
    (&["first"], &["last", "second"]),
    (&["min", "minimum"], &["max", "maximum"]),
    (&["lower", "low"], &["upper", "high"]),
    (&["old", "previous"], &["new", "current"]),
    (&["source", "src"], &["target", "destination", "dest"]),
    (&["base"], &["head", "target", "compare", "other"]),
    (&["left"], &["right"]),
    (&["a"], &["b"]),
    (&["1"], &["2"]),
    (&["one"], &["two"]),
];

/// Words of a name that say nothing about what is numbered.
const PLAIN: &[&str] = &[
    "number", "num", "no", "id", "index", "value", "position", "pos", "offset", "idx", "iid",
];

/// Two parameters that take two ends of one thing.
struct Pair {
    first: usize,
    second: usize,
    /// What is numbered, where the names tell: `line` of `startLine`.
    nouns: Vec<String>,
}

/// Two numbers of the request with what joins them.
struct Stretch {
    /// The places and numbers of both.
    first: (Range<usize>, f64),
    second: (Range<usize>, f64),
    /// The first and the last word of all of it.
    at: usize,
    end: usize,
    /// Whether one is reached from the other: `from`, `between`, `to`, a dash. Others are merely two.
    reaches: bool,
    /// Words that say what is numbered.
    nouns: Vec<usize>,
}

/// Candidates for parameters that take two numbers together.
pub(crate) fn pairs(asked: &Asked<'_>, counts: &[Count]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let stretches = stretches(asked, counts);
    let known = known_pairs(asked.meanings);
    for pair in &known {
        for stretch in &stretches {
            let is_money = |pair: &Pair| {
                asked
                    .meanings
                    .get(pair.first)
                    .is_some_and(|meaning| matches!(meaning.kind, Kind::Money(_)))
            };
            let rivals = known
                .iter()
                .filter(|other| is_money(other) == is_money(pair))
                .count();
            let Some(score) = fits(asked, pair, stretch, rivals, stretches.len()) else {
                continue;
            };
            candidates.extend(both(asked, pair, stretch, score));
        }
    }
    candidates.extend(operands(asked, counts));
    candidates.extend(listed_ends(asked, &stretches));
    candidates
}

fn both(asked: &Asked<'_>, pair: &Pair, stretch: &Stretch, score: f32) -> Vec<Candidate> {
    let one = |parameter: usize, (range, number): &(Range<usize>, f64)| {
        let meaning = asked.meanings.get(parameter)?;
        let value = value(meaning, *number)?;
        Some(asked.candidate(parameter, value, range.clone(), score))
    };
    match (one(pair.first, &stretch.first), one(pair.second, &stretch.second)) {
        (Some(first), Some(second)) => vec![first, second],
        // Half of two is none.
        _ => Vec::new(),
    }
}

fn takes_number(meaning: &Meaning) -> bool {
    let numeric = matches!(
        meaning.kind,
        Kind::Number | Kind::Count | Kind::Money(false) | Kind::Percent
    ) && meaning.parameter.shape.number;
    // An id that is a number may be one of two.
    (numeric || meaning.kind == Kind::Id) && !meaning.parameter.list
}

fn known_pairs(meanings: &[Meaning]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (first, one) in meanings.iter().enumerate() {
        for (second, other) in meanings.iter().enumerate() {
            let alike = first != second
                && takes_number(one)
                && takes_number(other)
                && alike_kinds(one.kind, other.kind)
                && one.parameter.path.len() == other.parameter.path.len();
            if let Some(nouns) = alike.then(|| common_name(one, other)).flatten() {
                pairs.push(Pair { first, second, nouns });
            }
        }
    }
    pairs
}

fn alike_kinds(one: Kind, other: Kind) -> bool {
    let counts = |kind| matches!(kind, Kind::Number | Kind::Count);
    one == other || (counts(one) && counts(other))
}

/// What two names share where they differ in which end they are; as senses.
fn common_name(one: &Meaning, other: &Meaning) -> Option<Vec<String>> {
    let (a, b) = (
        name_words(one.parameter.name()),
        name_words(other.parameter.name()),
    );
    if a.len() != b.len() {
        return None;
    }
    let differing: Vec<(&String, &String)> = a.iter().zip(&b).filter(|(a, b)| a != b).collect();
    let [(from, to)] = differing.as_slice() else {
        return None;
    };
    let ends = ENDS
        .iter()
        .any(|(first, second)| first.contains(&from.as_str()) && second.contains(&to.as_str()));
    let same = a
        .iter()
        .filter(|word| *word != *from && !PLAIN.contains(&word.as_str()))
        .map(|word| sense_of(word))
        .collect();
    ends.then_some(same)
}

fn fits(asked: &Asked<'_>, pair: &Pair, stretch: &Stretch, pairs: usize, stretches: usize) -> Option<f32> {
    let (one, other) = (asked.meanings.get(pair.first)?, asked.meanings.get(pair.second)?);
    let nouns = || stretch.nouns.iter().filter_map(|at| asked.token(*at));
    let is_noun = |noun: &String| {
        nouns().any(|token| token.is(noun)) || (noun == "version" && is_version(asked, stretch))
    };
    let named = pair.nouns.iter().any(is_noun);
    if side_of(one) == Some(Side::Least) && stretch.first.1 > stretch.second.1 {
        return None;
    }
    // Ids are told from other numbers by what they are of.
    let is_id = one.kind == Kind::Id;
    if named {
        return Some(if stretch.reaches || is_id { 0.95 } else { 0.86 });
    }
    if !pair.nouns.is_empty() {
        // `min_price`, said as an amount of money.
        let amounts = matches!(one.kind, Kind::Money(_)) && pairs == 1 && stretches == 1 && stretch.reaches;
        return (amounts && is_money(asked, stretch)).then_some(0.93);
    }
    let about = format!("{} {}", one.parameter.description, other.parameter.description).to_lowercase();
    let foreign = nouns().any(|token| {
        !token.is_common()
            && !asked.is_tool_word(token)
            && (token.stem.len() <= 2 || !about.contains(&token.stem))
    });
    let plain = stretch.reaches && !is_id && pairs == 1 && stretches == 1 && !foreign;
    plain.then_some(0.84)
}

/// `v4`: a number of a version by its spelling.
fn is_version(asked: &Asked<'_>, stretch: &Stretch) -> bool {
    asked
        .text
        .get(stretch.first.0.clone())
        .is_some_and(|written| written.starts_with(['v', 'V']))
}

fn is_money(asked: &Asked<'_>, stretch: &Stretch) -> bool {
    asked.spans.iter().any(|span| {
        matches!(span.what, What::Money(..))
            && (span.range.start == stretch.first.0.start || span.range.start == stretch.second.0.start)
    })
}

const OPENERS: &[&str] = &[
    "from", "between", "von", "zwischen", "de", "du", "entre", "desde", "vom",
];
const REACHING: &[&str] = &[
    "to", "-", "–", "through", "thru", "till", "until", "bis", "a", "au", "hasta", "up",
];
const JOINING: &[&str] = &[
    "and", "und", "et", "y", "&", "with", "against", "vs", "versus", "mit", "avec", "con",
];
const FILLING: &[&str] = &[
    "the", "number", "no", "nr", "der", "die", "la", "le", "el", "numbers", "id",
];

/// All places where two numbers stand together.
fn stretches(asked: &Asked<'_>, counts: &[Count]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = dashed(asked);
    let numbers = all_numbers(asked, counts);
    for pair in numbers.windows(2) {
        let [
            (at, end, range, number),
            (other_at, other_end, other_range, other),
        ] = pair
        else {
            continue;
        };
        let Some((reaches, within)) = joined(asked, *end, *other_at) else {
            continue;
        };
        let mut nouns = nouns_before(asked, *at);
        let opened = (1..=3)
            .map_while(|back| asked.token(at.checked_sub(back)?))
            .take_while(|token| token.after == Break::None)
            .any(|token| token.is_any(OPENERS));
        nouns.extend(within);
        nouns.extend(noun_behind(asked, *other_end));
        // `4 and 9` reach from one to the other only when something says so.
        found.push(Stretch {
            first: (range.clone(), *number),
            second: (other_range.clone(), *other),
            at: *at,
            end: *other_end,
            reaches: reaches || opened,
            nouns,
        });
    }
    found.retain(|stretch| !is_in_time(asked, stretch));
    found
}

/// Plain numbers, numbers behind a sign, and amounts of money, in order.
fn all_numbers(asked: &Asked<'_>, counts: &[Count]) -> Vec<(usize, usize, Range<usize>, f64)> {
    let mut numbers: Vec<(usize, usize, Range<usize>, f64)> = counts
        .iter()
        .map(|count| (count.at, count.end, count.range.clone(), count.number))
        .collect();
    for span in asked.spans.iter().filter(|span| !asked.is_opaque(&span.range)) {
        if let What::Money(number, _) = span.what {
            let at = asked.at_byte(span.range.start);
            let end = asked.at_byte(span.range.end).max(at + 1);
            numbers.push((at, end, span.range.clone(), number));
        }
    }
    for (at, token) in asked.tokens.iter().enumerate() {
        let bare = token.text.trim_start_matches(['#', 'v', 'V', 'r']);
        let known = numbers
            .iter()
            .any(|(start, end, ..)| (*start..*end).contains(&at));
        if let Ok(number) = bare.parse::<u32>()
            && !known
            && !asked.is_opaque(&token.range)
        {
            numbers.push((at, at + 1, token.range.clone(), f64::from(number)));
        }
    }
    numbers.sort_by_key(|(at, ..)| *at);
    numbers
}

/// `40-80`, `40–80`, `40..80`: two numbers in one word.
fn dashed(asked: &Asked<'_>) -> Vec<Stretch> {
    let mut found = Vec::new();
    for (at, token) in asked.tokens.iter().enumerate() {
        if asked.is_opaque(&token.range) {
            continue;
        }
        let halves = ["–", "..", "-"]
            .iter()
            .find_map(|sign| token.text.split_once(sign));
        let Some((a, b)) = halves else { continue };
        if let (Ok(first), Ok(second)) = (a.parse::<u32>(), b.parse::<u32>()) {
            let middle = token.range.start + a.len();
            let mut nouns = nouns_before(asked, at);
            nouns.extend(noun_behind(asked, at + 1));
            found.push(Stretch {
                first: (token.range.start..middle, f64::from(first)),
                second: (middle..token.range.end, f64::from(second)),
                at,
                end: at + 1,
                reaches: first < second,
                nouns,
            });
        }
    }
    found
}

/// Whether only a joining word and the noun again stand between two numbers; and that noun.
fn joined(asked: &Asked<'_>, end: usize, other: usize) -> Option<(bool, Vec<usize>)> {
    if other < end || other - end > 4 || asked.token(end - 1)?.after > Break::Comma {
        return None;
    }
    let dash = asked.token(end - 1)?.after == Break::Comma;
    let between = (end..other).filter_map(|at| asked.token(at)).collect::<Vec<_>>();
    if dash {
        // `40 - 80`: the sign is no word of its own.
        let first = asked.token(end - 1)?.range.end;
        let sign = asked.text.get(first..asked.token(other)?.range.start)?.trim();
        return (between.is_empty() && matches!(sign, "-" | "–" | "—")).then(|| (true, Vec::new()));
    }
    if between.iter().any(|token| token.after != Break::None) {
        return None;
    }
    let mut reaches = None;
    let mut nouns = Vec::new();
    for (offset, token) in between.iter().enumerate() {
        if token.is_any(REACHING) && reaches.is_none() {
            reaches = Some(true);
        } else if token.is_any(JOINING) && reaches.is_none() {
            reaches = Some(false);
        } else if !token.is_any(FILLING) {
            if token.is_coded() || !nouns.is_empty() {
                return None;
            }
            nouns.push(end + offset);
        }
    }
    reaches.map(|reaches| (reaches, nouns))
}

/// The noun in front of a number: `lines` of `lines 40 to 80`.
fn nouns_before(asked: &Asked<'_>, at: usize) -> Vec<usize> {
    let mut place = at;
    for _ in 0..3 {
        let Some(before) = place.checked_sub(1) else { break };
        let Some(token) = asked.token(before).filter(|token| token.after <= Break::None) else {
            break;
        };
        place = before;
        if token.is_any(FILLING) || token.is_any(OPENERS) {
            continue;
        }
        return vec![before];
    }
    Vec::new()
}

fn noun_behind(asked: &Asked<'_>, end: usize) -> Option<usize> {
    let open = asked.token(end.checked_sub(1)?)?.after == Break::None;
    let token = asked.token(end).filter(|_| open)?;
    (!token.is_common() && !token.is_coded()).then_some(end)
}

/// Whether both numbers are part of a day or a time.
fn is_in_time(asked: &Asked<'_>, stretch: &Stretch) -> bool {
    asked.spans.iter().any(|span| {
        let timely = matches!(
            span.what,
            What::Date(_) | What::Days(..) | What::Moment(_) | What::Time(_) | What::Duration(_)
        );
        timely
            && span.range.start < stretch.second.0.end
            && stretch.first.0.start < span.range.end
            && span.range.len() > 1
    }) && stretch.at < stretch.end
}

/// `thought 2 of 5`: which one, and how many there are.
pub(crate) fn parts_of_all(asked: &Asked<'_>) -> Vec<Candidate> {
    let counts = counts(asked);
    let mut candidates = Vec::new();
    for pair in counts.windows(2) {
        let [one, all] = pair else { continue };
        let of = asked
            .token(one.end)
            .is_some_and(|token| token.is_any(&["of", "von", "sur", "de", "out"]));
        let near =
            all.at == one.end + 1 || (all.at == one.end + 2 && asked.slice(one.end, all.at) == "out of");
        if !of || !near || one.number > all.number {
            continue;
        }
        let before = one.at.checked_sub(1).and_then(|at| asked.token(at));
        let named = |meaning: &Meaning| {
            let words = name_words(meaning.parameter.name());
            before.is_some_and(|token| words.iter().any(|word| token.is(&sense_of(word))))
        };
        let total = |meaning: &Meaning| {
            let words = name_words(meaning.parameter.name());
            words
                .iter()
                .any(|word| matches!(word.as_str(), "total" | "count" | "totals"))
        };
        let numeric = |meaning: &Meaning| meaning.is_numeric() && !meaning.parameter.list;
        let find = |wants_total: bool| {
            let mut found = asked.meanings.iter().enumerate().filter(|(_, meaning)| {
                numeric(meaning)
                    && named(meaning)
                    && total(meaning) == wants_total
                    && is_current(meaning, wants_total)
            });
            match (found.next(), found.next()) {
                (Some(only), None) => Some(only),
                _ => None,
            }
        };
        let (Some((which, own)), Some((whole, other))) = (find(false), find(true)) else {
            continue;
        };
        if let (Some(first), Some(second)) = (value(own, one.number), value(other, all.number)) {
            candidates.push(asked.candidate(which, first, one.range.clone(), 0.95));
            candidates.push(asked.candidate(whole, second, all.range.clone(), 0.95));
        }
    }
    candidates
}

/// Whether a name says which one of several: `thoughtNumber`, `currentStep`, and `step` alone.
fn is_current(meaning: &Meaning, total: bool) -> bool {
    let words = name_words(meaning.parameter.name());
    total
        || words.len() == 1
        || words.iter().any(|word| {
            matches!(
                word.as_str(),
                "number" | "current" | "index" | "no" | "num" | "position"
            )
        }) && !words
            .iter()
            .any(|word| matches!(word.as_str(), "revises" | "from" | "parent" | "branch" | "to"))
}

/// `the sum of 12 and 30`: a tool that needs two numbers and nothing else of numbers, said as two.
fn operands(asked: &Asked<'_>, counts: &[Count]) -> Vec<Candidate> {
    let [one, other] = counts else { return Vec::new() };
    let needed: Vec<(usize, &Meaning)> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.is_numeric() && meaning.is_required())
        .collect();
    let [(first, a), (second, b)] = needed.as_slice() else {
        return Vec::new();
    };
    let names = (squeezed_name(a), squeezed_name(b));
    let ordered = [
        "a b",
        "x y",
        "num1 num2",
        "number1 number2",
        "first second",
        "n1 n2",
        "left right",
        "firstnumber secondnumber",
    ]
    .iter()
    .any(|known| *known == format!("{} {}", names.0, names.1));
    let numbers = a.kind == Kind::Number && b.kind == Kind::Number;
    let linked = other.at == one.end + 1
        && asked.token(one.end).is_some_and(|token| {
            token.is_any(&[
                "and", "plus", "minus", "times", "by", "und", "et", "y", "mal", "+", "*", "x", "/", "divided",
            ])
        });
    // `subtract 5 from 12` turns them round; `take 5 and 12` does not.
    if !ordered || !numbers || !linked {
        return Vec::new();
    }
    let about = format!("{} {}", a.parameter.description, b.parameter.description).to_lowercase();
    if about.contains("coordinate") || about.contains("pixel") || about.contains("position") {
        return Vec::new();
    }
    match (value(a, one.number), value(b, other.number)) {
        (Some(x), Some(y)) => vec![
            asked.candidate(*first, x, one.range.clone(), 0.88),
            asked.candidate(*second, y, other.range.clone(), 0.88),
        ],
        _ => Vec::new(),
    }
}

fn squeezed_name(meaning: &Meaning) -> String {
    crate::words::squeezed(meaning.parameter.name())
}

/// A list that takes both ends: `view_range` as `[40, 80]`.
fn listed_ends(asked: &Asked<'_>, stretches: &[Stretch]) -> Vec<Candidate> {
    let [stretch] = stretches else { return Vec::new() };
    asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.parameter.list && meaning.is_numeric() && stretch.reaches)
        .filter(|(_, meaning)| {
            name_words(meaning.parameter.name())
                .iter()
                .any(|word| word == "range")
        })
        .filter_map(|(parameter, meaning)| {
            let values = vec![
                value(meaning, stretch.first.1)?,
                value(meaning, stretch.second.1)?,
            ];
            let range = stretch.first.0.start..stretch.second.0.end;
            Some(asked.candidate(parameter, Value::Array(values), range, 0.9))
        })
        .collect()
}

#[cfg(test)]
mod tests;
