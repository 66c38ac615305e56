//! Which files does this repository consist of, and where do its neighbours lie?

use std::path::{Path, PathBuf};

/// The repository's root folder.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// The folder of recorded catalogs and query sets: `HANDPICK_SHARED`, or `shared` beside the repository.
pub fn shared_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("HANDPICK_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => root().parent()?.join("shared"),
    };
    folder.join("catalogs").is_dir().then_some(folder)
}

/// Every file of the repository with one of these endings, as paths relative to the root, sorted.
///
/// What builds leave behind is no part of it: `target`, and folders whose name begins with a dot
/// except those this repository has.
pub fn with_endings(endings: &[&str]) -> Vec<PathBuf> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                let ours = !name.starts_with('.') || matches!(name.as_str(), ".ci" | ".cargo");
                let built = matches!(name.as_str(), "target" | "node_modules" | "__pycache__");
                if ours && !built && path != root.join("data") {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending))
                && let Ok(relative) = path.strip_prefix(&root)
            {
                found.push(relative.to_owned());
            }
        }
    }
    found.sort();
    found
}

/// A file's text; empty when it is not text.
pub fn read(relative: &Path) -> String {
    std::fs::read_to_string(root().join(relative)).unwrap_or_default()
}

/// The part of a Rust file before its test module.
pub fn without_tests(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod ")
        .map_or(text, |start| &text[..start])
}

/// Whether a Rust file is tests from its first line to its last.
pub fn is_test_file(path: &Path) -> bool {
    path.ends_with("tests.rs")
        || path
            .components()
            .any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "benches")))
}
