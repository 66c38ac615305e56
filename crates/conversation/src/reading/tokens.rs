//! Which words does a message consist of, and where does a clause end?

use handpick_selection::words::{fold, is_unspaced_letter};

use super::lexicon::{Classes, Language, Lexicon, PHRASE_WORDS_MAX};

/// Bytes of a message that are read.
pub const MESSAGE_BYTES_MAX: usize = 8_192;

/// What stands after a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing but a space.
    None,
    /// A comma, a colon, a dash.
    Comma,
    /// The end of a sentence.
    Stop,
    /// The end of a question.
    Question,
}

/// One word.
#[derive(Clone, Debug)]
pub struct Token<'t> {
    /// As the message spells it.
    pub written: &'t str,
    /// Where it starts in the message.
    pub start: usize,
    /// Folded, without apostrophes.
    pub folded: String,
    /// What stands after it.
    pub mark: Mark,
    /// The classes of the phrases of 1, 2, ... words that begin with it.
    phrases: [Classes; PHRASE_WORDS_MAX],
}

impl Token<'_> {
    /// Where it ends in the message.
    pub fn end(&self) -> usize {
        self.start + self.written.len()
    }

    /// The classes of the word alone.
    pub fn classes(&self) -> Classes {
        self.phrases[0]
    }

    /// The longest phrase of one of these classes that begins here, in words; 0 when there is none.
    pub fn longest(&self, classes: Classes) -> usize {
        (0..PHRASE_WORDS_MAX)
            .rev()
            .find(|&number| self.phrases[number].meets(classes))
            .map_or(0, |number| number + 1)
    }

    /// The classes of the phrase of this many words that begins here.
    pub fn phrase(&self, words: usize) -> Classes {
        words
            .checked_sub(1)
            .and_then(|number| self.phrases.get(number))
            .copied()
            .unwrap_or_default()
    }

    /// Ids, numbers, dates, addresses.
    pub fn is_data(&self) -> bool {
        self.written
            .bytes()
            .any(|byte| byte.is_ascii_digit() || matches!(byte, b'@' | b'_'))
            || self.written.contains("://")
    }

    /// Whether it begins with a capital.
    pub fn is_capital(&self) -> bool {
        self.written.chars().next().is_some_and(char::is_uppercase)
    }
}

/// The part of a message that is read.
pub fn truncate(text: &str) -> &str {
    &text[..text.floor_char_boundary(MESSAGE_BYTES_MAX)]
}

/// A phrase as entries are compared: folded words joined by single spaces.
pub fn normal(phrase: &str) -> String {
    let words: Vec<String> = split(phrase).into_iter().map(|piece| piece.folded).collect();
    words.join(" ")
}

/// The words of a message in the language it is in; `before` is the language spoken so far.
pub fn read(text: &str, before: Option<Language>) -> (Language, Vec<Token<'_>>) {
    let pieces = split(truncate(text));
    let language = language(&pieces, before);
    let lexicon = Lexicon::of(language);
    let pieces = if language.is_unspaced() {
        pieces.into_iter().flat_map(|piece| cut(piece, lexicon)).collect()
    } else {
        pieces
    };
    let phrases: Vec<_> = (0..pieces.len())
        .map(|at| phrases(&pieces[at..], lexicon))
        .collect();
    let tokens = pieces
        .into_iter()
        .zip(phrases)
        .map(|(piece, phrases)| Token {
            written: piece.written,
            start: piece.start,
            folded: piece.folded,
            mark: piece.mark,
            phrases,
        })
        .collect();
    (language, tokens)
}

/// A word before its language is known.
#[derive(Clone, Debug)]
struct Piece<'t> {
    written: &'t str,
    start: usize,
    folded: String,
    mark: Mark,
}

fn phrases(pieces: &[Piece<'_>], lexicon: &Lexicon) -> [Classes; PHRASE_WORDS_MAX] {
    let mut found = [Classes::default(); PHRASE_WORDS_MAX];
    let Some(first) = pieces.first() else { return found };
    let reach = lexicon
        .reach(&first.folded)
        .min(pieces.len())
        .min(PHRASE_WORDS_MAX);
    let mut phrase = String::new();
    for (piece, classes) in pieces[..reach].iter().zip(&mut found) {
        if !phrase.is_empty() {
            phrase.push(' ');
        }
        phrase.push_str(&piece.folded);
        *classes = lexicon.classes(&phrase);
        if piece.mark != Mark::None {
            break;
        }
    }
    found
}

/// The language most words are known in. What was spoken before decides between equals, then English.
fn language(pieces: &[Piece<'_>], before: Option<Language>) -> Language {
    let letters = || pieces.iter().flat_map(|piece| piece.folded.chars());
    let count = |is: fn(char) -> bool| letters().filter(|&c| is(c)).count();
    let latin = count(|c| c.is_ascii_alphabetic());
    let unspaced = count(is_unspaced_letter);
    if unspaced * 2 > latin {
        let kana = |c| matches!(c, '\u{3041}'..='\u{30FF}');
        return if letters().any(kana) {
            Language::Japanese
        } else {
            Language::Chinese
        };
    }
    if count(|c| matches!(c, '\u{0400}'..='\u{04FF}')) > latin {
        return Language::Russian;
    }
    let mut best = (0, before.unwrap_or(Language::English));
    for language in Language::LATIN {
        let lexicon = Lexicon::of(language);
        let known = pieces
            .iter()
            .filter(|piece| lexicon.reach(&piece.folded) > 0)
            .count();
        let score = known * 4
            + if before == Some(language) {
                3
            } else {
                usize::from(language == Language::English)
            };
        if known > 0 && score > best.0 {
            best = (score, language);
        }
    }
    best.1
}

/// Words, numbers, ids; what stands between them becomes the mark of the word before.
fn split(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut start = None;
    let mut unspaced = false;
    for (index, c) in text.char_indices() {
        let in_word = start.is_some();
        let belongs = c.is_alphanumeric() || is_mark(c);
        if belongs && in_word && is_unspaced_letter(c) != unspaced && !is_mark(c) {
            add(&mut pieces, text, start.take().unwrap_or(index), index);
        }
        if belongs {
            if start.is_none() {
                start = Some(index);
                unspaced = is_unspaced_letter(c);
            }
        } else if in_word && !unspaced && goes_on(&text[..index], c, &text[index + c.len_utf8()..]) {
            // An apostrophe, a hyphen, the dot of an address: the word goes on.
        } else {
            if let Some(start) = start.take() {
                add(&mut pieces, text, start, index);
            }
            if c == '&' {
                add(&mut pieces, text, index, index + 1);
            }
            let mark = mark_of(c, &text[..index], &text[index + c.len_utf8()..]);
            if let Some(last) = pieces.last_mut() {
                last.mark = last.mark.max(mark);
            }
        }
    }
    if let Some(start) = start {
        add(&mut pieces, text, start, text.len());
    }
    pieces
}

fn add<'t>(pieces: &mut Vec<Piece<'t>>, text: &'t str, start: usize, end: usize) {
    let written = &text[start..end];
    let is_data = written
        .bytes()
        .any(|byte| byte.is_ascii_digit() || matches!(byte, b'@' | b'_' | b':'));
    if is_data || !written.contains('-') {
        pieces.push(piece(written, start));
        return;
    }
    let mut at = start;
    for part in written.split('-') {
        if !part.is_empty() {
            pieces.push(piece(part, at));
        }
        at += part.len() + 1;
    }
}

fn piece(written: &str, start: usize) -> Piece<'_> {
    let plain = written.replace(is_apostrophe, "");
    let folded = fold(&plain).into_owned();
    // `we're` is not `were`.
    let contracted = folded == "were" && written.contains(is_apostrophe);
    Piece {
        written,
        start,
        folded: if contracted { "weare".to_owned() } else { folded },
        mark: Mark::None,
    }
}

/// A run of a script without spaces, cut into the longest entries; what no entry knows stays together.
fn cut<'t>(piece: Piece<'t>, lexicon: &Lexicon) -> Vec<Piece<'t>> {
    const ENTRY_LETTERS_MAX: usize = 12;
    if !piece.written.chars().next().is_some_and(is_unspaced_letter) {
        return vec![piece];
    }
    let written = piece.written;
    let mut parts: Vec<Piece<'t>> = Vec::new();
    let mut push = |from: usize, to: usize| {
        if from < to {
            parts.push(self::piece(&written[from..to], piece.start + from));
        }
    };
    let (mut unknown, mut at) = (0, 0);
    while at < written.len() {
        let ends: Vec<usize> = written[at..]
            .char_indices()
            .map(|(i, c)| at + i + c.len_utf8())
            .take(ENTRY_LETTERS_MAX)
            .collect();
        let known = ends
            .iter()
            .rev()
            .find(|&&end| lexicon.reach(&fold(&written[at..end])) > 0);
        if let Some(&end) = known {
            push(unknown, at);
            push(at, end);
            (unknown, at) = (end, end);
        } else {
            at = ends.first().copied().unwrap_or(written.len());
        }
    }
    push(unknown, written.len());
    if let Some(last) = parts.last_mut() {
        last.mark = piece.mark;
    }
    parts
}

fn mark_of(c: char, before: &str, after: &str) -> Mark {
    let spaced = after.chars().next().is_none_or(|next| !next.is_alphanumeric());
    match c {
        '?' | '？' => Mark::Question,
        '\n' | ';' | '；' | '。' | '！' | '…' => Mark::Stop,
        '.' | '!' if spaced => Mark::Stop,
        ',' | '，' | '、' | '(' | ')' | '：' => Mark::Comma,
        ':' if spaced && !before.ends_with(' ') => Mark::Comma,
        '–' | '—' => Mark::Comma,
        '-' if spaced && before.ends_with(' ') => Mark::Comma,
        _ => Mark::None,
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '`')
}

/// Whether a word goes on after such a sign. A letter after a slash may be another word, a digit after a comma is the
/// rest of a number.
fn goes_on(before: &str, sign: char, after: &str) -> bool {
    let Some(next) = after.chars().next() else {
        return false;
    };
    match sign {
        '/' => next.is_ascii_digit() || next == '/',
        ':' => next.is_alphanumeric() || next == '/',
        ',' => next.is_ascii_digit() && before.ends_with(|last: char| last.is_ascii_digit()),
        '-' | '_' | '.' | '@' | '+' | '#' => next.is_alphanumeric(),
        _ => is_apostrophe(sign) && next.is_alphanumeric(),
    }
}

/// Accents written as signs of their own.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F | 0x200C | 0x200D | 0x3099 | 0x309A)
}
