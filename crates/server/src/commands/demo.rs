//! `handpick demo`: what does Handpick do, shown in half a minute?

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use handpick_access::Policy;
use handpick_demo::{Walkthrough, apps, walkthrough};
use handpick_domain::{Caller, Gateway as GatewaySettings, Presentation, Scope};
use handpick_front_rest::RateLimit;
use handpick_operations::call_tool::{Call, call_tool, new_execution_id};
use handpick_operations::open_surface::open_surface;
use handpick_operations::select_tools::{Selection as Request, Suggested, TaskOutcome, select_tools};
use handpick_operations::{Opened, Options, Runtime};
use handpick_presentation::tokens::estimate;
use handpick_presentation::{Mode, cost};
use handpick_protocol::json::to_raw;
use handpick_store::{Retention, SelectionSource, Store};
use handpick_upstream::{ServerConfig, Transport};
use serde_json::{Value, json};

use super::catalog_file::wait_for_index;
use super::http;
use super::serve::stop;
use super::suggestions::{Row, show};
use crate::args::DemoArgs;
use crate::settings::resolve::{LISTEN_DEFAULT, parse_address};
use crate::terminal::{Paint, say, shorten, thousands};
use crate::wire::{Gateway, Plan, Selection, admin_key_of_environment, data_folder, interrupted, new_key};

/// Starts a gateway over the built-in apps, walks through it, and serves on.
pub async fn run(args: DemoArgs) -> anyhow::Result<()> {
    let listen = args.listen.as_deref().unwrap_or(LISTEN_DEFAULT);
    let address = parse_address(listen).map_err(|reason| anyhow::anyhow!("--listen {reason}"))?;
    let listener = http::bind(address).await?;
    let address = listener.local_addr()?;
    let store = Store::open(&data_folder(args.data.as_deref(), Some("demo"))?).await?;
    // Known to this process alone, so it ends with it and no other key is touched.
    let key = admin_key_of_environment().unwrap_or_else(|| new_key().text);
    let gateway = assemble(store, &key).await?;
    let router = http::router(&gateway.runtime, Vec::new(), RateLimit::default());
    let serving = http::start(listener, router);

    let mut shown = walk(&gateway.runtime, &walkthrough(), args.json).await?;
    if args.json {
        if !args.once {
            shown["url"] = json!(format!("http://{address}"));
            shown["key"] = json!(key);
        }
        say(&shown);
    }
    if !args.once {
        if !args.json {
            explain_connecting(&format!("http://{address}"), &key);
        }
        interrupted().await;
    }
    stop(serving, gateway).await;
    Ok(())
}

async fn assemble(store: Store, key: &str) -> anyhow::Result<Gateway> {
    let servers: Vec<ServerConfig> = apps()
        .into_iter()
        .map(|app| ServerConfig::new(app.name, Transport::Local(app.server)))
        .collect();
    let gateways = [
        ("default", Presentation::Adaptive),
        ("recommend", Presentation::Recommend),
        ("discovery", Presentation::Discovery),
        ("direct", Presentation::Direct),
    ];
    let plan = Plan {
        policy: Policy {
            gateways: gateways
                .into_iter()
                .map(|(name, shown)| (name.to_owned(), open_gateway(name, shown)))
                .collect(),
            restrictions: Vec::new(),
        },
        selection: Some(Selection {
            tuning: handpick_selection::Tuning::default(),
            encoder: None,
        }),
        options: Options::default(),
        retention: Retention::default(),
        admin_key: Some(key.to_owned()),
    };
    let gateway = Gateway::assemble(plan, servers, store).await?;
    gateway.runtime.upstreams.settled(Duration::from_secs(30)).await;
    let tools = gateway.runtime.upstreams.catalog().tools().len();
    wait_for_index(&gateway.runtime, tools, true).await;
    Ok(gateway)
}

fn open_gateway(name: &str, presentation: Presentation) -> GatewaySettings {
    GatewaySettings {
        presentation,
        ..GatewaySettings::new(name)
    }
}

/// Walks through the demo and returns what was shown.
async fn walk(runtime: &Arc<Runtime>, script: &Walkthrough, quiet: bool) -> anyhow::Result<Value> {
    let caller = Caller {
        key_id: "demo".to_owned(),
        user_id: Some("demo".to_owned()),
        scopes: [Scope::Admin].into(),
        ..Caller::default()
    };
    let opened = open_surface(runtime, "recommend", &caller).context("the demo's gateway is missing")?;
    let whole = whole_cost(&opened);
    let paint = Paint::for_stdout();
    if !quiet {
        introduce(&opened, whole);
    }
    let mut tasks = Vec::new();
    for (number, step) in script.tasks.iter().enumerate() {
        let started = Instant::now();
        let found = find(runtime, &opened, &caller, step.task).await;
        let elapsed = started.elapsed();
        let cost: usize = found
            .iter()
            .map(|found| estimate(&handpick_operations::answer::suggestion(found).to_string()))
            .sum();
        if !quiet {
            say(format!(
                "\n {}  {}   {}",
                paint.bold(number + 1),
                paint.bold(format!("“{}”", step.task)),
                paint.dim(step.why_interesting)
            ));
            let rows: Vec<Row> = found.iter().map(Row::found).collect();
            show(&rows, true);
            say(format!(
                "   {}",
                paint.green(verdict(found.len(), cost, whole, elapsed))
            ));
        }
        tasks.push(json!({
            "task": step.task,
            "tools": found.iter().map(|found| found.tool.name.as_str()).collect::<Vec<_>>(),
            "tokens_shown": cost,
            "tokens_saved": whole.saturating_sub(cost),
        }));
    }
    let call = run_call(runtime, &opened, &caller, script, quiet).await?;
    Ok(
        json!({"tools": opened.surface.allowed.len(), "tokens_of_all_tools": whole, "tasks": tasks, "call": call}),
    )
}

/// What a model pays per turn when it is handed every tool.
fn whole_cost(opened: &Opened) -> usize {
    cost(&opened.surface, Mode::Direct, &opened.gateway).tokens
}

fn introduce(opened: &Opened, whole: usize) {
    let paint = Paint::for_stdout();
    let apps = handpick_operations::list_apps::list_apps(&opened.surface).len();
    let tools = opened.surface.allowed.len();
    let fixed = cost(&opened.surface, Mode::Recommend, &opened.gateway).tokens;
    say(format!(
        "\n {}   {apps} apps with {tools} tools, all of them in this process",
        paint.bold("Handpick")
    ));
    say(format!(
        "\n A model that is handed all {tools} tools reads about {} tokens on every turn.\n \
         Through Handpick it reads {} tools, {} tokens, and asks for the rest when it needs it:",
        paint.bold(thousands(whole)),
        paint.bold("two"),
        paint.bold(thousands(fixed)),
    ));
}

fn verdict(found: usize, cost: usize, whole: usize, elapsed: Duration) -> String {
    let milliseconds = elapsed.as_secs_f64() * 1e3;
    if found == 0 {
        return format!("the agent is told so, instead of being handed wrong tools · {milliseconds:.0} ms");
    }
    let saved = 100.0 * (1.0 - cost as f64 / whole.max(1) as f64);
    let plural = if found == 1 { "" } else { "s" };
    format!(
        "{found} tool{plural}, {} tokens shown, {} saved ({saved:.0} %) · {milliseconds:.0} ms",
        thousands(cost),
        thousands(whole.saturating_sub(cost)),
    )
}

async fn find(runtime: &Runtime, opened: &Opened, caller: &Caller, task: &str) -> Vec<Suggested> {
    let request = Request {
        tasks: &[task.to_owned()],
        context: None,
        limit: 3,
        floor: None,
        source: SelectionSource::Select,
    };
    match select_tools(runtime, &opened.surface, caller, request)
        .await
        .tasks
        .pop()
    {
        Some(TaskOutcome::Found(found)) => found,
        _ => Vec::new(),
    }
}

async fn run_call(
    runtime: &Runtime,
    opened: &Opened,
    caller: &Caller,
    script: &Walkthrough,
    quiet: bool,
) -> anyhow::Result<Value> {
    let call = Call {
        execution_id: new_execution_id(),
        surface: &opened.surface,
        caller,
        tool: script.call.tool,
        arguments: Some(to_raw(&script.call.arguments)),
        query_id: None,
        meta: None,
        progress: None,
        client: None,
        source: "demo",
    };
    let called = call_tool(runtime, call).await?;
    let result: Value = serde_json::from_str(called.result.get())?;
    if !quiet {
        let paint = Paint::for_stdout();
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        say(format!(
            "\n {}  {} {}",
            paint.bold("▸"),
            paint.cyan(script.call.tool),
            script.call.arguments
        ));
        say(format!(
            "   {} {}   {}",
            paint.green("✓"),
            shorten(text, 90),
            paint.dim(format!("{:.1} ms", called.duration.as_secs_f64() * 1e3))
        ));
    }
    Ok(json!({"tool": script.call.tool, "arguments": script.call.arguments, "result": result}))
}

fn explain_connecting(url: &str, key: &str) {
    let paint = Paint::for_stdout();
    say(format!(
        "\n Serving on {}   {}",
        paint.bold(url),
        paint.dim("Ctrl-C ends it; the key is for this run only")
    ));
    say(format!("\n {}", paint.dim("an MCP client, in its mcp.json:")));
    say(format!(
        r#"   {{"mcpServers": {{"handpick": {{"type": "http", "url": "{url}/mcp/default",
     "headers": {{"Authorization": "Bearer {key}"}}}}}}}}"#
    ));
    say(format!(
        "\n {}",
        paint.dim("other ways to show the same tools: /mcp/recommend, /mcp/discovery, /mcp/direct")
    ));
    say(format!(
        "\n {}",
        paint.dim("the command line, in another terminal:")
    ));
    let program = this_program();
    say(format!("   export HANDPICK_URL={url} HANDPICK_KEY={key}"));
    say(format!(
        "   {program} select \"refund the customer's last invoice\" --explain"
    ));
    say(format!("   {program} status"));
    say(format!(
        "\n {}\n   {url}/docs\n",
        paint.dim("REST, with a page to try it:")
    ));
}

/// What to type to start this program again: its name where the shell finds it, else its path.
fn this_program() -> String {
    let name = "handpick";
    let Ok(path) = std::env::current_exe() else {
        return name.to_owned();
    };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let same = |folder: PathBuf| folder.join(name).canonicalize().is_ok_and(|found| found == path);
    if std::env::split_paths(&folders).any(same) {
        return name.to_owned();
    }
    let here = std::env::current_dir().unwrap_or_default();
    let inside = path.strip_prefix(&here).ok().filter(|_| here.parent().is_some());
    let shown = inside.unwrap_or(&path);
    shown.display().to_string()
}
