//! What does a run of the real program come to?

use std::process::Command;

use serde_json::Value;

/// What a run came to.
pub struct Run {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The exit code.
    pub code: i32,
}

/// Runs a command of the program with a data folder of its own and nothing of the surroundings' settings.
pub fn run(command: &mut Command) -> Run {
    let data = tempfile::tempdir().unwrap();
    let output = command
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

/// The program, to be run with [`run`].
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_handpick"))
}

impl Run {
    /// The run, which must have succeeded.
    #[track_caller]
    #[allow(dead_code, reason = "not every test program asks for it")]
    pub fn succeeded(&self) -> &Self {
        assert_eq!(self.code, 0, "{}", self.err);
        self
    }

    /// The output as JSON.
    #[track_caller]
    #[allow(dead_code, reason = "not every test program asks for it")]
    pub fn json(&self) -> Value {
        let parsed = serde_json::from_str(&self.out);
        assert!(
            parsed.is_ok(),
            "exit code {}: {}{}",
            self.code,
            self.out,
            self.err
        );
        parsed.unwrap()
    }
}
