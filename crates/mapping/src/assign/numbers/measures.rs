//! Which measures does a request give, and in which unit: `within 800 metres`, `800 wide and 600 high`, `128 GB`?

use std::ops::Range;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::numbers::{Count, value};
use crate::assign::times::lookback::{seconds_of, unit_of};
use crate::kind::{Kind, unit};
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::{Break, name_words};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dimension {
    Distance,
    Data,
    Degrees,
    Pixels,
}

/// Words for units, what they measure, and how many of the least unit they are.
const UNITS: &[(&[&str], Dimension, f64)] = &[
    (
        &["m", "meter", "meters", "metre", "metres", "metern", "metros"],
        Dimension::Distance,
        1.0,
    ),
    (
        &[
            "km",
            "kilometer",
            "kilometers",
            "kilometre",
            "kilometres",
            "kilometern",
            "kilometros",
            "kms",
        ],
        Dimension::Distance,
        1_000.0,
    ),
    (
        &["mi", "mile", "miles", "meilen", "millas"],
        Dimension::Distance,
        1_609.344,
    ),
    (&["ft", "feet", "foot"], Dimension::Distance, 0.3048),
    (&["bytes", "byte"], Dimension::Data, 1.0),
    (&["kb", "kilobytes"], Dimension::Data, 1.0e3),
    (&["mb", "megabytes"], Dimension::Data, 1.0e6),
    (&["gb", "gigabytes", "gigs"], Dimension::Data, 1.0e9),
    (&["tb", "terabytes"], Dimension::Data, 1.0e12),
    (&["kib"], Dimension::Data, 1_024.0),
    (&["mib"], Dimension::Data, 1_048_576.0),
    (&["gib"], Dimension::Data, 1_073_741_824.0),
    (&["px", "pixel", "pixels", "pixeln"], Dimension::Pixels, 1.0),
    (
        &["degrees", "degree", "°", "°c", "°f", "grad", "grados", "degres"],
        Dimension::Degrees,
        1.0,
    ),
];

/// A number with its unit.
struct Measure {
    number: f64,
    dimension: Dimension,
    factor: f64,
    range: Range<usize>,
    at: usize,
}

fn unit_said(word: &str) -> Option<(Dimension, f64)> {
    UNITS
        .iter()
        .find(|(words, ..)| words.contains(&word))
        .map(|(_, dimension, factor)| (*dimension, *factor))
}

/// Candidates for parameters that are measured.
pub(crate) fn measures(asked: &Asked<'_>, counts: &[Count]) -> Vec<Candidate> {
    let mut candidates = sizes(asked, counts);
    candidates.extend(lists_of_lengths(asked, counts));
    let said = said(asked);
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let plain = matches!(meaning.kind, Kind::Number | Kind::Count) && !meaning.parameter.list;
        let Some((dimension, own)) = measured(asked, meaning).filter(|_| plain) else {
            continue;
        };
        let alike = asked
            .meanings
            .iter()
            .filter(|other| {
                matches!(other.kind, Kind::Number | Kind::Count)
                    && measured(asked, other).is_some_and(|(known, _)| known == dimension)
            })
            .count();
        let fitting: Vec<&Measure> = said
            .iter()
            .filter(|measure| measure.dimension == dimension)
            .collect();
        for measure in &fitting {
            let named = asked.hits_of(parameter).any(|hit| {
                asked
                    .value_start(hit)
                    .is_some_and(|(start, _)| start == measure.at)
            });
            let alone = fitting.len() == 1 && alike == 1;
            let number = match own {
                Some(own) if (own - measure.factor).abs() > f64::EPSILON => {
                    rounded(measure.number * measure.factor / own)
                }
                _ => measure.number,
            };
            if let Some(value) = value(meaning, number).filter(|_| named || alone) {
                let score = if named { 0.96 } else { 0.88 };
                candidates.push(asked.candidate(parameter, value, measure.range.clone(), score));
            }
        }
    }
    candidates
}

/// Without the dust of the conversion.
fn rounded(number: f64) -> f64 {
    (number * 1.0e6).round() / 1.0e6
}

/// What a parameter measures, and in how many of the least unit; without it where the unit is said besides.
fn measured(asked: &Asked<'_>, meaning: &Meaning) -> Option<(Dimension, Option<f64>)> {
    let words = name_words(meaning.parameter.name());
    let about = meaning.parameter.description.to_lowercase();
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
    // Either the name ends with the unit, or the description says `in metres`.
    let of_name = words
        .last()
        .and_then(|last| unit_said(last))
        .filter(|_| words.len() > 1);
    let said: Vec<(Dimension, f64)> = about
        .split(|c: char| !c.is_alphanumeric())
        .collect::<Vec<_>>()
        .windows(2)
        .filter_map(|pair| match pair {
            [link, word] if matches!(*link, "in" | "of") && word.len() > 1 => unit_said(word),
            _ => None,
        })
        .collect();
    let of_about = match said.as_slice() {
        [one] => Some(*one),
        _ => None,
    };
    let takes_unit = asked
        .meanings
        .iter()
        .any(|other| matches!(other.parameter.name(), "unit" | "units") && other.kind == Kind::Choice);
    if let Some((dimension, factor)) = of_name.or(of_about) {
        let fits = match dimension {
            Dimension::Distance => {
                of_name.is_some()
                    || has(&[
                        "radius",
                        "distance",
                        "range",
                        "within",
                        "buffer",
                        "meters",
                        "length",
                        "generalize",
                    ])
            }
            Dimension::Data => {
                of_name.is_some() || has(&["size", "memory", "storage", "capacity", "disk", "ram"])
            }
            Dimension::Pixels => has(&[
                "distance", "amount", "scroll", "delta", "margin", "padding", "spacing",
            ]),
            Dimension::Degrees => has(&["angle", "rotation", "bearing", "heading", "tilt", "temperature"]),
        };
        return fits.then_some((dimension, Some(factor)));
    }
    if takes_unit && has(&["radius", "distance"]) {
        return Some((Dimension::Distance, None));
    }
    has(&["temperature", "rotation", "angle", "tilt"]).then_some((Dimension::Degrees, Some(1.0)))
}

/// The measures of a text: `800 m`, `5km`.
fn said(asked: &Asked<'_>) -> Vec<Measure> {
    let mut found = Vec::new();
    for (at, token) in asked.tokens.iter().enumerate() {
        if asked.is_opaque(&token.range) {
            continue;
        }
        let end = token
            .fold
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(token.fold.len());
        let (digits, rest) = token.fold.split_at(end);
        let number = digits.parse::<f64>().ok().or_else(|| {
            let word = asked.spans_at(at).find_map(|span| match span.what {
                What::Number(number) if span.range == token.range => Some(number),
                _ => None,
            });
            word.filter(|_| rest.len() == token.fold.len())
        });
        let Some(number) = number else { continue };
        let joined = unit_said(rest).filter(|_| !digits.is_empty());
        if let Some((dimension, factor)) = joined {
            found.push(Measure {
                number,
                dimension,
                factor,
                range: token.range.clone(),
                at,
            });
            continue;
        }
        if token.after != Break::None || !(rest.is_empty() || digits.is_empty()) {
            continue;
        }
        if let Some(next) = asked.token(at + 1)
            && let Some((dimension, factor)) = unit_said(&next.fold)
        {
            found.push(Measure {
                number,
                dimension,
                factor,
                range: token.range.start..next.range.end,
                at,
            });
        }
    }
    found
}

/// `10, 20 and 30 minutes` for a list of lengths.
fn lists_of_lengths(asked: &Asked<'_>, counts: &[Count]) -> Vec<Candidate> {
    let lists: Vec<(usize, &Meaning, i64)> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.parameter.list && meaning.is_numeric())
        .filter_map(|(parameter, meaning)| {
            let words = name_words(meaning.parameter.name());
            let unit = unit(&words, &meaning.parameter.description.to_lowercase())?;
            Some((parameter, meaning, unit))
        })
        .collect();
    let [(parameter, meaning, unit)] = lists.as_slice() else {
        return Vec::new();
    };
    let mut lengths = (0..asked.tokens.len()).filter_map(|at| {
        let (token, next) = (asked.token(at)?, asked.token(at + 1)?);
        let own = token.fold.parse::<f64>().ok().filter(|own| *own > 0.0)?;
        let letter = unit_of(&next.fold).filter(|_| token.after == Break::None && next.fold.len() > 1)?;
        (!asked.is_opaque(&token.range)).then_some((at, own, seconds_of(letter)))
    });
    let (Some((at, own, seconds)), None) = (lengths.next(), lengths.next()) else {
        return Vec::new();
    };
    let (Some(first), Some(last)) = (asked.token(at), asked.token(at + 1)) else {
        return Vec::new();
    };
    let factor = seconds as f64 * 1_000.0 / *unit as f64;
    let mut numbers = vec![own];
    let mut start = first.range.start;
    let mut place = at;
    loop {
        let joined = place
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "or"]));
        let before = place.checked_sub(if joined { 2 } else { 1 });
        let more = before.and_then(|before| {
            let token = asked.token(before)?;
            let linked = joined || token.after == Break::Comma;
            counts
                .iter()
                .find(|count| linked && count.at == before && count.end == before + 1)
        });
        let Some(more) = more else { break };
        numbers.insert(0, more.number);
        start = more.range.start;
        place = more.at;
    }
    let values: Option<Vec<Value>> = numbers
        .iter()
        .map(|number| value(meaning, rounded(number * factor)))
        .collect();
    values.map_or_else(Vec::new, |values| {
        vec![asked.candidate(*parameter, Value::Array(values), start..last.range.end, 0.92)]
    })
}

/// `1280 x 720`, `800 wide and 600 high`: two sides; and `4 x 3` for rows and columns.
fn sizes(asked: &Asked<'_>, counts: &[Count]) -> Vec<Candidate> {
    let named = |name: &str| {
        let mut found = asked
            .meanings
            .iter()
            .enumerate()
            .filter(|(_, meaning)| meaning.thing.as_deref() == Some(name) && meaning.is_numeric());
        let first = found.next()?;
        let depth = first.1.parameter.path.len();
        // Of several widths the plain one is meant.
        found
            .all(|(_, other)| other.parameter.path.len() > depth || other.parameter.name() != name)
            .then_some(first.0)
    };
    let sides = match (named("width"), named("height"), named("row"), named("column")) {
        (Some(width), Some(height), ..) => (width, height),
        (_, _, Some(rows), Some(columns)) => (rows, columns),
        _ => return Vec::new(),
    };
    let mut candidates = by_adjective(asked, counts, sides);
    for (range, a, b) in products(asked, counts) {
        let middle = range.start + (range.end - range.start) / 2;
        for (parameter, number, part) in [(sides.0, a, range.start..middle), (sides.1, b, middle..range.end)]
        {
            if let Some(value) = asked
                .meanings
                .get(parameter)
                .and_then(|meaning| value(meaning, number))
            {
                candidates.push(asked.candidate(parameter, value, part, 0.95));
            }
        }
    }
    candidates
}

/// Two numbers joined to a size.
fn products(asked: &Asked<'_>, counts: &[Count]) -> Vec<(Range<usize>, f64, f64)> {
    let pairs = counts.windows(2).filter_map(|pair| match pair {
        [a, b] => asked
            .token(a.end)
            .filter(|sign| {
                sign.is_any(&["x", "by", "*", "mal", "×", "sur", "por", "par"]) && b.at == a.end + 1
            })
            .map(|_| (a, b)),
        _ => None,
    });
    let mut read: Vec<(Range<usize>, f64, f64)> = pairs
        .map(|(a, b)| (a.range.start..b.range.end, a.number, b.number))
        .collect();
    for token in asked.tokens.iter().filter(|token| !asked.is_opaque(&token.range)) {
        let sides: Vec<f64> = token
            .fold
            .trim_end_matches("px")
            .split(['x', '×'])
            .filter_map(|side| side.trim_end_matches("px").parse().ok())
            .collect();
        let parts = token.fold.trim_end_matches("px").split(['x', '×']).count();
        // `800px` is none of two.
        if let ([a, b], 2) = (sides.as_slice(), parts) {
            read.push((token.range.clone(), *a, *b));
        }
    }
    read
}

/// `800 pixels wide`, `600 high`.
fn by_adjective(asked: &Asked<'_>, counts: &[Count], sides: (usize, usize)) -> Vec<Candidate> {
    const WIDE: &[&str] = &["wide", "across", "breit", "ancho"];
    const HIGH: &[&str] = &["high", "tall", "hoch", "alto"];
    let mut candidates = Vec::new();
    for count in counts {
        let unit = asked
            .token(count.end)
            .is_some_and(|token| token.is_any(&["px", "pixels", "pixel"]));
        let Some(word) = asked.token(count.end + usize::from(unit)) else {
            continue;
        };
        if asked
            .token(count.end - 1)
            .is_some_and(|token| token.after != Break::None)
        {
            continue;
        }
        let parameter = if word.is_any(WIDE) {
            sides.0
        } else if word.is_any(HIGH) {
            sides.1
        } else {
            continue;
        };
        let of = asked.meanings.get(parameter);
        let sized = of.is_some_and(|meaning| matches!(meaning.thing.as_deref(), Some("width" | "height")));
        if let Some(value) = of
            .filter(|_| sized)
            .and_then(|meaning| value(meaning, count.number))
        {
            candidates.push(asked.candidate(parameter, value, count.range.clone(), 0.94));
        }
    }
    candidates
}

#[cfg(test)]
mod tests;
