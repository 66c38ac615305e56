//! Does everything work, and what was not tried?

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::{files, rust_tests, tidy, wire};

/// Which tests to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Tidy, Rust and wire.
    All,
    /// `cargo test` alone.
    Rust,
    /// Other people's clients and servers alone.
    Wire,
}

/// What a step counted, in checks.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Checks that held.
    pub passed: usize,
    /// Checks that did not.
    pub failed: usize,
    /// Checks that could not be tried.
    pub skipped: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// One line of the summary.
pub struct Step {
    /// What ran.
    pub name: String,
    /// What it counted.
    pub counts: Counts,
    /// How long it took.
    pub took: Duration,
    /// What was not tried, and why.
    pub skips: Vec<String>,
}

impl Step {
    /// Runs a step, announcing it, and takes its time.
    pub fn run(name: &str, work: impl FnOnce(&mut Vec<String>) -> Result<Counts>) -> Self {
        println!("\n── {name}");
        let started = Instant::now();
        let mut skips = Vec::new();
        let counts = work(&mut skips).unwrap_or_else(|error| {
            println!("FAIL {name}: {error:#}");
            Counts {
                failed: 1,
                ..Counts::default()
            }
        });
        Self {
            name: name.to_owned(),
            counts,
            took: started.elapsed(),
            skips,
        }
    }
}

/// Whether a missing prerequisite is a failure instead of a skip: where nobody reads the summary.
pub fn is_strict() -> bool {
    std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false")
}

/// Runs the tests, prints a summary and the closing line; true when nothing failed.
pub fn run(part: Part, name: Option<&str>) -> Result<bool> {
    let mut steps = Vec::new();
    if part == Part::All {
        steps.push(Step::run("tidy: rules that a compiler cannot check", |_| {
            tidy::check()
        }));
    }
    if part != Part::Wire {
        steps.push(Step::run("rust: cargo test --workspace", |skips| {
            if files::shared_folder().is_none() {
                skips.push(
                    "tests on recorded catalogs and query sets: no `../shared` folder beside the \
                     repository and HANDPICK_SHARED is not set"
                        .to_owned(),
                );
            }
            rust_tests::run(name)
        }));
    }
    if part != Part::Rust {
        steps.extend(wire::run(name));
    }
    Ok(summarize(&steps))
}

fn summarize(steps: &[Step]) -> bool {
    println!("\n── summary");
    let mut total = Counts::default();
    for step in steps {
        let Counts {
            passed,
            failed,
            skipped,
        } = step.counts;
        let skipped = skipped + step.skips.len();
        println!(
            "{:>7.1} s  {}: {passed} held, {failed} failed, {skipped} not tried",
            step.took.as_secs_f64(),
            step.name
        );
        total += Counts {
            passed,
            failed,
            skipped,
        };
    }
    for skip in steps.iter().flat_map(|step| &step.skips) {
        println!("not tried: {skip}");
    }
    println!(
        "\n{} passed, {} failed, {} skipped",
        total.passed, total.failed, total.skipped
    );
    total.failed == 0 && total.passed > 0
}
