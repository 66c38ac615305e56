//! Which arguments of a tool does a request hold?
//!
//! Reads a request in words with the tool's input schema beside it, and takes ids from the context that came with
//! it. Nothing is made up: a value is in the request, in the context or in the schema, or it is missing. Pure: the
//! present moment is an argument.
//!
//! Read [`map_arguments`] first, then [`mod@span`].

mod assign;
mod choice_words;
pub mod evidence;
pub mod intent;
mod kind;
mod lexicon;
pub mod mapped;
mod meaning;
pub mod now;
mod schema;
pub mod span;
mod words;

pub use evidence::Evidence;
pub use intent::{Asking, asks_for_action};
pub use mapped::{Mapped, Missing, Origin, Request, Source, map_arguments};
pub use now::Now;
pub use span::{Span, What, spans};
