//! What can be typed after `handpick eval unified`?

use std::path::PathBuf;

use super::parse_margin;
use crate::args::parse_count;
use crate::encoder::EncoderSource;

/// `handpick eval unified`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct UnifiedArgs {
    /// Labelled requests, one JSON object a line; quality/unified/README.md tells the fields
    #[arg(value_name = "FILE", default_value = "quality/unified/dev.jsonl")]
    pub file: PathBuf,
    /// A folder with a tools/list JSON, SERVER.json, for each server that is not an app of the demo. Requests whose
    /// servers are not there are left out
    #[arg(long, value_name = "FOLDER")]
    pub catalogs: Option<PathBuf>,
    /// The encoder to read texts with: a folder, or a model of a hub [default: the embedded one]
    #[arg(long, value_name = "FOLDER|OWNER/NAME")]
    pub encoder: Option<EncoderSource>,
    /// Tell the N worst requests: what ran wrongly, then what was asked back
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub misses: Option<usize>,
    /// Write what speaks for each tool of each request as a line of JSON, for training/fit_unified.py
    #[arg(long, value_name = "FILE")]
    pub signals: Option<PathBuf>,
    /// Compare with an earlier run, whose `--json` is in this file, and fail where it is worse
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// How much worse a share may be, such as 0.02
    #[arg(long, value_name = "MARGIN", default_value = "0.02", value_parser = parse_margin, allow_negative_numbers = true)]
    pub fail_below: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "Examples:
  handpick eval unified
  handpick eval unified quality/unified/dev.jsonl --catalogs catalogs --misses 5
  handpick eval unified mine.jsonl --json > before.json
  handpick eval unified mine.jsonl --baseline before.json";

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Command, EvalCommand};

    fn parse(arguments: &[&str]) -> Result<UnifiedArgs, String> {
        let arguments = ["handpick", "eval", "unified"].iter().chain(arguments);
        match Args::try_parse_from(arguments)
            .map_err(|error| error.to_string())?
            .command
        {
            Command::Eval(eval) => match eval.of {
                Some(EvalCommand::Unified(unified)) => Ok(unified),
                other => panic!("not unified: {other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_file_is_enough() {
        assert!(parse(&[]).unwrap().file.ends_with("dev.jsonl"));
        assert_eq!(parse(&["a.jsonl", "--misses", "3"]).unwrap().misses, Some(3));
        for (arguments, told) in [
            (&["a", "b"][..], "unexpected argument"),
            (&["--misses", "0"], "at least 1"),
            (&["--fail-below", "2"], "from 0 to below 1"),
        ] {
            let refused = parse(arguments).unwrap_err();
            assert!(refused.contains(told), "{arguments:?}: {refused}");
        }
    }
}
