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
        "user_id": args.gateway.user,
        "query_id": args.query_id,
    });
    let answer = Client::new(&args.gateway)?
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
    let value = &answer["output"]["value"];
    match value {
        Value::Null => {}
        Value::String(text) => say(text),
        other => say(serde_json::to_string_pretty(other).unwrap_or_default()),
    }
    if let Some(duration) = answer["duration"].as_f64() {
        note(paint.dim(format!("{duration:.1} ms")));
    }
}
