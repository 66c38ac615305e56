//! Does every tool run, and give back what its definition says?

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{call, every_tool, example, name, text, tools};
use crate::{DemoApp, apps};

/// Fails unless the result is a success that keeps the promise of the tool's `outputSchema`.
fn assert_success(tool: &Value, result: &Value) {
    let name = name(tool);
    assert_ne!(result["isError"], true, "{name}: {}", text(result));
    assert!(!text(result).is_empty(), "{name}");
    match tool.get("outputSchema") {
        None => assert!(result.get("structuredContent").is_none(), "{name}"),
        Some(schema) => {
            let structured = &result["structuredContent"];
            if let Err(error) = jsonschema::validate(schema, structured) {
                panic!("{name}: {error} in {structured}");
            }
            let repeated = result["content"].as_array().unwrap().iter().any(|block| {
                let text = block["text"].as_str().unwrap_or_default();
                serde_json::from_str::<Value>(text).is_ok_and(|value| value == *structured)
            });
            assert!(repeated, "{name}: clients that read only text miss the value");
        }
    }
}

/// Each example works on fresh seed data, and lists found by one are not empty.
#[tokio::test]
async fn every_tool_runs_on_fresh_data() {
    for (app, tool) in every_tool().await {
        let result = call(&app.server, name(&tool), example(&tool)).await;
        assert_success(&tool, &result);
        if let Some(total) = result["structuredContent"]
            .get("total")
            .filter(|total| total.is_u64())
        {
            assert_ne!(
                total,
                0,
                "{}.{}: the example finds nothing",
                app.name,
                name(&tool)
            );
        }
    }
}

/// One server takes all calls in the order of its list, and repeats itself on a second run.
#[tokio::test]
async fn every_tool_runs_after_all_others_and_the_same_each_time() {
    let run = async || {
        let mut results = BTreeMap::new();
        for app in apps() {
            for tool in tools(&app).await {
                let result = call(&app.server, name(&tool), example(&tool)).await;
                assert_success(&tool, &result);
                results.insert(format!("{}.{}", app.name, name(&tool)), result);
            }
        }
        results
    };
    assert_eq!(run().await, run().await);
}

/// X11: what a tool cannot do is a result, and it names the closest thing that exists.
#[tokio::test]
async fn x11_unknown_ids_are_tool_errors_that_help() {
    let mut checked = 0;
    for app in apps() {
        let tools = tools(&app).await;
        let listed = everything_listed(&app, &tools).await;
        for tool in tools {
            let Some(id) = own_id_needed(&tool, &listed) else {
                continue;
            };
            let mut arguments = example(&tool);
            arguments[id.as_str()] = "NOPE-1".into();
            let result = call(&app.server, name(&tool), arguments).await;
            assert_eq!(result["isError"], true, "{}.{}", app.name, name(&tool));
            assert!(
                text(&result).contains("`NOPE-1`; the closest are `"),
                "{}",
                text(&result)
            );
            checked += 1;
        }
    }
    assert!(checked >= 60, "only {checked} tools checked");
}

/// What the tools that list things give back without arguments, as text.
async fn everything_listed(app: &DemoApp, tools: &[Value]) -> String {
    let mut listed = String::new();
    for tool in tools.iter().filter(|tool| name(tool).starts_with("list_")) {
        let found = call(&app.server, name(tool), json!({})).await;
        listed.push_str(&found["structuredContent"].to_string());
    }
    listed
}

/// The first id a tool cannot do without, where it is the id of a thing this app keeps: an app cannot
/// know the ids of the others.
fn own_id_needed(tool: &Value, listed: &str) -> Option<String> {
    let required = tool["inputSchema"]["required"].as_array().unwrap();
    let mut ids = required
        .iter()
        .filter_map(Value::as_str)
        .filter(|name| name.ends_with("_id"));
    let id = ids.next()?;
    let example = &tool["inputSchema"]["properties"][id]["examples"][0];
    listed
        .contains(&format!("\"id\":{example}"))
        .then(|| id.to_owned())
}

/// The kinds of content that a gateway must pass on unchanged each occur.
#[tokio::test]
async fn every_kind_of_content_occurs() {
    let mut kinds = BTreeSet::new();
    for (app, tool) in every_tool().await {
        let result = call(&app.server, name(&tool), example(&tool)).await;
        for block in result["content"].as_array().unwrap() {
            kinds.insert(block["type"].as_str().unwrap().to_owned());
        }
        if result.get("_meta").is_some() {
            kinds.insert("_meta".into());
        }
    }
    let expected = ["_meta", "image", "resource", "resource_link", "text"];
    assert_eq!(kinds, expected.map(String::from).into());
}
