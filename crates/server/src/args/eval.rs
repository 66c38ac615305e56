//! What can be typed after `handpick eval`?

mod turns;
mod unified;

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use handpick_evaluation::answered::DEPTH;

use super::parse_count;
use crate::encoder::EncoderSource;

pub use turns::TurnsArgs;
pub use unified::UnifiedArgs;

/// `handpick eval`
#[derive(Debug, clap::Args)]
#[command(
    override_usage = USAGE,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct EvalArgs {
    /// What is measured instead of single requests.
    #[command(subcommand)]
    pub of: Option<EvalCommand>,
    /// Folders with a tools.jsonl and a queries.jsonl each
    #[arg(value_name = "FOLDER", required_unless_present = "catalog")]
    pub sets: Vec<PathBuf>,
    /// The tools: any tools/list JSON, or one tool a line
    #[arg(long, value_name = "FILE", requires = "queries", conflicts_with = "sets")]
    pub catalog: Option<PathBuf>,
    /// The labelled requests, one JSON object a line: `query`, `relevant`, and where there are any `id`,
    /// `kind`, `also_accept`, `context`
    #[arg(long, value_name = "FILE", requires = "catalog")]
    pub queries: Option<PathBuf>,
    /// How they are asked
    #[arg(long, value_enum, default_value_t = Profile::Select)]
    pub profile: Profile,
    /// The encoder to read texts with: a folder, or a model of a hub [default: the embedded one]
    #[arg(long, value_name = "FOLDER|OWNER/NAME")]
    pub encoder: Option<EncoderSource>,
    /// Where hits and recalls are counted, at most 50 [default: 1,5,10]
    #[arg(long, value_name = "K,K", value_delimiter = ',', default_values_t = [1, 5, 10], hide_default_value = true, value_parser = parse_depth)]
    pub k: Vec<usize>,
    /// Ask only so many, taken evenly from the file
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub limit: Option<usize>,
    /// Tell the N worst misses, what came first instead, and why
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub misses: Option<usize>,
    /// Draw how often suggestions of each probability are right
    #[arg(long)]
    pub calibration: bool,
    /// Write each request's ranking and answer as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub rankings: Option<PathBuf>,
    /// Tell what moved since an earlier run, whose `--json` is in this file
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// Fail where NDCG@10, hit@1, hit@5 or the share of wrongly empty answers is worse than in the compared
    /// run by more than this, such as 0.02
    #[arg(long, value_name = "MARGIN", requires = "compare", value_parser = parse_margin, allow_negative_numbers = true)]
    pub fail_below: Option<f64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What else can be measured.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Measure the tools that turns of labelled conversations get
    Turns(TurnsArgs),
    /// Measure what requests in words come to: the tool, its arguments, and whether it runs
    Unified(UnifiedArgs),
}

const USAGE: &str = "handpick eval [OPTIONS] <FOLDER>...
       handpick eval turns [OPTIONS] <FOLDER>...
       handpick eval unified [OPTIONS] [FILE]
       handpick eval [OPTIONS] --catalog <FILE> --queries <FILE>";

const EXAMPLES: &str = "Examples:
  handpick eval quality/demo --misses 5
  handpick eval --catalog tools.json --queries asked.jsonl --json > before.json
  handpick eval --catalog tools.json --queries asked.jsonl --compare before.json --fail-below 0.02
  handpick eval turns quality/turns/hotel --misses 5";

/// How requests are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// As tasks, without context
    Select,
    /// As keywords
    Search,
    /// As tasks, with the context of the request
    Turn,
}

impl Profile {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Search => "search",
            Self::Turn => "turn",
        }
    }
}

fn parse_depth(text: &str) -> Result<usize, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|depth| (1..=DEPTH).contains(depth))
        .ok_or_else(|| format!("must be whole numbers from 1 to {DEPTH}, such as 1,5,10"))
}

fn parse_margin(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|margin| (0.0..1.0).contains(margin))
        .ok_or_else(|| "must be a number from 0 to below 1, such as 0.02".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Command};

    fn parse(arguments: &[&str]) -> Result<EvalArgs, String> {
        let arguments = ["handpick", "eval"].iter().chain(arguments);
        match Args::try_parse_from(arguments)
            .map_err(|error| error.to_string())?
            .command
        {
            Command::Eval(eval) => Ok(eval),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_set_is_a_folder_or_two_files() {
        assert_eq!(parse(&["a", "b"]).unwrap().sets.len(), 2);
        assert_eq!(parse(&["a"]).unwrap().k, [1, 5, 10]);
        assert!(parse(&["--catalog", "t", "--queries", "q", "--k", "3, 7"]).is_ok());
        for (arguments, told) in [
            (&[][..], "required"),
            (&["--catalog", "t"], "--queries"),
            (&["--queries", "q"], "--catalog"),
            (&["a", "--catalog", "t", "--queries", "q"], "cannot be used with"),
            (&["a", "--fail-below", "0.02"], "--compare"),
            (
                &["a", "--compare", "c", "--fail-below", "-1"],
                "from 0 to below 1",
            ),
            (&["a", "--k", "0"], "from 1 to 50"),
            (&["a", "--k", "1,99"], "from 1 to 50"),
            (&["a", "--profile", "guess"], "select, search, turn"),
            (&["a", "--misses", "0"], "at least 1"),
        ] {
            let refused = parse(arguments).unwrap_err();
            assert!(refused.contains(told), "{arguments:?}: {refused}");
        }
    }
}
