//! Are the tools of a running gateway checked as those of a file are?

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::run::{folder, lint};

const KEY: &str = "hp_a_key_for_this_test_only";

/// A gateway that ends with the test.
struct Gateway(Child);

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the demo on a free port and waits until it says where it listens.
fn start(data: &std::path::Path) -> (Gateway, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_handpick"))
        .args(["demo", "--listen", "127.0.0.1:0", "--json"])
        .arg("--data")
        .arg(data)
        .env("HANDPICK_ADMIN_KEY", KEY)
        .env_remove("RUST_LOG")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let gateway = Gateway(child);
    for line in out.lines() {
        let line = line.unwrap();
        let url = serde_json::from_str::<Value>(&line)
            .ok()
            .and_then(|told| told["url"].as_str().map(str::to_owned));
        if let Some(url) = url {
            return (gateway, url);
        }
    }
    panic!("the demo did not say where it listens");
}

#[test]
fn every_tool_of_a_running_gateway() {
    let data = tempfile::tempdir().unwrap();
    let (_gateway, url) = start(data.path());
    let folder = folder("x", "");
    let run = lint(
        folder.path(),
        &[
            "--url",
            &url,
            "--key",
            KEY,
            "--json",
            "--allow",
            "lines-compete",
            "--allow",
            "lines-identical",
        ],
    );
    let report = run.json();
    assert!(report["tools"].as_u64().unwrap() > 100, "{}", report["tools"]);
    assert_eq!(report["summary"]["errors"], 0, "{report:#}");
    assert!(report["findings"][0]["place"].is_null());
    let unknown = lint(folder.path(), &["--url", &url, "--key", KEY, "--gateway", "zzz"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("there is no gateway `zzz`"),
        "{}",
        unknown.err
    );
}
