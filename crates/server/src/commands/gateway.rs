//! `handpick gateway`: how does a gateway show its tools, what does that cost, and what shall it be?

use http::Method;
use serde_json::{Value, json};

use crate::args::{GatewayAction, GatewayArgs, SetArgs};
use crate::client::Client;
use crate::terminal::{Paint, say, thousands};

/// Columns of the longest bar.
const BAR: usize = 40;
/// Tools named that a client sees.
const NAMED_MAX: usize = 12;

/// Lists, shows or changes gateways of a running Handpick.
pub async fn run(args: GatewayArgs) -> anyhow::Result<()> {
    let client = Client::new(&args.service)?;
    match &args.action {
        GatewayAction::List => {
            let answer = client.send(Method::GET, "/v1/gateways", None).await?;
            told(args.json, &answer, list);
        }
        GatewayAction::Show { name } => {
            let answer = client.send(Method::GET, &path(name), None).await?;
            told(args.json, &answer, show);
        }
        GatewayAction::Set(set) => {
            let answer = client
                .send(Method::PATCH, &path(&set.name), Some(&change(set)))
                .await?;
            told(args.json, &answer, changed);
        }
    }
    Ok(())
}

/// The address of one gateway.
pub fn path(name: &str) -> String {
    let escaped: String = name
        .bytes()
        .map(|byte| match byte {
            byte if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    format!("/v1/gateways/{escaped}")
}

fn told(as_json: bool, answer: &Value, show: fn(&Value)) {
    if as_json {
        say(answer);
    } else {
        show(answer);
    }
}

/// What is sent: only what was asked for; `null` is the settings file's own word.
fn change(set: &SetArgs) -> Value {
    if set.reset {
        return json!({"mode": null, "autonomy": null, "system_tools": null});
    }
    let mut change = json!({});
    if let Some(mode) = set.presentation {
        change["mode"] = json!(mode.as_str());
    }
    if let Some(level) = set.autonomy {
        change["autonomy"] = json!({"level": level.as_str()});
    }
    if set.no_system_tools || !set.system_tools.is_empty() {
        change["system_tools"] = json!(set.system_tools);
    }
    change
}

fn list(answer: &Value) {
    let paint = Paint::for_stdout();
    for gateway in answer["gateways"].as_array().into_iter().flatten() {
        say(format!(
            "  {}  {}, {} tools",
            paint.cyan(format!("{:20}", text(&gateway["id"]))),
            in_words(&gateway["presentation"]),
            gateway["tools"]["bound"]
        ));
    }
}

fn changed(gateway: &Value) {
    let paint = Paint::for_stdout();
    say(format!(
        "{}  {}",
        paint.bold(text(&gateway["id"])),
        in_words(&gateway["presentation"])
    ));
    say("  Connections opened from now on see this; open ones keep what they have.");
}

fn show(gateway: &Value) {
    let paint = Paint::for_stdout();
    let presentation = &gateway["presentation"];
    say(format!(
        "{}  {}",
        paint.bold(text(&gateway["id"])),
        in_words(presentation)
    ));
    say(format!("  {}", paint.dim(origin(presentation))));
    seen(gateway, paint);
    say("");
    costs(gateway, paint);
    say(format!(
        "\n  handpick gateway set {0} --presentation MODE changes it; handpick advise {0} says which one fits.",
        text(&gateway["id"])
    ));
}

/// The names a client reads in its list.
fn seen(gateway: &Value, paint: Paint) {
    let listed: Vec<&str> = gateway["listed"]
        .as_array()
        .into_iter()
        .flatten()
        .map(text)
        .collect();
    if listed.is_empty() {
        return;
    }
    let named = listed
        .iter()
        .take(NAMED_MAX)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    let more = match listed.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    say(format!("\n  A client sees {}{more}", paint.cyan(named)));
}

/// What a model reads on every turn, mode by mode, the present one marked.
pub fn costs(gateway: &Value, paint: Paint) {
    let costs: Vec<&Value> = gateway["costs"].as_array().into_iter().flatten().collect();
    let tokens = |cost: &Value| cost["tokens"].as_u64().unwrap_or_default() as usize;
    let most = costs
        .iter()
        .map(|cost| tokens(cost))
        .max()
        .unwrap_or_default()
        .max(1);
    let resolved = text(&gateway["presentation"]["resolved"]);
    say(paint.dim("  presentation    tools     tokens on every turn, about"));
    for cost in costs {
        let mode = text(&cost["mode"]);
        let mark = if mode == resolved { "●" } else { " " };
        let bar = "█".repeat((tokens(cost) * BAR).div_ceil(most).min(BAR));
        let line = format!(
            "{mark} {mode:12} {:>8} {:>10}  ",
            thousands(cost["tools"].as_u64().unwrap_or_default() as usize),
            thousands(tokens(cost)),
        );
        let line = if mode == resolved { paint.bold(line) } else { line };
        say(format!("  {line}{}", paint.cyan(bar)));
    }
}

fn in_words(presentation: &Value) -> String {
    let mode = text(&presentation["mode"]);
    let resolved = text(&presentation["resolved"]);
    let mode = match resolved {
        "" => mode.to_owned(),
        resolved if resolved == mode => mode.to_owned(),
        resolved => format!("{mode} (now {resolved})"),
    };
    let autonomy = text(&presentation["autonomy"]["level"]);
    let toolkits: Vec<&str> = presentation["system_tools"]
        .as_array()
        .into_iter()
        .flatten()
        .map(text)
        .collect();
    match toolkits.as_slice() {
        [] => format!("{mode}, autonomy {autonomy}"),
        toolkits => format!("{mode}, autonomy {autonomy}, with {}", toolkits.join(", ")),
    }
}

fn origin(presentation: &Value) -> &'static str {
    match text(&presentation["set_by"]) {
        "api" => "changed while it ran; `--reset` goes back to the settings file",
        "file" => "as the settings file says",
        _ => "nobody chose: this is how new gateways are",
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_travel_safely_in_a_path() {
        assert_eq!(path("default"), "/v1/gateways/default");
        assert_eq!(path("a/b?c ä"), "/v1/gateways/a%2Fb%3Fc%20%C3%A4");
    }
}
