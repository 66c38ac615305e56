//! What does one agent know right now, and who may change it?

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arc_swap::ArcSwap;
use handpick_conversation::AgentIndex;
use handpick_conversation::published::PublishedConversation;
use handpick_domain::{AgentId, AgentTool, Digest};
use handpick_selection::Vector;
use handpick_store::AgentConversation;
use tokio::sync::{Mutex, MutexGuard};

use super::learn::{self, Learned};
use super::{AgentCounts, AgentError, Held, on_a_thread, to_the_end};
use crate::runtime::now_ms;

/// One agent in memory.
///
/// Readers take what is current and never wait. Writers take turns: each learns, writes the store, and only then makes
/// the outcome current, so that nobody ever sees half of it.
pub(super) struct Live {
    id: AgentId,
    current: ArcSwap<State>,
    writer: Mutex<Vectors>,
    /// The turn to make missing vectors.
    pub(super) embedder: Mutex<()>,
    bytes: AtomicUsize,
}

/// Vectors by the digest of their text. Shared with threads that only read them.
pub(super) type Vectors = Arc<HashMap<Digest, Vector>>;

/// What is known of an agent.
#[derive(Clone)]
pub(super) enum State {
    /// Nothing yet: the store was not asked.
    Unread,
    /// The store has none.
    Absent,
    /// What the store has cannot be read by this version.
    Unreadable,
    /// All of it.
    Known(Arc<AgentIndex>),
}

impl Live {
    pub(super) fn new(id: AgentId) -> Self {
        Self {
            id,
            current: ArcSwap::from_pointee(State::Unread),
            writer: Mutex::default(),
            embedder: Mutex::default(),
            bytes: AtomicUsize::new(0),
        }
    }

    pub(super) fn id(&self) -> &AgentId {
        &self.id
    }

    pub(super) fn state(&self) -> Arc<State> {
        self.current.load_full()
    }

    pub(super) fn is_known(&self) -> bool {
        matches!(**self.current.load(), State::Known(_))
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The writers' turn.
    pub(super) async fn write(&self) -> MutexGuard<'_, Vectors> {
        self.writer.lock().await
    }

    /// Makes a state current; only within the writers' turn.
    pub(super) fn answer_from(&self, state: State) {
        self.current.store(Arc::new(state));
    }
}

impl Held {
    /// What answers now. The first to ask after a start reads the store; whoever comes meanwhile waits for that.
    pub(super) async fn index(&self) -> Result<Arc<AgentIndex>, AgentError> {
        let state = self.live.state();
        if let State::Unread = *state {
            let held = self.clone();
            return to_the_end(async move {
                let mut vectors = held.live.write().await;
                held.read_within(&mut vectors).await
            })
            .await;
        }
        self.known(&state)
    }

    /// Replaces the catalog; past conversations stay (T8, T16).
    pub(super) async fn replace(
        &self,
        tools: Vec<AgentTool>,
        json: String,
    ) -> Result<AgentCounts, AgentError> {
        let held = self.clone();
        let work = async move {
            let mut vectors = held.live.write().await;
            if let State::Unread = *held.live.state() {
                *vectors = held.stored_vectors().await;
            }
            let conversations = held.store.agent_conversations_load(held.id()).await?;
            let learned = held.learn(tools, conversations, Vec::new(), &vectors).await?;
            held.store.agent_catalog_save(held.id(), &json, now_ms()).await?;
            let tools = learned.index.agent().tools();
            held.rules.follow_agent(&held.live.id, Some(tools)).await;
            Ok(held.answer_from(learned, &mut vectors).await)
        };
        to_the_end(work).await
    }

    /// Adds past conversations (T18, T20).
    pub(super) async fn add(&self, added: Vec<PublishedConversation>) -> Result<AgentCounts, AgentError> {
        let held = self.clone();
        let work = async move {
            let mut vectors = held.live.write().await;
            let index = held.read_within(&mut vectors).await?;
            if added.is_empty() {
                return Ok(AgentCounts::of_index(&held.live.id, &index));
            }
            let kept = held.store.agent_conversations_load(held.id()).await?;
            let merged = learn::merged(kept, added);
            let tools = index.agent().tools().to_vec();
            let learned = held.learn(tools, merged.kept, merged.added, &vectors).await?;
            let (rows, gone) = (merged.rows, merged.forgotten);
            let is_there = held
                .store
                .agent_conversations_save(held.id(), &rows, &gone, now_ms())
                .await?;
            if !is_there {
                held.live.answer_from(State::Absent);
                return held
                    .known(&State::Absent)
                    .map(|index| AgentCounts::of_index(&held.live.id, &index));
            }
            Ok(held.answer_from(learned, &mut vectors).await)
        };
        to_the_end(work).await
    }

    /// Erases the agent (T26).
    pub(super) async fn erase(&self) -> Result<(), AgentError> {
        let held = self.clone();
        let work = async move {
            let mut vectors = held.live.write().await;
            let was_there = held.store.agent_remove(held.id()).await?;
            // What people kept at its gateway goes with it; at a gateway of the file with its name nothing does.
            if !held.rules.is_of_file(held.id()) {
                held.store.owners_remove(held.id()).await?;
            }
            held.rules.follow_agent(&held.live.id, None).await;
            *vectors = Vectors::default();
            held.live.answer_from(State::Absent);
            held.live.bytes.store(0, Ordering::Relaxed);
            if was_there {
                Ok(())
            } else {
                Err(AgentError::Unknown(held.live.id.clone()))
            }
        };
        to_the_end(work).await
    }

    pub(super) fn id(&self) -> &str {
        self.live.id.as_str()
    }

    fn known(&self, state: &State) -> Result<Arc<AgentIndex>, AgentError> {
        match state {
            State::Known(index) => Ok(Arc::clone(index)),
            State::Unreadable => Err(AgentError::Unavailable),
            State::Absent | State::Unread => Err(AgentError::Unknown(self.live.id.clone())),
        }
    }

    /// Reads the store where nobody has yet, within the writers' turn.
    async fn read_within(&self, vectors: &mut Vectors) -> Result<Arc<AgentIndex>, AgentError> {
        let state = self.live.state();
        if !matches!(*state, State::Unread) {
            return self.known(&state);
        }
        let Some(json) = self.store.agent_catalog_load(self.id()).await? else {
            self.live.answer_from(State::Absent);
            return self.known(&State::Absent);
        };
        let tools = match on_a_thread(move || learn::tools_of(&json)).await? {
            Ok(tools) => tools,
            Err(reason) => {
                let agent = self.id();
                tracing::error!(agent, reason, "a stored catalog cannot be read; publish it again");
                self.live.answer_from(State::Unreadable);
                return self.known(&State::Unreadable);
            }
        };
        let conversations = self.store.agent_conversations_load(self.id()).await?;
        *vectors = self.stored_vectors().await;
        let learned = self.learn(tools, conversations, Vec::new(), vectors).await?;
        self.show(&learned);
        self.embed_missing();
        self.known(&self.live.state())
    }

    /// The vectors an earlier run left. They are a cache: without them texts are encoded again.
    async fn stored_vectors(&self) -> Vectors {
        let Some(selector) = &self.selector else {
            return Vectors::default();
        };
        let stored = self
            .store
            .agent_vectors_load(self.id(), &selector.vector_kind())
            .await;
        let stored = stored.unwrap_or_else(|error| {
            tracing::warn!(%error, "cached vectors of an agent cannot be read; its texts are embedded again");
            HashMap::new()
        });
        let read = |(digest, bytes): (Digest, Vec<u8>)| Some((digest, Vector::from_bytes(&bytes)?));
        Arc::new(stored.into_iter().filter_map(read).collect())
    }

    async fn learn(
        &self,
        tools: Vec<AgentTool>,
        kept: Vec<AgentConversation>,
        added: Vec<handpick_domain::Conversation>,
        vectors: &Vectors,
    ) -> Result<Learned, AgentError> {
        // Closed only with the runtime.
        let _turn = self
            .registry
            .learning
            .acquire()
            .await
            .map_err(|_| AgentError::Unavailable)?;
        let vectors = Arc::clone(vectors);
        on_a_thread(move || Learned::from(tools, &kept, added, &vectors)).await
    }

    /// Makes what was learned and stored current, and forgets the vectors of texts that are gone.
    async fn answer_from(&self, learned: Learned, vectors: &mut Vectors) -> AgentCounts {
        self.show(&learned);
        Arc::make_mut(vectors).retain(|digest, _| learned.texts.contains(digest));
        if let Some(selector) = &self.selector {
            let kind = selector.vector_kind();
            let pruned = self
                .store
                .agent_vectors_prune(self.id(), &kind, &learned.texts)
                .await;
            if let Err(error) = pruned {
                tracing::warn!(%error, "vectors of texts that are gone cannot be removed now");
            }
        }
        AgentCounts::of_index(&self.live.id, &learned.index)
    }

    fn show(&self, learned: &Learned) {
        self.live.bytes.store(learned.bytes, Ordering::Relaxed);
        self.live.answer_from(State::Known(Arc::clone(&learned.index)));
    }
}

#[cfg(test)]
mod tests {
    use handpick_conversation::Agent;

    use super::super::{Entries, Entry};
    use super::*;
    use crate::limits::AGENTS_LIVE_BYTES_MAX;

    fn entry(id: &str, bytes: usize, holders: usize, last_use: u64) -> (AgentId, Entry) {
        let live = Live::new(AgentId::parse(id).unwrap());
        live.answer_from(State::Known(Arc::new(AgentIndex::build(
            Arc::new(Agent::default()),
            |_| None,
        ))));
        live.bytes.store(bytes, Ordering::Relaxed);
        let entry = Entry {
            live: Arc::new(live),
            holders,
            last_use,
        };
        (entry.live.id.clone(), entry)
    }

    /// Of what is in use nothing leaves, of the rest what was used least recently, and a single one never.
    #[test]
    fn large_agents_make_room_for_each_other() {
        let half = AGENTS_LIVE_BYTES_MAX / 2;
        for (entries, left) in [
            (vec![("a", half, 0, 1), ("b", half, 1, 2)], vec!["a", "b"]),
            (
                vec![("a", half, 0, 2), ("b", half, 0, 1), ("c", 1, 1, 3)],
                vec!["a", "c"],
            ),
            (
                vec![("a", half, 1, 1), ("b", half, 0, 2), ("c", 1, 1, 3)],
                vec!["a", "c"],
            ),
            (
                vec![("a", half, 1, 1), ("b", half, 1, 2), ("c", 1, 1, 3)],
                vec!["a", "b"],
            ),
            (vec![("b", 3 * half, 1, 1)], vec!["b"]),
        ] {
            let by_id = entries
                .iter()
                .map(|&(id, bytes, holders, last_use)| entry(id, bytes, holders, last_use));
            let mut entries = Entries {
                by_id: by_id.collect(),
                uses: 9,
            };
            let last = if entries.by_id.len() == 3 { "c" } else { "b" };
            let gone = entries.release(&AgentId::parse(last).unwrap());
            let mut ids: Vec<&str> = entries.by_id.keys().map(AgentId::as_str).collect();
            ids.sort_unstable();
            assert_eq!(ids, left);
            assert!(gone.iter().all(|gone| gone.holders == 0));
        }
    }

    /// Nobody's agent leaves with whoever asked for it last.
    #[test]
    fn an_unknown_agent_leaves_with_its_last_holder() {
        let id = AgentId::parse("nobody").unwrap();
        let live = Arc::new(Live::new(id.clone()));
        let mut entries = Entries::default();
        let entry = Entry {
            live,
            holders: 2,
            last_use: 1,
        };
        entries.by_id.insert(id.clone(), entry);
        assert_eq!(entries.release(&id).len(), 0);
        assert_eq!(entries.release(&id).len(), 1);
        assert!(entries.by_id.is_empty());
    }
}
