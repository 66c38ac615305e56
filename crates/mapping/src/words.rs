//! Which words does a text consist of, and what do they mean to a parameter?

use std::ops::Range;

use handpick_selection::words as matching;

use crate::lexicon;

/// Most words of a text that are read; the rest says nothing about arguments.
pub(crate) const TOKENS_MAX: usize = 1_000;

/// What ends behind a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Break {
    /// Nothing: the next word follows.
    None,
    /// A comma, a dash or a bracket.
    Comma,
    /// A colon.
    Colon,
    /// A semicolon, a sentence or a line.
    Stop,
}

/// A word as it stands between blanks, without the punctuation around it.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    /// Where, in bytes of the text.
    pub range: Range<usize>,
    /// As written.
    pub text: &'t str,
    /// In lower case without accents.
    pub fold: String,
    /// The common form of an English word; other spellings stay as they are.
    pub stem: String,
    /// What the word means, whatever the language: `rechnung` is `invoice`.
    pub sense: Option<&'static str>,
    /// What ends behind it.
    pub after: Break,
}

impl Token<'_> {
    /// Whether it is a word, or means it.
    pub fn is(&self, word: &str) -> bool {
        self.stem == word || self.sense == Some(word) || self.is_compound_of(word)
    }

    /// `GitLab-Issue` is a kind of `issue`.
    fn is_compound_of(&self, word: &str) -> bool {
        self.fold
            .rsplit_once('-')
            .is_some_and(|(_, last)| stem(last) == word)
            && self.text.rsplit_once('-').is_some_and(|(first, last)| {
                first.starts_with(char::is_uppercase)
                    && last.starts_with(char::is_uppercase)
                    && last.chars().skip(1).all(char::is_lowercase)
            })
    }

    /// Whether it is a German compound of a word: `GitLab-Issue` of `issue`.
    pub fn ends_on(&self, word: &str) -> bool {
        is_compound(self.text)
            && self
                .fold
                .rsplit_once('-')
                .is_some_and(|(_, tail)| stem(tail) == word)
    }

    /// Whether it is one of these, in lower case without accents.
    pub fn is_any(&self, words: &[&str]) -> bool {
        words.contains(&self.fold.as_str())
    }

    /// Whether it only holds a sentence together.
    pub fn is_common(&self) -> bool {
        lexicon::is_common(&self.fold)
    }

    /// Whether it cannot be a word of prose: digits or signs within, or capitals after the first letter.
    pub fn is_coded(&self) -> bool {
        is_coded(self.text)
    }

    /// Whether it begins with a capital.
    pub fn is_capitalised(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }
}

/// Whether a word cannot be one of prose: `web-01`, `C024BE91L`, `one_page`, `acme/web`.
pub(crate) fn is_coded(word: &str) -> bool {
    let has_letter_or_digit = word.chars().any(char::is_alphanumeric);
    let signs = word
        .chars()
        .any(|c| matches!(c, '_' | '-' | '/' | '.' | ':' | '=' | '#' | '@'));
    let digits = word.chars().any(|c| c.is_ascii_digit());
    let inner_capital = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    has_letter_or_digit && (signs || digits || inner_capital)
}

/// Whether a word is put together of words as German does: `GitLab-Issue`, `Outlook-Kalender`. Its last part is a
/// noun, with a capital and small letters behind.
pub(crate) fn is_compound(word: &str) -> bool {
    let Some((head, tail)) = word.rsplit_once('-') else {
        return false;
    };
    let mut letters = tail.chars();
    let noun = letters.next().is_some_and(char::is_uppercase) && letters.clone().count() > 2;
    let begins = head.chars().next().is_some_and(char::is_uppercase);
    noun && begins && letters.all(char::is_lowercase) && head.chars().all(|c| c.is_alphabetic() || c == '-')
}

/// The words of a text, in order.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    for (start, chunk) in chunks(text) {
        if tokens.len() >= TOKENS_MAX {
            break;
        }
        if chunk.starts_with('\n') {
            raise(&mut tokens, Break::Stop);
            continue;
        }
        let (lead, core, trail) = trimmed(chunk);
        if core.is_empty() {
            raise(&mut tokens, strongest(chunk));
            continue;
        }
        if lead.contains(['(', '[']) {
            raise(&mut tokens, Break::Comma);
        }
        let mut at = start + lead.len();
        let mut rest = core;
        if let Some(cut) = elision(core) {
            tokens.push(token(core.get(..cut).unwrap_or(core), at, Break::None));
            at += cut;
            rest = core.get(cut..).unwrap_or_default();
        }
        tokens.push(token(rest, at, strongest(trail)));
    }
    tokens
}

/// Pieces between blanks with their places; a line's end is a piece of its own.
fn chunks(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            if let Some(begin) = start.take() {
                pieces.push((begin, text.get(begin..at).unwrap_or_default()));
            }
            if c == '\n' {
                pieces.push((at, "\n"));
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    if let Some(begin) = start {
        pieces.push((begin, text.get(begin..).unwrap_or_default()));
    }
    pieces
}

fn raise(tokens: &mut [Token<'_>], with: Break) {
    if let Some(last) = tokens.last_mut() {
        last.after = last.after.max(with);
    }
}

/// A piece without the punctuation around it: what leads, the word, what trails.
fn trimmed(chunk: &str) -> (&str, &str, &str) {
    let leads = |c: char| "\"'`“”„‚‘’«»‹›([{<¿¡*".contains(c);
    let trails = |c: char| "\"'`“”‘’«»‹›)]}>.,;:!?…*".contains(c);
    if chunk.len() > 2 && chunk.starts_with(':') && chunk.trim_end_matches(['.', ',', '!']).ends_with(':') {
        let core = chunk.trim_end_matches(['.', ',', '!']);
        return ("", core, chunk.get(core.len()..).unwrap_or_default());
    }
    // `*.md` is a pattern and no emphasis.
    let starred = chunk.starts_with("*.") || chunk.starts_with("**/");
    let after_lead = if starred {
        chunk
    } else {
        chunk.trim_start_matches(leads)
    };
    let lead = chunk.get(..chunk.len() - after_lead.len()).unwrap_or_default();
    let mut core = after_lead.trim_end_matches(trails);
    // `logs-*` is a pattern as well.
    let rest = after_lead.get(core.len()..).unwrap_or_default();
    if rest.starts_with('*')
        && !rest.starts_with("**")
        && !lead.contains('*')
        && core.chars().any(char::is_alphanumeric)
    {
        core = after_lead.get(..=core.len()).unwrap_or(core);
    }
    for possessive in ["'s", "’s"] {
        core = core.strip_suffix(possessive).unwrap_or(core);
    }
    if !core.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()) || core.chars().all(|c| "–—…".contains(c))
    {
        return (lead, "", after_lead);
    }
    // `logs-*` is a pattern, too: a star behind what none stands before.
    let tail = after_lead.get(core.len()..).unwrap_or_default();
    if tail.starts_with('*')
        && !tail.starts_with("**")
        && !lead.contains('*')
        && core.ends_with(['-', '_', '.', '/', ':'])
    {
        core = after_lead.get(..=core.len()).unwrap_or(core);
    }
    (lead, core, after_lead.get(core.len()..).unwrap_or_default())
}

/// What the signs behind a word end.
fn strongest(signs: &str) -> Break {
    if signs.contains(['.', '!', '?', ';', '…']) {
        Break::Stop
    } else if signs.contains(':') {
        Break::Colon
    } else if signs.contains([',', ')', ']', '–', '—']) || signs == "-" || signs == "--" {
        Break::Comma
    } else {
        Break::None
    }
}

/// Where a French article that lost its vowel ends: behind the apostrophe of `l'équipe`.
fn elision(word: &str) -> Option<usize> {
    let at = word.find(['\'', '’'])?;
    let head = word.get(..at)?.to_lowercase();
    let sign = word.get(at..)?.chars().next()?;
    let rest = word.get(at + sign.len_utf8()..)?;
    let elided = ["l", "d", "qu", "j", "n", "s", "c", "m", "jusqu", "lorsqu"].contains(&head.as_str());
    (elided && rest.chars().count() > 1).then_some(at + sign.len_utf8())
}

fn token(text: &str, at: usize, after: Break) -> Token<'_> {
    let fold = fold(text);
    let stem = stem(&fold);
    let sense = lexicon::sense(&fold)
        .or_else(|| lexicon::sense(&stem))
        .or_else(|| {
            // `Drive-Datei` is a kind of `Datei`; `uat-org` is a name.
            let (_, last) = fold.rsplit_once('-').filter(|_| is_compound(text))?;
            lexicon::sense(last).or_else(|| lexicon::sense(last.strip_suffix('s')?))
        });
    Token {
        range: at..at + text.len(),
        text,
        fold,
        stem,
        sense,
        after,
    }
}

/// Lower case without accents; the typographic apostrophe becomes the plain one.
pub(crate) fn fold(text: &str) -> String {
    matching::fold(text).replace('’', "'")
}

/// The common form of an English word of letters; everything else stays as it is.
pub(crate) fn stem(fold: &str) -> String {
    if !fold.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return fold.to_owned();
    }
    matching::words(fold)
        .into_iter()
        .next()
        .map_or_else(|| fold.to_owned(), |word| word.term)
}

/// The words of a name: `invoiceId` is `invoice id`.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    matching::spelled_out(name)
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The letters and digits of a name, for comparing spellings: `invoice_id` and `invoice.id` are one.
pub(crate) fn squeezed(name: &str) -> String {
    fold(name).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_their_punctuation() {
        let read = |text: &str| -> Vec<(String, Break)> {
            tokens(text)
                .iter()
                .map(|token| (token.text.to_owned(), token.after))
                .collect()
        };
        let expected = |pairs: &[(&str, Break)]| -> Vec<(String, Break)> {
            pairs
                .iter()
                .map(|(text, after)| ((*text).to_owned(), *after))
                .collect()
        };
        for (text, words) in [
            (
                "close TCK-204, now!",
                &[
                    ("close", Break::None),
                    ("TCK-204", Break::Comma),
                    ("now", Break::Stop),
                ][..],
            ),
            (
                "l'équipe support ?",
                &[
                    ("l'", Break::None),
                    ("équipe", Break::None),
                    ("support", Break::Stop),
                ],
            ),
            (
                "add :tada: to it",
                &[
                    ("add", Break::None),
                    (":tada:", Break::None),
                    ("to", Break::None),
                    ("it", Break::None),
                ],
            ),
            (
                "find logs-* and *bold-*",
                &[
                    ("find", Break::None),
                    ("logs-*", Break::None),
                    ("and", Break::None),
                    ("bold-", Break::None),
                ],
            ),
            (
                "reason: Dana's",
                &[("reason", Break::Colon), ("Dana", Break::None)],
            ),
            ("", &[]),
            ("… - ?", &[]),
        ] {
            assert_eq!(read(text), expected(words), "{text}");
        }
    }

    #[test]
    fn compounds_are_of_their_last_part() {
        let read = tokens("GitLab-Issue sub-issue Front-End node-2");
        let is = |at: usize, word: &str| read.get(at).is_some_and(|token| token.is(&stem(word)));
        assert!(is(0, "issue"));
        assert!(!is(0, "gitlab") && !is(1, "issue") && !is(3, "2"));
    }

    #[test]
    fn coded_words_are_told_from_prose() {
        for word in ["web-01", "C024BE91L", "one_page", "acme/web", "TIC-1", "iPhone"] {
            assert!(is_coded(word), "{word}");
        }
        for word in ["web", "Orders", "équipe", "VM", "-", ""] {
            assert!(!is_coded(word), "{word}");
        }
    }
}
