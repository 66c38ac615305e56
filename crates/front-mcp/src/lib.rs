//! How does an agent ask, over MCP?
//!
//! Transport only: both protocol eras on one HTTP endpoint and on stdio, turned into the same
//! operations. Read [`methods`] for what is answered, [`http`] and [`stdio`] for how it travels.
//!
//! While a call runs its client can be asked: with requests of ours in a session, with the result `input_required`
//! in the era without sessions. What asks is below, in `operations`; nothing of it needs a capability of ours.
//!
//! Resources, prompts and completion have no method here yet; each gets a line in [`methods::respond`] and a
//! capability in [`greeting`] when it is real.

pub mod error;
pub mod front;
pub mod greeting;
pub mod http;
pub mod list_changes;
pub mod methods;
pub mod origin;
pub mod params;
pub mod session;
pub mod stdio;

mod challenge;
mod incoming;
mod legacy;
mod modern;
mod ongoing;
mod parts;
mod questions;
mod reply;
mod running;
mod suspended;

pub use front::McpFront;
pub use http::router;
