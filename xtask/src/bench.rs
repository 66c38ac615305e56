//! How fast is it?
//!
//! `call` takes the price of a call through the gateway, `context` the time until a turn has its tools, `presentation`
//! what a task takes in each presentation, `start` the time and the memory of a start. Numbers count only for programs
//! built with optimisation, on a machine that does nothing else meanwhile.

mod call;
mod context;
mod http;
mod presentation;
mod proc;
mod start;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::{files, tools};

/// The admin key of a gateway that is measured.
const KEY: &str = "bench-key-0123456789abcdef";

/// A benchmark. Says whether what must hold did.
type Benchmark = fn(&Programs) -> Result<bool>;

/// All of them, by name.
const BENCHMARKS: [(&str, Benchmark); 4] = [
    ("call", call::run),
    ("context", context::run),
    ("presentation", presentation::run),
    ("start", start::run),
];

/// Runs one benchmark, or all in order: `[call|context|presentation|start] [--built FOLDER]`.
pub fn run(arguments: &[&str]) -> Result<bool> {
    let (which, built) = match arguments {
        [which @ .., "--built", folder] => (which, Some(Path::new(folder))),
        which => (which, None),
    };
    let chosen: Vec<Benchmark> = BENCHMARKS
        .into_iter()
        .filter(|(name, _)| which.is_empty() || which == [*name])
        .map(|(_, benchmark)| benchmark)
        .collect();
    if chosen.is_empty() {
        let names = BENCHMARKS.map(|(name, _)| format!("`{name}`")).join(", ");
        bail!("unknown benchmark `{}`: there are {names}", which.join(" "));
    }
    let programs = match built {
        Some(folder) => Programs::built(folder)?,
        None => Programs::build()?,
    };
    let mut held = true;
    for benchmark in chosen {
        held &= benchmark(&programs)?;
    }
    Ok(held)
}

/// The programs that are measured and those that measure.
struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds them with optimisation.
    fn build() -> Result<Self> {
        let root = files::root();
        let mut build = tools::cargo(&root);
        build.args(["build", "--release"]);
        build.args(["--package", "handpick-server", "--package", "handpick-testkit"]);
        if !build.status().context("cannot start cargo")?.success() {
            bail!("it does not build");
        }
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        Ok(Self {
            folder: std::path::absolute(target.join("release"))?,
        })
    }

    /// Takes them as they lie in a folder.
    fn built(folder: &Path) -> Result<Self> {
        let folder = std::path::absolute(folder)?;
        if !folder.ends_with("release") {
            println!(
                "{} is no release build: its numbers say nothing",
                folder.display()
            );
        }
        Ok(Self { folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn command(&self, name: &str) -> Command {
        Command::new(self.path(name))
    }

    /// The gateway with these settings.
    fn gateway(&self, listen: &str, config: &Path, data: &Path) -> Command {
        let mut gateway = self.command("handpick");
        gateway
            .args(["serve", "--listen", listen, "--config"])
            .arg(config);
        gateway.arg("--data").arg(data).env("HANDPICK_ADMIN_KEY", KEY);
        gateway
    }
}

/// An empty folder for one benchmark.
fn fresh_folder(name: &str) -> Result<PathBuf> {
    let folder = files::root().join("target/bench").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
