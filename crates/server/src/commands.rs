//! What can a person ask for?

pub mod advise;
pub mod call;
pub mod catalog_file;
pub mod completions;
pub mod demo;
pub mod eval;
pub mod gateway;
pub mod graph;
pub mod import;
pub mod keys;
pub mod lint;
pub mod search;
pub mod select;
pub mod serve;
pub mod status;
pub mod stdio;

mod defects;
mod http;
mod pages;
mod suggestions;
