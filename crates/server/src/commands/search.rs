//! `handpick search`: which tools match these words?

use std::path::Path;

use anyhow::bail;
use handpick_domain::{Caller, Scope};
use handpick_operations::limits::SEARCH_MAX;
use handpick_operations::open_surface::open_project;
use handpick_operations::search_tools::search_tools;
use http::Method;
use serde_json::{Value, json};

use super::suggestions::{Row, show};
use crate::args::SearchArgs;
use crate::client::Client;
use crate::commands::catalog_file::open;
use crate::terminal::say;

/// Asks the running gateway, or a catalog file.
pub async fn run(args: SearchArgs) -> anyhow::Result<()> {
    let query = args.words.join(" ");
    let answer = match &args.place.catalog {
        Some(file) => search_in_file(&args, &query, file).await?,
        None => {
            let body = json!({
                "query": query,
                "top_k": args.top_k,
                "user_id": args.place.user.user,
                "gateway_id": args.place.gateway,
            });
            Client::new(&args.place.service)?
                .send(Method::POST, "/v1/tools/search", Some(&body))
                .await?
        }
    };
    if args.json {
        say(&answer);
    } else {
        let rows: Vec<Row> = answer["results"]
            .as_array()
            .into_iter()
            .flatten()
            .map(Row::read)
            .collect();
        show(&rows, false);
    }
    Ok(())
}

async fn search_in_file(args: &SearchArgs, query: &str, file: &Path) -> anyhow::Result<Value> {
    if query.trim().is_empty() {
        bail!("`query` is required and must not be blank");
    }
    let gateway = open(file, args.place.encoder.as_ref(), false).await?;
    let caller = Caller {
        scopes: [Scope::Read].into(),
        ..Caller::default()
    };
    let surface = open_project(&gateway.runtime, &caller);
    let found = search_tools(
        &gateway.runtime,
        &surface,
        &caller,
        query,
        args.top_k.clamp(1, SEARCH_MAX),
    )
    .unwrap_or_default();
    let results: Vec<Value> = found
        .iter()
        .map(handpick_operations::answer::suggestion)
        .collect();
    gateway.close().await;
    Ok(json!({"results": results}))
}
