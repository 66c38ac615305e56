//! What can be typed after `handpick eval turns`?

use std::path::PathBuf;

use super::parse_margin;
use crate::args::parse_count;
use crate::encoder::EncoderSource;

/// `handpick eval turns`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct TurnsArgs {
    /// Folders with a catalog.json (or tools.jsonl) and a conversations.jsonl each, or folders of such
    #[arg(value_name = "FOLDER", required = true)]
    pub folders: Vec<PathBuf>,
    /// Leave the past conversations of traces.json out
    #[arg(long)]
    pub no_traces: bool,
    /// Do not let past conversations vote; links learned from them stay
    #[arg(long)]
    pub no_memory: bool,
    /// Most matched tools of a turn, 0 to 50 [default: as shipped]
    #[arg(long, value_name = "N", value_parser = parse_cap, allow_negative_numbers = true)]
    pub max_tools: Option<usize>,
    /// The encoder to read texts with: a folder, or a model of a hub [default: the embedded one]
    #[arg(long, value_name = "FOLDER|OWNER/NAME")]
    pub encoder: Option<EncoderSource>,
    /// Tell the N worst turns of each domain: what lacked, what was of no use, and why it was there
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub misses: Option<usize>,
    /// Tell what moved since an earlier run, whose `--json` is in this file
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// Fail where a guarded share over all turns is worse than in the compared run by more than this, such as
    /// 0.02, or where a forbidden tool comes back
    #[arg(long, value_name = "MARGIN", requires = "compare", value_parser = parse_margin, allow_negative_numbers = true)]
    pub fail_below: Option<f64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "Examples:
  handpick eval turns quality/turns/hotel --misses 3
  handpick eval turns my-agent --no-traces
  handpick eval turns my-agent --json > before.json
  handpick eval turns my-agent --compare before.json --fail-below 0.02";

fn parse_cap(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|cap| *cap <= 50)
        .ok_or_else(|| "must be a whole number from 0 to 50".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Command, EvalCommand};

    fn parse(arguments: &[&str]) -> Result<TurnsArgs, String> {
        let arguments = ["handpick", "eval", "turns"].iter().chain(arguments);
        match Args::try_parse_from(arguments)
            .map_err(|error| error.to_string())?
            .command
        {
            Command::Eval(eval) => match eval.of {
                Some(EvalCommand::Turns(turns)) => Ok(turns),
                other => panic!("not turns: {other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn turns_take_folders_and_no_nonsense() {
        assert_eq!(parse(&["a", "b"]).unwrap().folders.len(), 2);
        assert_eq!(parse(&["a", "--max-tools", "0"]).unwrap().max_tools, Some(0));
        for (arguments, told) in [
            (&[][..], "required"),
            (&["a", "--max-tools", "51"], "from 0 to 50"),
            (&["a", "--max-tools", "-1"], "from 0 to 50"),
            (&["a", "--misses", "0"], "at least 1"),
            (&["a", "--fail-below", "0.1"], "--compare"),
            (&["a", "--profile", "turn"], "unexpected argument"),
        ] {
            let refused = parse(arguments).unwrap_err();
            assert!(refused.contains(told), "{arguments:?}: {refused}");
        }
    }
}
