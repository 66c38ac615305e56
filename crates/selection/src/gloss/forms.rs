//! Which known word is another form of this one?

use super::Language;
use super::glossary::{Entry, Glossary};

/// Least letters that two forms of a word share.
const STEM_MIN: usize = 4;
/// Most letters that a Russian word has after what it shares with the key.
const RUSSIAN_ENDING_MAX: usize = 3;
/// Least letters of a part of a German compound.
const PART_MIN: usize = 3;
/// Most bytes of a German compound.
const COMPOUND_MAX: usize = 64;
/// What German puts between the parts of a compound.
const JOINTS: &[&str] = &["", "s", "n", "en", "es", "e"];

/// The entries that a word consists of: one, or the parts of a German compound.
pub fn glosses(lower: &str, glossary: Glossary) -> Option<impl Iterator<Item = Entry>> {
    let (first, second) = match of_word(lower, glossary) {
        Some(entry) => (entry, None),
        None => compound(lower, glossary).map(|(first, second)| (first, Some(second)))?,
    };
    Some(std::iter::once(first).chain(second))
}

/// The entry of a word: as spelled, without accents, or by what its forms share.
fn of_word(lower: &str, glossary: Glossary) -> Option<Entry> {
    glossary
        .get(lower)
        .or_else(|| glossary.get_folded(lower))
        .or_else(|| inflected(lower, glossary))
}

/// The entry of a German verb, given as an order or an infinitive.
pub fn of_verb(lower: &str, glossary: Glossary) -> Option<Entry> {
    ["", "e", "n", "en"]
        .iter()
        .find_map(|ending| glossary.get(&format!("{lower}{ending}")))
}

fn inflected(lower: &str, glossary: Glossary) -> Option<Entry> {
    match glossary.language {
        Language::Russian => {
            let length = lower.chars().count();
            let is_stem = |key: &str| {
                let shared = key.chars().count();
                shared >= STEM_MIN && length - shared <= RUSSIAN_ENDING_MAX && !key.contains(' ')
            };
            let folded = lower.replace('ё', "е");
            glossary
                .longest(lower, is_stem)
                .or_else(|| glossary.longest(&folded, is_stem))
        }
        language => endings(language).iter().find_map(|(ending, instead)| {
            let stem = lower
                .strip_suffix(ending)
                .filter(|stem| stem.chars().count() >= STEM_MIN)?;
            instead
                .iter()
                .find_map(|instead| glossary.get(&format!("{stem}{instead}")))
        }),
    }
}

/// Endings of a word, longest first, and those that its key may have instead.
fn endings(language: Language) -> &'static [(&'static str, &'static [&'static str])] {
    match language {
        Language::German => &[
            ("em", &["", "e", "en"]),
            ("en", &["", "e", "er"]),
            ("er", &["", "e", "en"]),
            ("es", &["", "e", "en"]),
            ("e", &["", "en", "er"]),
            ("n", &["", "e"]),
            ("s", &[""]),
            ("t", &["en", ""]),
        ],
        Language::Spanish | Language::Portuguese => &[
            ("es", &["", "e"]),
            ("as", &["o", "a", "os"]),
            ("os", &["o"]),
            ("a", &["o", "ar"]),
            ("s", &[""]),
        ],
        Language::French => &[
            ("ées", &["é", "er"]),
            ("ée", &["é", "er"]),
            ("és", &["é", "er"]),
            ("es", &["e", ""]),
            ("e", &["", "er"]),
            ("s", &[""]),
            ("x", &[""]),
        ],
        Language::Russian | Language::Chinese | Language::Japanese => &[],
    }
}

/// The two known words that a German compound is made of; the longest first part decides.
fn compound(lower: &str, glossary: Glossary) -> Option<(Entry, Entry)> {
    if glossary.language != Language::German || lower.len() > COMPOUND_MAX {
        return None;
    }
    let part = |text: &str| {
        (text.chars().count() >= PART_MIN)
            .then(|| glossary.get(text).filter(|entry| !entry.gloss.is_empty()))
            .flatten()
    };
    lower.char_indices().rev().find_map(|(at, _)| {
        let (front, back) = lower.split_at(at);
        let back = part(back).or_else(|| inflected(back, glossary))?;
        let front = JOINTS.iter().find_map(|joint| part(front.strip_suffix(joint)?))?;
        Some((front, back))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: Language, word: &str, expected: &[&str]) {
        let found: Vec<&str> = glosses(word, Glossary::of(language))
            .into_iter()
            .flatten()
            .map(|entry| entry.gloss)
            .collect();
        assert_eq!(found, expected, "{word}");
    }

    #[test]
    fn other_forms_are_found() {
        check(Language::German, "löschen", &["delete"]);
        check(Language::German, "loschen", &["delete"]);
        check(Language::German, "xyzzy", &[]);
        check(Language::Spanish, "facturas", &["invoices"]);
        check(Language::French, "supprimée", &["deleted"]);
        check(Language::Russian, "репозиториями", &["repository"]);
    }

    #[test]
    fn german_compounds_are_split() {
        check(Language::German, "kundenrechnung", &["customers", "invoice"]);
        check(Language::German, "datenbankabfragen", &["database", "query"]);
        // A filler is no part, and neither is a stump.
        check(Language::German, "derxyz", &[]);
        check(Language::French, "clientfacture", &[]);
    }
}
