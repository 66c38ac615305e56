//! How are English words and kept pieces put together?

use super::glossary::Entry;
use super::pieces::{Kind, Piece, mark};

/// English words as they come together.
#[derive(Default)]
pub struct English {
    /// The words, parted by one blank each.
    text: String,
    /// Whether the last piece was a word that no glossary knows.
    unknown: bool,
}

impl English {
    /// Adds the gloss of a word written as `original`; a gloss that is the word itself keeps its capitals.
    pub fn push_gloss(&mut self, entry: Entry, original: &str) {
        let words = if entry.gloss == original.to_lowercase() {
            original
        } else {
            entry.gloss
        };
        self.part(!words.is_empty());
        self.text.push_str(words);
        self.unknown = false;
    }

    /// Adds a piece as it is. Marks become the plain ones; unknown words stay tied as they were.
    pub fn push_kept(&mut self, piece: &Piece<'_>) {
        if piece.kind == Kind::Mark {
            if !self.text.is_empty() && !self.text.ends_with(['.', ',', ';', ':', '?', '!']) {
                self.text.extend(piece.text.chars().next().and_then(mark));
            }
            self.unknown = false;
            return;
        }
        match piece.joint.filter(|_| self.unknown) {
            Some(joint) => self.text.push(joint),
            None => self.part(true),
        }
        self.text.push_str(piece.text);
        self.unknown = piece.kind == Kind::Word;
    }

    /// The whole, without marks that part it from nothing.
    pub fn finish(mut self) -> String {
        let end = self.text.trim_end_matches([',', ';', ':']).len();
        self.text.truncate(end);
        self.text
    }

    fn part(&mut self, more: bool) {
        if more && !self.text.is_empty() {
            self.text.push(' ');
        }
    }
}
