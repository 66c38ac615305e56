//! What day is it at Bramble & Co?
//!
//! Story time starts on Monday, 2026-11-23 at 09:00 and moves one minute with every change, so that a
//! demo gives the same answers whenever it is run.

/// Minutes in a day.
const DAY: u32 = 24 * 60;
/// The hour at which the story starts, in minutes.
const OPENING: u32 = 9 * 60;
/// Days from 1970-01-01 to 2026-11-23.
const FIRST_DAY: i64 = 20_780;

/// The clock of one app.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoryClock {
    changes: u32,
}

impl StoryClock {
    /// The present, such as `2026-11-23T09:04:00Z`.
    pub fn now(&self) -> String {
        let minutes = OPENING.saturating_add(self.changes);
        let (hour, minute) = (minutes % DAY / 60, minutes % 60);
        let date = date_of(FIRST_DAY + i64::from(minutes / DAY));
        format!("{date}T{hour:02}:{minute:02}:00Z")
    }

    /// One more change has happened.
    pub fn tick(&mut self) {
        self.changes = self.changes.saturating_add(1);
    }
}

/// Days from 1970-01-01 to a date written `YYYY-MM-DD`, possibly followed by a time; `None` where there
/// is no such day.
pub(crate) fn day_of(text: &str) -> Option<i64> {
    let mut parts = text.get(..10)?.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if [year.len(), month.len(), day.len()] != [4, 2, 2] {
        return None;
    }
    let (year, month, day): (i64, i64, i64) =
        (digits(year)?.into(), digits(month)?.into(), digits(day)?.into());
    if !(1..=12).contains(&month) {
        return None;
    }
    // Years begin in March here, so that a leap day is the last day of its year.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let number = year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (month * 153 + 2) / 5
        + (day - 1)
        - 719_468;
    (date_of(number) == text[..10]).then_some(number)
}

/// The date so many days after another; the other one itself where it is no date.
pub(crate) fn date_after(date: &str, days: i64) -> String {
    day_of(date).map_or_else(|| date.to_owned(), |day| date_of(day.saturating_add(days)))
}

/// Whether the text is a moment written `YYYY-MM-DDTHH:MM`.
pub(crate) fn is_moment(text: &str) -> bool {
    let Some((date, time)) = text.split_once('T') else {
        return false;
    };
    let below = |digits_of: Option<&str>, bound| digits_of.and_then(digits).is_some_and(|n| n < bound);
    date.len() == 10
        && time.len() == 5
        && day_of(date).is_some()
        && time.get(2..3) == Some(":")
        && below(time.get(..2), 24)
        && below(time.get(3..), 60)
}

/// A text of ASCII digits as a number.
fn digits(text: &str) -> Option<u32> {
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    only_digits.then(|| text.parse().ok()).flatten()
}

/// The date so many days after 1970-01-01, in the Gregorian calendar.
fn date_of(day: i64) -> String {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let day_of_era = day.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{:02}",
        day_of_year - (153 * shifted + 2) / 5 + 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_moves_with_changes_only() {
        let mut clock = StoryClock::default();
        assert_eq!(clock.now(), "2026-11-23T09:00:00Z");
        clock.tick();
        assert_eq!(clock.now(), "2026-11-23T09:01:00Z");
        for _ in 0..15 * 60 {
            clock.tick();
        }
        assert_eq!(clock.now(), "2026-11-24T00:01:00Z");
    }

    #[test]
    fn days_are_counted_over_months_and_leap_years() {
        for (from, days, to) in [
            ("2026-11-23", 14, "2026-12-07"),
            ("2026-12-31", 1, "2027-01-01"),
            ("2028-02-28", 1, "2028-02-29"),
            ("2027-02-28", 1, "2027-03-01"),
            ("2000-03-01", -1, "2000-02-29"),
            ("1970-01-01", 0, "1970-01-01"),
        ] {
            assert_eq!(date_after(from, days), to, "{from} {days}");
        }
        assert_eq!(day_of("2026-11-23"), Some(FIRST_DAY));
    }

    /// Naive twin: counting day by day.
    #[test]
    fn every_day_of_forty_years_reads_back() {
        for day in 10_000..25_000 {
            assert_eq!(day_of(&date_of(day)), Some(day));
        }
    }

    #[test]
    fn days_that_do_not_exist() {
        for text in [
            "",
            "2026",
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-11-31",
            "26-11-23",
            "2026-1-100",
            "2026-11-+3",
            "日本語日本",
        ] {
            assert_eq!(day_of(text), None, "{text}");
        }
    }

    #[test]
    fn moments() {
        for good in ["2026-11-24T10:00", "2026-11-24T23:59"] {
            assert!(is_moment(good), "{good}");
        }
        for bad in [
            "2026-11-24",
            "2026-11-24T24:00",
            "2026-11-24T10:60",
            "2026-11-24T1:000",
            "2026-11-31T10:00",
            "2026-11-24T10:00:00Z",
            "2026-11-24T10-00",
        ] {
            assert!(!is_moment(bad), "{bad}");
        }
    }
}
