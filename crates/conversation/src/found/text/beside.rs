//! Do the words beside a number make it an amount, a count, or what a thing is called by?

use super::SHORT_DIGITS_MIN;

/// Words after a number that it counts.
const UNITS: &[&str] = &[
    "cent",
    "cents",
    "day",
    "days",
    "dollar",
    "dollars",
    "eur",
    "euro",
    "euros",
    "gb",
    "grams",
    "guests",
    "h",
    "hour",
    "hours",
    "items",
    "kg",
    "km",
    "lines",
    "meter",
    "meters",
    "miles",
    "min",
    "minutes",
    "mm",
    "more",
    "nights",
    "people",
    "pcs",
    "percent",
    "pieces",
    "pounds",
    "quid",
    "seats",
    "shares",
    "stück",
    "stunden",
    "tage",
    "tickets",
    "times",
    "units",
    "usd",
    "words",
    "personen",
    "personas",
    "personnes",
    "jours",
    "días",
    "minuten",
    "uhr",
];

/// Words before a number that it is an amount, a year or a time of, and no name of a thing.
const BEFORE_AMOUNTS: &[&str] = &[
    "about",
    "above",
    "after",
    "almost",
    "around",
    "before",
    "below",
    "book",
    "charge",
    "circa",
    "credit",
    "environ",
    "etwa",
    "exactly",
    "from",
    "have",
    "knapp",
    "least",
    "make",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "january",
    "february",
    "most",
    "nearly",
    "need",
    "only",
    "order",
    "over",
    "paid",
    "pays",
    "quasi",
    "refund",
    "roughly",
    "rund",
    "send",
    "since",
    "take",
    "than",
    "transfer",
    "under",
    "unos",
    "until",
    "want",
    "with",
    "within",
    "über",
    "just",
    "give",
    "says",
    "said",
    "were",
    "that",
    "eran",
    "para",
    "pour",
    "mehr",
];

/// What stands around a token.
pub(super) struct Neighbours<'a> {
    pub(super) before: &'a str,
    pub(super) after: &'a str,
    /// Whether the token is the whole text.
    pub(super) alone: bool,
}

impl Neighbours<'_> {
    /// Whether a unit or another thing to count follows.
    pub(super) fn is_counted(&self) -> bool {
        let next = self
            .after
            .trim_start()
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        UNITS.contains(&next.to_lowercase().as_str())
    }

    /// Whether a short number stands where one calls a thing by it: "Zimmer 207", "is anyone in 102?", "518, two keys".
    pub(super) fn calls_a_number(&self, token: &str) -> bool {
        if token.len() < SHORT_DIGITS_MIN
            || token.starts_with('0')
            || !self.is_no_amount()
            || self.is_counted()
        {
            return false;
        }
        let after = self.after.trim_start();
        let ends = after.is_empty() || self.after.starts_with([',', '.', '?', '!', ';']);
        let before = self.before.trim_end();
        if before.is_empty() {
            return ends;
        }
        if !self.before.ends_with(' ') {
            return false;
        }
        let word = before
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default()
            .to_lowercase();
        if matches!(word.as_str(), "in" | "into" | "auf" | "aus" | "from") {
            return ends || after.starts_with(char::is_lowercase);
        }
        word.chars().count() >= 4
            && word.chars().all(char::is_alphabetic)
            && !BEFORE_AMOUNTS.contains(&word.as_str())
    }

    /// Whether a number is neither an amount nor a piece of a longer one: "07700 900321", "EUR 12000".
    pub(super) fn is_no_amount(&self) -> bool {
        let before = self.before.trim_end();
        let after = self.after.trim_start();
        // "new run: 88405" tells a number, "12:30" is a piece of a time.
        let is_glued = before.len() == self.before.len();
        let digit_or_sign =
            |c: char| c.is_ascii_digit() || "+$€£¥".contains(c) || is_glued && ".,:/-".contains(c);
        let unit_or_sign = |c: char| c.is_ascii_digit() || "$€£¥%/:".contains(c);
        let last = before.rsplit(|c: char| !c.is_alphanumeric()).next();
        let glued = self.after.trim_start_matches(['.', ',']);
        let is_piece = glued.len() < self.after.len() && glued.starts_with(|c: char| c.is_ascii_digit())
            || self.after.starts_with(char::is_alphabetic);
        let is_amount = before.ends_with(digit_or_sign)
            || after.starts_with(unit_or_sign)
            || is_currency(last.unwrap_or_default())
            || is_currency(after);
        !is_piece && !is_amount
    }
}

/// Whether a text begins with three capitals, as in "EUR".
fn is_currency(text: &str) -> bool {
    let word: Vec<char> = text.chars().take_while(|c| c.is_alphabetic()).take(4).collect();
    word.len() == 3 && word.iter().all(|c| c.is_ascii_uppercase())
}
