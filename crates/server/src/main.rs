//! The binary: how do the parts meet?
//!
//! `args` is what can be typed, `settings` what can be written, `encoder` which model reads texts, `wire` where
//! the concrete parts are put together, `commands` one file for each thing a person can ask for.

mod args;
mod client;
mod commands;
mod encoder;
mod memory;
mod settings;
mod terminal;
mod wire;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser as _;

/// Calls are many small allocations on several threads; this allocator makes them cheaper.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    memory::give_back_at_once(true);
    let args = Args::parse();
    terminal::start_logging(args.verbose);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return terminal::fail(&anyhow::anyhow!("no threads can be started: {error}")),
    };
    let outcome = runtime.block_on(run(args));
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    outcome.unwrap_or_else(|error| terminal::fail(&error))
}

async fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Serve(serve) => commands::serve::run(serve).await,
        Command::Demo(demo) => commands::demo::run(demo).await,
        Command::Stdio(stdio) => commands::stdio::run(stdio).await,
        Command::Status(status) => commands::status::run(status).await,
        Command::Gateway(gateway) => commands::gateway::run(gateway).await,
        Command::Advise(advise) => commands::advise::run(advise).await,
        Command::Import(import) => commands::import::run(&import),
        Command::Select(select) => commands::select::run(select).await,
        Command::Search(search) => commands::search::run(search).await,
        Command::Eval(eval) => commands::eval::run(eval).await,
        // Its exit codes tell findings from failures.
        Command::Lint(lint) => return Ok(commands::lint::run(lint).await),
        Command::Graph(graph) => commands::graph::run(graph).await,
        Command::Call(call) => commands::call::run(call).await,
        Command::Keys(keys) => commands::keys::run(keys).await,
        Command::Completions { shell } => commands::completions::run(shell),
    }?;
    Ok(ExitCode::SUCCESS)
}
