//! What was said and done so far? Messages, and the tool calls in them.

use serde_json::{Map, Value};

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// One message, oldest first in every list of them (T22).
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Who wrote it.
    pub role: Role,
    /// What it says; may be empty beside tool calls.
    pub content: String,
    /// The tools the assistant called while writing it, in order.
    pub tool_calls: Vec<ToolCall>,
}

/// One call of a tool within a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    /// The tool's name; it need not be in any catalog.
    pub name: String,
    /// What it was called with.
    pub arguments: Map<String, Value>,
    /// What came back, JSON or any other text.
    pub result: Option<String>,
}

/// A past conversation that an agent learns from (T18).
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    /// The id its owner gave it.
    pub id: String,
    /// Its messages.
    pub messages: Vec<Message>,
}
