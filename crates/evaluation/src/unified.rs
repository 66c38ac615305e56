//! How good is the one tool that takes requests in words?
//!
//! | question | file |
//! |---|---|
//! | what is asked, and what would be right? | [`labels`] |
//! | are two calls the same? | [`same`] |
//! | is what was decided right? | [`judging`] |
//! | what do many requests come to, and is it worse than before? | [`report`] |
//! | how is a report told to a person? | [`told`] |

pub mod judging;
pub mod labels;
pub mod report;
pub mod same;
pub mod told;

pub use judging::{Decided, Judged, Outcome, judge};
pub use labels::{Case, Expected, LabelledCall, Reason};
pub use report::{Asked, Report, Tally, falls};
