//! How is the real program run in these tests?

use std::path::Path;

use tempfile::TempDir;

pub use crate::program::Run;
use crate::program::{program, run};

/// Runs `handpick lint` in a folder.
pub fn lint(folder: &Path, arguments: &[&str]) -> Run {
    run(program().arg("lint").args(arguments).current_dir(folder))
}

/// A folder with one file.
pub fn folder(file: &str, content: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), content).unwrap();
    folder
}
