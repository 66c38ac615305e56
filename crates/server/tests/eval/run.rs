//! How is the real program run in these tests?

use std::path::Path;

use tempfile::TempDir;

pub use crate::program::Run;
use crate::program::{program, run};

/// Runs `handpick eval`.
pub fn eval(arguments: &[&str]) -> Run {
    run(program().arg("eval").args(arguments))
}

/// A folder with these files.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
