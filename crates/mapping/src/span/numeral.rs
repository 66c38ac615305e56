//! Which number do these words say?

use super::number::Number;
use super::token::{Kind, Tokens};
use super::tongue::Tongue;

/// More words than any number that is said in one breath.
const MOST_WORDS: usize = 14;

/// What a word adds to a number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    /// 0 to 19, or a word that stands for all of a number below a hundred: `veintidós`.
    Unit(f64),
    /// 20, 30 … 90.
    Tens(f64),
    /// `doscientos`: a hundred with its factor.
    Hundreds(f64),
    Hundred,
    Scale(f64),
    Dozen,
}

/// Words that mean something else in another language, and the one language where they are numbers.
const OF_ONE_TONGUE: &[(&str, Tongue)] = &[
    ("once", Tongue::Spanish),
    ("mil", Tongue::Spanish),
    ("dos", Tongue::Spanish),
    ("tres", Tongue::Spanish),
    ("neuf", Tongue::French),
    ("cent", Tongue::French),
    ("cents", Tongue::French),
    ("sept", Tongue::French),
    ("dix", Tongue::French),
    ("mille", Tongue::French),
    ("elf", Tongue::German),
    ("null", Tongue::German),
];

const WORDS: &[(&str, Piece)] = &[
    ("zero", Piece::Unit(0.0)),
    ("one", Piece::Unit(1.0)),
    ("two", Piece::Unit(2.0)),
    ("three", Piece::Unit(3.0)),
    ("four", Piece::Unit(4.0)),
    ("five", Piece::Unit(5.0)),
    ("six", Piece::Unit(6.0)),
    ("seven", Piece::Unit(7.0)),
    ("eight", Piece::Unit(8.0)),
    ("nine", Piece::Unit(9.0)),
    ("ten", Piece::Unit(10.0)),
    ("eleven", Piece::Unit(11.0)),
    ("twelve", Piece::Unit(12.0)),
    ("thirteen", Piece::Unit(13.0)),
    ("fourteen", Piece::Unit(14.0)),
    ("fifteen", Piece::Unit(15.0)),
    ("sixteen", Piece::Unit(16.0)),
    ("seventeen", Piece::Unit(17.0)),
    ("eighteen", Piece::Unit(18.0)),
    ("nineteen", Piece::Unit(19.0)),
    ("twenty", Piece::Tens(20.0)),
    ("thirty", Piece::Tens(30.0)),
    ("forty", Piece::Tens(40.0)),
    ("fourty", Piece::Tens(40.0)),
    ("fifty", Piece::Tens(50.0)),
    ("sixty", Piece::Tens(60.0)),
    ("seventy", Piece::Tens(70.0)),
    ("eighty", Piece::Tens(80.0)),
    ("ninety", Piece::Tens(90.0)),
    ("hundred", Piece::Hundred),
    ("thousand", Piece::Scale(1e3)),
    ("million", Piece::Scale(1e6)),
    ("billion", Piece::Scale(1e9)),
    ("dozen", Piece::Dozen),
    ("null", Piece::Unit(0.0)),
    ("deux", Piece::Unit(2.0)),
    ("trois", Piece::Unit(3.0)),
    ("quatre", Piece::Unit(4.0)),
    ("cinq", Piece::Unit(5.0)),
    ("sept", Piece::Unit(7.0)),
    ("huit", Piece::Unit(8.0)),
    ("neuf", Piece::Unit(9.0)),
    ("dix", Piece::Unit(10.0)),
    ("onze", Piece::Unit(11.0)),
    ("douze", Piece::Unit(12.0)),
    ("treize", Piece::Unit(13.0)),
    ("quatorze", Piece::Unit(14.0)),
    ("quinze", Piece::Unit(15.0)),
    ("seize", Piece::Unit(16.0)),
    ("vingt", Piece::Tens(20.0)),
    ("vingts", Piece::Tens(20.0)),
    ("trente", Piece::Tens(30.0)),
    ("quarante", Piece::Tens(40.0)),
    ("cinquante", Piece::Tens(50.0)),
    ("soixante", Piece::Tens(60.0)),
    ("septante", Piece::Tens(70.0)),
    ("nonante", Piece::Tens(90.0)),
    ("cent", Piece::Hundred),
    ("cents", Piece::Hundred),
    ("mille", Piece::Scale(1e3)),
    ("millions", Piece::Scale(1e6)),
    ("milliard", Piece::Scale(1e9)),
    ("milliards", Piece::Scale(1e9)),
    ("douzaine", Piece::Dozen),
    ("dos", Piece::Unit(2.0)),
    ("tres", Piece::Unit(3.0)),
    ("cuatro", Piece::Unit(4.0)),
    ("cinco", Piece::Unit(5.0)),
    ("seis", Piece::Unit(6.0)),
    ("siete", Piece::Unit(7.0)),
    ("ocho", Piece::Unit(8.0)),
    ("nueve", Piece::Unit(9.0)),
    ("diez", Piece::Unit(10.0)),
    ("once", Piece::Unit(11.0)),
    ("doce", Piece::Unit(12.0)),
    ("trece", Piece::Unit(13.0)),
    ("catorce", Piece::Unit(14.0)),
    ("quince", Piece::Unit(15.0)),
    ("dieciseis", Piece::Unit(16.0)),
    ("diecisiete", Piece::Unit(17.0)),
    ("dieciocho", Piece::Unit(18.0)),
    ("diecinueve", Piece::Unit(19.0)),
    ("veinte", Piece::Unit(20.0)),
    ("veintiuno", Piece::Unit(21.0)),
    ("veintiun", Piece::Unit(21.0)),
    ("veintidos", Piece::Unit(22.0)),
    ("veintitres", Piece::Unit(23.0)),
    ("veinticuatro", Piece::Unit(24.0)),
    ("veinticinco", Piece::Unit(25.0)),
    ("veintiseis", Piece::Unit(26.0)),
    ("veintisiete", Piece::Unit(27.0)),
    ("veintiocho", Piece::Unit(28.0)),
    ("veintinueve", Piece::Unit(29.0)),
    ("treinta", Piece::Tens(30.0)),
    ("cuarenta", Piece::Tens(40.0)),
    ("cincuenta", Piece::Tens(50.0)),
    ("sesenta", Piece::Tens(60.0)),
    ("setenta", Piece::Tens(70.0)),
    ("ochenta", Piece::Tens(80.0)),
    ("noventa", Piece::Tens(90.0)),
    ("cien", Piece::Hundred),
    ("ciento", Piece::Hundred),
    ("doscientos", Piece::Hundreds(200.0)),
    ("doscientas", Piece::Hundreds(200.0)),
    ("trescientos", Piece::Hundreds(300.0)),
    ("trescientas", Piece::Hundreds(300.0)),
    ("cuatrocientos", Piece::Hundreds(400.0)),
    ("quinientos", Piece::Hundreds(500.0)),
    ("quinientas", Piece::Hundreds(500.0)),
    ("seiscientos", Piece::Hundreds(600.0)),
    ("setecientos", Piece::Hundreds(700.0)),
    ("ochocientos", Piece::Hundreds(800.0)),
    ("novecientos", Piece::Hundreds(900.0)),
    ("mil", Piece::Scale(1e3)),
    ("millon", Piece::Scale(1e6)),
    ("millones", Piece::Scale(1e6)),
    ("docena", Piece::Dozen),
    ("dutzend", Piece::Dozen),
    ("millionen", Piece::Scale(1e6)),
    ("milliarde", Piece::Scale(1e9)),
    ("milliarden", Piece::Scale(1e9)),
];

/// Reads a number in words: `three`, `twelve hundred`, `a dozen`, `two and a half`, `half`.
pub(super) fn read(t: &Tokens<'_>, at: usize) -> Option<Number> {
    if t.joined(at)
        && !matches!(
            t.sign(at.saturating_sub(1)),
            '\'' | '’' | '(' | '[' | '"' | '“' | '-' | '–' | '/'
        )
    {
        return None;
    }
    if let Some(number) = half(t, at) {
        return Some(number);
    }
    let article = matches!(t.word(at), "a" | "an" | "une" | "una" | "ein" | "eine" | "un");
    let begin = at + usize::from(article);
    if article && !counted_by_article(t, begin) {
        return None;
    }
    let (value, next) = words(t, begin)?;
    let (value, next) = and_a_half(t, value, next);
    if next == begin + 1 && t.word(begin) == "one" && !counts_something(t, begin) {
        return None;
    }
    Some(Number {
        value,
        other: None,
        next,
    })
}

/// Whether the word begins a number.
pub(super) fn begins(t: &Tokens<'_>, at: usize) -> bool {
    piece(t, at).is_some()
}

/// A whole number in words.
pub(super) fn words(t: &Tokens<'_>, at: usize) -> Option<(f64, usize)> {
    let mut sum = Sum::default();
    let mut next = at;
    for _ in 0..MOST_WORDS {
        let (piece_at, linked) = if sum.begun { link(t, next) } else { (next, false) };
        let Some(piece) = piece(t, piece_at) else { break };
        if !sum.add(piece, linked) {
            break;
        }
        next = piece_at + 1;
    }
    sum.begun.then_some((sum.total + sum.current, next))
}

/// The number so far.
#[derive(Default)]
struct Sum {
    begun: bool,
    total: f64,
    current: f64,
    /// What the next word may still add to: everything below this.
    below: f64,
    /// Whether the last word was ten.
    ten: bool,
    closed: bool,
}

impl Sum {
    /// Adds a word where the grammar allows it. `linked`: an `and` stood before it.
    fn add(&mut self, piece: Piece, linked: bool) -> bool {
        let begun = self.begun;
        let (current, below) = (self.current, self.below);
        let one_or = if current > 0.0 { current } else { 1.0 };
        let added = match piece {
            _ if self.closed => None,
            // « dix-sept », « soixante-dix-sept »
            Piece::Unit(unit) if self.ten && (7.0..10.0).contains(&unit) && !linked => {
                Some((current + unit, 0.0))
            }
            Piece::Unit(unit) if !begun || unit < below => Some((current + unit, 0.0)),
            Piece::Tens(20.0) if begun && current % 100.0 == 4.0 && !linked => Some((current + 76.0, 20.0)),
            Piece::Tens(tens) if !begun || tens < below => {
                Some((current + tens, if tens == 60.0 { 20.0 } else { 10.0 }))
            }
            Piece::Hundreds(hundreds) if !begun || below >= 1000.0 => Some((current + hundreds, 100.0)),
            Piece::Hundred if !linked && current < 100.0 && (!begun || !(100.0..1000.0).contains(&below)) => {
                Some((one_or * 100.0, 100.0))
            }
            Piece::Scale(scale) if !linked && (!begun || current > 0.0) => {
                self.total += one_or * scale;
                Some((0.0, 1000.0))
            }
            Piece::Dozen if !linked => {
                self.closed = true;
                Some((one_or * 12.0, 0.0))
            }
            _ => None,
        };
        let Some((current, below)) = added else {
            return false;
        };
        (self.begun, self.current, self.below) = (true, current, below);
        self.ten = piece == Piece::Unit(10.0);
        true
    }
}

/// Past a hyphen or an `and` between two words of a number.
fn link(t: &Tokens<'_>, at: usize) -> (usize, bool) {
    if t.sign(at) == '-' && t.joined(at) && t.joined(at + 1) {
        let after = at + 1;
        return if t.word(after) == "et" && t.sign(after + 1) == '-' {
            (after + 2, true)
        } else {
            (after, false)
        };
    }
    if matches!(t.word(at), "and" | "et" | "y" | "und") {
        return (at + 1, true);
    }
    (at, false)
}

fn piece(t: &Tokens<'_>, at: usize) -> Option<Piece> {
    let word = t.word(at);
    if word.is_empty() || t.get(at).is_some_and(|token| token.line && at > 0) {
        return None;
    }
    let only = OF_ONE_TONGUE.iter().find(|(only, _)| *only == word);
    if only.is_some_and(|(_, tongue)| *tongue != t.tongue) && !in_french_compound(t, at) {
        return None;
    }
    // « vingt et un », «treinta y uno»: an article on its own, a number behind tens.
    if matches!(word, "un" | "uno" | "une" | "una") && matches!(t.word_before(at), "et" | "y") {
        return Some(Piece::Unit(1.0));
    }
    let known = WORDS
        .iter()
        .find(|(known, _)| *known == word)
        .map(|(_, piece)| *piece);
    known.or_else(|| german(word).map(Piece::Unit))
}

/// `dix-sept`, `quatre-vingt-dix`: a hyphen to another number makes a word sure.
fn in_french_compound(t: &Tokens<'_>, at: usize) -> bool {
    let tens = [
        "quatre",
        "soixante",
        "vingt",
        "vingts",
        "dix",
        "trente",
        "quarante",
        "cinquante",
    ];
    let units = ["sept", "huit", "neuf", "mille", "cents"];
    let behind = t.sign(at + 1) == '-' && t.joined(at + 1) && units.contains(&t.word(at + 2));
    let before = at > 1 && t.sign(at - 1) == '-' && t.joined(at) && tens.contains(&t.word(at - 2));
    behind || before
}

/// A German number is one word: `zweihundertfünfzig`.
fn german(word: &str) -> Option<f64> {
    if let Some((thousands, rest)) = word.split_once("tausend") {
        let thousands = if thousands.is_empty() {
            1.0
        } else {
            below_thousand(thousands)?
        };
        let rest = if rest.is_empty() {
            0.0
        } else {
            below_thousand(rest)?
        };
        return Some(thousands * 1000.0 + rest);
    }
    if word == "anderthalb" || word == "eineinhalb" {
        return Some(1.5);
    }
    if let Some(whole) = word.strip_suffix("einhalb").filter(|whole| !whole.is_empty()) {
        return german_unit(whole).map(|whole| whole + 0.5);
    }
    below_thousand(word)
}

fn below_thousand(word: &str) -> Option<f64> {
    let Some((hundreds, rest)) = word.split_once("hundert") else {
        return below_hundred(word);
    };
    let hundreds = if hundreds.is_empty() {
        1.0
    } else {
        german_unit(hundreds)?
    };
    let rest = rest.strip_prefix("und").unwrap_or(rest);
    let rest = if rest.is_empty() {
        0.0
    } else {
        below_hundred(rest)?
    };
    Some(hundreds * 100.0 + rest)
}

fn below_hundred(word: &str) -> Option<f64> {
    if let Some((unit, tens)) = word.split_once("und") {
        return Some(german_unit(unit)? + german_tens(tens)?);
    }
    german_unit(word)
        .filter(|unit| *unit != 1.0)
        .or_else(|| german_tens(word))
}

fn german_unit(word: &str) -> Option<f64> {
    let units: [&[&str]; 19] = [
        &["ein", "eins"],
        &["zwei", "zwo"],
        &["drei"],
        &["vier"],
        &["funf", "fuenf"],
        &["sechs"],
        &["sieben"],
        &["acht"],
        &["neun"],
        &["zehn"],
        &["elf"],
        &["zwolf", "zwoelf"],
        &["dreizehn"],
        &["vierzehn"],
        &["funfzehn", "fuenfzehn"],
        &["sechzehn"],
        &["siebzehn"],
        &["achtzehn"],
        &["neunzehn"],
    ];
    (1_u8..)
        .zip(units)
        .find(|(_, spellings)| spellings.contains(&word))
        .map(|(value, _)| f64::from(value))
}

fn german_tens(word: &str) -> Option<f64> {
    Some(match word {
        "zwanzig" => 20.0,
        "dreissig" => 30.0,
        "vierzig" => 40.0,
        "funfzig" | "fuenfzig" => 50.0,
        "sechzig" => 60.0,
        "siebzig" => 70.0,
        "achtzig" => 80.0,
        "neunzig" => 90.0,
        _ => return None,
    })
}

fn counted_by_article(t: &Tokens<'_>, at: usize) -> bool {
    matches!(
        piece(t, at),
        Some(Piece::Hundred | Piece::Scale(_) | Piece::Dozen)
    )
}

/// Whether a lone `one` counts what follows: `one ticket` does, `this one`, `one of them` do not.
fn counts_something(t: &Tokens<'_>, at: usize) -> bool {
    let idle = [
        "of", "is", "that", "which", "who", "and", "or", "to", "for", "in", "on", "at", "with", "by", "from",
        "day", "more", "another", "thing", "pls", "i", "we", "you", "they", "s", "again", "too", "now",
        "here", "there", "only", "can", "could", "would", "should", "please", "as", "was", "has", "moment",
        "will",
    ];
    let next = t.word(at + 1);
    let before = t.word_before(at);
    let opened = before.is_empty()
        || [
            "with", "for", "in", "of", "to", "and", "or", "just", "exactly", "least", "have", "has", "need",
        ]
        .contains(&before);
    let asked = [
        "want", "add", "create", "order", "book", "buy", "send", "give", "get", "show", "me", "us", "make",
        "than", "by",
    ];
    (opened || asked.contains(&before)) && !next.is_empty() && !idle.contains(&next)
}

/// `two and a half`.
pub(super) fn and_a_half(t: &Tokens<'_>, value: f64, next: usize) -> (f64, usize) {
    let phrases: &[&[&str]] = &[
        &["and", "a", "half"],
        &["et", "demi"],
        &["et", "demie"],
        &["y", "medio"],
    ];
    match t.after(next, phrases) {
        Some(after) => (value + 0.5, after),
        None => (value, next),
    }
}

/// `half of`, `half a dozen`, `a quarter of`, `three quarters`, `a third`.
fn half(t: &Tokens<'_>, at: usize) -> Option<Number> {
    let told = |value: f64, next: usize| {
        Some(Number {
            value,
            other: None,
            next,
        })
    };
    if t.word(at) == "half" {
        let after = t.past(at + 1, &["a", "an"]);
        return match piece(t, after) {
            Some(Piece::Dozen) => told(6.0, after + 1),
            Some(Piece::Scale(scale)) => told(scale / 2.0, after + 1),
            _ if t.word(at + 1) == "of" => told(0.5, at + 1),
            _ => None,
        };
    }
    let count = match t.word(at) {
        "a" | "one" => 1.0,
        "two" => 2.0,
        "three" => 3.0,
        _ => return None,
    };
    let share = match t.word(at + 1) {
        "quarter" | "quarters" | "fourth" | "fourths" => count / 4.0,
        "third" | "thirds" => count / 3.0,
        "fifth" | "fifths" => count / 5.0,
        _ => return None,
    };
    let said = t.word(at + 2) == "of" || (count > 1.0 && t.kind(at + 2) != Some(Kind::Word));
    if said { told(share, at + 2) } else { None }
}
