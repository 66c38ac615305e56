//! Which days and moments does a request name, and which time of day belongs to which day?

use std::ops::Range;

use jiff::civil::{Date, Time};

use crate::assign::asked::Asked;
use crate::assign::times::tense::put_back;
use crate::kind::digits_as_nines;
use crate::span::What;

/// A day or a moment of the request.
#[derive(Clone, Debug)]
pub(crate) struct When {
    pub range: Range<usize>,
    pub day: Date,
    /// The time of day, where one is said.
    pub time: Option<Time>,
    /// The last day, of a range of days.
    pub last: Option<Date>,
}

/// The days and moments in order; a time of day belongs to the day before it, or to the only day there is.
pub(crate) fn whens(asked: &Asked<'_>) -> Vec<When> {
    let mut whens: Vec<When> = Vec::new();
    let open = asked.spans.iter().filter(|span| !asked.is_opaque(&span.range));
    let mut clocks: Vec<(Range<usize>, Time)> = Vec::new();
    for span in open {
        let range = span.range.clone();
        let when = match &span.what {
            What::Date(day) => When {
                range,
                day: *day,
                time: None,
                last: None,
            },
            What::Moment(at) => {
                let local = asked.now.offset.to_datetime(*at);
                When {
                    range,
                    day: local.date(),
                    time: Some(local.time()),
                    last: None,
                }
            }
            What::Days(first, last) => When {
                range,
                day: *first,
                time: None,
                last: Some(*last),
            },
            What::Time(time) => {
                clocks.push((range, *time));
                continue;
            }
            _ => continue,
        };
        let inside = whens
            .iter()
            .any(|known| known.range.start <= when.range.start && when.range.end <= known.range.end);
        if !inside {
            whens.retain(|known| {
                !(when.range.start <= known.range.start && known.range.end <= when.range.end)
            });
            whens.push(when);
        }
    }
    clocks.retain(|(range, _)| {
        !whens
            .iter()
            .any(|known| known.range.start <= range.start && range.end <= known.range.end)
    });
    give_days(&mut whens, clocks);
    whens.sort_by_key(|when| when.range.start);
    in_order(asked, &mut whens);
    whens
}

/// A day without a year is read as the coming one; where a later day follows that lies before it, the one before
/// is meant: `between 1 November and 30 November`, said on the last of November.
fn in_order(asked: &Asked<'_>, whens: &mut [When]) {
    let looks_back = asked
        .meanings
        .iter()
        .any(|meaning| meaning.parameter.name().eq_ignore_ascii_case("since"));
    for when in whens.iter_mut().filter(|_| looks_back) {
        let day = not_to_come(asked, when, when.day);
        let years = i16::from(day != when.day);
        when.last = when
            .last
            .map(|last| last.checked_sub(jiff::Span::new().years(years)).unwrap_or(last));
        when.day = day;
    }
    put_back(asked, whens);
    let [first, second] = whens else { return };
    let no_year = |range: &Range<usize>| {
        asked
            .text
            .get(range.clone())
            .is_some_and(|words| !digits_as_nines(words).contains("9999"))
    };
    let turned =
        first.day > second.day && first.last.is_none() && second.last.is_none() && no_year(&first.range);
    if turned
        && let Ok(before) = first.day.checked_sub(jiff::Span::new().years(1))
        && before <= second.day
    {
        first.day = before;
    }
}

fn give_days(whens: &mut Vec<When>, clocks: Vec<(Range<usize>, Time)>) {
    for (range, time) in clocks {
        let before = whens.iter().rposition(|when| when.range.end <= range.start);
        let Some(at) = before.or(if whens.is_empty() { None } else { Some(0) }) else {
            continue;
        };
        let Some(when) = whens.get_mut(at) else { continue };
        if when.time.is_none() && when.last.is_none() {
            when.time = Some(time);
            when.range = when.range.start.min(range.start)..when.range.end.max(range.end);
        } else {
            let day = when.day;
            whens.push(When {
                range,
                day,
                time: Some(time),
                last: None,
            });
            whens.sort_by_key(|when| when.range.start);
        }
    }
}

/// `since 3 March` never means the next one.
pub(crate) fn not_to_come(asked: &Asked<'_>, when: &When, day: Date) -> Date {
    let no_year = asked
        .text
        .get(when.range.clone())
        .is_some_and(|words| !digits_as_nines(words).contains("9999"));
    if no_year && day > asked.now.local.date() {
        day.checked_sub(jiff::Span::new().years(1)).unwrap_or(day)
    } else {
        day
    }
}
