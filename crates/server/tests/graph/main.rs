//! Does `handpick graph` show which tool supplies which id to which?

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod files;
mod gateway;
#[path = "../support/program.rs"]
mod program;

use std::path::Path;

use tempfile::TempDir;

use crate::program::{Run, program, run};

const CATALOG: &str = r#"{"tools": [
 {"name": "find_customer", "description": "Find a customer by name.", "produces": ["customer_id"],
  "parameters": [{"name": "query", "dataType": "string", "required": true}]},
 {"name": "get_subscription", "description": "Show a customer's subscription.", "produces": ["subscription_id"],
  "parameters": [{"name": "customer_id", "dataType": "string", "required": true}]},
 {"name": "change_plan", "description": "Move a subscription to another plan.",
  "parameters": [{"name": "subscription_id", "dataType": "string", "required": true},
                 {"name": "customer_id", "dataType": "string", "required": true}]}]}"#;

/// Runs `handpick graph` in a folder.
fn graph(folder: &Path, arguments: &[&str]) -> Run {
    run(program().arg("graph").args(arguments).current_dir(folder))
}

/// A folder with a catalog.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("catalog.json"), CATALOG).unwrap();
    folder
}
