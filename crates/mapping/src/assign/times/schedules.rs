//! When does something run again and again: `30 2 * * *`, `every weekday at 9`?

use std::ops::Range;

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::{Break, name_words};

const DAYS: &[(&str, u8)] = &[
    ("sunday", 0),
    ("monday", 1),
    ("tuesday", 2),
    ("wednesday", 3),
    ("thursday", 4),
    ("friday", 5),
    ("saturday", 6),
    ("sonntag", 0),
    ("montag", 1),
    ("dienstag", 2),
    ("mittwoch", 3),
    ("donnerstag", 4),
    ("freitag", 5),
    ("samstag", 6),
    ("dimanche", 0),
    ("lundi", 1),
    ("mardi", 2),
    ("mercredi", 3),
    ("jeudi", 4),
    ("vendredi", 5),
    ("samedi", 6),
    ("domingo", 0),
    ("lunes", 1),
    ("martes", 2),
    ("miercoles", 3),
    ("jueves", 4),
    ("viernes", 5),
    ("sabado", 6),
];

/// Whether a parameter takes a cron expression.
pub(crate) fn is_cron(name: &[String], about: &str) -> bool {
    let has = |word: &str| name.iter().any(|own| own == word);
    let zone = has("timezone") || has("zone") || has("id") || has("tz");
    !zone
        && (has("cron")
            || (about.contains("cron") && (has("schedule") || has("expression") || has("frequency"))))
}

/// Candidates for cron expressions.
pub(crate) fn schedules(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut takers = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| takes_cron(meaning));
    let (Some((parameter, _)), None) = (takers.next(), takers.next()) else {
        return Vec::new();
    };
    let read = written(asked.text).or_else(|| said(asked));
    read.map(|(text, range)| asked.candidate(parameter, Value::String(text), range, 0.95))
        .into_iter()
        .collect()
}

fn takes_cron(meaning: &Meaning) -> bool {
    let about = meaning.parameter.description.to_lowercase();
    meaning.parameter.shape.string
        && !meaning.parameter.list
        && is_cron(&name_words(meaning.parameter.name()), &about)
}

/// Five fields in a row, at least one of them a star.
fn written(text: &str) -> Option<(String, Range<usize>)> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut from = 0;
    for word in text.split(' ') {
        words.push((from, word));
        from += word.len() + 1;
    }
    let around = |c: char| "\"'`“”„(),;.".contains(c);
    words.windows(5).find_map(|fields| {
        let bare: Vec<&str> = fields.iter().map(|(_, word)| word.trim_matches(around)).collect();
        let all = bare.iter().all(|field| is_field(field)) && bare.contains(&"*");
        let (first, last) = (fields.first()?, fields.last()?);
        let start = first.0 + first.1.len() - first.1.trim_start_matches(around).len();
        let end = last.0 + last.1.trim_end_matches(around).len();
        all.then(|| (bare.join(" "), start..end))
    })
}

fn is_field(field: &str) -> bool {
    const NAMES: &[&str] = &[
        "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN", "MON-FRI", "SAT,SUN", "JAN", "FEB", "MAR", "APR",
        "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
    ];
    let signs = |c: char| c.is_ascii_digit() || matches!(c, '*' | '/' | ',' | '-' | '?');
    !field.is_empty() && (field.chars().all(signs) || NAMES.contains(&field))
}

/// `every 15 minutes`, `daily at 2:30`, `every Monday at 9`.
fn said(asked: &Asked<'_>) -> Option<(String, Range<usize>)> {
    const EVERY: &[&str] = &[
        "every", "each", "jeden", "jede", "alle", "chaque", "tous", "toutes", "cada", "todos",
    ];
    let at = asked.tokens.iter().position(|token| {
        !asked.is_opaque(&token.range) && (token.is_any(EVERY) || is_rate(&token.fold).is_some())
    })?;
    let token = asked.token(at)?;
    let start = token.range.start;
    let rate = is_rate(&token.fold);
    let mut place = at + usize::from(rate.is_none());
    if asked
        .token(place)
        .is_some_and(|token| token.is_any(&["les", "los", "the"]))
    {
        place += 1;
    }
    let word = asked.token(place)?;
    if let Ok(count) = word.fold.parse::<u8>() {
        let divides = |whole: u8| count > 0 && whole.is_multiple_of(count);
        let unit = asked.token(place + 1)?;
        let text = if unit.is_any(&["minutes", "minute", "min", "mins", "minuten", "minutos"]) && divides(60)
        {
            format!("*/{count} * * * *")
        } else if unit.is_any(&["hours", "hour", "stunden", "heures", "horas"]) && divides(24) {
            format!("0 */{count} * * *")
        } else {
            return None;
        };
        return Some((text, start..unit.range.end));
    }
    let rate = rate.or_else(|| unit_rate(&word.fold))?;
    if rate == "hour" {
        return Some(("0 * * * *".to_owned(), start..word.range.end));
    }
    // Of a day the time must be said too, and only one may be.
    let mut clocks = asked.spans.iter().filter_map(|span| match span.what {
        What::Time(time) => Some((time, span.range.clone())),
        What::Moment(at) => Some((asked.now.offset.to_datetime(at).time(), span.range.clone())),
        _ => None,
    });
    let (time, range) = clocks.next()?;
    if clocks.any(|(_, other)| other != range) || word.after > Break::Comma {
        return None;
    }
    let text = format!(
        "{} {} * * {}",
        time.minute(),
        time.hour(),
        days(rate, &word.fold)?
    );
    Some((text, start.min(range.start)..range.end.max(word.range.end)))
}

fn is_rate(word: &str) -> Option<&'static str> {
    match word {
        "hourly" | "stundlich" => Some("hour"),
        "daily" | "nightly" | "taglich" | "quotidiennement" | "diariamente" => Some("day"),
        "weekdays" => Some("weekday"),
        _ => None,
    }
}

fn unit_rate(word: &str) -> Option<&'static str> {
    match word {
        "hour" | "stunde" | "heure" | "hora" => Some("hour"),
        "day" | "night" | "morning" | "evening" | "tag" | "jour" | "jours" | "dia" | "dias" => Some("day"),
        "weekday" | "werktag" | "workday" => Some("weekday"),
        _ => day_number(word).map(|_| "named"),
    }
}

fn day_number(word: &str) -> Option<u8> {
    DAYS.iter()
        .find(|(name, _)| *name == word || word.strip_suffix('s') == Some(name))
        .map(|(_, number)| *number)
}

fn days(rate: &str, word: &str) -> Option<String> {
    match rate {
        "day" => Some("*".to_owned()),
        "weekday" => Some("1-5".to_owned()),
        _ => day_number(word).map(|number| number.to_string()),
    }
}

#[cfg(test)]
mod tests;
