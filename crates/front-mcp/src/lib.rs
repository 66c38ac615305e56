//! How does an agent ask, over MCP?
//!
//! Transport only: both protocol eras on one HTTP endpoint and on stdio, turned into the same
//! operations. Read [`methods`] for what is answered, [`http`] and [`stdio`] for how it travels.
//!
//! Resources, prompts, completion, sampling, elicitation and roots have no method here yet; each gets a
//! line in [`methods::respond`] and a capability in [`greeting`] when it is real.

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
mod reply;

pub use front::McpFront;
pub use http::router;
