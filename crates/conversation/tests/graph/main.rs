//! Does the graph say which tool supplies what to which?

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail loudly and print their figures"
)]

mod edges;
mod habits;
mod labelled;
mod naive;
mod properties;
mod scale;
mod support;
