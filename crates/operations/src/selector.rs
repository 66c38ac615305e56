//! Which index answers right now, and how does it grow?

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use arc_swap::ArcSwap;
use handpick_domain::{Catalog, Digest};
use handpick_selection::{EncodeError, Encoder, Index, Tuning, Vector};
use handpick_store::Store;
use handpick_upstream::Upstreams;
use tokio::sync::watch;

use crate::limits::{EMBED_BATCH, INDEX_PUBLISH_INTERVAL};

/// The live index with the encoder that feeds it.
///
/// The index is immutable and replaced whole. A new catalog answers by words at once; vectors follow
/// in the background and are kept by content, so that only changed tools are ever embedded again
/// (A36).
pub struct Selector {
    index: ArcSwap<Index>,
    encoder: Arc<dyn Encoder>,
    vectors: RwLock<HashMap<Digest, Vector>>,
    progress: watch::Sender<Indexing>,
    tuning: Tuning,
}

/// One vector a text, in the order of the texts.
type Encoded = Result<Vec<Vec<f32>>, EncodeError>;

/// How far the vectors are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indexing {
    /// Tools in the index.
    pub tools: usize,
    /// Tools whose vector is not made yet; they are found by their words meanwhile.
    pub missing: usize,
    /// Whether making vectors was given up until the catalog changes.
    pub stalled: bool,
}

impl Indexing {
    /// Whether nothing more will come by itself.
    pub fn is_done(&self) -> bool {
        self.missing == 0 || self.stalled
    }
}

impl Selector {
    /// A selector over an empty catalog, with the vectors an earlier run left in the store.
    pub async fn load(encoder: Arc<dyn Encoder>, store: &Store, tuning: Tuning) -> Self {
        let stored = store
            .vectors_load(&vector_kind(&*encoder))
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "cached vectors cannot be read; tools are embedded again");
                HashMap::new()
            });
        let vectors = stored
            .into_iter()
            .filter_map(|(digest, bytes)| Some((digest, Vector::from_bytes(&bytes)?)))
            .collect();
        Self {
            index: ArcSwap::from_pointee(Index::build(Arc::default(), |_| None)),
            encoder,
            vectors: RwLock::new(vectors),
            progress: watch::Sender::new(Indexing::default()),
            tuning,
        }
    }

    /// The index that answers now.
    pub fn index(&self) -> Arc<Index> {
        self.index.load_full()
    }

    /// Weights and floor.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// Follows how far the vectors are.
    pub fn progress(&self) -> watch::Receiver<Indexing> {
        self.progress.subscribe()
    }

    /// Whether requests are encoded in their own language.
    pub fn is_multilingual(&self) -> bool {
        self.encoder.is_multilingual()
    }

    /// What makes the vectors. It computes for milliseconds: call it off the async threads.
    pub(crate) fn encoder(&self) -> &Arc<dyn Encoder> {
        &self.encoder
    }

    /// What vectors are cached under.
    pub(crate) fn vector_kind(&self) -> String {
        vector_kind(&*self.encoder)
    }

    /// Encodes requests on a thread of its own, since the encoder computes for milliseconds.
    pub async fn encode(&self, texts: Vec<String>) -> Encoded {
        self.on_a_thread(texts, |encoder, texts| encoder.encode_questions(texts))
            .await
    }

    async fn on_a_thread(&self, texts: Vec<String>, encode: fn(&dyn Encoder, &[&str]) -> Encoded) -> Encoded {
        let encoder = Arc::clone(&self.encoder);
        let work = move || encode(&*encoder, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|error| Err(EncodeError(error.to_string())))
    }

    /// Indexes a catalog by words and by the vectors at hand, and answers from it from now on.
    pub fn publish(&self, catalog: Arc<Catalog>) {
        let vectors = self.vectors.read().unwrap_or_else(PoisonError::into_inner);
        let index = Index::build(catalog, |digest| vectors.get(digest).cloned());
        drop(vectors);
        self.answer_from(index);
    }

    /// Answers from an index; whoever waits for it is told afterwards, never before.
    fn answer_from(&self, index: Index) {
        let indexing = Indexing {
            tools: index.catalog().tools().len(),
            missing: index.missing().len(),
            stalled: false,
        };
        self.index.store(Arc::new(index));
        self.progress.send_replace(indexing);
    }

    /// Keeps the index in step with the upstreams until they are gone.
    pub async fn follow(self: Arc<Self>, upstreams: Arc<Upstreams>, store: Store) {
        let mut changes = upstreams.changes();
        loop {
            changes.borrow_and_update();
            self.publish(upstreams.catalog());
            tokio::select! {
                () = self.embed_missing(&store) => if changes.changed().await.is_err() { return },
                changed = changes.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Makes every missing vector, batch by batch, showing the growing index now and then. A text without
    /// a usable vector costs only itself.
    async fn embed_missing(&self, store: &Store) {
        let index = self.index();
        let missing = index.missing();
        let mut published = Instant::now();
        for (nth, batch) in missing.chunks(EMBED_BATCH).enumerate() {
            let texts = batch.iter().map(|(_, text)| text.clone()).collect();
            let made = match self
                .on_a_thread(texts, |encoder, texts| encoder.encode(texts))
                .await
            {
                Ok(encoded) => quantized(batch, &encoded),
                Err(error) => {
                    tracing::error!(%error, "tools cannot be embedded; they are found by words alone");
                    self.answer_from(self.with_vectors(&index));
                    self.stall();
                    return;
                }
            };
            self.keep(store, made).await;
            let is_last = (nth + 1) * EMBED_BATCH >= missing.len();
            if is_last || published.elapsed() > INDEX_PUBLISH_INTERVAL {
                self.answer_from(self.with_vectors(&index));
                published = Instant::now();
            } else {
                self.progress
                    .send_modify(|progress| progress.missing = progress.missing.saturating_sub(batch.len()));
            }
        }
        if self.progress.borrow().missing > 0 {
            self.stall();
        }
    }

    fn with_vectors(&self, index: &Index) -> Index {
        let vectors = self.vectors.read().unwrap_or_else(PoisonError::into_inner);
        index.with_vectors(|digest| vectors.get(digest).cloned())
    }

    async fn keep(&self, store: &Store, made: Vec<(Digest, Vector)>) {
        let rows: Vec<(Digest, Vec<u8>)> = made
            .iter()
            .map(|(digest, vector)| (*digest, vector.to_bytes()))
            .collect();
        if let Err(error) = store.vectors_save(&vector_kind(&*self.encoder), &rows).await {
            tracing::warn!(%error, "vectors cannot be cached; they are made again after a restart");
        }
        self.vectors
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(made);
    }

    /// Nothing more will come until the catalog changes.
    fn stall(&self) {
        self.progress.send_modify(|progress| progress.stalled = true);
    }
}

/// The usable vectors of one batch, ready to keep.
fn quantized(batch: &[(Digest, String)], encoded: &[Vec<f32>]) -> Vec<(Digest, Vector)> {
    batch
        .iter()
        .zip(encoded)
        .filter_map(|((digest, text), vector)| {
            let vector = Vector::from_f32(vector);
            if vector.is_none() {
                tracing::warn!(
                    text,
                    "a tool has no usable vector; it is found by its words alone"
                );
            }
            Some((*digest, vector?))
        })
        .collect()
}

/// What vectors are cached under: who made them, and from which text of a tool.
fn vector_kind(encoder: &dyn Encoder) -> String {
    format!("{}+{}", encoder.id(), handpick_selection::text::RECIPE)
}
