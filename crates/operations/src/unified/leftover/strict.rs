//! Which words of a request does neither an argument, nor the tool's name, nor the first sentence about it explain?

use std::collections::BTreeSet;
use std::ops::Range;

use handpick_domain::Tool;
use handpick_mapping::Mapped;
use handpick_selection::words::{question_words, spelled_out, words};

use super::{CUES, Said, given_terms, place, terms};

/// Words of a request that are looked at.
const WORDS_MAX: usize = 400;

/// From this length on, a word that another one begins with is its root: `container`, `containerize`.
const ROOT_CHARS: usize = 5;
/// Letters that may follow a root.
const ENDING_CHARS: usize = 4;

/// Words that go with others and say nothing of the matter themselves.
const PARTICLES: [&str; 22] = [
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "again",
    "already",
    "away",
    "back",
    "down",
    "either",
    "ever",
    "longer",
    "off",
    "out",
    "over",
    "quite",
    "soon",
    "still",
    "then",
    "together",
    "up",
    "yet",
];

/// A word of a request, as strictly read as can be: a longer description explains nothing.
#[derive(Debug)]
pub(super) struct Word {
    /// Where it stands; where a request was translated, in the translation.
    pub range: Range<usize>,
    /// In lower case.
    pub lower: String,
    /// Its forms.
    pub terms: BTreeSet<String>,
    /// Whether an argument was read from it.
    pub is_covered: bool,
    /// Whether it only holds a sentence together.
    pub is_common: bool,
    /// Whether it says something of the matter.
    pub is_telling: bool,
    /// Whether the tool's name, the first sentence about it, or an argument explains it.
    pub is_explained: bool,
    /// Whether the tool's name or an argument's explains it.
    pub is_named: bool,
    /// Whether a clause ends behind it.
    pub ends: bool,
}

impl Word {
    /// Whether it says something that nothing explains.
    pub fn is_open(&self) -> bool {
        self.is_telling && !self.is_covered && !self.is_explained
    }
}

impl Said<'_> {
    /// The words of the request beside this call.
    pub(super) fn strictly(&self, tool: &Tool, mapped: &Mapped, covered: &[Range<usize>]) -> Vec<Word> {
        let text = self.english.as_deref().unwrap_or(self.text);
        let mut named = terms(&spelled_out(tool.name.as_str()));
        named.extend(given_terms(mapped));
        let mut own = named.clone();
        own.extend(terms(first_sentence(tool.first_line())));
        let cues = terms(CUES);
        let telling: BTreeSet<usize> = question_words(text)
            .iter()
            .filter_map(|word| Some(place(text, word.written)?.start))
            .collect();
        let all: Vec<(Range<usize>, BTreeSet<String>)> = words(text)
            .iter()
            .filter_map(|word| {
                Some((
                    place(text, word.written)?,
                    word.terms().map(str::to_owned).collect(),
                ))
            })
            .take(WORDS_MAX)
            .collect();
        let ends = |nth: usize, range: &Range<usize>| {
            let next = all.get(nth + 1).map_or(text.len(), |(next, _)| next.start);
            let between = text.get(range.end..next).unwrap_or_default();
            next == text.len() || ends_clause(between)
        };
        let is_read = |range: &Range<usize>| {
            self.english.is_none()
                && covered
                    .iter()
                    .any(|covered| covered.start < range.end && range.start < covered.end)
        };
        // The word behind a number that was read is its unit: `20 lines`.
        let is_unit = |nth: usize| {
            let before = nth.checked_sub(1).and_then(|before| all.get(before));
            let next = all.get(nth).map_or(0, |(range, _)| range.start);
            before.is_some_and(|(range, _)| {
                let written = text.get(range.clone()).unwrap_or_default();
                let ahead = text.get(..range.start).unwrap_or_default();
                let between = text.get(range.end..next).unwrap_or_default();
                is_read(range)
                    && written.chars().all(|c| c.is_ascii_digit())
                    && between.trim().is_empty()
                    && (ahead.is_empty() || ahead.ends_with(char::is_whitespace))
            })
        };
        let is_explained = |terms: &BTreeSet<String>| {
            !terms.is_disjoint(&own)
                || terms
                    .iter()
                    .any(|term| own.iter().any(|known| is_form(term, known)))
        };
        all.iter()
            .enumerate()
            .map(|(nth, (range, forms))| {
                let lower = text.get(range.clone()).unwrap_or_default().to_lowercase();
                let is_common = !telling.contains(&range.start);
                Word {
                    range: range.clone(),
                    is_covered: is_read(range),
                    is_common,
                    is_telling: !is_common
                        && forms.is_disjoint(&cues)
                        && !PARTICLES.contains(&lower.as_str())
                        && !super::modifiers::is_modifier(&lower),
                    is_explained: is_explained(forms) || is_unit(nth),
                    is_named: !forms.is_disjoint(&named) || is_unit(nth),
                    ends: ends(nth, range),
                    lower,
                    terms: forms.clone(),
                }
            })
            .collect()
    }
}

/// Whether what stands between two words ends a clause. A sign within a word does not: `incl. untracked`, `a/b`.
fn ends_clause(between: &str) -> bool {
    let signs = between.trim_end();
    signs.contains([',', ';', ':', '!', '?', '(', ')', '\n']) && signs.len() < between.len()
        || signs.ends_with('.') && signs.len() < between.len()
}

/// The first sentence of a line.
pub(in crate::unified) fn first_sentence(line: &str) -> &str {
    let is_end = |at: usize| {
        let rest = line.get(at + 1..).unwrap_or_default();
        let mut chars = rest.chars();
        chars.next().is_some_and(char::is_whitespace) && chars.next().is_some_and(char::is_uppercase)
    };
    let end = line
        .match_indices('.')
        .map(|(at, _)| at)
        .find(|at| is_end(*at))
        .unwrap_or(line.len());
    line.get(..end).unwrap_or(line)
}

/// Whether two stemmed words are forms of one: `container` and `containerize`.
fn is_form(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short.chars().count() >= ROOT_CHARS
        && long
            .strip_prefix(short)
            .is_some_and(|rest| rest.chars().count() <= ENDING_CHARS)
}

/// Whether two stemmed words are of one matter: forms of one word, or one is the other's opposite: `unpaid`, `paid`.
pub(super) fn is_akin(a: &str, b: &str) -> bool {
    let undoes = |a: &str, b: &str| {
        ["un", "non", "dis", "de", "in"]
            .iter()
            .any(|prefix| a.strip_prefix(prefix) == Some(b))
            && b.chars().count() >= ROOT_CHARS - 1
    };
    a == b || is_form(a, b) || undoes(a, b) || undoes(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_opposites_are_akin() {
        for (a, b, expected) in [
            ("container", "container", true),
            ("container", "containeriz", true),
            ("paid", "unpaid", true),
            ("archiv", "unarchiv", true),
            ("contact", "contain", false),
            ("der", "under", false),
            ("form", "inform", true),
            ("list", "listing", false),
        ] {
            assert_eq!(is_akin(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn a_sentence_ends_before_a_capital() {
        for (line, expected) in [
            ("Build it. Then run.", "Build it"),
            ("Files, e.g. of v1.2 too", "Files, e.g. of v1.2 too"),
            ("", ""),
        ] {
            assert_eq!(first_sentence(line), expected);
        }
    }
}
