//! What do the words of a language without spaces say in English?

use super::Language;
use super::glossary::{Entry, Glossary};
use super::pieces::{Kind, Piece};
use super::script::is_unspaced;
use super::written::English;

/// Most kana that an ending of a known Japanese word has.
const ENDING_MAX: usize = 2;
/// Letters of a run that decide between two languages.
const LETTERS_MAX: usize = 16;

/// The request in English words: the longest known word from the left, and so on. What is unknown stays.
pub fn english(text: &str, pieces: &[Piece<'_>], glossary: Glossary) -> String {
    let mut english = English::default();
    // Where the last word ended; a key such as `10月` takes more than one piece.
    let mut done = 0;
    for piece in pieces {
        if piece.end() <= done {
            continue;
        }
        match piece.kind {
            Kind::Unspaced => {
                done = push_run(&mut english, text, piece.start.max(done), piece.end(), glossary);
            }
            Kind::Word | Kind::Code => match mixed(&text[piece.start..], piece.text, glossary) {
                Some(entry) => {
                    english.push_gloss(entry, "");
                    done = piece.start + entry.key.len();
                }
                None => english.push_kept(piece),
            },
            Kind::Quoted | Kind::Mark => english.push_kept(piece),
        }
    }
    english.finish()
}

/// How many letters of a run belong to known words of two letters or more. Long runs are read to a limit.
pub fn letters_known(run: &str, glossary: Glossary) -> usize {
    let end = run
        .char_indices()
        .nth(LETTERS_MAX)
        .map_or(run.len(), |(at, _)| at);
    let mut rest = &run[..end];
    let mut known = 0;
    while let Some(first) = rest.chars().next() {
        let entry = glossary.longest(rest, |key| key.len() > first.len_utf8());
        known += entry.map_or(0, |entry| entry.key.chars().count());
        rest = &rest[entry.map_or(first.len_utf8(), |entry| entry.key.len())..];
    }
    known
}

/// Adds the words of the run from `start` to `end`; where the last of them ends.
fn push_run(english: &mut English, text: &str, start: usize, end: usize, glossary: Glossary) -> usize {
    let mut at = start;
    let mut unknown = start;
    let mut after_known = false;
    while at < end {
        let Some(entry) = glossary.longest(&text[at..], |_| true) else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        push_unknown(english, &text[unknown..at], after_known, glossary.language);
        english.push_gloss(entry, "");
        at += entry.key.len();
        unknown = at;
        after_known = true;
    }
    if unknown < end {
        push_unknown(english, &text[unknown..end], after_known, glossary.language);
    }
    at.max(end)
}

/// Adds what no key covers. A few kana after a known Japanese word are its ending and say nothing.
fn push_unknown(english: &mut English, unknown: &str, after_known: bool, language: Language) {
    let is_ending = language == Language::Japanese
        && after_known
        && unknown.chars().count() <= ENDING_MAX
        && unknown.chars().all(is_hiragana);
    if !unknown.is_empty() && !is_ending {
        english.push_kept(&Piece::new(Kind::Unspaced, unknown, 0));
    }
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}')
}

/// The key that a word or number begins: `bgm`, `10月`.
fn mixed(text: &str, piece: &str, glossary: Glossary) -> Option<Entry> {
    let rest = text[piece.len()..].chars().take_while(|&c| is_unspaced(c));
    let lower: String = piece.to_ascii_lowercase().chars().chain(rest).collect();
    glossary.longest(&lower, |key| key.len() >= piece.len())
}
