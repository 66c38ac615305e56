//! Which scripts are there, and what did one of them count?

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::install::Installed;
use super::stage::Stage;
use crate::files;
use crate::test::Counts;

/// A script that hangs is stopped after this long.
const SECONDS_MAX: u64 = 1200;

/// One file of `wire/` and what runs it.
pub struct Script {
    /// File name without its ending.
    pub name: &'static str,
    interpreter: PathBuf,
    file: PathBuf,
}

/// The scripts that this machine can run, in order: readiness first.
pub fn all(installed: &Installed) -> Vec<Script> {
    let source = files::root().join("wire");
    let python = |name, interpreter: &PathBuf| Script {
        name,
        interpreter: interpreter.clone(),
        file: source.join(format!("{name}.py")),
    };
    let legacy = &installed.python_legacy;
    let mut scripts: Vec<Script> = ["ready", "fidelity", "rest_and_cli", "resilience", "python_legacy"]
        .into_iter()
        .map(|name| python(name, legacy))
        .collect();
    scripts.push(python("python_modern", &installed.python_modern));
    scripts.push(Script {
        name: "typescript",
        interpreter: "node".into(),
        // Node.js looks for packages beside the script, so it runs a copy that lies where they are.
        file: installed.npm.join("wire/typescript.mjs"),
    });
    scripts.push(python("clients_python", &installed.python_clients));
    scripts.push(Script {
        name: "clients_typescript",
        interpreter: "node".into(),
        file: source.join("clients_typescript.mjs"),
    });
    if installed.node_22.is_some() {
        scripts.push(python("inspector", legacy));
    }
    scripts
}

impl Script {
    /// Runs the script, shows what failed or was not tried, keeps the rest in `target/wire/logs`.
    pub fn run(&self, stage: &Stage, skips: &mut Vec<String>) -> Result<Counts> {
        let logs = super::folder().join("logs");
        std::fs::create_dir_all(&logs)?;
        let log_path = logs.join(format!("{}.txt", self.name));
        let errors_path = logs.join(format!("{}.errors.txt", self.name));
        let mut log = std::fs::File::create(&log_path)?;
        let mut child = Command::new(&self.interpreter)
            .arg(&self.file)
            .arg(stage.description())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&errors_path)?)
            .spawn()
            .with_context(|| format!("cannot start {}", self.interpreter.display()))?;
        let output = child.stdout.take().context("no output")?;
        let over = Arc::new(AtomicBool::new(false));
        let watchdog = watch(child.id(), over.clone());
        let mut closing = None;
        for line in BufReader::new(output).lines() {
            let line = line.unwrap_or_default();
            writeln!(log, "{line}")?;
            if let Some(skip) = line.strip_prefix("skip ") {
                skips.push(format!("{}: {skip}", self.name));
            } else if line.starts_with("FAIL ") {
                println!("{line}");
            } else if let Some(counts) = closing_line(&line) {
                closing = Some(counts);
            }
        }
        let status = child.wait()?;
        over.store(true, Ordering::Relaxed);
        watchdog.join().ok();
        let (passed, failed) = closing.unwrap_or_default();
        println!(
            "   {passed} held, {failed} failed; every line: {}",
            log_path.display()
        );
        if closing.is_none() || (failed == 0 && !status.success()) {
            let errors = std::fs::read_to_string(&errors_path).unwrap_or_default();
            println!(
                "FAIL {} ended with {status} before it had counted; its last errors:\n{}",
                self.name,
                crate::tools::tail(&errors, 8)
            );
            return Ok(Counts {
                passed,
                failed: failed + 1,
                skipped: 0,
            });
        }
        // Each skip was pushed above with its reason, and is counted there.
        Ok(Counts {
            passed,
            failed,
            skipped: 0,
        })
    }
}

/// Stops a process that takes too long, in a thread that ends with the process.
fn watch(process: u32, over: Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let end = Instant::now() + Duration::from_secs(SECONDS_MAX);
        while !over.load(Ordering::Relaxed) {
            if Instant::now() > end {
                println!("FAIL no end after {SECONDS_MAX} s");
                crate::processes::signal("-KILL", process);
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    })
}

/// Reads `{"passed": 3, "failed": 0, "skipped": 0}`.
fn closing_line(line: &str) -> Option<(usize, usize)> {
    let counts: serde_json::Value = serde_json::from_str(line).ok()?;
    let count = |key: &str| usize::try_from(counts.get(key)?.as_u64()?).ok();
    Some((count("passed")?, count("failed")?))
}
