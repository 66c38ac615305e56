//! What does a text mean, in numbers?
//!
//! [`MiniLm`] is the sentence encoder that is part of the program, [`SentenceEncoder`] any other one, loaded from
//! a folder. [`CachedEncoder`] remembers what was asked last. All are an
//! [`Encoder`](handpick_selection::Encoder), which is all the rest of the program knows.

mod cached;
mod files;
mod fingerprint;
mod lanes;
mod load_error;
mod minilm;
mod network;
mod recipe;
mod sentence;
mod tokenizer;
mod wordpiece;

pub use cached::CachedEncoder;
pub use files::{EncoderFiles, FilesMissing};
pub use load_error::LoadError;
pub use minilm::MiniLm;
pub use sentence::{SentenceEncoder, Summary, TOKENS_MAX};
pub use tokenizer::TokenizerError;
pub use wordpiece::VocabularyError;
