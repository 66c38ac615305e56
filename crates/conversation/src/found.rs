//! Which ids stand in a conversation, where, and with which value?

use handpick_domain::Message;

use crate::agent::Agent;
use crate::id_name::IdName;

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
    let _ = (agent, history, message, page);
    Vec::new()
}
