//! Which tools does this turn of a conversation need?
//!
//! Pure: no clock, no network, no disk, no randomness. What an agent published and its past conversations
//! become an [`Agent`] once; a turn is read, its texts are encoded outside, and [`turn::tools_of_turn`]
//! answers. Read [`turn`] first, it is the recipe.
//!
//! | question | file |
//! |---|---|
//! | what does a published body say, and which field is wrong? | [`published`] |
//! | what is known about an agent before a turn arrives? | [`agent`] |
//! | do two spellings name the same id? | [`id_name`] |
//! | which ids stand in a conversation? | [`found`] |
//! | which of them hold for this turn? | [`resolved`] |
//! | which tool supplies which id to which? | [`graph`] |
//! | what kind of turn is it? | [`turn_type`] |
//! | what is the message about: itself, or what was said before? | [`reading`] |
//! | what did past conversations call for such words? | [`memory`] |
//! | which tools does this turn need? | [`turn`] |

pub mod agent;
pub mod found;
pub mod graph;
pub mod id_name;
pub mod memory;
pub mod published;
pub mod reading;
pub mod resolved;
pub mod turn;
pub mod turn_type;

pub use agent::Agent;
pub use graph::{Edge, EdgeSource, Graph};
pub use published::FieldDefect;
pub use turn_type::TurnType;
