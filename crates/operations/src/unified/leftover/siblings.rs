//! Does a request list more than a call takes: `the values of region and tenancy`, where only `region` was read?

use std::ops::Range;

use handpick_mapping::{Mapped, Origin};

use super::Said;
use super::strict::Word;

/// Words and signs that join the members of a list.
const JOINS: [&str; 8] = ["and", "or", "&", ",", ", and", ", or", "und", "as well as"];

impl Said<'_> {
    /// How many arguments are members of lists whose other members are in no argument.
    pub(super) fn siblings(&self, strict: &[Word], mapped: &Mapped) -> usize {
        if self.english.is_some() {
            return 0;
        }
        let values = mapped
            .sources
            .values()
            .filter(|source| source.origin == Origin::Request && !source.words.is_empty());
        values
            .filter(|source| {
                let Some(start) = self.text.find(source.words.as_str()) else {
                    return false;
                };
                let range = start..start + source.words.len();
                self.is_beside(strict, &range, true) || self.is_beside(strict, &range, false)
            })
            .count()
    }

    /// Whether a member of the same list stands behind this value, or before it.
    fn is_beside(&self, strict: &[Word], value: &Range<usize>, behind: bool) -> bool {
        let at = |word: &Word| {
            if behind {
                word.range.start >= value.end
            } else {
                word.range.end <= value.start
            }
        };
        let mut free: Vec<usize> = (0..strict.len())
            .filter(|nth| strict.get(*nth).is_some_and(at))
            .collect();
        if !behind {
            free.reverse();
        }
        let mut free = free.into_iter().filter_map(|nth| strict.get(nth));
        let Some(mut next) = free.next() else { return false };
        if JOINS.contains(&next.lower.as_str()) {
            let Some(member) = free.next() else { return false };
            next = member;
        }
        let between = if behind {
            self.text.get(value.end..next.range.start)
        } else {
            self.text.get(next.range.end..value.start)
        };
        let between = between.unwrap_or_default();
        let join = between
            .trim_matches(|c: char| c.is_whitespace() || "\"'`“”’‘()".contains(c))
            .to_lowercase();
        let is_joined = JOINS.contains(&join.as_str());
        let is_last = !behind || next.ends || after(strict, next).is_none_or(|after| !after.is_covered);
        is_joined && is_last && !next.is_covered && self.is_member(strict, next, value, join == ",")
    }

    /// Whether a word is of the same shape as a value.
    fn is_member(&self, strict: &[Word], word: &Word, value: &Range<usize>, only_comma: bool) -> bool {
        let solid = |range: &Range<usize>| {
            let is_edge = |c: char| c.is_whitespace() || ",;()[]\"“”'".contains(c);
            let before = self.text.get(..range.start).unwrap_or_default();
            let start = before.rfind(is_edge).map_or(0, |at| {
                at + before
                    .get(at..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(1, char::len_utf8)
            });
            let after = self.text.get(range.end..).unwrap_or_default();
            let end = range.end + after.find(is_edge).unwrap_or(after.len());
            self.text
                .get(start..end)
                .unwrap_or_default()
                .trim_end_matches(['.', '?', '!', ':'])
        };
        let written = self.text.get(value.clone()).unwrap_or_default();
        let member = solid(&word.range);
        let (of_value, of_member) = (Shape::of(written), Shape::of(member));
        let next = after(strict, word);
        let is_end = word.ends || next.is_none_or(|next| next.is_common);
        let is_another = !only_comma && word.is_open() && !super::verbs::is_verb(&word.lower);
        match (of_value, of_member) {
            (Shape::Coded | Shape::Camel, Shape::Coded | Shape::Camel)
            | (Shape::Number, Shape::Number)
            | (Shape::Name, Shape::Name) => true,
            // A plain word may begin another clause.
            (Shape::Camel, Shape::Plain) => is_another,
            (Shape::Plain, Shape::Plain) => is_another && is_end,
            _ => false,
        }
    }
}

/// The word behind one.
fn after<'w>(strict: &'w [Word], word: &Word) -> Option<&'w Word> {
    strict.iter().find(|other| other.range.start >= word.range.end)
}

/// How a member of a list looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// An id, a path, an address.
    Coded,
    /// A name as programs have them, without digits: `instanceType`, `page_size`.
    Camel,
    Number,
    /// A word with a capital.
    Name,
    /// A word.
    Plain,
    /// Several words.
    Text,
}

impl Shape {
    fn of(written: &str) -> Self {
        let written = written.trim_matches(|c: char| "\"'`“”".contains(c));
        let has = |test: fn(char) -> bool| written.chars().any(test);
        let digits = has(|c| c.is_ascii_digit());
        let letters = has(char::is_alphabetic);
        if written.is_empty() || written.chars().any(char::is_whitespace) {
            Self::Text
        } else if digits && !letters {
            Self::Number
        } else if digits || has(|c| "-/.:=#@".contains(c)) {
            Self::Coded
        } else if has(|c| c == '_')
            || written.chars().skip(1).any(char::is_uppercase) && has(char::is_lowercase)
        {
            Self::Camel
        } else if written.starts_with(char::is_uppercase) {
            Self::Name
        } else {
            Self::Plain
        }
    }
}
