//! Was a value cut out of more than it says?

use std::collections::BTreeSet;
use std::ops::Range;

use handpick_mapping::{Mapped, Origin};
use handpick_selection::words::question_words;
use serde_json::Value;

use super::{PLACES_MAX, Said, place};

impl Said<'_> {
    /// How many values were read from a part of a word whose rest nothing says, or from words of a longer text that
    /// another argument repeats as a whole.
    pub(super) fn torn_off(&self, mapped: &Mapped) -> usize {
        let covered = self.covered(mapped);
        let texts: Vec<&str> = mapped.arguments.values().filter_map(Value::as_str).collect();
        let is_cut = |name: &str, words: &str| {
            let value = mapped
                .arguments
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default();
            let rest = words
                .strip_prefix(value)
                .filter(|_| !value.is_empty())
                .unwrap_or_default();
            let rest = rest.split(char::is_whitespace).next().unwrap_or_default();
            rest.chars().filter(|c| c.is_alphanumeric()).count() > 1
        };
        let of_request = mapped
            .sources
            .iter()
            .filter(|(_, source)| source.origin == Origin::Request && !source.words.is_empty());
        let is_torn = |words: &str| {
            let mut places = self.text.match_indices(words).take(PLACES_MAX).peekable();
            places.peek().is_some()
                && places.all(|(at, words)| self.cuts_a_word(&(at..at + words.len()), &covered))
        };
        let is_repeated = |words: &str| {
            let longer = |text: &&&str| {
                text.contains(words) && text.split_whitespace().count() > words.split_whitespace().count() + 1
            };
            self.text.matches(words).count() == 1
                && texts.iter().filter(longer).any(|text| self.text.contains(*text))
        };
        of_request
            .filter(|(name, source)| {
                is_torn(&source.words) || is_repeated(&source.words) || is_cut(name, &source.words)
            })
            .count()
    }

    /// Whether the words around this place go on with letters that no argument was read from.
    fn cuts_a_word(&self, place: &Range<usize>, covered: &[Range<usize>]) -> bool {
        let is_edge = |c: char| c.is_whitespace() || ",;()[]{}\"“”„«»".contains(c);
        let before = self.text.get(..place.start).unwrap_or_default();
        let edge = before.char_indices().rev().find(|(_, c)| is_edge(*c));
        let start = edge.map_or(0, |(at, c)| at + c.len_utf8());
        let after = self.text.get(place.end..).unwrap_or_default();
        let end = place.end + after.find(is_edge).unwrap_or(after.len());
        let outside = |at: usize| {
            let is_said = covered.iter().any(|range| range.contains(&at));
            !is_said && !place.contains(&at)
        };
        let possessive = ["'s", "’s"].iter().any(|ending| after.starts_with(ending));
        // One letter may be a unit or a sign: `2x`, `5m`.
        let word = self.text.get(start..end).unwrap_or_default();
        let letters = word
            .char_indices()
            .filter(|(at, c)| c.is_alphanumeric() && outside(start + at));
        !possessive && letters.take(2).count() > 1
    }

    /// How many values of plain words are followed at once by a word that nothing explains: `peat-free` of
    /// `peat-free compost`.
    pub(super) fn cut_short(
        &self,
        mapped: &Mapped,
        is_covered: &dyn Fn(&Range<usize>) -> bool,
        is_unexplained: impl Fn(&BTreeSet<String>) -> bool,
    ) -> usize {
        let is_plain = |words: &str| words.chars().all(|c| c.is_alphabetic() || c == '-' || c == ' ');
        let values = mapped.sources.values().filter(|source| {
            source.origin == Origin::Request && !source.words.is_empty() && is_plain(&source.words)
        });
        let is_cut = |words: &str| {
            let Some(end) = self.text.find(words).map(|at| at + words.len()) else {
                return false;
            };
            let rest = self.text.get(end..).unwrap_or_default();
            let Some(next) = rest
                .strip_prefix(' ')
                .and_then(|rest| question_words(rest).into_iter().next())
            else {
                return false;
            };
            let is_next = place(self.text, next.written)
                .is_some_and(|range| range.start == end + 1 && !is_covered(&range));
            is_next && is_unexplained(&next.terms().map(str::to_owned).collect())
        };
        values.filter(|source| is_cut(&source.words)).count()
    }
}
