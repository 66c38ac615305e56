//! `handpick advise`: which presentation fits this gateway's tools, and why?

use http::Method;
use serde_json::Value;

use super::gateway::{costs, path};
use crate::args::AdviseArgs;
use crate::client::Client;
use crate::terminal::{Paint, say};

/// Prints the advice of a running gateway.
pub async fn run(args: AdviseArgs) -> anyhow::Result<()> {
    let address = format!("{}/advice", path(&args.name));
    let advice = Client::new(&args.service)?
        .send(Method::GET, &address, None)
        .await?;
    if args.json {
        say(&advice);
        return Ok(());
    }
    show(&args.name, &advice);
    Ok(())
}

fn show(name: &str, advice: &Value) {
    let paint = Paint::for_stdout();
    let mode = advice["mode"].as_str().unwrap_or_default();
    say(format!("{}: {}", paint.bold(name), paint.green(mode)));
    say(format!("  {}", advice["reason"].as_str().unwrap_or_default()));
    say("");
    costs(advice, paint);
    say(format!("\n  handpick gateway set {name} --presentation {mode}"));
}
