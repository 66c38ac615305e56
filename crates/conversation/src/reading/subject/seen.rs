//! Which words, ids and names has the conversation seen, and where last?

use std::collections::{HashMap, HashSet};

use handpick_domain::Message;
use handpick_selection::words::fold;

use crate::reading::tokens;

/// The words of a conversation, with the number of the last message each of them stands in.
#[derive(Debug, Default)]
pub struct Seen {
    pub(super) words: HashMap<String, usize>,
    /// The kinds of ids, `inv` of `INV-7`, with the last id of each.
    pub(super) kinds: HashMap<String, String>,
    /// Words that were spelled with a capital where others are not.
    pub(super) names: HashSet<String>,
}

impl Seen {
    /// Takes in a message with its calls and their results.
    pub fn add(&mut self, number: usize, message: &Message) {
        self.add_text(number, &message.content);
        for call in &message.tool_calls {
            for value in call.arguments.values() {
                match value.as_str() {
                    Some(text) => self.add_text(number, text),
                    None => self.add_text(number, &value.to_string()),
                }
            }
            if let Some(result) = &call.result {
                self.add_text(number, result);
            }
        }
    }

    /// The last message a word stands in.
    pub fn last(&self, word: &str) -> Option<usize> {
        self.words.get(word).copied()
    }

    fn add_text(&mut self, number: usize, text: &str) {
        let mut begins = true;
        let mut before = String::new();
        let ends = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '#'));
        for word in tokens::truncate(text).split(ends).filter(|word| !word.is_empty()) {
            let is_capital = word.chars().next().is_some_and(char::is_uppercase);
            let word = fold(word).into_owned();
            if let Some(kind) = id_kind(&word) {
                self.kinds.insert(kind.to_owned(), word.clone());
            }
            if is_plain_number(&word) && before.len() > 2 && before.chars().all(char::is_alphabetic) {
                self.kinds.insert(std::mem::take(&mut before), word.clone());
            }
            before.clone_from(&word);
            if is_capital && !begins {
                self.names.insert(word.clone());
            }
            begins = false;
            for part in word.split('-').filter(|part| part.len() < word.len()) {
                self.words.insert(part.to_owned(), number);
            }
            self.words.insert(word, number);
        }
    }
}

/// The kind of record an id is of: the letters before its separator, `inv` of `inv-2291`.
pub fn id_kind(folded: &str) -> Option<&str> {
    let (kind, rest) = folded.split_once(['-', '_', '#'])?;
    let has_digit = rest.bytes().any(|byte| byte.is_ascii_digit());
    (has_digit && !kind.is_empty() && kind.chars().all(char::is_alphabetic)).then_some(kind)
}

pub(super) fn is_plain_number(word: &str) -> bool {
    word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit())
}
