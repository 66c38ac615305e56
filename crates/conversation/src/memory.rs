//! What did past conversations call for such words?
//!
//! A vote of the nearest past turns. It only speaks where a past turn is close; how much it then counts is learned
//! ([`crate::model`]), because blind votes do harm where traffic does not repeat.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use handpick_domain::{Conversation, Digest, Message, Role, ToolSet};
use handpick_selection::semantic::Semantic;
use sha2::{Digest as _, Sha256};

use crate::reading;

/// Past turns that are remembered of one agent; the oldest are forgotten first.
pub const TURNS_MAX: usize = 5_000;

/// Past turns that vote.
const NEIGHBOURS: usize = 8;

/// A past turn less alike than this says nothing about the present one.
const ALIKE: f32 = 0.35;

/// The past turns of one agent in which tools were called.
#[derive(Debug, Default)]
pub struct Memory {
    turns: Vec<PastTurn>,
}

/// What was said, and what was called for it.
#[derive(Debug, Clone, PartialEq)]
pub struct PastTurn {
    /// What the user meant, in words: what was said with what it leaned on.
    pub text: String,
    /// SHA-256 of the text: the key of its vector.
    pub digest: Digest,
    /// Positions of the tools called for it, each once.
    pub tools: Vec<usize>,
}

/// What past turns say about one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Vote {
    /// Cosine of the closest past turn that called the tool: 0 where none is alike.
    pub closest: f32,
    /// Share of the nearest turns, weighted by how alike they are, that called it: 0 to 1.
    pub share: f32,
}

impl Memory {
    /// Remembers past conversations, oldest first.
    pub fn learn(by_name: &HashMap<Arc<str>, usize>, conversations: &[Conversation]) -> Self {
        let mut turns: Vec<PastTurn> = conversations
            .iter()
            .rev()
            .flat_map(|conversation| past_turns(by_name, &conversation.messages))
            .take(TURNS_MAX)
            .collect();
        turns.reverse();
        Self { turns }
    }

    /// The past turns, oldest first.
    pub fn turns(&self) -> &[PastTurn] {
        &self.turns
    }

    /// What the past turns nearest to `question` say, by position of the tool. `vectors` are those of
    /// [`Memory::turns`].
    pub fn votes(&self, vectors: &Semantic, question: Option<&[f32]>) -> BTreeMap<usize, Vote> {
        let all = ToolSet::all(self.turns.len());
        let cosines = vectors.cosines(question, &all);
        let mut near: Vec<(f32, &PastTurn)> = cosines
            .into_iter()
            .zip(&self.turns)
            .filter_map(|(cosine, turn)| Some((cosine.filter(|&cosine| cosine >= ALIKE)?, turn)))
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        near.truncate(NEIGHBOURS);
        let weight = |cosine: f32| (cosine - ALIKE + 0.05).powi(2);
        let total: f32 = near.iter().map(|(cosine, _)| weight(*cosine)).sum();
        let mut votes: BTreeMap<usize, Vote> = BTreeMap::new();
        for (cosine, turn) in near {
            for &tool in &turn.tools {
                let vote = votes.entry(tool).or_default();
                vote.closest = vote.closest.max(cosine);
                vote.share += weight(cosine) / total;
            }
        }
        votes
    }
}

/// The turns of a conversation in which tools were called, the latest first. Each is read when it is asked for.
fn past_turns<'a>(
    by_name: &'a HashMap<Arc<str>, usize>,
    messages: &'a [Message],
) -> impl Iterator<Item = PastTurn> + 'a {
    let asked = messages
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, message)| message.role == Role::User);
    asked.filter_map(|(number, message)| {
        let answers = messages[number + 1..]
            .iter()
            .take_while(|message| message.role == Role::Assistant);
        let mut tools: Vec<usize> = answers
            .flat_map(|answer| &answer.tool_calls)
            .filter_map(|call| by_name.get(call.name.as_str()).copied())
            .collect();
        tools.sort_unstable();
        tools.dedup();
        if tools.is_empty() || message.content.trim().is_empty() {
            return None;
        }
        let text = reading::read(&message.content, &messages[..number]).with_context;
        Some(PastTurn {
            digest: Sha256::digest(text.as_bytes()).into(),
            text,
            tools,
        })
    })
}
