//! Do calls to real processes and sockets work, and does a faulty server cost only itself?
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "a panic is a failed test, in helpers too"
)]

mod http;
mod interop;
mod people;
mod questions;
mod stdio;
mod support;
mod web;
