//! Which language is a request in?
//!
//! The script decides for Russian, Chinese and Japanese, the words for the languages in Latin letters. Quotations,
//! ids and code are not looked at: an English request may quote any language.

use super::Language;
use super::bearing::Bearing;
use super::glossary::Glossary;
use super::latin;
use super::pieces::{Kind, Piece};
use super::script::Script;
use super::unspaced;

/// Runs of Han characters that are looked up to tell Chinese from Japanese.
const HAN_RUNS_MAX: usize = 4;

/// Frequent characters that Japanese does not write, or not in this form.
const CHINESE: &str = "\
    我这你们吗吧呢么让给请没还对时为发说过开关电车东见传试钱长门问间单图据张条页删块线从应该进现网选设备别帮哪怎测把很找這嗎們麼沒";

/// The language, when it is one of those that are read.
pub fn language(pieces: &[Piece<'_>]) -> Option<Language> {
    let tally = Tally::of(pieces);
    if tally.has_unspaced_majority() {
        return Some(tally.unspaced(pieces));
    }
    if tally.has_cyrillic_majority() {
        return tally.is_russian.then_some(Language::Russian);
    }
    if tally.latin_words > tally.other_letters {
        return latin::language(pieces);
    }
    None
}

/// How much of a request is in which script.
#[derive(Default)]
struct Tally {
    han: usize,
    kana: usize,
    /// Whether a character is there that only Chinese writes.
    is_chinese: bool,
    other_letters: usize,
    latin_words: usize,
    english_words: usize,
    cyrillic_words: usize,
    is_russian: bool,
}

impl Tally {
    fn of(pieces: &[Piece<'_>]) -> Self {
        let mut tally = Self {
            is_russian: true,
            ..Self::default()
        };
        for piece in pieces {
            match piece.kind {
                Kind::Word => tally.add_word(piece.text),
                Kind::Unspaced => {
                    for c in piece.text.chars() {
                        let script = Script::of(c);
                        tally.kana += usize::from(script == Some(Script::Kana));
                        tally.han += usize::from(script == Some(Script::Han));
                        tally.is_chinese |= CHINESE.contains(c);
                    }
                }
                Kind::Code | Kind::Quoted | Kind::Mark => {}
            }
        }
        tally
    }

    fn add_word(&mut self, word: &str) {
        match word.chars().find_map(Script::of) {
            Some(Script::Latin) => {
                self.latin_words += 1;
                self.english_words += usize::from(Bearing::of(&word.to_lowercase()).is_typical_english());
            }
            Some(Script::Cyrillic) => {
                self.cyrillic_words += 1;
                self.is_russian &= is_russian(&word.to_lowercase());
            }
            Some(_) => self.other_letters += word.chars().count(),
            None => {}
        }
    }

    /// A letter of these scripts is about half a word.
    fn has_unspaced_majority(&self) -> bool {
        let letters = self.han + self.kana;
        letters >= 2
            && letters > 3 * self.english_words
            && letters >= self.latin_words
            && letters >= 2 * self.cyrillic_words
            && letters > self.other_letters
    }

    fn has_cyrillic_majority(&self) -> bool {
        self.cyrillic_words > 0
            && self.cyrillic_words > 2 * self.english_words
            && 2 * self.cyrillic_words >= self.latin_words
            && self.cyrillic_words > self.other_letters
    }

    fn unspaced(&self, pieces: &[Piece<'_>]) -> Language {
        // A lone の is also a fashion in Chinese names.
        let has_kana = self.kana > 0 && self.kana * 12 >= self.han;
        let is_japanese =
            has_kana || !self.is_chinese && knows_more(Language::Japanese, Language::Chinese, pieces);
        if is_japanese {
            Language::Japanese
        } else {
            Language::Chinese
        }
    }
}

/// Whether a word has only Russian letters, and the hard sign only where Bulgarian has it least.
fn is_russian(lower: &str) -> bool {
    let is_cyrillic = |&c: &char| Script::of(c) == Some(Script::Cyrillic);
    let mut letters = lower.chars().filter(is_cyrillic).peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek();
        if !matches!(letter, 'а'..='я' | 'ё')
            || letter == 'ъ' && !next.is_some_and(|next| matches!(next, 'е' | 'ё' | 'ю' | 'я'))
        {
            return false;
        }
    }
    true
}

/// Written in Han characters alone, Japanese shows by its words.
fn knows_more(one: Language, other: Language, pieces: &[Piece<'_>]) -> bool {
    let known = |language| {
        let runs = pieces.iter().filter(|piece| piece.kind == Kind::Unspaced);
        runs.take(HAN_RUNS_MAX)
            .map(|piece| unspaced::letters_known(piece.text, Glossary::of(language)))
            .sum::<usize>()
    };
    known(one) > known(other)
}
