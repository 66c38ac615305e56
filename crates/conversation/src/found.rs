//! Which ids stand in a conversation, where, and with which value?

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use handpick_domain::Message;

use crate::agent::Agent;
use crate::id_name::IdName;

mod json;
mod known;
mod shape;
#[cfg(test)]
mod tests;
mod text;

pub use known::KnownIds;

use json::{Beside, Source, Walk, Walked};
use shape::Shapes;
use text::Reader;

/// Most values of one id that are told of one result, argument list or text; more are only counted.
const VALUES_MAX: usize = 200;

/// The page a user is on (T30).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its address.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

/// One mention of an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundId {
    /// Which id it is, among those that the catalog's parameters and `produces` name.
    pub name: IdName,
    /// Its value.
    pub value: String,
    /// Number of the message it stands in: 0 is the oldest of the history, `history.len()` the new message, and the
    /// page comes before all (see [`Place::Page`]).
    pub message: usize,
    /// In what part of it.
    pub place: Place,
    /// How many different values of this id the same result, argument list or text holds: a list of seven orders says
    /// less about which one is meant than a single one does.
    pub siblings: usize,
    /// Whether it is called by its name. One that is only known by its looks may be there in a role of its own, as the
    /// user in `{"approver": "u-55"}`.
    pub is_called: bool,
    /// The element of a list it stands in, counted within the place; 0 outside of lists.
    pub element: usize,
    /// Names of the thing that stand beside the id, in lower case.
    pub names: Arc<str>,
    /// Other short values that stand beside it.
    pub attributes: Arc<str>,
}

/// The part of a message an id stands in, least telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Address or title of the page.
    Page,
    /// The words of a message.
    Text,
    /// The result of the call with this number within the message.
    Result(usize),
    /// The arguments of the call with this number within the message.
    Argument(usize),
}

/// Every mention of an id, in the order of the conversation: page, history, new message. Within a message: calls in
/// order (arguments, then result), then its text.
pub fn ids(agent: &Agent, history: &[Message], message: &str, page: Option<&Page>) -> Vec<FoundId> {
    let known = agent.ids();
    let calls: Vec<(usize, Place, Source<'_>)> = history
        .iter()
        .enumerate()
        .flat_map(|(number, message)| {
            message
                .tool_calls
                .iter()
                .enumerate()
                .map(move |(call, made)| (number, call, made))
        })
        .flat_map(|(number, call, made)| {
            let places = [Place::Argument(call), Place::Result(call)];
            places
                .into_iter()
                .zip(Walk::call(known, made))
                .map(move |(place, source)| (number, place, source))
        })
        .collect();
    let mut local = Shapes::default();
    for named in calls
        .iter()
        .filter_map(|(.., source)| json(source))
        .flat_map(|walked| &walked.named)
    {
        local.learn(named.id, &named.value);
    }
    let reader = Reader {
        known,
        local: &local,
        seen: HashMap::new(),
        numbers: HashMap::new(),
    };
    let mut finder = Finder {
        reader,
        found: Vec::new(),
    };
    if let Some(page) = page {
        finder.page(page);
    }
    let mut calls = calls.into_iter().peekable();
    for (number, said) in history.iter().enumerate() {
        while let Some((_, place, source)) = calls.next_if(|(of, ..)| *of == number) {
            match source {
                Source::Json(walked) => finder.json(number, place, walked),
                Source::Text(text) => finder.text(number, place, text),
            }
        }
        finder.text(number, Place::Text, &said.content);
    }
    finder.text(history.len(), Place::Text, message);
    finder.found
}

fn json<'a>(source: &'a Source<'_>) -> Option<&'a Walked> {
    match source {
        Source::Json(walked) => Some(walked),
        Source::Text(_) => None,
    }
}

/// One id of one place, before it is counted.
struct Raw {
    id: usize,
    value: String,
    is_called: bool,
    element: usize,
    beside: usize,
}

impl Raw {
    fn called(id: usize, value: String, element: usize, beside: usize) -> Self {
        Self {
            id,
            value,
            is_called: true,
            element,
            beside,
        }
    }
}

struct Finder<'a> {
    reader: Reader<'a>,
    found: Vec<FoundId>,
}

impl Finder<'_> {
    fn page(&mut self, page: &Page) {
        let mut raws: Vec<(usize, String)> = Vec::new();
        if let Some(url) = &page.url {
            raws.extend(self.reader.address(url));
        }
        if let Some(title) = &page.title {
            // The address is made by a program, the title by people.
            let addressed: HashSet<usize> = raws.iter().map(|(id, _)| *id).collect();
            let titled = self.reader.text(title).into_iter();
            let titled = titled.filter(|spotted| !addressed.contains(&spotted.id));
            raws.extend(titled.map(|spotted| (spotted.id, spotted.value)));
        }
        let names = page
            .title
            .as_deref()
            .unwrap_or_default()
            .chars()
            .take(120)
            .flat_map(char::to_lowercase)
            .collect();
        let besides = [Beside {
            names,
            attributes: String::new(),
        }];
        let raws = raws.into_iter().map(|(id, value)| Raw::called(id, value, 0, 0));
        self.add(0, Place::Page, raws.collect(), &besides);
    }

    fn text(&mut self, number: usize, place: Place, text: &str) {
        let spotted = self.reader.text(text);
        let several = spotted.len() > 1;
        let mut besides = Vec::with_capacity(spotted.len());
        let mut raws = Vec::with_capacity(spotted.len());
        for (order, spotted) in spotted.into_iter().enumerate() {
            let lead = &text[spotted.from..spotted.at];
            let lead = lead
                .char_indices()
                .rev()
                .nth(80)
                .map_or(lead, |(at, _)| &lead[at..]);
            besides.push(Beside {
                names: String::new(),
                attributes: lead.to_lowercase(),
            });
            let element = if several { order + 1 } else { 0 };
            raws.push(Raw::called(spotted.id, spotted.value, element, order));
        }
        self.add(number, place, raws, &besides);
    }

    fn json(&mut self, number: usize, place: Place, walked: Walked) {
        let named: HashSet<usize> = walked.named.iter().map(|named| named.id).collect();
        let mut raws: Vec<Raw> = walked
            .named
            .into_iter()
            .map(|named| Raw::called(named.id, named.value, named.element, named.element))
            .collect();
        // What only looks like an id counts where nothing in the same place is called by its name.
        let mut entities: HashMap<&str, &[usize]> = HashMap::new();
        for leaf in &walked.leaves {
            if !entities.contains_key(leaf.member.as_str()) {
                entities.insert(&leaf.member, self.reader.known.of_entity(&leaf.member));
            }
            let of_member = entities[leaf.member.as_str()];
            let spotted = match self.reader.value(of_member, &leaf.value) {
                Some(one) => vec![one],
                None if leaf.value.contains(' ') => self
                    .reader
                    .text(&leaf.value)
                    .into_iter()
                    .map(|spotted| (spotted.id, spotted.value))
                    .collect(),
                None => Vec::new(),
            };
            for (id, value) in spotted.into_iter().filter(|(id, _)| !named.contains(id)) {
                let is_called = of_member.contains(&id);
                raws.push(Raw {
                    is_called,
                    ..Raw::called(id, value, leaf.element, leaf.element)
                });
            }
        }
        self.add(number, place, raws, &walked.elements);
    }

    fn add(&mut self, message: usize, place: Place, raws: Vec<Raw>, besides: &[Beside]) {
        let mut values: HashMap<usize, HashSet<&str>> = HashMap::new();
        for raw in &raws {
            values.entry(raw.id).or_default().insert(&raw.value);
        }
        let counts: HashMap<usize, usize> = values
            .into_iter()
            .map(|(id, values)| (id, values.len()))
            .collect();
        let mut told: HashSet<(usize, usize, String)> = HashSet::new();
        let mut told_of: HashMap<usize, usize> = HashMap::new();
        let mut shared: HashMap<usize, (Arc<str>, Arc<str>)> = HashMap::new();
        for raw in raws {
            let count = told_of.entry(raw.id).or_default();
            if *count >= VALUES_MAX || !told.insert((raw.id, raw.element, raw.value.clone())) {
                continue;
            }
            *count += 1;
            self.reader.see(raw.id, &raw.value);
            let (names, attributes) = shared.entry(raw.beside).or_insert_with(|| {
                let beside = besides.get(raw.beside);
                let text = |of: fn(&Beside) -> &str| Arc::from(beside.map_or("", of));
                (text(|beside| &beside.names), text(|beside| &beside.attributes))
            });
            self.found.push(FoundId {
                name: self.reader.known.names()[raw.id].clone(),
                value: raw.value,
                message,
                place,
                siblings: counts[&raw.id],
                is_called: raw.is_called,
                element: raw.element,
                names: Arc::clone(names),
                attributes: Arc::clone(attributes),
            });
        }
    }
}
