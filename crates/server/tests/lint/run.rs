//! How is the real program run in these tests?

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// What a run came to.
pub struct Run {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The exit code.
    pub code: i32,
}

/// Runs `handpick lint` in a folder, with a data folder of its own.
pub fn lint(folder: &Path, arguments: &[&str]) -> Run {
    let data = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_handpick"))
        .arg("lint")
        .args(arguments)
        .current_dir(folder)
        .env("HANDPICK_DATA", data.path())
        .env_remove("RUST_LOG")
        .env_remove("HANDPICK_URL")
        .output()
        .unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

impl Run {
    /// The output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

/// A folder with one file.
pub fn folder(file: &str, content: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), content).unwrap();
    folder
}
