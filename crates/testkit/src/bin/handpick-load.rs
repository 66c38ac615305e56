//! What does a call cost, directly and through a gateway, in one run on one machine?
#![allow(
    clippy::print_stdout,
    reason = "a developer command speaks on standard output"
)]

use std::time::Duration;

use clap::{Parser, ValueEnum};
use handpick_protocol::version::Era;
use handpick_testkit::load::{Bounds, Measured, Ready, Target};

/// Calls one tool many times over kept-alive HTTP. With `--against` it alternates between two servers, round
/// by round, so that both see the same machine, and prints the ratio.
#[derive(Parser)]
struct Arguments {
    /// The server, `http://host:port/path`.
    url: String,
    /// The tool's name there.
    #[arg(long, default_value = "echo")]
    tool: String,
    /// A second server, whose throughput is shown as a share of the first one's.
    #[arg(long)]
    against: Option<String>,
    /// The tool's name at the second server.
    #[arg(long, default_value = "echo_echo")]
    against_tool: String,
    /// Bearer key for the second server (for the first one where there is no second).
    #[arg(long, env = "HANDPICK_KEY", hide_env_values = true)]
    key: Option<String>,
    /// The arguments of each call, as JSON.
    #[arg(long, default_value = r#"{"text":"hello"}"#)]
    arguments: String,
    /// Which era to speak.
    #[arg(long, value_enum, default_value = "modern")]
    era: EraName,
    /// Connections, each with one call at a time; several numbers give several rows.
    #[arg(long, value_delimiter = ',', default_value = "1,8,32")]
    callers: Vec<usize>,
    /// Calls of each round.
    #[arg(long, default_value_t = 20_000)]
    calls: u64,
    /// Rounds for each row; the round of median throughput is shown.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Longest round, in seconds.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum EraName {
    Modern,
    Legacy,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let era = match arguments.era {
        EraName::Modern => Era::Modern,
        EraName::Legacy => Era::Legacy,
    };
    let target = |name: &str, url: &str, tool: &str, key: Option<&String>| Target {
        name: name.to_owned(),
        url: url.to_owned(),
        tool: tool.to_owned(),
        arguments: arguments.arguments.clone(),
        era,
        key: key.cloned(),
    };
    let own_key = arguments.key.as_ref().filter(|_| arguments.against.is_none());
    let mut servers = vec![Ready::new(target("first", &arguments.url, &arguments.tool, own_key)).await?];
    if let Some(url) = &arguments.against {
        let second = target("second", url, &arguments.against_tool, arguments.key.as_ref());
        servers.push(Ready::new(second).await?);
    }
    println!("callers  server   p50 ms   p99 ms   calls/s  failed   share");
    let mut failed = 0;
    for &callers in &arguments.callers {
        failed += row(&servers, callers, &arguments).await;
    }
    if failed > 0 {
        return Err(format!("{failed} calls failed").into());
    }
    Ok(())
}

/// Runs the rounds of one number of callers and prints a line for each server; returns the failures.
async fn row(servers: &[Ready], callers: usize, arguments: &Arguments) -> u64 {
    let bounds = Bounds {
        callers,
        calls: arguments.calls,
        time: Duration::from_secs(arguments.seconds),
    };
    let mut rounds: Vec<Vec<Measured>> = servers.iter().map(|_| Vec::new()).collect();
    for round in 0..=arguments.rounds.max(1) {
        for (server, measured) in servers.iter().zip(&mut rounds) {
            if round == 0 {
                // The first round only warms up: connections, caches, the processor's clock.
                let few = Bounds {
                    calls: arguments.calls / 10,
                    ..bounds
                };
                server.run(few).await;
            } else {
                measured.push(server.run(bounds).await);
            }
        }
    }
    let (mut failed, mut first_rate) = (0, None);
    for (index, mut measured) in rounds.into_iter().enumerate() {
        failed += measured.iter().map(|round| round.failed).sum::<u64>();
        if let Some(reason) = measured.iter().find_map(|round| round.first_failure.clone()) {
            println!("         first failure: {reason}");
        }
        measured.sort_by(|a, b| a.per_second().total_cmp(&b.per_second()));
        let median = measured.swap_remove(measured.len() / 2);
        let rate = median.per_second();
        let share = rate / *first_rate.get_or_insert(rate);
        let milliseconds = |share| median.quantile(share).as_secs_f64() * 1000.0;
        println!(
            "{callers:>7}  {:<6} {:>8.3} {:>8.3} {rate:>9.0} {:>7} {share:>7.2}",
            ["first", "second"][index.min(1)],
            milliseconds(0.5),
            milliseconds(0.99),
            median.failed
        );
    }
    failed
}
