//! Which words does a text consist of?

mod boundaries;
mod letters;
mod stem;
mod stop;

use std::borrow::Cow;

pub use letters::{fold, is_unspaced_letter};

/// Characters of a text that matching reads; the rest is ignored (E16).
pub const TEXT_LENGTH_MAX: usize = 8_192;

/// One word as written, with the terms it is matched by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// The word as the text spells it.
    pub written: &'t str,
    /// The whole word, folded and stemmed.
    pub term: String,
    /// The parts of a compound such as `createIssue`, folded and stemmed; empty for a plain word.
    pub parts: Vec<String>,
}

impl Word<'_> {
    /// The whole and its parts.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.term.as_str()).chain(self.parts.iter().map(String::as_str))
    }
}

/// The words of a text, in order, repeats included.
///
/// Words end at everything that is neither letter nor digit, so `snake_case`, `kebab-case` and dotted
/// names fall apart. `camelCase`, `PascalCase` and `HTTPServer` are kept whole and split as well, since
/// `GitHub` is written in both ways. Scripts without spaces give overlapping pairs of characters.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for run in boundaries::runs(truncate(text)) {
        if letters::is_unspaced(run) {
            words.extend(boundaries::pairs(run).map(|pair| plain(pair, letters::fold(pair).into_owned())));
            continue;
        }
        let pieces = boundaries::pieces(run);
        let parts: Vec<String> = match pieces.as_slice() {
            [_] => Vec::new(),
            pieces => pieces
                .iter()
                .map(|piece| term(piece))
                .filter(|part| !part.is_empty())
                .collect(),
        };
        let term = term(run);
        if !term.is_empty() {
            words.push(Word {
                written: run,
                term,
                parts,
            });
        }
    }
    words
}

/// The words of a question, without those that only hold a sentence together. A text of nothing else
/// keeps them all: it may be the name of something.
pub fn question_words(text: &str) -> Vec<Word<'_>> {
    let all = words(text);
    let telling: Vec<Word<'_>> = all
        .iter()
        .filter(|word| !stop::is_stop_word(word.written))
        .cloned()
        .collect();
    if telling.is_empty() { all } else { telling }
}

/// A name written as plain lower-case words: `listS3Buckets` is `list s3 buckets`.
pub fn spelled_out(name: &str) -> String {
    boundaries::runs(name)
        .flat_map(boundaries::pieces)
        .map(str::to_lowercase)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The stretches of letters and digits of a text, as written.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = &str> {
    boundaries::runs(text)
}

/// The part of a text that matching reads.
pub fn truncate(text: &str) -> &str {
    match text.char_indices().nth(TEXT_LENGTH_MAX) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

fn plain(written: &str, term: String) -> Word<'_> {
    Word {
        written,
        term,
        parts: Vec::new(),
    }
}

fn term(written: &str) -> String {
    match letters::fold(written) {
        Cow::Borrowed(folded) => stem::stem(folded).into_owned(),
        Cow::Owned(folded) => stem::stem(&folded).into_owned(),
    }
}

#[cfg(test)]
mod tests;
