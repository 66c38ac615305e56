//! What holds after each message, and what belongs to what?

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use handpick_domain::{Message, Role};

use super::Resolved;
use super::choice::{self, Thing};
use crate::agent::Agent;
use crate::found::{FoundId, Place};
use crate::id_name::IdName;

mod calls;
mod leaving;
mod people;

/// How many things of a conversation are remembered by name.
const THINGS_MAX: usize = 500;

/// In how many of the last messages words are read for what they choose.
const CHOSEN: usize = 20;

/// How many steps up what belongs to what is followed.
const OWNERS_MAX: usize = 8;

/// One value of one id.
pub(super) type Id = (IdName, String);

/// Where a value came from first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Somebody named it, or asked for it by name: it is what is talked about.
    Talk,
    /// Nobody asked for it: it came from a list of everything there is, or the model knew it.
    Aside,
    /// The page shows it.
    Page,
}

/// The state of a conversation, message by message.
#[derive(Clone)]
pub(super) struct Ledger<'a> {
    agent: &'a Agent,
    history: &'a [Message],
    holds: BTreeMap<IdName, String>,
    stale: BTreeMap<IdName, String>,
    open: BTreeMap<IdName, Vec<String>>,
    /// Where each value came from first, and how many came before it.
    origins: HashMap<Id, (Origin, usize)>,
    owners: HashMap<Id, Id>,
    /// The latest of each id that belongs to a value.
    belongings: HashMap<Id, BTreeMap<IdName, String>>,
    things: Vec<Thing>,
    /// Records that were found by a name, or have one: another name can take their place.
    named: HashSet<Id>,
    /// What the new message comes back to.
    returned: BTreeSet<Id>,
    /// The different values of each id, in the order they came, and the id that was touched last.
    seen: HashMap<IdName, Vec<String>>,
    touched: Option<IdName>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(agent: &'a Agent, history: &'a [Message]) -> Self {
        Self {
            agent,
            history,
            holds: BTreeMap::new(),
            stale: BTreeMap::new(),
            open: BTreeMap::new(),
            origins: HashMap::new(),
            owners: HashMap::new(),
            belongings: HashMap::new(),
            things: Vec::new(),
            named: HashSet::new(),
            returned: BTreeSet::new(),
            seen: HashMap::new(),
            touched: None,
        }
    }

    pub(super) fn into_resolved(self) -> Resolved {
        let Self {
            holds,
            mut stale,
            mut open,
            ..
        } = self;
        stale.retain(|name, value| holds.get(name) != Some(value));
        open.retain(|name, _| !holds.contains_key(name));
        Resolved {
            values: holds,
            stale,
            open,
        }
    }

    pub(super) fn page(&mut self, found: &[FoundId]) {
        for id in found {
            self.establish(&id.id(), None, Origin::Page);
        }
        self.take(found, false);
    }

    /// Reads a message of the history with the ids in it.
    pub(super) fn message(&mut self, number: usize, said: &Message, found: &[FoundId]) {
        let (calls, words) = found.split_at(found.partition_point(|id| id.place != Place::Text));
        let mut arguments: &[FoundId] = &[];
        for group in calls.chunk_by(|a, b| a.place == b.place) {
            match group[0].place {
                Place::Argument(_) => {
                    arguments = group;
                    self.arguments(group);
                }
                Place::Result(call) => {
                    let same = arguments
                        .first()
                        .is_some_and(|id| id.place == Place::Argument(call));
                    self.result(number, call, if same { arguments } else { &[] }, group);
                }
                Place::Page | Place::Text => {}
            }
        }
        self.forget_series(said, calls);
        // What was chosen long ago was called with since.
        let content = if number + CHOSEN >= self.history.len() {
            said.content.as_str()
        } else {
            ""
        };
        match said.role {
            Role::User => {
                self.user_words(content, words);
            }
            Role::Assistant => self.assistant_words(content, calls, words),
        }
    }

    fn assistant_words(&mut self, content: &str, calls: &[FoundId], words: &[FoundId]) {
        for id in words {
            self.establish(&id.id(), None, Origin::Aside);
        }
        // What a call touched says more than what the words about it mention besides.
        let touched = |id: &FoundId| {
            let held = self.holds.get(&id.name);
            calls
                .iter()
                .any(|call| call.name == id.name && held == Some(&call.value))
        };
        let words: Vec<FoundId> = words.iter().filter(|id| !touched(id)).cloned().collect();
        self.take(&words, false);
        let chosen = choice::by_name(content, &self.things);
        for id in chosen {
            let untold = words.iter().all(|told| told.name != id.0);
            if untold && self.open.contains_key(&id.0) && !self.holds.contains_key(&id.0) {
                self.hold(&id);
            }
        }
    }

    /// Takes what the user's words say; returns what they name.
    fn user_words(&mut self, content: &str, words: &[FoundId]) -> BTreeSet<Id> {
        let mut named: BTreeSet<Id> = BTreeSet::new();
        let words = choice::meant(words);
        for id in &words {
            self.establish(&id.id(), None, Origin::Talk);
            named.insert(id.id());
        }
        self.take(&words, true);
        let mut chosen = choice::of_user(content, &self.things, &self.holds);
        if chosen.is_empty() && choice::says_other(content) {
            chosen.extend(self.other());
        }
        for id in chosen {
            if words.iter().all(|told| told.name != id.0) {
                self.talked_of(&id);
                self.hold(&id);
                named.insert(id);
            }
        }
        named
    }

    /// The other one of the only two values of the id that was touched last.
    fn other(&self) -> Option<Id> {
        let name = self.touched.as_ref()?;
        let held = self.holds.get(name)?;
        match self.seen.get(name).map(Vec::as_slice) {
            Some([one, other]) => {
                let other = if one == held { other } else { one };
                Some((name.clone(), other.clone()))
            }
            _ => None,
        }
    }

    fn remember(&mut self, thing: Thing) {
        if self.things.len() >= THINGS_MAX {
            self.things.drain(..THINGS_MAX / 2);
        }
        self.things.push(thing);
    }

    fn origin(&self, id: &Id) -> Option<Origin> {
        self.origins.get(id).map(|(origin, _)| *origin)
    }

    fn talked_of(&mut self, id: &Id) {
        let order = self.origins.len();
        self.origins.entry(id.clone()).or_insert((Origin::Talk, order)).0 = Origin::Talk;
    }

    fn establish(&mut self, id: &Id, owner: Option<Id>, origin: Origin) {
        if self.origins.contains_key(id) {
            return;
        }
        self.origins.insert(id.clone(), (origin, self.origins.len()));
        self.seen.entry(id.0.clone()).or_default().push(id.1.clone());
        if let Some(owner) = owner.filter(|owner| owner.0 != id.0) {
            self.belongings
                .entry(owner.clone())
                .or_default()
                .insert(id.0.clone(), id.1.clone());
            self.owners.insert(id.clone(), owner);
        }
    }

    /// Takes the ids of one place: a single value holds, several are a choice. A value in force that is among them
    /// stays in force, unless the user names them all.
    fn take<'f>(&mut self, group: impl IntoIterator<Item = &'f FoundId>, by_user: bool) {
        let mut values: BTreeMap<&IdName, Vec<&FoundId>> = BTreeMap::new();
        for id in group {
            values.entry(&id.name).or_default().push(id);
        }
        for (name, ids) in values {
            let held = self.holds.get(name).cloned();
            if held.is_some() && !ids[0].is_called {
                continue;
            }
            if ids.iter().all(|id| id.value == ids[0].value) {
                self.hold(&ids[0].id());
                continue;
            }
            let is_among = |held: &String| ids.iter().any(|id| id.value == *held);
            if !by_user && held.as_ref().is_some_and(is_among) {
                continue;
            }
            if let Some(held) = held {
                self.holds.remove(name);
                self.drop_belongings(&(name.clone(), held));
            }
            let values = ids.into_iter().map(|id| id.value.clone()).collect();
            self.open.insert(name.clone(), values);
        }
    }

    /// Puts a value in force, and with it what it belongs to and what belongs to it.
    fn hold(&mut self, id: &Id) {
        let owners: Vec<Id> = self.owners_of(id).cloned().collect();
        let old = self.holds.get(&id.0).filter(|old| **old != id.1).cloned();
        if let Some(old) = old.map(|old| (id.0.clone(), old)) {
            // A record that the new one belongs to, as an invoice to its customer, is not the old one's alone.
            for owner in &owners {
                if self.owners.get(owner) == Some(&old) {
                    self.owners.remove(owner);
                }
            }
        }
        self.put(id);
        let mut placed = BTreeSet::from([&id.0]);
        for owner in owners.iter().take_while(|owner| placed.insert(&owner.0)) {
            if self.holds.get(&owner.0).is_some_and(|held| *held != owner.1) {
                self.put(owner);
            }
        }
        let mut revived = vec![id.clone()];
        while let Some(owner) = revived.pop() {
            for (name, value) in self.belongings.get(&owner).cloned().unwrap_or_default() {
                if self.stale.get(&name) == Some(&value) && !self.holds.contains_key(&name) {
                    self.stale.remove(&name);
                    self.holds.insert(name.clone(), value.clone());
                    revived.push((name, value));
                }
            }
        }
    }

    fn put(&mut self, id: &Id) {
        let old = self.holds.insert(id.0.clone(), id.1.clone());
        if let Some(old) = old.filter(|old| *old != id.1) {
            let old = (id.0.clone(), old);
            self.drop_belongings(&old);
            self.drop_beside(&old, id);
        }
    }

    fn drop_belongings(&mut self, of: &Id) {
        let gone: Vec<Id> = self
            .holds
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .filter(|id| self.belongs(id, of))
            .collect();
        for (name, value) in gone {
            self.holds.remove(&name);
            self.stale.insert(name, value);
        }
    }

    /// What stood in one row with the old value goes with it, where nobody speaks of that row any more.
    fn drop_beside(&mut self, old: &Id, new: &Id) {
        let Some(row) = self.owners.get(old).cloned() else {
            return;
        };
        let is_left =
            self.owners.get(new) != Some(&row) && self.holds.get(&row.0) != Some(&row.1) && *new != row;
        if is_left {
            self.drop_belongings(&row);
        }
    }

    /// Whether both belong to the same record.
    fn is_beside(&self, id: &Id, other: &Id) -> bool {
        let owner = self.owners.get(id);
        owner.is_some() && owner == self.owners.get(other)
    }

    fn belongs(&self, id: &Id, to: &Id) -> bool {
        self.owners_of(id).any(|owner| owner == to)
    }

    fn owners_of<'s>(&'s self, id: &'s Id) -> impl Iterator<Item = &'s Id> {
        std::iter::successors(self.owners.get(id), |owner| self.owners.get(*owner)).take(OWNERS_MAX)
    }
}

/// `candidate` of `lead_candidate_id`.
fn last_word(name: &IdName) -> &str {
    name.entity().rsplit('_').next().unwrap_or_default()
}

impl FoundId {
    pub(super) fn id(&self) -> Id {
        (self.name.clone(), self.value.clone())
    }

    pub(super) fn is_on_page(&self) -> bool {
        self.place == Place::Page
    }
}
