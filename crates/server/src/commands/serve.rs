//! `handpick serve`: how does a gateway run until it is told to stop?

use handpick_domain::Scope;
use handpick_store::Store;

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
    let first_key = first_key(&store).await?;
    let plan = Plan::from_settings(&settings);
    let servers = std::mem::take(&mut settings.servers);
    let count = servers.len();
    let gateway = Gateway::assemble(plan, servers, store).await?;
    let serving = http::start(listener, http::router(&gateway.runtime, settings.allowed_origins));

    let paint = Paint::for_stdout();
    say(format!("listening on http://{address}"));
    for name in gateway.runtime.policy.gateways.keys() {
        say(format!("  {} http://{address}/mcp/{name}", paint.dim("MCP ")));
    }
    say(format!("  {} http://{address}/docs", paint.dim("REST")));
    if let Some(key) = first_key {
        say(format!(
            "  {} {key}   {}",
            paint.dim("key "),
            paint.yellow("shown only now; it is the admin key")
        ));
    }
    if count == 0 {
        note("no servers are configured: add yours with `handpick import mcp.json`, or try `handpick demo`");
    }
    interrupted().await;
    note("stopping");
    serving.stop().await;
    gateway.close().await;
    Ok(())
}

/// An admin key for a gateway nobody could otherwise use; `None` when there are keys already.
async fn first_key(store: &Store) -> anyhow::Result<Option<String>> {
    let from_environment = std::env::var("HANDPICK_ADMIN_KEY").is_ok_and(|key| !key.trim().is_empty());
    let usable = store
        .key_list()
        .await?
        .iter()
        .any(|key| key.revoked_at_ms.is_none());
    if from_environment || usable {
        return Ok(None);
    }
    let (_, text) = create_key(store, "made at first start", [Scope::Admin], &[]).await?;
    Ok(Some(text))
}
