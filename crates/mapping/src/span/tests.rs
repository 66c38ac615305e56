//! Are the values of a text read, all of them and nothing else?

mod clock;
mod day;
mod duration;
mod money;
mod name;
mod number;
mod period;
mod quoted;
mod request;
mod robust;
mod written;

use jiff::tz::Offset;

use super::token::Tokens;
use super::{Span, What, quantity, spans};
use crate::Now;

/// Monday, 30 November 2026, 10:00 UTC.
fn now() -> Now {
    Now::utc("2026-11-30T10:00:00Z".parse().unwrap())
}

/// A span in one line: its kind, its value, and the words it was read from.
fn line(text: &str, span: &Span) -> String {
    let words = &text[span.range.clone()];
    let value = match &span.what {
        What::Number(value) => format!("number {value}"),
        What::Money(value, code) => format!("money {value} {}", code.unwrap_or("?")),
        What::Percent(value) => format!("percent {value}"),
        What::Date(date) => format!("date {date}"),
        What::Time(time) => format!("time {time}"),
        What::Moment(moment) => format!("moment {}", Offset::UTC.to_datetime(*moment)),
        What::Duration(seconds) => format!("duration {seconds}"),
        What::Days(first, last) => format!("days {first} {last}"),
        What::Email(text) => format!("email {text}"),
        What::Url(text) => format!("url {text}"),
        What::Path(text) => format!("path {text}"),
        What::Quoted(text) => format!("quoted {text}"),
        What::Id(text) => format!("id {text}"),
        What::Handle(sign, text) => format!("handle {sign}{text}"),
        What::Name(text) => format!("name {text}"),
    };
    format!("{value} | {words}")
}

/// Every span of the text, a line each.
fn lines(text: &str) -> Vec<String> {
    spans(text, now()).iter().map(|span| line(text, span)).collect()
}

/// The fast look at a first word misses no reading.
fn swift(text: &str) {
    let tokens = Tokens::new(text);
    for at in 0..tokens.len() {
        let read = quantity::every(&tokens, at, now()).is_some_and(|found| found.some());
        assert!(
            !read || quantity::may_begin(&tokens, at),
            "{text:?}: no reading begins with {:?}",
            tokens.written(at)
        );
    }
}

/// Checks that exactly these spans are told. Words that are the same as the value need not be repeated.
fn check(rows: &[(&str, &[&str])]) {
    let mut wrong = String::new();
    for (text, expected) in rows {
        swift(text);
        let told = lines(text);
        let fits = |line: &String, row: &str| line == row || line.split(" | ").next() == Some(row);
        let same =
            told.len() == expected.len() && told.iter().zip(*expected).all(|(line, row)| fits(line, row));
        if !same {
            wrong.push_str(&format!(
                "\n{text:?}\n    told     {told:?}\n    expected {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
