//! What is wrong with a tool list, and what would be right?
//!
//! For the people who write tools. Pure: [`check`] reads a catalog, [`compete`] also an index with vectors
//! and the encoded first lines; findings come back as values, and [`json`] and [`sarif`] write them down.
//! `docs/lint.md` is the manual, with the vendors' documents behind each rule about a client.

pub mod check;
pub mod client;
pub mod clients;
pub mod compete;
pub mod description;
pub mod finding;
pub mod instead;
pub mod json;
pub mod line;
pub mod listing;
pub mod names;
pub mod rule;
pub mod rules;
pub mod sarif;
pub mod schema;
pub mod sentences;
pub mod service;
pub mod words;

pub use check::check;
pub use client::{Client, Clients};
pub use finding::{Finding, Member, Place, Severity};
pub use rule::Rule;
