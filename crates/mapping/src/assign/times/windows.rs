//! Which of a parameter's stretches of time does a request say: `last_24h` for `the past day`?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::{Break, fold, name_words};

/// Units of time in hours, and their words in lower case without accents.
const UNITS: &[(u32, &[&str])] = &[
    (
        1,
        &[
            "h", "hr", "hrs", "hour", "hours", "stunde", "stunden", "heure", "heures", "hora", "horas",
        ],
    ),
    (
        24,
        &[
            "d", "day", "days", "tag", "tage", "tagen", "jour", "jours", "dia", "dias",
        ],
    ),
    (
        168,
        &[
            "w", "week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas",
        ],
    ),
    (
        720,
        &[
            "month", "months", "monat", "monate", "monaten", "mois", "mes", "meses",
        ],
    ),
    (
        8_760,
        &[
            "y", "year", "years", "jahr", "jahre", "jahren", "an", "ans", "annee", "annees", "ano", "anos",
        ],
    ),
];

/// Words by which a stretch of time ends now.
const LAST: &[&str] = &[
    "last",
    "past",
    "previous",
    "preceding",
    "letzte",
    "letzten",
    "letzter",
    "letztes",
    "vergangene",
    "vergangenen",
    "dernier",
    "derniere",
    "derniers",
    "dernieres",
    "passe",
    "passee",
    "ultimo",
    "ultima",
    "ultimos",
    "ultimas",
    "pasado",
    "pasada",
];

/// Stretches of time up to now that a request says, for parameters that list some.
pub(crate) fn windows(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if matches!(
            meaning.kind,
            Kind::Choice | Kind::Slug | Kind::Date | Kind::Moment(_)
        ) && !meaning.parameter.list
            && is_about_time(meaning)
        {
            candidates.extend(window(asked, parameter, meaning));
        }
    }
    candidates
}

/// A stretch that one parameter takes by its name is no begin and end besides: `time_range: month` and no dates.
pub(crate) fn windows_alone(asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
    let taken: Vec<std::ops::Range<usize>> = candidates
        .iter()
        .filter(|candidate| {
            asked.meanings.get(candidate.parameter).is_some_and(|meaning| {
                matches!(meaning.kind, Kind::Choice | Kind::Slug) && is_about_time(meaning)
            }) && candidate.score >= 0.9
        })
        .map(|candidate| candidate.range.clone())
        .collect();
    candidates.retain(|candidate| {
        let bounds = asked.meanings.get(candidate.parameter).is_some_and(|meaning| {
            matches!(meaning.kind, Kind::Date | Kind::Moment(_)) && !meaning.is_required()
        });
        !(bounds
            && taken
                .iter()
                .any(|range| crate::assign::asked::touches(range, &candidate.range)))
    });
}

fn is_about_time(meaning: &Meaning) -> bool {
    name_words(meaning.parameter.name()).iter().any(|word| {
        matches!(
            word.as_str(),
            "time"
                | "timeframe"
                | "timerange"
                | "range"
                | "period"
                | "window"
                | "freshness"
                | "lookback"
                | "duration"
                | "since"
                | "recency"
                | "age"
                | "span"
                | "timespan"
                | "within"
        )
    })
}

fn window(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let lengths: Vec<(Value, u32)> = values(meaning)
        .into_iter()
        .filter_map(|value| {
            let plain = fold(value.as_str()?);
            let hours = length_of(&plain).or_else(|| described(meaning, &plain))?;
            Some((value, hours))
        })
        .collect();
    if lengths.len() < 2 {
        return None;
    }
    let (at, end, hours) = (0..asked.tokens.len()).find_map(|at| said(asked, at))?;
    let mut fitting = lengths.into_iter().filter(|(_, length)| is_same(*length, hours));
    let (value, _) = fitting.next()?;
    if fitting.next().is_some() {
        return None;
    }
    Some(asked.candidate(parameter, value, asked.bytes(at, end)?, 0.9))
}

/// The values that a parameter lists, else those that its description has in quotation marks.
fn values(meaning: &Meaning) -> Vec<Value> {
    if !meaning.spellings.is_empty() {
        return meaning
            .spellings
            .iter()
            .map(|choice| choice.value.clone())
            .collect();
    }
    let mut found: Vec<Value> = Vec::new();
    for sign in ['\'', '"', '`'] {
        for word in meaning
            .parameter
            .description
            .split(sign)
            .skip(1)
            .step_by(2)
            .take(20)
        {
            let short = word.len() < 20 && !word.is_empty() && !word.contains(' ');
            let value = Value::String(word.to_owned());
            if short && !found.contains(&value) {
                found.push(value);
            }
        }
    }
    found
}

/// A week is seven days; a month may be counted as 28 to 31 of them.
fn is_same(length: u32, other: u32) -> bool {
    let month = |hours: u32| (672..=744).contains(&hours);
    let year = |hours: u32| (8_760..=8_784).contains(&hours);
    length == other || (month(length) && month(other)) || (year(length) && year(other))
}

/// The hours that a choice names: `last_hour`, `PERIOD_30_DAYS`, `7d`.
fn length_of(choice: &str) -> Option<u32> {
    let mut count = None;
    let mut unit = None;
    for word in choice
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let digits = word.chars().take_while(char::is_ascii_digit).count();
        let (number, rest) = word.split_at(digits);
        if !number.is_empty() {
            count = Some(number.parse::<u32>().ok()?);
        }
        match rest {
            "" | "last" | "past" | "period" | "previous" => {}
            rest => unit = Some(unit.is_none().then(|| hours_of(rest)).flatten()?),
        }
    }
    unit?.checked_mul(count.unwrap_or(1))
}

fn hours_of(word: &str) -> Option<u32> {
    UNITS
        .iter()
        .find(|(_, words)| words.contains(&word))
        .map(|(hours, _)| *hours)
}

/// The hours that the description says a choice stands for: `'pw' - discovered within the last 7 days`.
fn described(meaning: &Meaning, choice: &str) -> Option<u32> {
    let about = fold(&meaning.parameter.description);
    let quoted = ['\'', '"', '`'].iter().find_map(|sign| {
        let word = format!("{sign}{choice}{sign}");
        about.find(&word).map(|at| at + word.len())
    })?;
    let rest = about.get(quoted..)?;
    let rest = rest.split(['\'', '"', '`', '.', ';']).next()?;
    let words: Vec<&str> = rest
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let hours = hours_of(word).filter(|_| word.len() > 2)?;
        let before = at.checked_sub(1).and_then(|before| words.get(before))?;
        let count = before
            .parse::<u32>()
            .ok()
            .or_else(|| LAST.contains(before).then_some(1))?;
        hours.checked_mul(count)
    })
}

/// A stretch of time up to now from a word on: where it ends and how many hours it has.
fn said(asked: &Asked<'_>, at: usize) -> Option<(usize, usize, u32)> {
    const CLOSE: &[&str] = &["the", "der", "den", "die", "les", "la", "las", "los", "el"];
    let is_last = |place: usize| asked.token(place).is_some_and(|token| token.is_any(LAST));
    let unbroken =
        |from: usize, to: usize| (from + 1..to).all(|place| asked.break_before(place) == Break::None);
    let token = asked.token(at).filter(|token| !asked.is_opaque(&token.range))?;
    // `les 7 derniers jours`, `los últimos 30 días`, `the last hour`.
    let before = (1..=2).filter_map(|back| at.checked_sub(back)).any(is_last);
    let behind = is_last(at + 1);
    let compact = length_of(&token.fold).filter(|_| token.fold.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(hours) = compact {
        return (at.checked_sub(1).is_some_and(is_last) && unbroken(at - 1, at + 1)).then_some((
            at - 1,
            at + 1,
            hours,
        ));
    }
    let unit = hours_of(&token.fold).filter(|_| token.fold.len() > 1 && token.fold != "an")?;
    let number = |place: usize| {
        asked.spans_at(place).find_map(|span| match span.what {
            What::Number(number) if (1.0..=1_000.0).contains(&number) && number.fract() == 0.0 => {
                // A whole number of at most a thousand.
                format!("{number:.0}").parse::<u32>().ok()
            }
            _ => None,
        })
    };
    let digits = |place: usize| {
        asked
            .token(place)
            .and_then(|token| token.fold.parse::<u32>().ok())
            .or_else(|| number(place))
    };
    let counted = (1..=2)
        .filter_map(|back| at.checked_sub(back))
        .find_map(|place| digits(place).map(|count| (place, count)));
    let start = at.saturating_sub(2);
    let whole = asked
        .token(at.wrapping_sub(1))
        .is_some_and(|token| token.is_any(CLOSE));
    match counted {
        Some((place, count)) => {
            let near = before || place.checked_sub(1).is_some_and(is_last) || behind;
            (near && unbroken(place, at + 1)).then_some((place.min(start), at + 1, unit.checked_mul(count)?))
        }
        None if at.checked_sub(1).is_some_and(is_last) && unbroken(at - 1, at + 1) => {
            Some((at - 1, at + 1, unit))
        }
        None if behind && whole && unbroken(at, at + 2) => Some((at, at + 2, unit)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_name_stretches_of_time() {
        for (choice, hours) in [
            ("last_hour", Some(1)),
            ("last_24h", Some(24)),
            ("last_7d", Some(168)),
            ("period_30_days", Some(720)),
            ("1_week", Some(168)),
            ("24h", Some(24)),
            ("all", None),
            ("week_to_date", None),
            ("hourly", None),
        ] {
            assert_eq!(length_of(choice), hours, "{choice}");
        }
        assert!(is_same(720, 744) && !is_same(168, 720));
    }
}
