//! What does the gateway say of itself?

use std::time::Duration;

use handpick_operations::Opened;
use handpick_presentation::instructions::instructions;
use handpick_protocol::json::to_raw;
use handpick_protocol::version::{LEGACY, META_SERVER_INFO, SUPPORTED};
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn server_info() -> Value {
    json!({"name": "handpick", "title": "Handpick", "version": env!("CARGO_PKG_VERSION")})
}

/// The revision spoken with a client that asked for `requested` in `initialize`: that one where it is
/// known, otherwise the newest that has a handshake.
pub fn negotiate(requested: Option<&str>) -> &'static str {
    LEGACY
        .into_iter()
        .find(|version| Some(*version) == requested)
        .unwrap_or(LEGACY[0])
}

/// The result of `initialize`.
pub fn initialize_result(version: &str, opened: &Opened) -> Box<RawValue> {
    let mut result = json!({
        "protocolVersion": version,
        "capabilities": {"tools": {"listChanged": true}},
        "serverInfo": server_info(),
    });
    if let Some(text) = instructions(&opened.gateway, opened.mode) {
        result["instructions"] = json!(text);
    }
    to_raw(&result)
}

/// The result of `server/discover`.
pub fn discover_result(opened: &Opened, ttl: Duration) -> Box<RawValue> {
    let mut result = json!({
        "resultType": "complete",
        "supportedVersions": SUPPORTED,
        "capabilities": {"tools": {"listChanged": true}},
        "ttlMs": ttl.as_millis(),
        "cacheScope": "private",
        "_meta": {META_SERVER_INFO: server_info()},
    });
    if let Some(text) = instructions(&opened.gateway, opened.mode) {
        result["instructions"] = json!(text);
    }
    to_raw(&result)
}
