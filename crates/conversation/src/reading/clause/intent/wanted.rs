//! What is wanted after "can you", "can I", "I need", "if" and "and for"?

use super::{DONE, TOLD};
use crate::reading::clause::{Heard, Kind};
use crate::reading::lexicon::{Class, Classes, Language};
use crate::reading::tokens::Mark;

impl Heard<'_> {
    /// What is wanted after "can you".
    pub(super) fn wanted(&self, start: usize, end: usize, otherwise: Kind) -> Kind {
        let wanted = |at: &usize| {
            let token = &self.tokens[*at];
            // "sum up", "explain"
            if *at == start && token.longest(Classes::of(&[Class::Wh])) > token.longest(DONE) {
                return Some(Kind::Ask);
            }
            let length = token.longest(TOLD.with(DONE));
            let classes = token.phrase(length);
            if length == 0 {
                None
            } else if classes.meets(TOLD) {
                Some(Kind::Ask)
            } else if length == 1 && !classes.has(Class::Verb) && !self.is_object(at + 1) {
                None
            } else {
                Some(Kind::Order)
            }
        };
        let range = start..end.min(start + 7);
        if self.language.is_verb_last() {
            return (start..end).rev().find_map(|at| wanted(&at)).unwrap_or(otherwise);
        }
        range.into_iter().find_map(|at| wanted(&at)).unwrap_or(otherwise)
    }

    /// What is wanted after "can I": to get something is to have it done.
    pub(super) fn allowed(&self, start: usize, end: usize) -> Kind {
        let gets = self.tokens[start..end.min(start + 3)]
            .iter()
            .any(|token| token.classes().has(Class::Look) && !token.classes().has(Class::Know));
        let oneself = self.tokens[start..end]
            .iter()
            .any(|token| matches!(token.folded.as_str(), "myself" | "ourselves"));
        if gets && !oneself {
            Kind::Order
        } else {
            self.wanted(start, end.min(start + 7), Kind::Ask)
        }
    }

    pub(super) fn wish(&self, start: usize, end: usize) -> Kind {
        let near = self.tokens[start..end.min(start + 5)].iter();
        // "we need someone to look at it", "I need a second monitor": who wants to be told says so at once.
        let is_late = |at: usize| {
            self.language == Language::English && at > usize::from(self.tokens[start].folded == "to")
        };
        let told = near.clone().enumerate().any(|(at, token)| {
            let classes = token.classes();
            let is_told = classes.meets(TOLD) && !classes.has(Class::Verb);
            is_told
                && (!is_late(at) || classes.has(Class::Know) && !classes.meets(Classes::of(&[Class::Look])))
        });
        let told_last =
            self.language.is_verb_last() && end > start && self.tokens[end - 1].classes().meets(TOLD);
        let get = near
            .clone()
            .next()
            .is_some_and(|token| token.classes().has(Class::Verb))
            || near
                .clone()
                .nth(1)
                .is_some_and(|token| token.classes().has(Class::Verb))
                && near.clone().next().is_some_and(|token| token.folded == "to");
        if (told && !get) || told_last {
            Kind::Ask
        } else {
            Kind::Order
        }
    }

    /// "if it went up drop them a voucher" holds an order.
    pub(super) fn condition(&self, start: usize, end: usize) -> Kind {
        for at in start + 1..end {
            let length = self.tokens[at].longest(Classes::of(&[Class::Verb]));
            let before = &self.tokens[at - 1];
            let is_free = !before
                .classes()
                .meets(Classes::of(&[Class::Subject, Class::About]));
            if length > 0 && is_free && self.is_object(at + length) && at + length < end {
                return Kind::Order;
            }
        }
        Kind::Side
    }

    pub(super) fn repeat(&self, after: usize, end: usize, mark: Mark) -> Option<Kind> {
        if self.language.is_verb_last()
            && after < end
            && let Some(kind) = self.final_verb(after - 1, end)
        {
            return Some(kind);
        }
        for at in after..end {
            let token = &self.tokens[at];
            let length = token.longest(Classes::of(&[Class::Wish, Class::Can]));
            let classes = token.phrase(length);
            // "e gli servono": an article before a verb is a pronoun.
            if length > 0 && (at > after || self.language.asks_by_mark()) {
                return Some(if classes.meets(TOLD) {
                    Kind::Ask
                } else {
                    Kind::Order
                });
            }
        }
        let says = self.tokens[after..end]
            .iter()
            .any(|token| token.classes().has(Class::Finite) && token.classes().has(Class::Function));
        if says && self.language == Language::English {
            return (mark == Mark::Question).then_some(Kind::Ask);
        }
        Some(if after < end { Kind::Repeat } else { Kind::Fragment })
    }
}
