//! Do the demo apps keep what their tools promise?

use std::sync::Arc;

use handpick_protocol::{LocalServer, RpcError};
use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};

use crate::{DemoApp, apps};

mod calls;
mod definitions;
mod requests;
mod story;

/// Asks a server, with JSON in and out.
async fn ask(server: &Arc<dyn LocalServer>, method: &str, params: Value) -> Result<Value, RpcError> {
    let params = to_raw_value(&params).unwrap();
    let result = server.handle(method, Some(&params)).await?;
    Ok(serde_json::from_str(result.get()).unwrap())
}

async fn call(server: &Arc<dyn LocalServer>, tool: &str, arguments: Value) -> Value {
    ask(
        server,
        "tools/call",
        json!({"name": tool, "arguments": arguments}),
    )
    .await
    .unwrap()
}

/// All tools of an app, page by page.
async fn tools(app: &DemoApp) -> Vec<Value> {
    let mut tools = Vec::new();
    let mut params = json!({});
    loop {
        let page = ask(&app.server, "tools/list", params).await.unwrap();
        tools.extend(page["tools"].as_array().unwrap().iter().cloned());
        match page.get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => return tools,
        }
    }
}

/// Every tool, each with an app that no other tool has touched.
async fn every_tool() -> Vec<(DemoApp, Value)> {
    let mut lists = Vec::new();
    for app in apps() {
        lists.push(tools(&app).await);
    }
    // Building the apps is the slow part, so one set of them serves one tool of each.
    let rounds = lists.iter().map(Vec::len).max().unwrap_or_default();
    let one_each = |round: usize| {
        let fresh = apps().into_iter().zip(&lists);
        fresh.filter_map(move |(app, tools)| Some((app, tools.get(round)?.clone())))
    };
    (0..rounds).flat_map(one_each).collect()
}

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap()
}

/// Arguments made of the examples in the schema.
fn example(tool: &Value) -> Value {
    let properties = tool["inputSchema"]["properties"].as_object().unwrap();
    let arguments: Map<String, Value> = properties
        .iter()
        .map(|(name, schema)| (name.clone(), schema["examples"][0].clone()))
        .collect();
    arguments.into()
}

fn app(name: &str) -> DemoApp {
    apps().into_iter().find(|app| app.name == name).unwrap()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}
