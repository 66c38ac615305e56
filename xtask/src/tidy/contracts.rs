//! Which contracts does no test cite?

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};

use crate::files;

/// The sections this repository implements so far: recommendation, presentation, edge cases, conflicts.
const SECTIONS: [char; 6] = ['A', 'T', 'P', 'X', 'E', 'C'];

/// No section has more contracts than this: `x86` is none.
const LARGEST: u32 = 80;

/// Prints the ids of contracts that no test names. Informative: many are covered without their number.
pub fn print() -> Result<bool> {
    let folder =
        files::shared_folder().context("no `shared` folder: set HANDPICK_SHARED to see the contracts")?;
    let text = std::fs::read_to_string(folder.join("contracts.md")).context("cannot read contracts.md")?;
    let known = known(&text);
    let cited = cited();
    for section in SECTIONS {
        let of_section: Vec<_> = known.iter().filter(|(letter, _)| *letter == section).collect();
        let missing: Vec<String> = of_section
            .iter()
            .filter(|id| !cited.contains(id))
            .map(|(letter, number)| format!("{letter}{number}"))
            .collect();
        println!(
            "{section}: {} of {} cited; not cited: {}",
            of_section.len() - missing.len(),
            of_section.len(),
            if missing.is_empty() {
                "none".to_owned()
            } else {
                missing.join(" ")
            }
        );
    }
    Ok(true)
}

/// Ids that open a bullet or a table row, in bold or not.
fn known(text: &str) -> BTreeSet<(char, u32)> {
    text.lines()
        .filter_map(|line| line.strip_prefix("* **").or_else(|| line.strip_prefix("| ")))
        .flat_map(|rest| ids(rest.trim_start_matches('*')).into_iter().take(1))
        .collect()
}

/// Ids in the tests: test modules, test files and the wire scripts.
fn cited() -> BTreeSet<(char, u32)> {
    let mut cited = BTreeSet::new();
    for path in files::with_endings(&[".rs", ".py", ".mjs"]) {
        let text = files::read(&path);
        let whole =
            files::is_test_file(&path) || path.starts_with("wire") || path.starts_with("crates/testkit");
        let tests = if whole {
            &text[..]
        } else {
            &text[files::without_tests(&text).len()..]
        };
        cited.extend(tests.lines().flat_map(ids));
    }
    cited
}

/// Ids such as `A29` in a text, in either case and inside snake_case; `A3–A6` and `A3..A6` mean all between.
fn ids(text: &str) -> Vec<(char, u32)> {
    let mut found: Vec<(char, u32)> = Vec::new();
    let mut range_from = None;
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let core = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let id = core.split_at_checked(1).and_then(|(letter, number)| {
            let letter = letter.chars().next()?.to_ascii_uppercase();
            let number = number.parse().ok().filter(|_| !number.starts_with('0'))?;
            (number <= LARGEST && SECTIONS.contains(&letter)).then_some((letter, number))
        });
        match (id, range_from) {
            (Some((letter, number)), Some((from_letter, from))) if letter == from_letter && number > from => {
                found.extend((from + 1..=number).map(|n| (letter, n)));
            }
            (Some(id), _) => found.push(id),
            (None, _) if core.is_empty() && word == "." => continue,
            _ => {}
        }
        range_from = id.filter(|_| word.ends_with(['–', '-', '.']));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_in_every_spelling() {
        for (text, expected) in [
            ("A29 (see P6)", vec![('A', 29), ('P', 6)]),
            ("fn e20_depth()", vec![('E', 20)]),
            ("A3–A5", vec![('A', 3), ('A', 4), ('A', 5)]),
            ("x86 A E2E a007 R4", vec![]),
        ] {
            assert_eq!(ids(text), expected, "{text}");
        }
    }
}
