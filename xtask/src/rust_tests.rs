//! What do the Rust tests say?

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use anyhow::{Context as _, Result};

use crate::test::{Counts, is_strict};
use crate::{files, tools};

/// Where the cases of property tests are drawn from; proptest reads it.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Runs the tests of the whole workspace, doctests included, and adds up their closing lines.
///
/// Property tests draw new cases in every run, except where a run decides whether a change lands: there the
/// same code has the same outcome.
pub fn run(name: Option<&str>) -> Result<Counts> {
    let mut command = tools::cargo(&files::root());
    command.args(["test", "--workspace", "--no-fail-fast"]);
    command.args(name);
    if is_strict() && std::env::var_os(SEED).is_none() {
        command.env(SEED, "1");
    }
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start cargo")?;
    let mut counts = Counts::default();
    for line in BufReader::new(child.stdout.take().context("no output")?).lines() {
        let line = line?;
        println!("{line}");
        if let Some(found) = closing_line(&line) {
            counts += found;
        }
    }
    // A build that fails has no closing line at all.
    if !child.wait()?.success() && counts.failed == 0 {
        counts.failed = 1;
    }
    Ok(counts)
}

/// Reads `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
fn closing_line(line: &str) -> Option<Counts> {
    let numbers = line.strip_prefix("test result: ")?;
    let count = |word: &str| {
        let before = &numbers[..numbers.find(&format!(" {word}"))?];
        before.rsplit(' ').next()?.parse::<usize>().ok()
    };
    Some(Counts {
        passed: count("passed")?,
        failed: count("failed")?,
        skipped: count("ignored")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_added_up_and_others_are_not() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.02s";
        let expected = Counts {
            passed: 12,
            failed: 3,
            skipped: 1,
        };
        assert_eq!(closing_line(line), Some(expected));
        assert_eq!(closing_line("test foo::bar ... ok"), None);
    }
}
