//! What do tests and benchmarks stand on?
//!
//! Recorded catalogs of real servers, servers that replay them in this process or over HTTP, and a
//! bounded load client. Nothing here is shipped.

pub mod cpu;
pub mod echo;
pub mod http_one;
pub mod load;
pub mod recorded;
pub mod replay;

pub use recorded::{Recorded, shared_folder, shared_folder_or_skip};
pub use replay::ReplayServer;
