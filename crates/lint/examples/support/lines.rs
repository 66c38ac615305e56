//! How are files of JSON lines read and written in these examples?

use std::path::Path;

use serde_json::Value;

/// The lines of a file.
pub fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Writes one line a value.
pub fn write_lines(path: &Path, lines: &[impl serde::Serialize]) {
    let text: Vec<String> = lines
        .iter()
        .map(|line| serde_json::to_string(line).unwrap() + "\n")
        .collect();
    std::fs::write(path, text.concat()).unwrap();
}
