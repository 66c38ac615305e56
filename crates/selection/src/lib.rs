//! Which tools fit?
//!
//! Pure: no clock, no network, no disk, no randomness. An [`Index`] is built from a catalog and swapped
//! whole; [`select`] and [`search`] read it. Texts become vectors through an [`Encoder`] outside.

mod actions;
mod additive;
pub mod answerability;
mod apps;
mod arrange;
pub mod clauses;
pub mod encoder;
pub mod explanation;
pub mod features;
pub mod floor;
pub mod gloss;
pub mod index;
pub mod lexical;
mod names;
mod phrases;
pub mod pipeline;
pub mod ranker;
pub mod search;
pub mod semantic;
pub mod text;
mod thesaurus;
pub mod vector;
mod vendors;
pub mod weigh;
pub mod wording;
pub mod words;

pub use answerability::{Answerability, Signal, Signals};
pub use encoder::{EncodeError, Encoder};
pub use explanation::{Explanation, Reason};
pub use features::{Clause, Feature, Features, Task};
pub use floor::Floor;
pub use index::Index;
pub use pipeline::{Answer, Suggestion, Tuning, answer, select};
pub use ranker::{Ranker, RankerError, Score};
pub use search::{Hit, search};
pub use vector::Vector;
pub use weigh::{Weighed, weigh};
pub use wording::Wording;
