//! Which ids stand in words?

use std::collections::HashMap;

use super::known::KnownIds;
use super::shape::{Fit, Shape, Shapes};

mod address;
mod beside;

use beside::Neighbours;

/// Words between what an id is of and the id: "order no. 100432", "Bestellung Nr. 100432".
const FILLERS: &[&str] = &[
    "is",
    "id",
    "ids",
    "no",
    "nr",
    "num",
    "number",
    "numbers",
    "nummer",
    "numero",
    "número",
    "numéro",
    "ref",
    "reference",
    "key",
    "code",
    "n",
];

/// Fewest digits of a number that is taken for an id without a word beside it.
const BARE_DIGITS_MIN: usize = 5;

/// Fewest digits of a number that the words around it, or the conversation before it, make an id.
const SHORT_DIGITS_MIN: usize = 3;

/// How much of what stands before and after a value is looked at, in bytes.
const BESIDE_MAX: usize = 256;

/// Longest id with dots or slashes in it, in bytes.
const JOINED_MAX: usize = 64;

/// What is known when a text is read: the ids of the catalog, how their values look there and in this conversation,
/// and which values were seen before.
pub(crate) struct Reader<'a> {
    pub(crate) known: &'a KnownIds,
    pub(crate) local: &'a Shapes,
    /// Values by their id and their last digits; `None` where two values end alike.
    pub(crate) seen: HashMap<(usize, String), Option<String>>,
    /// Plain numbers that were seen as an id, with the only id they are of.
    pub(crate) numbers: HashMap<String, Option<usize>>,
}

/// An id in a text, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spotted {
    pub(crate) id: usize,
    pub(crate) value: String,
    /// Where the text before it begins: after the id before, or at its start.
    pub(crate) from: usize,
    /// Where it begins.
    pub(crate) at: usize,
}

impl Reader<'_> {
    /// Remembers a value, so that its digits alone can stand for it later.
    pub(crate) fn see(&mut self, id: usize, value: &str) {
        let digits = trailing_digits(value);
        if digits.len() == value.len() && digits.len() >= SHORT_DIGITS_MIN {
            let of = self.numbers.entry(value.to_owned()).or_insert(Some(id));
            if *of != Some(id) {
                *of = None;
            }
        }
        if digits.is_empty() || digits.len() == value.len() {
            return;
        }
        let seen = self
            .seen
            .entry((id, digits.to_owned()))
            .or_insert_with(|| Some(value.to_owned()));
        if seen.as_deref().is_some_and(|other| other != value) {
            *seen = None;
        }
    }

    /// The ids in a text, in order.
    pub(crate) fn text(&self, text: &str) -> Vec<Spotted> {
        let mut spotted: Vec<Spotted> = Vec::new();
        let bytes = text.as_bytes();
        let (mut at, mut from) = (0, 0);
        let whole = text.trim().trim_matches(['#', '.', '?', '!']);
        while at < bytes.len() {
            if !bytes[at].is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let run = |joints: &[u8], longest: usize| {
                let length = bytes[at..]
                    .iter()
                    .take(longest)
                    .take_while(|b| b.is_ascii_alphanumeric() || joints.contains(b))
                    .count();
                text[at..at + length].trim_end_matches(|c: char| !c.is_ascii_alphanumeric())
            };
            let token = run(b"-_", bytes.len());
            let found = self.spot(text, at, token, whole).or_else(|| {
                // `INV/2024/17` and `A.17` are one word only where ids are known to look so.
                let longer = run(b"-_/.:", JOINED_MAX + 1);
                let is_known = longer.len() > token.len() && longer.len() <= JOINED_MAX;
                is_known.then(|| self.spot(text, at, longer, whole)).flatten()
            });
            let mut end = at + token.len();
            if let Some((id, value)) = found {
                end = end.max(at + value.len());
                spotted.push(Spotted { id, value, from, at });
                from = end;
            }
            at = end;
        }
        spotted
    }

    /// The id that a token at a place of a text is.
    fn spot(&self, text: &str, at: usize, token: &str, whole: &str) -> Option<(usize, String)> {
        let before = at.checked_sub(1).map(|at| text.as_bytes()[at]);
        let after = text.as_bytes().get(at + token.len());
        let is_address = before == Some(b'@') || after == Some(&b'@');
        if is_address || !token.bytes().any(|b| b.is_ascii_digit() || b == b'_') {
            return None;
        }
        let end = at + token.len();
        let beside = Neighbours {
            before: &text[text.ceil_char_boundary(at.saturating_sub(BESIDE_MAX))..at],
            after: &text[end..text.floor_char_boundary(end + BESIDE_MAX)],
            alone: whole == token,
        };
        self.token(token, &beside)
    }

    /// The id that a value is by its looks alone, or by its looks and by what it is called.
    pub(crate) fn value(&self, of_member: &[usize], value: &str) -> Option<(usize, String)> {
        let shape = Shape::of(value)?;
        let fitting = self.fitting(&shape);
        let ids: Vec<usize> = fitting.iter().map(|fit| fit.id).collect();
        let called = of_member.iter().copied().find(|id| ids.contains(id));
        let id = if shape.is_telling() {
            called.or_else(|| self.only(&ids))
        } else {
            called
        };
        Some((id?, value.to_owned()))
    }

    fn fitting<'s>(&'s self, shape: &'s Shape) -> Vec<Fit<'s>> {
        let mut fitting: Vec<Fit<'s>> = self.known.shapes().fitting(shape).collect();
        // Of one key an id has one shape, so that only the two sources can repeat each other.
        let mut local = self.local.fitting(shape).peekable();
        if local.peek().is_none() {
            return fitting;
        }
        let places: HashMap<usize, usize> = fitting
            .iter()
            .enumerate()
            .map(|(nth, fit)| (fit.id, nth))
            .collect();
        for fit in local {
            match places.get(&fit.id) {
                Some(&nth) => fitting[nth].exact |= fit.exact,
                None => fitting.push(fit),
            }
        }
        fitting
    }

    /// The one id among several that fit: the only one, or the one of which all the others are roles.
    fn only(&self, ids: &[usize]) -> Option<usize> {
        let names = self.known.names();
        let general = |id: &&usize| {
            ids.iter()
                .all(|other| *other == **id || names[*other].is_role_of(&names[**id]))
        };
        ids.iter().find(general).copied()
    }

    fn token(&self, token: &str, beside: &Neighbours<'_>) -> Option<(usize, String)> {
        let shape = Shape::of(token)?;
        let fitting = self.fitting(&shape);
        let ids: Vec<usize> = fitting.iter().map(|fit| fit.id).collect();
        let spelled = |id: usize| {
            let head = fitting.iter().find(|fit| fit.id == id).map_or("", |fit| fit.head);
            respell(token, head)
        };
        if shape.is_telling() {
            let id = self.only(&ids).or_else(|| {
                self.called(beside.before)
                    .iter()
                    .copied()
                    .find(|id| ids.contains(id))
            });
            return id.map(|id| (id, spelled(id))).or_else(|| self.shorter(token));
        }
        for id in self.called(beside.before) {
            if let Some(value) = self.seen.get(&(*id, token.to_owned())) {
                return value.clone().map(|value| (*id, value));
            }
            let long =
                token.len() >= BARE_DIGITS_MIN && !self.known.shapes().knows(*id) && !self.local.knows(*id);
            if ids.contains(id) || (shape.is_number() && long) {
                return Some((*id, token.to_owned()));
            }
        }
        let marked = beside.before.ends_with('#') || beside.alone;
        let long = shape.is_number()
            && token.len() >= BARE_DIGITS_MIN
            && beside.is_no_amount()
            && !token.starts_with('0');
        let mixed = token.bytes().any(|b| b.is_ascii_alphabetic());
        let exact: Vec<usize> = fitting
            .iter()
            .filter(|fit| fit.exact || mixed)
            .map(|fit| fit.id)
            .collect();
        let id = self
            .only(&exact)
            .filter(|_| marked || long || mixed || shape.is_number() && beside.calls_a_number(token))
            .or_else(|| {
                let known = self.numbers.get(token).copied().flatten();
                known.filter(|_| beside.is_no_amount() && !beside.is_counted())
            })?;
        Some((id, token.to_owned()))
    }

    /// An id with words glued to it, as in `PR-3301-oslo-lounge-chair`.
    fn shorter(&self, token: &str) -> Option<(usize, String)> {
        let mut rest = token;
        while let Some((head, _)) = rest.rsplit_once('-') {
            rest = head;
            let shape = Shape::of(rest)
                .filter(|shape| shape.is_telling() && rest.bytes().any(|b| b.is_ascii_digit()));
            let ids: Vec<usize> = shape
                .iter()
                .flat_map(|shape| self.fitting(shape))
                .map(|fit| fit.id)
                .collect();
            if let Some(id) = self.only(&ids) {
                return Some((id, rest.to_owned()));
            }
        }
        None
    }

    /// The ids that the words right before name: "order no. ".
    fn called(&self, before: &str) -> &[usize] {
        let tail = before
            .char_indices()
            .rev()
            .nth(40)
            .map_or(before, |(at, _)| &before[at..]);
        let tail = tail.trim_end_matches(|c: char| c.is_whitespace() || "#:°(\"'=".contains(c));
        let mut rest = tail;
        loop {
            let cut = rest.trim_end_matches(|c: char| c.is_whitespace() || "#:.°".contains(c));
            let word = cut
                .rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
                .next()
                .unwrap_or_default();
            if word.is_empty() {
                return &[];
            }
            let ids = self.known.of_entity(word);
            if !ids.is_empty() {
                return ids;
            }
            if !FILLERS.contains(&word.to_lowercase().as_str()) {
                return &[];
            }
            rest = &cut[..cut.len() - word.len()];
        }
    }
}

fn trailing_digits(value: &str) -> &str {
    let digits = value.bytes().rev().take_while(u8::is_ascii_digit).count();
    &value[value.len() - digits..]
}

/// A token with its head spelled as it is known: `inv-2291` as `INV-2291`.
fn respell(token: &str, head: &str) -> String {
    let same = token
        .get(..head.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(head) && start != head);
    if !same {
        return token.to_owned();
    }
    if head.bytes().all(|b| b.is_ascii_uppercase()) {
        return token.to_ascii_uppercase();
    }
    format!("{head}{}", &token[head.len()..])
}
