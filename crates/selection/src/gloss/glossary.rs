//! What is a word in English?
//!
//! A glossary is a file of `key<TAB>gloss` lines, sorted bytewise by key: lower case, words parted by one blank. An
//! empty gloss marks a word that says nothing about the tool. Files are read where they lie; where their lines
//! begin is noted when a language is first asked for.

use std::sync::OnceLock;

use super::Language;

/// Most words of a key.
pub const KEY_WORDS_MAX: usize = 6;

/// The words of one language.
#[derive(Clone, Copy, Debug)]
pub struct Glossary {
    /// Whose words.
    pub language: Language,
    text: &'static str,
    index: &'static Index,
}

/// Where the lines of a glossary are.
#[derive(Debug)]
struct Index {
    /// Where each line begins, in order.
    lines: Vec<u32>,
    /// Line numbers by the hash of their key, [`EMPTY`] between them.
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

/// A key and its gloss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: &'static str,
    pub gloss: &'static str,
}

impl Glossary {
    pub fn of(language: Language) -> Self {
        let text = match language {
            Language::German => include_str!("../../data/glossary/de.tsv"),
            Language::Spanish => include_str!("../../data/glossary/es.tsv"),
            Language::French => include_str!("../../data/glossary/fr.tsv"),
            Language::Portuguese => include_str!("../../data/glossary/pt.tsv"),
            Language::Russian => include_str!("../../data/glossary/ru.tsv"),
            Language::Chinese => include_str!("../../data/glossary/zh.tsv"),
            Language::Japanese => include_str!("../../data/glossary/ja.tsv"),
        };
        static INDEXES: [OnceLock<Index>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let index = INDEXES[language as usize].get_or_init(|| Index::of(text));
        Self {
            language,
            text,
            index,
        }
    }

    /// The entry with this very key.
    pub fn get(self, key: &str) -> Option<Entry> {
        let Index { lines, slots } = self.index;
        let mask = slots.len() - 1;
        let mut slot = hash(key) & mask;
        while slots[slot] != EMPTY {
            let number = slots[slot] as usize;
            let line = &self.text.as_bytes()[lines[number] as usize..];
            if line.starts_with(key.as_bytes()) && line.get(key.len()) == Some(&b'\t') {
                return Some(self.entry(number));
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The entry whose key is spelled like this once accents are left out: `anadir` finds `añadir`.
    pub fn get_folded(self, key: &str) -> Option<Entry> {
        static ACCENTED: [OnceLock<Vec<(String, Entry)>>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let accented = ACCENTED[self.language as usize].get_or_init(|| self.accented());
        let folded = fold(key);
        let at = accented.partition_point(|(spelling, _)| spelling.as_str() < folded.as_str());
        accented
            .get(at)
            .filter(|(spelling, _)| *spelling == folded)
            .map(|&(_, entry)| entry)
            .or_else(|| self.get(&folded))
    }

    /// The entry with the longest key that `text` begins with and that `accept` takes.
    pub fn longest(self, text: &str, accept: impl Fn(&str) -> bool) -> Option<Entry> {
        // Every key that `text` begins with is also a beginning of the last key that is not after `text`.
        let mut probe = text;
        while !probe.is_empty() {
            let entry = self.at_or_before(probe)?;
            let shared = shared_length(entry.key, probe);
            if shared < entry.key.len() {
                probe = &probe[..shared];
            } else if accept(entry.key) {
                return Some(entry);
            } else {
                let last = entry.key.chars().next_back().map_or(1, char::len_utf8);
                probe = &probe[..shared - last];
            }
        }
        None
    }

    /// The last entry whose key is not after `key`.
    fn at_or_before(self, key: &str) -> Option<Entry> {
        Some(self.entry(self.count_to(key).checked_sub(1)?))
    }

    /// How many keys are not after `key`.
    fn count_to(self, key: &str) -> usize {
        let (text, key) = (self.text.as_bytes(), key.as_bytes());
        self.index.lines.partition_point(|&start| {
            let line = &text[start as usize..];
            let head = &line[..key.len().min(line.len())];
            // The tab that ends a key is before every letter.
            head < key || head == key && line.get(key.len()).is_none_or(|&byte| byte <= b'\t')
        })
    }

    fn entry(self, number: usize) -> Entry {
        let line = self.text[self.index.lines[number] as usize..]
            .lines()
            .next()
            .unwrap_or_default();
        let (key, gloss) = line.split_once('\t').unwrap_or((line, ""));
        Entry { key, gloss }
    }

    /// The entries that are spelled otherwise without accents, sorted by that spelling.
    fn accented(self) -> Vec<(String, Entry)> {
        let mut accented = Vec::new();
        for line in self.text.lines().filter(|line| !line.is_ascii()) {
            let (key, gloss) = line.split_once('\t').unwrap_or((line, ""));
            let entry = Entry { key, gloss };
            let folded = fold(key);
            if folded != key {
                accented.push((folded, entry));
            }
            if self.language == Language::German && key.contains(['ä', 'ö', 'ü']) {
                let spelled = key.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
                accented.push((fold(&spelled), entry));
            }
        }
        accented.sort_by(|(one, _), (other, _)| one.cmp(other));
        accented
    }
}

impl Index {
    fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines: Vec<u32> = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .filter(|&start| start < text.len())
            .filter_map(|start| u32::try_from(start).ok())
            .collect();
        // Half of the slots stay empty, so that looking for a key ends soon.
        let mut slots = vec![EMPTY; (2 * lines.len() + 1).next_power_of_two()];
        let mask = slots.len() - 1;
        for (number, line) in (0..).zip(text.lines()) {
            let key = line.split('\t').next().unwrap_or_default();
            let mut slot = hash(key) & mask;
            while slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            slots[slot] = number;
        }
        Self { lines, slots }
    }
}

/// FNV-1a, its halves folded into one.
fn hash(key: &str) -> usize {
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ hash >> 32) as usize
}

/// Lower-case letters without their accents; marks that stand for accents are left out.
pub fn fold(lower: &str) -> String {
    let mut folded = String::with_capacity(lower.len());
    for c in lower.chars() {
        match c {
            'à' | 'á' | 'â' | 'ã' | 'ä' => folded.push('a'),
            'ç' => folded.push('c'),
            'è' | 'é' | 'ê' | 'ë' => folded.push('e'),
            'ì' | 'í' | 'î' | 'ï' => folded.push('i'),
            'ñ' => folded.push('n'),
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' => folded.push('o'),
            'ù' | 'ú' | 'û' | 'ü' => folded.push('u'),
            'ÿ' => folded.push('y'),
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            'ß' => folded.push_str("ss"),
            'ё' => folded.push('е'),
            'й' => folded.push('и'),
            '\u{0300}'..='\u{036F}' => {}
            other => folded.push(other),
        }
    }
    folded
}

/// Bytes of whole characters that both begin with.
fn shared_length(one: &str, other: &str) -> usize {
    one.chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .map(|(c, _)| c.len_utf8())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glossaries_are_sorted_lower_case_and_complete() {
        for language in Language::ALL {
            let glossary = Glossary::of(language);
            let mut before = "";
            for line in glossary.text.lines() {
                let (key, gloss) = line.split_once('\t').unwrap();
                assert!(before < key, "{language:?}: `{key}` after `{before}`");
                assert_eq!(key, key.to_lowercase(), "{language:?}");
                assert_eq!(
                    key.split(' ').collect::<Vec<_>>(),
                    key.split_whitespace().collect::<Vec<_>>()
                );
                assert!(key.split(' ').count() <= KEY_WORDS_MAX, "{language:?}: `{key}`");
                assert_eq!(gloss, gloss.trim(), "{language:?}: `{key}`");
                assert_eq!(glossary.get(key), Some(Entry { key, gloss }));
                before = key;
            }
        }
    }

    #[test]
    fn the_longest_key_is_found() {
        for language in Language::ALL {
            let glossary = Glossary::of(language);
            let keys: Vec<&str> = glossary
                .text
                .lines()
                .map(|line| line.split('\t').next().unwrap())
                .collect();
            for pair in keys.windows(7).step_by(11) {
                let text = format!("{}{}", pair[0], pair[6]);
                let naive = keys
                    .iter()
                    .filter(|key| text.starts_with(**key))
                    .max_by_key(|key| key.len());
                let found = glossary.longest(&text, |_| true).map(|entry| entry.key);
                assert_eq!(found, naive.copied(), "{language:?}: `{text}`");
            }
        }
    }

    #[test]
    fn accents_may_be_missing() {
        let key = |language, text| Glossary::of(language).get_folded(text).map(|entry| entry.key);
        assert_eq!(key(Language::Spanish, "numero"), Some("número"));
        assert_eq!(key(Language::German, "loeschen"), Some("löschen"));
        assert_eq!(key(Language::German, "loschen"), Some("löschen"));
        assert_eq!(key(Language::French, "xyzzy"), None);
    }
}
