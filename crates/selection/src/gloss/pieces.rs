//! Which parts of a request are words, and which must stay as they are?

use super::script::{Script, is_unspaced};

/// A part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    pub kind: Kind,
    pub text: &'t str,
    /// Where it begins in the request, in bytes.
    pub start: usize,
    /// The hyphen or apostrophe that ties it to the piece before.
    pub joint: Option<char>,
    /// Whether it is a word with a capital that nothing but its being a name explains, German aside.
    pub is_name: bool,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word of a script with spaces.
    Word,
    /// A run of Han characters or kana.
    Unspaced,
    /// A number, an id, an address, code, an abbreviation in capitals.
    Code,
    /// A quotation with its marks.
    Quoted,
    /// A mark that ends a sentence or parts it.
    Mark,
}

const QUOTES: &[(char, char)] = &[
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('‘', '’'),
    ('‚', '‘'),
    ('«', '»'),
    ('»', '«'),
    ('‹', '›'),
    ('「', '」'),
    ('『', '』'),
    ('《', '》'),
    ('【', '】'),
];

/// Most letters of a quotation; what is longer is no name of something, or has no end.
const QUOTATION_MAX: usize = 1_000;

/// Signs that only ids, addresses and code have.
const CODE_SIGNS: &[char] = &[
    '/', '\\', '@', '_', '=', '#', '<', '>', '{', '}', '[', ']', '$', '%', '&', '*', '+', '~', '^', '|', '`',
];

/// Cuts a request into its parts, in order. Blanks and stray signs are left out.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let shouted = !text.chars().any(char::is_lowercase);
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let before = text[..at].chars().next_back();
        if let Some(end) = quotation(rest, before) {
            pieces.push(Piece::new(Kind::Quoted, &rest[..end], at));
            at += end;
        } else if is_unspaced(c) {
            let end = rest.find(|c| !is_unspaced(c)).unwrap_or(rest.len());
            pieces.push(Piece::new(Kind::Unspaced, &rest[..end], at));
            at += end;
        } else if begins_chunk(rest, c) {
            let end = chunk_length(rest);
            push_chunk(&mut pieces, &rest[..end], at, shouted);
            at += end;
        } else {
            if mark(c).is_some() || matches!(c, '¿' | '¡') {
                pieces.push(Piece::new(Kind::Mark, &rest[..c.len_utf8()], at));
            }
            at += c.len_utf8();
        }
    }
    mark_names(&mut pieces);
    pieces
}

/// Capitals within a sentence are names, unless most words there have one.
fn mark_names(pieces: &mut [Piece<'_>]) {
    let mut begins_sentence = true;
    let (mut capitals, mut words) = (0, 0);
    for piece in pieces.iter_mut() {
        if piece.kind == Kind::Word && !begins_sentence {
            piece.is_name = piece.text.starts_with(char::is_uppercase);
            capitals += usize::from(piece.is_name);
            words += 1;
        }
        begins_sentence = piece.kind == Kind::Mark;
    }
    if 2 * capitals > words {
        pieces.iter_mut().for_each(|piece| piece.is_name = false);
    }
}

/// The plain mark for one that ends a sentence or parts it.
pub fn mark(c: char) -> Option<char> {
    Some(match c {
        '.' | '。' | '．' => '.',
        ',' | '，' | '、' => ',',
        ';' | '；' => ';',
        ':' | '：' => ':',
        '?' | '？' => '?',
        '!' | '！' => '!',
        _ => return None,
    })
}

impl<'t> Piece<'t> {
    /// A piece on its own.
    pub fn new(kind: Kind, text: &'t str, start: usize) -> Self {
        Self {
            kind,
            text,
            start,
            joint: None,
            is_name: false,
        }
    }

    /// Whether it is tied to the piece before like the `t` of `don't`.
    pub fn follows_apostrophe(&self) -> bool {
        matches!(self.joint, Some('\'' | '’'))
    }

    /// Where it ends in the request, in bytes.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The length of the quotation that `rest` begins with, marks included.
fn quotation(rest: &str, before: Option<char>) -> Option<usize> {
    let open = rest.chars().next()?;
    let is_word = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    // An apostrophe opens nothing inside a word, and closes nothing there.
    if matches!(open, '\'' | '’' | '‘' | '"' | '`') && before.is_some_and(is_word) {
        return None;
    }
    let inside = &rest[open.len_utf8()..];
    QUOTES
        .iter()
        .filter(|(opening, _)| *opening == open)
        .filter_map(|&(_, closing)| {
            inside
                .char_indices()
                .take(QUOTATION_MAX)
                .filter(|&(_, c)| c == closing)
                .map(|(at, c)| (at, at + c.len_utf8()))
                .find(|&(_, end)| !matches!(closing, '\'' | '’') || !inside[end..].starts_with(is_word))
        })
        .min()
        .filter(|&(at, _)| at > 0)
        .map(|(_, end)| open.len_utf8() + end)
}

/// Whether a word or an id begins here: at a letter or digit, or at a sign that stands before one.
fn begins_chunk(rest: &str, c: char) -> bool {
    let next = rest.chars().nth(1);
    c.is_alphanumeric()
        || Script::of(c).is_some()
        || matches!(c, '#' | '@' | '/' | '.' | '-' | '~' | '$' | '%' | '_' | '<' | '{')
            && next.is_some_and(|next| {
                next.is_alphanumeric() && !is_unspaced(next) || next == '-' || next == '/'
            })
}

/// Up to the next blank, script without spaces, or mark that nothing of the same word follows.
fn chunk_length(rest: &str) -> usize {
    let is_inner = |c: char| {
        !is_unspaced(c) && (c.is_alphanumeric() || Script::of(c).is_some())
            || CODE_SIGNS.contains(&c)
            || c == '-'
    };
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let next = rest[at + c.len_utf8()..].chars().next();
        let goes_on = match c {
            '.' | ':' | '\'' | '’' => next.is_some_and(is_inner),
            ',' => before.is_numeric() && next.is_some_and(char::is_numeric),
            '?' => rest[..at].contains("//") && next.is_some_and(is_inner),
            _ => is_inner(c),
        };
        if !goes_on && at > 0 {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// A chunk is one id, or one word or several tied by hyphens and apostrophes.
fn push_chunk<'t>(pieces: &mut Vec<Piece<'t>>, chunk: &'t str, start: usize, shouted: bool) {
    if is_code(chunk, shouted) {
        pieces.push(Piece::new(Kind::Code, chunk, start));
        return;
    }
    let mut at = 0;
    let mut joint = None;
    for word in chunk.split(is_joint) {
        if !word.is_empty() {
            let kind = if is_capitals(word) && !shouted {
                Kind::Code
            } else {
                Kind::Word
            };
            let joint = joint.filter(|_| at > 0);
            pieces.push(Piece {
                joint,
                ..Piece::new(kind, word, start + at)
            });
        }
        at += word.len();
        joint = chunk[at..].chars().next();
        at += joint.map_or(0, char::len_utf8);
    }
}

fn is_joint(c: char) -> bool {
    matches!(c, '-' | '\'' | '’')
}

/// Whether a chunk must be taken as a whole and left alone.
fn is_code(chunk: &str, shouted: bool) -> bool {
    let has_digit = chunk.chars().any(char::is_numeric);
    let has_sign = chunk.contains(CODE_SIGNS) || chunk.starts_with(['.', '-']);
    let is_dotted = chunk.contains(['.', ':', ',']);
    let has_hump = chunk
        .chars()
        .zip(chunk.chars().skip(1))
        .any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    has_digit || has_sign || is_dotted || has_hump && !shouted
}

/// Two capitals or more and nothing else: an abbreviation.
fn is_capitals(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds as a letter each, before the text: `w`ord, `n`ame, `u`nspaced, `c`ode, `q`uoted, `m`ark.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = pieces(text)
            .iter()
            .map(|piece| {
                assert_eq!(&text[piece.start..piece.end()], piece.text);
                let kind = match piece.kind {
                    Kind::Word if piece.is_name => 'n',
                    Kind::Word => 'w',
                    Kind::Unspaced => 'u',
                    Kind::Code => 'c',
                    Kind::Quoted => 'q',
                    Kind::Mark => 'm',
                };
                format!("{kind} {}", piece.text)
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_are_parted_at_apostrophes_and_hyphens() {
        check("l'ordre, svp", &["w l", "w ordre", "m ,", "w svp"]);
        check("Lese-Kopien von Tom", &["w Lese", "w Kopien", "w von", "w Tom"]);
        check("¿dónde está Ana?", &["m ¿", "w dónde", "w está", "n Ana", "m ?"]);
    }

    #[test]
    fn ids_and_code_are_whole() {
        check(
            "foo@bar.de in /etc/hosts (#88) parseIban AWS v1.2. ok",
            &[
                "c foo@bar.de",
                "w in",
                "c /etc/hosts",
                "c #88",
                "c parseIban",
                "c AWS",
                "c v1.2",
                "m .",
                "w ok",
            ],
        );
        check(
            "https://ex.com/a?b=c 1,5 a,b",
            &["c https://ex.com/a?b=c", "c 1,5", "w a", "m ,", "w b"],
        );
        check("LÖSCHE ALLES", &["w LÖSCHE", "w ALLES"]);
    }

    #[test]
    fn quotations_are_whole() {
        check("a \"b c\" d", &["w a", "q \"b c\"", "w d"]);
        check(
            "« x » et l'y 'z w'",
            &["q « x »", "w et", "w l", "w y", "q 'z w'"],
        );
        check("名为'Dev'的「单」", &["u 名为", "q 'Dev'", "u 的", "q 「单」"]);
        // No end, no quotation.
        check("5\" don't", &["c 5", "w don", "w t"]);
        check("\"a", &["w a"]);
    }

    #[test]
    fn scripts_without_spaces_end_where_others_begin() {
        check("把S3里的文件，", &["u 把", "c S3", "u 里的文件", "m ，"]);
    }
}
