//! What is read out of a turn before any tool is looked at?

use std::collections::BTreeSet;

use handpick_domain::{Message, Role};
use handpick_selection::{Wording, words};

use crate::agent::Agent;
use crate::evidence::{Vectors, says_something};
use crate::found::{self, FoundId, Page};
use crate::reading::{self, Reading};
use crate::resolved::{self, Resolved};
use crate::turn_type::{TurnType, turn_type};

/// Messages of the history that influence scores; ids are looked for in all of them (T22).
pub const RECENT: usize = 10;

/// Characters of the assistant's last message that are read as an offer.
const OFFER_CHARS: usize = 400;

/// A request for the tools of one turn, checked.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The user's new message.
    pub message: &'a str,
    /// Earlier messages, oldest first.
    pub history: &'a [Message],
    /// Roles of the user.
    pub roles: &'a BTreeSet<String>,
    /// The page the user is on.
    pub page: Option<&'a Page>,
    /// Most matched tools (T31).
    pub tools_max: usize,
    /// Whether past conversations may vote.
    pub memory: bool,
}

/// A request that was read: what to encode, and what is known without vectors.
#[derive(Debug)]
pub struct Prepared<'a> {
    /// Whose tools are asked for.
    pub agent: &'a Agent,
    /// What was asked.
    pub request: Request<'a>,
    /// What the message is about.
    pub reading: Reading,
    /// What kind of turn it is.
    pub turn_type: TurnType,
    /// Every mention of an id.
    pub found: Vec<FoundId>,
    /// The ids that hold.
    pub resolved: Resolved,
    pub(crate) own: Wording,
    pub(crate) with_context: Option<Wording>,
}

impl<'a> Prepared<'a> {
    /// Reads a request. `multilingual` as in [`Wording::read`].
    pub fn read(agent: &'a Agent, request: Request<'a>, multilingual: bool) -> Self {
        let reading = reading::read(request.message, request.history);
        let found = found::ids(agent, request.history, request.message, request.page);
        let resolved = resolved::resolve(agent, request.history, request.message, &reading, &found);
        let wording = |text: &str| Wording::read(text, multilingual);
        Self {
            turn_type: turn_type(request.message, request.history, &reading),
            own: wording(&reading.own),
            with_context: (reading.with_context != reading.own).then(|| wording(&reading.with_context)),
            agent,
            request,
            reading,
            found,
            resolved,
        }
    }

    /// Whether [`crate::tools_of_turn`] matches no tool, whatever the vectors say: then nothing need be encoded.
    pub fn asks_for_none(&self) -> bool {
        self.turn_type == TurnType::Smalltalk || self.request.tools_max == 0
    }

    /// The texts to encode, in the order their vectors are expected.
    pub fn texts(&self) -> Vec<String> {
        let context = self.with_context.iter().flat_map(Wording::texts);
        self.own.texts().iter().chain(context).cloned().collect()
    }

    /// The vectors of the message alone, and of the message with what it leans on.
    pub(crate) fn split<'v>(&self, vectors: &'v Vectors) -> [&'v Vectors; 2] {
        let (own, context) = vectors.split_at(self.own.texts().len().min(vectors.len()));
        [own, context]
    }

    /// The messages that influence scores, with their numbers in the history.
    pub(crate) fn recent(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Message)> {
        let skipped = self.request.history.len().saturating_sub(RECENT);
        self.request.history.iter().enumerate().skip(skipped)
    }

    pub(crate) fn recent_turns(&self) -> usize {
        self.recent()
            .filter(|(_, message)| message.role == Role::User)
            .count()
    }

    /// Number of the user message that opened the last turn; 0 where there is none.
    pub(crate) fn last_turn_start(&self) -> usize {
        let asked = |message: &Message| message.role == Role::User;
        self.request.history.iter().rposition(asked).unwrap_or_default()
    }

    /// What the assistant said last, in answer to which the message comes.
    pub(crate) fn offer(&self) -> Option<&'a str> {
        let last = self
            .request
            .history
            .last()
            .filter(|message| says_something(message))?;
        let end = last.content.char_indices().nth(OFFER_CHARS);
        Some(&last.content[..end.map_or(last.content.len(), |(end, _)| end)])
    }

    /// The words of the page's address and title, as terms.
    pub(crate) fn page_words(&self) -> BTreeSet<String> {
        let texts = self.request.page.iter().flat_map(|page| [&page.url, &page.title]);
        texts
            .flatten()
            .flat_map(|text| words::words(text))
            .flat_map(|word| std::iter::once(word.term).chain(word.parts))
            .collect()
    }
}
