//! What does a published body say, and which field is wrong?
//!
//! Shared by the front that takes the body, by whoever reads it back from the store, and by `handpick eval turns`,
//! so that all three mean the same. Unknown fields are ignored (T7); every wrong field is named by its path
//! (T17, T48).

use handpick_domain::{AgentTool, Conversation, Message};
use serde_json::Value;

/// Most tools of one catalog (E2).
pub const TOOLS_MAX: usize = 10_000;

/// Most examples of one tool (T10).
pub const EXAMPLES_MAX: usize = 100;

/// One wrong field of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDefect {
    /// Its path, such as `tools[3].name`.
    pub field: String,
    /// What would be right.
    pub message: String,
}

/// A past conversation with the JSON it came as.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedConversation {
    /// What it says.
    pub conversation: Conversation,
    /// Its own JSON text.
    pub json: String,
}

/// The tools of a catalog body, `{"tools": [...]}`, in the order published (T9, T10, T17).
pub fn catalog(body: &Value) -> Result<Vec<AgentTool>, Vec<FieldDefect>> {
    let _ = body;
    Ok(Vec::new())
}

/// The conversations of a traces body, a JSON array. Of those with the same id the last one counts (E10, T20).
pub fn conversations(body: &Value) -> Result<Vec<PublishedConversation>, Vec<FieldDefect>> {
    let _ = body;
    Ok(Vec::new())
}

/// Messages in the shape of `history`, found at `path` of a body (T22). Wrong fields are added to `defects`.
pub fn messages(value: &Value, path: &str, defects: &mut Vec<FieldDefect>) -> Vec<Message> {
    let _ = (value, path, defects);
    Vec::new()
}
