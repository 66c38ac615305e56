//! Which tokens is a text made of? The WordPiece scheme of uncased BERT models.

mod normalize;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use normalize::{is_punctuation, normalized};

/// Words of more characters than this are not split but unknown as a whole.
const WORD_CHARACTERS_MAX: usize = 100;

/// What a continuation piece starts with in the vocabulary: `##ing` can only follow another piece.
const CONTINUATION: &str = "##";

/// Splits texts into the tokens of one vocabulary.
///
/// Follows the tokenizer the model was trained with, token for token, with one difference: marker
/// words inside a text (`[SEP]`, `[CLS]`) are ordinary text here. A tool description cannot smuggle
/// the model's own control tokens in.
#[derive(Debug)]
pub struct WordPiece {
    /// Pieces a word can begin with.
    initial: HashMap<Box<str>, i32>,
    /// Pieces a word can go on with, without their `##`.
    continuing: HashMap<Box<str>, i32>,
    /// Length of the longest piece: no longer prefix needs a look-up.
    piece_bytes_max: usize,
    unknown: i32,
    start: i32,
    end: i32,
}

/// Why a vocabulary cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VocabularyError {
    /// A token every text needs is not listed.
    #[error(
        "the vocabulary has no `{0}`: expected one token a line, as in vocab.txt of an uncased BERT model"
    )]
    MarkerMissing(&'static str),
    /// More lines than there are token numbers.
    #[error("the vocabulary has too many lines")]
    TooLong,
    /// The pieces keep upper case, so texts must too.
    #[error("the vocabulary is of a cased model, which needs its tokenizer.json")]
    Cased,
}

impl WordPiece {
    /// Reads a vocabulary of one token a line; the line number, from 0, is the token's number.
    pub fn new(vocabulary: &str) -> Result<Self, VocabularyError> {
        let numbered = vocabulary.lines().enumerate().map(|(number, token)| {
            let number = i32::try_from(number).map_err(|_| VocabularyError::TooLong)?;
            Ok((token, number))
        });
        Self::from_numbered(numbered.collect::<Result<Vec<_>, _>>()?)
    }

    /// The same from tokens with their numbers.
    pub fn from_numbered<'a>(
        tokens: impl IntoIterator<Item = (&'a str, i32)>,
    ) -> Result<Self, VocabularyError> {
        let mut initial = HashMap::new();
        let mut continuing = HashMap::new();
        let mut piece_bytes_max = 0;
        for (token, number) in tokens {
            let (pieces, piece) = match token.strip_prefix(CONTINUATION) {
                Some(piece) if !piece.is_empty() => (&mut continuing, piece),
                _ => (&mut initial, token),
            };
            piece_bytes_max = piece_bytes_max.max(piece.len());
            pieces.insert(Box::from(piece), number);
        }
        let marker = |name: &'static str| {
            initial
                .get(name)
                .copied()
                .ok_or(VocabularyError::MarkerMissing(name))
        };
        let (unknown, start, end) = (marker("[UNK]")?, marker("[CLS]")?, marker("[SEP]")?);
        Ok(Self {
            initial,
            continuing,
            piece_bytes_max,
            unknown,
            start,
            end,
        })
    }

    /// The pieces of its vocabulary, without their `##`, in no order.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        let pieces = self.initial.keys().chain(self.continuing.keys());
        pieces.map(|piece| &**piece)
    }

    /// The token numbers of `text` between its start and end markers: at least 2, at most
    /// `tokens_max` of them (which counts the markers). What does not fit is cut off at the end and
    /// not even looked at, so a long text costs no more than a full one.
    pub fn tokens(&self, text: &str, tokens_max: usize) -> Vec<i32> {
        let pieces_max = tokens_max.saturating_sub(1).max(1);
        let mut tokens = vec![self.start];
        let mut word = Word::default();
        for character in normalized(text) {
            if tokens.len() >= pieces_max {
                break;
            }
            if character.is_whitespace() {
                self.push_word(&mut word, &mut tokens);
            } else if is_punctuation(character) {
                self.push_word(&mut word, &mut tokens);
                word.push(character);
                self.push_word(&mut word, &mut tokens);
            } else {
                word.push(character);
            }
        }
        self.push_word(&mut word, &mut tokens);
        tokens.truncate(pieces_max);
        tokens.push(self.end);
        tokens
    }

    /// Appends the pieces of `word`, the longest match first, and empties it. A word that cannot be
    /// matched to its last character is unknown as a whole.
    fn push_word(&self, word: &mut Word, tokens: &mut Vec<i32>) {
        let first_piece = tokens.len();
        let mut rest = word.text.as_str();
        let mut pieces = &self.initial;
        if word.characters > WORD_CHARACTERS_MAX {
            tokens.push(self.unknown);
            rest = "";
        }
        while !rest.is_empty() {
            let Some((length, number)) = self.longest_prefix(pieces, rest) else {
                tokens.truncate(first_piece);
                tokens.push(self.unknown);
                break;
            };
            tokens.push(number);
            rest = &rest[length..];
            pieces = &self.continuing;
        }
        word.clear();
    }

    /// Byte length and number of the longest of `pieces` that `text` starts with.
    fn longest_prefix(&self, pieces: &HashMap<Box<str>, i32>, text: &str) -> Option<(usize, i32)> {
        let mut length = text.floor_char_boundary(self.piece_bytes_max);
        while length > 0 {
            if let Some(&number) = pieces.get(&text[..length]) {
                return Some((length, number));
            }
            length = text.floor_char_boundary(length - 1);
        }
        None
    }
}

/// The characters since the last space or punctuation mark.
#[derive(Debug, Default)]
struct Word {
    text: String,
    characters: usize,
}

impl Word {
    /// Counts every character but keeps only as many as can matter, so that a text without spaces
    /// does not grow the buffer.
    fn push(&mut self, character: char) {
        self.characters += 1;
        if self.characters <= WORD_CHARACTERS_MAX {
            self.text.push(character);
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.characters = 0;
    }
}
