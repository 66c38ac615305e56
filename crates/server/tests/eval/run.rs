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

/// Runs `handpick eval` with a data folder of its own.
pub fn eval(arguments: &[&str]) -> Run {
    let data = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_handpick"))
        .arg("eval")
        .args(arguments)
        .env("HANDPICK_DATA", data.path())
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

impl Run {
    /// The output as JSON of a run that succeeded.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.err);
        serde_json::from_str(&self.out).unwrap()
    }
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
