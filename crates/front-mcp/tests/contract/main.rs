//! What does an agent get over MCP, message by message?
//!
//! The whole front over a gateway in this process: the HTTP routes in both eras, and stdio. Test names
//! begin with the contract they hold.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may fail loudly"
)]

mod agent;
mod agents;
#[path = "../../../operations/tests/contract/deployment.rs"]
mod deployment;
mod http_upstream;
mod person;
mod pipe;

mod answers;
mod confirm;
mod discovery;
mod forwarding;
mod greetings;
mod http_edges;
mod initialize_again;
mod list_changes;
mod malformed;
mod matrix;
mod modern;
mod modes;
mod open_agents;
mod progress;
mod promotion;
mod recommend;
mod records;
mod retries;
mod sessions;
mod snapshots;
mod stdio;
mod surfaces;
mod waiting_bytes;
mod wire;
