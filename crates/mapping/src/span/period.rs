//! From which day to which day does this reach?

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::calendar::{self, Unit};
use super::day::{self, Day};
use super::token::{Kind, Tokens};
use super::tongue::Tongue;
use super::written_day::{self, Tense};
use super::{Found, What, duration};

/// Reads days from one to another.
pub(super) fn read(t: &Tokens<'_>, at: usize, today: Date) -> Option<Found> {
    let whole = between(t, at, today)
        .or_else(|| counted(t, at, today).map(|one| vec![one]))
        .or_else(|| week_of_month(t, at, today))
        .or_else(|| rolling(t, at, today))
        .or_else(|| longer(t, at, today).map(|one| vec![one]))
        .or_else(|| within(t, at, today))?;
    let next = whole.first().map(|(_, _, next)| *next)?;
    let days = whole.into_iter().filter(|(first, last, _)| first <= last);
    Some(Found::of(
        t,
        at,
        next,
        days.map(|(first, last, _)| What::Days(first, last)),
    ))
    .filter(Found::some)
}

/// A stretch of days and the token after it.
pub(super) type Stretch = (Date, Date, usize);

/// `from Monday to Wednesday`, `10 to 11 December`, `vom 14. bis 23. Dezember`, `du 3 au 7 mars`, `March 3-7`.
fn between(t: &Tokens<'_>, at: usize, today: Date) -> Option<Vec<Stretch>> {
    let words = [
        "from", "between", "vom", "von", "zwischen", "du", "de", "del", "entre", "desde", "starting",
    ];
    let after = t.past(at, &words);
    let opened = if after > at { t.word(at) } else { "" };
    let begin = t.past(after, &["the", "dem", "den", "le", "el"]);
    month_with_two_days(t, begin, today)
        .or_else(|| number_and_day(t, begin, opened, today))
        .or_else(|| {
            let first = day::read(t, after, today).filter(|first| first.part.is_none())?;
            let second = link(t, first.next, opened)?;
            let last = day::read(t, second, today).or_else(|| bare_end(t, second, &first))?;
            pair(&first, &last, last.next)
        })
}

/// `10 to 11 December`: the first day is a number of the second day's month.
fn number_and_day(t: &Tokens<'_>, at: usize, opened: &str, today: Date) -> Option<Vec<Stretch>> {
    let (number, next, _) = written_day::ordinal(t, at)?;
    let second = link(t, next, opened)?;
    let last = written_day::read(t, t.past(second, &["the", "den", "dem", "le", "el"]), today)?;
    let starts = last
        .dates
        .iter()
        .filter_map(|date| last_of_that_number(*date, number));
    pair(&Day::among(starts, last.next)?, &last, last.next)
}

/// The last day of this number up to `until`: `28 to 3 January` begins in December.
fn last_of_that_number(until: Date, number: i8) -> Option<Date> {
    let here = Date::new(until.year(), until.month(), number)
        .ok()
        .filter(|day| *day <= until);
    here.or_else(|| {
        let before = until.first_of_month().yesterday().ok()?;
        Date::new(before.year(), before.month(), number).ok()
    })
}

/// Past the word or the dash between two days.
fn link(t: &Tokens<'_>, at: usize, opened: &str) -> Option<usize> {
    if matches!(t.sign(at), '-' | '–' | '—') {
        return Some(at + 1);
    }
    match t.word(at) {
        "to" | "until" | "till" | "through" | "thru" => Some(at + 1),
        "bis" => Some(t.past(at + 1, &["zum", "einschliesslich"])),
        "au" | "al" | "hasta" | "jusqu" => Some(t.after(at, &[&["jusqu", "'", "au"]]).unwrap_or(at + 1)),
        "a" if !opened.is_empty() && t.tongue != Tongue::English => Some(at + 1),
        "and" if opened == "between" => Some(at + 1),
        "und" if opened == "zwischen" => Some(at + 1),
        "et" | "y" if opened == "entre" => Some(at + 1),
        _ => None,
    }
}

/// `March 3 to 7`: the second day is a number of the same month.
fn bare_end(t: &Tokens<'_>, at: usize, first: &Day) -> Option<Day> {
    let (number, next, _) = written_day::ordinal(t, at)?;
    if t.kind(next) == Some(Kind::Word) && calendar::unit(t.word(next)).is_some() || t.sign(next) == ':' {
        return None;
    }
    if first.weekday.is_some() || matches!(t.word(next), "am" | "pm" | "uhr" | "h") {
        return None;
    }
    let days = first
        .dates
        .iter()
        .filter_map(|date| Date::new(date.year(), date.month(), number).ok());
    Day::among(days, next)
}

/// `March 3-7, 2027`, `December 10 – 11`.
fn month_with_two_days(t: &Tokens<'_>, at: usize, today: Date) -> Option<Vec<Stretch>> {
    let month =
        calendar::month(t.word(at)).filter(|_| t.capital(at) || calendar::surely_a_month(t.word(at)))?;
    let (first, next, _) = written_day::ordinal(t, at + 1)?;
    let (last, next, _) = written_day::ordinal(t, link(t, next, "")?)?;
    if t.sign(next) == ':' || matches!(t.word(next), "am" | "pm") {
        return None;
    }
    if let Some((year, next)) = written_day::year(t, next) {
        return Some(vec![(
            Date::new(year, month, first).ok()?,
            Date::new(year, month, last).ok()?,
            next,
        )]);
    }
    let starts = written_day::without_year(month, first, today, Tense::before(t, at));
    let ends = |date: &Date| Date::new(date.year(), date.month(), last).ok();
    Some(
        starts
            .iter()
            .filter_map(|date| Some((*date, ends(date)?, next)))
            .collect(),
    )
}

/// Every pair of a first and a last day, as they belong together.
fn pair(first: &Day, last: &Day, next: usize) -> Option<Vec<Stretch>> {
    let mut pairs = Vec::new();
    for start in &first.dates {
        let end = match last.weekday {
            Some(weekday) => day::first_from(*start, weekday),
            None => last
                .dates
                .iter()
                .copied()
                .filter(|date| date >= start)
                .min()
                .or_else(|| a_year_later(last, *start)),
        };
        pairs.extend(end.map(|end| (*start, end, next)));
    }
    pairs.truncate(2);
    // Two days of no year are told once, in the year where they follow each other soonest.
    let alike = first.dates.len() == last.dates.len();
    let shortest = pairs
        .iter()
        .map(|(start, end, _)| days_between(*start, *end))
        .min()?;
    pairs.retain(|(start, end, _)| alike || days_between(*start, *end) == shortest);
    (!pairs.is_empty()).then_some(pairs)
}

fn a_year_later(last: &Day, start: Date) -> Option<Date> {
    let date = last.dates.first()?;
    let later = Unit::Year.from(*date, 1)?;
    (later >= start && days_between(start, later) < 366).then_some(later)
}

fn days_between(start: Date, end: Date) -> i64 {
    end.duration_since(start).as_hours() / 24
}

/// `the last 7 days`, `the next two weeks`, `die letzten 3 Monate`, `les 7 derniers jours`, `los últimos 7 días`.
fn counted(t: &Tokens<'_>, at: usize, today: Date) -> Option<Stretch> {
    let begin = t.past(at, &["the", "die", "den", "der", "les", "des", "los", "las"]);
    let (back, after) = match t.word(begin) {
        "last" | "past" | "previous" | "letzten" | "letzte" | "vergangenen" | "ultimos" | "ultimas" => {
            (true, begin + 1)
        }
        "next" | "coming" | "nachsten" | "kommenden" | "proximos" | "proximas" => (false, begin + 1),
        _ => return french_counted(t, begin, today),
    };
    let length = duration::length(t, after).filter(|length| length.counted)?;
    let (count, unit) = length.whole()?;
    stretch(today, back, count, unit, length.next)
}

/// `the last week of August`: the first or the last seven days.
fn week_of_month(t: &Tokens<'_>, at: usize, today: Date) -> Option<Vec<Stretch>> {
    let begin = t.past(at, &["the"]);
    let last = t.word(begin) == "last";
    if !(last || t.word(begin) == "first") || !t.says(begin + 1, &["week", "of"]) {
        return None;
    }
    let week = |(first, until, next): Stretch| {
        let days = if last {
            (until.checked_sub(6.days()).ok()?, until)
        } else {
            (first, first.checked_add(6.days()).ok()?)
        };
        Some((days.0, days.1, next))
    };
    Some(named(t, begin + 3, today)?.into_iter().filter_map(week).collect())
}

/// `the past week` ends today; `the last week` does, or is the one before this.
fn rolling(t: &Tokens<'_>, at: usize, today: Date) -> Option<Vec<Stretch>> {
    let begin = t.past(at, &["the"]);
    let past = t.word(begin) == "past";
    let last = begin > at && t.word(begin) == "last";
    if !(past || last) {
        return None;
    }
    let unit = calendar::unit(t.word(begin + 1)).filter(|_| !is_plural(t.word(begin + 1)))?;
    let rolling = stretch(today, true, 1, unit, begin + 2)?;
    let whole = longer(t, at, today).filter(|_| !past);
    Some(std::iter::once(rolling).chain(whole).collect())
}

fn french_counted(t: &Tokens<'_>, at: usize, today: Date) -> Option<Stretch> {
    let number = super::number::read(t, at)?;
    let back = match t.word(number.next) {
        "derniers" | "dernieres" => true,
        "prochains" | "prochaines" => false,
        _ => return None,
    };
    let unit = calendar::unit(t.word(number.next + 1))?;
    #[expect(clippy::cast_possible_truncation, reason = "bounded where it is used")]
    stretch(today, back, number.value as i64, unit, number.next + 2)
}

/// So many units up to today, or from today on; today belongs to it.
fn stretch(today: Date, back: bool, count: i64, unit: Unit, next: usize) -> Option<Stretch> {
    if unit < Unit::Day || count < 1 {
        return None;
    }
    if back {
        Some((unit.from(today, -count)?, today, next))
    } else {
        Some((today, unit.from(today, count)?, next))
    }
}

/// How far away a longer time is that is pointed at: `next`, `this`, `last`.
fn pointed(word: &str) -> Option<i64> {
    Some(match word {
        "this" | "current" | "diese" | "diesen" | "diesem" | "dieser" | "dieses" | "ce" | "cet" | "cette"
        | "este" | "esta" => 0,
        "next" | "nachste" | "nachsten" | "nachstem" | "nachster" | "nachstes" | "kommende" | "kommenden"
        | "kommender" | "proximo" | "proxima" | "coming" => 1,
        "last" | "previous" | "letzte" | "letzten" | "letztem" | "letzter" | "letztes" | "vergangene"
        | "vergangenen" | "vorige" | "vorigen" => -1,
        _ => return None,
    })
}

/// A pointer behind: `le mois prochain`, `la semana pasada`.
fn pointed_behind(t: &Tokens<'_>, at: usize) -> Option<(i64, usize)> {
    let phrases: &[(&[&str], i64)] = &[
        (&["prochain"], 1),
        (&["prochaine"], 1),
        (&["dernier"], -1),
        (&["derniere"], -1),
        (&["passe"], -1),
        (&["passee"], -1),
        (&["pasado"], -1),
        (&["pasada"], -1),
        (&["proximo"], 1),
        (&["proxima"], 1),
        (&["que", "viene"], 1),
    ];
    let (words, away) = phrases.iter().find(|(words, _)| t.says(at, words))?;
    Some((*away, at + words.len()))
}

/// A week, a week-end, a month, a quarter or a year that is pointed at: `last week`, `this month`, `le mois prochain`.
pub(super) fn longer(t: &Tokens<'_>, at: usize, today: Date) -> Option<Stretch> {
    let begin = t.past(
        at,
        &[
            "the", "am", "der", "die", "das", "den", "des", "dem", "le", "la", "el", "l",
        ],
    );
    let begin = begin + usize::from(begin > at && t.word(at) == "l" && matches!(t.sign(begin), '\'' | '’'));
    if let Some(away) = pointed(t.word(begin)) {
        if let Some((next, stretch)) = stretch_of(t, begin + 1, away, today) {
            return Some((stretch.0, stretch.1, next));
        }
        return named_month(t, begin + 1, Some(away), today)
            .and_then(|stretches| stretches.into_iter().next())
            .filter(|_| calendar::month(t.word(begin + 1)).is_some());
    }
    let (unit_next, _) = stretch_of(t, begin, 0, today)?;
    if let Some((away, next)) = pointed_behind(t, unit_next) {
        return stretch_of(t, begin, away, today).map(|(_, stretch)| (stretch.0, stretch.1, next));
    }
    weekend(t, begin).filter(|_| begin > at)?;
    let away = if Tense::before(t, at) == Tense::Past {
        -1
    } else {
        0
    };
    stretch_of(t, begin, away, today).map(|(next, stretch)| (stretch.0, stretch.1, next))
}

/// The unit that is now: `the month` of `the end of the month`.
fn present(t: &Tokens<'_>, at: usize, today: Date) -> Option<Stretch> {
    let begin = t.past(at, &["the", "la", "l"]);
    let begin = begin + usize::from(begin > at && matches!(t.sign(begin), '\'' | '’'));
    stretch_of(t, begin, 0, today).map(|(next, stretch)| (stretch.0, stretch.1, next))
}

/// The days of the unit that many units away.
fn stretch_of(t: &Tokens<'_>, at: usize, away: i64, today: Date) -> Option<(usize, (Date, Date))> {
    if let Some(next) = weekend(t, at) {
        let saturday = Unit::Week.from(calendar::in_week_of(today, Weekday::Saturday)?, away)?;
        return Some((next, (saturday, saturday.tomorrow().ok()?)));
    }
    let next = at + 1;
    if matches!(t.word(at), "quarter" | "quartal" | "quartals" | "trimestre") {
        let first = quarter_of(today)?.checked_add((away * 3).months()).ok()?;
        return Some((next, (first, first.checked_add(2.months()).ok()?.last_of_month())));
    }
    let stretch = match calendar::unit(t.word(at)).filter(|_| !is_plural(t.word(at)))? {
        Unit::Week => {
            let monday = Unit::Week.from(calendar::in_week_of(today, Weekday::Monday)?, away)?;
            (monday, monday.checked_add(6.days()).ok()?)
        }
        Unit::Month => {
            let first = Unit::Month.from(today.first_of_month(), away)?;
            (first, first.last_of_month())
        }
        Unit::Year => {
            let first = Unit::Year.from(today.first_of_year(), away)?;
            (first, first.last_of_year())
        }
        _ => return None,
    };
    Some((next, stretch))
}

fn is_plural(word: &str) -> bool {
    matches!(
        word,
        "weeks"
            | "months"
            | "years"
            | "wochen"
            | "monate"
            | "jahre"
            | "semaines"
            | "semanas"
            | "meses"
            | "anos"
    )
}

fn weekend(t: &Tokens<'_>, at: usize) -> Option<usize> {
    let phrases: &[&[&str]] = &[
        &["weekend"],
        &["week", "-", "end"],
        &["wochenende"],
        &["fin", "de", "semana"],
        &["week", "end"],
    ];
    t.after(at, phrases)
}

fn quarter_of(day: Date) -> Option<Date> {
    Date::new(day.year(), (day.month() - 1) / 3 * 3 + 1, 1).ok()
}

/// `in March`, `March 2027`, `Q3`, `in 2026`.
fn within(t: &Tokens<'_>, at: usize, today: Date) -> Option<Vec<Stretch>> {
    let after = t.past(at, &["in", "im", "en", "during"]);
    let preceded = after > at
        || matches!(
            t.word_before(at),
            "of" | "for" | "until" | "since" | "by" | "from" | "im"
        );
    if let Some(quarter) = quarter(t, after, today)
        .filter(|(_, _, next)| preceded || t.written(after) != "H" || *next > after + 2)
    {
        return Some(vec![quarter]);
    }
    if after > at {
        let after = t.past(after, &["jahr", "jahre", "the"]);
        let year = t
            .digits(after)
            .filter(|digits| digits.len() == 4)
            .and_then(|digits| digits.parse::<i16>().ok());
        let ends = !t.joined(after + 1) || !t.joined(after + 2);
        if let Some(year) = year.filter(|year| ends && (1990..2100).contains(year) && !counts(t, after + 1)) {
            return Some(vec![(
                Date::new(year, 1, 1).ok()?,
                Date::new(year, 12, 31).ok()?,
                after + 1,
            )]);
        }
    }
    let word = t.word(after);
    calendar::month(word)?;
    let foreign = matches!(t.tongue, Tongue::French | Tongue::Spanish) && matches!(t.word(at), "en" | "de");
    // `in may` and `im Mai` are clear in small letters too.
    let sure = calendar::surely_a_month(word)
        || (t.capital(after) && t.tongue == Tongue::English)
        || (after > at && matches!(t.word(at), "in" | "im" | "during"))
        || foreign;
    // `March` alone is no month of a year; `in March`, `of March` and `March 2027` are.
    if written_day::year(t, after + 1).is_some() || (preceded && sure) {
        return named_month(t, after, None, today);
    }
    None
}

/// What has a first and a last day: `the month`, `next week`, `March`, `Q1`.
pub(super) fn named(t: &Tokens<'_>, at: usize, today: Date) -> Option<Vec<Stretch>> {
    let one = longer(t, at, today)
        .or_else(|| present(t, at, today))
        .or_else(|| quarter(t, at, today));
    one.map(|one| vec![one])
        .or_else(|| named_month(t, at, None, today))
}

fn counts(t: &Tokens<'_>, at: usize) -> bool {
    t.kind(at) == Some(Kind::Word)
        && matches!(
            t.word(at),
            "euros" | "dollars" | "items" | "units" | "records" | "rows"
        )
}

/// A month by its name: with its year, with a pointer, or else the coming one and the one before.
fn named_month(t: &Tokens<'_>, at: usize, away: Option<i64>, today: Date) -> Option<Vec<Stretch>> {
    let month = calendar::month(t.word(at))?;
    let month_of = |year: i16, next: usize| {
        let first = Date::new(year, month, 1).ok()?;
        Some((first, first.last_of_month(), next))
    };
    if let Some((year, next)) = written_day::year(t, at + 1) {
        return Some(vec![month_of(year, next)?]);
    }
    // A number behind the month is its day.
    if written_day::ordinal(t, at + 1).is_some() && !t.sign(at + 1).is_ascii_punctuation() {
        return None;
    }
    let coming = if month >= today.month() {
        today.year()
    } else {
        today.year() + 1
    };
    let past = if month < today.month() {
        today.year()
    } else {
        today.year() - 1
    };
    let years = match away {
        Some(0) => vec![today.year()],
        Some(1) => vec![if month > today.month() {
            today.year()
        } else {
            today.year() + 1
        }],
        Some(_) => vec![past],
        None if month == today.month() => vec![today.year()],
        None => match Tense::before(t, at) {
            Tense::Past => vec![past],
            Tense::Coming => vec![coming],
            Tense::Either => vec![coming, past],
        },
    };
    Some(
        years
            .into_iter()
            .filter_map(|year| month_of(year, at + 1))
            .collect(),
    )
}

/// `Q3`, `Q3 2026`, `Q3/2026`: of this year where none is said.
fn quarter(t: &Tokens<'_>, at: usize, today: Date) -> Option<Stretch> {
    if !matches!(t.written(at), "Q" | "q" | "H") || !t.joined(at + 1) || t.joined(at) {
        return None;
    }
    let number = i8::try_from(t.whole(at + 1, 1)?).ok()?;
    let months = if t.written(at) == "H" { 6 } else { 3 };
    let first = (number - 1) * months + 1;
    let slash = usize::from(matches!(t.sign(at + 2), '/' | '-') && t.joined(at + 3));
    let (year, next) = written_day::year(t, at + 2 + slash).unwrap_or((today.year(), at + 2));
    if !(1..=12 / months).contains(&number) || (t.joined(at + 2) && t.kind(at + 2) == Some(Kind::Word)) {
        return None;
    }
    let first = Date::new(year, first, 1).ok()?;
    let last = first
        .checked_add((i64::from(months) - 1).months())
        .ok()?
        .last_of_month();
    Some((first, last, next))
}
