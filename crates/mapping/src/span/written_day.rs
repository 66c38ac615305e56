//! Which day is written here in digits, or with its month?

use jiff::ToSpan;
use jiff::civil::Date;

use super::calendar;
use super::day::Day;
use super::token::{Kind, Tokens};
use super::tongue::Tongue;

/// A day of this year that is as long past may still be meant, as long as no year is said.
const RECENT_DAYS: i64 = 92;

/// Whether a day without a year lies before or after today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    Past,
    Coming,
    Either,
}

impl Tense {
    /// What the word before the token says about it.
    pub fn before(t: &Tokens<'_>, at: usize) -> Self {
        let near = t.word_before(at);
        let word = if matches!(
            near,
            "the" | "den" | "dem" | "le" | "el" | "zum" | "au" | "del" | "on" | "a"
        ) {
            t.word_before(at.saturating_sub(1))
        } else {
            near
        };
        match word {
            "since" | "seit" | "depuis" => Self::Past,
            "until" | "till" | "by" | "due" | "before" | "bis" | "jusqu" | "hasta" | "starting" | "ab"
            | "from" => Self::Coming,
            _ => Self::Either,
        }
    }
}

/// Reads a date in digits, or a day with its month.
pub(super) fn read(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    year_first(t, at)
        .or_else(|| year_last(t, at))
        .or_else(|| day_and_month(t, at, today))
        .or_else(|| month_and_day(t, at, today))
        .or_else(|| short_digits(t, at, today))
}

/// `2026-12-01`, `2026/12/01`.
pub(super) fn year_first(t: &Tokens<'_>, at: usize) -> Option<Day> {
    let year = t.digits(at).filter(|digits| digits.len() == 4)?.parse().ok()?;
    let mark = t.sign(at + 1);
    if !matches!(mark, '-' | '/' | '.') || t.sign(at + 3) != mark || !all_joined(t, at + 1, 4) {
        return None;
    }
    let month = i8::try_from(t.whole(at + 2, 2)?).ok()?;
    let day = i8::try_from(t.whole(at + 4, 2)?).ok()?;
    Some(Day::new(Date::new(year, month, day).ok()?, at + 5))
}

/// `03/04/2026`: the day comes first, or the month; both are told where both are dates. With dots the day is first.
fn year_last(t: &Tokens<'_>, at: usize) -> Option<Day> {
    let (first, second) = (t.whole(at, 2)?, t.whole(at + 2, 2)?);
    let mark = t.sign(at + 1);
    let glued = t.joined(at) && t.kind(at.checked_sub(1)?) != Some(Kind::Sign);
    if glued || !matches!(mark, '-' | '/' | '.') || t.sign(at + 3) != mark || !all_joined(t, at + 1, 4) {
        return None;
    }
    let digits = t.digits(at + 4)?;
    let year: i16 = match digits.len() {
        4 => digits.parse().ok()?,
        2 if mark != '-' => digits.parse::<i16>().ok()? + 2000,
        _ => return None,
    };
    either_order(
        first,
        second,
        mark == '.',
        |day, month| Date::new(year, month, day).ok(),
        at + 5,
    )
}

fn either_order(
    first: i64,
    second: i64,
    day_first: bool,
    date: impl Fn(i8, i8) -> Option<Date>,
    next: usize,
) -> Option<Day> {
    let (first, second) = (i8::try_from(first).ok()?, i8::try_from(second).ok()?);
    let american = date(second, first).filter(|_| !day_first);
    Day::among(date(first, second).into_iter().chain(american), next)
}

fn all_joined(t: &Tokens<'_>, from: usize, count: usize) -> bool {
    (from..from + count).all(|at| t.joined(at))
}

/// A day of the month: `3`, `3rd`, `3.`, `1er`, `third`; the token after it, and whether it is marked as an ordinal.
pub(super) fn ordinal(t: &Tokens<'_>, at: usize) -> Option<(i8, usize, bool)> {
    if let Some(day) = calendar::ordinal(t.word(at)) {
        return Some((day, at + 1, true));
    }
    let day = i8::try_from(t.whole(at, 2)?)
        .ok()
        .filter(|day| (1..=31).contains(day))?;
    let glued = t.joined(at) && matches!(t.kind(at.checked_sub(1)?), Some(Kind::Word | Kind::Solid));
    if glued {
        return None;
    }
    let after = at + 1;
    let marked = t.joined(after)
        && (matches!(
            t.word(after),
            "st" | "nd" | "rd" | "th" | "er" | "ter" | "ten" | "o" | "e"
        ) || matches!(t.sign(after), 'º' | '°')
            || (t.sign(after) == '.' && !(t.joined(after + 1) && t.digits(after + 1).is_some())));
    Some((day, after + usize::from(marked), marked))
}

/// `3 March`, `3rd of March, 2027`, `3. März`, `1er mars`, `3 de marzo de 2027`, `3-Mar-2027`.
fn day_and_month(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let (day, after, marked) = ordinal(t, at)?;
    let hyphen = usize::from(t.sign(after) == '-' && t.joined(after) && t.joined(after + 1));
    let month_at = t.past(after + hyphen, &["of", "de", "del"]);
    let month = calendar::month(t.word(month_at))?;
    let capital = t.capital(month_at) || t.tongue != Tongue::English || marked || month_at > after;
    if !capital && matches!(t.word(month_at), "may" | "mar") && !cued(t, at) {
        return None;
    }
    let next = month_end(t, month_at);
    with_year(t, at, next, month, day, today)
}

/// Past the month and the dot of its short form.
fn month_end(t: &Tokens<'_>, month_at: usize) -> usize {
    let dotted = t.sign(month_at + 1) == '.' && t.joined(month_at + 1) && t.word(month_at).len() <= 4;
    // The dot of a sentence's end is the month's only where more follows.
    let goes_on = t.digits(month_at + 2).is_some();
    month_at + 1 + usize::from(dotted && goes_on)
}

/// `March 3`, `March 3rd, 2027`, `Dec. 24`.
fn month_and_day(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let month = calendar::month(t.word(at))?;
    let begin = t.past(month_end(t, at), &["the"]);
    let (day, next, marked) = ordinal(t, begin)?;
    let unclear = !calendar::surely_a_month(t.word(at)) && !t.capital(at) && !marked && !cued(t, at);
    let dot = t.sign(next.saturating_sub(1)) == '.';
    let next = if marked && dot { next - 1 } else { next };
    let other_number =
        matches!(t.sign(next), ':' | '%' | '€') || (t.joined(next) && t.kind(next) == Some(Kind::Word));
    let foreign = matches!(t.tongue, Tongue::German | Tongue::French | Tongue::Spanish) && !t.capital(at);
    if unclear || other_number || foreign {
        return None;
    }
    with_year(t, at, next, month, day, today)
}

/// The year behind a day, with the word or the comma before it.
pub(super) fn year(t: &Tokens<'_>, at: usize) -> Option<(i16, usize)> {
    let begin = at + usize::from(t.sign(at) == ',' || (t.sign(at) == '-' && t.joined(at)));
    let begin = t.past(begin, &["of", "de", "del"]);
    let year: i16 = t.digits(begin).filter(|digits| digits.len() == 4)?.parse().ok()?;
    let more = t.joined(begin + 1)
        && (t.kind(begin + 1) != Some(Kind::Sign) || (t.joined(begin + 2) && t.digits(begin + 2).is_some()));
    (!more && (1900..2200).contains(&year)).then_some((year, begin + 1))
}

fn with_year(t: &Tokens<'_>, at: usize, next: usize, month: i8, day: i8, today: Date) -> Option<Day> {
    if let Some((year, next)) = year(t, next) {
        return Some(Day::new(Date::new(year, month, day).ok()?, next));
    }
    Day::among(without_year(month, day, today, Tense::before(t, at)), next)
}

/// Days of this name, the likelier first: the coming one, and the last one where that was lately.
pub(super) fn without_year(month: i8, day: i8, today: Date, tense: Tense) -> Vec<Date> {
    let years =
        |step: i16| (0..9).filter_map(move |away| Date::new(today.year() + step * away, month, day).ok());
    let coming = years(1)
        .find(|date| *date >= today)
        .filter(|_| tense != Tense::Past);
    let lately = today.checked_sub(RECENT_DAYS.days()).unwrap_or(today);
    let past = years(-1).find(|date| *date < today);
    let past = past.filter(|date| tense == Tense::Past || (tense == Tense::Either && *date >= lately));
    coming.into_iter().chain(past).collect()
}

/// `3.4.` in German and `3/4` behind a word that a day follows.
fn short_digits(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let (first, second) = (t.whole(at, 2)?, t.whole(at + 2, 2)?);
    let mark = t.sign(at + 1);
    if !all_joined(t, at + 1, 2) {
        return None;
    }
    let dotted = mark == '.' && t.sign(at + 3) == '.' && t.joined(at + 3);
    let ends = !t.joined(at + 3) || (t.kind(at + 3) == Some(Kind::Sign) && !t.joined(at + 4));
    let slashed = mark == '/' && ends;
    // `7.12. bis 9.12.`, `7.12. um 9`
    let goes_on =
        dotted && (matches!(t.word(at + 4), "bis" | "um" | "ab") || matches!(t.sign(at + 4), '-' | '–'));
    if !(slashed || (dotted && t.tongue == Tongue::German)) || !(goes_on || cued(t, at)) {
        return None;
    }
    let (first, second) = (i8::try_from(first).ok()?, i8::try_from(second).ok()?);
    let tense = Tense::before(t, at);
    let american = if dotted {
        Vec::new()
    } else {
        without_year(first, second, today, tense)
    };
    let dates = without_year(second, first, today, tense)
        .into_iter()
        .chain(american);
    Day::among(dates, at + 3 + usize::from(dotted))
}

/// Whether the word before says that a day follows.
fn cued(t: &Tokens<'_>, at: usize) -> bool {
    let words = [
        "on", "by", "until", "till", "before", "after", "since", "from", "am", "vom", "zum", "bis", "ab",
        "den", "dem", "seit", "le", "du", "au", "el", "del", "al", "hasta", "desde", "through", "for", "due",
        "to",
    ];
    words.contains(&t.word_before(at))
}

/// `on the 15th`, `am 15.`: the coming day of that number. `at` may be the `on`, `begin` is the number.
pub(super) fn nth(t: &Tokens<'_>, at: usize, begin: usize, today: Date) -> Option<Day> {
    let (day, next, marked) = ordinal(t, begin)?;
    let german = t.tongue == Tongue::German && t.sign(begin + 1) == '.';
    let roman = matches!(
        (t.tongue, t.word_before(begin)),
        (Tongue::French, "le") | (Tongue::Spanish, "el")
    );
    let english =
        t.tongue == Tongue::English && marked && t.word_before(begin) == "the" && t.digits(begin).is_some();
    let expected = at < begin && matches!(t.word(at), "on" | "am" | "le" | "el") || cued_twice(t, begin);
    if !(expected && (german || roman || english)) || !nothing_counted(t, next) {
        return None;
    }
    if let Some(month) = month_behind(t, next) {
        return Day::among(without_year(month, day, today, Tense::before(t, at)), next);
    }
    let months = (0..12).filter_map(|away: i64| today.first_of_month().checked_add(away.months()).ok());
    let next = t
        .after(next, &[&["of", "the", "month"], &["of", "this", "month"]])
        .unwrap_or(next);
    let days = months.filter_map(|month| Date::new(month.year(), month.month(), day).ok());
    days.into_iter()
        .find(|date| *date >= today)
        .map(|date| Day::new(date, next))
}

/// Days of the coming year with this number, which is written as an ordinal: `the 4th` behind a day of the week.
pub(super) fn numbered(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let (day, next, marked) = ordinal(t, at)?;
    let named = calendar::month(t.word(t.past(next, &["of", "de"]))).is_some();
    let sure = marked && t.digits(at).is_some() && !named && t.sign(next) != '/' && nothing_counted(t, next);
    let months = (0..12).filter_map(|away: i64| today.first_of_month().checked_add(away.months()).ok());
    let days = months.filter_map(|month| Date::new(month.year(), month.month(), day).ok());
    Day::among(days.filter(|date| *date >= today), next).filter(|_| sure)
}

/// `on the 3rd and 4th of March`: the month stands behind the last day.
fn month_behind(t: &Tokens<'_>, next: usize) -> Option<i8> {
    let mut at = next;
    for _ in 0..6 {
        let comma = usize::from(t.sign(at) == ',');
        let after = t.past(at + comma, &["and", "or", "und", "oder", "et", "y"]);
        let after = t.past(after, &["the", "le", "el", "den", "on"]);
        if after == at {
            return None;
        }
        at = ordinal(t, after)?.1;
        if let Some(month) = calendar::month(t.word(t.past(at, &["of", "de"]))) {
            return Some(month);
        }
    }
    None
}

/// Whether a word before the article says that a day follows: `by the 15th`.
fn cued_twice(t: &Tokens<'_>, begin: usize) -> bool {
    begin > 1 && cued(t, begin - 1) || matches!(t.word_before(begin), "zum" | "ab" | "vom")
}

/// Whether no noun follows that the number would belong to: `on the 3rd floor`.
fn nothing_counted(t: &Tokens<'_>, next: usize) -> bool {
    let words = [
        "at", "and", "from", "to", "until", "with", "for", "in", "please", "um", "und", "bis", "mit",
        "bitte", "a", "et", "y", "por", "con", "pour", "avec", "or", "then", "instead", "as", "of",
    ];
    match t.kind(next) {
        Some(Kind::Word) => words.contains(&t.word(next)),
        Some(Kind::Digits | Kind::Solid) => false,
        Some(Kind::Sign) => !matches!(t.sign(next), '%' | '€' | '$' | ':' | '/'),
        None => true,
    }
}
