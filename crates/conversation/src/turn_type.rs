//! What kind of turn is it: small talk, a question, a task, or both?

use handpick_domain::Message;

use crate::reading::Reading;

/// The kind of a turn (T34, T35).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnType {
    /// Greetings, thanks, acknowledgements: nothing is asked.
    Smalltalk,
    /// The user wants to know something.
    Knowledge,
    /// The user wants something changed or done.
    Action,
    /// Both.
    Mixed,
}

impl TurnType {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Smalltalk => "SMALLTALK",
            Self::Knowledge => "KNOWLEDGE",
            Self::Action => "ACTION",
            Self::Mixed => "MIXED",
        }
    }
}

/// The kind of the turn that `message` opens after `history`.
pub fn turn_type(message: &str, history: &[Message], reading: &Reading) -> TurnType {
    let _ = (message, history, reading);
    TurnType::Action
}
