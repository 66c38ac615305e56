//! Which time of day stands here?

use jiff::ToSpan;
use jiff::civil::Time;
use jiff::tz::Offset;

use super::numeral;
use super::token::{Kind, Tokens};
use super::tongue::Tongue;

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Morning,
    Afternoon,
    Evening,
    Night,
}

/// A time of day as it is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    pub time: Time,
    /// Whether it may as well be twelve hours later: `at 3`.
    pub late: bool,
    /// Whether nothing but the place says that it is a time: `at 9`, `9-10`.
    pub bare: bool,
    /// Whether it is the night between two days.
    pub midnight: bool,
    /// Whether it said before or after noon.
    pub half: bool,
    pub offset: Option<Offset>,
    pub next: usize,
}

impl Clock {
    fn new(hour: i64, minute: i64, next: usize) -> Option<Self> {
        let time = Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()?;
        Some(Self {
            time,
            late: false,
            bare: false,
            midnight: false,
            half: false,
            offset: None,
            next,
        })
    }

    /// Every time it may be, the likelier first.
    pub fn times(&self) -> Vec<Time> {
        let later = self.time.checked_add(12.hours()).ok().filter(|_| self.late);
        later.into_iter().chain([self.time]).collect()
    }

    /// Hours from one to seven are after noon as often as before it, where the clock has twelve hours.
    fn doubted(mut self, twelve: bool) -> Self {
        self.late = twelve && !self.half && (1..=7).contains(&self.time.hour());
        self
    }

    /// The time in that part of the day.
    pub fn in_part(mut self, part: Part) -> Self {
        let hour = self.time.hour();
        let later = match part {
            Part::Morning => false,
            Part::Afternoon | Part::Evening => hour < 12,
            Part::Night => (6..12).contains(&hour),
        };
        if later && !self.half {
            self.time = self.time.checked_add(12.hours()).unwrap_or(self.time);
        }
        (self.late, self.half) = (false, true);
        self
    }
}

/// Reads a time that shows itself: `3pm`, `15:30`, `noon`, `half past nine`, `9 Uhr`. `cued`: the words around say
/// that a time stands here, so that `9h` and `9.30` are times.
pub(super) fn read(t: &Tokens<'_>, at: usize, cued: bool) -> Option<Clock> {
    let clock = named(t, at)
        .or_else(|| past_the_hour(t, at))
        .or_else(|| colon(t, at))
        .or_else(|| dotted(t, at, cued))
        .or_else(|| with_hour_word(t, at, cued))
        .or_else(|| halved(t, at))?;
    Some(finish(t, clock))
}

/// Reads a time where one is awaited: also a bare hour.
pub(super) fn awaited(t: &Tokens<'_>, at: usize) -> Option<Clock> {
    read(t, at, true).or_else(|| bare(t, at).map(|clock| finish(t, clock)))
}

/// What may follow a time: a part of the day, and how far the clock is from UTC.
fn finish(t: &Tokens<'_>, mut clock: Clock) -> Clock {
    if let Some((part, next)) = part_behind(t, clock.next) {
        clock.next = next;
        clock = clock.in_part(part);
        clock.bare = false;
    }
    if let Some((offset, next)) = offset(t, clock.next) {
        (clock.offset, clock.next) = (Some(offset), next);
    }
    clock
}

/// The token after a word that says a time follows: `at`, `um`, `à`, `a las`.
pub(super) fn preposition(t: &Tokens<'_>, at: usize) -> Option<usize> {
    let after = match t.word(at) {
        "at" | "um" | "gegen" | "vers" => at + 1,
        "a" if matches!(t.written(at), "à" | "À") => at + 1,
        "a" | "sobre" if matches!(t.word(at + 1), "las" | "la") => at + 2,
        "las" if t.tongue == Tongue::Spanish => at + 1,
        _ if t.sign(at) == '@' => at + 1,
        _ => return None,
    };
    Some(t.past(
        after,
        &[
            "about",
            "around",
            "exactly",
            "precisely",
            "etwa",
            "genau",
            "circa",
        ],
    ))
}

fn named(t: &Tokens<'_>, at: usize) -> Option<Clock> {
    let begin = usize::from(t.digits(at) == Some("12") && t.word(at + 1) == "noon");
    let hour = match t.word(at + begin) {
        "noon" | "midday" | "midi" | "mediodia" | "mittag" | "mittags" => 12,
        "midnight" | "mitternacht" | "minuit" | "medianoche" => 0,
        _ => return None,
    };
    let clock = Clock::new(hour, 0, at + begin + 1)?;
    Some(Clock {
        midnight: hour == 0,
        half: true,
        ..clock
    })
}

/// The hour as a number up to 24 in digits or words, and the token after it.
fn hour(t: &Tokens<'_>, at: usize) -> Option<(i64, usize)> {
    if let Some(hour) = t.whole(at, 2) {
        return Some((hour, at + 1));
    }
    if matches!(t.word(at), "eins" | "ein" | "une" | "una" | "one") {
        return Some((1, at + 1));
    }
    let (value, next) = numeral::words(t, at)?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "tested to be a small whole number"
    )]
    (value.fract() == 0.0 && value <= 24.0).then_some((value as i64, next))
}

/// A number of exactly two digits: minutes are never written with one.
fn two_digits(t: &Tokens<'_>, at: usize) -> Option<i64> {
    t.digits(at).filter(|digits| digits.len() == 2)?.parse().ok()
}

/// `15:30`, `4:30 pm`, `09:40:15`.
fn colon(t: &Tokens<'_>, at: usize) -> Option<Clock> {
    let hour = t.whole(at, 2)?;
    let preceded = t.joined(at) && (t.sign(at.checked_sub(1)?) == ':' || t.kind(at - 1) == Some(Kind::Word));
    if preceded || t.sign(at + 1) != ':' || !t.joined(at + 1) || !t.joined(at + 2) {
        return None;
    }
    let minute = two_digits(t, at + 2)?;
    let mut clock = Clock::new(hour, minute, at + 3)?;
    if t.sign(at + 3) == ':' && t.joined(at + 4) && t.digits(at + 4).is_some_and(|digits| digits.len() == 2) {
        let second = i8::try_from(t.whole(at + 4, 2)?).ok()?;
        clock.time = Time::new(clock.time.hour(), clock.time.minute(), second, 0).ok()?;
        clock.next = at + 5;
    }
    if let Some(clock) = half_of_day(t, clock) {
        return Some(clock);
    }
    clock.next = hour_word(t, clock.next).unwrap_or(clock.next);
    let short = t.digits(at).is_some_and(|digits| digits.len() == 1);
    Some(clock.doubted(short && t.tongue == Tongue::English))
}

/// `9.30 Uhr`, `3.30pm`, and `9.30` where a time is awaited.
fn dotted(t: &Tokens<'_>, at: usize, cued: bool) -> Option<Clock> {
    let hour = t.whole(at, 2)?;
    if t.sign(at + 1) != '.' || !t.joined(at + 1) || !t.joined(at + 2) || t.joined(at) {
        return None;
    }
    let minute = two_digits(t, at + 2)?;
    let clock = Clock::new(hour, minute, at + 3)?;
    if let Some(clock) = half_of_day(t, clock) {
        return Some(clock);
    }
    if let Some(next) = hour_word(t, clock.next) {
        return Some(Clock { next, ..clock });
    }
    let more = matches!(t.sign(at + 3), '.' | ',') && t.joined(at + 3) && t.digits(at + 4).is_some();
    let clock = Clock {
        bare: true,
        ..clock.doubted(t.tongue == Tongue::English && hour < 10)
    };
    (cued && !more && !counts(t, at + 3)).then_some(clock)
}

/// The token after `Uhr`, or `h`.
fn hour_word(t: &Tokens<'_>, at: usize) -> Option<usize> {
    matches!(t.word(at), "uhr" | "h" | "hrs").then_some(at + 1)
}

/// `3pm`, `9 a.m.`, `9 o'clock`, `9 Uhr`, `9 Uhr 30`, `9h30`, `9 heures et demie`, `las nueve y media`.
fn with_hour_word(t: &Tokens<'_>, at: usize, cued: bool) -> Option<Clock> {
    let (value, after) = hour(t, at)?;
    if t.joined(at)
        && matches!(
            t.kind(at.checked_sub(1)?),
            Some(Kind::Word | Kind::Digits | Kind::Solid)
        )
    {
        return None;
    }
    let clock = Clock::new(value, 0, after)?;
    if let Some(clock) = half_of_day(t, clock) {
        return Some(clock);
    }
    // `9 in the morning`
    if part_behind(t, after).is_some_and(|(_, next)| next > after + 1) && value <= 12 {
        return Some(clock);
    }
    let o_clock: &[&[&str]] = &[&["o", "'", "clock"], &["oclock"], &["o", "clock"]];
    if let Some(next) = t.after(after, o_clock) {
        return Some(Clock { next, ..clock }.doubted(true));
    }
    let french = t.tongue == Tongue::French && matches!(t.word(after), "heures" | "heure");
    if t.word(after) == "uhr" || (cued && (t.word(after) == "h" || french)) {
        return minutes(t, value, after + 1);
    }
    let spanish = t.tongue == Tongue::Spanish && cued && t.word(after) == "y";
    let less = t.tongue == Tongue::Spanish && cued && t.word(after) == "menos";
    if spanish || less {
        minutes(t, value, after).map(|clock| clock.doubted(true))
    } else {
        None
    }
}

/// What stands behind the hour: `30`, `et demie`, `y cuarto`, `moins le quart`.
fn minutes(t: &Tokens<'_>, hour: i64, at: usize) -> Option<Clock> {
    let phrases: &[(&[&str], i64)] = &[
        (&["et", "demie"], 30),
        (&["et", "demi"], 30),
        (&["et", "quart"], 15),
        (&["moins", "le", "quart"], -15),
        (&["moins", "dix"], -10),
        (&["moins", "cinq"], -5),
        (&["moins", "vingt"], -20),
        (&["y", "media"], 30),
        (&["y", "cuarto"], 15),
        (&["menos", "cuarto"], -15),
        (&["menos", "diez"], -10),
        (&["menos", "cinco"], -5),
        (&["menos", "veinte"], -20),
        (&["y", "diez"], 10),
        (&["y", "cinco"], 5),
        (&["y", "veinte"], 20),
    ];
    if let Some((words, minutes)) = phrases.iter().find(|(words, _)| t.says(at, words)) {
        let total = (hour * 60 + minutes).rem_euclid(24 * 60);
        return Clock::new(total / 60, total % 60, at + words.len());
    }
    let two = t
        .digits(at)
        .filter(|digits| digits.len() == 2 && !t.joined(at + 1));
    match two
        .and_then(|digits| digits.parse::<i64>().ok())
        .filter(|minute| *minute < 60)
    {
        Some(minute) => Clock::new(hour, minute, at + 1),
        None => Clock::new(hour, 0, at),
    }
}

/// `am` and `pm` in all their spellings.
fn half_of_day(t: &Tokens<'_>, clock: Clock) -> Option<Clock> {
    let at = clock.next;
    let (letter, next) = match t.word(at) {
        "am" if t.tongue == Tongue::German && !t.joined(at) => return None,
        "am" | "pm" => (t.word(at), at + 1),
        "a" | "p"
            if t.sign(at + 1) == '.' && t.joined(at + 1) && t.word(at + 2) == "m" && t.joined(at + 2) =>
        {
            (
                t.word(at),
                at + 3 + usize::from(t.sign(at + 3) == '.' && t.joined(at + 3)),
            )
        }
        "a" | "p" if t.says(at + 1, &["m"]) && t.kind(at + 2) != Some(Kind::Word) => (t.word(at), at + 2),
        _ => return None,
    };
    if t.joined(next) && t.kind(next) == Some(Kind::Word) {
        return None;
    }
    let hour = i64::from(clock.time.hour());
    let hour = match (letter.starts_with('p'), hour) {
        (false, 12) => 0,
        (true, 1..12) => hour + 12,
        (false, 13..) => return None,
        _ => hour,
    };
    let time = Time::new(
        i8::try_from(hour).ok()?,
        clock.time.minute(),
        clock.time.second(),
        0,
    )
    .ok()?;
    Some(Clock {
        time,
        half: true,
        next,
        ..clock
    })
}

/// `half past nine`, `quarter to five`, `ten past eight`, `viertel nach neun`, `zehn vor neun`.
fn past_the_hour(t: &Tokens<'_>, at: usize) -> Option<Clock> {
    let begin = t.past(at, &["a"]);
    let (minute, after) = match t.word(begin) {
        "half" => (30, begin + 1),
        "quarter" | "viertel" => (15, begin + 1),
        _ if begin > at => return None,
        _ => {
            let (minute, after) = hour_or_minute(t, begin)?;
            (minute, t.past(after, &["minutes", "minuten"]))
        }
    };
    let sign = match t.word(after) {
        "past" | "nach" => 1,
        "after" if minute != 30 => 1,
        "to" | "vor" | "til" | "till" | "before" if minute != 30 => -1,
        _ => return None,
    };
    // `5 to 9` is a range rather than five minutes before nine; `ten to nine` is a time.
    let named = matches!(t.word(begin), "half" | "quarter" | "viertel");
    if !named && (t.digits(begin).is_some() || !matches!(minute, 5 | 10 | 20 | 25)) {
        return None;
    }
    let (hour, next) = hour(t, after + 1)?;
    if t.sign(next) == ':'
        || !(1..=24).contains(&hour)
        || (!named && super::calendar::unit(t.word(next)).is_some())
    {
        return None;
    }
    let total = (hour * 60 + sign * minute).rem_euclid(24 * 60);
    let clock = Clock::new(total / 60, total % 60, next)?;
    let clock = half_of_day(t, clock).unwrap_or(clock);
    let next = hour_word(t, clock.next).unwrap_or(clock.next);
    Some(Clock { next, ..clock }.doubted(hour <= 12))
}

fn hour_or_minute(t: &Tokens<'_>, at: usize) -> Option<(i64, usize)> {
    let (value, next) = numeral::words(t, at)?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "tested to be a small whole number"
    )]
    (value.fract() == 0.0 && value < 60.0).then_some((value as i64, next))
}

/// German `halb zehn` is half past nine.
fn halved(t: &Tokens<'_>, at: usize) -> Option<Clock> {
    if t.word(at) != "halb" {
        return None;
    }
    let (hour, next) = hour(t, at + 1)?;
    let hour = (1..=12).contains(&hour).then_some(hour - 1)?;
    let clock = Clock::new(hour, 30, hour_word(t, next).unwrap_or(next))?;
    Some(clock.doubted(true))
}

/// A bare hour: `9`, `nine`.
fn bare(t: &Tokens<'_>, at: usize) -> Option<Clock> {
    let (hour, next) = hour(t, at)?;
    let glued = t.joined(next) && !ends_hour(t, next);
    if hour > 23 || glued || counts(t, next) {
        return None;
    }
    let zero = t
        .digits(at)
        .is_some_and(|digits| digits.len() == 2 && digits.starts_with('0'));
    let clock = Clock::new(hour, 0, next)?;
    let twelve = !zero && matches!(t.tongue, Tongue::English | Tongue::Spanish);
    Some(Clock {
        bare: true,
        ..clock.doubted(twelve)
    })
}

/// Whether what follows an hour without a space ends it.
fn ends_hour(t: &Tokens<'_>, next: usize) -> bool {
    let sign = t.sign(next);
    let decimal = matches!(sign, '.' | ',' | ':' | '/') && t.joined(next + 1) && t.digits(next + 1).is_some();
    t.kind(next) == Some(Kind::Sign) && !decimal && !matches!(sign, '%' | '$' | '€' | '£' | '°')
}

/// Whether the number before this token counts something and is no hour.
fn counts(t: &Tokens<'_>, next: usize) -> bool {
    let word = t.word(next);
    let counted = [
        "each", "per", "apiece", "percent", "prozent", "euro", "euros", "dollars", "eur", "usd", "bucks",
        "x", "items", "pieces", "or", "of", "million", "thousand", "hundred", "k", "lines", "times",
        "people", "degrees", "pounds",
    ];
    let named = t.capital(next)
        && super::calendar::weekday(word)
            .or_else(|| super::calendar::short_weekday(word))
            .is_none()
        && super::calendar::month(word).is_none()
        && offset(t, next).is_none()
        && t.tongue != Tongue::German;
    counted.contains(&word)
        || named
        || super::calendar::unit(word).is_some()
        || matches!(t.sign(next), '%' | '$' | '€' | '£')
        || t.kind(next) == Some(Kind::Digits)
}

/// A part of the day behind a time: `in the morning`, `de la tarde`, `abends`.
fn part_behind(t: &Tokens<'_>, at: usize) -> Option<(Part, usize)> {
    let phrases: &[(&[&str], Part)] = &[
        (&["in", "the", "morning"], Part::Morning),
        (&["in", "the", "afternoon"], Part::Afternoon),
        (&["in", "the", "evening"], Part::Evening),
        (&["at", "night"], Part::Night),
        (&["morgens"], Part::Morning),
        (&["fruh"], Part::Morning),
        (&["vormittags"], Part::Morning),
        (&["nachmittags"], Part::Afternoon),
        (&["abends"], Part::Evening),
        (&["nachts"], Part::Night),
        (&["am", "morgen"], Part::Morning),
        (&["am", "vormittag"], Part::Morning),
        (&["am", "nachmittag"], Part::Afternoon),
        (&["am", "abend"], Part::Evening),
        (&["du", "matin"], Part::Morning),
        (&["du", "soir"], Part::Evening),
        (&["de", "l", "'", "apres", "-", "midi"], Part::Afternoon),
        (&["de", "la", "manana"], Part::Morning),
        (&["de", "la", "tarde"], Part::Afternoon),
        (&["de", "la", "noche"], Part::Night),
    ];
    let (words, part) = phrases.iter().find(|(words, _)| t.says(at, words))?;
    Some((*part, at + words.len()))
}

/// A part of the day behind a day: `morning`, `früh`, `por la tarde`.
pub(super) fn part_of_day(t: &Tokens<'_>, at: usize) -> Option<(Part, usize)> {
    let phrases: &[(&[&str], Part)] = &[
        (&["morning"], Part::Morning),
        (&["afternoon"], Part::Afternoon),
        (&["evening"], Part::Evening),
        (&["night"], Part::Night),
        (&["fruh"], Part::Morning),
        (&["morgen"], Part::Morning),
        (&["vormittag"], Part::Morning),
        (&["nachmittag"], Part::Afternoon),
        (&["abend"], Part::Evening),
        (&["nacht"], Part::Night),
        (&["matin"], Part::Morning),
        (&["soir"], Part::Evening),
        (&["apres", "-", "midi"], Part::Afternoon),
        (&["por", "la", "manana"], Part::Morning),
        (&["por", "la", "tarde"], Part::Afternoon),
        (&["por", "la", "noche"], Part::Night),
    ];
    let found = phrases.iter().find(|(words, _)| t.says(at, words));
    found
        .map(|(words, part)| (*part, at + words.len()))
        .or_else(|| part_behind(t, at))
}

/// How far a clock is from UTC by a name: `UTC`, `GMT+2`, `CET`, `Z`.
pub(super) fn offset(t: &Tokens<'_>, at: usize) -> Option<(Offset, usize)> {
    let hours = match t.written(at) {
        "UTC" | "GMT" | "utc" | "gmt" => {
            let signed = numeric_offset(t, at + 1).filter(|_| t.joined(at + 1));
            return Some(signed.unwrap_or((Offset::UTC, at + 1)));
        }
        "Z" | "z" if t.joined(at) => 0,
        "CET" | "MEZ" | "BST" | "WEST" => 1,
        "CEST" | "MESZ" | "EET" => 2,
        "EST" | "CDT" => -5,
        "EDT" => -4,
        "MDT" => -6,
        "PDT" => -7,
        "PST" => -8,
        _ => return None,
    };
    Some((Offset::from_hours(hours).ok()?, at + 1))
}

/// How far a clock is from UTC in digits: `+02:00`.
pub(super) fn numeric_offset(t: &Tokens<'_>, at: usize) -> Option<(Offset, usize)> {
    let sign = match t.sign(at) {
        '+' => 1,
        '-' | '−' => -1,
        _ => return None,
    };
    let digits = t.digits(at + 1).filter(|_| t.joined(at + 1))?;
    let (hours, minutes, next) = match digits.len() {
        1 | 2
            if t.sign(at + 2) == ':'
                && t.joined(at + 3)
                && t.digits(at + 3).is_some_and(|d| d.len() == 2) =>
        {
            (t.whole(at + 1, 2)?, t.whole(at + 3, 2)?, at + 4)
        }
        1 | 2 => (t.whole(at + 1, 2)?, 0, at + 2),
        4 => (t.whole(at + 1, 4)? / 100, t.whole(at + 1, 4)? % 100, at + 2),
        _ => return None,
    };
    let seconds = sign * (hours * 3600 + minutes * 60);
    Some((Offset::from_seconds(i32::try_from(seconds).ok()?).ok()?, next))
}
