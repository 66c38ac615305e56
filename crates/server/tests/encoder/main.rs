//! Is another encoder a matter of one setting: a folder, or a model of a hub?

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod folder;
mod hub;
mod run;
mod served;
