//! What can be typed after `handpick graph`?

use std::path::PathBuf;

use clap::ValueEnum;

use super::ServiceArgs;

/// `handpick graph`
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub struct GraphArgs {
    /// The agent whose links are drawn
    #[arg(value_name = "AGENT", required_unless_present = "catalog")]
    pub agent: Option<String>,
    /// Draw the links of this catalog, as it would be published, instead; no gateway is needed
    #[arg(long, value_name = "FILE", conflicts_with = "agent")]
    pub catalog: Option<PathBuf>,
    /// Past conversations to learn links from, as they would be published
    #[arg(long, value_name = "FILE", requires = "catalog", conflicts_with = "agent")]
    pub traces: Option<PathBuf>,
    /// How the links are written
    #[arg(long, value_enum, default_value_t = GraphFormat::Text)]
    pub format: GraphFormat,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub service: ServiceArgs,
}

const USAGE: &str = "handpick graph [OPTIONS] <AGENT>
       handpick graph [OPTIONS] --catalog <FILE> [--traces <FILE>]";

const EXAMPLES: &str = "Examples:
  handpick graph acme-billing
  handpick graph acme-billing --format svg --output links.svg
  handpick graph --catalog catalog.json --traces traces.json --format dot | dot -Tpdf > links.pdf";

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// For reading
    Text,
    /// For Graphviz
    Dot,
    /// For looking at
    Svg,
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Command};

    fn parse(arguments: &[&str]) -> Result<GraphArgs, String> {
        let arguments = ["handpick", "graph"].iter().chain(arguments);
        match Args::try_parse_from(arguments)
            .map_err(|error| error.to_string())?
            .command
        {
            Command::Graph(graph) => Ok(graph),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_graph_is_that_of_an_agent_or_of_files() {
        assert_eq!(parse(&["shop"]).unwrap().agent.as_deref(), Some("shop"));
        let of_files = parse(&["--catalog", "c", "--traces", "t", "--format", "svg"]).unwrap();
        assert_eq!(of_files.format, GraphFormat::Svg);
        for (arguments, told) in [
            (&[][..], "required"),
            (&["shop", "--catalog", "c"], "cannot be used with"),
            (&["--traces", "t"], "--catalog"),
            (&["shop", "--traces", "t"], "cannot be used with"),
            (&["shop", "--format", "png"], "text, dot, svg"),
        ] {
            let refused = parse(arguments).unwrap_err();
            assert!(refused.contains(told), "{arguments:?}: {refused}");
        }
    }
}
