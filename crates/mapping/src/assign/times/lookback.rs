//! How far back does a request look, and how are lengths of time abbreviated: `the last 48 hours`, `1h 30m`?

use std::ops::Range;

use jiff::SignedDuration;
use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, touches};
use crate::assign::times::written_times::{length_value, moment_value};
use crate::kind::Kind;
use crate::meaning::{Meaning, Role};
use crate::span::What;
use crate::words::{Break, name_words};

/// Words in front of a length that make it reach back from now.
const BACK: &[&str] = &[
    "last",
    "past",
    "previous",
    "preceding",
    "letzten",
    "letzte",
    "vergangenen",
    "dernieres",
    "derniers",
    "derniere",
    "ultimas",
    "ultimos",
    "ultima",
    "pasadas",
];

/// Units with the letter that abbreviates them, and their seconds.
const UNITS: &[(&[&str], char, i64)] = &[
    (
        &[
            "w", "week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas",
        ],
        'w',
        604_800,
    ),
    (
        &[
            "d", "day", "days", "tag", "tage", "tagen", "jour", "jours", "dia", "dias",
        ],
        'd',
        86_400,
    ),
    (
        &[
            "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures", "hora", "horas",
        ],
        'h',
        3_600,
    ),
    (
        &[
            "m", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos",
        ],
        'm',
        60,
    ),
    (
        &[
            "s", "sec", "secs", "second", "seconds", "sekunde", "sekunden", "seconde", "secondes", "segundos",
        ],
        's',
        1,
    ),
];

/// A length of time that a request names.
struct Length {
    range: Range<usize>,
    /// Its amounts as said, the greatest unit first.
    parts: Vec<(i64, char)>,
    /// Whether it reaches back from now.
    back: bool,
}

impl Length {
    fn seconds(&self) -> i64 {
        self.parts
            .iter()
            .map(|(amount, letter)| amount.saturating_mul(seconds_of(*letter)))
            .fold(0, i64::saturating_add)
    }
}

pub(crate) fn seconds_of(letter: char) -> i64 {
    UNITS
        .iter()
        .find(|(_, known, _)| *known == letter)
        .map_or(0, |(_, _, seconds)| *seconds)
}

pub(crate) fn unit_of(word: &str) -> Option<char> {
    UNITS
        .iter()
        .find(|(words, ..)| words.contains(&word))
        .map(|(_, letter, _)| *letter)
}

/// Candidates for parameters that say how far back, since when, or how long in short.
pub(crate) fn lookback(asked: &Asked<'_>) -> Vec<Candidate> {
    let lengths = lengths(asked);
    if lengths.is_empty() {
        return Vec::new();
    }
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if meaning.parameter.list {
            continue;
        }
        match meaning.kind {
            Kind::Spell => candidates.extend(spells(asked, parameter, meaning, &lengths)),
            Kind::Length(unit) if unit > 0 && looks_back(meaning) => {
                candidates.extend(counted_back(asked, parameter, meaning, unit, &lengths));
            }
            Kind::Moment(_) => candidates.extend(moments_back(asked, parameter, meaning, &lengths)),
            _ => {}
        }
    }
    candidates
}

/// Whether a length of time says how far back to look, not how long something takes.
fn looks_back(meaning: &Meaning) -> bool {
    let words = name_words(meaning.parameter.name());
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
    if has(&[
        "timeout",
        "delay",
        "interval",
        "retry",
        "ttl",
        "step",
        "wait",
        "grace",
        "expiry",
        "expires",
        "reminder",
        "expiration",
        "cache",
    ]) {
        return false;
    }
    let about = meaning.parameter.description.to_lowercase();
    let alone = words.len() == 1 && words.iter().all(|word| unit_of(word).is_some() && word.len() > 2);
    alone
        || has(&[
            "lookback", "back", "past", "last", "since", "ago", "window", "recent", "history",
        ])
        || [
            "look back",
            "lookback",
            "into history",
            "into the past",
            "in to the past",
            "prior to now",
            "the last",
            "the past",
            "ago",
            "most recent",
            "time range",
        ]
        .iter()
        .any(|said| about.contains(said))
}

/// Whether a parameter is there to say how far back, in whatever unit.
fn takes_lookback(meaning: &Meaning) -> bool {
    let words = name_words(meaning.parameter.name());
    let named = words.iter().any(|word| {
        matches!(
            word.as_str(),
            "duration" | "period" | "timeframe" | "lookback" | "timerange" | "window" | "timespan"
        )
    });
    let length = matches!(meaning.kind, Kind::Length(_) | Kind::Spell);
    named || (length && looks_back(meaning))
}

/// Whether a length that reaches back from now may be meant by a parameter.
pub(crate) fn may_reach_back(meaning: &Meaning) -> bool {
    looks_back(meaning) || takes_lookback(meaning)
}

/// Whether a text or a name is read from nothing but words that say how far back.
pub(crate) fn is_of_lookback(asked: &Asked<'_>, candidate: &Candidate, lookbacks: &[Candidate]) -> bool {
    let says_something = asked
        .meanings
        .get(candidate.parameter)
        .is_some_and(|meaning| meaning.kind.is_text() || meaning.kind.is_reference());
    says_something
        && lookbacks
            .iter()
            .filter(|lookback| lookback.score >= 0.93)
            .any(|lookback| {
                let before = asked.at_byte(lookback.range.start).checked_sub(1);
                let start = before
                    .and_then(|at| asked.token(at))
                    .filter(|token| token.is_any(BACK))
                    .map_or(lookback.range.start, |token| token.range.start);
                start <= candidate.range.start && candidate.range.end <= lookback.range.end
            })
}

/// `the last 48 hours` for a number of hours.
fn counted_back(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    unit: i64,
    lengths: &[Length],
) -> Vec<Candidate> {
    // Of hours and minutes beside each other the unit that was said goes first.
    let alike: Vec<i64> = asked
        .meanings
        .iter()
        .filter(|other| looks_back(other))
        .filter_map(|other| match other.kind {
            Kind::Length(unit) if unit > 0 => Some(unit),
            _ => None,
        })
        .collect();
    lengths
        .iter()
        .filter(|length| length.back)
        .filter_map(|length| {
            let said = |unit: i64| {
                matches!(length.parts.as_slice(), [(_, letter)] if seconds_of(*letter).saturating_mul(1_000) == unit)
            };
            if !said(unit) && alike.iter().any(|other| said(*other)) {
                return None;
            }
            let value = length_value(meaning, unit, length.seconds())?;
            Some(asked.candidate(parameter, value, length.range.clone(), 0.95))
        })
        .collect()
}

/// `the last 2 hours` begins two hours ago, and ends now where an end is needed.
fn moments_back(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    lengths: &[Length],
) -> Option<Candidate> {
    let mut back = lengths.iter().filter(|length| length.back);
    let (length, None) = (back.next()?, back.next()) else {
        return None;
    };
    // Whole days begin at midnight, and that is read elsewhere.
    let timely = length
        .parts
        .iter()
        .all(|(_, letter)| matches!(letter, 'h' | 'm' | 's'));
    let numeric = meaning.is_numeric() && length.parts.iter().all(|(_, letter)| *letter != 'w');
    if !timely && !numeric {
        return None;
    }
    if asked.meanings.iter().any(takes_lookback) {
        return None;
    }
    let seconds = match meaning.role {
        Role::From => length.seconds(),
        Role::To if meaning.is_required() => 0,
        _ => return None,
    };
    let at = asked
        .now
        .local
        .checked_sub(SignedDuration::from_secs(seconds))
        .ok()?;
    let value = moment_value(meaning, asked.now, at)?;
    let mut candidate = asked.candidate(parameter, value, length.range.clone(), 0.94);
    // Both ends are read from the same words.
    candidate.taking = false;
    Some(candidate)
}

/// Lengths that are written in short: `24h`, `1h 30m`.
fn spells(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, lengths: &[Length]) -> Vec<Candidate> {
    let style = Style::of(meaning);
    let alike = asked
        .meanings
        .iter()
        .filter(|other| matches!(other.kind, Kind::Spell | Kind::Length(_)))
        .count();
    lengths
        .iter()
        .filter(|length| !length.back || may_reach_back(meaning))
        .filter_map(|length| {
            let at = asked.at_byte(length.range.start);
            let named = asked.hits_of(parameter).any(|hit| {
                asked.value_start(hit).is_some_and(|(start, _)| start == at)
                    || hit.start == asked.at_byte(length.range.end)
            });
            let back = length.back && looks_back(meaning);
            let score = match (named || back, lengths.len(), alike) {
                (true, ..) => 0.95,
                // `the last hour` is no width of a step.
                _ if length.back => 0.3,
                (_, 1, 1) if meaning.is_required() => 0.92,
                (_, 1, 1) => 0.84,
                (_, 1, _) if meaning.is_required() => 0.8,
                _ => 0.6,
            };
            let value = Value::String(style.written(&length.parts)?);
            Some(asked.candidate(parameter, value, length.range.clone(), score))
        })
        .collect()
}

/// How a parameter abbreviates lengths.
struct Style {
    spaced: bool,
    letters: Vec<char>,
}

impl Style {
    fn of(meaning: &Meaning) -> Self {
        let shown = format!(
            "{} {}",
            meaning.parameter.description,
            meaning.parameter.shape.examples.join(" ")
        );
        let mut letters: Vec<char> = vec!['h', 'm', 's'];
        let mut spaced = false;
        for word in shown.split(|c: char| !c.is_alphanumeric()) {
            letters.extend(short_parts(word).iter().map(|(_, letter)| *letter));
        }
        let words: Vec<&str> = shown
            .split([' ', ',', '\'', '"', '`', '('])
            .map(|word| word.trim_end_matches([')', '.', ';']))
            .collect();
        for pair in words.windows(2) {
            if let [a, b] = pair {
                spaced |= !short_parts(a).is_empty() && !short_parts(b).is_empty();
            }
        }
        Self { spaced, letters }
    }

    /// As it is said, in units that the parameter is shown to take.
    fn written(&self, parts: &[(i64, char)]) -> Option<String> {
        let mut written: Vec<String> = Vec::new();
        for (amount, letter) in parts {
            let (mut amount, mut letter) = (*amount, *letter);
            for (from, to, times) in [('w', 'd', 7), ('d', 'h', 24)] {
                if letter == from && !self.letters.contains(&from) {
                    (amount, letter) = (amount.checked_mul(times)?, to);
                }
            }
            written.push(format!("{amount}{letter}"));
        }
        Some(written.join(if self.spaced { " " } else { "" }))
    }
}

/// `2m30s` as its parts; empty where it is something else.
fn short_parts(word: &str) -> Vec<(i64, char)> {
    let mut parts = Vec::new();
    let mut digits = String::new();
    for c in word.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        let Ok(amount) = digits.parse::<i64>() else {
            return Vec::new();
        };
        if !matches!(c, 'w' | 'd' | 'h' | 'm' | 's') {
            return Vec::new();
        }
        parts.push((amount, c));
        digits.clear();
    }
    if digits.is_empty() { parts } else { Vec::new() }
}

/// Whether a description shows lengths in short: `e.g. '30s', '2m30s'`.
pub(crate) fn shows_spells(about: &str, examples: &[String], words: &[String]) -> bool {
    let shown = format!("{about} {}", examples.join(" "));
    let count = shown
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !short_parts(word).is_empty())
        .count();
    let timely = words.iter().any(|word| {
        [
            "timeout",
            "interval",
            "duration",
            "period",
            "since",
            "ttl",
            "window",
            "lookback",
            "time",
            "step",
            "spent",
            "estimate",
            "age",
            "timeframe",
            "delay",
            "wait",
            "expires",
            "expiry",
            "timespan",
            "timerange",
        ]
        .contains(&word.as_str())
    });
    // Where moments are taken too, they are the surer reading.
    let moments = ["rfc", "iso", "yyyy", "timestamp", "now"]
        .iter()
        .any(|said| about.contains(said));
    timely && !moments && count >= 1
}

/// The lengths of time of a request, in order.
fn lengths(asked: &Asked<'_>) -> Vec<Length> {
    let mut found: Vec<Length> = Vec::new();
    let mut at = 0;
    while at < asked.tokens.len() {
        match length_at(asked, at) {
            Some((length, end)) => {
                found.push(length);
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    // `the last hour` counts one of its unit.
    found.extend(single_units(asked, &found));
    found.sort_by_key(|length| length.range.start);
    found
}

/// `48 hours`, `1h 30m`, `an hour and 5 minutes` from a word on.
fn length_at(asked: &Asked<'_>, at: usize) -> Option<(Length, usize)> {
    let first = asked.token(at).filter(|token| !asked.is_opaque(&token.range))?;
    let mut parts: Vec<(i64, char)> = Vec::new();
    let mut place = at;
    let mut article = false;
    loop {
        let linked = usize::from(
            !parts.is_empty()
                && asked
                    .token(place)
                    .is_some_and(|token| token.is_any(&["and", "und", "et", "y"])),
        );
        let Some((more, next)) = part_at(asked, place + linked) else {
            break;
        };
        let smaller = match (parts.last(), more.first()) {
            (Some((_, before)), Some((_, after))) => seconds_of(*after) < seconds_of(*before),
            _ => true,
        };
        if !smaller {
            break;
        }
        article |= asked.token(place).is_some_and(|token| token.is_any(&["a", "an"]));
        parts.extend(more);
        place = next;
        if asked.token(place - 1)?.after != Break::None {
            break;
        }
    }
    if parts.is_empty() {
        return None;
    }
    let range = first.range.start..asked.token(place - 1)?.range.end;
    // `an hour` alone is a rate, or idle talk, as often as a length.
    let told = asked
        .spans
        .iter()
        .any(|span| matches!(span.what, What::Duration(_)) && touches(&span.range, &range));
    if article && parts.len() == 1 && !told && !is_back(asked, at) {
        return None;
    }
    // What is a day or a time of day is no length.
    let other = asked.spans.iter().any(|span| {
        matches!(
            span.what,
            What::Date(_) | What::Time(_) | What::Moment(_) | What::Money(..) | What::Id(_)
        ) && touches(&span.range, &range)
            && asked
                .text
                .get(span.range.clone())
                .is_none_or(|word| short_parts(word).is_empty())
    });
    let back = is_back(asked, at);
    (!other).then_some((Length { range, parts, back }, place))
}

/// One amount with its unit, in one word or two.
fn part_at(asked: &Asked<'_>, at: usize) -> Option<(Vec<(i64, char)>, usize)> {
    let token = asked.token(at)?;
    let short = short_parts(&token.fold);
    if !short.is_empty() {
        return Some((short, at + 1));
    }
    let (digits, unit): (String, String) = token.fold.chars().partition(char::is_ascii_digit);
    if let (Ok(amount), Some(letter)) = (digits.parse::<i64>(), unit_of(&unit)) {
        let joined = token.fold.starts_with(&digits);
        return joined.then_some((vec![(amount, letter)], at + 1));
    }
    let (amount, after) = asked
        .spans_at(at)
        .find_map(|span| match span.what {
            What::Number(number) if number.fract() == 0.0 && number > 0.0 => {
                Some((number as i64, asked.at_byte(span.range.end)))
            }
            // A whole length tells its number by its first word.
            What::Duration(_) | What::Days(..) => {
                let amount = token.fold.parse::<i64>().ok().or_else(|| worded(&token.fold))?;
                Some((amount, at + 1))
            }
            _ => None,
        })
        .or_else(|| {
            Some((
                token.fold.parse::<i64>().ok().or_else(|| worded(&token.fold))?,
                at + 1,
            ))
        })?;
    let unit = asked.token(after).filter(|_| {
        after > at
            && asked
                .token(after - 1)
                .is_some_and(|token| token.after == Break::None)
    })?;
    let letter = unit_of(&unit.fold).filter(|_| unit.fold.len() > 1 || unit.fold == "h")?;
    Some((vec![(amount, letter)], after + 1))
}

/// Small numbers that are said in a word.
fn worded(word: &str) -> Option<i64> {
    const WORDS: &[&str] = &[
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    let tens = [
        ("a", 1),
        ("an", 1),
        ("fifteen", 15),
        ("twenty", 20),
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("ninety", 90),
    ];
    WORDS
        .iter()
        .position(|known| *known == word)
        .and_then(|at| i64::try_from(at + 1).ok())
        .or_else(|| {
            tens.iter()
                .find(|(known, _)| *known == word)
                .map(|(_, number)| *number)
        })
}

/// `the last hour`, `past day`.
fn single_units(asked: &Asked<'_>, known: &[Length]) -> Vec<Length> {
    (0..asked.tokens.len())
        .filter_map(|at| {
            let token = asked.token(at).filter(|token| !asked.is_opaque(&token.range))?;
            let singular =
                ["hour", "minute", "day", "week", "stunde", "heure", "hora"].contains(&token.fold.as_str());
            let letter = unit_of(&token.fold).filter(|_| singular && is_back(asked, at))?;
            let fresh = !known.iter().any(|length| touches(&length.range, &token.range));
            fresh.then(|| Length {
                range: token.range.clone(),
                parts: vec![(1, letter)],
                back: true,
            })
        })
        .collect()
}

/// Whether the word in front makes a length reach back from now.
pub(crate) fn is_back(asked: &Asked<'_>, at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|token| token.after == Break::None && token.is_any(BACK))
}

#[cfg(test)]
mod tests;
