//! What does a parameter that takes a number count?

use super::{Kind, any, last};
use crate::schema::Shape;

/// The kind of number that names and descriptions tell.
pub(super) fn number_kind(words: &[String], about: &str, shape: &Shape) -> Kind {
    if any(words, &["percent", "percentage", "pct"])
        || about.contains("percent")
        || about.contains("in a hundred")
    {
        return Kind::Percent;
    }
    if any(words, &["epoch", "timestamp", "unix"]) || about.contains("epoch") || about.contains("unix time") {
        let thousandths = about.contains("millisecond") || any(words, &["ms", "millis"]);
        return Kind::Moment(if thousandths { 1 } else { 1_000 });
    }
    if matches!(last(words), "id" | "ids" | "iid" | "number" | "gid" | "uid")
        && !about.starts_with("number of")
    {
        return Kind::Id;
    }
    if is_money(words, about) {
        let cents = any(words, &["cents", "cent", "minor"])
            || about.contains("in cents")
            || about.contains("smallest currency unit")
            || about.contains("minor unit");
        return Kind::Money(cents);
    }
    if let Some(unit) = unit(words, about) {
        return Kind::Length(unit);
    }
    if is_count(words, about) {
        return Kind::Count;
    }
    let names_one = ["id ", "id.", "id", "number"]
        .iter()
        .any(|end| about.trim_end_matches([')', '.']).ends_with(end));
    if names_one
        && shape.examples.is_empty()
        && !about.contains("number of")
        && !is_plain_number(about)
        && about.len() < 40
        && !about.is_empty()
    {
        return Kind::Id;
    }
    if words.len() > 1 && (last(words) == "id" || any(words, &["id"])) {
        return Kind::Id;
    }
    Kind::Number
}

/// `First number`, `The second number`: any number, and none of a thing.
fn is_plain_number(about: &str) -> bool {
    const PLAIN: &[&str] = &[
        "first", "second", "third", "the", "a", "any", "other", "input", "another", "one", "number",
    ];
    about
        .trim_end_matches('.')
        .split_whitespace()
        .all(|word| PLAIN.contains(&word))
}

fn is_money(words: &[String], about: &str) -> bool {
    const SAID: &[&str] = &[
        "euro", "dollar", "currency", "usd", " eur", "in cents", "price", "money", "refund", "payment",
    ];
    any(
        words,
        &[
            "price", "amount", "cost", "fee", "budget", "salary", "balance", "cents",
        ],
    ) || (any(words, &["value", "total", "worth", "sum", "revenue"])
        && SAID.iter().any(|said| about.contains(said)))
}

/// Names and descriptions of numbers that say how many are wanted at most.
fn is_count(words: &[String], about: &str) -> bool {
    const NAMES: &[&str] = &[
        "limit", "count", "top", "first", "max", "maximum", "tail", "head", "take", "num", "size",
    ];
    let squeezed = words.concat();
    let paged = ["perpage", "pagesize", "maxresults", "maxrecords", "maxitems"].contains(&squeezed.as_str());
    paged
        || (any(words, NAMES)
            && !about.contains("byte")
            && !any(words, &["depth", "font", "file", "length", "retries"]))
        || ["number of", "how many to", "maximum number of", "max number of"]
            .iter()
            .any(|said| about.starts_with(said))
            && ["return", "give back", "retrieve", "list", "fetch", "results"]
                .iter()
                .any(|said| about.contains(said))
}

/// The unit of a length of time, in thousandths of a second, where name or description tell it.
pub(crate) fn unit(words: &[String], about: &str) -> Option<i64> {
    const UNITS: &[(&[&str], i64)] = &[
        (&["ms", "millis", "milliseconds", "millisecond"], 1),
        (&["seconds", "secs", "sec", "second"], 1_000),
        (&["minutes", "mins", "minute", "min"], 60_000),
        (&["hours", "hour", "hrs"], 3_600_000),
        (&["days", "day"], 86_400_000),
        (&["weeks", "week"], 604_800_000),
    ];
    // `hours_back`, `days_ahead`: in what direction says nothing of the unit.
    let unit_word = match words {
        [.., unit, side]
            if matches!(
                side.as_str(),
                "back" | "ago" | "ahead" | "old" | "lookback" | "window"
            ) =>
        {
            unit.as_str()
        }
        _ => last(words),
    };
    let named = UNITS.iter().find(|(names, _)| names.contains(&unit_word));
    if let Some((_, unit)) = named {
        return Some(*unit);
    }
    let lengths = [
        "duration",
        "timeout",
        "delay",
        "interval",
        "ttl",
        "length",
        "expires",
        "expiry",
        "expiration",
        "wait",
        "period",
        "reminder",
        "snooze",
    ];
    let spelled = [
        ("milliseconds", 1),
        ("seconds", 1_000),
        ("minutes", 60_000),
        ("hours", 3_600_000),
    ];
    let stated = spelled
        .iter()
        .find(|(name, _)| about.contains(&format!("in {name}")));
    if let Some((_, unit)) = stated.filter(|_| any(words, &["time", "age", "after", "every", "window"])) {
        return Some(*unit);
    }
    if !any(words, &lengths) && !about.starts_with("how long") && !about.starts_with("duration") {
        return None;
    }
    let said = |unit: &str| {
        about
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == unit)
    };
    UNITS
        .iter()
        .find(|(names, _)| names.iter().any(|name| said(name)))
        .map(|(_, unit)| *unit)
}
