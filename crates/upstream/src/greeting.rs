//! What does a server say about itself?

use serde_json::Value;
use serde_json::value::RawValue;

/// The answer to `initialize` or `server/discover`. Whatever is missing or odd reads as absent.
#[derive(Debug, Default)]
pub(crate) struct Greeting(Value);

impl Greeting {
    /// Reads the answer.
    pub fn read(result: &RawValue) -> Self {
        Self(serde_json::from_str(result.get()).unwrap_or_default())
    }

    /// The revision a legacy server chose.
    pub fn protocol_version(&self) -> Option<&str> {
        self.0.get("protocolVersion")?.as_str()
    }

    /// Whether a modern server speaks this revision.
    pub fn supports(&self, version: &str) -> bool {
        names(self.0.get("supportedVersions"), version)
    }

    /// Whether the server says when its tools change.
    pub fn tells_changes(&self) -> bool {
        self.0.pointer("/capabilities/tools/listChanged") == Some(&Value::Bool(true))
    }
}

/// Whether a JSON array of revisions contains this one.
pub(crate) fn names(versions: Option<&Value>, version: &str) -> bool {
    versions
        .and_then(Value::as_array)
        .is_some_and(|versions| versions.iter().any(|named| named == version))
}
