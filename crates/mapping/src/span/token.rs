//! What are the words, digits and signs of a text?

use std::ops::Range;

use super::tongue::Tongue;

/// No word of any table is longer; longer words fold to nothing.
const LONGEST_WORD: usize = 64;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters.
    Word,
    /// ASCII digits.
    Digits,
    /// One other character.
    Sign,
    /// A piece that is read as a whole: an address, a path, an id.
    Solid,
}

/// A piece of the text.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Where, in bytes.
    pub range: Range<usize>,
    pub kind: Kind,
    /// A word in lower case without accents, digits and signs as they are.
    pub fold: String,
    /// Whether white space, or the beginning of the text, stands before it.
    pub spaced: bool,
    /// Whether a line begins with it.
    pub line: bool,
    /// Whether it begins with a capital letter.
    pub capital: bool,
}

/// A text in pieces.
pub(super) struct Tokens<'t> {
    pub text: &'t str,
    pub tongue: Tongue,
    list: Vec<Token>,
}

impl<'t> Tokens<'t> {
    /// Cuts a text into pieces.
    pub fn new(text: &'t str) -> Self {
        let list = cut(text);
        let words = list.iter().filter(|token| token.kind == Kind::Word);
        let tongue = Tongue::of(words.map(|token| token.fold.as_str()));
        Self { text, tongue, list }
    }

    /// Makes one piece of each range; the ranges are in order and apart.
    pub fn fuse(&mut self, solids: &[Range<usize>]) {
        if solids.is_empty() {
            return;
        }
        let mut fused = Vec::with_capacity(self.list.len());
        let mut waiting = solids.iter().peekable();
        for token in self.list.drain(..) {
            while waiting.next_if(|solid| solid.end <= token.range.start).is_some() {}
            match waiting.peek() {
                Some(solid) if solid.start < token.range.end => {
                    let begun = fused.last().is_some_and(|last: &Token| last.range == **solid);
                    if !begun {
                        fused.push(Token {
                            range: (*solid).clone(),
                            kind: Kind::Solid,
                            fold: String::new(),
                            spaced: token.spaced,
                            line: token.line,
                            capital: false,
                        });
                    }
                }
                _ => fused.push(token),
            }
        }
        self.list = fused;
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, at: usize) -> Option<&Token> {
        self.list.get(at)
    }

    /// The word there in lower case without accents; nothing where none is.
    pub fn word(&self, at: usize) -> &str {
        self.of(at, Kind::Word)
    }

    /// The word before; nothing where none is.
    pub fn word_before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    /// The digits there.
    pub fn digits(&self, at: usize) -> Option<&str> {
        Some(self.of(at, Kind::Digits)).filter(|digits| !digits.is_empty())
    }

    /// The digits there as a number of at most `most` digits.
    pub fn whole(&self, at: usize, most: usize) -> Option<i64> {
        self.digits(at)
            .filter(|digits| digits.len() <= most)?
            .parse()
            .ok()
    }

    /// The sign there; NUL where none is.
    pub fn sign(&self, at: usize) -> char {
        self.of(at, Kind::Sign).chars().next().unwrap_or('\0')
    }

    fn of(&self, at: usize, kind: Kind) -> &str {
        match self.list.get(at) {
            Some(token) if token.kind == kind => &token.fold,
            _ => "",
        }
    }

    /// Whether the token follows the one before without a space between.
    pub fn joined(&self, at: usize) -> bool {
        at > 0 && self.list.get(at).is_some_and(|token| !token.spaced)
    }

    /// Whether the token begins with a capital letter.
    pub fn capital(&self, at: usize) -> bool {
        self.list.get(at).is_some_and(|token| token.capital)
    }

    /// What the token is made of.
    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.list.get(at).map(|token| token.kind)
    }

    /// The token as it is written.
    pub fn written(&self, at: usize) -> &'t str {
        self.list
            .get(at)
            .and_then(|token| self.text.get(token.range.clone()))
            .unwrap_or("")
    }

    /// The bytes from one token up to, not including, another.
    pub fn range(&self, from: usize, to: usize) -> Range<usize> {
        let start = self
            .list
            .get(from)
            .map_or(self.text.len(), |token| token.range.start);
        let end = to
            .checked_sub(1)
            .and_then(|last| self.list.get(last))
            .map_or(start, |token| token.range.end);
        start..end.max(start)
    }

    /// The first token that begins at this byte or later.
    pub fn at_byte(&self, byte: usize) -> usize {
        self.list.partition_point(|token| token.range.start < byte)
    }

    /// Whether the words stand there, one after the other. A hyphen or an apostrophe is spelled as its own word.
    pub fn says(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(step, word)| {
            self.list.get(at + step).is_some_and(|token| {
                token.kind != Kind::Digits && (token.fold == *word || (*word == "'" && token.fold == "’"))
            })
        })
    }

    /// The token after the longest of these phrases that stands there.
    pub fn after(&self, at: usize, phrases: &[&[&str]]) -> Option<usize> {
        let fitting = phrases.iter().filter(|phrase| self.says(at, phrase));
        fitting.map(|phrase| at + phrase.len()).max()
    }

    /// The token after one of these words; the token itself where none of them stands there.
    pub fn past(&self, at: usize, words: &[&str]) -> usize {
        let word = self.word(at);
        if !word.is_empty() && words.contains(&word) {
            at + 1
        } else {
            at
        }
    }
}

fn cut(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 4);
    let (mut spaced, mut line) = (true, true);
    let mut letters = text.char_indices().peekable();
    while let Some((start, first)) = letters.next() {
        if first.is_whitespace() || first.is_control() {
            spaced = true;
            line |= first == '\n' || first == '\r';
            continue;
        }
        let kind = kind_of(first);
        let mut end = start + first.len_utf8();
        if kind != Kind::Sign {
            while let Some((at, next)) = letters.next_if(|(_, next)| goes_on(kind, *next)) {
                end = at + next.len_utf8();
            }
        }
        let written = text.get(start..end).unwrap_or("");
        tokens.push(Token {
            range: start..end,
            kind,
            fold: if kind == Kind::Word {
                fold(written)
            } else {
                written.to_owned()
            },
            spaced,
            line,
            capital: first.is_uppercase(),
        });
        (spaced, line) = (false, false);
    }
    tokens
}

fn kind_of(letter: char) -> Kind {
    if letter.is_ascii_digit() {
        Kind::Digits
    } else if letter.is_alphabetic() {
        Kind::Word
    } else {
        Kind::Sign
    }
}

fn goes_on(kind: Kind, letter: char) -> bool {
    kind_of(letter) == kind || (kind == Kind::Word && is_accent(letter))
}

fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// A word in lower case without accents; nothing for a word longer than any that is looked up.
pub(super) fn fold(word: &str) -> String {
    let mut folded = String::new();
    if word.len() > LONGEST_WORD {
        return folded;
    }
    for letter in word
        .chars()
        .flat_map(char::to_lowercase)
        .filter(|letter| !is_accent(*letter))
    {
        match letter {
            'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => folded.push('a'),
            'é' | 'è' | 'ê' | 'ë' => folded.push('e'),
            'í' | 'ì' | 'î' | 'ï' => folded.push('i'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' => folded.push('o'),
            'ú' | 'ù' | 'û' | 'ü' => folded.push('u'),
            'ñ' => folded.push('n'),
            'ç' => folded.push('c'),
            'ß' => folded.push_str("ss"),
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            other => folded.push(other),
        }
    }
    folded
}
