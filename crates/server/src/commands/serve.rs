//! `handpick serve`: how does a gateway run until it is told to stop?

use std::net::SocketAddr;

use handpick_domain::Scope;
use handpick_operations::Runtime;
use handpick_store::Store;
use serde_json::json;

use super::http;
use crate::args::ServeArgs;
use crate::settings::{self, resolve};
use crate::terminal::{Paint, note, say};
use crate::wire::{Gateway, Plan, create_key, data_folder, interrupted};

/// Serves until interrupted.
pub async fn run(args: ServeArgs) -> anyhow::Result<()> {
    let place = &args.place;
    let mut settings = settings::load(place.config.as_deref(), place.mcp_config.as_deref())?;
    if let Some(listen) = &args.listen {
        settings.listen =
            resolve::parse_address(listen).map_err(|reason| anyhow::anyhow!("--listen {reason}"))?;
    }
    let listener = http::bind(settings.listen).await?;
    let address = listener.local_addr()?;
    let folder = data_folder(place.data.as_deref().or(settings.data.as_deref()), None)?;
    let store = Store::open(&folder).await?;
    let plan = Plan::from_settings(&settings, &folder);
    let servers = std::mem::take(&mut settings.servers);
    let count = servers.len();
    let gateway = Gateway::assemble(plan, servers, store).await?;
    let first_key = first_key(&gateway.runtime).await?;
    let router = http::router(&gateway.runtime, settings.allowed_origins, settings.rate_limit);
    let serving = http::start(listener, router);

    let policy = gateway.runtime.policy();
    let gateways: Vec<&String> = policy.gateways.keys().collect();
    if args.json {
        let url = format!("http://{address}");
        say(json!({"url": url, "gateways": gateways, "key": first_key}));
    } else {
        introduce(address, &gateways, first_key.as_deref());
    }
    if count == 0 {
        note(
            "no servers are configured: add yours with `handpick import mcp.json`, or try `handpick demo`; \
             catalogs of agents need none",
        );
    }
    interrupted().await;
    note("stopping");
    stop(serving, gateway).await;
    Ok(())
}

/// Says where everything is; `key` is the one just made, if one was.
fn introduce(address: SocketAddr, gateways: &[&String], key: Option<&str>) {
    let paint = Paint::for_stdout();
    say(format!("listening on http://{address}"));
    for name in gateways {
        say(format!("  {} http://{address}/mcp/{name}", paint.dim("MCP ")));
    }
    say(format!("  {} http://{address}/docs", paint.dim("REST")));
    let (key, remark) = match key {
        Some(key) => (
            format!("{key}   "),
            paint.yellow("shown only now; it is the admin key"),
        ),
        None => (
            String::new(),
            paint.dim("the one you have; `handpick keys create` makes another"),
        ),
    };
    say(format!("  {} {key}{remark}", paint.dim("key ")));
}

/// Ends the fronts, then what they stand on. Asked to end once more, open requests are not waited for.
pub async fn stop(serving: http::Serving, gateway: Gateway) {
    tokio::select! {
        () = serving.stop() => {}
        () = interrupted() => {}
    }
    gateway.close().await;
}

/// An admin key for a gateway nobody could otherwise use; `None` when there are keys already.
///
/// Made once the gateway stands: a key that is stored but never shown would lock its owner out.
async fn first_key(runtime: &Runtime) -> anyhow::Result<Option<String>> {
    if !runtime.keys.is_empty() {
        return Ok(None);
    }
    let (_, text) = create_key(&runtime.store, "made at first start", [Scope::Admin], &[]).await?;
    runtime.keys.refresh(&runtime.store).await?;
    Ok(Some(text))
}
