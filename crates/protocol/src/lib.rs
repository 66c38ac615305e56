//! How is MCP spelled on the wire?
//!
//! JSON-RPC messages with their payloads kept as raw JSON, the two protocol eras, and the few edits a
//! gateway makes to somebody else's JSON. Pure: transports live in `upstream` and `front-mcp`.

pub mod capabilities;
pub mod error;
pub mod json;
pub mod local;
pub mod message;
pub mod version;

pub use capabilities::ClientCapabilities;
pub use error::RpcError;
pub use local::LocalServer;
pub use message::{Message, error_response, notification, request, result_response};
pub use version::Era;
