//! Does a day without a year lie before or after today, by the sentence and by what the tool is for?

use jiff::Span;
use jiff::civil::Date;

use crate::assign::asked::Asked;
use crate::assign::times::whens::When;
use crate::kind::digits_as_nines;

/// Words that put a sentence into the past.
const PAST: &[&str] = &[
    "was",
    "were",
    "wasn't",
    "weren't",
    "did",
    "didn't",
    "had",
    "happened",
    "occurred",
    "been",
    "war",
    "waren",
    "wurde",
    "wurden",
    "hatte",
    "hatten",
    "gab",
    "passierte",
    "etait",
    "etaient",
    "avait",
    "avaient",
    "fue",
    "fueron",
    "hubo",
    "habia",
    "estaba",
    "estaban",
    "hicimos",
    "tuvimos",
];

/// What is only ever there of days that are over, as stems of a tool's own words.
const OVER: &[&str] = &[
    "anomaly",
    "anomali",
    "cost",
    "spend",
    "usag",
    "usage",
    "history",
    "histori",
    "log",
    "audit",
    "metric",
    "trac",
    "trace",
    "report",
    "activity",
    "activiti",
    "transcript",
    "analytic",
    "statist",
];

/// What is there of days to come, too.
const AHEAD: &[&str] = &[
    "forecast", "predict", "availab", "avail", "flight", "hotel", "slot", "schedul", "upcom", "plan",
    "weather", "budget",
];

/// What a tool does that makes or changes something: its days are days to come.
const WRITING: &[&str] = &[
    "creat", "add", "set", "updat", "delet", "schedul", "book", "request", "post", "send", "mak", "plan",
    "put", "insert", "reserv", "mov", "start", "edit", "chang", "save", "sav", "submit", "register",
];

/// Words that count from today: no day that comes back every year.
const COUNTED: &[&str] = &[
    "next", "coming", "last", "past", "ago", "day", "days", "week", "weeks", "month", "months", "quarter",
    "year", "years", "tag", "tagen", "woche", "wochen", "monat", "monaten", "jahr", "jahren", "jours",
    "mois", "ans", "dias", "meses", "anos",
];

/// Fewest days ahead at which the one that is just over is nearer by far.
const FAR: i32 = 273;

/// How the days without a year of one request are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tense {
    /// Never a day to come.
    Past,
    /// Whichever is nearer.
    Nearest,
    /// Lately, rather than nearly a year ahead.
    Lately,
    /// As it is read: the coming one.
    Coming,
}

/// Takes days without a year a year back where the sentence or the tool looks back.
pub(super) fn put_back(asked: &Asked<'_>, whens: &mut [When]) {
    let tense = tense(asked);
    let today = asked.now.local.date();
    for when in whens.iter_mut().filter(|_| tense != Tense::Coming) {
        if !is_yearly(asked, when) || when.day <= today {
            continue;
        }
        let year_back = |day: Date| day.checked_sub(Span::new().years(1)).unwrap_or(day);
        let over = year_back(when.last.unwrap_or(when.day));
        let ahead = days(today, when.day);
        let back = match tense {
            Tense::Past => true,
            Tense::Nearest => ahead > days(over, today),
            Tense::Lately => ahead > FAR,
            Tense::Coming => false,
        };
        if back {
            when.day = year_back(when.day);
            when.last = when.last.map(year_back);
        }
    }
}

fn days(from: Date, to: Date) -> i32 {
    from.until(to).map_or(0, |span| span.get_days())
}

fn tense(asked: &Asked<'_>) -> Tense {
    let named = |words: &[&str]| words.iter().any(|word| asked.name.contains(*word));
    let told = |words: &[&str]| words.iter().any(|word| asked.tool.contains(*word));
    if named(WRITING) || named(AHEAD) {
        return Tense::Coming;
    }
    let past = asked
        .tokens
        .iter()
        .any(|token| token.is_any(PAST) && !asked.is_opaque(&token.range));
    match (past, named(OVER)) {
        (true, true) => Tense::Past,
        (true, false) | (false, true) => Tense::Nearest,
        (false, false) if asked.reads && !told(AHEAD) => Tense::Lately,
        (false, false) => Tense::Coming,
    }
}

/// `1 November`, `in October`: what comes back every year.
fn is_yearly(asked: &Asked<'_>, when: &When) -> bool {
    let no_year = asked
        .text
        .get(when.range.clone())
        .is_some_and(|words| !digits_as_nines(words).contains("9999"));
    let first = asked.at_byte(when.range.start);
    let end = asked.at_byte(when.range.end);
    let words = asked.tokens.get(first..end).unwrap_or_default();
    no_year && !words.iter().any(|token| token.is_any(COUNTED))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P20: a day without a year that is asked back about is the one that is over.
    #[test]
    fn p20_days_of_what_is_over_lie_behind() {
        let schema = json!({"required": ["start_date", "end_date"], "properties": {
            "start_date": {"type": "string", "description": "Start date in YYYY-MM-DD format"},
            "end_date": {"type": "string", "description": "End date in YYYY-MM-DD format"},
        }});
        let days = |start: &str, end: &str| json!({"start_date": start, "end_date": end});
        check(
            "cost-anomaly Retrieves cost anomalies",
            &schema,
            &[
                (
                    "Were there any anomalies from 1 to 28 November?",
                    days("2026-11-01", "2026-11-28"),
                ),
                (
                    "anomalies from 1 November to 28 November",
                    days("2026-11-01", "2026-11-28"),
                ),
                (
                    "anomalies between October 3 and October 9",
                    days("2026-10-03", "2026-10-09"),
                ),
                (
                    "Were there anomalies from 5 to 10 December?",
                    days("2025-12-05", "2025-12-10"),
                ),
                (
                    "Gab es vom 1. bis 28. November Anomalien?",
                    days("2026-11-01", "2026-11-28"),
                ),
                (
                    "anomalies from 1 to 28 November 2027",
                    days("2027-11-01", "2027-11-28"),
                ),
                (
                    "anomalies from 25 November to 5 December",
                    days("2026-11-25", "2026-12-05"),
                ),
            ],
        );
        check(
            "list_payments List the payments in a span of days",
            &schema,
            &[
                (
                    "List payments from 1 to 15 October",
                    days("2026-10-01", "2026-10-15"),
                ),
                (
                    "Which payments did we get from 3 to 9 August?",
                    days("2026-08-03", "2026-08-09"),
                ),
                (
                    "List payments from 3 to 9 March",
                    days("2027-03-03", "2027-03-09"),
                ),
            ],
        );
    }

    /// P20: what is planned lies ahead.
    #[test]
    fn p20_days_of_what_is_planned_lie_ahead() {
        let schema = json!({"required": ["start_date", "end_date"], "properties": {
            "start_date": {"type": "string", "description": "Start date in YYYY-MM-DD format"},
            "end_date": {"type": "string", "description": "End date in YYYY-MM-DD format"},
        }});
        let ahead = json!({"start_date": "2027-11-01", "end_date": "2027-11-05"});
        check(
            "create_trip Plan a trip",
            &schema,
            &[("Plan a trip from 1 to 5 November, as it was fun", ahead.clone())],
        );
        check(
            "search_flights Search flights",
            &schema,
            &[("flights from 1 to 5 November", ahead)],
        );
    }
}
