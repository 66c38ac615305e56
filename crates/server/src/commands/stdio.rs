//! `handpick stdio`: how is one gateway served to the client that spawned it?

use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use handpick_domain::{Caller, Scope};
use handpick_front_mcp::stdio::serve;
use handpick_store::Store;

use crate::args::StdioArgs;
use crate::settings;
use crate::wire::{Gateway, Plan, data_folder, interrupted};

/// How long the very first start waits for servers that never listed their tools yet. The client that
/// spawned us asks for its list at once and may never ask again; with cached lists nothing is waited for.
const FIRST_LISTS: Duration = Duration::from_secs(5);

/// Serves until the client closes standard input.
pub async fn run(args: StdioArgs) -> anyhow::Result<()> {
    let place = &args.place;
    let mut settings = settings::load(place.config.as_deref(), place.mcp_config.as_deref())?;
    let folder = data_folder(place.data.as_deref().or(settings.data.as_deref()), None)?;
    let store = Store::open(&folder).await?;
    let is_known = settings.policy.gateways.contains_key(&args.gateway)
        || store.agent_catalog_load(&args.gateway).await?.is_some();
    if !is_known {
        let known: Vec<&str> = settings.policy.gateways.keys().map(String::as_str).collect();
        bail!(
            "there is no gateway `{}`, and no agent was published under this name; the settings name: {}",
            args.gateway,
            known.join(", ")
        );
    }
    let plan = Plan::from_settings(&settings, &folder);
    let gateway = Gateway::assemble(plan, std::mem::take(&mut settings.servers), store).await?;
    let caller = Caller {
        key_id: "local".to_owned(),
        user_id: None,
        roles: args.roles.into_iter().collect(),
        scopes: [Scope::Read, Scope::Execute].into(),
    };
    gateway.runtime.upstreams.settled(FIRST_LISTS).await;
    // An agent is read from the store; its tools are looked up in what the servers have listed by now.
    gateway.runtime.gateway_exists(&args.gateway).await;
    let connection = serve(
        Arc::clone(&gateway.runtime),
        &args.gateway,
        Arc::new(caller),
        tokio::io::stdin(),
        tokio::io::stdout(),
    );
    let outcome = tokio::select! {
        outcome = connection => outcome,
        () = interrupted() => Ok(()),
    };
    gateway.close().await;
    Ok(outcome?)
}
