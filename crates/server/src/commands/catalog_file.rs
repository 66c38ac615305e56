//! How is a catalog file asked without any gateway? As one, with servers that only list.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use handpick_access::Policy;
use handpick_domain::Tool;
use handpick_operations::{Options, Runtime};
use handpick_protocol::error::{INVALID_PARAMS, METHOD_NOT_FOUND};
use handpick_protocol::json::raw;
use handpick_protocol::{LocalServer, RpcError};
use handpick_store::{Retention, Store};
use handpick_upstream::{ServerConfig, Transport};
use serde_json::value::RawValue;

use crate::encoder::{Chosen, EncoderSource};
use crate::settings::listing::{self, Listing};
use crate::terminal::{note, progress_bar};
use crate::wire::{Gateway, Plan, Selection, data_folder};

/// Opens a catalog file as a gateway. With `meaning`, waits until every tool's vector is made; vectors
/// are kept, so a second question about the same file is quick.
pub async fn open(file: &Path, encoder: Option<&EncoderSource>, meaning: bool) -> anyhow::Result<Gateway> {
    open_listing(&read(file)?, encoder, meaning).await
}

/// Reads a catalog file, telling of entries that are left out.
pub fn read(file: &Path) -> anyhow::Result<Listing> {
    let listing = listing::read(file)?;
    if listing.skipped > 0 {
        note(format!(
            "{} entries of {} are no usable tools and are left out",
            listing.skipped,
            file.display()
        ));
    }
    Ok(listing)
}

/// Opens what [`read`] found. What an encoder is fetched for is kept in the user's data folder, for gateways too.
pub async fn open_listing(
    listing: &Listing,
    encoder: Option<&EncoderSource>,
    meaning: bool,
) -> anyhow::Result<Gateway> {
    let tools = listing.catalog.tools();
    open_servers(
        servers(tools.iter().map(|tool| &**tool)),
        tools.len(),
        encoder,
        meaning,
    )
    .await
}

/// Servers that list these tools and run none, one for each app.
pub fn servers<'a>(tools: impl Iterator<Item = &'a Tool>) -> Vec<ServerConfig> {
    let mut lists: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for tool in tools {
        lists
            .entry(tool.name.app())
            .or_default()
            .push(tool.definition.get());
    }
    let servers = lists.into_iter().map(|(app, tools)| {
        let list = raw(format!(r#"{{"tools":[{}]}}"#, tools.join(",")));
        ServerConfig::new(app, Transport::Local(Arc::new(Listed { list })))
    });
    servers.collect()
}

/// Opens servers of this process as a gateway and waits until `tools` of their tools can be found.
pub async fn open_servers(
    servers: Vec<ServerConfig>,
    tools: usize,
    encoder: Option<&EncoderSource>,
    meaning: bool,
) -> anyhow::Result<Gateway> {
    let encoder = match encoder {
        Some(source) => Some(Chosen {
            source: source.clone(),
            data: data_folder(None, None)?,
        }),
        None => None,
    };
    let plan = Plan {
        policy: Policy::default(),
        selection: Some(Selection {
            tuning: handpick_selection::Tuning::default(),
            encoder,
        }),
        options: Options::default(),
        retention: Retention::default(),
        admin_key: None,
    };
    let store = vectors_store().await?;
    let gateway = Gateway::assemble(plan, servers, store).await?;
    gateway.runtime.upstreams.settled(Duration::from_secs(30)).await;
    wait_for_index(&gateway.runtime, tools, meaning).await;
    Ok(gateway)
}

/// Where vectors are kept from one question to the next; nowhere, where nothing can be kept: the answer is
/// the same, only later.
async fn vectors_store() -> anyhow::Result<Store> {
    let kept = match data_folder(None, Some("catalog-files")) {
        Ok(folder) => Store::open(&folder).await.map_err(anyhow::Error::from),
        Err(error) => Err(error),
    };
    match kept {
        Ok(store) => Ok(store),
        Err(error) => {
            tracing::info!(%error, "vectors are not kept");
            Ok(Store::in_memory().await?)
        }
    }
}

/// Waits until the index holds `tools` tools and, with `meaning`, all their vectors, drawing a bar
/// where somebody watches.
pub async fn wait_for_index(runtime: &Runtime, tools: usize, meaning: bool) {
    let Some(selector) = &runtime.selector else { return };
    let mut progress = selector.progress();
    let bar = progress_bar(tools, "reading tools");
    // The sender lives in the selector, which outlives this wait.
    let _ = progress
        .wait_for(|now| {
            bar.set_position((now.tools - now.missing) as u64);
            now.tools >= tools && (!meaning || now.is_done())
        })
        .await;
    bar.finish_and_clear();
}

/// A server that lists its tools and runs none.
struct Listed {
    list: Box<RawValue>,
}

#[async_trait]
impl LocalServer for Listed {
    async fn handle(&self, method: &str, _params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        match method {
            "tools/list" => Ok(self.list.clone()),
            "tools/call" => Err(RpcError::new(INVALID_PARAMS, "a catalog file runs no tools")),
            _ => Err(RpcError::new(
                METHOD_NOT_FOUND,
                format!("method not found: {method}"),
            )),
        }
    }
}
