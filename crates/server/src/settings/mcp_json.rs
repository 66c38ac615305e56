//! Which servers does a client's own `mcp.json` name?
//!
//! Claude Desktop and Cursor write `mcpServers`, VS Code writes `servers` (on its own or under `mcp`),
//! all with the same entries: `command`, `args`, `env`, or `url`, `headers`, `type`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::Mistake;
use super::raw::{RawServer, RawTransport};

#[derive(Deserialize)]
struct Entry {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, Value>,
    cwd: Option<std::path::PathBuf>,
    #[serde(alias = "serverUrl", alias = "httpUrl")]
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(rename = "type", alias = "transport")]
    kind: Option<String>,
    #[serde(default)]
    disabled: bool,
}

/// Reads the servers of an `mcp.json`. Names are made fit for tool names.
pub fn read(file: &Path, source: &str) -> Result<BTreeMap<String, RawServer>, Mistake> {
    let document: Value = serde_json::from_str(&without_comments(source)).map_err(|error| {
        Mistake::in_file(
            file,
            format!("line {}, column {}: {error}", error.line(), error.column()),
        )
    })?;
    let servers = ["/mcpServers", "/servers", "/mcp/servers"]
        .iter()
        .find_map(|path| document.pointer(path))
        .and_then(Value::as_object)
        .ok_or_else(|| Mistake::in_file(file, "has no `mcpServers` (or `servers`) object"))?;
    let mut read = BTreeMap::new();
    for (name, value) in servers {
        let server = read_entry(value)
            .map_err(|reason| Mistake::in_file(file, format!("server `{name}` {reason}")))?;
        let mut app = app_name(name);
        while read.contains_key(&app) {
            app.push('2');
        }
        read.insert(app, server);
    }
    Ok(read)
}

fn read_entry(value: &Value) -> Result<RawServer, String> {
    let entry = Entry::deserialize(value).map_err(|error| format!("cannot be read: {error}"))?;
    if entry.command.is_some() == entry.url.is_some() {
        return Err("must have either a `command` or a `url`".to_owned());
    }
    let transport = match entry.kind.as_deref() {
        Some("sse") => Some(RawTransport::Sse),
        _ => None,
    };
    let env = entry.env.into_iter().map(|(name, value)| match value {
        Value::String(text) => (name, text),
        other => (name, other.to_string()),
    });
    Ok(RawServer {
        command: entry.command,
        args: entry.args,
        env: env.collect(),
        cwd: entry.cwd,
        url: entry.url,
        headers: entry.headers,
        transport,
        enabled: entry.disabled.then_some(false),
        ..RawServer::default()
    })
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

/// Editors allow `//` and `/* */` comments in these files.
fn without_comments(source: &str) -> String {
    let mut clean = String::with_capacity(source.len());
    let mut characters = source.chars().peekable();
    let (mut in_string, mut escaped) = (false, false);
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            _ if in_string => {
                in_string = c != '"' || escaped;
                escaped = c == '\\' && !escaped;
                clean.push(c);
            }
            ('/', Some('/')) => while characters.next_if(|c| *c != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut previous = ' ';
                characters.next();
                for c in characters.by_ref() {
                    if c == '\n' {
                        clean.push(c);
                    }
                    if previous == '*' && c == '/' {
                        break;
                    }
                    previous = c;
                }
            }
            _ => {
                in_string = c == '"';
                clean.push(c);
            }
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(source: &str) -> BTreeMap<String, RawServer> {
        read(Path::new("mcp.json"), source).unwrap()
    }

    #[test]
    fn every_client_is_understood() {
        let claude = servers(
            r#"{"mcpServers":{"My Files":{"command":"npx","args":["-y","x"],"env":{"A":"1","N":2}}}}"#,
        );
        assert_eq!(claude["My-Files"].command.as_deref(), Some("npx"));
        assert_eq!(claude["My-Files"].env["N"], "2");
        let code = servers(
            "{ // comment\n \"servers\": {\"web\": {\"type\": \"sse\", \"url\": \"http://x//y\", /* z */ \"headers\": {\"A\": \"${input:k}\"}}}}",
        );
        assert_eq!(code["web"].transport, Some(RawTransport::Sse));
        assert_eq!(code["web"].url.as_deref(), Some("http://x//y"));
        let nested =
            servers(r#"{"mcp":{"servers":{"a.b":{"command":"c","disabled":true},"a b":{"command":"d"}}}}"#);
        assert_eq!(nested.keys().collect::<Vec<_>>(), ["a-b", "a-b2"]);
    }

    #[test]
    fn mistakes_name_the_server() {
        for (source, expected) in [
            (
                r#"{"mcpServers":{"x":{"args":[]}}}"#,
                "server `x` must have either a `command` or a `url`",
            ),
            (
                r#"{"mcpServers":{"x":{"command":5}}}"#,
                "server `x` cannot be read",
            ),
            (r#"{"tools":[]}"#, "no `mcpServers`"),
            ("{\n  oops", "line 2"),
        ] {
            let mistake = read(Path::new("mcp.json"), source).unwrap_err().to_string();
            assert!(mistake.contains(expected), "{mistake}");
        }
    }
}
