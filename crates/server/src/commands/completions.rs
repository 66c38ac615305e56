//! `handpick completions`: what does a shell need to complete our commands?

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Args;

/// Prints the completion script.
pub fn run(shell: Shell) -> anyhow::Result<()> {
    clap_complete::generate(shell, &mut Args::command(), "handpick", &mut std::io::stdout());
    Ok(())
}
