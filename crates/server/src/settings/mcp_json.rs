//! Which servers does a client's own `mcp.json` name?
//!
//! Claude Desktop and Cursor write `mcpServers`, VS Code writes `servers` (on its own or under `mcp`),
//! all with the same entries: `command`, `args`, `env`, or `url`, `headers`, `type`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Mistake;
use super::jsonc::to_json;
use super::raw::{RawServer, RawTransport};
use super::resolve::read_file;

/// The servers of one file.
#[derive(Debug)]
pub struct McpJson {
    /// By app name: what they are called, made fit for tool names.
    pub entries: BTreeMap<String, McpEntry>,
    file: PathBuf,
    json: String,
    place: &'static [&'static str],
}

/// One server of the file.
#[derive(Debug)]
pub struct McpEntry {
    /// Its name as written.
    pub written: String,
    /// What it says.
    pub server: RawServer,
    /// Keys of it that mean nothing here.
    pub ignored: Vec<String>,
}

/// Where clients keep their servers.
const PLACES: [&[&str]; 3] = [&["mcpServers"], &["servers"], &["mcp", "servers"]];

impl McpJson {
    /// Reads a file.
    ///
    /// # Errors
    /// The first mistake, with file, line, server and key.
    pub fn read(file: &Path) -> Result<Self, Mistake> {
        Self::parse(file, &read_file(file)?)
    }

    fn parse(file: &Path, source: &str) -> Result<Self, Mistake> {
        let json = to_json(source);
        let document: Value = serde_json::from_str(&json).map_err(|error| not_json(file, &error))?;
        let found = PLACES
            .into_iter()
            .find_map(|place| Some((place, inside(&document, place)?.as_object()?)));
        let Some((place, servers)) = found else {
            return Err(Mistake::in_file(
                file,
                "has no `mcpServers` (or `servers`) object",
            ));
        };
        let mut read = Self {
            entries: BTreeMap::new(),
            file: file.to_owned(),
            json,
            place,
        };
        for (name, value) in servers {
            let entry = read_entry(name, value).map_err(|(key, text)| read.mistake(name, key, text))?;
            let mut app = app_name(name);
            while read.entries.contains_key(&app) {
                app.push('2');
            }
            read.entries.insert(app, entry);
        }
        Ok(read)
    }

    /// A mistake in one server of the file, at a key of it or, with an empty key, as a whole.
    pub fn mistake(&self, server: &str, key: &str, text: impl std::fmt::Display) -> Mistake {
        let text = if key.is_empty() {
            format!("server `{server}` {text}")
        } else {
            format!("server `{server}`: `{key}` {text}")
        };
        let path: Vec<&str> = self.place.iter().copied().chain([server, key]).collect();
        match line_of(&self.json, &path) {
            Some(line) => Mistake::on_line(&self.file, line, text),
            None => Mistake::in_file(&self.file, text),
        }
    }
}

fn not_json(file: &Path, error: &serde_json::Error) -> Mistake {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or_default();
    Mistake::on_line(file, error.line().max(1), format!("is not JSON: {what}"))
}

fn inside<'a>(document: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(document, |value, key| value.get(key))
}

/// The line a value stands on, following objects inward as far as they exist.
fn line_of(json: &str, path: &[&str]) -> Option<usize> {
    let mut value = json;
    for key in path {
        let Ok(object) = serde_json::from_str::<BTreeMap<String, &RawValue>>(value) else {
            break;
        };
        let Some(inner) = object.get(*key) else { break };
        value = inner.get();
    }
    // Every value is a part of the text it was read from.
    let offset = (value.as_ptr() as usize).checked_sub(json.as_ptr() as usize)?;
    Some(json.get(..offset)?.matches('\n').count() + 1)
}

type Wrong = (&'static str, String);

fn read_entry(name: &str, value: &Value) -> Result<McpEntry, Wrong> {
    let Some(object) = value.as_object() else {
        return Err((
            "",
            format!("must be an object with a `command` or a `url`, not {value}"),
        ));
    };
    let command = text(object, "command")?;
    let address = ["url", "serverUrl", "httpUrl"]
        .into_iter()
        .find(|key| object.get(*key).is_some_and(|value| !value.is_null()));
    let url = address.map_or(Ok(None), |key| text(object, key))?;
    if command.is_some() == url.is_some() {
        return Err(("", "must have either a `command` or a `url`".to_owned()));
    }
    if let Some((key, url)) = address.zip(url.as_deref())
        && !["http://", "https://", "${"]
            .iter()
            .any(|start| url.starts_with(start))
    {
        return Err((key, format!("must begin with http:// or https://, not `{url}`")));
    }
    let kind = match text(object, "type")? {
        Some(kind) => Some(kind),
        None => text(object, "transport")?,
    };
    let local = command.is_some();
    let understood: &[&str] = if local {
        &["command", "args", "env", "cwd", "type", "transport", "disabled"]
    } else {
        &[
            "url",
            "serverUrl",
            "httpUrl",
            "headers",
            "type",
            "transport",
            "disabled",
        ]
    };
    let mut server = RawServer {
        command,
        url,
        enabled: disabled(object)?.then_some(false),
        ..RawServer::default()
    };
    if local {
        server.args = texts(object, "args")?;
        server.env = named_texts(object, "env")?;
        server.cwd = text(object, "cwd")?.map(PathBuf::from);
    } else {
        server.headers = named_texts(object, "headers")?;
        server.transport = transport(kind.as_deref())?;
    }
    Ok(McpEntry {
        written: name.to_owned(),
        server,
        ignored: object
            .iter()
            .filter(|(key, value)| !understood.contains(&key.as_str()) && says_something(value))
            .map(|(key, _)| key.clone())
            .collect(),
    })
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(values) => !values.is_empty(),
        Value::Object(values) => !values.is_empty(),
        _ => true,
    }
}

fn transport(kind: Option<&str>) -> Result<Option<RawTransport>, Wrong> {
    match kind.map(str::to_lowercase).as_deref() {
        Some("sse") => Ok(Some(RawTransport::Sse)),
        None | Some("http" | "streamable-http" | "streamablehttp" | "streamable_http") => Ok(None),
        Some(other) => Err((
            "type",
            format!("must be `http` or `sse` for a server with a `url`, not `{other}`"),
        )),
    }
}

fn disabled(object: &Map<String, Value>) -> Result<bool, Wrong> {
    match object.get("disabled") {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(disabled)) => Ok(*disabled),
        Some(other) => Err(("disabled", format!("must be true or false, not {other}"))),
    }
}

/// A text; null is as good as none.
fn text(object: &Map<String, Value>, key: &'static str) -> Result<Option<String>, Wrong> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err((key, format!("must be a text in quotes, not {other}"))),
    }
}

fn texts(object: &Map<String, Value>, key: &'static str) -> Result<Vec<String>, Wrong> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(values)) => values
            .iter()
            .map(|value| plain(value).ok_or_else(|| (key, format!("must hold texts in quotes, not {value}"))))
            .collect(),
        Some(other) => Err((key, format!("must be a list such as [\"a\", \"b\"], not {other}"))),
    }
}

/// Names with texts. A null takes the name away, as clients do.
fn named_texts(object: &Map<String, Value>, key: &'static str) -> Result<BTreeMap<String, String>, Wrong> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(BTreeMap::new()),
        Some(Value::Object(values)) => values
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| match plain(value) {
                Some(text) => Ok((name.clone(), text)),
                None => Err((key, format!("must hold texts in quotes; `{name}` is none"))),
            })
            .collect(),
        Some(other) => Err((key, format!("must be an object of names and texts, not {other}"))),
    }
}

/// People write numbers and truth values where programs read texts.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// A server's name as the app part of tool names: letters, digits, `-` and `_`.
pub fn app_name(name: &str) -> String {
    let fit = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' || c == '_' {
            c
        } else {
            '-'
        }
    };
    let name: String = name.trim().chars().map(fit).collect();
    if name.is_empty() {
        "server".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(source: &str) -> BTreeMap<String, McpEntry> {
        McpJson::parse(Path::new("mcp.json"), source).unwrap().entries
    }

    #[test]
    fn every_client_is_understood() {
        let claude = servers(
            r#"{"mcpServers":{"My Files":{"command":"npx","args":["-y","x",5],"env":{"A":"1","N":2,"O":null}}}}"#,
        );
        let files = &claude["My-Files"];
        assert_eq!(
            (files.written.as_str(), files.server.command.as_deref()),
            ("My Files", Some("npx"))
        );
        assert_eq!(
            (files.server.args[2].as_str(), files.server.env["N"].as_str()),
            ("5", "2")
        );
        assert!(!files.server.env.contains_key("O"));
        let code = servers(
            "{ // comment\n \"servers\": {\"web\": {\"type\": \"sse\", \"url\": \"http://x//y\", /* z */ \"headers\": {\"A\": \"${input:k}\"},},}}",
        );
        assert_eq!(code["web"].server.transport, Some(RawTransport::Sse));
        assert_eq!(code["web"].server.url.as_deref(), Some("http://x//y"));
        let nested =
            servers(r#"{"mcp":{"servers":{"a.b":{"command":"c","disabled":true},"a b":{"command":"d"}}}}"#);
        assert_eq!(nested.keys().collect::<Vec<_>>(), ["a-b", "a-b2"]);
        let absent = servers(
            r#"{"mcpServers":{"x":{"command":"c","url":null,"args":null,"envFile":".env","headers":{}}}}"#,
        );
        assert_eq!(absent["x"].ignored, ["envFile"]);
    }

    #[test]
    fn mistakes_name_line_server_and_key() {
        for (source, expected) in [
            (
                r#"{"mcpServers":{"x":{"args":[]}}}"#,
                "mcp.json:1: server `x` must have either a `command` or a `url`",
            ),
            (
                "{\"mcpServers\":{\n\"x\":{\n\"command\":5}}}",
                "mcp.json:3: server `x`: `command` must be a text in quotes, not 5",
            ),
            (
                "{\"servers\":{\n\n\"x\":7}}",
                "mcp.json:3: server `x` must be an object with a `command` or a `url`, not 7",
            ),
            (
                r#"{"mcpServers":{"x":{"command":"c","args":"y"}}}"#,
                "`args` must be a list",
            ),
            (
                r#"{"mcpServers":{"x":{"url":"ws://y"}}}"#,
                "`url` must begin with http:// or https://, not `ws://y`",
            ),
            (
                r#"{"mcpServers":{"x":{"url":"http://y","type":"ws"}}}"#,
                "`type` must be `http` or `sse`",
            ),
            (r#"{"tools":[]}"#, "mcp.json: has no `mcpServers`"),
            ("{\n  oops", "mcp.json:2: is not JSON: key must be a string"),
            ("", "mcp.json:1: is not JSON"),
        ] {
            let mistake = McpJson::parse(Path::new("mcp.json"), source)
                .unwrap_err()
                .to_string();
            assert!(mistake.contains(expected), "{mistake}");
            assert!(!mistake.contains("column"), "{mistake}");
        }
    }
}
