//! Which programs does this machine have, and how are they run?

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

/// What a program prints about its version; `None` when it is not installed or fails.
pub fn version(program: impl AsRef<OsStr>) -> Option<String> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = [output.stdout, output.stderr].concat();
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&text).trim().to_owned())
}

/// Major and minor of a version text such as `v20.20.2` or `Python 3.11.7`.
pub fn major_minor(version: &str) -> (u32, u32) {
    let digits = version.trim_start_matches(|c: char| !c.is_ascii_digit());
    let mut parts = digits.split('.').map(|part| part.parse().unwrap_or_default());
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

/// A Python from 3.10 on that can make virtual environments.
pub fn python() -> Option<PathBuf> {
    ["python3.11", "python3", "python3.12", "python3.13", "python3.10"]
        .into_iter()
        .map(PathBuf::from)
        .find(|program| {
            let usable = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
            Command::new(program)
                .args(["-c", usable])
                .stdin(Stdio::null())
                .output()
                .is_ok_and(|output| output.status.success())
        })
}

/// Runs a command to its end and fails with the last lines it printed.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    bail!("`{shown}` ended with {}\n{}", output.status, tail(&text, 20))
}

/// Runs up to three times: package registries have bad moments.
pub fn run_with_patience(mut command: impl FnMut() -> Command) -> Result<()> {
    for pause in [2, 10] {
        match run(&mut command()) {
            Ok(()) => return Ok(()),
            Err(error) => println!("   trying again in {pause} s: {error:#}"),
        }
        std::thread::sleep(Duration::from_secs(pause));
    }
    run(&mut command())
}

/// The last lines of a text.
pub fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// The cargo that runs this task.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).stdin(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_wherever_the_digits_begin() {
        for (text, expected) in [
            ("v20.20.2", (20, 20)),
            ("Python 3.11.7", (3, 11)),
            ("11", (11, 0)),
            ("none", (0, 0)),
        ] {
            assert_eq!(major_minor(text), expected, "{text}");
        }
    }

    #[test]
    fn the_tail_is_the_end() {
        assert_eq!(tail("a\nb\nc", 2), "b\nc");
        assert_eq!(tail("a", 5), "a");
    }
}
