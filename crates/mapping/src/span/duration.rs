//! Which length of time stands here?

use super::calendar::{self, Unit};
use super::number;
use super::numeral;
use super::token::{Kind, Tokens};
use super::tongue::Tongue;
use super::{Found, What};

/// A length of time in its own units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Length {
    /// Amounts by unit, the largest unit first: an hour and 30 minutes.
    pub parts: Vec<(f64, Unit)>,
    pub next: usize,
    /// Whether it was counted, not only called `a day`.
    pub counted: bool,
}

impl Length {
    /// All of it in seconds.
    pub fn seconds(&self) -> f64 {
        self.parts
            .iter()
            .map(|(amount, unit)| amount * unit.seconds())
            .sum()
    }

    /// The one unit and the whole number of it, where that is all.
    pub fn whole(&self) -> Option<(i64, Unit)> {
        let [(amount, unit)] = self.parts.as_slice() else {
            return None;
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole and small, as tested before"
        )]
        (amount.fract() == 0.0 && amount.abs() < 1e6).then_some((*amount as i64, *unit))
    }
}

/// Reads a length of time, with the `for` before it.
pub(super) fn read(t: &Tokens<'_>, at: usize) -> Option<Found> {
    let begin = t.past(at, &["for", "fur", "pendant", "durante"]);
    let length = length(t, begin)?;
    if !length.counted && begin == at && !expects_length(t, at, &length) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "bounded in the line before")]
    let seconds = (length.seconds().abs() < 1e12).then(|| length.seconds().round() as i64)?;
    Some(Found::of(t, at, length.next, [What::Duration(seconds)]))
}

/// `an hour` is a length behind some words; behind others it is a rate (`100 euros an hour`) or idle talk.
fn expects_length(t: &Tokens<'_>, at: usize, length: &Length) -> bool {
    let before = [
        "in",
        "within",
        "after",
        "of",
        "every",
        "last",
        "lasts",
        "lasting",
        "takes",
        "take",
        "about",
        "block",
        "book",
        "reserve",
        "add",
        "schedule",
        "need",
        "be",
        "is",
        "another",
        "by",
        "wait",
        "auf",
        "etwa",
        "nach",
        "innerhalb",
        "dans",
        "dentro",
        "tras",
        "since",
        "to",
        "around",
        "roughly",
        "snooze",
        "delay",
        "plan",
        "um",
        "de",
    ];
    let unit = length.parts.first().map(|(_, unit)| *unit);
    let long =
        t.word(length.next) == "long" || (t.sign(length.next) == '-' && t.word(length.next + 1) == "long");
    (before.contains(&t.word_before(at)) || long) && unit > Some(Unit::Minute)
}

/// A length of time without a word before it.
pub(super) fn length(t: &Tokens<'_>, at: usize) -> Option<Length> {
    if let Some(length) = fixed(t, at) {
        return Some(length);
    }
    let mut length = first_part(t, at)?;
    and_a_half(t, &mut length);
    while length.parts.len() < 4 {
        let Some((_, smallest)) = length.parts.last().copied() else {
            break;
        };
        let joined = t.joined(length.next) && t.digits(length.next).is_some();
        let comma = usize::from(t.sign(length.next) == ',');
        let linked = t.past(length.next + comma, &["and", "und", "et", "y"]);
        let from = if joined { length.next } else { linked };
        match first_part(t, from) {
            Some(more) if more.counted && more.parts.first().is_some_and(|(_, unit)| *unit < smallest) => {
                length.parts.extend(more.parts);
                length.next = more.next;
            }
            _ => {
                minutes_without_unit(t, &mut length, smallest);
                break;
            }
        }
    }
    Some(length)
}

/// `1h30`: the minutes stand without a unit.
fn minutes_without_unit(t: &Tokens<'_>, length: &mut Length, smallest: Unit) {
    let next = length.next;
    let short =
        t.word_before(next) == "h" || t.word_before(next) == "heures" || t.word_before(next) == "heure";
    let minutes = t
        .whole(next, 2)
        .filter(|minutes| *minutes < 60 && t.digits(next).is_some_and(|d| d.len() == 2));
    let apart = !t.joined(next + 1) || t.kind(next + 1) == Some(Kind::Sign);
    if let Some(minutes) = minutes.filter(|_| short && smallest == Unit::Hour && apart) {
        #[expect(clippy::cast_precision_loss, reason = "below sixty")]
        length.parts.push((minutes as f64, Unit::Minute));
        length.next = next + 1;
    }
}

fn first_part(t: &Tokens<'_>, at: usize) -> Option<Length> {
    let (amount, after, counted) = amount(t, at)?;
    let hyphen = t.sign(after) == '-' && t.joined(after) && t.joined(after + 1);
    let unit_at = after + usize::from(hyphen);
    let word = t.word(unit_at);
    let digits = t.digits(after.checked_sub(1)?).is_some();
    let short = if digits && unit_at == after && (t.joined(unit_at) || word == "h") && !t.capital(unit_at) {
        calendar::short_unit(word).filter(|unit| *unit != Unit::Minute || amount.fract() == 0.0)
    } else {
        None
    };
    // French `an` is English for something else, German `Std.` and `Min.` carry their dot.
    let year = (word == "an" && t.tongue == Tongue::French).then_some(Unit::Year);
    let fortnight = matches!(word, "fortnight" | "fortnights");
    let unit = calendar::unit(word)
        .or(short)
        .or(year)
        .or(fortnight.then_some(Unit::Week))?;
    let amount = if fortnight { amount * 2.0 } else { amount };
    let next = unit_at + 1;
    // `2h` must end there, but for the minutes of `1h30`.
    if t.joined(next) && !matches!(t.kind(next), Some(Kind::Sign | Kind::Digits)) {
        return None;
    }
    Some(Length {
        parts: vec![(amount, unit)],
        next,
        counted,
    })
}

/// How many units: a number, or an article.
fn amount(t: &Tokens<'_>, at: usize) -> Option<(f64, usize, bool)> {
    let article = matches!(
        t.word(at),
        "a" | "an" | "ein" | "eine" | "einen" | "einer" | "einem" | "un" | "une" | "una" | "one"
    );
    if article {
        let halved = matches!(t.word(at + 1), "halbe" | "halben" | "halber" | "half");
        let whole = calendar::unit(t.word(at + 1))
            .or_else(|| fortnight(t, at + 1))
            .is_some()
            || (t.sign(at + 1) == '-' && t.word(at) == "one");
        if halved {
            return Some((0.5, at + 2, true));
        }
        if whole {
            return Some((1.0, at + 1, t.word(at) == "one"));
        }
    }
    if t.word(at) == "half" && matches!(t.word(at + 1), "a" | "an") {
        return Some((0.5, at + 2, true));
    }
    let number = number::literal(t, at).or_else(|| number::read(t, at).filter(|_| t.digits(at).is_none()))?;
    let (value, next) = numeral::and_a_half(t, number.value, number.next);
    (value >= 0.0).then_some((value, next, true))
}

fn fortnight(t: &Tokens<'_>, at: usize) -> Option<Unit> {
    (t.word(at) == "fortnight").then_some(Unit::Week)
}

/// `an hour and a half`, `deux heures et demie`, `hora y media`.
fn and_a_half(t: &Tokens<'_>, length: &mut Length) {
    let phrases: &[&[&str]] = &[
        &["and", "a", "half"],
        &["et", "demie"],
        &["et", "demi"],
        &["y", "media"],
        &["y", "medio"],
    ];
    if let (Some(after), [(amount, _)]) = (t.after(length.next, phrases), length.parts.as_mut_slice()) {
        *amount += 0.5;
        length.next = after;
        length.counted = true;
    }
}

/// Lengths that are said in one phrase.
fn fixed(t: &Tokens<'_>, at: usize) -> Option<Length> {
    let phrases: &[(&[&str], f64)] = &[
        (&["half", "hour"], 0.5),
        (&["half", "-", "hour"], 0.5),
        (&["a", "half", "-", "hour"], 0.5),
        (&["a", "quarter", "of", "an", "hour"], 0.25),
        (&["quarter", "of", "an", "hour"], 0.25),
        (&["three", "quarters", "of", "an", "hour"], 0.75),
        (&["viertelstunde"], 0.25),
        (&["eine", "viertelstunde"], 0.25),
        (&["dreiviertelstunde"], 0.75),
        (&["eine", "dreiviertelstunde"], 0.75),
        (&["halbe", "stunde"], 0.5),
        (&["demi", "-", "heure"], 0.5),
        (&["une", "demi", "-", "heure"], 0.5),
        (&["une", "demi", "heure"], 0.5),
        (&["un", "quart", "d", "'", "heure"], 0.25),
        (&["trois", "quarts", "d", "'", "heure"], 0.75),
        (&["media", "hora"], 0.5),
        (&["hora", "y", "media"], 1.5),
        (&["un", "cuarto", "de", "hora"], 0.25),
        (&["tres", "cuartos", "de", "hora"], 0.75),
    ];
    let fitting = phrases.iter().filter(|(words, _)| t.says(at, words));
    let (words, hours) = fitting.max_by_key(|(words, _)| words.len())?;
    Some(Length {
        parts: vec![(*hours, Unit::Hour)],
        next: at + words.len(),
        counted: true,
    })
}
