//! What is an MCP server that lives in this process?

use async_trait::async_trait;
use serde_json::value::RawValue;

use crate::RpcError;

/// An MCP server reached by function call instead of by pipe or socket.
///
/// It answers the same methods with the same JSON as any other server (`tools/list`, `tools/call`),
/// so that nothing above the transport can tell the difference.
#[async_trait]
pub trait LocalServer: Send + Sync {
    /// Answers one request. `params` and the result are the JSON the wire would carry.
    async fn handle(&self, method: &str, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError>;
}
