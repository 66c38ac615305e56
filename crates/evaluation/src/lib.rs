//! How good are the answers?
//!
//! Pure: labelled requests and what was answered go in, a [`Report`] comes out. Whoever asks the product
//! and takes the time is outside. `docs/eval.md` says the same for people who read the numbers.

pub mod abstention;
pub mod answered;
pub mod calibration;
pub mod comparison;
pub mod cost;
pub mod labelled;
pub mod measure;
pub mod metrics;
pub mod misses;
pub mod ordered;
pub mod report;
pub mod turns;
pub mod unified;

pub use answered::{Answered, Ranked};
pub use labelled::Query;
pub use measure::Measure;
pub use report::Report;
