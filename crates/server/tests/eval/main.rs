//! Does `handpick eval` measure what it says, and is selection as good as it was?

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod command;
mod demo;
#[path = "../support/program.rs"]
mod program;
mod run;
mod turns;
mod unified;
