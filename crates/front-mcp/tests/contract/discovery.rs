//! Does discovery search, show one schema and execute as promised? (P11 to P17, P26, E4, E12)

use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, STYLES, Style, router};
use crate::deployment::{Deployment, Plan, Scripted, chat_tools, fillers, lab_tools};

async fn deployment() -> Deployment {
    Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .server("lab", &Scripted::new(lab_tools()))
        .server("bulk", &Scripted::new(fillers(80)))
        .gateway("small", Presentation::Discovery, &["chat.*", "lab.*"])
        .gateway("large", Presentation::Discovery, &["*"])
        .gateway("nothing", Presentation::Discovery, &[])
        .restrict("lab.secret", "officer")
        .start()
        .await
}

async fn discover(agent: &Agent, arguments: Value) -> Value {
    agent.call("discover_tools", arguments).await.structured()
}

fn names(answer: &Value) -> Vec<&str> {
    let tools = answer["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// P11, P26: the list is the same three tools, as long as before, however many tools are bound.
#[tokio::test]
async fn p26_the_list_does_not_grow() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for style in STYLES {
        let mut texts = Vec::new();
        for gateway in ["nothing", "small", "large"] {
            let agent = Agent::open(&router, gateway, style).await;
            assert_eq!(
                agent.names().await,
                ["discover_tools", "get_tool_schema", "execute_tool"]
            );
            let reply = agent.ask("tools/list", json!({})).await;
            // Which tools are bound shows in the name of the snapshot, and nowhere else (P14).
            let snapshot = reply.result()["_meta"]["handpick/snapshot"].clone();
            let snapshot = snapshot.as_str().unwrap_or_default().to_owned();
            assert_eq!(snapshot.is_empty(), style != Style::Modern);
            texts.push(match style {
                Style::Modern => reply.text.replace(&snapshot, "0123456789abcdef"),
                _ => reply.text,
            });
        }
        assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    }
}

/// P12, P15, P16, P17: search, read one schema, call: each answer whole.
#[tokio::test]
async fn p12_the_flow() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "small", Style::Session).await;
    let found = agent
        .call("discover_tools", json!({"query": "book a table", "limit": 1}))
        .await;
    let name = found.structured()["tools"][0]["name"].clone();
    let score = found.structured()["tools"][0]["score"].clone();
    assert!((0.0..=1.0).contains(&score.as_f64().unwrap()), "{score}");
    // How a score is made is not this crate's business.
    let scored = found
        .text
        .replace(&format!("score\":{score}"), "score\":[0 to 1]");
    let scored = scored.replace(&format!("score\\\":{score}"), "score\\\":[0 to 1]");
    insta::assert_snapshot!("discover_tools", scored);
    assert_eq!(name, "lab_strict");
    let shown = agent.call("get_tool_schema", json!({"tool_name": name})).await;
    insta::assert_snapshot!("get_tool_schema", shown.text);
    let ran = agent
        .call(
            "execute_tool",
            json!({"tool_name": name, "parameters": {"guests": 2}}),
        )
        .await;
    insta::assert_snapshot!("execute_tool", ran.text);
}

/// P15, E4, E12: limits, blank queries and queries nothing fits.
#[tokio::test]
async fn p15_what_discovery_returns() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "large", Style::Modern).await;
    for (arguments, count) in [
        (json!({"query": ""}), 10),
        (json!({}), 10),
        (json!({"query": " \t", "limit": null}), 10),
        (json!({"query": "", "limit": 0}), 1),
        (json!({"query": "", "limit": -9_007_199_254_740_993_i64}), 1),
        (json!({"query": "", "limit": 50.0}), 50),
        (json!({"query": "", "limit": 1e300}), 50),
        (json!({"query": "fill the bucket", "limit": 51}), 50),
        (json!({"task": "fill the bucket", "limit": 3}), 3),
        (json!({"query": "grow tomatoes"}), 0),
    ] {
        let answer = discover(&agent, arguments.clone()).await;
        assert_eq!(names(&answer).len(), count, "{arguments}");
        assert_eq!(answer["total"], 96, "{arguments}: what is hidden is not counted");
    }
    let answer = discover(&agent, json!({"query": ""})).await;
    assert!(names(&answer).is_sorted());
    assert_eq!(names(&answer)[0], "bulk_fill_0000");
    for limit in [json!(2.5), json!("5"), json!([1]), json!(true)] {
        let reply = agent
            .call("discover_tools", json!({"query": "x", "limit": limit}))
            .await;
        assert_eq!(
            reply.failure(),
            "invalid arguments: `limit` must be a whole number from 1 to 50"
        );
    }
    let reply = agent.call("discover_tools", json!({"query": 5})).await;
    assert_eq!(reply.failure(), "invalid arguments: `query` must be a string");
}

/// P16, E11: a tool that is hidden or unknown has no schema to show.
#[tokio::test]
async fn p16_schemas_of_hidden_tools_are_not_shown() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for style in STYLES {
        let agent = Agent::open(&router, "small", style).await;
        for name in ["lab.secret", "bulk.fill_0001", "nope", "get_tool_schema"] {
            for tool in ["get_tool_schema", "execute_tool"] {
                let reply = agent.call(tool, json!({"tool_name": name})).await;
                assert_eq!(reply.failure(), format!("tool not found: {name}"));
            }
        }
        for spelling in ["lab.strict", "LAB_STRICT", "lab_strict@3"] {
            let shown = agent
                .call("get_tool_schema", json!({"name": spelling}))
                .await
                .structured();
            assert_eq!(shown["name"], "lab_strict");
            assert_eq!(
                shown["description"],
                "Book a table.\nThis second line mentions submarines."
            );
            assert_eq!(shown["input_schema"]["required"], json!(["guests"]));
        }
        let found = discover(&agent, json!({"query": "safe of the officers"})).await;
        assert!(!names(&found).contains(&"lab_secret"));
    }
}

/// P17, C12: what `execute_tool` reads.
#[tokio::test]
async fn p17_execute_tool_arguments() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "small", Style::Session).await;
    for alias in ["parameters", "arguments", "input", "inputs"] {
        let arguments = json!({"tool_name": "lab.echo", alias: {"a": 1}});
        let result = agent.call("execute_tool", arguments).await.result();
        assert_eq!(result["structuredContent"], json!({"a": 1}), "{alias}");
    }
    let both = json!({"tool_name": "lab.echo", "arguments": {"b": 1}, "parameters": {"a": 1}});
    let result = agent.call("execute_tool", both).await.result();
    assert_eq!(result["structuredContent"], json!({"a": 1}));
    for (arguments, expected) in [
        (
            json!({"parameters": {}}),
            "invalid arguments: `tool_name` is required and must not be blank",
        ),
        (
            json!({"tool_name": "lab.echo", "parameters": 7}),
            "invalid arguments: `parameters` must be an object holding the tool's own arguments",
        ),
    ] {
        assert_eq!(agent.call("execute_tool", arguments).await.failure(), expected);
    }
}

/// E13: without an index search says that trying again may help; listing and running need none.
#[tokio::test]
async fn e13_without_an_index() {
    let plan = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("chat", Presentation::Discovery, &["*"])
        .encoder(None);
    let deployment = plan.start().await;
    let agent = Agent::open(&router(&deployment), "chat", Style::Session).await;
    let reply = agent.call("discover_tools", json!({"query": "pin"})).await;
    assert_eq!(
        reply.failure(),
        "tool discovery is temporarily unavailable, a retry may succeed"
    );
    assert_eq!(discover(&agent, json!({"query": ""})).await["total"], 7);
    let ran = agent
        .call("execute_tool", json!({"tool_name": "chat_pin_message"}))
        .await
        .result();
    assert_eq!(ran["content"][0]["text"], "pin_message");
}
