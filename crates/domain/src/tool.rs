//! What is one tool, as its upstream server offers it?

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::{ToolKind, ToolName};

/// SHA-256 of the text a tool is matched by: the key under which its vector is cached.
pub type Digest = [u8; 32];

/// One executable tool of one upstream server.
///
/// `definition` is the server's own JSON, byte for byte: fields this program does not know survive.
/// The typed fields beside it are only what decisions are made on.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Canonical name, `app.tool`.
    pub name: ToolName,
    /// Full description; empty when the server gives none.
    pub description: String,
    /// The `inputSchema` as it came: always a JSON object.
    pub input_schema: Arc<RawValue>,
    /// Behaviour hints, where given.
    pub annotations: Annotations,
    /// The whole tool object as it came.
    pub definition: Arc<RawValue>,
    /// Whether presentation may fold it.
    pub kind: ToolKind,
}

/// The behaviour hints of MCP that decisions read. Absent means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Annotations {
    /// The tool changes nothing.
    pub read_only_hint: Option<bool>,
    /// The tool may destroy something.
    pub destructive_hint: Option<bool>,
    /// Calling it twice is calling it once.
    pub idempotent_hint: Option<bool>,
    /// It talks to the world outside.
    pub open_world_hint: Option<bool>,
}

/// Why a tool object of a server cannot be offered. The tool is left out, its neighbours are not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolDefect {
    /// Not an object, or `name` is missing, empty or not a string.
    #[error("a tool without a usable `name`")]
    Name,
    /// `inputSchema` is missing or not an object.
    #[error("tool `{name}`: `inputSchema` must be a JSON object")]
    InputSchema {
        /// The tool's own name.
        name: String,
    },
}

impl Tool {
    /// Reads one element of a server's `tools/list`.
    pub fn parse(app: &str, definition: &RawValue) -> Result<Self, ToolDefect> {
        let fields: BTreeMap<String, &RawValue> =
            serde_json::from_str(definition.get()).map_err(|_| ToolDefect::Name)?;
        let text = |key: &str| {
            fields
                .get(key)
                .and_then(|raw| serde_json::from_str::<String>(raw.get()).ok())
        };
        let name = text("name")
            .filter(|name| !name.trim().is_empty())
            .ok_or(ToolDefect::Name)?;
        let input_schema = fields
            .get("inputSchema")
            .filter(|schema| schema.get().starts_with('{'))
            .ok_or_else(|| ToolDefect::InputSchema { name: name.clone() })?;
        let annotations = fields
            .get("annotations")
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default();
        Ok(Self {
            name: ToolName::new(app, &name),
            description: text("description").unwrap_or_default(),
            input_schema: Arc::from((*input_schema).to_owned()),
            annotations,
            definition: Arc::from(definition.to_owned()),
            kind: ToolKind::Customer,
        })
    }

    /// What the tool is matched by besides its name: the description up to the first line break.
    ///
    /// An empty first line stays empty; later lines never stand in for it.
    pub fn first_line(&self) -> &str {
        first_line(&self.description)
    }

    /// Key of everything matching depends on, so that only a change of it re-embeds.
    pub fn digest(&self) -> Digest {
        let mut hasher = Sha256::new();
        hasher.update(self.name.as_str().as_bytes());
        hasher.update(b"\n");
        hasher.update(self.first_line().as_bytes());
        hasher.finalize().into()
    }
}

/// The text before the first `\n`, trimmed.
pub fn first_line(description: &str) -> &str {
    description.split('\n').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(json: &str) -> Result<Tool, ToolDefect> {
        Tool::parse("app", &RawValue::from_string(json.to_owned()).unwrap())
    }

    #[test]
    fn unknown_fields_and_spelling_survive() {
        let json = r#"{"name":"t","inputSchema":{"type":"object", "x":1.0e2},"execution":{"taskSupport":"optional"},"_meta":{"k":[1]}}"#;
        let tool = parse(json).unwrap();
        assert_eq!(tool.definition.get(), json);
        assert_eq!(tool.input_schema.get(), r#"{"type":"object", "x":1.0e2}"#);
    }

    /// A33: the first line is all that counts, even when it is empty.
    #[test]
    fn a33_first_line() {
        for (description, expected) in [
            ("one\ntwo", "one"),
            ("one\r\ntwo", "one"),
            ("\ntwo", ""),
            ("", ""),
            ("  padded  ", "padded"),
        ] {
            assert_eq!(first_line(description), expected, "{description:?}");
        }
    }

    #[test]
    fn defects_are_told_apart() {
        for broken in [
            r#"{}"#,
            r#"{"name":""}"#,
            r#"{"name":7,"inputSchema":{}}"#,
            r#"[]"#,
            r#"null"#,
        ] {
            assert_eq!(parse(broken).unwrap_err(), ToolDefect::Name, "{broken}");
        }
        for broken in [
            r#"{"name":"t"}"#,
            r#"{"name":"t","inputSchema":null}"#,
            r#"{"name":"t","inputSchema":"{}"}"#,
        ] {
            assert_eq!(
                parse(broken).unwrap_err(),
                ToolDefect::InputSchema { name: "t".into() },
                "{broken}"
            );
        }
    }

    #[test]
    fn odd_optional_fields_cost_only_themselves() {
        let tool = parse(r#"{"name":"t","inputSchema":{},"description":5,"annotations":"yes"}"#).unwrap();
        assert_eq!(tool.description, "");
        assert_eq!(tool.annotations, Annotations::default());
    }
}
