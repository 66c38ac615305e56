//! Do other people's coding agents complete a task through the gateway?

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::test::is_strict;
use crate::{files, tools};

/// What of `wire/agents` is needed to install the agents.
const PINS: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];

/// Installs the agents once, builds the gateway, lets each agent whose name contains `name` do the task, and prints
/// how they fared; true when nothing failed.
///
/// Where agents cannot be installed that is told and counts as skipped, except where nobody reads it.
pub fn run(name: Option<&str>) -> Result<bool> {
    println!("── agents: pinned, into target/agents");
    let python = tools::python().context("no Python from 3.10 on")?;
    let packages = match install() {
        Ok(packages) => packages,
        Err(error) => {
            println!("skip every agent: {error:#}\n\n0 passed, 0 failed, 1 skipped");
            return Ok(!is_strict());
        }
    };
    println!("\n── agents: cargo build of the gateway");
    let handpick = build()?;
    println!("\n── agents: the task, once for each agent and way of showing tools");
    let counts = play(&python, &handpick, &packages, name.unwrap_or_default())?;
    println!("\n{}", table(&rows()?));
    let count = |key: &str| counts.get(key).and_then(Value::as_u64).unwrap_or_default();
    let (passed, failed, skipped) = (count("passed"), count("failed"), count("skipped"));
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(failed == 0 && passed > 0)
}

/// Where everything of these runs lives that is not committed.
fn folder() -> PathBuf {
    files::root().join("target/agents")
}

/// The folder with the agents' `node_modules`. A second run with the same lock file does nothing.
fn install() -> Result<PathBuf> {
    let node = tools::version("node").context("`node` is not installed; Node.js 20 or later is needed")?;
    if tools::major_minor(&node) < (20, 0) {
        bail!("Node.js 20 or later is needed, this is {node}");
    }
    let (source, target) = (files::root().join("wire/agents"), folder().join("npm"));
    let mut wanted = format!("{node}\n");
    for pin in PINS {
        let path = source.join(pin);
        wanted +=
            &std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let stamp = target.join("made-from");
    if std::fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == wanted) {
        println!("   {} is up to date", target.display());
        return Ok(target);
    }
    if target.exists() {
        std::fs::remove_dir_all(&target)?;
    }
    std::fs::create_dir_all(&target)?;
    for pin in PINS {
        std::fs::copy(source.join(pin), target.join(pin))?;
    }
    println!("   npm install, about 1 GB, into {}", target.display());
    // Not `npm ci`: that refuses a lock without the builds for other systems, which not every registry has.
    tools::run_with_patience(|| {
        let mut npm = Command::new("npm");
        npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund"]);
        npm.arg("--loglevel=error").current_dir(&target);
        npm
    })?;
    std::fs::write(&stamp, wanted)?;
    Ok(target)
}

/// The gateway's binary: built now, or the one that `HANDPICK_BINARY` names.
fn build() -> Result<PathBuf> {
    if let Some(binary) = std::env::var_os("HANDPICK_BINARY") {
        return Ok(std::path::absolute(binary)?);
    }
    let root = files::root();
    let mut command = tools::cargo(&root);
    command.args(["build", "--package", "handpick-server", "--bin", "handpick"]);
    if !command.status().context("cannot start cargo")?.success() {
        bail!("the gateway does not build");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("debug/handpick"))
}

/// Runs the script to its end, shows its lines and keeps them; gives its closing counts.
fn play(python: &Path, handpick: &Path, packages: &Path, name: &str) -> Result<Value> {
    let folder = folder();
    let log_path = folder.join("checks.txt");
    let mut log = std::fs::File::create(&log_path)?;
    // What an earlier run left must not be taken for this one's.
    std::fs::write(folder.join("rows.json"), "[]")?;
    let mut child = Command::new(python)
        .arg(files::root().join("wire/agents/run.py"))
        .args([handpick, packages, &folder])
        .arg(name)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", python.display()))?;
    let output = child.stdout.take().context("no output")?;
    let mut closing = None;
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        writeln!(log, "{line}")?;
        match serde_json::from_str::<Value>(&line) {
            Ok(counts) if counts.get("passed").is_some() => closing = Some(counts),
            _ => println!("{line}"),
        }
    }
    let status = child.wait()?;
    println!(
        "   every line: {}; what was said: {}/logs",
        log_path.display(),
        folder.display()
    );
    closing.with_context(|| format!("the script ended with {status} before it had counted"))
}

fn rows() -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(folder().join("rows.json"))?;
    Ok(serde_json::from_str(&text)?)
}

/// One line for each agent and way of showing tools, as a table that Markdown understands.
fn table(rows: &[Value]) -> String {
    let head = [
        "agent",
        "presentation",
        "",
        "turns",
        "bytes of tools",
        "Handpick's",
        "way",
        "relisted",
    ];
    let mut lines: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(line));
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            lines
                .iter()
                .filter_map(|line| line.get(column))
                .map(String::len)
                .max()
        })
        .map(Option::unwrap_or_default)
        .collect();
    let rule = widths.iter().map(|width| "-".repeat(*width)).collect();
    lines.insert(1, rule);
    lines.iter().map(|line| written(line, &widths)).collect()
}

fn written(line: &[String], widths: &[usize]) -> String {
    let cells: Vec<String> = line
        .iter()
        .zip(widths)
        .map(|(cell, width)| format!("{cell:<width$}"))
        .collect();
    format!("| {} |\n", cells.join(" | "))
}

fn line(row: &Value) -> Vec<String> {
    let text = |key: &str| {
        row.get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let number = |key: &str| {
        row.get(key)
            .and_then(Value::as_u64)
            .unwrap_or_default()
            .to_string()
    };
    let flag = |key: &str| row.get(key).and_then(Value::as_bool);
    let outcome = match (flag("ok"), text("limit").is_empty()) {
        (_, false) => "limit",
        (Some(true), _) => "ok",
        _ => "FAIL",
    };
    let relisted = match flag("relisted") {
        Some(true) => "yes",
        Some(false) => "no",
        // The gateway never said that the list had changed.
        None => "",
    };
    vec![
        format!("{} {}", text("agent"), text("version")),
        text("presentation"),
        outcome.to_owned(),
        number("turns"),
        number("tools_bytes"),
        match number("ours_bytes").as_str() {
            // The agent tells of them by name, and lists them when its own search has been used.
            "0" => "held back".to_owned(),
            bytes => bytes.to_owned(),
        },
        text("way"),
        relisted.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_table_tells_each_outcome() {
        let row = |ok, limit, relisted| {
            json!({"agent": "a", "version": "1", "presentation": "direct", "ok": ok, "limit": limit,
                   "turns": 3, "tools_bytes": 20, "ours_bytes": 10, "way": "direct", "relisted": relisted})
        };
        let table = table(&[
            row(true, json!(null), json!(true)),
            row(true, json!("reads one page"), json!(null)),
            row(false, json!(null), json!(false)),
        ]);
        let lines: Vec<&str> = table.lines().collect();
        assert!(
            lines[2].contains("| ok ") && lines[2].contains("| yes "),
            "{table}"
        );
        assert!(lines[3].contains("| limit |"), "{table}");
        assert!(
            lines[4].contains("| FAIL ") && lines[4].contains("| no "),
            "{table}"
        );
        assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{table}");
    }
}
