//! What does a text mean, in numbers?
//!
//! [`MiniLm`] holds the sentence encoder that is part of the program, and loads others of its kind.
//! [`CachedEncoder`] remembers what was asked last. Both are an
//! [`Encoder`](handpick_selection::Encoder), which is all the rest of the program knows.

mod cached;
mod fingerprint;
mod lanes;
mod minilm;
mod network;
mod wordpiece;

pub use cached::CachedEncoder;
pub use minilm::{LoadError, MiniLm, TOKENS_MAX};
pub use wordpiece::VocabularyError;
