//! Are the tools defined so that they can be told apart, filled in and believed?

use std::collections::BTreeSet;

use serde_json::json;

use super::{app, call, every_tool, example, name, tools};
use crate::apps;

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
        let once = call(&app.server, name, example(&tool)).await;
        let twice = call(&app.server, name, example(&tool)).await;
        assert_eq!(
            once["structuredContent"], twice["structuredContent"],
            "{}.{name} says it is idempotent",
            app.name
        );
    }
}

#[tokio::test]
async fn one_definition_and_one_call_in_full() {
    let app = app("billing");
    let tools = tools(&app).await;
    let tool = tools.iter().find(|tool| name(tool) == "refund_invoice").unwrap();
    insta::assert_json_snapshot!("definition", tool);
    insta::assert_json_snapshot!("call", call(&app.server, name(tool), example(tool)).await);
}
