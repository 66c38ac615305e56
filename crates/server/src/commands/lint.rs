//! `handpick lint`: what is wrong with these tools, and what would be right?
//!
//! `source` reads the tools, `compete` measures which of them take each other's place, `show` tells a person.
//! The rules are the matter of the crate `lint`.

mod compete;
mod show;
mod source;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use handpick_lint::{Finding, Place, check, json, rules, sarif};

use self::source::Source;
use crate::args::LintArgs;
use crate::terminal::{fail, say};

/// Findings that `--deny` names.
const DENIED: u8 = 1;
/// Nothing could be checked.
const FAILED: u8 = 2;

/// Checks the tools and tells what is wrong with them.
pub async fn run(args: LintArgs) -> ExitCode {
    match lint(&args).await {
        Ok(denied) => ExitCode::from(if denied { DENIED } else { 0 }),
        Err(error) => {
            fail(&error);
            ExitCode::from(FAILED)
        }
    }
}

/// Whether there are findings that `--deny` names.
async fn lint(args: &LintArgs) -> anyhow::Result<bool> {
    if args.rules {
        show::rules();
        return Ok(false);
    }
    let to_stdout = args.sarif.as_deref() == Some(Path::new("-"));
    if args.json && to_stdout {
        bail!("--json and --sarif - both write to standard output; give SARIF a file");
    }
    let source = source::read(&args.place).await?;
    let findings = findings(args, &source).await?;
    let located: Vec<(&Finding, Option<Place>)> = findings
        .iter()
        .map(|finding| (finding, source.place(finding)))
        .collect();
    if let Some(file) = &args.sarif {
        let log = format!("{:#}\n", sarif::log(env!("CARGO_PKG_VERSION"), &located));
        if to_stdout {
            say(log.trim_end());
        } else {
            std::fs::write(file, log).with_context(|| format!("cannot write `{}`", file.display()))?;
        }
    }
    let (tools, servers) = (source.tools(), source.servers());
    if args.json {
        say(format!("{:#}", json::report(tools, servers, &located)));
    } else if !to_stdout {
        show::findings(&source, &located, args);
    }
    Ok(findings.iter().any(|finding| args.deny.denies(finding.severity)))
}

/// Every finding of the rules that are asked for, in the order they are shown in.
async fn findings(args: &LintArgs, source: &Source) -> anyhow::Result<Vec<Finding>> {
    let wanted = |rule: &handpick_lint::Rule| {
        (args.only.is_empty() || args.only.iter().any(|only| only.id == rule.id))
            && !args.allow.iter().any(|allowed| allowed.id == rule.id)
    };
    let mut findings = check(&source.catalog, args.client.clients());
    findings.extend(source.duplicates());
    if wanted(&rules::LINES_COMPETE) || wanted(&rules::LINES_IDENTICAL) {
        findings.extend(compete::measure(source, args.place.encoder.as_ref()).await?);
    }
    findings.retain(|finding| wanted(finding.rule));
    handpick_lint::check::sort(&mut findings);
    Ok(findings)
}
