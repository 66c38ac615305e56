//! Do other people's clients and servers work with the gateway?

mod install;
mod scripts;
mod stage;
mod upstreams;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use crate::test::{Counts, Step, is_strict};
use crate::{files, tools};

/// Where everything of the wire tests lives that is not committed.
pub fn folder() -> PathBuf {
    files::root().join("target/wire")
}

/// Installs what is missing, builds the gateway, stands everything up and runs each script.
pub fn run(name: Option<&str>) -> Vec<Step> {
    let mut installed = None;
    let install = Step::run(
        "wire: pinned clients and servers of other people, into target/wire",
        |skips| {
            installed = install::all(skips);
            Ok(shortfall(skips))
        },
    );
    let Some(installed) = installed else {
        return vec![install];
    };
    let mut handpick = PathBuf::new();
    let build = Step::run("wire: cargo build of the gateway", |_| {
        handpick = build()?;
        Ok(Counts::default())
    });
    if build.counts.failed > 0 {
        return vec![install, build];
    }
    let mut steps = vec![install, build];
    let mut stage = None;
    steps.push(Step::run("wire: upstream servers and the gateway start", |_| {
        stage = Some(stage::Stage::start(&handpick, &installed)?);
        Ok(Counts {
            passed: 1,
            ..Counts::default()
        })
    }));
    let Some(stage) = stage else { return steps };
    for script in scripts::all(&installed) {
        // Every script relies on servers that have started.
        if script.name == "ready" || name.is_none_or(|name| script.name.contains(name)) {
            steps.push(Step::run(&format!("wire: {}", script.name), |skips| {
                script.run(&stage, skips)
            }));
        }
    }
    steps.push(Step::run("wire: everything stops", |_| stage.stop()));
    steps
}

/// Where nobody reads the summary, what could not be installed is a failure.
fn shortfall(skips: &[String]) -> Counts {
    for skip in skips {
        println!("not tried: {skip}");
    }
    Counts {
        failed: if is_strict() { skips.len() } else { 0 },
        ..Counts::default()
    }
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
    let binary = target.join("debug/handpick");
    if !binary.is_file() {
        bail!("the build left no {}", binary.display());
    }
    Ok(binary)
}
