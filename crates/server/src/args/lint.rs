//! What can be typed after `handpick lint`?

use std::path::PathBuf;

use clap::ValueEnum;
use handpick_lint::{Client, Clients, Rule, Severity, rules};

use super::WhereArgs;

/// `handpick lint`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct LintArgs {
    #[command(flatten)]
    pub place: WhereArgs,
    /// The clients whose limits are checked; asking for one raises its notes to warnings
    #[arg(long, value_enum, default_value_t = ClientChoice::All)]
    pub client: ClientChoice,
    /// From which severity on findings make the exit code 1
    #[arg(long, value_enum, default_value_t = Deny::Error)]
    pub deny: Deny,
    /// Check this rule only; may be repeated
    #[arg(long = "rule", value_name = "ID", value_parser = parse_rule)]
    pub only: Vec<&'static Rule>,
    /// Leave this rule out; may be repeated
    #[arg(long, value_name = "ID", value_parser = parse_rule)]
    pub allow: Vec<&'static Rule>,
    /// Show every finding instead of the first few of each rule
    #[arg(long)]
    pub all: bool,
    /// Tell the rules instead of checking them
    #[arg(long)]
    pub rules: bool,
    /// Write SARIF 2.1.0 to this file, for a code host; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "Exit code: 0 clean, 1 findings that --deny names, 2 nothing could be checked.

Examples:
  handpick lint --catalog tools.json                       what is wrong, and what to write instead
  handpick lint --catalog tools.json --client gemini       what Gemini alone would refuse
  handpick lint --catalog tools.json --sarif lint.sarif    for a code host, shown at the lines
  handpick lint --catalog tools.json --deny warning --allow parameter-undescribed";

/// The clients whose rules are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClientChoice {
    /// OpenAI, Anthropic and Gemini
    All,
    /// OpenAI function calling
    Openai,
    /// The same with `strict: true`
    OpenaiStrict,
    /// Anthropic's Messages API
    Anthropic,
    /// Gemini function declarations
    Gemini,
}

impl ClientChoice {
    /// The clients it stands for.
    pub fn clients(self) -> Clients {
        match self {
            Self::All => Clients::All,
            Self::Openai => Clients::Only(Client::OpenAi),
            Self::OpenaiStrict => Clients::Only(Client::OpenAiStrict),
            Self::Anthropic => Clients::Only(Client::Anthropic),
            Self::Gemini => Clients::Only(Client::Gemini),
        }
    }
}

/// What makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Warnings and errors
    Warning,
    /// Errors
    Error,
    /// Nothing
    None,
}

impl Deny {
    /// Whether a finding this grave fails the run.
    pub fn denies(self, severity: Severity) -> bool {
        match self {
            Self::Warning => severity >= Severity::Warning,
            Self::Error => severity >= Severity::Error,
            Self::None => false,
        }
    }
}

fn parse_rule(text: &str) -> Result<&'static Rule, String> {
    rules::named(text).ok_or_else(|| {
        let nearest = rules::ALL
            .iter()
            .map(|rule| (strsim::jaro_winkler(rule.id, text), rule.id))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match nearest {
            Some((closeness, id)) if closeness > 0.8 => format!("no rule has this id; did you mean `{id}`?"),
            _ => "no rule has this id; `handpick lint --rules` tells them all".to_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Command};

    fn parse(arguments: &[&str]) -> Result<LintArgs, String> {
        let arguments = ["handpick", "lint"].iter().chain(arguments);
        match Args::try_parse_from(arguments)
            .map_err(|error| error.to_string())?
            .command
        {
            Command::Lint(lint) => Ok(lint),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rules_are_named_by_id() {
        let args = parse(&["--rule", "first-line-empty", "--allow", "name-long"]).unwrap();
        assert_eq!(
            (args.only[0].id, args.allow[0].id),
            ("first-line-empty", "name-long")
        );
        for (id, told) in [
            ("first-line-emty", "did you mean `first-line-empty`"),
            ("zzz", "handpick lint --rules"),
        ] {
            let refused = parse(&["--rule", id]).unwrap_err();
            assert!(refused.contains(told), "{refused}");
        }
    }

    #[test]
    fn denied_severities() {
        for (deny, expected) in [
            ("warning", [false, true, true]),
            ("error", [false, false, true]),
            ("none", [false, false, false]),
        ] {
            let deny = parse(&["--deny", deny]).unwrap().deny;
            let severities = [Severity::Note, Severity::Warning, Severity::Error];
            assert_eq!(severities.map(|severity| deny.denies(severity)), expected);
        }
        assert!(parse(&["--deny", "all"]).is_err());
    }
}
