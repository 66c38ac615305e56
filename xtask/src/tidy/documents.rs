//! Do the paths that documents name exist?

use std::path::{Path, PathBuf};

use crate::files;

/// Top-level folders: something in backticks that starts with one of them is meant as a path.
const FOLDERS: [&str; 11] = [
    ".ci/",
    ".cargo/",
    "clients/",
    "crates/",
    "docs/",
    "eval/",
    "examples/",
    "models/",
    "quality/",
    "wire/",
    "xtask/",
];

/// Paths in backticks and relative links, in the documents at the root and under `docs/`, that lead nowhere.
pub fn named_paths() -> Vec<String> {
    let root = files::root();
    let mut missing = Vec::new();
    for document in files::with_endings(&[".md"]) {
        let at_root = document.components().count() == 1;
        if !at_root && !document.starts_with("docs") {
            continue;
        }
        let text = files::read(&document);
        let folder = root.join(document.parent().unwrap_or(Path::new("")));
        let links = links(&text).into_iter().map(|link| (folder.join(&link), link));
        let paths = quoted_paths(&text)
            .into_iter()
            .map(|path| (root.join(&path), path));
        for (target, written) in links.chain(paths) {
            if !target.exists() {
                missing.push(format!("{}: `{written}`", document.display()));
            }
        }
    }
    missing
}

/// Backticked words that are meant as paths, without a `:line` at their end.
fn quoted_paths(text: &str) -> Vec<String> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .filter(|word| !word.contains(|c: char| c.is_whitespace() || "*<>{}$…".contains(c)))
        .map(|word| word.split(':').next().unwrap_or(word).to_owned())
        .collect()
}

/// Targets of `[text](target)` that are files here, without their anchors.
fn links(text: &str) -> Vec<String> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|target| !target.contains("://") && !target.starts_with(['#', '<']) && !target.contains(' '))
        .filter_map(|target| target.split('#').next())
        .filter(|target| !target.is_empty() && !target.starts_with("mailto:"))
        .map(|target| PathBuf::from(target).display().to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_links_are_found_and_words_are_not() {
        let text = "See `crates/domain/src/tool.rs:12`, `cargo test`, `crates/*/src` and [this](docs/a.md#b), [that](https://x.test).";
        assert_eq!(quoted_paths(text), ["crates/domain/src/tool.rs"]);
        assert_eq!(links(text), ["docs/a.md"]);
    }
}
