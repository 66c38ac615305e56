//! Does a served gateway take the encoder of its settings file?

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::run::{Place, run, tiny};

/// Ended with the test, also when it fails.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_setting_is_read_at_the_start() {
    let place = Place::new();
    let settings = format!("[selection]\nencoder = '{}'\n", tiny().display());
    std::fs::write(place.path("handpick.toml"), settings).unwrap();
    let mut command = place.command(&["-v", "serve", "--listen", "127.0.0.1:0", "--json"]);
    let mut served = Served(
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let mut lines = BufReader::new(served.0.stdout.take().unwrap()).lines();
    let told: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert!(told["url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    served.0.kill().unwrap();
    let log: Vec<String> = BufReader::new(served.0.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .collect();
    assert!(
        log.iter()
            .any(|line| line.contains("encoder: model.onnx (Unigram")),
        "{log:?}"
    );
}

#[test]
fn a_setting_that_names_nothing_is_told_with_its_line() {
    let place = Place::new();
    std::fs::write(place.path("handpick.toml"), "[selection]\nencoder = './absent'\n").unwrap();
    let run = run(&mut place.command(&["serve", "--listen", "127.0.0.1:0"]));
    run.failed_with("handpick.toml:2: `selection.encoder` must name a folder");
}
