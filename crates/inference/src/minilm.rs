//! What does all-MiniLM-L6-v2, or a model of its kind, make of a text?

#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use handpick_selection::{EncodeError, Encoder};

use crate::fingerprint::fingerprint;
use crate::lanes::Lanes;
use crate::network::Network;
use crate::wordpiece::{VocabularyError, WordPiece};

/// The model that is part of the program; `models/all-minilm-l6-v2/README.md` tells its origin.
const GRAPH: &[u8] = include_bytes!("../../../models/all-minilm-l6-v2/model.onnx");
const VOCABULARY: &str = include_str!("../../../models/all-minilm-l6-v2/vocab.txt");
/// The name by which the graph refers to its weights.
const WEIGHTS_NAME: &str = "model.onnx.data";

/// Name, first 12 digits of the fingerprint of the three files, and the version of everything around
/// them (tokens, truncation, pooling), to be raised when the same text would give another vector.
const EMBEDDED_ID: &str = "all-minilm-l6-v2/fc94d4d4da23/1";
const PREPROCESSING_VERSION: u32 = 1;

/// Tokens of a text that count, its two markers included. The model was trained on 128; 256 take twice
/// as long and move NDCG@10 on the labelled sets by less than .003, 512 no further.
pub const TOKENS_MAX: usize = 128;

/// Up to so many texts at a time are somebody's question; more are a catalog.
const QUESTION_TEXTS_MAX: usize = 4;

/// More threads than this gain nothing for the catalogs a gateway meets.
const LANES_MAX: usize = 16;

/// A sentence encoder of the BERT family (uncased WordPiece, mean of the tokens).
///
/// Each text is computed by itself on one thread, so its vector never depends on what else was in
/// the call, and calls are deterministic on one machine.
///
/// Questions and catalogs have threads of their own: while a catalog is being encoded, a question
/// shares the processor with it but does not wait behind it.
pub struct MiniLm {
    id: String,
    dimensions: usize,
    words: WordPiece,
    network: Network,
    question_lanes: Lanes,
    catalog_lanes: Lanes,
}

/// Why a model could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file could not be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The vocabulary does not serve.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// The model does not load or is no sentence encoder.
    #[error("the model cannot be used: {0}")]
    Model(String),
}

impl MiniLm {
    /// Loads the model inside the program: tens of milliseconds, and no file is read.
    pub fn load() -> Result<Self, LoadError> {
        // Unlike `include_bytes!` this aligns the bytes, so that they need no copy in memory.
        let weights = rten::include_external_data!("../../../models/all-minilm-l6-v2/model.onnx.data");
        let network = Network::from_static(GRAPH, WEIGHTS_NAME, weights).map_err(LoadError::Model)?;
        Self::new(EMBEDDED_ID.to_owned(), WordPiece::new(VOCABULARY)?, network)
    }

    /// Loads another model of the same kind: an ONNX file with input `input_ids` (and, if it likes,
    /// `attention_mask` and `token_type_ids`) that gives one vector a text or one a token, and its
    /// vocabulary of one token a line. Weights in a file of their own must lie beside the ONNX file
    /// and bear its name with an ending (`model.onnx.data`).
    ///
    /// All files are read once more to make the identity, which follows from their content alone.
    pub fn load_from(model: &Path, vocabulary: &Path) -> Result<Self, LoadError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            |source| LoadError::Unreadable { path, source }
        };
        let words = std::fs::read_to_string(vocabulary).map_err(unreadable(vocabulary))?;
        let digest = fingerprint(model, vocabulary).map_err(unreadable(model))?;
        let name = model.file_stem().unwrap_or_default().to_string_lossy();
        let id = format!("{name}/{digest}/{PREPROCESSING_VERSION}");
        let network = Network::from_file(model).map_err(LoadError::Model)?;
        Self::new(id, WordPiece::new(&words)?, network)
    }

    fn new(id: String, words: WordPiece, network: Network) -> Result<Self, LoadError> {
        let lanes = std::thread::available_parallelism()
            .map_or(1, NonZeroUsize::get)
            .min(LANES_MAX);
        let mut encoder = Self {
            id,
            dimensions: 0,
            words,
            network,
            question_lanes: Lanes::new(lanes),
            catalog_lanes: Lanes::new(lanes),
        };
        // One text tells the length of all vectors, and that the parts fit together.
        let probe = encoder.encode_one("a", &encoder.question_lanes);
        encoder.dimensions = probe.map_err(|error| LoadError::Model(error.0))?.len();
        Ok(encoder)
    }

    fn encode_one(&self, text: &str, lanes: &Lanes) -> Result<Vec<f32>, EncodeError> {
        let tokens = self.words.tokens(text, TOKENS_MAX);
        let vector = self
            .network
            .vector(&tokens, lanes.take().pool())
            .map_err(EncodeError)?;
        normalized(vector)
    }

    /// Encodes on all catalog lanes. Long texts go first, so that no lane ends up alone with one.
    fn encode_catalog(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(texts[index].len()));
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push((index, self.encode_one(texts[index], &self.catalog_lanes)));
            }
            done
        };
        let mut vectors = vec![Vec::new(); texts.len()];
        let done = std::thread::scope(|scope| {
            // A thread the system refuses is one fewer: the rest do its share.
            let helpers: Vec<_> = (1..self.catalog_lanes.count())
                .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let mut done = work();
            // All are joined before any failure is told: a failed thread left alone fails the scope.
            let parts: Vec<_> = helpers.into_iter().map(|helper| helper.join()).collect();
            for part in parts {
                done.extend(part.map_err(|_| EncodeError("the encoder failed on a text".to_owned()))?);
            }
            Ok(done)
        })?;
        for (index, vector) in done {
            vectors[index] = vector?;
        }
        Ok(vectors)
    }
}

impl Encoder for MiniLm {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        if texts.len() > QUESTION_TEXTS_MAX {
            return self.encode_catalog(texts);
        }
        texts
            .iter()
            .map(|text| self.encode_one(text, &self.question_lanes))
            .collect()
    }
}

/// `vector` scaled to unit length.
fn normalized(mut vector: Vec<f32>) -> Result<Vec<f32>, EncodeError> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if !length.is_normal() {
        return Err(EncodeError(
            "the model gave a vector without a direction".to_owned(),
        ));
    }
    for value in &mut vector {
        *value /= length;
    }
    Ok(vector)
}
