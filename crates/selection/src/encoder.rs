//! What turns a text into a vector? A trait, so that the model stays outside this crate.

/// Turns texts into unit vectors. Blocking and CPU-bound: call it off the async threads.
pub trait Encoder: Send + Sync {
    /// Stable identity of the model and its preprocessing: part of the key of cached vectors, so it
    /// changes whenever the same text could give another vector.
    fn id(&self) -> &str;

    /// Length of every vector.
    fn dimensions(&self) -> usize;

    /// One vector of unit length per text, in the order of `texts`.
    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError>;

    /// The same for texts that are asked: some models read a question differently from what answers it.
    fn encode_questions(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        self.encode(texts)
    }

    /// Whether texts of many languages that mean the same have vectors that are alike, so that a request is
    /// worth reading as it was written.
    fn is_multilingual(&self) -> bool {
        false
    }
}

/// Why texts could not be encoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(pub String);
