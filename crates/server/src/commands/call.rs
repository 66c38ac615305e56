//! `handpick call`: what does one tool answer?

use anyhow::{Context as _, bail};
use http::Method;
use serde_json::{Value, json};

use crate::args::CallArgs;
use crate::client::Client;
use crate::terminal::{Paint, note, say};

/// Runs a tool through the running gateway and prints its result.
pub async fn run(args: CallArgs) -> anyhow::Result<()> {
    let input: Value = serde_json::from_str(&args.input).context("--input must be a JSON object")?;
    let body = json!({
        "tool_name": args.tool,
        "input": input,
        "user_id": args.user.user,
        "query_id": args.query_id,
    });
    let answer = Client::new(&args.service)?
        .send(Method::POST, "/v1/tools/execute", Some(&body))
        .await?;
    if args.json {
        say(&answer);
    } else {
        show(&answer);
    }
    match answer["success"].as_bool() {
        Some(true) => Ok(()),
        _ => bail!(
            "{}",
            answer["output"]["error"]["message"]
                .as_str()
                .unwrap_or("the tool failed")
        ),
    }
}

fn show(answer: &Value) {
    let paint = Paint::for_stdout();
    match &answer["output"]["value"] {
        Value::Null => {}
        Value::Array(blocks) if !blocks.is_empty() && blocks.iter().all(is_content) => {
            blocks.iter().for_each(show_content);
        }
        Value::String(text) => say(text),
        other => say(serde_json::to_string_pretty(other).unwrap_or_default()),
    }
    if let Some(duration) = answer["duration"].as_f64() {
        note(paint.dim(format!("{duration:.1} ms")));
    }
}

/// Whether this is one block of a result's content, as MCP shapes it.
fn is_content(block: &Value) -> bool {
    matches!(
        block["type"].as_str(),
        Some("text" | "image" | "audio" | "resource" | "resource_link")
    )
}

/// A block as a person reads it: bytes are named, not printed; `--json` has them.
fn show_content(block: &Value) {
    let paint = Paint::for_stdout();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match block["type"].as_str() {
        Some("text") => say(text(&block["text"])),
        Some("image" | "audio") => {
            let kind = text(&block["mimeType"]);
            let kibibytes = text(&block["data"]).len() as f64 * 3.0 / 4.0 / 1024.0;
            say(paint.dim(format!("[{kind}, {kibibytes:.1} KiB; --json holds it]")));
        }
        Some("resource_link") => say(format!(
            "{} {}",
            text(&block["name"]),
            paint.cyan(text(&block["uri"]))
        )),
        _ => {
            let resource = &block["resource"];
            say(paint.cyan(text(&resource["uri"])));
            if let Some(content) = resource["text"].as_str() {
                say(content);
            }
        }
    }
}
