//! Which place in a list is meant: "the second", "last one", "2"?

use super::{ARTICLES, Thing};
use crate::resolved::ledger::Id;

/// Words that count in order, from the first.
const ORDINALS: &[(&str, isize)] = &[
    ("first", 1),
    ("1st", 1),
    ("1", 1),
    ("erste", 1),
    ("ersten", 1),
    ("primero", 1),
    ("primera", 1),
    ("primer", 1),
    ("premier", 1),
    ("première", 1),
    ("primeiro", 1),
    ("primeira", 1),
    ("primo", 1),
    ("prima", 1),
    ("eerste", 1),
    ("former", 1),
    ("second", 2),
    ("2nd", 2),
    ("2", 2),
    ("zweite", 2),
    ("zweiten", 2),
    ("segundo", 2),
    ("segunda", 2),
    ("deuxième", 2),
    ("seconde", 2),
    ("secondo", 2),
    ("seconda", 2),
    ("tweede", 2),
    ("third", 3),
    ("3rd", 3),
    ("3", 3),
    ("dritte", 3),
    ("dritten", 3),
    ("tercero", 3),
    ("tercera", 3),
    ("tercer", 3),
    ("troisième", 3),
    ("terceiro", 3),
    ("terceira", 3),
    ("terzo", 3),
    ("terza", 3),
    ("derde", 3),
    ("fourth", 4),
    ("4th", 4),
    ("4", 4),
    ("last", -1),
    ("latter", -1),
    ("later", -1),
    ("letzte", -1),
    ("letzten", -1),
    ("último", -1),
    ("última", -1),
    ("dernier", -1),
    ("dernière", -1),
    ("ultimo", -1),
    ("ultima", -1),
    ("laatste", -1),
    ("bottom", -1),
    ("top", 1),
];

pub(super) fn by_order(spoken: &[String], list: &[&Thing]) -> Option<Vec<Id>> {
    let places: Vec<isize> = spoken
        .iter()
        .enumerate()
        .filter(|(at, word)| is_choice(spoken, *at, word))
        .filter_map(|(_, word)| ORDINALS.iter().find(|(ordinal, _)| ordinal == word))
        .map(|(_, place)| *place)
        .collect();
    let [place] = places.as_slice() else {
        return None;
    };
    let index = match place {
        -1 => list.len() - 1,
        place => usize::try_from(place - 1).ok()?,
    };
    list.get(index).map(|thing| thing.ids.clone())
}

/// Whether a word can point to a place in a list: "the second", "second one", "2", but not "wait a second" and
/// "2 seats".
fn is_choice(spoken: &[String], at: usize, word: &str) -> bool {
    if word.bytes().all(|b| b.is_ascii_digit()) {
        return spoken.len() == 1;
    }
    let before = at.checked_sub(1).map(|before| spoken[before].as_str());
    let after = spoken.get(at + 1).map(String::as_str);
    before.is_none_or(|before| ARTICLES.contains(&before)) || matches!(after, Some("one" | "ones"))
}
