//! What has the operator decided?
//!
//! `raw` is what is written in a file, `resolve` turns it into what it means, `mcp_json` reads the
//! files other clients write. Every mistake names the file, the line and the key.

pub mod jsonc;
pub mod listing;
pub mod mcp_json;
pub mod mistake;
pub mod raw;
pub mod resolve;
mod unified;
pub mod variables;

pub use mistake::Mistake;
pub use resolve::{Settings, load};
