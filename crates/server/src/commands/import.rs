//! `handpick import`: how do the servers of an mcp.json come into the settings?

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::json;

use crate::args::ImportArgs;
use crate::settings::raw::{RawServer, RawTransport};
use crate::settings::{mcp_json, resolve};
use crate::terminal::{Paint, say};

/// Adds the servers of the file to the settings; servers that are there already stay as they are.
pub fn run(args: &ImportArgs) -> anyhow::Result<()> {
    let servers = mcp_json::read(&args.file, &resolve::read_file(&args.file)?)?;
    let present = present_in(&args.config)?;
    let (kept, added): (BTreeMap<_, _>, BTreeMap<_, _>) =
        servers.into_iter().partition(|(name, _)| present.contains(name));
    let text: String = added.iter().map(|(name, server)| as_toml(name, server)).collect();
    if !args.dry_run && !text.is_empty() {
        append(&args.config, &text)?;
    }
    if args.json {
        say(json!({
            "config": args.config,
            "added": added.keys().collect::<Vec<_>>(),
            "kept": kept.keys().collect::<Vec<_>>(),
            "toml": text,
        }));
    } else if args.dry_run {
        say(text.trim_end());
    } else {
        report(args, &added, &kept);
    }
    Ok(())
}

fn report(args: &ImportArgs, added: &BTreeMap<String, RawServer>, kept: &BTreeMap<String, RawServer>) {
    let paint = Paint::for_stdout();
    for (name, server) in added {
        let off = if server.enabled == Some(false) {
            paint.dim("  (disabled)")
        } else {
            String::new()
        };
        say(format!("{} {}{off}", paint.green("added"), paint.cyan(name)));
    }
    for name in kept.keys() {
        say(format!(
            "{}  {}  (in {} already)",
            paint.dim("kept"),
            paint.cyan(name),
            args.config.display()
        ));
    }
    if !added.is_empty() {
        say(format!(
            "\n{} servers are in {}; `handpick serve` serves them",
            added.len() + kept.len(),
            args.config.display()
        ));
    }
}

fn present_in(config: &Path) -> anyhow::Result<Vec<String>> {
    if !config.exists() {
        return Ok(Vec::new());
    }
    let (raw, _) = resolve::read_toml(config)?;
    Ok(raw.servers.into_keys().collect())
}

/// Adds text to the end of a settings file, so that comments and order stay as they are.
fn append(config: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(config)
        .with_context(|| format!("{} cannot be written", config.display()))?;
    let gap = if file.metadata()?.len() > 0 { "\n" } else { "" };
    file.write_all(format!("{gap}{}\n", text.trim_end()).as_bytes())
        .with_context(|| format!("{} cannot be written", config.display()))
}

/// A server as settings, its keys in the order a person would write them.
fn as_toml(name: &str, server: &RawServer) -> String {
    let transport = (server.transport == Some(RawTransport::Sse)).then(|| "sse".to_owned());
    let cwd = server.cwd.as_ref().map(|cwd| cwd.to_string_lossy().into_owned());
    let keys = [
        ("command", server.command.clone().map(toml::Value::from)),
        (
            "args",
            (!server.args.is_empty()).then(|| toml::Value::from(server.args.clone())),
        ),
        ("env", inline(&server.env)),
        ("cwd", cwd.map(toml::Value::from)),
        ("url", server.url.clone().map(toml::Value::from)),
        ("transport", transport.map(toml::Value::from)),
        ("headers", inline(&server.headers)),
        ("enabled", server.enabled.map(toml::Value::from)),
    ];
    let lines = keys
        .into_iter()
        .filter_map(|(key, value)| Some(format!("{key} = {}\n", value?)));
    format!("[servers.{name}]\n{}\n", lines.collect::<String>())
}

fn inline(values: &BTreeMap<String, String>) -> Option<toml::Value> {
    let table: toml::Table = values
        .iter()
        .map(|(key, value)| (key.clone(), toml::Value::from(value.clone())))
        .collect();
    (!table.is_empty()).then_some(toml::Value::Table(table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let (mcp, config) = (
            folder.path().join("mcp.json"),
            folder.path().join("handpick.toml"),
        );
        let entry = r#"{"mcpServers":{"My Files":{"command":"npx","args":["-y","a \"b\""],"env":{"KEY":"line\nbreak"}},
                        "web":{"type":"sse","url":"http://x/sse","headers":{"X-Key":"${K}"}}}}"#;
        std::fs::write(&mcp, entry).unwrap();
        std::fs::write(&config, "# mine\nlisten = \"127.0.0.1:1\"\n").unwrap();
        let args = ImportArgs {
            file: mcp,
            config: config.clone(),
            dry_run: false,
            json: true,
        };
        run(&args).unwrap();
        run(&args).unwrap();
        let (raw, source) = resolve::read_toml(&config).unwrap();
        assert!(source.starts_with("# mine"));
        assert_eq!(raw.servers.len(), 2);
        assert_eq!(raw.servers["My-Files"].args, ["-y", "a \"b\""]);
        assert_eq!(raw.servers["My-Files"].env["KEY"], "line\nbreak");
        assert_eq!(raw.servers["web"].transport, Some(RawTransport::Sse));
        assert_eq!(raw.servers["web"].headers["X-Key"], "${K}");
    }
}
