//! `handpick status`: is every server well, and if not, what is wrong with it?

use http::Method;
use serde_json::Value;

use crate::args::StatusArgs;
use crate::client::Client;
use crate::terminal::{Paint, say, shorten};

/// Lines of a failing server's standard error that are shown.
const STDERR_LINES: usize = 3;
/// Characters of such a line that are shown; the rest is in `--json`.
const LINE_CHARS: usize = 160;

/// Prints the state of a running gateway.
pub async fn run(args: StatusArgs) -> anyhow::Result<()> {
    let status = Client::new(&args.service)?
        .send(Method::GET, "/v1/status", None)
        .await?;
    if args.json {
        say(&status);
        return Ok(());
    }
    show(&status, &args.service.url);
    Ok(())
}

fn show(status: &Value, url: &str) {
    let paint = Paint::for_stdout();
    say(format!(
        "{}  {url}  {} tools",
        paint.bold("handpick"),
        status["tools"]
    ));
    if let Some(missing) = status["indexing"]["missing"]
        .as_u64()
        .filter(|missing| *missing > 0)
    {
        say(paint.yellow(format!(
            "  {missing} tools are found by their words only, until their meaning is read"
        )));
    }
    for gateway in items(&status["gateways"]) {
        let path = format!("/mcp/{}", text(&gateway["name"]));
        say(format!(
            "  {}  {}, {} tools",
            paint.cyan(format!("{path:24}")),
            text(&gateway["mode"]),
            gateway["tools"]
        ));
    }
    say("");
    for server in items(&status["servers"]) {
        show_server(server, paint);
    }
    for name in items(&status["reserved"]) {
        say(paint.yellow(format!(
            "  {} is not offered: its listed name belongs to a meta-tool",
            text(name)
        )));
    }
    if let Some(dropped) = status["records_dropped"].as_u64().filter(|dropped| *dropped > 0) {
        say(paint.yellow(format!(
            "  {dropped} records of calls were lost: the disk could not keep up"
        )));
    }
}

fn show_server(server: &Value, paint: Paint) {
    let state = text(&server["state"]);
    let padded = format!("{state:11}");
    let state = match state {
        "ready" => paint.green(padded),
        "cached" => paint.dim(padded),
        "failed" | "backing off" => paint.red(padded),
        _ => paint.yellow(padded),
    };
    let how = match server["era"].as_str() {
        Some(era) => format!("{}, {era}", text(&server["transport"])),
        None => text(&server["transport"]).to_owned(),
    };
    say(format!(
        "  {state} {:20} {:>4} tools  {}",
        text(&server["name"]),
        server["tools"],
        paint.dim(how)
    ));
    if let Some(problem) = server["problem"].as_str() {
        say(format!("              {}", paint.red(problem)));
        let stderr = items(&server["stderr"]);
        for line in stderr.iter().skip(stderr.len().saturating_sub(STDERR_LINES)) {
            say(format!(
                "              {}",
                paint.dim(format!("│ {}", shorten(text(line), LINE_CHARS)))
            ));
        }
    }
    for skipped in items(&server["skipped"]) {
        let line = format!(
            "not offered: {}: {}",
            text(&skipped["tool"]),
            text(&skipped["reason"])
        );
        say(format!("              {}", paint.yellow(line)));
    }
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
