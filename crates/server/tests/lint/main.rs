//! Does `handpick lint` tell a person, a program and a code host what is wrong?

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod command;
mod gateway;
#[path = "../support/program.rs"]
mod program;
mod run;
