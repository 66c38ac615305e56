//! Which number stands here?

use super::numeral;
use super::token::{Kind, Tokens};
use super::tongue::Tongue;

/// A number, and the first token after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub value: f64,
    /// What it is in another country's spelling: `1.250` may be 1250.
    pub other: Option<f64>,
    pub next: usize,
}

/// Words for powers of ten behind digits, with the power.
const SCALES: &[(&str, u32)] = &[
    ("hundred", 2),
    ("thousand", 3),
    ("tausend", 3),
    ("mille", 3),
    ("mil", 3),
    ("million", 6),
    ("millions", 6),
    ("millionen", 6),
    ("mio", 6),
    ("mln", 6),
    ("millones", 6),
    ("billion", 9),
    ("billions", 9),
    ("bn", 9),
    ("milliarde", 9),
    ("milliarden", 9),
    ("mrd", 9),
    ("milliard", 9),
    ("milliards", 9),
];

/// Units that may follow digits without a space, none of which is a length of time.
const UNITS: &[&str] = &[
    "gb", "mb", "kb", "tb", "gib", "mib", "kib", "px", "km", "kg", "cm", "mm", "g", "l", "ml", "x", "rpm",
    "fps", "hz", "khz", "mhz", "ghz", "kw", "kwh", "v", "w", "pt", "em", "rem", "pcs", "stk", "ms", "c", "f",
    "b", "mbit", "gbit", "times", "mal",
];

/// Currency letters before and after digits.
const CURRENCIES: &[&str] = &[
    "eur", "usd", "gbp", "chf", "jpy", "euro", "euros", "fr", "kr", "us",
];

/// Reads digits with a power of ten (`1,250.50`, `3 million`, `5k`), or words (`three`, `a dozen`).
pub(super) fn read(t: &Tokens<'_>, at: usize) -> Option<Number> {
    if let Some(minus) = after_minus(t, at) {
        let number = literal(t, minus)
            .map(|number| scale(t, number))
            .or_else(|| numeral::read(t, minus))?;
        return Some(Number {
            value: -number.value,
            other: number.other.map(|other| -other),
            ..number
        });
    }
    if t.digits(at).is_some() {
        let number = literal(t, at)
            .map(|number| scale(t, number))
            .filter(|number| stands_alone(t, number.next))?;
        let (value, next) = numeral::and_a_half(t, number.value, number.next);
        return Some(Number {
            value,
            next,
            ..number
        });
    }
    fraction_sign(t, at)
        .or_else(|| bare_decimal(t, at))
        .or_else(|| numeral::read(t, at))
}

fn after_minus(t: &Tokens<'_>, at: usize) -> Option<usize> {
    let sign =
        matches!(t.sign(at), '-' | '−') && !t.joined(at) && t.joined(at + 1) && t.digits(at + 1).is_some();
    let ranged = at > 0 && t.kind(at - 1) == Some(Kind::Digits);
    let word = matches!(t.word(at), "minus" | "moins" | "menos") && t.digits(at + 1).is_some();
    (!ranged && (sign || word)).then_some(at + 1)
}

/// Whether what follows without a space lets the digits be a number: `10GB` is one, `9a01` and `3rd` are none.
fn stands_alone(t: &Tokens<'_>, next: usize) -> bool {
    if !t.joined(next) {
        return true;
    }
    match t.kind(next) {
        Some(Kind::Word) => {
            let word = t.word(next);
            UNITS.contains(&word) || CURRENCIES.contains(&word)
        }
        Some(Kind::Solid) => false,
        _ => true,
    }
}

/// Digits with their separators, without a power of ten.
pub(super) fn literal(t: &Tokens<'_>, at: usize) -> Option<Number> {
    let before = at.checked_sub(1);
    if let Some(before) = before.filter(|_| t.joined(at)) {
        let word = t.word(before);
        let glued = t.kind(before) == Some(Kind::Word) && word != "x" && !CURRENCIES.contains(&word);
        let standard = t.sign(before) == '-'
            && before > 0
            && matches!(t.word(before - 1), "utf" | "iso" | "covid" | "gpt");
        if glued || standard || t.kind(before) == Some(Kind::Solid) {
            return None;
        }
    }
    let number = Spelled::take(t, at)?.number(t, at)?;
    (!proportion(t, at) && !proportion_behind(t, number.next)).then_some(number)
}

/// `16:9`, `24/7`, `3/4`: two numbers that stand for something else together.
fn proportion(t: &Tokens<'_>, at: usize) -> bool {
    at > 1
        && t.joined(at)
        && t.joined(at - 1)
        && matches!(t.sign(at - 1), ':' | '/')
        && t.digits(at - 2).is_some()
}

fn proportion_behind(t: &Tokens<'_>, next: usize) -> bool {
    t.joined(next) && t.joined(next + 1) && matches!(t.sign(next), ':' | '/') && t.digits(next + 1).is_some()
}

/// Digit groups and what stands between them.
struct Spelled {
    groups: Vec<String>,
    /// `s` is a space, `n` one that does not break.
    marks: Vec<char>,
}

impl Spelled {
    fn take(t: &Tokens<'_>, at: usize) -> Option<Self> {
        let mut groups = vec![t.digits(at)?.to_owned()];
        let mut marks = Vec::new();
        let mut next = at + 1;
        while groups.len() < 8 {
            let sign = t.sign(next);
            if matches!(sign, ',' | '.' | '\'' | '’' | '_') && t.joined(next) && t.joined(next + 1) {
                let Some(digits) = t.digits(next + 1) else { break };
                groups.push(digits.to_owned());
                marks.push(if sign == '’' { '\'' } else { sign });
                next += 2;
            } else if let Some(space) = space_within(t, next) {
                groups.push(t.digits(next).unwrap_or("").to_owned());
                marks.push(space);
                next += 1;
            } else {
                break;
            }
        }
        Some(Self { groups, marks })
    }

    fn group(&self, at: usize) -> &str {
        self.groups.get(at).map_or("", String::as_str)
    }

    fn mark(&self, at: usize) -> char {
        self.marks.get(at).copied().unwrap_or('\0')
    }

    /// The token after the first `used` groups.
    fn next(&self, at: usize, used: usize) -> usize {
        let marks = self.marks.iter().take(used.saturating_sub(1));
        at + 1
            + marks
                .map(|mark| if matches!(mark, 's' | 'n') { 1 } else { 2 })
                .sum::<usize>()
    }

    /// How many groups of exactly three digits follow the first, all behind the same mark.
    fn thousands(&self) -> usize {
        let first = self.group(0);
        if first.len() > 3 || first.starts_with('0') {
            return 0;
        }
        let mark = self.mark(0);
        (0..self.marks.len())
            .take_while(|at| self.mark(*at) == mark && self.group(at + 1).len() == 3)
            .count()
    }

    fn number(&self, t: &Tokens<'_>, at: usize) -> Option<Number> {
        let thousands = self.thousands();
        match self.mark(0) {
            '\0' => self.plain(at, 1),
            ',' | '.' => self.marked(t, at, thousands),
            's' | 'n' if !self.grouped_by_space(t, at, thousands) => self.plain(at, 1),
            _ if thousands == 0 => self.plain(at, 1),
            _ => self.grouped(at, thousands),
        }
    }

    /// A plain space is weaker than any other mark: `issues 118 120` are two numbers, `1 250` is one.
    fn grouped_by_space(&self, t: &Tokens<'_>, at: usize, thousands: usize) -> bool {
        let decimals = matches!(self.mark(thousands), ',' | '.');
        let next = self.next(at, thousands + 1);
        thousands > 0
            && (self.mark(0) == 'n'
                || self.group(0).len() < 3
                || thousands > 1
                || decimals
                || money_follows(t, next)
                || (at > 0 && matches!(t.sign(at - 1), '$' | '€' | '£')))
    }

    /// The whole part in groups, and a fraction behind another mark.
    fn grouped(&self, at: usize, thousands: usize) -> Option<Number> {
        let whole: String = self
            .groups
            .iter()
            .take(thousands + 1)
            .map(String::as_str)
            .collect();
        let mark = self.mark(thousands);
        let fraction = matches!(mark, ',' | '.') && self.mark(thousands + 1) != mark;
        let (spelled, used) = if fraction {
            (format!("{whole}.{}", self.group(thousands + 1)), thousands + 2)
        } else {
            (whole, thousands + 1)
        };
        self.told(at, &spelled, used, None)
    }

    fn marked(&self, t: &Tokens<'_>, at: usize, thousands: usize) -> Option<Number> {
        let mark = self.mark(0);
        let after = self.mark(thousands);
        if thousands > 0 && after != '\0' && after != mark && matches!(after, ',' | '.') {
            return self.grouped(at, thousands);
        }
        if thousands > 1 && thousands == self.marks.len() {
            return self.grouped(at, thousands);
        }
        if mark == '.' && self.mark(1) == '.' {
            return None;
        }
        if mark == ',' && self.mark(1) == ',' {
            return self.plain(at, 1);
        }
        if thousands == 1 {
            return self.three_digits(t, at);
        }
        let unsure_list = mark == ',' && self.group(1).len() != 2 && t.tongue == Tongue::English;
        if unsure_list && !unit_follows(t, self.next(at, 2)) {
            return self.plain(at, 1);
        }
        self.fraction(at)
    }

    /// `1,250` and `1.250`: what the mark means is the language's choice.
    fn three_digits(&self, t: &Tokens<'_>, at: usize) -> Option<Number> {
        let grouped = self.grouped(at, 1)?;
        let fraction = self.fraction(at)?;
        let usual = matches!(
            (self.mark(0), t.tongue),
            (',', Tongue::English) | ('.', Tongue::German | Tongue::Spanish)
        );
        let euro = self.mark(0) == '.' && euro_around(t, at, grouped.next);
        Some(match (usual, t.tongue) {
            (true, _) => grouped,
            _ if euro => Number {
                other: Some(fraction.value),
                ..grouped
            },
            (_, Tongue::English) => fraction,
            _ => Number {
                other: Some(grouped.value),
                ..fraction
            },
        })
    }

    fn fraction(&self, at: usize) -> Option<Number> {
        self.told(at, &format!("{}.{}", self.group(0), self.group(1)), 2, None)
    }

    fn plain(&self, at: usize, used: usize) -> Option<Number> {
        self.told(at, self.group(0), used, None)
    }

    fn told(&self, at: usize, spelled: &str, used: usize, other: Option<f64>) -> Option<Number> {
        if spelled.len() > 24 {
            return None;
        }
        let value = spelled.parse().ok()?;
        Some(Number {
            value,
            other,
            next: self.next(at, used),
        })
    }
}

/// The kind of space between digits and a group of three digits there.
pub(super) fn space_within(t: &Tokens<'_>, next: usize) -> Option<char> {
    let here = t.get(next)?;
    let before = t.get(next.checked_sub(1)?)?;
    if here.kind != Kind::Digits || here.fold.len() != 3 || !here.spaced || before.kind != Kind::Digits {
        return None;
    }
    match t.text.get(before.range.end..here.range.start)? {
        " " => Some('s'),
        "\u{a0}" | "\u{2009}" | "\u{202f}" => Some('n'),
        _ => None,
    }
}

fn euro_around(t: &Tokens<'_>, at: usize, next: usize) -> bool {
    let euro = |word: &str| matches!(word, "eur" | "euro" | "euros");
    let before = at > 0 && (t.sign(at - 1) == '€' || euro(t.word(at - 1)));
    before || t.sign(next) == '€' || euro(t.word(next))
}

fn money_follows(t: &Tokens<'_>, next: usize) -> bool {
    matches!(t.sign(next), '€' | '$' | '£' | '%') || CURRENCIES.contains(&t.word(next))
}

fn unit_follows(t: &Tokens<'_>, next: usize) -> bool {
    let word = t.word(next);
    money_follows(t, next)
        || matches!(t.sign(next), '¥')
        || super::calendar::unit(word).is_some()
        || UNITS.contains(&word)
        || SCALES.iter().any(|(scale, _)| *scale == word)
        || matches!(
            word,
            "percent" | "dollars" | "pounds" | "k" | "m" | "h" | "prozent"
        )
}

/// A power of ten behind the digits: `1.2k`, `3 million`.
fn scale(t: &Tokens<'_>, number: Number) -> Number {
    let (word, joined) = (t.word(number.next), t.joined(number.next));
    let apart = !t.joined(number.next + 1) || t.kind(number.next + 1) == Some(Kind::Sign);
    let short = joined && apart;
    let power = match word {
        "k" if short => Some(3),
        "m" if short => Some(6),
        _ => SCALES
            .iter()
            .find(|(scale, _)| *scale == word)
            .map(|(_, power)| *power),
    };
    let Some(power) = power else { return number };
    let other = number.other.map(|other| times_ten(other, power));
    let next = number.next + 1;
    // `1,5 Mio. Euro`
    let dotted = matches!(word, "mio" | "mrd" | "mln") && t.sign(next) == '.' && !t.word(next + 1).is_empty();
    Number {
        value: times_ten(number.value, power),
        other,
        next: next + usize::from(dotted && t.joined(next)),
    }
}

/// Rounded once: `2.3` million is 2300000.
fn times_ten(value: f64, power: u32) -> f64 {
    format!("{value}e{power}").parse().unwrap_or(value)
}

/// `½` and `1½` are read by what they look like.
fn fraction_sign(t: &Tokens<'_>, at: usize) -> Option<Number> {
    let value = sign_value(t.sign(at)).filter(|_| !t.joined(at))?;
    Some(Number {
        value,
        other: None,
        next: at + 1,
    })
}

/// The value of a fraction written as one character.
pub(super) fn sign_value(sign: char) -> Option<f64> {
    match sign {
        '½' => Some(0.5),
        '¼' => Some(0.25),
        '¾' => Some(0.75),
        _ => None,
    }
}

/// `.5` behind a space.
fn bare_decimal(t: &Tokens<'_>, at: usize) -> Option<Number> {
    if t.sign(at) != '.' || t.joined(at) || !t.joined(at + 1) {
        return None;
    }
    let digits = t.digits(at + 1).filter(|digits| digits.len() < 16)?;
    let value = format!("0.{digits}").parse().ok()?;
    stands_alone(t, at + 2).then_some(Number {
        value,
        other: None,
        next: at + 2,
    })
}
