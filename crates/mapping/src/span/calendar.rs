//! What do the calendar's words mean: days of the week, months, units of time?

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    /// Its length in seconds; a month counts 30 days, a year 365.
    pub fn seconds(self) -> f64 {
        match self {
            Self::Second => 1.0,
            Self::Minute => 60.0,
            Self::Hour => 3_600.0,
            Self::Day => 86_400.0,
            Self::Week => 604_800.0,
            Self::Month => 2_592_000.0,
            Self::Year => 31_536_000.0,
        }
    }

    /// The day so many units away.
    pub fn from(self, day: Date, count: i64) -> Option<Date> {
        if count.abs() > 100_000 {
            return None;
        }
        let span = match self {
            Self::Day => count.days(),
            Self::Week => count.weeks(),
            Self::Month => count.months(),
            Self::Year if count.abs() < 9_000 => count.years(),
            _ => return None,
        };
        day.checked_add(span).ok()
    }
}

/// A unit by its folded name.
pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "second" | "seconds" | "sec" | "secs" | "sekunde" | "sekunden" | "seconde" | "secondes"
        | "segundo" | "segundos" => Unit::Second,
        "minute" | "minutes" | "min" | "mins" | "minuten" | "minuto" | "minutos" => Unit::Minute,
        "hour" | "hours" | "hr" | "hrs" | "stunde" | "stunden" | "std" | "heure" | "heures" | "hora"
        | "horas" => Unit::Hour,
        "day" | "days" | "tag" | "tage" | "tagen" | "jour" | "jours" | "journee" | "dia" | "dias" => {
            Unit::Day
        }
        "week" | "weeks" | "wk" | "wks" | "woche" | "wochen" | "semaine" | "semaines" | "semana"
        | "semanas" => Unit::Week,
        "month" | "months" | "monat" | "monate" | "monaten" | "monats" | "mois" | "mes" | "meses" => {
            Unit::Month
        }
        "year" | "years" | "yr" | "yrs" | "jahr" | "jahre" | "jahren" | "jahres" | "ans" | "annee"
        | "annees" | "ano" | "anos" => Unit::Year,
        _ => return None,
    })
}

/// A unit in one letter, as it stands right behind digits: `2h`.
pub(super) fn short_unit(word: &str) -> Option<Unit> {
    Some(match word {
        "s" => Unit::Second,
        "m" | "mn" => Unit::Minute,
        "h" => Unit::Hour,
        "d" => Unit::Day,
        "w" => Unit::Week,
        "y" => Unit::Year,
        _ => return None,
    })
}

/// A day of the week by its folded name in full.
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "montag" | "lundi" | "lunes" => Weekday::Monday,
        "tuesday" | "dienstag" | "mardi" | "martes" => Weekday::Tuesday,
        "wednesday" | "mittwoch" | "mercredi" | "miercoles" | "wensday" | "wedensday" => Weekday::Wednesday,
        "thursday" | "donnerstag" | "jeudi" | "jueves" | "thurdsay" => Weekday::Thursday,
        "friday" | "freitag" | "vendredi" | "viernes" | "firday" => Weekday::Friday,
        "saturday" | "samstag" | "sonnabend" | "samedi" | "sabado" => Weekday::Saturday,
        "sunday" | "sonntag" | "dimanche" | "domingo" => Weekday::Sunday,
        _ => return None,
    })
}

/// A day of the week cut short; `sat` and `sun` are words as well.
pub(super) fn short_weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "mon" => Weekday::Monday,
        "tue" | "tues" => Weekday::Tuesday,
        "wed" => Weekday::Wednesday,
        "thu" | "thur" | "thurs" => Weekday::Thursday,
        "fri" => Weekday::Friday,
        "sat" => Weekday::Saturday,
        "sun" => Weekday::Sunday,
        _ => return None,
    })
}

/// A month by its folded name, in full or short.
pub(super) fn month(word: &str) -> Option<i8> {
    Some(match word {
        "january" | "jan" | "januar" | "janner" | "janvier" | "janv" | "enero" | "ene" => 1,
        "february" | "feb" | "febr" | "februar" | "fevrier" | "fevr" | "febrero" | "febuary" => 2,
        "march" | "mar" | "marz" | "maerz" | "mrz" | "mars" | "marzo" => 3,
        "april" | "apr" | "avril" | "avr" | "abril" | "abr" => 4,
        "may" | "mai" | "mayo" => 5,
        "june" | "jun" | "juni" | "juin" | "junio" => 6,
        "july" | "jul" | "juli" | "juillet" | "juil" | "julio" => 7,
        "august" | "aug" | "aout" | "agosto" => 8,
        "september" | "sep" | "sept" | "septembre" | "septiembre" | "setiembre" => 9,
        "october" | "oct" | "okt" | "oktober" | "octobre" | "octubre" => 10,
        "november" | "nov" | "novembre" | "noviembre" => 11,
        "december" | "dec" | "dez" | "dezember" | "decembre" | "diciembre" | "dic" => 12,
        _ => return None,
    })
}

/// Whether the word means a month and hardly anything else.
pub(super) fn surely_a_month(word: &str) -> bool {
    month(word).is_some()
        && !matches!(
            word,
            "may" | "march" | "mar" | "mars" | "mai" | "ene" | "sept" | "abr"
        )
}

/// A day of the month in words, `first` to `thirty-first` as far as they are one word.
pub(super) fn ordinal(word: &str) -> Option<i8> {
    let words = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    match word {
        "ersten" | "erste" | "erster" | "premier" | "primero" | "uno" => Some(1),
        _ => (1_i8..)
            .zip(words)
            .find(|(_, known)| *known == word)
            .map(|(day, _)| day),
    }
}

/// The day of the week in the week (Monday first) of `day`.
pub(super) fn in_week_of(day: Date, weekday: Weekday) -> Option<Date> {
    let monday = day
        .checked_sub(i64::from(day.weekday().to_monday_zero_offset()).days())
        .ok()?;
    monday
        .checked_add(i64::from(weekday.to_monday_zero_offset()).days())
        .ok()
}

/// The first such day of the week after `day`.
pub(super) fn after(day: Date, weekday: Weekday) -> Option<Date> {
    day.nth_weekday(1, weekday).ok()
}

/// The last such day of the week before `day`.
pub(super) fn before(day: Date, weekday: Weekday) -> Option<Date> {
    day.nth_weekday(-1, weekday).ok()
}
