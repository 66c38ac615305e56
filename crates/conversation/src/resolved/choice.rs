//! Which of the things a list showed does somebody mean?

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::ledger::Id;
use crate::found::FoundId;
use crate::id_name::IdName;

mod months;
mod order;

use months::{months, months_of_dates};
use order::by_order;

/// Words of names that many names have.
const COMMON: &[&str] = &[
    "and", "com", "corp", "dr", "example", "for", "gmbh", "group", "inc", "llc", "ltd", "mail", "miss", "mr",
    "mrs", "ms", "net", "org", "the", "und", "www",
];

/// Words before a place in a list.
const ARTICLES: &[&str] = &[
    "the", "der", "die", "das", "den", "dem", "el", "la", "lo", "le", "il", "o", "de", "het", "this", "that",
];

/// Words for the one of two that is not in force.
const OTHER: &[&str] = &[
    "other", "andere", "anderen", "otro", "otra", "outro", "outra", "autre", "altro", "altra", "ander",
];

/// Words right before what is not meant.
const DENIALS: &[&str] = &[
    "not",
    "instead of",
    "rather than",
    "nicht",
    "statt",
    "anstatt",
    "no",
    "en vez de",
    "en lugar de",
    "não",
    "em vez de",
    "pas",
    "au lieu de",
    "non",
    "invece di",
    "niet",
    "in plaats van",
    "nie",
    "zamiast",
];

/// A record of a result: its ids and what stands beside them.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    /// The message and the call whose result it is in.
    list: (usize, usize),
    ids: Vec<Id>,
    /// What stands beside the ids; few things are ever asked for their words.
    beside: [Arc<str>; 2],
    names: OnceCell<HashSet<String>>,
    attributes: OnceCell<HashSet<String>>,
}

impl Thing {
    pub(super) fn of(number: usize, call: usize, element: &[&FoundId]) -> Self {
        let mut values: BTreeMap<&IdName, Vec<&str>> = BTreeMap::new();
        for id in element {
            values.entry(&id.name).or_default().push(&id.value);
        }
        let ids = values
            .into_iter()
            .filter(|(_, values)| values.len() == 1)
            .map(|(name, values)| (name.clone(), values[0].to_owned()))
            .collect();
        let first = element.first();
        let beside =
            |of: fn(&FoundId) -> &Arc<str>| first.map_or_else(|| Arc::from(""), |id| Arc::clone(of(id)));
        Self {
            list: (number, call),
            ids,
            beside: [beside(|id| &id.names), beside(|id| &id.attributes)],
            names: OnceCell::new(),
            attributes: OnceCell::new(),
        }
    }

    /// The words of its names.
    fn names(&self) -> &HashSet<String> {
        self.names.get_or_init(|| words(&self.beside[0]).collect())
    }

    /// The words of what else it says, and the months of its dates.
    fn attributes(&self) -> &HashSet<String> {
        self.attributes.get_or_init(|| {
            let text = &*self.beside[1];
            words(text).chain(months_of_dates(text)).collect()
        })
    }
}

/// Words that can tell one thing from another.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 3 || word.bytes().any(|b| b.is_ascii_digit()))
        .map(str::to_lowercase)
        .filter(|word| !COMMON.contains(&word.as_str()))
}

/// The ids of the one thing that a text calls by name.
pub(super) fn by_name(text: &str, things: &[Thing]) -> Vec<Id> {
    named(&words(text).collect(), things)
}

/// The ids of the things that a text has the most words of the names of.
fn named(said: &HashSet<String>, things: &[Thing]) -> Vec<Id> {
    if said.is_empty() {
        return Vec::new();
    }
    let latest = latest_list(things).map(|list| list[0].list);
    // "van 22" is not "van 14".
    let is_number = |word: &&String| word.bytes().all(|b| b.is_ascii_digit());
    let numbers: HashSet<&String> = said.iter().filter(is_number).collect();
    let fits = |thing: &&Thing| {
        let mut own = thing.names().iter().filter(is_number).peekable();
        numbers.is_empty() || own.peek().is_none() || own.any(|number| numbers.contains(number))
    };
    let heard: Vec<(&Thing, HashSet<&String>)> = things
        .iter()
        .filter(fits)
        .map(|thing| (thing, thing.names().intersection(said).collect::<HashSet<_>>()))
        .filter(|(thing, words)| {
            // Of what is not on the table half of the name has to be said.
            let is_shown = latest == Some(thing.list) && !words.is_empty();
            is_shown || !words.is_empty() && words.len() * 2 >= thing.names().len()
        })
        .collect();
    let Some((_, most)) = heard.iter().max_by_key(|(_, words)| words.len()) else {
        return Vec::new();
    };
    // Two names in one text choose nothing.
    if heard.iter().any(|(_, words)| !words.is_subset(most)) {
        return Vec::new();
    }
    let best = heard.iter().filter(|(_, words)| words.len() == most.len());
    agreed(best.map(|(thing, _)| *thing))
}

/// The ids of what the user chooses: by name; of the latest list by its place in it, or by what else it says; the other
/// one of two; or "the frozen one" of all things.
pub(super) fn of_user(text: &str, things: &[Thing], holds: &BTreeMap<IdName, String>) -> Vec<Id> {
    if text.is_empty() {
        return Vec::new();
    }
    let said: HashSet<String> = words(text).collect();
    let named = named(&said, things);
    if !named.is_empty() {
        return named;
    }
    let spoken: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let held = |thing: &Thing| {
        thing
            .ids
            .iter()
            .any(|(name, value)| holds.get(name) == Some(value))
    };
    if says_other(text) {
        let pair = lists(things).find(|list| list.iter().any(held));
        let count = |thing: &Thing| {
            thing
                .ids
                .iter()
                .filter(|(name, value)| holds.get(name) == Some(value))
                .count()
        };
        return match pair {
            Some([one, other]) if count(one) != count(other) => {
                if count(one) > count(other) {
                    other.ids.clone()
                } else {
                    one.ids.clone()
                }
            }
            _ => Vec::new(),
        };
    }
    let months: HashSet<String> = months(&spoken).collect();
    // "compare with august": of a list, the one of that month, where it is not the one that holds.
    let by_month = lists(things).find_map(|list| {
        let of_month = |thing: &&Thing| months.iter().any(|month| thing.attributes().contains(month));
        let mut found = list.iter().filter(of_month);
        match (found.next(), found.next()) {
            (Some(one), None) => Some(one.ids.clone()),
            _ => None,
        }
    });
    if let Some(ids) = by_month {
        return ids;
    }
    if let Some(list) = latest_list(things)
        && list.iter().any(held)
    {
        return told_apart(list, &said, held);
    }
    if let Some(list) = latest_list(things)
        && !list.iter().any(held)
    {
        let list: Vec<&Thing> = list.iter().collect();
        return by_order(&spoken, &list)
            .unwrap_or_else(|| best(list.iter().copied(), |thing| told(thing.attributes(), &said)));
    }
    let described: HashSet<String> = spoken
        .windows(2)
        .filter(|pair| pair[1] == "one" || pair[1] == "ones")
        .map(|pair| pair[0].clone())
        .collect();
    best(things.iter(), |thing| {
        thing.attributes().intersection(&described).count()
    })
}

/// The ids of a message without those it takes back: "INV-2, not INV-1".
pub(super) fn meant(found: &[FoundId]) -> Vec<FoundId> {
    let is_denied = |id: &&FoundId| {
        let lead = id.attributes.trim_end_matches([' ', '#']);
        DENIALS.iter().any(|denial| {
            let before = lead.strip_suffix(denial);
            before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
        })
    };
    let denied = |id: &&FoundId| {
        is_denied(id)
            && found
                .iter()
                .any(|other| other.name == id.name && !is_denied(&other))
    };
    found.iter().filter(|id| !denied(id)).cloned().collect()
}

/// Whether a text speaks of the other one.
pub(super) fn says_other(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| OTHER.contains(&word.to_lowercase().as_str()))
}

/// The one of a list that does not hold and has a word of its own in the text, where the one that holds has none.
fn told_apart(list: &[Thing], said: &HashSet<String>, held: impl Fn(&Thing) -> bool) -> Vec<Id> {
    let own = |thing: &Thing| {
        let word = |word: &&String| word.chars().all(char::is_alphabetic) && said.contains(*word);
        thing.attributes().iter().filter(word).any(|word| {
            list.iter()
                .filter(|other| other.attributes().contains(word))
                .count()
                == 1
        })
    };
    let mut told = list.iter().filter(|thing| own(thing));
    match (told.next(), told.next()) {
        (Some(one), None) if !held(one) => one.ids.clone(),
        _ => Vec::new(),
    }
}

/// How many of a thing's other values are said; "87" is said of 1987, too.
fn told(attributes: &HashSet<String>, said: &HashSet<String>) -> usize {
    let ends = |word: &String| {
        word.len() == 2
            && attributes
                .iter()
                .any(|of| of.len() == 4 && of.ends_with(word.as_str()))
    };
    said.iter()
        .filter(|word| attributes.contains(*word) || ends(word))
        .count()
}

/// The results that listed several things, the latest first.
fn lists(things: &[Thing]) -> impl Iterator<Item = &[Thing]> {
    things
        .chunk_by(|a, b| a.list == b.list)
        .rev()
        .filter(|list| list.len() > 1)
}

/// The list that the latest message with results shows.
fn latest_list(things: &[Thing]) -> Option<&[Thing]> {
    let last = things.last()?;
    lists(things).next().filter(|list| list[0].list.0 == last.list.0)
}

/// The ids of the things with the highest count, where it is above nought: those on which all of them agree.
fn best<'a>(things: impl Iterator<Item = &'a Thing>, count: impl Fn(&Thing) -> usize) -> Vec<Id> {
    let mut most = 0;
    let mut winners: Vec<&Thing> = Vec::new();
    for thing in things {
        let count = count(thing);
        if count > most {
            most = count;
            winners.clear();
        }
        if count > 0 && count == most {
            winners.push(thing);
        }
    }
    agreed(winners.into_iter())
}

/// The ids on which things agree.
fn agreed<'a>(things: impl Iterator<Item = &'a Thing>) -> Vec<Id> {
    let mut values: BTreeMap<&IdName, HashSet<&str>> = BTreeMap::new();
    for (name, value) in things.flat_map(|thing| &thing.ids) {
        values.entry(name).or_default().insert(value);
    }
    let single = values.into_iter().filter(|(_, values)| values.len() == 1);
    single
        .flat_map(|(name, values)| {
            let value = values.into_iter().next()?;
            Some((name.clone(), value.to_owned()))
        })
        .collect()
}
