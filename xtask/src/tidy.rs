//! Which rules of this repository can a compiler not check, and are they kept?

mod architecture;
mod documents;
mod text;

pub mod contracts;

use anyhow::Result;

use crate::test::Counts;

/// What one rule found: a line for each place that breaks it.
type Rule = (&'static str, fn() -> Vec<String>);

const RULES: [Rule; 9] = [
    ("every Rust file opens with a `//!` line", text::opening_lines),
    ("no line ends with white space", text::trailing_space),
    ("no source file is longer than a sitting", text::long_files),
    ("every to-do says of which kind it is", text::untagged_todos),
    ("no package registry is named by its host", text::registry_hosts),
    ("paths that documents name exist", documents::named_paths),
    ("crates depend downwards only", architecture::directions),
    ("pure crates do no input or output", architecture::purity),
    ("the code is formatted", text::formatting),
];

/// Checks every rule, printing each violation.
pub fn check() -> Result<Counts> {
    let mut counts = Counts::default();
    for (rule, check) in RULES {
        let violations = check();
        if violations.is_empty() {
            counts.passed += 1;
            println!("ok {rule}");
            continue;
        }
        counts.failed += 1;
        println!("FAIL {rule}:");
        for violation in violations {
            println!("     {violation}");
        }
    }
    Ok(counts)
}

/// The command `cargo xtask tidy`.
pub fn run() -> Result<bool> {
    let counts = check()?;
    println!("\n{} passed, {} failed", counts.passed, counts.failed);
    Ok(counts.failed == 0)
}
