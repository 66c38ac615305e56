//! Which of the languages in Latin letters is a request in?
//!
//! Each word is a witness. One that a language knows speaks for it; one that English knows as well speaks for
//! nobody; the words that English requests are full of speak against all. Short requests need more agreement.

use super::Language;
use super::bearing::{self, Bearing};
use super::glossary::Glossary;
use super::pieces::{Kind, Piece};

/// Words that are heard; a longer request has shown its language by then.
const WORDS_MAX: usize = 32;
/// Words of a request that is short.
const SHORT_MAX: usize = 3;
/// What a word speaks for a language that names and abbreviations bring into others, or that only looks like it.
const SLIGHT: f32 = 0.5;

/// The languages that are told apart by their words.
pub const LATIN: [Language; 4] = [
    Language::German,
    Language::Spanish,
    Language::French,
    Language::Portuguese,
];

/// What the words of a request say about one language.
#[derive(Clone, Copy, Default, Debug)]
struct Evidence {
    /// Words that it knows and English does not.
    own: f32,
    /// Words that it shares with English.
    shared: f32,
    /// Words that speak against it.
    against: f32,
    /// Words that neither it nor the list of English words knows.
    unknown: f32,
    /// Words that decide between sister languages.
    telling: f32,
}

/// A word as a witness.
struct Witness {
    lower: String,
    /// With the word that follows.
    pair: String,
    bearing: Bearing,
    /// What an apostrophe leaves of an English word: the `t` of `don't`.
    is_contracted: bool,
    is_name: bool,
    /// Part of something with hyphens, which is often an id.
    is_hyphened: bool,
}

/// The language in Latin letters that the words speak for, if any.
pub fn language(pieces: &[Piece<'_>]) -> Option<Language> {
    let witnesses: Vec<Witness> = witnesses(pieces);
    let asks_spanish = pieces.iter().any(|piece| matches!(piece.text, "¿" | "¡"));
    if is_surely_english(&witnesses) && !asks_spanish {
        return None;
    }
    let (language, evidence) = LATIN
        .into_iter()
        .map(|language| {
            let mut evidence = Evidence::of(language, &witnesses);
            if asks_spanish && language == Language::Spanish {
                evidence.own += 1.0;
            }
            (language, evidence)
        })
        .reduce(|best, other| {
            if other.1.total() > best.1.total() {
                other
            } else {
                best
            }
        })?;
    evidence.is_enough(witnesses.len()).then_some(language)
}

fn witnesses(pieces: &[Piece<'_>]) -> Vec<Witness> {
    let words = pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.kind == Kind::Word);
    words
        .take(WORDS_MAX)
        .map(|(at, piece)| {
            let lower = piece.text.to_lowercase();
            let next = pieces.get(at + 1);
            let following = next.filter(|next| next.kind == Kind::Word);
            Witness {
                pair: following.map_or_else(String::new, |next| {
                    format!("{lower} {}", next.text.to_lowercase())
                }),
                bearing: Bearing::of(&lower),
                is_contracted: piece.follows_apostrophe() && bearing::is_contracted(&lower),
                is_name: piece.is_name,
                is_hyphened: piece.joint == Some('-') || next.is_some_and(|next| next.joint == Some('-')),
                lower,
            }
        })
        .collect()
}

/// Most requests are, and need no glossary to tell: what speaks against every language is enough.
fn is_surely_english(witnesses: &[Witness]) -> bool {
    let is_english =
        |witness: &&Witness| witness.bearing == Bearing::English && !witness.is_name && !witness.is_hyphened;
    let is_open = |witness: &&Witness| !witness.bearing.is_english();
    2 * witnesses.iter().filter(is_english).count() >= witnesses.iter().filter(is_open).count()
}

impl Evidence {
    fn of(language: Language, witnesses: &[Witness]) -> Self {
        let mut evidence = Self::default();
        for (at, witness) in witnesses.iter().enumerate() {
            evidence.hear(language, witness, at == 0);
        }
        evidence
    }

    fn hear(&mut self, language: Language, witness: &Witness, is_first: bool) {
        let (lower, bearing) = (witness.lower.as_str(), witness.bearing);
        let glossary = Glossary::of(language);
        let is_known = || glossary.get(lower).is_some() || glossary.get(&witness.pair).is_some();
        let is_unaccented = || lower.is_ascii() && glossary.get_folded(lower).is_some();
        // German writes every noun like a name.
        let is_name = witness.is_name && language != Language::German;
        if witness.is_contracted {
            // German contracts too: `geht's`.
            self.against += if language == Language::German && lower == "s" {
                0.0
            } else {
                1.0
            };
        } else if bearing != Bearing::English && is_known() {
            self.telling += if is_telling(language, lower) { 1.0 } else { 0.0 };
            match bearing {
                Bearing::AlsoEnglish | Bearing::Shared => self.shared += 1.0,
                _ if is_name => {}
                Bearing::OfNames => self.own += SLIGHT,
                _ if lower.chars().nth(1).is_none() => self.own += SLIGHT,
                _ => self.own += 1.0,
            }
        } else if is_name || witness.is_hyphened {
            // Names and the parts of ids are in no language.
        } else if bearing.is_typical_english() {
            self.against += if is_first { 2.0 } else { 1.0 };
        } else if bearing == Bearing::Elsewhere || !lower.chars().all(|c| is_letter_of(language, c)) {
            self.against += 1.0;
        } else if !lower.is_ascii() || bearing == Bearing::None && is_unaccented() {
            self.own += SLIGHT;
        } else {
            self.unknown += 1.0;
        }
    }

    fn total(&self) -> f32 {
        self.own + 0.4 * self.telling + 0.1 * self.shared - self.against
    }

    fn is_enough(&self, words: usize) -> bool {
        if words <= SHORT_MAX {
            return self.own >= 1.0 && self.against == 0.0 && self.unknown <= self.own - 1.0;
        }
        let least = if self.own >= 2.0 { 0.6 } else { 1.0 };
        self.own >= 1.0 && self.own > 2.0 * self.against && self.own + self.shared >= least * self.unknown
    }
}

/// Short words of one language that a sister language has too, and seldom uses.
fn is_telling(language: Language, lower: &str) -> bool {
    match language {
        Language::Spanish => matches!(lower, "el" | "la" | "los" | "las" | "y" | "es" | "lo"),
        Language::Portuguese => matches!(
            lower,
            "o" | "os" | "no" | "na" | "do" | "da" | "em" | "um" | "e" | "ao"
        ),
        _ => false,
    }
}

/// Whether a language writes with this letter.
fn is_letter_of(language: Language, c: char) -> bool {
    c.is_ascii()
        || match language {
            Language::German => matches!(c, 'ä' | 'ö' | 'ü' | 'ß'),
            Language::Spanish => matches!(c, 'á' | 'é' | 'í' | 'ó' | 'ú' | 'ü' | 'ñ'),
            Language::French => "àâæçéèêëîïôœùûüÿ".contains(c),
            Language::Portuguese => "áâãàçéêíóôõúü".contains(c),
            Language::Russian | Language::Chinese | Language::Japanese => false,
        }
        || matches!(c, '\u{0300}'..='\u{036F}')
}
