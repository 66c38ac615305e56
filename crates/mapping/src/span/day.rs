//! Which day stands here?

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::calendar::{self, Unit};
use super::clock::{self, Part};
use super::token::{Kind, Tokens};
use super::tongue::Tongue;
use super::{duration, written_day};

/// A day as it is said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Day {
    /// Every day it may be, the likelier first.
    pub dates: Vec<Date>,
    pub part: Option<Part>,
    /// Whether a day of the week was named and nothing nearer.
    pub weekday: Option<Weekday>,
    pub next: usize,
}

impl Day {
    pub fn new(date: Date, next: usize) -> Self {
        Self {
            dates: vec![date],
            part: None,
            weekday: None,
            next,
        }
    }

    /// Days without repetition; nothing where there is none.
    pub fn among(dates: impl IntoIterator<Item = Date>, next: usize) -> Option<Self> {
        let mut kept: Vec<Date> = Vec::new();
        for date in dates {
            if !kept.contains(&date) {
                kept.push(date);
            }
        }
        (!kept.is_empty()).then_some(Self {
            dates: kept,
            part: None,
            weekday: None,
            next,
        })
    }
}

/// Reads a day with the `on` before it and the part of the day behind it.
pub(super) fn read(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let mut day = named(t, at, today)
        .or_else(|| relative(t, at, today))
        .or_else(|| close_of(t, at, today))
        .or_else(|| edge(t, at, today))
        .or_else(|| dated(t, at, today))?;
    if day.part.is_none()
        && let Some((part, next)) = clock::part_of_day(t, day.next)
    {
        (day.part, day.next) = (Some(part), next);
    }
    day.next = t.after(day.next, CLOSES).unwrap_or(day.next);
    Some(day)
}

/// The end of a working day, which is the day itself.
const CLOSES: &[&[&str]] = &[
    &["eod"],
    &["cob"],
    &["end", "of", "day"],
    &["end", "of", "business"],
    &["by", "eod"],
];

/// `EOD Friday`, `end of day on 4 December`.
fn close_of(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let after = t.after(at, CLOSES)?;
    named(t, after, today).or_else(|| dated(t, after, today))
}

/// The token after a word that stands before a day and says no more than that one follows.
fn preposition(t: &Tokens<'_>, at: usize) -> usize {
    match t.word(at) {
        "on" => t.past(at + 1, &["the"]),
        "am" | "den" | "dem" | "le" | "el" | "the" => at + 1,
        _ => at,
    }
}

fn dated(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let begin = preposition(t, at);
    week_and_weekday(t, at, today)
        .or_else(|| weekday(t, begin, today))
        .or_else(|| written_day::read(t, begin, today))
        .or_else(|| written_day::nth(t, at, begin, today))
}

/// `today`, `the day after tomorrow`, `übermorgen`, `pasado mañana`, `this morning`, `last night`.
fn named(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let phrases: &[(&[&str], i64)] = &[
        (&["the", "day", "after", "tomorrow"], 2),
        (&["day", "after", "tomorrow"], 2),
        (&["the", "day", "before", "yesterday"], -2),
        (&["day", "before", "yesterday"], -2),
        (&["today"], 0),
        (&["tomorrow"], 1),
        (&["tomorow"], 1),
        (&["tommorow"], 1),
        (&["tommorrow"], 1),
        (&["tmrw"], 1),
        (&["yesterday"], -1),
        (&["heute"], 0),
        (&["morgen"], 1),
        (&["ubermorgen"], 2),
        (&["uebermorgen"], 2),
        (&["gestern"], -1),
        (&["vorgestern"], -2),
        (&["aujourd", "'", "hui"], 0),
        (&["aujourdhui"], 0),
        (&["demain"], 1),
        (&["apres", "-", "demain"], 2),
        (&["apres", "demain"], 2),
        (&["hier"], -1),
        (&["avant", "-", "hier"], -2),
        (&["avant", "hier"], -2),
        (&["hoy"], 0),
        (&["manana"], 1),
        (&["pasado", "manana"], 2),
        (&["ayer"], -1),
        (&["anteayer"], -2),
        (&["antes", "de", "ayer"], -2),
    ];
    let fitting = phrases.iter().filter(|(words, _)| t.says(at, words));
    if let Some((words, days)) = fitting.max_by_key(|(words, _)| words.len()) {
        let day = Day::new(Unit::Day.from(today, *days)?, at + words.len());
        return Some(day).filter(|_| is_a_day(t, at));
    }
    with_part(t, at, today)
}

/// `morgen` and `mañana` are a part of the day as well, `hier` is German for here.
fn is_a_day(t: &Tokens<'_>, at: usize) -> bool {
    let before = t.word_before(at);
    match t.word(at) {
        "morgen" => {
            let german_noun =
                t.capital(at) && t.tongue == Tongue::German && !before.is_empty() && before != "bis";
            !german_noun && !matches!(before, "guten" | "am" | "jeden" | "diesen" | "heute" | "gestern")
        }
        "manana" => !matches!(before, "la" | "esta" | "una" | "cada"),
        "hier" => t.tongue == Tongue::French,
        _ => true,
    }
}

/// A part of a day that says which day: `tonight`, `this morning`, `ce soir`, `last night`.
fn with_part(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let phrases: &[(&[&str], i64, Part)] = &[
        (&["tonight"], 0, Part::Evening),
        (&["this", "morning"], 0, Part::Morning),
        (&["this", "afternoon"], 0, Part::Afternoon),
        (&["this", "evening"], 0, Part::Evening),
        (&["last", "night"], -1, Part::Evening),
        (&["ce", "matin"], 0, Part::Morning),
        (&["ce", "soir"], 0, Part::Evening),
        (&["cet", "apres", "-", "midi"], 0, Part::Afternoon),
        (&["esta", "manana"], 0, Part::Morning),
        (&["esta", "tarde"], 0, Part::Afternoon),
        (&["esta", "noche"], 0, Part::Evening),
        (&["anoche"], -1, Part::Evening),
    ];
    let (words, days, part) = phrases.iter().find(|(words, ..)| t.says(at, words))?;
    let day = Day::new(Unit::Day.from(today, *days)?, at + words.len());
    Some(Day {
        part: Some(*part),
        ..day
    })
}

/// `in 3 days`, `two weeks ago`, `vor drei Tagen`, `il y a 3 jours`, `hace dos semanas`, `a week from Monday`.
fn relative(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let forward = t
        .past(at, &["in", "dans"])
        .max(t.after(at, &[&["dentro", "de"]]).unwrap_or(at));
    let spanish = usize::from(t.word(at) == "en" && t.tongue == Tongue::Spanish);
    let forward = forward.max(at + spanish);
    let past = [["il", "y", "a"].as_slice(), &["vor"], &["hace"]];
    let backward = t.after(at, &past).filter(|_| forward == at);
    let begin = backward.unwrap_or(forward);
    let length = duration::length(t, begin)?;
    let (count, unit) = length.whole()?;
    if unit < Unit::Day {
        return None;
    }
    let from = |count: i64, next: usize| Some(Day::new(unit.from(today, count)?, next));
    if backward.is_some() {
        return from(-count, length.next);
    }
    if forward > at {
        let next = t.after(
            length.next,
            &[&["'", "time"], &["from", "now"], &["from", "today"]],
        );
        return from(count, next.unwrap_or(length.next));
    }
    if let Some(next) = t.after(length.next, &[&["ago"], &["ago", "today"]]) {
        return from(-count, next);
    }
    if let Some(next) = t.after(length.next, &[&["from", "now"], &["from", "today"], &["hence"]]) {
        return from(count, next);
    }
    (t.word(length.next) == "from").then_some(())?;
    let start = named(t, length.next + 1, today).or_else(|| weekday(t, length.next + 1, today))?;
    Day::among(
        start.dates.iter().filter_map(|date| unit.from(*date, count)),
        start.next,
    )
}

/// How a day of the week is pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Coming,
    This,
    /// The one of the week after this.
    Next,
    /// German `nächsten Freitag` is either.
    ComingOrNext,
    Last,
}

/// A day of the week with its pointer, or with the date it stands before: `Friday, 4 December`.
fn weekday(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let repeated = [
        "every", "each", "jeden", "jede", "chaque", "cada", "les", "los", "alle",
    ];
    if repeated.contains(&t.word_before(at)) {
        return None;
    }
    let (which, begin) = pointer(t, at);
    let weekday = named_weekday(t, begin, which.is_some())?;
    let next = begin + 1 + usize::from(t.sign(begin + 1) == '.' && short(t, begin) && t.joined(begin + 1));
    if which.is_none()
        && let Some(day) = with_date(t, next, weekday, today)
    {
        return Some(day);
    }
    let since = matches!(t.word_before(at), "since" | "seit" | "depuis" | "desde");
    let plain = if since { Which::Last } else { Which::Coming };
    let (which, next) = match which {
        Some(which) => (which, next),
        None => pointer_behind(t, next).unwrap_or((plain, next)),
    };
    let mut day = Day::among(pointed(which, weekday, today), next)?;
    day.weekday = (which == Which::Coming).then_some(weekday);
    if let Some((weeks, next)) = week_behind(t, day.next) {
        let week = calendar::in_week_of(today, weekday)?;
        day = Day::new(Unit::Week.from(week, weeks)?, next);
    }
    Some(day)
}

fn pointed(which: Which, weekday: Weekday, today: Date) -> Vec<Date> {
    let here = calendar::in_week_of(today, weekday);
    let coming = calendar::after(today, weekday);
    let next = here.and_then(|here| Unit::Week.from(here, 1));
    let told = match which {
        Which::Coming => [coming, None],
        Which::This => [here.filter(|here| *here >= today).or(coming), None],
        Which::Next => [next, None],
        Which::ComingOrNext => [coming, next],
        Which::Last => [calendar::before(today, weekday), None],
    };
    told.into_iter().flatten().collect()
}

fn pointer(t: &Tokens<'_>, at: usize) -> (Option<Which>, usize) {
    let which = match t.word(at) {
        "this" | "diesen" | "diesem" | "dieser" | "ce" | "este" => Which::This,
        "next" | "nxt" => Which::Next,
        "nachsten" | "nachstem" | "nachster" | "nachste" => Which::ComingOrNext,
        "coming" | "kommenden" | "kommendem" | "kommender" | "upcoming" | "proximo" => Which::Coming,
        "last" | "past" | "previous" | "letzten" | "letztem" | "letzter" | "vergangenen" | "vergangenem"
        | "vorigen" => Which::Last,
        _ => return (None, at),
    };
    let begin = t.past(at + 1, &["coming"]);
    (Some(which), begin)
}

fn pointer_behind(t: &Tokens<'_>, at: usize) -> Option<(Which, usize)> {
    let phrases: &[(&[&str], Which)] = &[
        (&["prochain"], Which::Coming),
        (&["dernier"], Which::Last),
        (&["passe"], Which::Last),
        (&["pasado"], Which::Last),
        (&["proximo"], Which::Coming),
        (&["que", "viene"], Which::Coming),
    ];
    let (words, which) = phrases.iter().find(|(words, _)| t.says(at, words))?;
    // «el viernes pasado mañana» is nothing anybody says.
    Some((*which, at + words.len()))
}

/// A week behind a day of the week: `Monday next week`, `Montag nächster Woche`. How many weeks away.
fn week_behind(t: &Tokens<'_>, at: usize) -> Option<(i64, usize)> {
    let begin = t.past(at, &["of", "in", "der", "de"]);
    week(t, begin)
}

/// A week by its pointer, counted from this one.
fn week(t: &Tokens<'_>, at: usize) -> Option<(i64, usize)> {
    let phrases: &[(&[&str], i64)] = &[
        (&["next", "week"], 1),
        (&["this", "week"], 0),
        (&["last", "week"], -1),
        (&["the", "week", "after", "next"], 2),
        (&["nachste", "woche"], 1),
        (&["nachster", "woche"], 1),
        (&["kommende", "woche"], 1),
        (&["diese", "woche"], 0),
        (&["dieser", "woche"], 0),
        (&["letzte", "woche"], -1),
        (&["letzter", "woche"], -1),
        (&["la", "semaine", "prochaine"], 1),
        (&["cette", "semaine"], 0),
        (&["la", "semaine", "derniere"], -1),
        (&["la", "proxima", "semana"], 1),
        (&["la", "semana", "que", "viene"], 1),
        (&["esta", "semana"], 0),
        (&["la", "semana", "pasada"], -1),
    ];
    let (words, weeks) = phrases.iter().find(|(words, _)| t.says(at, words))?;
    Some((*weeks, at + words.len()))
}

/// `next week on Monday`, `nächste Woche Montag`.
fn week_and_weekday(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let (weeks, after) = week(t, at)?;
    let begin = t.past(after, &["on", "am", "le", "el"]);
    let weekday = named_weekday(t, begin, true)?;
    let here = calendar::in_week_of(today, weekday)?;
    Some(Day::new(Unit::Week.from(here, weeks)?, begin + 1))
}

fn named_weekday(t: &Tokens<'_>, at: usize, pointed: bool) -> Option<Weekday> {
    let word = t.word(at);
    let full = calendar::weekday(word);
    full.or_else(|| calendar::short_weekday(word).filter(|_| pointed || short_fits(t, at)))
}

fn short(t: &Tokens<'_>, at: usize) -> bool {
    calendar::short_weekday(t.word(at)).is_some()
}

/// `Sat` and `Sun` with a capital, and behind a word that a day follows.
fn short_fits(t: &Tokens<'_>, at: usize) -> bool {
    let before = t.word_before(at);
    let cued = matches!(
        before,
        "on" | "by" | "until" | "till" | "from" | "to" | "for" | "before" | "after" | "since"
    );
    let ranged = at > 0 && matches!(t.sign(at - 1), '-' | '–');
    // `Sat down`: behind a day comes a time, another day, or nothing.
    let goes_on = [
        "at",
        "and",
        "or",
        "to",
        "from",
        "until",
        "next",
        "morning",
        "afternoon",
        "evening",
        "night",
        "the",
        "noon",
        "is",
    ];
    let ends = t.word(at + 1).is_empty()
        || goes_on.contains(&t.word(at + 1))
        || calendar::month(t.word(at + 1)).is_some();
    let spelled = t.capital(at) && t.written(at).chars().nth(1).is_some_and(char::is_lowercase);
    let timed = t.digits(at + 1).is_some()
        && (matches!(t.word(at + 2), "am" | "pm" | "h" | "st" | "nd" | "rd" | "th") || t.sign(at + 2) == ':');
    (spelled && ends) || cued || ranged || timed || t.after(at + 1, CLOSES).is_some()
}

/// `Friday, 4 December`, `Freitag, den 4. Dezember`, `Friday the 4th`.
fn with_date(t: &Tokens<'_>, at: usize, weekday: Weekday, today: Date) -> Option<Day> {
    let begin = at + usize::from(t.sign(at) == ',');
    let begin = t.past(begin, &["the", "den", "dem", "le", "el"]);
    if let Some(day) = written_day::numbered(t, begin, today) {
        let fitting = day.dates.iter().copied().find(|date| date.weekday() == weekday);
        return fitting.map(|date| Day::new(date, day.next));
    }
    let mut day = written_day::read(t, begin, today)?;
    if let Some(fitting) = day.dates.iter().copied().find(|date| date.weekday() == weekday) {
        day.dates = vec![fitting];
    }
    Some(day)
}

/// The first or the last day of a longer time: `end of the month`, `Anfang nächster Woche`, `fin mars`.
fn edge(t: &Tokens<'_>, at: usize, today: Date) -> Option<Day> {
    let begin = t.past(at, &["the", "la", "a", "zum"]);
    let (last, after) = match t.word(begin) {
        "end" | "ende" | "fin" | "final" | "finales" => (true, begin + 1),
        "beginning" | "start" | "anfang" | "debut" | "principio" | "principios" => (false, begin + 1),
        "monatsende" => return Some(Day::new(today.last_of_month(), begin + 1)),
        "jahresende" => return Some(Day::new(today.last_of_year(), begin + 1)),
        "eom" => return Some(Day::new(today.last_of_month(), begin + 1)),
        "eod" | "cob" => return Some(Day::new(today, begin + 1)),
        "month" | "year" if t.word(begin + 1) == "end" => (true, begin),
        _ => return None,
    };
    let inner = t.past(after, &["of", "de", "du", "del", "des", "der"]);
    if last
        && t.after(inner, &[&["day"], &["the", "day"], &["business"]])
            .is_some()
    {
        let next = t.after(inner, &[&["day"], &["the", "day"], &["business"]])?;
        return Some(Day::new(today, next));
    }
    if let Some((weeks, next)) = weeks_edge(t, inner) {
        let weekdays: &[Weekday] = if last {
            &[Weekday::Friday, Weekday::Sunday]
        } else {
            &[Weekday::Monday]
        };
        let days = weekdays
            .iter()
            .filter_map(|weekday| calendar::in_week_of(today, *weekday));
        return Day::among(days.filter_map(|day| Unit::Week.from(day, weeks)), next);
    }
    let stretches = super::period::named(t, inner, today)?;
    let next = stretches.first().map(|(_, _, next)| *next)?;
    Day::among(
        stretches
            .iter()
            .map(|(first, until, _)| if last { *until } else { *first }),
        next,
    )
}

/// The week whose beginning or end is meant.
fn weeks_edge(t: &Tokens<'_>, at: usize) -> Option<(i64, usize)> {
    let plain: &[&[&str]] = &[
        &["week"],
        &["the", "week"],
        &["woche"],
        &["la", "semaine"],
        &["la", "semana"],
        &["semana"],
    ];
    week(t, at).or_else(|| {
        t.after(at, plain)
            .filter(|next| t.kind(*next) != Some(Kind::Digits))
            .map(|next| (0, next))
    })
}

/// The first day from `from` on that is such a day of the week.
pub(super) fn first_from(from: Date, weekday: Weekday) -> Option<Date> {
    calendar::after(from.checked_sub(1.day()).ok()?, weekday)
}
