//! What can be typed on the command line?

mod eval;
mod gateway;
mod graph;
mod lint;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use handpick_domain::Scope;

use crate::encoder::EncoderSource;

pub use eval::{EvalArgs, EvalCommand, Profile, TurnsArgs, UnifiedArgs};
pub use gateway::{AdviseArgs, GatewayAction, GatewayArgs, SetArgs};
pub use graph::{GraphArgs, GraphFormat};
pub use lint::LintArgs;

/// The gateway that hands each model only the tools that fit.
#[derive(Debug, Parser)]
#[command(name = "handpick", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Args {
    /// Log more; twice for everything. `RUST_LOG` decides in detail.
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = 999)]
    pub verbose: u8,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "Examples:
  handpick demo                                     see it work, with built-in apps
  handpick serve --mcp-config ~/.cursor/mcp.json    serve the servers you already have
  handpick select \"refund the last invoice\"         ask the running gateway
  handpick select \"refund it\" --catalog tools.json  ask a file, without any gateway
  handpick call chat.send_message --input '{\"channel\": \"general\", \"text\": \"Shipped\"}'";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the gateway over HTTP: MCP at /mcp/NAME, REST at /v1
    Serve(ServeArgs),
    /// Show what Handpick does, with built-in apps and nothing to set up
    Demo(DemoArgs),
    /// Serve one gateway over stdin and stdout, for clients that spawn their servers
    Stdio(StdioArgs),
    /// Show every server of a running gateway, and what is wrong with it
    Status(StatusArgs),
    /// List gateways, show what their clients see, change how tools are shown
    Gateway(GatewayArgs),
    /// Recommend how a gateway should show its tools, with the reason
    Advise(AdviseArgs),
    /// Take over the servers of an mcp.json as Claude Desktop, Cursor and VS Code write it
    Import(ImportArgs),
    /// Find the tools that fit a task
    Select(SelectArgs),
    /// Find tools by keywords
    Search(SearchArgs),
    /// Measure selection on labelled requests: your catalog, your questions
    Eval(EvalArgs),
    /// Find what keeps tools from being found or accepted, and what to write instead
    Lint(LintArgs),
    /// Show how the tools of an agent hang together: which one supplies which id to which
    Graph(GraphArgs),
    /// Run one tool through the running gateway
    Call(CallArgs),
    /// Make, list and revoke API keys
    Keys(KeysArgs),
    /// Print completions for a shell
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Where settings and data are.
#[derive(Clone, Debug, clap::Args)]
pub struct PlaceArgs {
    /// Settings file [default: handpick.toml where it exists]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// An mcp.json whose servers are served too
    #[arg(long, value_name = "FILE")]
    pub mcp_config: Option<PathBuf>,
    /// Data folder: keys, cached tool lists, vectors, records [default: the user's data folder]
    #[arg(long, value_name = "FOLDER", env = "HANDPICK_DATA")]
    pub data: Option<PathBuf>,
}

/// `handpick serve`
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Address to serve on; port 0 takes a free one [default: 127.0.0.1:8722]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// Print where it listens, and a new key, as one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// `handpick demo`
#[derive(Debug, clap::Args)]
pub struct DemoArgs {
    /// Leave after the walk-through instead of serving on
    #[arg(long)]
    pub once: bool,
    /// Address to serve on; port 0 takes a free one [default: 127.0.0.1:8722]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// Data folder [default: `demo` in the user's data folder, or in that of HANDPICK_DATA]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `handpick stdio`
#[derive(Debug, clap::Args)]
pub struct StdioArgs {
    /// The gateway to serve
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub gateway: String,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// A role of the person at the client; may be repeated
    #[arg(long = "role", value_name = "ROLE")]
    pub roles: Vec<String>,
}

/// Which running gateway is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct ServiceArgs {
    /// Address of the running gateway
    #[arg(
        long,
        value_name = "URL",
        env = "HANDPICK_URL",
        global = true,
        default_value = "http://127.0.0.1:8722"
    )]
    pub url: String,
    /// API key; without one, HANDPICK_ADMIN_KEY is used where it is set
    #[arg(
        long,
        value_name = "KEY",
        env = "HANDPICK_KEY",
        hide_env_values = true,
        global = true
    )]
    pub key: Option<String>,
}

/// For whom tools are found or run.
#[derive(Clone, Debug, clap::Args)]
pub struct UserArgs {
    /// The end user to act for
    #[arg(long, value_name = "USER", default_value = "cli")]
    pub user: String,
}

/// Where tools are looked for.
#[derive(Clone, Debug, clap::Args)]
pub struct WhereArgs {
    /// Ask this tools/list JSON or JSONL file; no gateway is needed
    #[arg(long, value_name = "FILE", conflicts_with = "gateway")]
    pub catalog: Option<PathBuf>,
    /// The encoder to read the file's texts with: a folder, or a model of a hub [default: the embedded one]
    #[arg(long, value_name = "FOLDER|OWNER/NAME", requires = "catalog")]
    pub encoder: Option<EncoderSource>,
    /// Only the tools of this gateway
    #[arg(long, value_name = "NAME")]
    pub gateway: Option<String>,
    #[command(flatten)]
    pub service: ServiceArgs,
    #[command(flatten)]
    pub user: UserArgs,
}

/// `handpick status`
#[derive(Debug, clap::Args)]
pub struct StatusArgs {
    #[command(flatten)]
    pub service: ServiceArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `handpick import`
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    /// The mcp.json to read
    pub file: PathBuf,
    /// Settings file to add the servers to
    #[arg(long, value_name = "FILE", default_value = "handpick.toml")]
    pub config: PathBuf,
    /// Print what would be added instead of adding it
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `handpick select`
#[derive(Debug, clap::Args)]
pub struct SelectArgs {
    /// The tasks, each one action in words
    #[arg(required = true)]
    pub tasks: Vec<String>,
    /// The situation, to rank with
    #[arg(long)]
    pub context: Option<String>,
    /// Most tools per task; more than 20 are 20
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = parse_count, allow_negative_numbers = true)]
    pub top_k: usize,
    /// Say why each tool was chosen
    #[arg(long)]
    pub explain: bool,
    #[command(flatten)]
    pub place: WhereArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `handpick search`
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    /// The words
    #[arg(required = true)]
    pub words: Vec<String>,
    /// Most tools; more than 50 are 50
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_count, allow_negative_numbers = true)]
    pub top_k: usize,
    #[command(flatten)]
    pub place: WhereArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `handpick call`
#[derive(Debug, clap::Args)]
pub struct CallArgs {
    /// The tool, as `app.tool`
    pub tool: String,
    /// Its arguments as a JSON object
    #[arg(long, value_name = "JSON", default_value = "{}")]
    pub input: String,
    /// The `query_id` of the selection it follows from
    #[arg(long, value_name = "ID")]
    pub query_id: Option<String>,
    #[command(flatten)]
    pub service: ServiceArgs,
    #[command(flatten)]
    pub user: UserArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `handpick keys`
#[derive(Debug, clap::Args)]
pub struct KeysArgs {
    /// What to do with keys.
    #[command(subcommand)]
    pub action: KeysAction,
    /// Settings file that names the gateway's data folder [default: handpick.toml where it exists]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// Data folder of the gateway [default: the user's data folder]
    #[arg(long, value_name = "FOLDER", env = "HANDPICK_DATA", global = true)]
    pub data: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeysAction {
    /// Make a key and print it, once
    Create {
        /// What the key is for, in your words
        #[arg(long, default_value = "")]
        label: String,
        /// What it may do: read, execute, admin; may be repeated
        #[arg(long = "scope", value_name = "SCOPE", default_values = ["read", "execute"], value_parser = parse_scope)]
        scopes: Vec<Scope>,
        /// A role of whoever presents it; may be repeated
        #[arg(long = "role", value_name = "ROLE")]
        roles: Vec<String>,
    },
    /// List the keys, never their text
    List,
    /// Make a key useless, within seconds
    Revoke {
        /// Its id, as `list` shows it
        id: String,
    },
}

fn parse_count(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| *count > 0)
        .ok_or_else(|| "must be a whole number of at least 1".to_owned())
}

fn parse_scope(text: &str) -> Result<Scope, String> {
    match text {
        "read" => Ok(Scope::Read),
        "execute" => Ok(Scope::Execute),
        "admin" => Ok(Scope::Admin),
        _ => Err("must be read, execute or admin".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn counts_begin_at_one() {
        for count in ["0", "-1", "1.5", "many"] {
            let refused = Args::try_parse_from(["handpick", "select", "x", "--top-k", count]).unwrap_err();
            let told = refused.to_string();
            assert!(told.contains("whole number of at least 1"), "{told}");
        }
        assert!(Args::try_parse_from(["handpick", "search", "x", "--top-k", "99"]).is_ok());
    }
}
