//! How good are the tools that turns of conversations get?
//!
//! | question | file |
//! |---|---|
//! | what is said in each turn, and what would be right? | [`labels`] |
//! | what do recorded dialogues without labels say about that? | [`dialogues`] |
//! | is the answer to one turn right? | [`judging`] |
//! | what do many turns come to? | [`tally`] |
//! | what does a whole domain come to? | [`report`] |
//! | which turns are answered worst? | [`misses`] |
//! | how is a report told to a person? | [`told`] |
//! | what moved between two runs, and is it too much? | [`comparison`] |

pub mod comparison;
pub mod dialogues;
pub mod judging;
pub mod labels;
pub mod misses;
pub mod report;
pub mod tally;
pub mod told;

pub use judging::{Answer, Given, Judged, Rights, judge};
pub use labels::{Conversation, Expected, Page, Turn};
pub use report::{Report, Reports, Setup};
pub use tally::{Measure, Tally};
