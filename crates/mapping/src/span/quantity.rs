//! Which numbers, amounts, days, times and lengths stand in a text?

use super::token::{Kind, Tokens};
use super::{Found, What, duration, moment, money, number, period, starter};
use crate::{Now, Span};

/// Every reading from left to right: of readings that begin at the same place the longest is told, several where
/// they are equally long.
pub(super) fn read(t: &Tokens<'_>, now: Now) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < t.len() {
        match longest(t, at, now) {
            Some(found) if found.next > at => {
                spans.extend(found.spans);
                at = found.next;
            }
            _ => at += 1,
        }
    }
    spans
}

/// The longest reading that begins at this token.
pub(super) fn longest(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    if may_begin(t, at) { every(t, at, now) } else { None }
}

/// The same, asked of every reading.
pub(super) fn every(t: &Tokens<'_>, at: usize, now: Now) -> Option<Found> {
    let readings = [
        period::read(t, at, now.local.date()),
        moment::read(t, at, now),
        moment::day(t, at, now),
        moment::time(t, at, now),
        duration::read(t, at),
        money::read(t, at),
        money::percent(t, at),
        number::read(t, at).map(|number| {
            let values = [Some(number.value), number.other].into_iter().flatten();
            Found::of(t, at, number.next, values.map(What::Number))
        }),
    ];
    readings
        .into_iter()
        .flatten()
        .filter(Found::some)
        .reduce(|mut best, next| {
            if next.next > best.next {
                return next;
            }
            if next.next == best.next && best.same_place(&next) {
                best.spans.extend(next.spans);
            }
            best
        })
}

/// Whether anything can begin with such a token; a fast no for most of a long text.
pub(super) fn may_begin(t: &Tokens<'_>, at: usize) -> bool {
    match t.kind(at) {
        Some(Kind::Word) => starter::begins(t, at),
        Some(Kind::Digits) => true,
        Some(Kind::Sign) => match t.sign(at) {
            '$' | '€' | '£' | '¥' | '₹' | '₩' | '₺' | '₴' | '₪' | '₫' | '½' | '¼' | '¾' => {
                true
            }
            '.' => !t.joined(at) && t.digits(at + 1).is_some(),
            '-' | '−' => !t.joined(at) && t.joined(at + 1),
            '@' => t.kind(at + 1).is_some_and(|kind| kind != Kind::Sign),
            _ => false,
        },
        _ => false,
    }
}
