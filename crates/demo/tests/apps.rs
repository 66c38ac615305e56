//! Do the demo apps keep what their tools promise?

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use handpick_demo::{DemoApp, apps, walkthrough};
use handpick_protocol::error::{INVALID_PARAMS, METHOD_NOT_FOUND};
use handpick_protocol::{LocalServer, RpcError};
use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};

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

async fn every_tool() -> Vec<(DemoApp, Value)> {
    let mut all = Vec::new();
    for app in apps() {
        for tool in tools(&app).await {
            all.push((app.clone(), tool));
        }
    }
    all
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

#[tokio::test]
async fn there_is_enough_to_choose_from() {
    assert!(apps().len() >= 13, "{} apps", apps().len());
    let count = every_tool().await.len();
    assert!(count >= 110, "{count} tools");
}

#[tokio::test]
async fn names_and_first_lines_tell_tools_apart() {
    let (mut names, mut lines) = (BTreeSet::new(), BTreeSet::new());
    for (app, tool) in every_tool().await {
        let name = format!("{}.{}", app.name, name(&tool));
        assert!(
            name.chars()
                .all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '.')),
            "{name} is not snake case"
        );
        let description = tool["description"].as_str().unwrap();
        let line = description.lines().next().unwrap().to_owned();
        assert!(
            (20..=120).contains(&line.len()) && line.ends_with('.'),
            "{name}: {line}"
        );
        assert!(!tool["title"].as_str().unwrap().is_empty());
        assert!(lines.insert(line), "{name}: another tool has the same first line");
        assert!(names.insert(name.clone()), "{name} twice");
    }
}

#[tokio::test]
async fn schemas_are_valid_and_examples_fit_them() {
    for (app, tool) in every_tool().await {
        let name = format!("{}.{}", app.name, name(&tool));
        for schema in [
            &tool["inputSchema"],
            tool.get("outputSchema").unwrap_or(&json!({"type": "object"})),
        ] {
            assert!(jsonschema::meta::is_valid(schema), "{name}: {schema}");
            assert_eq!(schema["type"], "object", "{name}");
        }
        let schema = &tool["inputSchema"];
        for (argument, schema) in schema["properties"].as_object().unwrap() {
            assert!(
                !schema["description"].as_str().unwrap_or_default().is_empty(),
                "{name}: {argument}"
            );
        }
        for required in schema["required"].as_array().unwrap() {
            assert!(
                schema["properties"].get(required.as_str().unwrap()).is_some(),
                "{name}: {required}"
            );
        }
        if let Err(error) = jsonschema::validate(schema, &example(&tool)) {
            panic!("{name}: {error}");
        }
    }
}

/// Each example works on fresh seed data, and lists found by one are not empty.
#[tokio::test]
async fn every_tool_runs_on_fresh_data() {
    for (app, tool) in every_tool().await {
        let fresh = self::app(app.name);
        let result = call(&fresh.server, name(&tool), example(&tool)).await;
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

/// What a tool says of itself in its annotations is what it does.
#[tokio::test]
async fn annotations_tell_the_truth() {
    for (app, tool) in every_tool().await {
        let hint = |name: &str| tool["annotations"][name].as_bool().unwrap();
        assert!(!(hint("readOnlyHint") && hint("destructiveHint")));
        if !hint("idempotentHint") || hint("readOnlyHint") {
            continue;
        }
        let name = name(&tool);
        let fresh = self::app(app.name);
        let once = call(&fresh.server, name, example(&tool)).await;
        let twice = call(&fresh.server, name, example(&tool)).await;
        assert_eq!(
            once["structuredContent"], twice["structuredContent"],
            "{}.{name} says it is idempotent",
            app.name
        );
    }
}

/// X11: what a tool cannot do is a result, and it names the closest thing that exists.
#[tokio::test]
async fn x11_unknown_ids_are_tool_errors_that_help() {
    let mut checked = 0;
    for (app, tool) in every_tool().await {
        let schema = &tool["inputSchema"]["properties"];
        let Some(id) = schema
            .as_object()
            .unwrap()
            .keys()
            .find(|name| name.ends_with("_id"))
        else {
            continue;
        };
        let required = tool["inputSchema"]["required"].as_array().unwrap();
        // Ids of another app's things cannot be known here; filters may simply find nothing.
        let own = app_owns(&app, &schema[id]["examples"][0]).await;
        if !required.contains(&json!(id)) || !own {
            continue;
        }
        let mut arguments = example(&tool);
        arguments[id] = "NOPE-1".into();
        let result = call(&app.server, name(&tool), arguments).await;
        assert_eq!(result["isError"], true, "{}.{}", app.name, name(&tool));
        assert!(
            text(&result).contains("`NOPE-1`; the closest are `"),
            "{}",
            text(&result)
        );
        checked += 1;
    }
    assert!(checked >= 40, "only {checked} tools checked");
}

/// Whether some tool of the app answers with this id as the key of a thing.
async fn app_owns(app: &DemoApp, id: &Value) -> bool {
    for tool in tools(app)
        .await
        .iter()
        .filter(|tool| name(tool).starts_with("list_"))
    {
        let found = call(&app.server, name(tool), json!({})).await;
        if found["structuredContent"]
            .to_string()
            .contains(&format!("\"id\":{id}"))
        {
            return true;
        }
    }
    false
}

/// X11: what is wrong with the request itself is a JSON-RPC error.
#[tokio::test]
async fn x11_requests_that_cannot_be_served() {
    let server = app("billing").server;
    for (method, params, code, message) in [
        (
            "resources/list",
            json!({}),
            METHOD_NOT_FOUND,
            "`billing` does not answer `resources/list`; it answers `initialize`, `ping`, `tools/list`, `tools/call`",
        ),
        (
            "tools/call",
            json!({"name": "refund_invoise"}),
            INVALID_PARAMS,
            "unknown tool `refund_invoise` in `billing`; the closest are `refund_invoice`, `send_invoice`, \
             `create_invoice`",
        ),
        (
            "tools/call",
            json!({}),
            INVALID_PARAMS,
            "`name` must be the name of a tool",
        ),
        (
            "tools/call",
            json!({"name": "get_invoice", "arguments": "{}"}),
            INVALID_PARAMS,
            "`arguments` must be an object",
        ),
        (
            "tools/list",
            json!({"cursor": "7"}),
            INVALID_PARAMS,
            "`cursor` is not one that an earlier page of this list gave",
        ),
        (
            "tools/list",
            json!([]),
            INVALID_PARAMS,
            "`params` cannot be read: invalid type: sequence, expected a map at line 1 column 0",
        ),
    ] {
        let error = ask(&server, method, params).await.unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (code, message), "{method}");
    }
}

#[tokio::test]
async fn a_handshake_and_a_ping() {
    let server = app("chat").server;
    for (asked, answered) in [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")] {
        let greeting = ask(&server, "initialize", json!({"protocolVersion": asked}))
            .await
            .unwrap();
        assert_eq!(greeting["protocolVersion"], answered);
        assert_eq!(greeting["serverInfo"]["name"], "chat");
    }
    assert_eq!(server.handle("ping", None).await.unwrap().get(), "{}");
}

#[tokio::test]
async fn a_message_posted_is_a_message_read() {
    let server = app("chat").server;
    let words = json!({"channel": "general", "text": "Lunch is in the greenhouse."});
    call(&server, "send_message", words).await;
    let read = call(&server, "read_channel", json!({"channel": "general", "limit": 1})).await;
    assert_eq!(
        read["structuredContent"]["messages"][0]["text"],
        "Lunch is in the greenhouse."
    );
    // Another instance knows nothing of it.
    let other = call(
        &app("chat").server,
        "search_messages",
        json!({"query": "greenhouse"}),
    )
    .await;
    assert_eq!(other["structuredContent"]["total"], 0);
}

#[tokio::test]
async fn a_refund_changes_the_balance_and_a_refused_one_changes_nothing() {
    let server = app("billing").server;
    let balance = async || {
        let invoice = call(&server, "get_invoice", json!({"invoice_id": "INV-2041"})).await;
        invoice["structuredContent"]["balance"].as_f64().unwrap()
    };
    let refund = json!({"invoice_id": "INV-2041", "amount": 686, "reason": "charged twice"});
    assert_eq!(balance().await, -686.0);
    call(&server, "refund_invoice", refund.clone()).await;
    assert_eq!(balance().await, 0.0);
    call(&server, "refund_invoice", refund.clone()).await;
    assert_eq!(balance().await, 686.0);
    let refused = call(&server, "refund_invoice", refund).await;
    assert_eq!(
        text(&refused),
        "INV-2041 has €0.00 paid; €686.00 cannot be given back"
    );
    assert_eq!(refused["isError"], true);
    assert_eq!(balance().await, 686.0);
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

/// Ids name things in other apps: every id that occurs anywhere is somewhere the key of a thing.
#[test]
fn the_story_holds_together() {
    let seeds: Vec<(String, Value)> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/seed"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let seed = std::fs::read_to_string(&path).unwrap();
            (path.display().to_string(), serde_json::from_str(&seed).unwrap())
        })
        .collect();
    let mut keys = BTreeSet::new();
    for (_, seed) in &seeds {
        for row in seed
            .as_object()
            .unwrap()
            .values()
            .flat_map(|rows| rows.as_array().unwrap())
        {
            keys.extend(row["id"].as_str().map(str::to_owned));
        }
    }
    for (path, seed) in &seeds {
        for id in ids_in(&seed.to_string()) {
            assert!(keys.contains(&id), "{path}: {id} is nothing's id");
        }
    }
}

/// Whatever looks like `ABC-123`.
fn ids_in(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .filter(|word| {
            word.split_once('-').is_some_and(|(prefix, number)| {
                prefix.len() >= 3
                    && prefix.chars().all(|c| c.is_ascii_uppercase())
                    && !number.is_empty()
                    && number.chars().all(|c| c.is_ascii_digit())
            })
        })
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn the_walkthrough_works() {
    let walkthrough = walkthrough();
    let known: BTreeSet<String> = every_tool()
        .await
        .iter()
        .map(|(app, tool)| format!("{}.{}", app.name, name(tool)))
        .collect();
    for task in walkthrough.tasks {
        for tool in task.tools {
            assert!(known.contains(*tool), "{tool}");
        }
    }
    let (app_name, tool) = walkthrough.call.tool.split_once('.').unwrap();
    let result = call(&app(app_name).server, tool, walkthrough.call.arguments).await;
    assert_eq!(text(&result), walkthrough.call.answer);
}

#[tokio::test]
async fn one_definition_and_one_call_in_full() {
    let app = app("billing");
    let tools = tools(&app).await;
    let tool = tools.iter().find(|tool| name(tool) == "refund_invoice").unwrap();
    insta::assert_json_snapshot!("definition", tool);
    insta::assert_json_snapshot!("call", call(&app.server, name(tool), example(tool)).await);
}
