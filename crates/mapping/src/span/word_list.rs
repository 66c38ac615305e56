//! Is a word in a list?

use std::collections::HashSet;
use std::sync::OnceLock;

/// Words that are written one after the other, looked up at once.
pub(super) struct WordList {
    text: &'static str,
    words: OnceLock<HashSet<&'static str>>,
}

impl WordList {
    /// A list of words with white space between.
    pub const fn new(text: &'static str) -> Self {
        Self {
            text,
            words: OnceLock::new(),
        }
    }

    /// Whether the word is in the list; nothing is not.
    pub fn contains(&self, word: &str) -> bool {
        self.words
            .get_or_init(|| self.text.split_whitespace().collect())
            .contains(word)
    }
}
