//! What do the calls of a message and their results put in force, and what belongs to what in them?

use std::collections::{BTreeMap, BTreeSet};

use handpick_domain::Message;

use super::{Id, Ledger, Origin};
use crate::found::{FoundId, Place};
use crate::id_name::IdName;
use crate::resolved::choice::Thing;

impl Ledger<'_> {
    pub(super) fn arguments(&mut self, group: &[FoundId]) {
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

    pub(super) fn result(&mut self, number: usize, call: usize, arguments: &[FoundId], group: &[FoundId]) {
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
    pub(super) fn forget_series(&mut self, said: &Message, calls: &[FoundId]) {
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
}
