//! Do the operations keep what the fronts promise, whoever asks?
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may fail loudly"
)]

mod deployment;

mod agents;
mod calls;
mod gateways;
mod indexing;
mod keys;
mod progressive;
mod recorded;
mod selecting;
mod surfaces;
mod system;
mod unified;
