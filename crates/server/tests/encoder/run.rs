//! How is the real program run in these tests, and with what?

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A data folder and a catalog of tools that are described in English.
pub struct Place {
    root: TempDir,
}

/// What a run came to.
pub struct Run {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// Whether it succeeded.
    pub ok: bool,
}

/// The tiny multilingual model of `crates/inference`.
pub fn tiny() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../inference/tests/data/tiny-multilingual")
}

impl Place {
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let tools: Vec<Value> = [
            ("dispatch_bill", "Send an invoice to a customer"),
            ("trace_shipment", "Track a parcel"),
            ("forecast", "Weather forecast for a city"),
            ("schedule", "Create a meeting"),
            ("erase", "Delete a file"),
            ("renew", "Reset a password"),
        ]
        .map(|(name, description)| {
            json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
        })
        .into();
        std::fs::write(
            root.path().join("tools.json"),
            json!({"tools": tools}).to_string(),
        )
        .unwrap();
        Self { root }
    }

    /// A file or folder of this place.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// `handpick` with this place's data folder, and no hub to be found by accident.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_handpick"));
        command
            .args(arguments)
            .current_dir(self.root.path())
            .env("HANDPICK_DATA", self.path("data"))
            .env("HF_ENDPOINT", "http://127.0.0.1:9")
            .env_remove("HF_TOKEN")
            .env_remove("RUST_LOG");
        command
    }

    /// Selects tools of the catalog for a task.
    pub fn select(&self, task: &str, encoder: Option<&str>, environment: &[(&str, &str)]) -> Run {
        let mut command = self.command(&["select", "--json", "--catalog", "tools.json", task]);
        if let Some(encoder) = encoder {
            command.args(["--encoder", encoder]);
        }
        run(command.envs(environment.iter().copied()))
    }
}

/// Runs to the end.
pub fn run(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        ok: output.status.success(),
    }
}

impl Run {
    /// The names of the found tools, best first.
    #[track_caller]
    pub fn found(&self) -> Vec<String> {
        assert!(self.ok, "{}", self.err);
        let answer: Value = serde_json::from_str(&self.out).unwrap();
        let suggestions = answer["results"][0]["suggestions"].as_array().unwrap().iter();
        suggestions
            .map(|suggestion| suggestion["tool_name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// That it failed, and said this.
    #[track_caller]
    pub fn failed_with(&self, told: &str) {
        assert!(!self.ok, "{}", self.out);
        assert!(self.err.contains(told), "told: {}\nwanted: {told}", self.err);
    }
}
