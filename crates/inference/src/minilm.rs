//! What does the encoder inside the program make of a text?

#[cfg(test)]
mod tests;

use std::path::Path;

use handpick_selection::{EncodeError, Encoder};

use crate::fingerprint::fingerprint;
use crate::load_error::{LoadError, unreadable};
use crate::network::Network;
use crate::recipe::Recipe;
use crate::sentence::{PREPROCESSING_VERSION, SentenceEncoder};
use crate::tokenizer::{Tokenizer, TokenizerError};
use crate::wordpiece::WordPiece;

/// The model that is part of the program; `models/minilm-tools/README.md` tells its origin.
const GRAPH: &[u8] = include_bytes!("../../../models/minilm-tools/model.onnx");
const VOCABULARY: &str = include_str!("../../../models/minilm-tools/vocab.txt");
/// The name by which the graph refers to its weights.
const WEIGHTS_NAME: &str = "model.onnx.data";

/// Name, first 12 digits of the fingerprint of the three files, and the version of everything around
/// them (tokens, truncation, pooling), to be raised when the same text would give another vector.
const EMBEDDED_ID: &str = "minilm-tools/06356ec9dfac/1";

/// The embedded encoder, for English texts (uncased WordPiece, mean of the tokens).
pub struct MiniLm(SentenceEncoder);

impl MiniLm {
    /// Loads the model inside the program: tens of milliseconds, and no file is read.
    pub fn load() -> Result<Self, LoadError> {
        // Unlike `include_bytes!` this aligns the bytes, so that they need no copy in memory.
        let weights = rten::include_external_data!("../../../models/minilm-tools/model.onnx.data");
        let network = Network::from_static(GRAPH, WEIGHTS_NAME, weights).map_err(LoadError::Model)?;
        let words =
            WordPiece::new(VOCABULARY).map_err(|reason| bad_vocabulary(Path::new("vocab.txt"), reason))?;
        Self::new(EMBEDDED_ID.to_owned(), words, network)
    }

    /// Loads another version of the same model, for comparing: an ONNX file and its vocabulary, wherever they
    /// lie. Weights in a file of their own must lie beside the ONNX file and bear its name with an ending
    /// (`model.onnx.data`).
    pub fn load_from(model: &Path, vocabulary: &Path) -> Result<Self, LoadError> {
        let words = std::fs::read_to_string(vocabulary).map_err(|source| unreadable(vocabulary, source))?;
        let words = WordPiece::new(&words).map_err(|reason| bad_vocabulary(vocabulary, reason))?;
        let digest = fingerprint(model, [vocabulary])
            .map_err(|(path, source)| LoadError::Unreadable { path, source })?;
        let name = model.file_stem().unwrap_or_default().to_string_lossy();
        let id = format!("{name}/{digest}/{PREPROCESSING_VERSION}");
        let network = Network::from_file(model).map_err(LoadError::Model)?;
        Self::new(id, words, network)
    }

    fn new(id: String, words: WordPiece, network: Network) -> Result<Self, LoadError> {
        SentenceEncoder::new(id, Tokenizer::WordPiece(words), network, Recipe::default()).map(Self)
    }
}

fn bad_vocabulary(path: &Path, reason: impl Into<TokenizerError>) -> LoadError {
    LoadError::Tokenizer {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

impl Encoder for MiniLm {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        self.0.encode(texts)
    }
}
