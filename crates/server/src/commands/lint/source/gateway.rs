//! Which tools does a running gateway offer?

use std::sync::Arc;

use anyhow::Context as _;
use handpick_domain::Tool;
use http::Method;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::args::WhereArgs;
use crate::client::Client;

/// Tools asked for at a time, the most a page holds.
const PAGE: usize = 100;

/// Every tool the key may use, through one gateway where one is named.
pub async fn tools(client: &Client, place: &WhereArgs) -> anyhow::Result<Vec<Arc<Tool>>> {
    let mut tools = Vec::new();
    let mut offset = 0;
    loop {
        let page = client.send(Method::GET, &path(place, offset), None).await?;
        let items = page["items"]
            .as_array()
            .context("the gateway answered without tools; is it up to date?")?;
        for item in items {
            tools.push(Arc::new(tool(item)?));
        }
        offset += items.len();
        if items.is_empty() || offset as u64 >= page["total_count"].as_u64().unwrap_or_default() {
            return Ok(tools);
        }
    }
}

fn path(place: &WhereArgs, offset: usize) -> String {
    let mut path = format!(
        "/v1/tools?limit={PAGE}&offset={offset}&user_id={}",
        escaped(&place.user.user)
    );
    if let Some(gateway) = &place.gateway {
        path.push_str(&format!("&gateway_id={}", escaped(gateway)));
    }
    path
}

/// A text as part of a query.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

fn tool(item: &Value) -> anyhow::Result<Tool> {
    let definition = json!({
        "name": item["name"],
        "description": item["description"],
        "inputSchema": item["input_schema"],
    });
    let app = item["toolkit"]["name"].as_str().unwrap_or_default();
    Tool::parse(app, &to_raw_value(&definition)?)
        .context("the gateway answered with something that is no tool")
}
