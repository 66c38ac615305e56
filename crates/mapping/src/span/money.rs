//! Which amount of money, or which share of a hundred, stands here?

use super::number::{self, Number};
use super::token::{Kind, Tokens};
use super::{Found, What};

/// ISO 4217 codes that are read; codes that are English words in capitals are left out.
const CODES: &[&str] = &[
    "EUR", "USD", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON",
    "BGN", "INR", "CNY", "HKD", "SGD", "KRW", "BRL", "MXN", "ZAR", "ILS", "AED", "SAR", "THB", "IDR", "MYR",
    "PHP", "VND", "UAH", "CLP", "COP", "ARS", "PEN", "EGP", "NGN", "KES", "ISK", "TWD", "TRY", "RUB", "QAR",
    "MAD",
];

/// Reads an amount of money with its sign, code or name.
pub(super) fn read(t: &Tokens<'_>, at: usize) -> Option<Found> {
    signed(t, at).or_else(|| coded(t, at)).or_else(|| named(t, at))
}

/// `$1.2k`, `US$ 20`, `€1.250,50`, `-£3`.
fn signed(t: &Tokens<'_>, at: usize) -> Option<Found> {
    let minus = matches!(t.sign(at), '-' | '−') && !t.joined(at) && t.joined(at + 1);
    let begin = at + usize::from(minus);
    let (code, after) = sign(t, begin)?;
    let number = number::read(t, after).filter(|_| t.digits(after).is_some())?;
    let (code, next) =
        code_at(t, number.next).map_or((Some(code), number.next), |(code, next)| (Some(code), next));
    told(
        t,
        at,
        Number { next, ..number },
        code,
        if minus { -1.0 } else { 1.0 },
    )
}

/// `EUR 200`, `CHF 12.50`, `EUR200`.
fn coded(t: &Tokens<'_>, at: usize) -> Option<Found> {
    if t.written(at) == "TRY" || (t.joined(at) && t.kind(at.saturating_sub(1)) != Some(Kind::Sign)) {
        return None;
    }
    let (code, after) = code_at(t, at)?;
    t.digits(after)?;
    told(t, at, number::read(t, after)?, Some(code), 1.0)
}

/// `200 EUR`, `20€`, `12 euros`, `40 bucks`, `50 cents`.
fn named(t: &Tokens<'_>, at: usize) -> Option<Found> {
    let number = number::read(t, at).or_else(|| one(t, at))?;
    if let Some((code, next)) = sign(t, number.next) {
        // `5 $20` is a number before an amount.
        if t.digits(next).is_none() || t.get(next).is_some_and(|token| token.spaced) {
            return told(t, at, Number { next, ..number }, Some(code), 1.0);
        }
        return None;
    }
    if let Some((code, next)) = code_at(t, number.next) {
        return told(t, at, Number { next, ..number }, Some(code), 1.0);
    }
    let (code, next, share) = name(t, number.next)?;
    told(t, at, Number { next, ..number }, code, share)
}

/// `a euro`, `one dollar`.
fn one(t: &Tokens<'_>, at: usize) -> Option<Number> {
    let one = matches!(t.word(at), "a" | "one" | "einen" | "ein" | "un" | "une" | "una");
    let unit = matches!(t.word(at + 1), "euro" | "dollar" | "buck" | "dolar");
    (one && unit).then_some(Number {
        value: 1.0,
        other: None,
        next: at + 1,
    })
}

fn told(t: &Tokens<'_>, at: usize, number: Number, code: Option<&'static str>, share: f64) -> Option<Found> {
    let values = [Some(number.value), number.other].into_iter().flatten();
    let whats = values.map(|value| What::Money(hundredths(value, share), code));
    Some(Found::of(t, at, number.next, whats))
}

/// Cents are divided, not multiplied by an inexact hundredth.
fn hundredths(value: f64, share: f64) -> f64 {
    if (share - 0.01).abs() < f64::EPSILON {
        value / 100.0
    } else {
        value * share
    }
}

/// A sign of a currency, with the letters before it: `US$`.
fn sign(t: &Tokens<'_>, at: usize) -> Option<(&'static str, usize)> {
    let plain = match t.sign(at) {
        '$' => Some("USD"),
        '€' => Some("EUR"),
        '£' => Some("GBP"),
        '¥' => Some("JPY"),
        '₹' => Some("INR"),
        '₩' => Some("KRW"),
        '₺' => Some("TRY"),
        '₴' => Some("UAH"),
        '₪' => Some("ILS"),
        '₫' => Some("VND"),
        _ => None,
    };
    if let Some(code) = plain {
        return Some((code, at + 1));
    }
    if t.sign(at + 1) != '$' || !t.joined(at + 1) {
        return None;
    }
    let code = match t.written(at) {
        "US" | "U" => "USD",
        "C" | "CA" => "CAD",
        "A" | "AU" => "AUD",
        "NZ" => "NZD",
        "HK" => "HKD",
        "S" => "SGD",
        "R" => "BRL",
        _ => return None,
    };
    Some((code, at + 2))
}

/// Whether an amount may begin with this word: a code, or the letters before a sign.
pub(super) fn begins(t: &Tokens<'_>, at: usize) -> bool {
    code_at(t, at).is_some() || t.sign(at + 1) == '$'
}

fn code_at(t: &Tokens<'_>, at: usize) -> Option<(&'static str, usize)> {
    let written = t.written(at);
    let small = match written {
        "eur" | "Eur" => "EUR",
        "usd" | "Usd" => "USD",
        "gbp" => "GBP",
        "chf" => "CHF",
        other => other,
    };
    CODES
        .iter()
        .find(|code| **code == small)
        .map(|code| (*code, at + 1))
}

/// A currency's name: its code, the token after it, and the share of the currency it is.
fn name(t: &Tokens<'_>, at: usize) -> Option<(Option<&'static str>, usize, f64)> {
    let two: &[(&[&str], &str)] = &[
        (&["us", "dollars"], "USD"),
        (&["us", "dollar"], "USD"),
        (&["canadian", "dollars"], "CAD"),
        (&["australian", "dollars"], "AUD"),
        (&["swiss", "francs"], "CHF"),
        (&["schweizer", "franken"], "CHF"),
        (&["francs", "suisses"], "CHF"),
        (&["francos", "suizos"], "CHF"),
        (&["pounds", "sterling"], "GBP"),
        (&["british", "pounds"], "GBP"),
    ];
    if let Some((words, code)) = two.iter().find(|(words, _)| t.says(at, words)) {
        return Some((Some(*code), at + words.len(), 1.0));
    }
    let (code, share) = match t.word(at) {
        "euro" | "euros" => (Some("EUR"), 1.0),
        "dollar" | "dollars" | "bucks" | "buck" | "dolares" | "dolar" => (Some("USD"), 1.0),
        "pounds" | "quid" | "pfund" | "livres" | "libras" => (Some("GBP"), 1.0),
        "yen" => (Some("JPY"), 1.0),
        "franken" => (Some("CHF"), 1.0),
        "rupees" => (Some("INR"), 1.0),
        "francs" | "pesos" | "kronor" | "kroner" | "kr" => (None, 1.0),
        "cent" | "cents" | "centimes" | "centimos" | "pence" => (None, 0.01),
        _ => return None,
    };
    Some((code, at + 1, share))
}

/// Reads a share of a hundred: `15%`, `15 percent`, `15 Prozent`.
pub(super) fn percent(t: &Tokens<'_>, at: usize) -> Option<Found> {
    let number = number::read(t, at)?;
    let phrases: &[&[&str]] = &[
        &["%"],
        &["percent"],
        &["per", "cent"],
        &["pct"],
        &["prozent"],
        &["pour", "cent"],
        &["por", "ciento"],
        &["por", "cien"],
        &["percentage", "points"],
    ];
    let next = t.after(number.next, phrases)?;
    let values = [Some(number.value), number.other].into_iter().flatten();
    Some(Found::of(t, at, next, values.map(What::Percent)))
}
