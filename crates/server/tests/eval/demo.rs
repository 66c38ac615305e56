//! Is selection as good on the demo's catalog as its baseline says? `quality/README.md` tells how to renew the files.

use std::path::PathBuf;

use handpick_demo::{DemoApp, apps};
use handpick_protocol::json::to_raw;
use serde_json::{Value, json};

use crate::run::{eval, text};

/// Worse than the baseline by more than this is a loss of quality: about three of the 144 requests that a tool serves.
const MARGIN: &str = "0.02";

fn quality() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../quality/demo")
}

/// The set's catalog is the demo's; with `HANDPICK_RENEW=1` the file is written instead of compared.
#[tokio::test]
async fn the_catalog_is_that_of_the_demo() {
    let mut lines = String::new();
    for app in apps() {
        for tool in tools(&app).await {
            let line = json!({
                "name": format!("{}.{}", app.name, tool["name"].as_str().unwrap()),
                "description": tool["description"],
                "input_schema": tool["inputSchema"],
                "server": app.name,
            });
            lines.push_str(&format!("{line}\n"));
        }
    }
    let file = quality().join("tools.jsonl");
    if std::env::var_os("HANDPICK_RENEW").is_some() {
        std::fs::write(&file, &lines).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == lines,
        "{} is not the demo's catalog any more: see quality/README.md",
        file.display()
    );
}

async fn tools(app: &DemoApp) -> Vec<Value> {
    let mut tools = Vec::new();
    let mut params = json!({});
    loop {
        let page = app
            .server
            .handle("tools/list", Some(&to_raw(&params)))
            .await
            .unwrap();
        let page: Value = serde_json::from_str(page.get()).unwrap();
        tools.extend(page["tools"].as_array().unwrap().iter().cloned());
        match page.get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => return tools,
        }
    }
}

#[test]
fn quality_has_not_fallen() {
    let (set, baseline) = (quality(), quality().join("baseline.json"));
    let run = eval(&[
        text(&set),
        "--compare",
        text(&baseline),
        "--fail-below",
        MARGIN,
        "--misses",
        "5",
    ]);
    println!("{}", run.out);
    assert_eq!(run.code, 0, "{}\nsee quality/README.md", run.err);
    assert!(!run.err.contains("warning"), "{}", run.err);
}
