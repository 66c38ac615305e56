//! `handpick import`: how do the servers of an mcp.json come into the settings?

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::json;

use crate::args::ImportArgs;
use crate::settings::mcp_json::{McpEntry, McpJson};
use crate::settings::raw::{RawServer, RawTransport};
use crate::settings::resolve;
use crate::settings::variables::{unset, without_inputs};
use crate::terminal::{Paint, note, say};

/// Adds the servers of the file to the settings; servers that are there already stay as they are.
pub fn run(args: &ImportArgs) -> anyhow::Result<()> {
    let document = McpJson::read(&args.file)?;
    let present = present_in(&args.config)?;
    let (kept, mut added): (BTreeMap<_, _>, BTreeMap<_, _>) = document
        .entries
        .into_iter()
        .partition(|(name, _)| present.contains(name));
    added
        .values_mut()
        .for_each(|entry| ask_the_environment(&mut entry.server));
    let text: String = added
        .iter()
        .map(|(name, entry)| as_toml(name, &entry.server))
        .collect();
    if !args.dry_run && !text.is_empty() {
        append(&args.config, &text)?;
    }
    if args.json {
        say(json!({
            "config": args.config,
            "added": added.keys().collect::<Vec<_>>(),
            "kept": kept.keys().collect::<Vec<_>>(),
            "toml": text,
            "unset_variables": unset_variables(&added),
        }));
        return Ok(());
    }
    if args.dry_run && !text.is_empty() {
        say(text.trim_end());
    }
    report(args, &added, &kept);
    Ok(())
}

type Entries = BTreeMap<String, McpEntry>;

/// Tells what was done, to a person. With `--dry-run` the text is the answer and the rest goes beside it.
fn report(args: &ImportArgs, added: &Entries, kept: &Entries) {
    let paint = if args.dry_run {
        Paint::for_stderr()
    } else {
        Paint::for_stdout()
    };
    let tell = |line: String| if args.dry_run { note(line) } else { say(line) };
    let config = args.config.display();
    if added.is_empty() && kept.is_empty() {
        return tell(format!("{} names no servers", args.file.display()));
    }
    for (name, entry) in added {
        let verb = if args.dry_run { "new  " } else { "added" };
        let mut line = format!("{} {}", paint.green(verb), paint.cyan(name));
        if *name != entry.written {
            line.push_str(&paint.dim(format!("  (`{}` there)", entry.written)));
        }
        if entry.server.enabled == Some(false) {
            line.push_str(&paint.dim("  (disabled)"));
        }
        tell(line);
        if !entry.ignored.is_empty() {
            let ignored = entry.ignored.join(", ");
            tell(paint.yellow(format!("      not taken over: {ignored}")));
        }
    }
    for name in kept.keys() {
        let (verb, name) = (paint.dim("kept "), paint.cyan(name));
        tell(format!("{verb} {name}  (in {config} already)"));
    }
    for (variable, servers) in unset_variables(added) {
        tell(paint.yellow(format!(
            "set {variable} in the environment of `handpick serve`: needed by {}",
            servers.into_iter().collect::<Vec<_>>().join(", ")
        )));
    }
    if !added.is_empty() && !args.dry_run {
        let count = added.len() + kept.len();
        let (servers, are) = if count == 1 {
            ("server", "is")
        } else {
            ("servers", "are")
        };
        tell(format!(
            "\n{count} {servers} {are} in {config}; `handpick serve` serves them"
        ));
    }
}

/// The texts of a server in which variables stand.
fn texts(server: &RawServer) -> impl Iterator<Item = &str> {
    let one = server.command.iter().chain(&server.url).chain(&server.args);
    one.chain(server.env.values())
        .chain(server.headers.values())
        .map(String::as_str)
}

/// An editor asks its person for `${input:ID}`; a gateway has the environment to ask.
fn ask_the_environment(server: &mut RawServer) {
    let one = server
        .command
        .iter_mut()
        .chain(&mut server.url)
        .chain(&mut server.args);
    one.chain(server.env.values_mut())
        .chain(server.headers.values_mut())
        .for_each(|text| *text = without_inputs(text));
}

/// Variables that nobody has set, with the servers that need them.
fn unset_variables(entries: &Entries) -> BTreeMap<String, BTreeSet<&str>> {
    let lookup = |name: &str| std::env::var(name).ok();
    let mut missing: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (name, entry) in entries {
        for variable in texts(&entry.server).flat_map(|text| unset(text, &lookup)) {
            missing.entry(variable).or_default().insert(name);
        }
    }
    missing
}

fn present_in(config: &Path) -> anyhow::Result<Vec<String>> {
    if !config.exists() {
        return Ok(Vec::new());
    }
    let (raw, _) = resolve::read_toml(config)?;
    Ok(raw.servers.into_keys().collect())
}

/// Adds text to the end of a settings file, so that comments and order stay as they are. A new file is for
/// its owner alone: it may hold tokens.
fn append(config: &Path, text: &str) -> anyhow::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options
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
                        "web":{"type":"sse","url":"http://x/sse","headers":{"X-Key":"${K}","Y":"${input:my key}"}}}}"#;
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
        assert_eq!(raw.servers["web"].headers["Y"], "${MY_KEY}");
    }
}
