//! What does a call cost through the gateway, against the same call without it?

use std::process::Stdio;

use anyhow::{Context as _, Result};

use super::{KEY, Programs, fresh_folder};
use crate::processes::Running;

/// Lets one load client alternate between an echo server and the gateway in front of it, in both eras.
/// Everything runs on this machine and shares its cores.
pub fn run(programs: &Programs) -> Result<bool> {
    let folder = fresh_folder("call")?;
    let (_echo, direct) =
        Running::start_listening(&mut programs.command("handpick-echo"), &folder.join("echo.log"))?;
    let config = folder.join("handpick.toml");
    let settings =
        format!("[gateways.default]\npresentation = \"direct\"\n\n[servers.echo]\nurl = \"{direct}\"\n");
    std::fs::write(&config, settings)?;
    let mut gateway = programs.gateway("127.0.0.1:0", &config, &folder.join("data"));
    let (_gateway, base) = Running::start_listening(&mut gateway, &folder.join("gateway.log"))?;

    println!("first: the echo server itself; second: the same calls through the gateway");
    let mut held = true;
    for era in ["modern", "legacy"] {
        println!("\n── {era}");
        let mut load = programs.command("handpick-load");
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
