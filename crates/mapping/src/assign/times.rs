//! Which days, moments and lengths of time of a request belong where, and how does the schema want them written?

pub(crate) mod date_families;
pub(crate) mod lookback;
pub(crate) mod schedules;
mod tense;
pub(crate) mod whens;
pub(crate) mod windows;
pub(crate) mod written_times;

use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::Time;
use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::times::date_families::has_twin;
use crate::assign::times::lookback::{is_back, may_reach_back};
use crate::assign::times::whens::{When, not_to_come, whens};
use crate::assign::times::written_times::{date_value, length_value, moment_value};
use crate::kind::Kind;
use crate::meaning::{Meaning, Role};
use crate::span::What;
use crate::words::Break;

/// Candidates for days, moments, times of day and lengths.
pub(crate) fn times(asked: &Asked<'_>) -> Vec<Candidate> {
    let whens = whens(asked);
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if meaning.parameter.list {
            continue;
        }
        match meaning.kind {
            Kind::Date => candidates.extend(dates(asked, parameter, meaning, &whens)),
            Kind::Moment(_) => candidates.extend(moments(asked, parameter, meaning, &whens)),
            Kind::Time => candidates.extend(clocks(asked, parameter)),
            Kind::Length(unit) => candidates.extend(lengths(asked, parameter, meaning, unit)),
            _ => {}
        }
    }
    candidates
}

/// How the words in front of a time say which of a span's two ends it is.
fn link_before(asked: &Asked<'_>, range: &Range<usize>) -> Option<Role> {
    let at = asked.at_byte(range.start);
    let inside = asked.token(at).filter(|token| token.range.start < range.end);
    let before = at.checked_sub(1).and_then(|before| asked.token(before));
    let from = [
        "from", "since", "starting", "after", "ab", "von", "vom", "seit", "depuis", "du", "desde", "between",
        "arriving", "begins", "starts", "partir",
    ];
    let to = [
        "to", "until", "till", "through", "bis", "by", "before", "jusqu'au", "jusqu'a", "au", "hasta",
        "ending", "ends", "vor", "avant",
    ];
    [inside, before].into_iter().flatten().find_map(|token| {
        if token.is_any(&from) {
            Some(Role::From)
        } else if token.is_any(&to) {
            Some(Role::To)
        } else {
            None
        }
    })
}

/// Whether a parameter's name stands close in front of a place, with only small words between.
fn named_before(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, start: usize) -> bool {
    let at = asked.at_byte(start);
    let small = |from: usize| {
        (from..at).all(|place| {
            asked
                .token(place)
                .is_some_and(|token| token.is_common() && token.after < Break::Comma)
        })
    };
    let hit = asked.hits_of(parameter).any(|hit| {
        hit.end <= at
            && at - hit.end <= 3
            && asked.break_before(hit.end) != Break::Stop
            && asked.break_before(hit.end) != Break::Comma
            && small(hit.end)
    });
    // `arriving on` names the `arrival`.
    let alike = (1..=3).any(|back| {
        let Some(place) = at.checked_sub(back) else {
            return false;
        };
        let Some(token) = asked.token(place) else {
            return false;
        };
        let word = token.stem.as_str();
        token.after < Break::Comma
            && word.len() >= 5
            && small(place + 1)
            && meaning.cues.iter().any(|cue| {
                cue.phrase
                    .iter()
                    .any(|own| own.len() >= 5 && (own.starts_with(word) || word.starts_with(own.as_str())))
            })
    });
    hit || alike
}

/// How many parameters take a day or a moment.
fn takers(asked: &Asked<'_>) -> usize {
    asked
        .meanings
        .iter()
        .filter(|meaning| matches!(meaning.kind, Kind::Date | Kind::Moment(_)))
        .count()
}

fn required_takers(asked: &Asked<'_>) -> usize {
    asked
        .meanings
        .iter()
        .filter(|meaning| matches!(meaning.kind, Kind::Date | Kind::Moment(_)) && meaning.is_required())
        .count()
}

/// How surely a time belongs to a parameter.
fn score(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, whens: &[When], at: usize) -> f32 {
    let Some(when) = whens.get(at) else { return 0.0 };
    if named_before(asked, parameter, meaning, when.range.start) {
        // `due by the 31st`: of the two ends of a span, the word in front tells which.
        return match (meaning.role, link_before(asked, &when.range)) {
            (Role::From, Some(Role::To)) | (Role::To, Some(Role::From)) if has_twin(asked, parameter) => 0.2,
            _ => 0.95,
        };
    }
    let others_named = asked.meanings.iter().enumerate().any(|(other, named)| {
        other != parameter
            && matches!(named.kind, Kind::Date | Kind::Moment(_) | Kind::Time)
            && named_before(asked, other, named, when.range.start)
    });
    if others_named {
        return 0.2;
    }
    let required = meaning.is_required();
    // `set the due date of card 5 to tomorrow`
    // `due date of card 5: tomorrow`
    let colon = asked.break_before(asked.at_byte(when.range.start)) == Break::Colon;
    let set = (colon || link_before(asked, &when.range) == Some(Role::To))
        && asked
            .hits_of(parameter)
            .any(|hit| hit.weight > 0.78 && hit.end <= asked.at_byte(when.range.start));
    if set && whens.len() == 1 {
        return 0.93;
    }
    if is_pair(asked, whens) {
        let part = if at == 0 { Role::From } else { Role::To };
        return if meaning.role == part { 0.93 } else { 0.3 };
    }
    let link = link_before(asked, &when.range);
    if whens.len() == 1 && is_due(asked, meaning, when, link) {
        return 0.84;
    }
    match (meaning.role, link) {
        (Role::From, Some(Role::From)) | (Role::To, Some(Role::To)) => 0.93,
        (Role::From, Some(Role::To)) if whens.len() > 1 => 0.2,
        (Role::To, Some(Role::From)) => 0.2,
        // Two times in a row begin and end.
        (Role::From, None) if whens.len() > 1 && at == 0 => 0.9,
        (Role::To, None) if whens.len() > 1 && at == 1 => 0.9,
        (Role::From, None) if required && whens.len() == 1 => 0.88,
        (Role::To, _) => 0.3,
        _ if whens.len() > 1 => 0.6,
        _ if takers(asked) == 1 => {
            if required {
                0.92
            } else {
                lone_optional(meaning)
            }
        }
        _ if required && required_takers(asked) == 1 => 0.85,
        _ => 0.6,
    }
}

/// `a card for 4 December` is due then.
fn is_due(asked: &Asked<'_>, meaning: &Meaning, when: &When, link: Option<Role>) -> bool {
    let takes_due = meaning
        .cues
        .iter()
        .any(|cue| cue.phrase.iter().any(|word| word == "due"));
    let for_then = asked
        .at_byte(when.range.start)
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|token| token.is_any(&["for", "fur", "pour", "para"]));
    takes_due && (for_then || link == Some(Role::To))
}

/// Whether two times stand side by side as a begin and an end: `10:30-11:15`, `3pm to 4:30pm`.
fn is_pair(asked: &Asked<'_>, whens: &[When]) -> bool {
    let [first, second] = whens else { return false };
    let between = asked
        .text
        .get(first.range.end..second.range.start)
        .unwrap_or_default();
    let joined = [
        "", "-", "–", "—", "to", "until", "till", "bis", "a", "à", "au", "al", "and", "und", "et", "y",
        "hasta",
    ];
    first.time.is_some()
        && second.time.is_some()
        && first.day <= second.day
        && joined.contains(&between.trim().to_lowercase().as_str())
}

/// An optional day that is the only one a tool takes: sure where its name says nothing but that it is a day.
fn lone_optional(meaning: &Meaning) -> f32 {
    let plain = matches!(
        meaning.parameter.name(),
        "day" | "date" | "on" | "when" | "time" | "at"
    );
    if plain { 0.88 } else { 0.66 }
}

fn dates(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, whens: &[When]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (at, when) in whens.iter().enumerate() {
        let (day, score) = match (when.last, meaning.role) {
            (Some(last), Role::To) => (last, 0.93),
            (Some(_), Role::From) => (when.day, 0.93),
            (Some(last), Role::Plain) if last != when.day => continue,
            _ => (when.day, score(asked, parameter, meaning, whens, at)),
        };
        let day = if meaning.parameter.name().eq_ignore_ascii_case("since") {
            not_to_come(asked, when, day)
        } else {
            day
        };
        let about = meaning.parameter.description.to_lowercase();
        let value = match when.time {
            Some(time) if about.contains("iso 8601") && !about.contains("yyyy") => {
                moment_value(meaning, asked.now, day.to_datetime(time))
            }
            _ => date_value(meaning, day),
        };
        // The time of day that was said would be lost.
        let lost = when.time.is_some()
            && value
                .as_ref()
                .is_some_and(|value| value.as_str().is_some_and(|text| text.len() <= 10));
        let score = if lost { score * 0.85 } else { score };
        if let Some(value) = value {
            let mut candidate = asked.candidate(parameter, value, when.range.clone(), score);
            candidate.taking = when.last.is_none();
            candidates.push(candidate);
        }
    }
    candidates
}

fn moments(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, whens: &[When]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let takes_days = shows_days(meaning);
    for (at, when) in whens.iter().enumerate() {
        if takes_days && when.time.is_none() {
            // A day is taken as it is said.
            let (day, sure) = match (when.last, meaning.role) {
                (Some(last), Role::To) => (last, 0.93),
                (Some(_), Role::From) => (when.day, 0.93),
                (Some(_), _) => continue,
                (None, _) => (when.day, score(asked, parameter, meaning, whens, at)),
            };
            let text = format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day());
            let mut candidate = asked.candidate(parameter, Value::String(text), when.range.clone(), sure);
            candidate.taking = when.last.is_none();
            candidates.push(candidate);
            continue;
        }
        let (day, time, sure) = match (when.last, when.time, meaning.role) {
            (None, Some(time), _) => (when.day, time, 1.0),
            (None, None, Role::From) if !meaning.is_required() => (when.day, Time::midnight(), 0.9),
            (Some(_), None, Role::From) => (when.day, Time::midnight(), 0.9),
            // The time of day is not said, and it is none of ours to say it.
            _ => continue,
        };
        let day = if meaning.parameter.name().eq_ignore_ascii_case("since") {
            not_to_come(asked, when, day)
        } else {
            day
        };
        let score = if when.last.is_some() {
            0.93
        } else {
            score(asked, parameter, meaning, whens, at)
        };
        if let Some(value) = moment_value(meaning, asked.now, day.to_datetime(time)) {
            candidates.push(asked.candidate(parameter, value, when.range.clone(), score * sure));
        }
    }
    candidates.extend(ended_by_length(asked, parameter, meaning, whens));
    candidates
}

/// Whether a description shows that a moment may be a mere day: `or absolute dates (e.g. '2024-01-15')`.
fn shows_days(meaning: &Meaning) -> bool {
    let shown = crate::kind::digits_as_nines(&meaning.parameter.description);
    let is_day = |(at, day): (usize, &str)| {
        let rest = shown.get(at + day.len()..).unwrap_or_default();
        let whole = rest
            .chars()
            .next()
            .is_none_or(|c| matches!(c, '\'' | '"' | '`' | ')' | ',' | '.' | ';'));
        let before = shown.get(..at).unwrap_or_default().chars().next_back();
        whole && before.is_none_or(|c| !c.is_ascii_digit())
    };
    meaning.parameter.shape.string
        && meaning.parameter.shape.pattern.is_none()
        && meaning.parameter.shape.examples.is_empty()
        && shown.match_indices("9999-99-99").any(is_day)
}

/// `a 45-minute event starting in two hours`: the end follows from the start and the length.
fn ended_by_length(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    whens: &[When],
) -> Option<Candidate> {
    let [start] = whens else { return None };
    let has_start = asked
        .meanings
        .iter()
        .any(|other| other.role == Role::From && matches!(other.kind, Kind::Moment(_)));
    if meaning.role != Role::To || !has_start {
        return None;
    }
    let mut lengths = asked
        .spans
        .iter()
        .filter(|span| !asked.is_opaque(&span.range))
        .filter_map(|span| match span.what {
            What::Duration(seconds)
                if span.range.end <= start.range.start || span.range.start >= start.range.end =>
            {
                Some((span.range.clone(), seconds))
            }
            _ => None,
        });
    let (range, seconds) = lengths.next()?;
    if lengths.next().is_some() {
        return None;
    }
    let begins = start.day.to_datetime(start.time?);
    let ends = begins.checked_add(SignedDuration::from_secs(seconds)).ok()?;
    let value = moment_value(meaning, asked.now, ends)?;
    Some(asked.candidate(parameter, value, range, 0.9))
}

/// Times of day for a parameter that takes no day.
fn clocks(asked: &Asked<'_>, parameter: usize) -> Vec<Candidate> {
    let mut found = Vec::new();
    for span in asked.spans.iter().filter(|span| !asked.is_opaque(&span.range)) {
        let time = match &span.what {
            What::Time(time) => *time,
            What::Moment(at) => asked.now.offset.to_datetime(*at).time(),
            _ => continue,
        };
        let text = format!("{:02}:{:02}", time.hour(), time.minute());
        found.push((span.range.clone(), text));
    }
    let score = if found.len() == 1 { 0.92 } else { 0.6 };
    found
        .into_iter()
        .map(|(range, text)| asked.candidate(parameter, Value::String(text), range, score))
        .collect()
}

/// `due in 14 days`: a number of just the parameter's unit, also where the words name a day.
fn counted_units(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, unit: i64) -> Vec<Candidate> {
    let named = crate::words::name_words(meaning.parameter.name())
        .last()
        .cloned()
        .unwrap_or_default();
    let mut candidates = Vec::new();
    for at in 0..asked.tokens.len() {
        let (Some(count), Some(word)) = (asked.token(at), asked.token(at + 1)) else {
            break;
        };
        let Ok(number) = count.fold.parse::<u32>() else {
            continue;
        };
        let unit_said = word.stem == crate::words::stem(&named) && word.stem.len() > 2;
        let inside = asked
            .spans_at(at)
            .any(|span| matches!(span.what, What::Duration(_)));
        let due = named_before(asked, parameter, meaning, count.range.start)
            || at.checked_sub(1).is_some_and(|before| {
                asked
                    .token(before)
                    .is_some_and(|token| token.is_any(&["in", "within"]))
            });
        if !unit_said || inside || !due || asked.is_opaque(&count.range) {
            continue;
        }
        let seconds = i64::from(number).checked_mul(unit / 1_000);
        if let (Some(value), Some(range)) = (
            seconds.and_then(|seconds| length_value(meaning, unit, seconds)),
            asked.bytes(at, at + 2),
        ) {
            candidates.push(asked.candidate(parameter, value, range, 0.88));
        }
    }
    candidates
}

/// Lengths of time in the parameter's unit.
fn lengths(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, unit: i64) -> Vec<Candidate> {
    let spans: Vec<(Range<usize>, i64)> = asked
        .spans
        .iter()
        .filter(|span| !asked.is_opaque(&span.range))
        .filter_map(|span| match span.what {
            What::Duration(seconds) => Some((span.range.clone(), seconds)),
            _ => None,
        })
        .collect();
    let alike = asked
        .meanings
        .iter()
        .filter(|other| matches!(other.kind, Kind::Length(_)))
        .count();
    let mut candidates = Vec::new();
    for (range, seconds) in &spans {
        // `the last 6 hours` is no time to wait.
        if !may_reach_back(meaning) && is_back(asked, asked.at_byte(range.start)) {
            continue;
        }
        let named = named_before(asked, parameter, meaning, range.start);
        let score = match (named, spans.len(), alike) {
            (true, ..) => 0.95,
            (_, 1, 1) => {
                if meaning.is_required() {
                    0.92
                } else {
                    0.84
                }
            }
            (_, 1, _) if meaning.is_required() => 0.8,
            _ => 0.6,
        };
        if let Some(value) = length_value(meaning, unit, *seconds) {
            candidates.push(asked.candidate(parameter, value, range.clone(), score));
        }
    }
    candidates.extend(counted_units(asked, parameter, meaning, unit));
    candidates
}
