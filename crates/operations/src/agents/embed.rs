//! How do the vectors of an agent come in? Behind the answers, batch by batch; until then words alone decide.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use handpick_conversation::AgentIndex;
use handpick_domain::Digest;
use handpick_selection::{Encoder, Vector};
use tokio::sync::oneshot;

use super::live::{State, Vectors};
use super::{Held, on_a_thread};
use crate::Selector;
use crate::limits::{AGENT_VECTORS_MAX, AGENT_VECTORS_WAIT, EMBED_BATCH, INDEX_PUBLISH_INTERVAL};
use crate::select_tools::shortened;

/// What a round of making vectors came to.
enum Round {
    /// Nothing more will come.
    Done,
    /// The agent was published anew meanwhile.
    Changed,
}

impl Held {
    /// Makes the missing vectors, and waits for them a moment.
    pub(super) async fn embed_missing_and_wait(&self) {
        let made = self.embed_missing();
        // Either way the agent answers.
        let _ = tokio::time::timeout(AGENT_VECTORS_WAIT, made).await;
    }

    /// Makes the missing vectors in the background; what is given back ends when that does.
    pub(super) fn embed_missing(&self) -> oneshot::Receiver<()> {
        let (done, made) = oneshot::channel();
        let Some(selector) = self.selector.clone() else {
            return made;
        };
        let held = self.clone();
        let mut tasks = self.registry.tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            let _turn = held.live.embedder.lock().await;
            while let State::Known(index) = &*held.live.state() {
                if let Round::Done = held.embed(&selector, index).await {
                    break;
                }
            }
            // Nobody may be waiting.
            let _ = done.send(());
        });
        made
    }

    async fn embed(&self, selector: &Arc<Selector>, index: &Arc<AgentIndex>) -> Round {
        let made = self.live.write().await.len();
        let missing = {
            let index = Arc::clone(index);
            on_a_thread(move || missing(&index, AGENT_VECTORS_MAX.saturating_sub(made))).await
        };
        let mut shown = Instant::now();
        let mut batches = missing.unwrap_or_default();
        let mut batches = batches.chunks_mut(EMBED_BATCH).peekable();
        while let Some(batch) = batches.next() {
            let (vectors, failed) = self
                .encoded(selector, batch.iter_mut().map(std::mem::take).collect())
                .await;
            let mut known = self.live.write().await;
            // Asked within the writers' turn: a vector must not outlive the text of an agent that was deleted.
            if !self.answers_from(index) {
                return Round::Changed;
            }
            self.keep(selector, vectors, &mut known).await;
            if failed || batches.peek().is_none() || shown.elapsed() > INDEX_PUBLISH_INTERVAL {
                self.show_vectors(&known).await;
                shown = Instant::now();
            }
            if failed {
                return Round::Done;
            }
        }
        if self.answers_from(index) {
            Round::Done
        } else {
            Round::Changed
        }
    }

    /// The usable vectors of a batch, and whether the encoder failed. A text without one costs only itself.
    async fn encoded(
        &self,
        selector: &Arc<Selector>,
        batch: Vec<(Digest, String)>,
    ) -> (Vec<(Digest, Vector)>, bool) {
        let encoder = Arc::clone(selector.encoder());
        let Ok(_turn) = self.registry.embedding.acquire().await else {
            return (Vec::new(), true);
        };
        let made = on_a_thread(move || {
            let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
            let vectors = encoder.encode(&texts)?;
            let usable = |((digest, _), vector): (&(Digest, String), Vec<f32>)| {
                Some((*digest, Vector::from_f32(&vector)?))
            };
            Ok(batch.iter().zip(vectors).filter_map(usable).collect())
        });
        match made.await {
            Ok(Ok(vectors)) => (vectors, false),
            Ok(Err::<_, handpick_selection::EncodeError>(error)) => {
                let agent = self.id();
                tracing::error!(agent, %error, "texts of an agent cannot be embedded; they are found by words alone");
                (Vec::new(), true)
            }
            Err(_) => (Vec::new(), true),
        }
    }

    /// Whether the agent is still the one that `index` was made of. Vectors may have come in since.
    fn answers_from(&self, index: &AgentIndex) -> bool {
        matches!(&*self.live.state(), State::Known(now) if Arc::ptr_eq(now.agent(), index.agent()))
    }

    async fn keep(&self, selector: &Selector, made: Vec<(Digest, Vector)>, known: &mut Vectors) {
        let rows: Vec<(Digest, Vec<u8>)> = made
            .iter()
            .map(|(digest, vector)| (*digest, vector.to_bytes()))
            .collect();
        let kept = self
            .store
            .agent_vectors_save(self.id(), &selector.vector_kind(), &rows)
            .await;
        if let Err(error) = kept {
            tracing::warn!(%error, "vectors of an agent cannot be cached; they are made again after a restart");
        }
        Arc::make_mut(known).extend(made);
    }

    /// Answers from the vectors made so far; within the writers' turn.
    async fn show_vectors(&self, known: &Vectors) {
        let State::Known(index) = &*self.live.state() else {
            return;
        };
        let (index, known) = (Arc::clone(index), Arc::clone(known));
        let grown = on_a_thread(move || index.with_vectors(|digest| known.get(digest).cloned())).await;
        if let Ok(grown) = grown {
            self.live.answer_from(State::Known(Arc::new(grown)));
        }
    }
}

/// Up to `count` texts without a vector, each once, cut to what matching reads (E16).
fn missing(index: &AgentIndex, count: usize) -> Vec<(Digest, String)> {
    let mut seen = HashSet::new();
    let mut missing = index.missing();
    missing.retain(|(digest, _)| seen.insert(*digest));
    missing.truncate(count);
    for (_, text) in &mut missing {
        *text = shortened(text);
    }
    missing
}

/// The vectors of a request; none where the encoder fails, so that words alone decide.
pub(super) fn vectors_of_request(encoder: &dyn Encoder, texts: &[String]) -> Vec<Vec<f32>> {
    let texts: Vec<String> = texts.iter().map(|text| shortened(text)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    if texts.is_empty() {
        return Vec::new();
    }
    match encoder.encode_questions(&texts) {
        Ok(vectors) if vectors.len() == texts.len() => vectors,
        Ok(_) => Vec::new(),
        Err(error) => {
            tracing::error!(%error, "a turn cannot be encoded; it is answered by words alone");
            Vec::new()
        }
    }
}
