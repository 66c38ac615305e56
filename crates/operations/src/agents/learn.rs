//! How is an agent learned from what is stored?

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use handpick_conversation::published::{self, PublishedConversation};
use handpick_conversation::{Agent, AgentIndex};
use handpick_domain::{AgentTool, Conversation, Digest, Parameter};
use handpick_protocol::json::value;
use handpick_store::AgentConversation;
use serde_json::Value;

use super::live::Vectors;
use crate::limits::{AGENT_CONVERSATION_BYTES_MAX, AGENT_CONVERSATIONS_MAX, AGENT_VECTORS_MAX};

/// About how many bytes one vector takes: in the index, beside it, and what leads to it.
const VECTOR_BYTES: usize = 1_000;

/// About how many bytes one link between tools takes.
const EDGE_BYTES: usize = 100;

/// About how many bytes a parameter takes with what is known of it, beside its words.
const PARAMETER_BYTES: usize = 600;

/// An agent that was learned, not shown to anybody yet.
pub(super) struct Learned {
    pub index: Arc<AgentIndex>,
    /// The texts that get a vector.
    pub texts: HashSet<Digest>,
    /// About how much memory it takes.
    pub bytes: usize,
}

impl Learned {
    /// Learns an agent. Takes up to seconds: call it off the async threads.
    pub(super) fn from(
        tools: Vec<AgentTool>,
        kept: &[AgentConversation],
        added: Vec<Conversation>,
        vectors: &Vectors,
    ) -> Self {
        let mut conversations = conversations_of(kept);
        conversations.extend(added);
        let agent = Arc::new(Agent::learn(tools, &conversations));
        drop(conversations);
        let bare = AgentIndex::build(agent, |_| None);
        let all = bare.missing();
        let text_bytes: usize = all.iter().map(|(_, text)| text.len()).sum();
        let agent = bare.agent();
        let parameters = agent.tools().iter().flat_map(|tool| &tool.parameters);
        let bytes = 3 * text_bytes
            + VECTOR_BYTES * all.len().min(AGENT_VECTORS_MAX)
            + parameters.map(parameter_bytes).sum::<usize>()
            + EDGE_BYTES * agent.graph().edges().len();
        let texts: HashSet<Digest> = all
            .into_iter()
            .map(|(digest, _)| digest)
            .take(AGENT_VECTORS_MAX)
            .collect();
        Self {
            index: Arc::new(bare.with_vectors(|digest| vectors.get(digest).cloned())),
            texts,
            bytes,
        }
    }
}

fn parameter_bytes(parameter: &Parameter) -> usize {
    let description = parameter.description.as_deref().unwrap_or_default();
    PARAMETER_BYTES + 4 * (parameter.name.len() + description.len())
}

/// The tools of a stored catalog, or why this version cannot read it.
pub(crate) fn tools_of(json: &str) -> Result<Vec<AgentTool>, String> {
    let body = value(json).map_err(|error| error.to_string())?;
    published::catalog(&body).map_err(|defects| {
        let told = defects
            .iter()
            .map(|defect| format!("{}: {}", defect.field, defect.message));
        told.collect::<Vec<_>>().join("; ")
    })
}

/// Stored conversations, read one by one: all of them at once would take many times their size.
fn conversations_of(stored: &[AgentConversation]) -> Vec<Conversation> {
    let read = |stored: &AgentConversation| {
        let body = Value::Array(vec![serde_json::from_str(&stored.json).ok()?]);
        let read = published::conversations(&body).ok()?.pop();
        read.map(|published| published.conversation)
    };
    let conversations: Vec<Conversation> = stored.iter().filter_map(read).collect();
    let unreadable = stored.len() - conversations.len();
    if unreadable > 0 {
        tracing::warn!(
            unreadable,
            "some past conversations cannot be read; nothing is learned from them"
        );
    }
    conversations
}

/// What is left when conversations join those that are kept.
#[derive(Debug, Default)]
pub(super) struct Merged {
    /// Kept before and still, oldest first.
    pub kept: Vec<AgentConversation>,
    /// Added, oldest first.
    pub added: Vec<Conversation>,
    /// The same as they are stored.
    pub rows: Vec<AgentConversation>,
    /// Ids of those that had to leave.
    pub forgotten: Vec<String>,
}

/// Adds conversations. One with a known id takes its place as the newest (T20); beyond what is kept of an agent the
/// oldest leave.
pub(super) fn merged(kept: Vec<AgentConversation>, added: Vec<PublishedConversation>) -> Merged {
    merged_within(kept, added, AGENT_CONVERSATIONS_MAX, AGENT_CONVERSATION_BYTES_MAX)
}

fn merged_within(
    mut kept: Vec<AgentConversation>,
    mut added: Vec<PublishedConversation>,
    count_max: usize,
    bytes_max: usize,
) -> Merged {
    let last: HashMap<String, usize> = added
        .iter()
        .enumerate()
        .map(|(number, one)| (one.conversation.id.clone(), number))
        .collect();
    let mut number = 0..;
    added.retain(|one| last.get(&one.conversation.id) == number.next().as_ref());
    kept.retain(|one| !last.contains_key(&one.id));

    let sizes = kept
        .iter()
        .map(|one| one.json.len())
        .chain(added.iter().map(|one| one.json.len()));
    let sizes: Vec<usize> = sizes.collect();
    let mut bytes = 0;
    let fitting = sizes.iter().rev().take(count_max).take_while(|&&size| {
        bytes += size;
        bytes <= bytes_max
    });
    let leaving = sizes.len() - fitting.count();
    let leaving_kept = leaving.min(kept.len());
    added.drain(..leaving - leaving_kept);
    // One that is replaced and does not fit any more leaves too.
    let mut forgotten: Vec<String> = kept.drain(..leaving_kept).map(|one| one.id).collect();
    let staying: HashSet<&str> = added.iter().map(|one| one.conversation.id.as_str()).collect();
    forgotten.extend(last.into_keys().filter(|id| !staying.contains(id.as_str())));
    let rows = added.iter().map(|one| AgentConversation {
        id: one.conversation.id.clone(),
        json: one.json.clone(),
    });
    Merged {
        kept,
        rows: rows.collect(),
        added: added.into_iter().map(|one| one.conversation).collect(),
        forgotten,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(id: &str, bytes: usize) -> AgentConversation {
        AgentConversation {
            id: id.to_owned(),
            json: "x".repeat(bytes),
        }
    }

    fn added(id: &str, bytes: usize) -> PublishedConversation {
        PublishedConversation {
            conversation: Conversation {
                id: id.to_owned(),
                messages: Vec::new(),
            },
            json: "x".repeat(bytes),
        }
    }

    /// T20: known ids are replaced, the last of a body counts, the oldest leave beyond the bounds.
    #[test]
    fn t20_conversations_join_in_order_and_the_oldest_leave() {
        for (count_max, bytes_max, expected_kept, expected_added, expected_forgotten) in [
            (9, 900, vec!["a", "c"], vec!["d", "b", "e"], vec![]),
            (4, 900, vec!["c"], vec!["d", "b", "e"], vec!["a"]),
            (3, 900, vec![], vec!["d", "b", "e"], vec!["a", "c"]),
            (9, 40, vec!["c"], vec!["d", "b", "e"], vec!["a"]),
            (9, 29, vec![], vec!["b", "e"], vec!["a", "c", "d"]),
            // Too large to keep at all: its former self leaves with it.
            (1, 900, vec![], vec!["e"], vec!["a", "b", "c", "d"]),
            (9, 5, vec![], vec![], vec!["a", "b", "c", "d", "e"]),
        ] {
            let before = vec![kept("a", 10), kept("b", 10), kept("c", 10)];
            let new = vec![added("e", 500), added("d", 10), added("b", 10), added("e", 10)];
            let merged = merged_within(before, new, count_max, bytes_max);
            let ids = |rows: &[AgentConversation]| rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
            assert_eq!(ids(&merged.kept), expected_kept, "{count_max} {bytes_max}");
            assert_eq!(ids(&merged.rows), expected_added, "{count_max} {bytes_max}");
            let added: Vec<_> = merged.added.iter().map(|one| one.id.clone()).collect();
            assert_eq!(added, expected_added, "{count_max} {bytes_max}");
            let mut forgotten = merged.forgotten;
            forgotten.sort();
            assert_eq!(forgotten, expected_forgotten, "{count_max} {bytes_max}");
        }
    }
}
