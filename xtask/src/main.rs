//! What does a developer of this repository run?
//!
//! `cargo xtask test` is the whole answer to "does it work?", on a fresh machine as well as here.
#![allow(
    clippy::print_stdout,
    reason = "a developer command speaks on standard output"
)]

mod agents;
mod bench;
mod files;
mod processes;
mod rust_tests;
mod test;
mod tidy;
mod tools;
mod wire;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
usage: cargo xtask <command>

  test                  everything: tidy, the Rust tests, then other people's clients and servers (wire)
  test rust [NAME]      the Rust tests alone, or those whose name contains NAME
  test wire [NAME]      the wire tests alone, or those whose name contains NAME;
                        HANDPICK_BINARY=FILE tries a binary that is built already
  agents [NAME]         coding agents of other people do a task through the gateway, with a scripted model, or those
                        whose name contains NAME; HANDPICK_BINARY=FILE tries a binary that is built already
  bench                 all benchmarks, with programs built for it;
                        --built FOLDER takes those in a folder, target/release for instance
  bench call            what a call costs through the gateway, against the same call without it
  bench context         how soon a turn of a conversation gets its tools from an agent of 50
  bench presentation    how long a task takes in each presentation
  bench start           how soon a gateway with 87 servers answers, and how much memory it holds
  tidy                  the rules of this repository that a compiler cannot check
  tidy --contracts      which contract ids no test cites (informative)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<bool> {
    match arguments {
        ["test"] => test::run(test::Part::All, None),
        ["test", "rust", name @ ..] if name.len() < 2 => test::run(test::Part::Rust, name.first().copied()),
        ["test", "wire", name @ ..] if name.len() < 2 => test::run(test::Part::Wire, name.first().copied()),
        ["agents", name @ ..] if name.len() < 2 => agents::run(name.first().copied()),
        ["bench", rest @ ..] => bench::run(rest),
        ["tidy"] => tidy::run(),
        ["tidy", "--contracts"] => tidy::contracts::print(),
        ["help" | "--help" | "-h"] | [] => {
            print!("{HELP}");
            Ok(true)
        }
        _ => bail!("unknown arguments `{}`\n\n{HELP}", arguments.join(" ")),
    }
}
