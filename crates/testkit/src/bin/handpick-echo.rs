//! What does the fastest MCP server answer? `handpick-echo [--listen HOST:PORT] [--catalog FILE]`
#![allow(
    clippy::print_stdout,
    reason = "a developer command speaks on standard output"
)]

use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use handpick_testkit::{Recorded, ReplayServer, echo};

/// An MCP server over streamable HTTP that echoes calls; it replays a recorded tool list if given one.
#[derive(Parser)]
struct Arguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: String,
    /// A recorded tool list, `shared/catalogs/NAME.json`; without it there is one tool, `echo`.
    #[arg(long)]
    catalog: Option<PathBuf>,
    /// Tools a page.
    #[arg(long)]
    page: Option<usize>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let server = match &arguments.catalog {
        Some(path) => ReplayServer::of(Recorded::read(path)?),
        None => ReplayServer::echo(),
    };
    let server = match arguments.page {
        Some(size) => server.paged(size),
        None => server,
    };
    let listener = tokio::net::TcpListener::bind(&arguments.listen).await?;
    println!("listening on http://{}/mcp", listener.local_addr()?);
    echo::serve(listener, Arc::new(server)).await?;
    Ok(())
}
