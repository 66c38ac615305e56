//! Is a day, a time or a moment the one that was said?

use handpick_mapping::{Now, Span, What};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};

/// A value that is a day, a time of day, or both, where the people are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Day(Date),
    Time(Time),
    Both(DateTime),
}

/// Reads a value as models write it: ISO 8601.
pub(super) fn read(text: &str, now: Now) -> Option<Value> {
    let text = text.trim();
    let has_digits = text.starts_with(|c: char| c.is_ascii_digit());
    if !has_digits || text.len() > 40 {
        return None;
    }
    if text.len() == 10 {
        return text.parse().ok().map(Value::Day);
    }
    if text.len() < 10 {
        return text.parse().ok().map(Value::Time);
    }
    let moment = text
        .parse::<Timestamp>()
        .ok()
        .map(|moment| now.offset.to_datetime(moment));
    moment.or_else(|| text.parse().ok()).map(Value::Both)
}

/// Whether a span says anything of the kind.
pub(super) fn is_time(what: &What) -> bool {
    matches!(
        what,
        What::Date(_) | What::Time(_) | What::Moment(_) | What::Days(..)
    )
}

/// Whether the value is said by one of the spans, or by a day and a time of them together.
pub(super) fn is_said(value: Value, spans: &[&Span], now: Now) -> bool {
    let said = |wanted: &dyn Fn(&What) -> bool| spans.iter().any(|span| wanted(&span.what));
    let local = |moment: Timestamp| now.offset.to_datetime(moment);
    let day = |wanted: Date| {
        said(&|what| match what {
            What::Date(day) => *day == wanted,
            What::Days(first, last) => *first == wanted || *last == wanted,
            What::Moment(moment) => local(*moment).date() == wanted,
            _ => false,
        })
    };
    let time = |wanted: Time| {
        said(&|what| match what {
            What::Time(time) => *time == wanted,
            What::Moment(moment) => local(*moment).time() == wanted,
            _ => false,
        })
    };
    let whole =
        |wanted: DateTime| said(&|what| matches!(what, What::Moment(moment) if local(*moment) == wanted));
    match value {
        Value::Day(wanted) => day(wanted),
        Value::Time(wanted) => time(wanted),
        Value::Both(wanted) => {
            let is_edge = wanted.time() == Time::midnight()
                || wanted.time().hour() == 23 && wanted.time().minute() == 59;
            whole(wanted) || day(wanted.date()) && (time(wanted.time()) || is_edge)
        }
    }
}
