//! Which tools fit?
//!
//! Pure: no clock, no network, no disk, no randomness. An [`Index`] is built from a catalog and swapped
//! whole; [`select`] and [`search`] read it. Texts become vectors through an [`Encoder`] outside.

mod apps;
pub mod encoder;
pub mod explanation;
pub mod features;
pub mod floor;
pub mod index;
pub mod lexical;
mod names;
pub mod pipeline;
pub mod score;
pub mod search;
pub mod semantic;
pub mod text;
pub mod vector;
pub mod words;

pub use encoder::{EncodeError, Encoder};
pub use explanation::Explanation;
pub use features::{Features, Task};
pub use floor::Floor;
pub use index::Index;
pub use pipeline::{Suggestion, select};
pub use score::{Score, Tuning};
pub use search::{Hit, search};
pub use vector::Vector;
