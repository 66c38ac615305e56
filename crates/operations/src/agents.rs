//! Which agents are there, and what does each one know?
//!
//! One [`Agents`] holds the agents that are in use, ready to answer: catalog, graph and memory learned for each, and
//! the vectors of its texts. Nothing is shared between agents (T6). What was acknowledged is in the store; an agent that
//! is not in memory is learned again from there when somebody asks for it.
//!
//! | question | file |
//! |---|---|
//! | which agents are in memory? | this one |
//! | what does one of them know, and who may change it? | `live` |
//! | how is an agent learned from what is stored? | `learn` |
//! | how do its vectors come in? | `embed` |
//! | when is all of it read? | `settle` |
//! | what can one ask for? | the others |

pub mod add_traces;
pub mod delete_agent;
mod embed;
pub mod find_agent_tools;
pub(crate) mod learn;
mod live;
pub mod publish_catalog;
pub mod read_agent;
mod settle;
pub mod turn_context;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use handpick_conversation::{AgentIndex, EdgeSource};
use handpick_domain::AgentId;
use handpick_store::{Store, StoreError};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::gateways::Rules;
use crate::limits::{AGENTS_LEARNING_MAX, AGENTS_LIVE_BYTES_MAX, AGENTS_LIVE_MAX};
use crate::{Runtime, Selector};
use live::Live;

/// The agents in memory. Cheap to clone; clones are the same.
#[derive(Clone, Default)]
pub struct Agents {
    registry: Arc<Registry>,
}

/// What all agents share: room to be in, and turns to take.
struct Registry {
    live: Mutex<Entries>,
    /// Turns to learn an agent.
    learning: Semaphore,
    /// The turn to encode one batch of texts, so that a large agent does not keep a small one waiting.
    embedding: Semaphore,
    /// Vectors on their way.
    tasks: Mutex<JoinSet<()>>,
}

#[derive(Default)]
struct Entries {
    by_id: HashMap<AgentId, Entry>,
    /// Counts uses; the smallest `last_use` is the least recent.
    uses: u64,
}

struct Entry {
    live: Arc<Live>,
    /// How many [`Held`] there are: while there is one, there must be no second `Live` of the same agent.
    holders: usize,
    last_use: u64,
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            live: Mutex::default(),
            learning: Semaphore::new(AGENTS_LEARNING_MAX),
            embedding: Semaphore::new(1),
            tasks: Mutex::default(),
        }
    }
}

impl Agents {
    /// How many agents are in memory.
    pub fn live(&self) -> usize {
        self.registry.entries().by_id.len()
    }

    /// Gives up making vectors. What is stored is complete without them.
    pub async fn stop(&self) {
        let mut tasks = std::mem::take(&mut *self.registry.tasks());
        tasks.shutdown().await;
    }

    /// Takes an agent in use, known or not.
    fn hold(&self, runtime: &Runtime, id: &AgentId) -> Held {
        let mut entries = self.registry.entries();
        entries.uses += 1;
        let last_use = entries.uses;
        let entry = entries.by_id.entry(id.clone()).or_insert_with(|| Entry {
            live: Arc::new(Live::new(id.clone())),
            holders: 0,
            last_use,
        });
        entry.holders += 1;
        entry.last_use = last_use;
        Held {
            registry: Arc::clone(&self.registry),
            store: runtime.store.clone(),
            selector: runtime.selector.clone(),
            rules: Arc::clone(&runtime.rules),
            live: Arc::clone(&entry.live),
        }
    }
}

impl Registry {
    /// Never held while anything is waited for.
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    /// One holder less. An agent that nobody published leaves at once, others when room is needed. What leaves is
    /// given back, since letting go of it takes a while.
    fn release(&mut self, id: &AgentId) -> Vec<Entry> {
        let mut gone = Vec::new();
        if let Some(entry) = self.by_id.get_mut(id) {
            entry.holders -= 1;
            if entry.holders == 0 && !entry.live.is_known() {
                gone.extend(self.by_id.remove(id));
            }
        }
        while self.is_over_full() {
            let idle = self.by_id.iter().filter(|(_, entry)| entry.holders == 0);
            let oldest = idle.min_by_key(|(_, entry)| entry.last_use);
            let Some(id) = oldest.map(|(id, _)| id.clone()) else {
                break;
            };
            gone.extend(self.by_id.remove(&id));
        }
        gone
    }

    fn is_over_full(&self) -> bool {
        let bytes = |entry: &Entry| entry.live.bytes();
        // A single one stays, however large: it would be back with the next request.
        self.by_id.len() > AGENTS_LIVE_MAX
            || (self.by_id.len() > 1 && self.by_id.values().map(bytes).sum::<usize>() > AGENTS_LIVE_BYTES_MAX)
    }
}

/// An agent in use: it stays in memory, and there is only one of it.
struct Held {
    registry: Arc<Registry>,
    store: Store,
    selector: Option<Arc<Selector>>,
    rules: Arc<Rules>,
    live: Arc<Live>,
}

impl Clone for Held {
    fn clone(&self) -> Self {
        if let Some(entry) = self.registry.entries().by_id.get_mut(self.live.id()) {
            entry.holders += 1;
        }
        Self {
            registry: Arc::clone(&self.registry),
            store: self.store.clone(),
            selector: self.selector.clone(),
            rules: Arc::clone(&self.rules),
            live: Arc::clone(&self.live),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let gone = self.registry.entries().release(self.live.id());
        drop(gone);
    }
}

/// What is counted of an agent (T13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCounts {
    /// Whose counts they are.
    pub agent_id: AgentId,
    /// Tools of its catalog.
    pub tools: usize,
    /// Links between them, by how they are known.
    pub declared: usize,
    /// See `declared`.
    pub inferred: usize,
    /// See `declared`.
    pub traced: usize,
    /// Past conversations kept.
    pub conversations: usize,
    /// Tools whose names some providers of models refuse; they are rendered all the same (C17).
    pub invalid_names: usize,
}

impl AgentCounts {
    fn of_index(agent_id: &AgentId, index: &AgentIndex) -> Self {
        let agent = index.agent();
        let graph = agent.graph();
        let names = agent.tools().iter().map(|tool| &*tool.name);
        Self {
            agent_id: agent_id.clone(),
            tools: agent.tools().len(),
            declared: graph.count(EdgeSource::Declared),
            inferred: graph.count(EdgeSource::Static),
            traced: graph.count(EdgeSource::Trace),
            conversations: agent.conversations(),
            invalid_names: names.filter(|name| !is_taken_by_all_providers(name)).count(),
        }
    }
}

/// Whether every provider of models takes a tool of this name: `^[A-Za-z0-9_-]{1,64}$` (X1, X3).
fn is_taken_by_all_providers(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(fits)
}

/// Why an agent could not be asked or changed.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// Nobody published this agent (T49).
    #[error("unknown agent: {0}")]
    Unknown(AgentId),
    /// This deployment finds no tools for anybody, or not right now (E13).
    #[error("finding tools is temporarily unavailable, a retry may succeed")]
    Unavailable,
    /// It could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What finds tools in this deployment (E13).
fn selector(runtime: &Runtime) -> Result<&Arc<Selector>, AgentError> {
    runtime.selector.as_ref().ok_or(AgentError::Unavailable)
}

/// Runs what computes for long on a thread of its own.
pub(crate) async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, AgentError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "an agent could not be worked on");
        AgentError::Unavailable
    })
}

/// Runs what must not end half-way when whoever asked goes away.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, AgentError>> + Send + 'static,
) -> Result<T, AgentError> {
    tokio::spawn(work).await.unwrap_or_else(|error| {
        tracing::error!(%error, "an agent could not be worked on");
        Err(AgentError::Unavailable)
    })
}
