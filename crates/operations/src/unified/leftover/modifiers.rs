//! Does a request say `only`, `without` or `including` of what a call does not do?

use handpick_mapping::{Mapped, Origin};
use handpick_selection::words::spelled_out;
use serde_json::Value;

use super::Said;
use super::strict::Word;

/// Words that narrow, widen or forbid, whatever follows.
const STRONG: [&str; 23] = [
    "except",
    "excepting",
    "excluding",
    "excl",
    "without",
    "including",
    "include",
    "incl",
    "unless",
    "instead",
    "rather",
    "besides",
    "regardless",
    "but",
    "even",
    "plus",
    "not",
    "no",
    "never",
    "don",
    "dont",
    "nothing",
    "neither",
];
/// Words that may, where what follows at once is not explained.
const WEAK: [&str; 14] = [
    "with", "inside", "within", "from", "before", "after", "all", "every", "both", "each", "outside",
    "between", "while", "until",
];
/// Words that `just` narrows by, and is no mere filler: `just the top 3`.
const NARROWED: [&str; 12] = [
    "the", "my", "our", "this", "that", "these", "those", "for", "in", "from", "with", "of",
];
/// Words that say how many, and nothing else.
const HOW_MANY: [&str; 8] = [
    "first", "last", "top", "latest", "next", "newest", "oldest", "latter",
];
/// Words that stand behind what they narrow.
const TRAILING: [&str; 5] = ["alone", "too", "included", "excluded", "first"];
/// Words that take everything else out.
const ONLY: [&str; 4] = ["only", "solely", "exclusively", "merely"];
/// Words that take what follows out.
const EXCLUDING: [&str; 7] = [
    "except",
    "excepting",
    "excluding",
    "excl",
    "without",
    "besides",
    "not",
];
/// Words of a parameter's name for what is taken out.
const EXCLUDED: [&str; 9] = [
    "exclude",
    "excluded",
    "excluding",
    "except",
    "not",
    "without",
    "ignore",
    "omit",
    "skip",
];

/// How many words behind a strong one are looked at.
const STRONG_WORDS: usize = 4;
/// How many before a trailing one, and behind an `only`.
const TRAILING_WORDS: usize = 3;
const ONLY_WORDS: usize = 5;

impl Said<'_> {
    /// How many such words stand before (or behind) words that nothing explains, or before a value that they take out
    /// and the call takes in.
    pub(super) fn modifiers(&self, strict: &[Word], mapped: &Mapped) -> usize {
        if self.english.is_some() {
            return 0;
        }
        (0..strict.len())
            .filter(|at| {
                strict.get(*at).is_some_and(|word| !word.is_covered)
                    && (narrows(strict, *at)
                        || self.is_switch(strict, *at)
                        || self.takes_in(strict, *at, mapped))
            })
            .count()
    }

    /// `-n staging`, `--force`: a command line's switch.
    fn is_switch(&self, strict: &[Word], at: usize) -> bool {
        let Some(word) = strict.get(at) else { return false };
        let before = self.text.get(..word.range.start).unwrap_or_default();
        let space = before.trim_end_matches('-');
        let dashes = before.len() - space.len();
        let is_letter = |c: char| c.is_ascii_alphabetic();
        // Where its value was read, it is in the call.
        let is_said = !word.ends && strict.get(at + 1).is_some_and(|next| next.is_covered);
        (1..=2).contains(&dashes)
            && space.ends_with(char::is_whitespace)
            && word.lower.starts_with(is_letter)
            && !is_said
    }

    /// `all except INV-3`, where INV-3 is what the call is about.
    fn takes_in(&self, strict: &[Word], at: usize, mapped: &Mapped) -> bool {
        let is = |at: usize, words: &[&str]| {
            strict
                .get(at)
                .is_some_and(|word| words.contains(&word.lower.as_str()))
        };
        let other_than = is(at, &["than"]) && at > 0 && is(at - 1, &["other", "rather"]);
        if !is(at, &EXCLUDING) && !other_than {
            return false;
        }
        let next = behind(strict, at).find(|word| word.is_covered || word.is_telling);
        let Some(next) = next.filter(|word| word.is_covered) else {
            return false;
        };
        let reads = |words: &str| {
            self.text.match_indices(words).any(|(start, words)| {
                !words.is_empty() && (start..start + words.len()).contains(&next.range.start)
            })
        };
        mapped.sources.iter().any(|(name, source)| {
            let value = mapped.arguments.get(name);
            let is_excluded = spelled_out(name).split(' ').any(|word| EXCLUDED.contains(&word));
            source.origin == Origin::Request
                && value.is_some_and(|value| !matches!(value, Value::Bool(_)))
                && !is_excluded
                && reads(&source.words)
        })
    }
}

/// Whether a word narrows, widens or forbids by what stands beside it.
pub(super) fn is_modifier(lower: &str) -> bool {
    ONLY.contains(&lower) || STRONG.contains(&lower) || WEAK.contains(&lower) || TRAILING.contains(&lower)
}

/// The words behind a place, up to the end of its clause.
fn behind(strict: &[Word], at: usize) -> impl Iterator<Item = &Word> {
    let ends = strict.get(at).is_some_and(|word| word.ends);
    let rest = strict.get(at + 1..).filter(|_| !ends).unwrap_or_default();
    let clause = rest
        .iter()
        .position(|word| word.ends)
        .map_or(rest.len(), |end| end + 1);
    rest.get(..clause).unwrap_or_default().iter()
}

/// Whether the word at a place narrows or widens by words that nothing explains.
fn narrows(strict: &[Word], at: usize) -> bool {
    let Some(word) = strict.get(at) else { return false };
    let is = |words: &[&str]| words.contains(&word.lower.as_str());
    let narrowing = is(&ONLY) || is(&["just"]) && just_narrows(strict, at);
    let before = before(strict, at);
    if narrowing && word.ends {
        return is_beyond(before.iter().rev().take(TRAILING_WORDS));
    }
    if narrowing {
        return is_beyond(behind(strict, at).take(ONLY_WORDS)) || is_open_behind(strict, at);
    }
    if is(&STRONG) && is_open_behind(strict, at) {
        return true;
    }
    let mut telling = behind(strict, at).filter(|word| word.is_covered || word.is_telling);
    if is(&WEAK) && telling.next().is_some_and(Word::is_open) {
        return true;
    }
    let looked_at = if is(&["first"]) { 1 } else { TRAILING_WORDS };
    is(&TRAILING) && word.ends && before.iter().rev().take(looked_at).any(Word::is_open)
}

/// Whether words behind a place say something that is not in the call. Where a value stands among them, they are: `only
/// the first 20 lines`.
fn is_open_behind(strict: &[Word], at: usize) -> bool {
    let matter = || {
        behind(strict, at)
            .filter(|word| word.is_covered || word.is_telling)
            .filter(|word| !HOW_MANY.contains(&word.lower.as_str()))
            .take(STRONG_WORDS)
    };
    let is_said = matter().any(|word| word.is_covered);
    matter().next().is_some_and(Word::is_open) || !is_said && matter().any(Word::is_open)
}

/// Whether what an `only` is about is in no argument: the word nearest to it is neither of one nor of the tool's name,
/// and none of the words was read. That the tool's description has it does not say that only this is done.
fn is_beyond<'w>(matter: impl Iterator<Item = &'w Word>) -> bool {
    let matter: Vec<&Word> = matter.collect();
    let is_read = matter.iter().any(|word| word.is_covered);
    let mut said = matter
        .iter()
        .filter(|word| !word.is_common && !HOW_MANY.contains(&word.lower.as_str()));
    !is_read && said.next().is_some_and(|word| !word.is_named)
}

/// Whether `just` is no mere filler: `just the top 3`, `just count them`.
fn just_narrows(strict: &[Word], at: usize) -> bool {
    let Some(next) = behind(strict, at).next() else {
        return false;
    };
    let begins = before(strict, at).is_empty();
    NARROWED.contains(&next.lower.as_str()) || begins && next.is_telling && super::verbs::is_verb(&next.lower)
}

/// The words before a place, from where its clause begins.
fn before(strict: &[Word], at: usize) -> &[Word] {
    let before = strict.get(..at).unwrap_or_default();
    let clause = before.iter().rposition(|word| word.ends).map_or(0, |end| end + 1);
    before.get(clause..).unwrap_or_default()
}
