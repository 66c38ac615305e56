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
//! | does the message give what a tool takes? | [`givens`] |
//! | what do the words of a tool say about its place among the others? | [`tool_words`] |
//! | which of them hold for this turn? | [`resolved`] |
//! | which tool supplies which id to which? | [`graph`] |
//! | what kind of turn is it? | [`turn_type`] |
//! | what is the message about: itself, or what was said before? | [`reading`] |
//! | what did past conversations call for such words? | [`memory`] |
//! | what is searched for an agent? | [`index`] |
//! | what is read out of a turn before any tool is looked at? | [`prepared`] |
//! | what speaks for each tool, in numbers? | [`evidence`], `together` |
//! | how probable is it that the turn needs a tool? | [`model`] |
//! | which lookups come along? | `lookups` |
//! | why is each tool there? | [`reason`] |
//! | which tools does this turn need? | [`turn`] |
//! | which tools fit a task that the model describes? | [`find`] |

pub mod agent;
pub mod evidence;
pub mod find;
pub mod found;
pub mod givens;
pub mod graph;
pub mod id_name;
pub mod index;
mod lookups;
pub mod memory;
pub mod model;
pub mod prepared;
pub mod published;
pub mod reading;
pub mod reason;
pub mod resolved;
mod together;
pub mod tool_words;
pub mod turn;
pub mod turn_type;
mod words;

pub use agent::Agent;
pub use graph::{Edge, EdgeSource, Graph};
pub use index::AgentIndex;
pub use model::TurnModel;
pub use prepared::{Prepared, Request};
pub use published::FieldDefect;
pub use reason::Reason;
pub use turn::{Turn, TurnTool, TurnTuning, tools_of_turn};
pub use turn_type::TurnType;
