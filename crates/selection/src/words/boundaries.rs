//! Where does one word end and the next begin?

use super::letters::{is_unspaced_letter, is_word_character};

/// Longest run of letters that digits stick to: `s3`, `ec2`, `sha256` stay whole, `page12` does not.
const STICKY_LETTERS_MAX: usize = 3;

/// The stretches of letters and digits, each within one kind of script.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_word_character)?;
        rest = &rest[start..];
        let unspaced = rest.chars().next().is_some_and(is_unspaced_letter);
        let end = rest
            .find(|c| !is_word_character(c) || is_unspaced_letter(c) != unspaced)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

/// Overlapping pairs of characters; a single character is its own word.
pub fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let mut ends: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
    ends.push(run.len());
    let pairs = ends.len().saturating_sub(2).max(1);
    (0..pairs).map(move |first| {
        let last = (first + 2).min(ends.len() - 1);
        &run[ends[first]..ends[last]]
    })
}

/// The humps of a run: `createIssue`, `HTTPServer`, `listS3Buckets`. One piece when there is nothing to
/// split.
pub fn pieces(run: &str) -> Vec<&str> {
    // By far the most common run; a boundary needs a capital or a digit.
    if run.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return vec![run];
    }
    let characters: Vec<(usize, char)> = run.char_indices().collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in 1..characters.len() {
        if begins_piece(&characters, start, at) {
            pieces.push(&run[characters[start].0..characters[at].0]);
            start = at;
        }
    }
    if let Some(&(byte, _)) = characters.get(start) {
        pieces.push(&run[byte..]);
    }
    pieces
}

/// Whether a new piece begins at `at`, given that the current one began at `start`.
fn begins_piece(characters: &[(usize, char)], start: usize, at: usize) -> bool {
    let kind = |index: usize| characters.get(index).map(|&(_, c)| Kind::of(c));
    let (Some(before), Some(here)) = (kind(at - 1), kind(at)) else {
        return false;
    };
    match (before, here) {
        (Kind::Lower, Kind::Upper) => true,
        // The last capital of `HTTPServer` belongs to `Server`; the `s` of `URLs` is a plural.
        (Kind::Upper, Kind::Upper) => kind(at + 1) == Some(Kind::Lower) && !is_plural(characters, at + 1),
        (Kind::Digit, Kind::Upper) => kind(at + 1) == Some(Kind::Lower),
        (Kind::Digit, Kind::Lower) => at - start > STICKY_LETTERS_MAX,
        (Kind::Lower | Kind::Upper, Kind::Digit) => at - start > STICKY_LETTERS_MAX,
        _ => false,
    }
}

/// Whether the character at `at` is a lone `s` after capitals: the end of a word or of a hump.
fn is_plural(characters: &[(usize, char)], at: usize) -> bool {
    let is = |index: usize, kind: Kind| characters.get(index).is_some_and(|&(_, c)| Kind::of(c) == kind);
    characters.get(at).is_some_and(|&(_, c)| c == 's') && !is(at + 1, Kind::Lower)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Mark,
}

impl Kind {
    fn of(c: char) -> Self {
        if c.is_uppercase() {
            Self::Upper
        } else if c.is_numeric() {
            Self::Digit
        } else if c.is_alphabetic() {
            Self::Lower
        } else {
            Self::Mark
        }
    }
}
