//! Which moment stands here, or which times of day?

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::calendar::Unit;
use super::clock::{self, Clock, Part};
use super::day::{self, Day};
use super::token::{Kind, Tokens};
use super::tongue::Tongue;
use super::{Found, What, duration, written_day};
use crate::{Now, Span};

/// Reads a day with its time of day, in either order, or a moment counted from now.
pub(super) fn read(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    let readings = [
        iso(t, at, now),
        day_then_time(t, at, now),
        time_then_day(t, at, now),
        from_now(t, at, now),
    ];
    readings
        .into_iter()
        .flatten()
        .reduce(|best, next| if next.next > best.next { next } else { best })
}

/// Reads a day alone.
pub(super) fn day(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    let day = day::read(t, at, now.local.date())?;
    Some(Found::of(
        t,
        at,
        day.next,
        day.dates.iter().copied().map(What::Date),
    ))
}

/// `2026-12-01T09:00:00Z`, `2026-12-01 09:00`.
fn iso(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    let day = written_day::year_first(t, at)?;
    let letter = usize::from(matches!(t.written(day.next), "T" | "t") && t.joined(day.next));
    if letter == 0 && t.joined(day.next) {
        return None;
    }
    let begin = day.next + letter;
    let mut clock = clock_of_iso(t, begin)?;
    if clock.offset.is_none()
        && t.joined(clock.next)
        && let Some((offset, next)) = clock::numeric_offset(t, clock.next)
    {
        (clock.offset, clock.next) = (Some(offset), next);
    }
    let moments = moments(&day, &clock, now);
    Some(Found::of(
        t,
        at,
        clock.next,
        moments.into_iter().map(What::Moment),
    ))
}

/// `09:00`, `09:00:15.250`; the fraction of a second is left out.
fn clock_of_iso(t: &Tokens<'_>, at: usize) -> Option<Clock> {
    let (hour, minute) = (t.whole(at, 2)?, t.whole(at + 2, 2)?);
    if t.sign(at + 1) != ':' || !t.joined(at + 1) || !t.joined(at + 2) {
        return None;
    }
    let mut next = at + 3;
    let mut second = 0;
    if t.sign(next) == ':' && t.joined(next) && t.joined(next + 1) {
        second = t.whole(next + 1, 2)?;
        next += 2;
        if matches!(t.sign(next), '.' | ',')
            && t.joined(next)
            && t.joined(next + 1)
            && t.digits(next + 1).is_some()
        {
            next += 2;
        }
    }
    let small = |value: i64| i8::try_from(value).ok();
    let time = Time::new(small(hour)?, small(minute)?, small(second)?, 0).ok()?;
    let (offset, next) = match clock::offset(t, next) {
        Some((offset, after)) => (Some(offset), after),
        None => (None, next),
    };
    let clock = Clock {
        time,
        late: false,
        bare: false,
        midnight: false,
        half: true,
        offset,
        next,
    };
    // `2026-12-01 9:30 pm`
    let spoken = clock::read(t, at, true).filter(|spoken| spoken.next > next && spoken.half);
    Some(spoken.unwrap_or(clock))
}

/// Every moment that the day and the time may be.
fn moments(day: &Day, clock: &Clock, now: Now) -> Vec<Timestamp> {
    let clock = match day.part {
        Some(part) if !clock.half => clock.in_part(part),
        _ => *clock,
    };
    let offset = clock.offset.unwrap_or(now.offset);
    let mut told = Vec::new();
    for date in &day.dates {
        let following = Unit::Day.from(*date, 1).filter(|_| clock.midnight);
        // The midnight of tonight is tomorrow's.
        let late = clock.midnight && matches!(day.part, Some(Part::Evening | Part::Night));
        for date in [Some(*date).filter(|_| !late), following].into_iter().flatten() {
            told.extend(
                clock
                    .times()
                    .into_iter()
                    .filter_map(|time| stamp(date, time, offset)),
            );
        }
    }
    told.truncate(4);
    told
}

fn stamp(date: Date, time: Time, offset: Offset) -> Option<Timestamp> {
    offset.to_timestamp(DateTime::from_parts(date, time)).ok()
}

/// One time, or two from one to another.
struct Times {
    first: Clock,
    /// Where the second begins, and the second.
    last: Option<(usize, Clock)>,
    next: usize,
}

/// Reads times where they are awaited behind or before a day.
fn times(t: &Tokens<'_>, at: usize, opened: &str, bare: bool) -> Option<Times> {
    let first = if bare {
        clock::awaited(t, at)
    } else {
        clock::read(t, at, true).or_else(|| clock::awaited(t, at))
    }?;
    let last = tail(t, first.next, opened, &first);
    if first.bare && !bare && last.is_none() {
        return None;
    }
    let next = last.as_ref().map_or(first.next, |(_, last)| last.next);
    let first = match &last {
        Some((_, last)) => in_the_half_of(first, last),
        None => first,
    };
    Some(Times { first, last, next })
}

/// `3-4pm`: the first hour lies in the half of the day that the second says; `11-1pm` in the other.
fn in_the_half_of(mut first: Clock, last: &Clock) -> Clock {
    if first.half || !last.half || first.time.hour() > 12 {
        return first;
    }
    let afternoon = last.time.hour() >= 12 && first.time.hour() < 12;
    let later = first
        .time
        .checked_add(SignedDuration::from_hours(12))
        .ok()
        .filter(|_| afternoon);
    first.time = later.filter(|later| *later < last.time).unwrap_or(first.time);
    (first.late, first.half) = (false, true);
    first
}

/// The second of two times: `to 4:30pm`, `-11:15`, `bis 11`, `and 11` behind `between`.
fn tail(t: &Tokens<'_>, at: usize, opened: &str, first: &Clock) -> Option<(usize, Clock)> {
    let after = match t.word(at) {
        _ if matches!(t.sign(at), '-' | '–' | '—') => at + 1,
        "to" | "until" | "till" | "til" | "through" | "bis" | "hasta" => at + 1,
        "a" if matches!(t.written(at), "à" | "À") || t.tongue == Tongue::Spanish => at + 1,
        "and" | "und" | "et" | "y" if matches!(opened, "between" | "zwischen" | "entre") => at + 1,
        _ => return None,
    };
    let begin = clock::preposition(t, after)
        .or_else(|| t.after(after, &[&["las"], &["la"]]))
        .unwrap_or(after);
    let mut last = clock::awaited(t, begin)?;
    // The last time comes after the first one: `9 to 5` ends in the afternoon.
    let earlier = last.time <= first.time && last.time.hour() < 12;
    let certain = first.half || !first.late;
    if !last.half && (earlier || (last.late && certain && first.time.hour() >= 12)) {
        last.time = last
            .time
            .checked_add(SignedDuration::from_hours(12))
            .unwrap_or(last.time);
        last.late = false;
    } else if last.late && certain && first.time < last.time && first.time.hour() < 8 {
        last.late = first.late;
    }
    Some((begin, last))
}

fn opener(word: &str) -> bool {
    matches!(
        word,
        "from" | "between" | "von" | "zwischen" | "de" | "entre" | "desde" | "starting" | "ab" | "des"
    )
}

/// `tomorrow at 9`, `Friday, 3pm`, `this Wednesday 10:30-11:15`, `tomorrow from 3pm to 4:30pm`, `morgen um 9`.
fn day_then_time(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    let day = day::read(t, at, now.local.date())?;
    let comma = day.next + usize::from(t.sign(day.next) == ',');
    let opened = t.word(comma).to_owned();
    let after = comma + usize::from(opener(&opened));
    let cue = clock::preposition(t, after);
    let begin = cue.unwrap_or(after);
    let times = times(t, begin, &opened, cue.is_some() || after > comma)?;
    let begin_of_range = t.range(at, times.first.next).start;
    let spans = dated(t, &day, &times, now, (begin_of_range, None))?;
    Some(Found {
        spans,
        next: times.next,
    })
}

/// `at 3pm on Friday`, `9-10 tomorrow`, `um 9 am Montag`.
fn time_then_day(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    let opened = t.word(at).to_owned();
    let bounded = matches!(
        opened.as_str(),
        "since" | "until" | "till" | "by" | "before" | "after" | "bis" | "seit" | "hasta"
    );
    let after = at + usize::from(opener(&opened) || bounded);
    let cue = clock::preposition(t, after);
    let begin = cue.unwrap_or(after);
    let times = times(t, begin, &opened, cue.is_some() || after > at)?;
    let day_at = times.next + usize::from(t.sign(times.next) == ',');
    let day_at = t.past(day_at, &["de", "of"]);
    let day = day::read(t, day_at, now.local.date())?;
    let from = if after > at { begin } else { at };
    let begin_of_range = t.range(from, from + 1).start;
    let spans = dated(t, &day, &times, now, (begin_of_range, Some(day.next)))?;
    Some(Found {
        spans,
        next: day.next,
    })
}

/// The moments of one or two times on a day. `bounds`: the first byte of the first, the token after the day where
/// it stands behind the times.
fn dated(
    t: &Tokens<'_>,
    day: &Day,
    times: &Times,
    now: Now,
    bounds: (usize, Option<usize>),
) -> Option<Vec<Span>> {
    let (start, behind) = bounds;
    let end = |token: usize| t.range(0, token).end;
    let first_end = if times.last.is_none() {
        behind.unwrap_or(times.first.next)
    } else {
        times.first.next
    };
    let firsts = moments(day, &times.first, now);
    let mut spans = to_spans(start..end(first_end), &firsts);
    if let Some((begin, last)) = &times.last {
        let day = Day {
            part: day.part.filter(|_| !last.half),
            ..day.clone()
        };
        let range = t.range(*begin, behind.unwrap_or(last.next));
        let mut last = *last;
        last.offset = last.offset.or(times.first.offset);
        spans.extend(to_spans(range, &moments(&day, &last, now)));
    }
    (!spans.is_empty()).then_some(spans)
}

fn to_spans(range: std::ops::Range<usize>, moments: &[Timestamp]) -> Vec<Span> {
    moments
        .iter()
        .map(|moment| Span {
            range: range.clone(),
            what: What::Moment(*moment),
        })
        .collect()
}

/// `in two hours`, `20 minutes ago`, `vor einer Stunde`, `dans une heure`, `en dos horas`.
fn from_now(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    let spanish = t.tongue == Tongue::Spanish && t.word(at) == "en";
    let forward = t
        .after(at, &[&["in"], &["dans"], &["dentro", "de"]])
        .or(spanish.then_some(at + 1));
    let backward = t.after(at, &[&["vor"], &["il", "y", "a"], &["hace"]]);
    let length = duration::length(t, forward.or(backward).unwrap_or(at))?;
    let smallest = length.parts.last().map(|(_, unit)| *unit)?;
    let largest = length.parts.first().map(|(_, unit)| *unit)?;
    if smallest >= Unit::Day || largest > Unit::Week {
        return None;
    }
    let (sign, next) = match (forward, backward) {
        (Some(_), _) => (
            1,
            t.after(length.next, &[&["from", "now"], &["'", "time"]])
                .unwrap_or(length.next),
        ),
        (None, Some(_)) => (-1, length.next),
        (None, None) => match t.after(length.next, &[&["ago"]]) {
            Some(next) => (-1, next),
            None => (1, t.after(length.next, &[&["from", "now"], &["hence"]])?),
        },
    };
    if length.seconds() > 1e9 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "bounded in the lines before")]
    let away = SignedDuration::from_secs(length.seconds().round() as i64 * sign);
    let moment = now.offset.to_timestamp(now.local).ok()?.checked_add(away).ok()?;
    Some(Found::of(t, at, next, [What::Moment(moment)]))
}

/// Reads times of day without a day: `at 3pm`, `15:30`, `from 3pm to 4pm`, `between 9 and 11`.
pub(super) fn time(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    let opened = t.word(at).to_owned();
    let from = at + usize::from(opener(&opened) && opened != "ab" && opened != "starting");
    let cue = clock::preposition(t, from);
    let begin = cue.unwrap_or(from);
    let ranged = from > at;
    // `15h` is a time as well as a length, French `9h` too.
    let late = t.whole(begin, 2).is_some_and(|hour| (13..24).contains(&hour));
    let french = (late || t.tongue == Tongue::French) && t.word(begin + 1) == "h";
    let first = if cue.is_some() || ranged {
        clock::awaited(t, begin)
    } else {
        clock::read(t, begin, french)
    };
    let first = first.or_else(|| clock::awaited(t, begin).filter(|first| tail_shows(t, first)))?;
    let last = tail(t, first.next, &opened, &first);
    if ranged && last.is_none() && (first.bare || opened == "de" || opened == "des") {
        return None;
    }
    // A bare pair may be numbers as well: `between 9 and 11`.
    let pair = cue.is_none() && last.as_ref().is_some_and(|(_, last)| last.bare);
    let unsure = first.bare && (pair || (last.is_none() && may_be_a_price(t, at, begin)));
    if pair
        && unsure
        && matches!(t.kind(last.as_ref()?.1.next), Some(Kind::Word))
        && !follows_time(t, last.as_ref()?.1.next)
    {
        return None;
    }
    let first = last
        .as_ref()
        .map_or(first, |(_, last)| in_the_half_of(first, last));
    let range = t.range(if cue.is_some() { from } else { begin }, first.next);
    let mut spans = told(t, begin, range, &first, unsure, now);
    let mut next = first.next;
    if let Some((begin, last)) = last {
        spans.extend(told(t, begin, t.range(begin, last.next), &last, unsure, now));
        next = last.next;
    }
    Some(Found { spans, next })
}

/// `priced at 20`, `at 12.50`: what stands behind `at` may be a number.
fn may_be_a_price(t: &Tokens<'_>, at: usize, begin: usize) -> bool {
    let before = [
        "set",
        "price",
        "priced",
        "cap",
        "capped",
        "keep",
        "limit",
        "limited",
        "valued",
        "sell",
        "selling",
        "stay",
        "fixed",
        "fix",
        "level",
        "threshold",
        "value",
        "rate",
        "rated",
        "start",
        "starting",
        "estimated",
        "volume",
        "capacity",
        "quantity",
        "it",
        "stock",
    ];
    before.contains(&t.word_before(at)) || t.sign(begin + 1) == '.'
}

/// `3-4pm`: a bare first hour shows itself by the second.
fn tail_shows(t: &Tokens<'_>, first: &Clock) -> bool {
    first.bare && tail(t, first.next, "", first).is_some_and(|(_, last)| !last.bare)
}

fn follows_time(t: &Tokens<'_>, at: usize) -> bool {
    matches!(
        t.word(at),
        "with"
            | "for"
            | "on"
            | "in"
            | "and"
            | "please"
            | "at"
            | "mit"
            | "fur"
            | "bitte"
            | "avec"
            | "pour"
            | "con"
            | "para"
            | "or"
            | "um"
            | "am"
    )
}

fn told(
    t: &Tokens<'_>,
    at: usize,
    range: std::ops::Range<usize>,
    clock: &Clock,
    unsure: bool,
    now: Now,
) -> Vec<Span> {
    let times = clock
        .times()
        .into_iter()
        .map(|time| What::Time(here(time, clock.offset, now)));
    let number = super::number::read(t, at)
        .map(|number| What::Number(number.value))
        .filter(|_| unsure);
    times
        .chain(number)
        .map(|what| Span {
            range: range.clone(),
            what,
        })
        .collect()
}

/// A time with its own offset, as clocks show it where the person is.
fn here(time: Time, offset: Option<Offset>, now: Now) -> Time {
    let away = offset.map_or(0, |offset| {
        i64::from(now.offset.seconds()) - i64::from(offset.seconds())
    });
    time.wrapping_add(SignedDuration::from_secs(away))
}
