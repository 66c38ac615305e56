//! Which ids hold for this turn? The latest of each kind, unless the turn has moved on to something else.
//!
//! The rules, each with its reason:
//!
//! 1. The latest mention wins: people talk about what was touched last (T39).
//! 2. A list gives no value, only a choice: until a name, a number in order, a month or an id picks one, each of its
//!    elements is as likely as the next. So are the values that one message called the same tool with.
//! 3. What belongs to a record goes when another record takes its place, and comes back with it: the subscription
//!    that was found for one customer says nothing about the next one. An id that the new message writes out, and
//!    turns to nothing else with, is named beside the others and takes only the place of its own kind.
//! 4. When the user turns to something else, what was talked about goes, unless the message names it or its kin or
//!    points at it ("that scene"). What the page shows stays, as the user still sees it; a person on it that was
//!    worked on goes.
//! 5. Where only the thing changes and the request stays ("and for Initech?"), the people it was about make room, or
//!    else what was there first; what was not found for the old thing stays: the plan to move to.
//! 6. A title says whose place is taken: "trainer Joao" leaves every other record that has a name. "It" keeps the
//!    things that are nobody's: "Shauna would be great for it" is about another person.
//! 7. A thing described in words that nobody said before, and that are not of the trade ("the blue hydrangea"), makes
//!    the things that have a name go. People stay: nobody is described by what a thing is called.
//! 8. What an earlier message of the user left may still be meant, as turning away can be misread; once the assistant
//!    has found another record in place of one of them, all of them are left.
//! 9. "Back to the complaint" brings back what was left, where a word of the message is one that only its own tools
//!    use.
//!
//! The first three are kept by the `ledger` and its `calls`, the others by what is `leaving` it.

use std::collections::BTreeMap;

use handpick_domain::{Message, Role};

use crate::agent::Agent;
use crate::found::FoundId;
use crate::id_name::IdName;
use crate::reading::Reading;

mod choice;
mod ledger;
#[cfg(test)]
mod tests;

use ledger::Ledger;

/// The ids that hold, by name. [`Resolved::spelled`] gives them as the catalog spells them (T39).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Values in force.
    pub values: BTreeMap<IdName, String>,
    /// Ids that were in force before and would mislead now: of the topic that the user left.
    pub stale: BTreeMap<IdName, String>,
    /// Ids of which several values are on the table, as a list showed them: which one is meant is not said, but a
    /// lookup would only show the same list again.
    pub open: BTreeMap<IdName, Vec<String>>,
}

impl Resolved {
    /// Whether a tool that needs this id finds it.
    pub fn has(&self, name: &IdName) -> bool {
        self.values.contains_key(name)
    }

    /// Whether a lookup of this id would show something new: it neither holds nor stands in a list that was shown.
    pub fn lacks(&self, name: &IdName) -> bool {
        !self.values.contains_key(name) && !self.open.contains_key(name)
    }

    /// `resolvedParams`: keyed by parameter names as the catalog spells them (T39). An id that the catalog spells in
    /// several ways is told in each of them.
    pub fn spelled(&self, agent: &Agent) -> BTreeMap<String, String> {
        self.values
            .iter()
            .flat_map(|(name, value)| {
                agent
                    .ids()
                    .spellings(name)
                    .iter()
                    .map(move |spelling| (spelling.to_string(), value.clone()))
            })
            .collect()
    }
}

/// Decides which of the found ids hold for the new message.
pub fn resolve(
    agent: &Agent,
    history: &[Message],
    message: &str,
    reading: &Reading,
    found: &[FoundId],
) -> Resolved {
    let mut ledger = Ledger::new(agent, history);
    let (mut rest, new) = found.split_at(found.partition_point(|id| !is_new(id, history)));
    let page = rest.iter().take_while(|id| id.is_on_page()).count();
    ledger.page(&rest[..page]);
    rest = &rest[page..];
    let mut left = Vec::new();
    for (number, said) in history.iter().enumerate() {
        let (of_message, later) = rest.split_at(rest.partition_point(|id| id.message <= number));
        if said.role == Role::User {
            left = ledger.left_by(history, number, of_message);
        }
        ledger.message(number, said, of_message);
        if said.role == Role::Assistant {
            ledger.leave(&left);
        }
        rest = later;
    }
    ledger.new_message(message, reading, new);
    ledger.into_resolved()
}

fn is_new(id: &FoundId, history: &[Message]) -> bool {
    !id.is_on_page() && id.message >= history.len()
}
