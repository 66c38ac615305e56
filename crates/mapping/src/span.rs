//! Which values stand in a text, and where?
//!
//! A text is cut into words, digits and signs (`span/token.rs`). Pieces that are read as a whole come first
//! (`span/solid.rs`: addresses, paths, ids, handles), then numbers, amounts, days, times and lengths
//! (`span/quantity.rs`), names (`span/name.rs`) and quotations (`span/quoted.rs`). English is read first, dates,
//! numbers and lengths of German, French and Spanish too.
//!
//! What is told where readings overlap:
//!
//! - Nothing is told inside an e-mail address, a URL, a path, an id or a handle.
//! - Of numbers, amounts, days, times and lengths the longest reading is told; a year or a number inside a date is
//!   not told besides it. Where one piece of text has several equally long readings, each is told, the likelier
//!   first: `03/04/2026` is 3 April and 4 March, `at 3` is 15:00 and 3:00, `5m` is five minutes and five million,
//!   `in March` is the coming March and the last one, `28 November` the coming one and the one two days ago.
//! - Inside quotation marks a value is told only where it fills them, or where the marks enclose the whole text.
//! - A name may hold a number, which is told besides it: `Roadmap 2027`.
//!
//! A range holds the words that make the value what it is: `at 3pm`, `on Monday`, `for 45 minutes`, `in two hours`,
//! `from Monday to Wednesday`. Words that say which part the value plays stay outside: `until`, `by`, `since`,
//! `before`, `after`, and `from` before a single value. Of two times each has its own span: `tomorrow from 3pm` and
//! `4:30pm`.
//!
//! How days are counted:
//!
//! - `Friday` and `on Friday` are the next one, never today; `this Friday` is the one of this week, `next Friday` the
//!   one of the week after, which begins on Monday; German `nächsten Freitag` is either.
//! - A day without a year is the coming one; one of the last 92 days may be meant too, and both are told. `since` asks
//!   for the past one, `until` and `by` for the coming one. A quarter without a year is one of this year.
//! - Days with slashes or dashes that end with the year are read day first, then month first where that is another
//!   day; with dots the day is always first.
//! - Bare hours from one to seven are told after noon and before it, where the clock has twelve hours.
//! - `the last 7 days` reaches from the day seven days ago to today.

mod calendar;
mod clock;
mod day;
mod duration;
mod identifier;
mod moment;
mod money;
mod name;
mod name_words;
mod number;
mod numeral;
mod path;
mod period;
mod quantity;
mod quoted;
mod solid;
mod starter;
mod token;
mod tongue;
mod word_list;
mod written_day;

#[cfg(test)]
mod tests;

use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::{Date, Time};

use crate::Now;
use token::Tokens;

/// A value that stands in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Where, in bytes of the text.
    pub range: Range<usize>,
    /// What stands there.
    pub what: What,
}

/// What a piece of text says.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A number, with its spelling's fraction: `40`, `1,250.50`, `three`.
    Number(f64),
    /// An amount of money: its number and an ISO 4217 code where one is said or signed.
    Money(f64, Option<&'static str>),
    /// A share of a hundred: `15 %` is 15.
    Percent(f64),
    /// A day: `tomorrow`, `this Friday`, `3 March`, `2026-12-01`.
    Date(Date),
    /// A time of day without a day: `at 3pm`, `15:30`.
    Time(Time),
    /// A moment: `tomorrow at 9`, `in two hours`, `2026-12-01T09:00:00Z`.
    Moment(Timestamp),
    /// A length of time, in seconds: `for 45 minutes`. A month counts 30 days, a year 365.
    Duration(i64),
    /// From one day to another, both included: `last week`, `from Monday to Wednesday`, `in March`.
    Days(Date, Date),
    /// An e-mail address.
    Email(String),
    /// An address on the web.
    Url(String),
    /// A path of a file or a folder.
    Path(String),
    /// A text in quotation marks, without them; its range has them.
    Quoted(String),
    /// An identifier: `inv_77`, `TCK-204`, `#42` (as `42`), a UUID, a hash.
    Id(String),
    /// A handle behind its sign, without it: `#ops` is a channel, `@sam` a person.
    Handle(char, String),
    /// A run of capitalised words that does not merely begin a sentence: `Dana Whitfield`, `Northwind`.
    Name(String),
}

/// Every value of the text, in order of where it begins, longer ones first; readings of the same place are told each.
///
/// Relative times count from `now`; times without an offset are those of its offset.
pub fn spans(text: &str, now: Now) -> Vec<Span> {
    let mut tokens = Tokens::new(text);
    let mut spans = solid::read(text);
    spans.retain(|span| !is_quantity(&tokens, span, now));
    let solids: Vec<Range<usize>> = spans.iter().map(|span| span.range.clone()).collect();
    tokens.fuse(&solids);
    let names = name::read(&tokens);
    let mut quantities = quantity::read(&tokens, now);
    // A number in words inside a name is part of it: `Six Flags`.
    quantities.retain(|span| !(worded(text, span) && inside(&names, span)));
    let names = names.into_iter().filter(|name| !overlaps_time(&quantities, name));
    spans.extend(names);
    spans.extend(quantities);
    spans.sort_by_key(|span| (span.range.start, std::cmp::Reverse(span.range.end)));
    quotations(text, spans)
}

/// Whether a piece that looks like an id is an amount, a day, a time or a length: `3pm-4pm`, `1h30`.
fn is_quantity(t: &Tokens<'_>, span: &Span, now: Now) -> bool {
    if !matches!(span.what, What::Id(_))
        || t.text
            .get(span.range.clone())
            .is_some_and(|id| id.starts_with('#'))
    {
        return false;
    }
    let at = t.at_byte(span.range.start);
    // `1 000`: the zeros are no id.
    if number::space_within(t, at).is_some() && t.range(at, at + 1) == span.range {
        return true;
    }
    let read = quantity::longest(t, at, now).filter(|found| t.range(at, found.next).end >= span.range.end);
    read.is_some_and(|found| {
        found
            .spans
            .iter()
            .all(|span| !matches!(span.what, What::Number(_)))
    })
}

fn worded(text: &str, span: &Span) -> bool {
    let first = text
        .get(span.range.clone())
        .and_then(|written| written.chars().next());
    matches!(span.what, What::Number(_)) && first.is_some_and(char::is_alphabetic)
}

/// Whether one of the spans, which are in order and apart, holds this one.
fn inside(sorted: &[Span], span: &Span) -> bool {
    let after = sorted.partition_point(|other| other.range.start <= span.range.start);
    let before = after.checked_sub(1).and_then(|at| sorted.get(at));
    before.is_some_and(|other| other.range.end >= span.range.end && other.range.len() > span.range.len())
}

/// Whether a name shares letters with a day, a time, a length or an amount: these are no names.
fn overlaps_time(sorted: &[Span], name: &Span) -> bool {
    let from = sorted.partition_point(|other| other.range.end <= name.range.start);
    let near = sorted
        .iter()
        .skip(from)
        .take_while(|other| other.range.start < name.range.end);
    near.into_iter()
        .any(|other| !matches!(other.what, What::Number(_)))
}

/// Adds quotations, and leaves out what stands in them without filling them.
fn quotations(text: &str, spans: Vec<Span>) -> Vec<Span> {
    let all = text.trim();
    let quotes = quoted::read(text);
    let encloses = |outer: &Range<usize>| text.get(outer.clone()) == Some(all);
    let mut kept: Vec<Span> = Vec::with_capacity(spans.len() + quotes.len());
    for span in spans {
        let after = quotes.partition_point(|quote| quote.outer.end <= span.range.start);
        let quote = quotes
            .get(after)
            .filter(|quote| quote.outer.start < span.range.end);
        let told = quote.is_none_or(|quote| {
            let within = text.get(quote.inner.clone()).unwrap_or("");
            let written = text.get(span.range.clone()).unwrap_or("");
            encloses(&quote.outer) || (within.trim() == written && quote.inner.end >= span.range.end)
        });
        if told {
            kept.push(span);
        }
    }
    kept.extend(quotes.into_iter().filter_map(|quote| {
        let what = What::Quoted(text.get(quote.inner)?.to_owned());
        Some(Span {
            range: quote.outer,
            what,
        })
    }));
    kept.sort_by_key(|span| (span.range.start, std::cmp::Reverse(span.range.end)));
    kept
}

/// A reading: what stands there, and the first token after it.
#[derive(Clone, Debug)]
struct Found {
    spans: Vec<Span>,
    next: usize,
}

impl Found {
    /// Readings of the tokens from one up to, not including, another.
    fn of(t: &Tokens<'_>, from: usize, next: usize, whats: impl IntoIterator<Item = What>) -> Self {
        let range = t.range(from, next);
        let mut spans: Vec<Span> = Vec::new();
        for what in whats {
            if !spans.iter().any(|told| told.what == what) {
                spans.push(Span {
                    range: range.clone(),
                    what,
                });
            }
        }
        Self { spans, next }
    }

    fn some(&self) -> bool {
        !self.spans.is_empty()
    }

    /// Whether both are readings of one and the same place.
    fn same_place(&self, other: &Self) -> bool {
        let range = |found: &Self| found.spans.first().map(|span| span.range.clone());
        range(self) == range(other)
            && self
                .spans
                .iter()
                .all(|span| Some(&span.range) == range(self).as_ref())
    }
}
