//! What can be typed after `handpick gateway` and `handpick advise`?

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Subcommand, builder::PossibleValue};
use handpick_domain::{Autonomy, Presentation, SystemToolkit};

use super::ServiceArgs;

/// `handpick gateway`
#[derive(Debug, clap::Args)]
pub struct GatewayArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: GatewayAction,
    #[command(flatten)]
    pub service: ServiceArgs,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What can be done with gateways.
#[derive(Debug, Subcommand)]
pub enum GatewayAction {
    /// List the gateways and how each shows its tools
    List,
    /// Show what a client sees now, and what each presentation would cost its model
    Show {
        /// The gateway
        name: String,
    },
    /// Change how tools are shown and how freely they run, for connections opened from now on
    Set(SetArgs),
}

/// `handpick gateway set`
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
pub struct SetArgs {
    /// The gateway
    pub name: String,
    /// How the tools are shown
    #[arg(long, value_name = "MODE", group = "change", value_parser = presentation())]
    pub presentation: Option<Presentation>,
    /// Whether a person is asked before a tool runs
    #[arg(long, value_name = "LEVEL", group = "change", value_parser = autonomy())]
    pub autonomy: Option<Autonomy>,
    /// A toolkit of the gateway itself to turn on, in place of those that are on; may be repeated
    #[arg(long = "system-tools", value_name = "TOOLKIT", group = "change", value_parser = toolkit())]
    pub system_tools: Vec<SystemToolkit>,
    /// Turn the gateway's own toolkits off
    #[arg(long, group = "change", conflicts_with = "system_tools")]
    pub no_system_tools: bool,
    /// Go back to what the settings file says
    #[arg(long, group = "change", conflicts_with_all = ["presentation", "autonomy", "system_tools", "no_system_tools"])]
    pub reset: bool,
}

/// `handpick advise`
#[derive(Debug, clap::Args)]
pub struct AdviseArgs {
    /// The gateway
    pub name: String,
    #[command(flatten)]
    pub service: ServiceArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The six settings; the older names are read as well and not told.
fn presentation() -> impl clap::builder::TypedValueParser<Value = Presentation> {
    let told = Presentation::ALL.map(|setting| PossibleValue::new(setting.as_str()));
    let older = ["individual", "smart", "omni"].map(|name| PossibleValue::new(name).hide(true));
    PossibleValuesParser::new(told.into_iter().chain(older))
        .try_map(|text| Presentation::parse(&text).ok_or("is no presentation"))
}

fn autonomy() -> impl clap::builder::TypedValueParser<Value = Autonomy> {
    PossibleValuesParser::new(Autonomy::ALL.map(Autonomy::as_str))
        .try_map(|text| Autonomy::parse(&text).ok_or("is no level"))
}

fn toolkit() -> impl clap::builder::TypedValueParser<Value = SystemToolkit> {
    PossibleValuesParser::new(SystemToolkit::ALL.map(SystemToolkit::as_str))
        .try_map(|text| SystemToolkit::parse(&text).ok_or("is no toolkit"))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Command};

    fn parse(arguments: &[&str]) -> Result<SetArgs, String> {
        let arguments = ["handpick", "gateway", "set"].iter().chain(arguments);
        let args = Args::try_parse_from(arguments).map_err(|error| error.to_string())?;
        match args.command {
            Command::Gateway(GatewayArgs {
                action: GatewayAction::Set(set),
                ..
            }) => Ok(set),
            other => panic!("{other:?}"),
        }
    }

    /// P1, P4: six presentations, three levels, and something must change.
    #[test]
    fn p1_what_can_be_set() {
        let set = parse(&["default", "--presentation", "unified", "--autonomy", "read_only"]).unwrap();
        assert_eq!(set.presentation, Some(Presentation::Unified));
        assert_eq!(set.autonomy, Some(Autonomy::ReadOnly));
        assert_eq!(
            parse(&["d", "--presentation", "smart"]).unwrap().presentation,
            Some(Presentation::Discovery)
        );
        let set = parse(&["d", "--system-tools", "journal", "--system-tools", "form"]).unwrap();
        assert_eq!(set.system_tools, [SystemToolkit::Journal, SystemToolkit::Form]);
        for (arguments, told) in [
            (&["default"][..], "required"),
            (&["default", "--presentation", "loud"], "progressive"),
            (&["default", "--autonomy", "none"], "confirm"),
            (&["default", "--system-tools", "hammer"], "workflow"),
            (
                &["default", "--reset", "--autonomy", "full"],
                "cannot be used with",
            ),
            (&["--reset"], "<NAME>"),
        ] {
            let refused = parse(arguments).unwrap_err();
            assert!(refused.contains(told), "{arguments:?}: {refused}");
        }
    }
}
