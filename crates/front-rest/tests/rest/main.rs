//! What does a program get over REST, request by request?

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may fail loudly")]

mod any_body;
mod context;
mod document;
mod errors;
mod execute;
mod gateways;
mod search;
mod select;
mod status;
mod support;
mod tools;
