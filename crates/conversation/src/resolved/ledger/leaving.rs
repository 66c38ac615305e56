//! What does a message that turns to something else leave, and what comes back?

use std::collections::{BTreeMap, BTreeSet, HashSet};

use handpick_domain::Message;

use super::people::is_somebody;
use super::{Id, Ledger, Origin, last_word};
use crate::found::FoundId;
use crate::id_name::IdName;
use crate::prepared::RECENT;
use crate::reading::{self, Leaning, Reading};
use crate::words::{singular, words};

impl Ledger<'_> {
    /// The ids that a user's message of the history left, as it looked when it came: until the assistant has found
    /// another record in place of one of them, they may still be meant.
    pub(in crate::resolved) fn left_by(
        &self,
        history: &[Message],
        number: usize,
        words: &[FoundId],
    ) -> Vec<Id> {
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
    pub(in crate::resolved) fn leave(&mut self, left: &[Id]) {
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

    /// Reads the new message.
    pub(in crate::resolved) fn new_message(&mut self, content: &str, reading: &Reading, told: &[FoundId]) {
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
}
