//! What does a call cost through the gateway, against the same call without it?

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::processes::Running;
use crate::{files, tools};

const KEY: &str = "bench-key-0123456789abcdef";

/// Builds with optimisation, then lets one load client alternate between an echo server and the gateway in front
/// of it, in both eras. Everything runs on this machine and shares its cores.
pub fn run() -> Result<bool> {
    let root = files::root();
    let mut build = tools::cargo(&root);
    build.args([
        "build",
        "--release",
        "--package",
        "handpick-server",
        "--package",
        "handpick-testkit",
    ]);
    if !build.status().context("cannot start cargo")?.success() {
        bail!("it does not build");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = |name: &str| Command::new(target.join("release").join(name));
    let folder = root.join("target/bench");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;

    let (_echo, direct) = Running::start_listening(&mut program("handpick-echo"), &folder.join("echo.log"))?;
    let config = folder.join("handpick.toml");
    let settings =
        format!("[gateways.default]\npresentation = \"direct\"\n\n[servers.echo]\nurl = \"{direct}\"\n");
    std::fs::write(&config, settings)?;
    let mut gateway = program("handpick");
    gateway
        .args(["serve", "--listen", "127.0.0.1:0", "--config"])
        .arg(&config);
    gateway
        .arg("--data")
        .arg(folder.join("data"))
        .env("HANDPICK_ADMIN_KEY", KEY);
    let (_gateway, base) = Running::start_listening(&mut gateway, &folder.join("gateway.log"))?;

    println!("first: the echo server itself; second: the same calls through the gateway");
    let mut held = true;
    for era in ["modern", "legacy"] {
        println!("\n── {era}");
        let mut load = program("handpick-load");
        load.arg(&direct)
            .arg("--against")
            .arg(format!("{base}/mcp/default"));
        load.args(["--era", era])
            .env("HANDPICK_KEY", KEY)
            .stdin(Stdio::null());
        held &= load.status().context("cannot start the load client")?.success();
    }
    Ok(held)
}
