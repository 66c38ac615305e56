//! What holds after each message, and what belongs to what?

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use handpick_domain::{Message, Role};

use super::Resolved;
use super::choice::{self, Thing};
use crate::agent::Agent;
use crate::found::{FoundId, Place};
use crate::id_name::IdName;
use crate::prepared::RECENT;
use crate::reading::{self, Leaning, Reading};
use crate::words::{singular, words};

/// How many things of a conversation are remembered by name.
const THINGS_MAX: usize = 500;

/// In how many of the last messages words are read for what they choose.
const CHOSEN: usize = 20;

/// How many steps up what belongs to what is followed.
const OWNERS_MAX: usize = 8;

/// Words for people and organisations: a request is repeated for another of them more often than for another plan.
const SOMEBODY: &[&str] = &[
    "adjuster",
    "agent",
    "applicant",
    "attendee",
    "author",
    "beneficiary",
    "borrower",
    "buyer",
    "candidate",
    "carrier",
    "child",
    "claimant",
    "client",
    "clinician",
    "company",
    "contact",
    "contractor",
    "customer",
    "debtor",
    "doctor",
    "donor",
    "driver",
    "employee",
    "guardian",
    "guest",
    "handler",
    "holder",
    "household",
    "landlord",
    "lawyer",
    "lead",
    "member",
    "merchant",
    "org",
    "organisation",
    "organization",
    "owner",
    "parent",
    "participant",
    "partner",
    "passenger",
    "patient",
    "person",
    "player",
    "policyholder",
    "pupil",
    "recipient",
    "resident",
    "seller",
    "shopper",
    "speaker",
    "staff",
    "student",
    "subscriber",
    "supplier",
    "teacher",
    "team",
    "technician",
    "tenant",
    "trainer",
    "user",
    "vendor",
    "visitor",
    "worker",
];

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

    /// The ids that a user's message of the history left, as it looked when it came: until the assistant has found
    /// another record in place of one of them, they may still be meant.
    pub(super) fn left_by(&self, history: &[Message], number: usize, words: &[FoundId]) -> Vec<Id> {
        if number == 0 || number + RECENT < history.len() || self.holds.is_empty() {
            return Vec::new();
        }
        let content = &history[number].content;
        let reading = reading::read(content, &history[..number]);
        if !reading.new_subject {
            return Vec::new();
        }
        let mut after = self.clone();
        after.new_message(content, &reading, words);
        let gone = |(name, value): (&IdName, &String)| {
            (after.holds.get(name) != Some(value)).then(|| (name.clone(), value.clone()))
        };
        self.holds.iter().filter_map(gone).collect()
    }

    /// Another record has taken the place of one of these: now the others are left as well.
    pub(super) fn leave(&mut self, left: &[Id]) {
        let is_replaced = |(name, value): &Id| self.holds.get(name).is_some_and(|held| held != value);
        if !left.iter().any(is_replaced) {
            return;
        }
        for (name, value) in left {
            if self.holds.get(name) == Some(value) {
                self.holds.remove(name);
                self.stale.insert(name.clone(), value.clone());
            }
        }
    }

    fn arguments(&mut self, group: &[FoundId]) {
        for id in group {
            self.establish(&id.id(), None, Origin::Aside);
            // A group that was found for one person and is now used for another is nobody's.
            let elsewhere = |owner: &Id| {
                group
                    .iter()
                    .any(|other| other.name == owner.0 && other.value != owner.1)
            };
            if self.owners.get(&id.id()).is_some_and(elsewhere) {
                self.owners.remove(&id.id());
            }
        }
        self.take(group, false);
        if let Some(id) = group.iter().find(|id| id.siblings == 1) {
            self.touched = Some(id.name.clone());
        }
    }

    fn result(&mut self, number: usize, call: usize, arguments: &[FoundId], group: &[FoundId]) {
        let made = &self.history[number].tool_calls[call];
        let asked = arguments.is_empty() && made.arguments.values().any(serde_json::Value::is_string);
        let origin = if asked { Origin::Talk } else { Origin::Aside };
        // What a call could do without owns nothing of what it made.
        let needs = |at: usize| {
            let taken = self.agent.ids_taken(at);
            let needs = |id: &FoundId| taken.iter().any(|(name, needs)| *needs && *name == id.name);
            arguments.iter().any(needs)
        };
        let is_list = group.iter().any(|id| id.element > 0);
        let is_owned = is_list || self.agent.position(&made.name).is_none_or(needs);
        let owner = self.eldest(arguments).filter(|_| is_owned);
        let supplied = self.agent.ids().supplied_by(&made.name);
        let mut group: Vec<&FoundId> = group.iter().collect();
        group.sort_by_key(|id| id.element);
        for element in group.chunk_by(|a, b| a.element == b.element) {
            let main = element
                .iter()
                .find(|id| Some(&id.name) == supplied)
                .or(element.first());
            let has_name = main.is_some_and(|main| !main.names.is_empty());
            let main = main.map(|id| id.id());
            if has_name {
                self.named.extend(main.clone());
            }
            for id in element {
                let id = id.id();
                let given = arguments.iter().any(|argument| argument.name == id.0);
                let owner = match &owner {
                    Some(owner) if !given => Some(owner.clone()),
                    Some(_) => None,
                    None => main.clone().filter(|main| main.0 != id.0),
                };
                self.establish(&id, owner, origin);
            }
            self.remember(Thing::of(number, call, element));
        }
        self.take(group, false);
    }

    /// The argument that was there first: a slot is looked for after the patient it is for.
    fn eldest(&self, arguments: &[FoundId]) -> Option<Id> {
        arguments
            .iter()
            .filter(|id| id.siblings == 1)
            .map(|id| id.id())
            .min_by_key(|id| self.depth(id))
    }

    fn depth(&self, id: &Id) -> usize {
        self.owners_of(id).count()
    }

    /// A tool that was called for one value after the other leaves none of them in force.
    fn forget_series(&mut self, said: &Message, calls: &[FoundId]) {
        let mut values: BTreeMap<(&str, &IdName), BTreeSet<&str>> = BTreeMap::new();
        for id in calls {
            if let Place::Argument(call) = id.place {
                values
                    .entry((&said.tool_calls[call].name, &id.name))
                    .or_default()
                    .insert(&id.value);
            }
        }
        for ((_, name), values) in values.into_iter().filter(|(_, values)| values.len() > 1) {
            if self
                .holds
                .get(name)
                .is_some_and(|held| values.contains(held.as_str()))
            {
                self.holds.remove(name);
                self.open
                    .insert(name.clone(), values.into_iter().map(str::to_owned).collect());
            }
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

    /// Reads the new message.
    pub(super) fn new_message(&mut self, content: &str, reading: &Reading, told: &[FoundId]) {
        let before = self.holds.clone();
        let named = self.user_words(content, told);
        if self.history.is_empty() || reading.leaning == Leaning::Nothing {
            return;
        }
        self.return_to(content, reading);
        if !reading.new_subject && self.describes_another(reading) {
            self.drop_described(&before, &named);
            return;
        }
        if !reading.new_subject || self.history.is_empty() || reading.leaning == Leaning::Nothing {
            self.keep_beside(&before, &named, told);
            return;
        }
        let only_the_thing = matches!(reading.leaning, Leaning::Repeats | Leaning::Refers);
        let replaced = if only_the_thing {
            self.replaced(&before)
        } else {
            BTreeSet::new()
        };
        let titles: BTreeSet<String> = reading.titles.iter().map(|title| singular(title)).collect();
        let is_title = |title: &String| !self.agent.ids().of_entity(title).is_empty();
        let titles = if titles.iter().all(is_title) {
            titles
        } else {
            BTreeSet::new()
        };
        let stays = |id: &Id| {
            let kin = named.iter().any(|named| {
                named == id || self.belongs(id, named) || self.belongs(named, id) || self.is_beside(id, named)
            });
            let points = |id: &Id| {
                reading
                    .pointed
                    .iter()
                    .any(|noun| singular(noun) == last_word(&id.0))
            };
            // "trainer Joao" takes the place of a trainer and of nobody else.
            if !titles.is_empty() && !titles.contains(last_word(&id.0)) && self.named.contains(id) {
                return true;
            }
            // "Shauna would be great for it": another person and the same thing.
            let is_of_somebody = |id: &Id| is_somebody(&id.0);
            if reading.points_at_thing && !is_of_somebody(id) && !self.owners_of(id).any(is_of_somebody) {
                return true;
            }
            if self.returned.contains(id) || points(id) || self.owners_of(id).any(points) {
                return true;
            }
            if kin || !only_the_thing {
                let on_page = self.origin(id) == Some(Origin::Page);
                return kin || on_page && !(is_somebody(&id.0) && self.was_used(id));
            }
            !replaced.contains(id) && !self.owners_of(id).any(|owner| replaced.contains(owner))
        };
        let gone: Vec<IdName> = self
            .holds
            .iter()
            .filter(|(name, value)| !stays(&((*name).clone(), (*value).clone())))
            .map(|(name, _)| name.clone())
            .collect();
        for name in gone {
            self.holds.remove(&name);
        }
        for (name, value) in before {
            if self.holds.get(&name) != Some(&value) {
                self.stale.insert(name, value);
            }
        }
        self.open.clear();
    }

    /// Whether the message describes a thing with words that are neither of the trade nor of this conversation.
    fn describes_another(&self, reading: &Reading) -> bool {
        let trade = self.agent.ids();
        let takes_for_known = self.holds.keys().any(|name| {
            let of = last_word(name);
            reading
                .definite
                .iter()
                .chain(&reading.pointed)
                .any(|noun| singular(noun) == of)
        });
        !takes_for_known && reading.described.iter().any(|word| !trade.is_of_trade(word))
    }

    /// A thing that is described makes room for what was found by name, as a plant, and takes what belongs to it along.
    /// Nobody is described by what a thing is called, so people stay.
    fn drop_described(&mut self, before: &BTreeMap<IdName, String>, fresh: &BTreeSet<Id>) {
        let gone: Vec<Id> = before
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .filter(|id| self.holds.get(&id.0) == Some(&id.1) && !fresh.contains(id))
            .filter(|id| {
                let is_described = |id: &Id| self.named.contains(id) && !is_somebody(&id.0);
                !is_somebody(&id.0) && (is_described(id) || self.owners_of(id).any(is_described))
            })
            .collect();
        for (name, value) in gone {
            self.holds.remove(&name);
            self.stale.insert(name, value);
        }
    }

    /// "back to the complaint": what was left comes back by a word that only its own tools use.
    fn return_to(&mut self, content: &str, reading: &Reading) {
        if !reading.returns || self.stale.is_empty() {
            return;
        }
        let said: HashSet<String> = words(content).iter().map(|word| singular(word)).collect();
        let mut tools: BTreeMap<&IdName, Vec<usize>> = BTreeMap::new();
        let names = self.stale.keys().chain(self.holds.keys());
        for name in names {
            let takes = |at: &usize| {
                self.agent
                    .ids_taken(*at)
                    .iter()
                    .any(|(taken, needs)| taken == name && *needs)
            };
            tools.insert(name, (0..self.agent.tools().len()).filter(takes).collect());
        }
        let told = |name: &IdName| {
            let of_tools = tools.get(name).into_iter().flatten().flat_map(|&at| {
                let tool = &self.agent.tools()[at];
                words(&tool.name).into_iter().chain(words(&tool.description))
            });
            let own: HashSet<String> = of_tools
                .map(|word| singular(&word))
                .filter(|word| word.len() > 3)
                .collect();
            own.intersection(&said).cloned().collect::<HashSet<String>>()
        };
        let told: Vec<(&IdName, HashSet<String>)> = tools.keys().map(|name| (*name, told(name))).collect();
        let only = |name: &IdName| {
            let others = || {
                told.iter()
                    .filter(|(other, _)| *other != name)
                    .flat_map(|(_, words)| words)
            };
            let own = told
                .iter()
                .find(|(other, _)| *other == name)
                .map(|(_, words)| words);
            own.is_some_and(|own| own.iter().any(|word| !others().any(|other| other == word)))
        };
        let back: Vec<Id> = self
            .stale
            .iter()
            .filter(|(name, _)| !self.holds.contains_key(*name) && only(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        for (name, value) in back {
            self.stale.remove(&name);
            self.holds.insert(name.clone(), value.clone());
            self.returned.insert((name, value));
        }
    }

    /// An id that the user names beside what is talked about ("his mother CU-09917 should be able to act on it") takes
    /// nothing away: what belongs to the value before it stays.
    fn keep_beside(&mut self, before: &BTreeMap<IdName, String>, named: &BTreeSet<Id>, words: &[FoundId]) {
        let told = words.iter().any(|id| named.contains(&id.id()));
        for (name, value) in before.iter().filter(|_| told) {
            if !self.holds.contains_key(name) && !self.open.contains_key(name) {
                self.holds.insert(name.clone(), value.clone());
                self.stale.remove(name);
            }
        }
    }

    /// What makes room when the request stays and is about another one now: whoever it was about, or else what was
    /// there first.
    fn replaced(&self, before: &BTreeMap<IdName, String>) -> BTreeSet<Id> {
        let ids = before.iter().map(|(name, value)| (name.clone(), value.clone()));
        let people: BTreeSet<Id> = ids.clone().filter(|(name, _)| is_somebody(name)).collect();
        if !people.is_empty() {
            return people;
        }
        let talked = ids.filter(|id| self.origin(id) != Some(Origin::Aside));
        talked
            .min_by_key(|id| self.origins.get(id).map(|(_, order)| *order))
            .into_iter()
            .collect()
    }

    /// Whether a value of the page was touched by a call.
    fn was_used(&self, id: &Id) -> bool {
        let calls = self.history.iter().flat_map(|message| &message.tool_calls);
        calls
            .flat_map(|call| call.arguments.values())
            .any(|value| value.as_str() == Some(&id.1))
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

fn is_somebody(name: &IdName) -> bool {
    SOMEBODY.contains(&last_word(name))
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
