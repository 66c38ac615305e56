//! Does recommendation select and run tools as promised? (A2 to A22, A30 to A33)

use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, STYLES, Style, router};
use crate::deployment::{
    Deployment, HashedWords, KEY, OFFICER_KEY, Plan, Scripted, chat_tools, fillers, gateway, lab_tools, tool,
};

async fn deployment() -> Deployment {
    let mut with_apps = gateway("apps", Presentation::Recommend, &["chat.*", "lab.*"]);
    with_apps.list_apps = true;
    Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("all", Presentation::Recommend, &["chat.*", "lab.*"])
        .gateway("lab", Presentation::Recommend, &["lab.*"])
        .gateway("nothing", Presentation::Recommend, &[])
        .gateway("one", Presentation::Recommend, &["lab.strict"])
        .exact_gateway(with_apps)
        .restrict("lab.secret", "officer")
        .start()
        .await
}

async fn select(agent: &Agent, arguments: Value) -> Value {
    agent.call("Arcade_SelectTools", arguments).await.structured()
}

fn names(result: &Value) -> Vec<&str> {
    let suggestions = result["suggestions"].as_array().unwrap();
    suggestions
        .iter()
        .map(|one| one["tool_name"].as_str().unwrap())
        .collect()
}

/// A2, A3, A4: the list is the same two tools, however many tools are allowed.
#[tokio::test]
async fn a3_the_list_is_two_tools() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for style in STYLES {
        for gateway in ["all", "lab", "nothing"] {
            let agent = Agent::open(&router, gateway, style).await;
            assert_eq!(agent.names().await, ["Arcade_SelectTools", "Arcade_UseTool"]);
        }
        let agent = Agent::open(&router, "apps", style).await;
        assert_eq!(
            agent.names().await,
            ["Arcade_SelectTools", "Arcade_UseTool", "Arcade_ListApps"]
        );
    }
}

/// A3, A63: `ListApps` works whether or not it is listed, under both of its spellings.
#[tokio::test]
async fn a3_apps_are_told() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for (gateway, apps) in [
        ("all", vec!["chat", "lab"]),
        ("lab", vec!["lab"]),
        ("nothing", vec![]),
    ] {
        let agent = Agent::open(&router, gateway, Style::Session).await;
        for name in ["Arcade.ListApps", "Arcade_ListApps"] {
            let told = agent.call(name, json!({"ignored": 1})).await.structured();
            let expected: Vec<Value> = apps
                .iter()
                .map(|app| json!({"app_id": app, "name": app, "connected": true}))
                .collect();
            assert_eq!(told, json!({"apps": expected}));
        }
    }
}

/// A12 to A16, whole.
#[tokio::test]
async fn a13_a_selection_as_a_whole() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "one", Style::Modern).await;
    let arguments = json!({"tasks": ["reserve seats", "grow tomatoes"], "context": "a dinner", "top_k": 1});
    let result = agent.call("Arcade.SelectTools", arguments).await.result();
    insta::assert_json_snapshot!(result, {
        ".structuredContent.query_id" => "[uuid]",
        ".content[0].text" => insta::dynamic_redaction(|text, _| {
            let mut body: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
            body["query_id"] = json!("[uuid]");
            body.to_string()
        }),
    });
}

/// A4, A14, A15: both spellings answer alike, at most five a task, a fresh UUID v4 each time.
#[tokio::test]
async fn a14_five_tools_a_task_and_a_fresh_query_id() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let mut seen = Vec::new();
    for style in STYLES {
        let agent = Agent::open(&router, "all", style).await;
        for name in ["Arcade_SelectTools", "Arcade.SelectTools"] {
            let tasks = json!({"tasks": ["a message in a chat channel", "a message in a chat channel"]});
            let mut answer = agent.call(name, tasks).await.structured();
            let id = answer["query_id"].take();
            let id = uuid::Uuid::parse_str(id.as_str().unwrap()).unwrap();
            assert_eq!(id.get_version_num(), 4);
            assert!(!seen.iter().any(|(other, _)| *other == id));
            assert_eq!(names(&answer["results"][0]).len(), 5);
            assert_eq!(answer["results"][0], answer["results"][1]);
            seen.push((id, answer));
        }
    }
    assert!(
        seen.iter().all(|(_, answer)| *answer == seen[0].1),
        "E14: the same question, the same answer"
    );
}

/// A16, A17, E12: a task nothing fits says `no_match`, again and again; the others are answered.
#[tokio::test]
async fn a16_no_match_is_told_per_task() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "all", Style::Session).await;
    for _ in 0..3 {
        let answer = select(&agent, json!({"tasks": ["grow tomatoes", "pin a message"]})).await;
        assert_eq!(
            answer["results"][0],
            json!({"task": "grow tomatoes", "suggestions": [], "empty_reason": "no_match"})
        );
        assert_eq!(names(&answer["results"][1])[0], "chat.pin_message");
        assert!(answer["results"][1].get("empty_reason").is_none());
    }
}

/// A18: a gateway that allows nothing, or nothing to this caller.
#[tokio::test]
async fn a18_no_eligible_tools() {
    let plan = Plan::new()
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("nothing", Presentation::Recommend, &[])
        .gateway("officers", Presentation::Recommend, &["lab.*"])
        .restrict("*", "officer");
    let deployment = plan.start().await;
    let router = router(&deployment);
    for gateway in ["nothing", "officers"] {
        let agent = Agent::open(&router, gateway, Style::Session).await;
        let text = agent
            .call("Arcade_SelectTools", json!({"tasks": ["x"]}))
            .await
            .failure();
        assert!(text.starts_with("no tools are eligible for discovery"), "{text}");
    }
    let officer = Agent::open_as(&router, "officers", Style::Session, OFFICER_KEY).await;
    assert_eq!(
        names(&select(&officer, json!({"tasks": ["echo"]})).await["results"][0])[0],
        "lab.echo"
    );
}

/// A19, A31, E11: what is not allowed or hidden is never suggested and takes nobody's place.
#[tokio::test]
async fn a19_hidden_tools_take_no_place() {
    let hidden: Vec<Value> = (0..50)
        .map(|index| tool(&format!("send_letter_{index:02}"), "Send a letter by post."))
        .collect();
    let open: Vec<Value> = (0..5)
        .map(|index| {
            tool(
                &format!("letterbox_{index}"),
                "Send a letter by air to somebody far away.",
            )
        })
        .collect();
    let plan = Plan::new()
        .server("elsewhere", &Scripted::new(hidden.clone()))
        .server("officers", &Scripted::new(hidden))
        .server("open", &Scripted::new(open))
        .gateway("mail", Presentation::Recommend, &["officers.*", "open.*"])
        .restrict("officers.*", "officer");
    let deployment = plan.start().await;
    let router = router(&deployment);
    let agent = Agent::open_as(&router, "mail", Style::Modern, KEY).await;
    let answer = select(&agent, json!({"tasks": ["send a letter by post"]})).await;
    let found = names(&answer["results"][0]);
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|name| name.starts_with("open.")), "{found:?}");
    let officer = Agent::open_as(&router, "mail", Style::Modern, OFFICER_KEY).await;
    let answer = select(&officer, json!({"tasks": ["send a letter by post"]})).await;
    assert!(
        names(&answer["results"][0])
            .iter()
            .all(|name| name.starts_with("officers.send_letter"))
    );
}

/// A22: a tool runs whether or not it was suggested, also right after it was added.
#[tokio::test]
async fn a22_any_allowed_tool_runs_at_once() {
    let chat = Scripted::new(chat_tools());
    let plan = Plan::new()
        .server("chat", &chat)
        .gateway("all", Presentation::Recommend, &["chat.*"]);
    let deployment = plan.start().await;
    let router = router(&deployment);
    for style in [Style::Sessionless, Style::Modern] {
        let added = format!("added_{style:?}");
        let mut tools = chat_tools();
        tools.push(tool(&added, "Just added."));
        chat.set_tools(tools);
        deployment.refresh("chat").await;
        let agent = Agent::open(&router, "all", style).await;
        let name = format!("chat.{added}");
        let ran = agent
            .call("Arcade_UseTool", json!({"tool_name": name}))
            .await
            .result();
        assert_eq!(ran["content"][0]["text"], added);
    }
}

/// A29, A30, A32: meaning matches where no word does; context reorders; parameters and later lines of a
/// description count for nothing.
#[tokio::test]
async fn a29_words_and_meaning() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "all", Style::Session).await;
    let answer = select(
        &agent,
        json!({"tasks": ["reserve seats", "submarines", "guests dishes price"]}),
    )
    .await;
    assert_eq!(names(&answer["results"][0])[0], "lab.strict");
    assert_eq!(answer["results"][1]["empty_reason"], "no_match");
    assert_eq!(answer["results"][2]["empty_reason"], "no_match");
    let plain = select(&agent, json!({"tasks": ["message"]})).await;
    let context = json!({"tasks": ["message"], "context": "delete it for good"});
    let once = select(&agent, context.clone()).await;
    assert_eq!(names(&once["results"][0])[0], "chat.delete_message");
    assert_eq!(once["results"], select(&agent, context).await["results"]);
    for nothing in [json!(""), json!("  "), json!(null)] {
        let answer = select(&agent, json!({"tasks": ["message"], "context": nothing})).await;
        assert_eq!(answer["results"], plain["results"], "{nothing}");
    }
}

/// E1, E3, E6: tasks that cannot be read, each named by its place.
#[tokio::test]
async fn e3_bad_tasks_are_named() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "all", Style::Session).await;
    for (arguments, expected) in [
        (
            json!({}),
            "invalid arguments: `tasks` is required: an array of strings, one separate action each",
        ),
        (
            json!({"tasks": null}),
            "invalid arguments: `tasks` is required: an array of strings, one separate action each",
        ),
        (
            json!({"tasks": []}),
            "invalid arguments: `tasks` must hold at least one task",
        ),
        (
            json!({"tasks": "x"}),
            "invalid arguments: `tasks` must be an array of strings, one separate action each",
        ),
        (
            json!({"tasks": {"a": 1}}),
            "invalid arguments: `tasks` must be an array of strings, one separate action each",
        ),
        (
            json!({"tasks": ["a", "  \t"]}),
            "invalid arguments: `tasks[1]` must not be blank",
        ),
        (
            json!({"tasks": ["a", 5]}),
            "invalid arguments: `tasks[1]` must be a string",
        ),
        (
            json!({"tasks": [null]}),
            "invalid arguments: `tasks[0]` must be a string",
        ),
        (
            json!({"tasks": vec!["a"; 51]}),
            "invalid arguments: `tasks` must hold at most 50 tasks, not 51",
        ),
        (
            json!({"tasks": ["a"], "context": ["b"]}),
            "invalid arguments: `context` must be a string",
        ),
        (json!([["a"]]), "invalid arguments: `arguments` must be an object"),
        (json!("tasks"), "invalid arguments: `arguments` must be an object"),
    ] {
        let reply = agent.call("Arcade_SelectTools", arguments.clone()).await;
        assert_eq!(reply.failure(), expected, "{arguments}");
    }
    let answer = select(
        &agent,
        json!({"tasks": vec!["a message"; 50], "unknown": {"x": 1}}),
    )
    .await;
    assert_eq!(answer["results"].as_array().unwrap().len(), 50, "E2, E9");
}

/// A20, A25, C12: what `UseTool` reads.
#[tokio::test]
async fn a20_use_tool_arguments() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "all", Style::Session).await;
    for (arguments, expected) in [
        (
            json!({}),
            "invalid arguments: `tool_name` is required and must not be blank",
        ),
        (
            json!({"tool_name": ""}),
            "invalid arguments: `tool_name` is required and must not be blank",
        ),
        (
            json!({"tool_name": 5}),
            "invalid arguments: `tool_name` must be a string",
        ),
        (
            json!({"tool_name": "lab.echo", "inputs": [1]}),
            "invalid arguments: `inputs` must be an object holding the tool's own arguments",
        ),
        (
            json!({"tool_name": "lab.echo", "inputs": "oops"}),
            "invalid arguments: `inputs` must be an object holding the tool's own arguments",
        ),
        (json!({"tool_name": "nope"}), "tool not found: nope"),
    ] {
        let reply = agent.call("Arcade_UseTool", arguments.clone()).await;
        assert_eq!(reply.failure(), expected, "{arguments}");
    }
    for (arguments, reached) in [
        (json!({"tool_name": "lab.echo"}), json!({})),
        (json!({"tool_name": "lab.echo", "inputs": null}), json!({})),
        (json!({"tool_name": "lab.echo", "inputs": ""}), json!({})),
        (
            json!({"tool_name": "lab.echo", "inputs": "{\"a\": [1, 2]}"}),
            json!({"a": [1, 2]}),
        ),
        (
            json!({"tool_name": "lab.echo", "input": {"a": 1}}),
            json!({"a": 1}),
        ),
        (
            json!({"tool_name": "lab.echo", "arguments": {"a": 1}}),
            json!({"a": 1}),
        ),
        (
            json!({"tool_name": "lab.echo", "parameters": {"b": 1}, "inputs": {"a": 1}}),
            json!({"a": 1}),
        ),
        (
            json!({"tool_name": "lab.echo", "inputs": {"a": 1}, "query_id": {"odd": 1}}),
            json!({"a": 1}),
        ),
    ] {
        let result = agent.call("Arcade_UseTool", arguments.clone()).await.result();
        assert_eq!(result["structuredContent"], reached, "{arguments}");
    }
}

/// E16, E17: very long texts, and texts in any script, are answered.
#[tokio::test]
async fn e17_any_text_is_answered() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "all", Style::Session).await;
    let long = format!("pin a message {}", "сообщение ".repeat(20_000));
    for text in [
        long.as_str(),
        "🦀🦀",
        "发送消息",
        "شكرا",
        "a\u{0}b",
        "\u{202e}egassem",
        "\u{feff}",
        "\"}]",
    ] {
        let answer = select(&agent, json!({"tasks": [text], "context": text})).await;
        assert_eq!(answer["results"][0]["task"], text);
    }
    let answer = select(&agent, json!({"tasks": [long]})).await;
    assert_eq!(
        names(&answer["results"][0])[0],
        "chat.pin_message",
        "E16: the beginning is matched"
    );
}

/// A11, E13: without an index the meta-tools stay listed, say that trying again may help, and tools run.
#[tokio::test]
async fn a11_without_an_index() {
    let plan = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("all", Presentation::Recommend, &["chat.*"])
        .encoder(None);
    let deployment = plan.start().await;
    let agent = Agent::open(&router(&deployment), "all", Style::Modern).await;
    assert_eq!(agent.names().await, ["Arcade_SelectTools", "Arcade_UseTool"]);
    let answer = select(&agent, json!({"tasks": ["a", "b"]})).await;
    for (index, task) in ["a", "b"].iter().enumerate() {
        let expected = json!({"task": task, "suggestions": [], "empty_reason": "unavailable"});
        assert_eq!(answer["results"][index], expected);
    }
    let ran = agent
        .call("Arcade_UseTool", json!({"tool_name": "chat.pin_message"}))
        .await
        .result();
    assert_eq!(ran["content"][0]["text"], "pin_message");
}

/// A16, A17: when the meaning of a text cannot be had, words still answer; where they find nothing the
/// lookup was not completed, so it is `unavailable` and never `no_match`.
#[tokio::test]
async fn a16_an_incomplete_lookup_is_no_verdict() {
    let encoder = HashedWords { trap: Some("cursed") };
    let plan = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("all", Presentation::Recommend, &["chat.*"])
        .encoder(Some(std::sync::Arc::new(encoder)));
    let deployment = plan.start().await;
    let agent = Agent::open(&router(&deployment), "all", Style::Session).await;
    let answer = select(&agent, json!({"tasks": ["pin a message", "cursed tomatoes"]})).await;
    assert_eq!(names(&answer["results"][0])[0], "chat.pin_message");
    let expected = json!({"task": "cursed tomatoes", "suggestions": [], "empty_reason": "unavailable"});
    assert_eq!(answer["results"][1], expected);
}

/// A9: the URL switch narrows, it never turns recommendation on.
#[tokio::test]
async fn a9_the_url_switch_only_narrows() {
    let plan = Plan::new()
        .server("bulk", &Scripted::new(fillers(40)))
        .gateway("on", Presentation::Recommend, &["bulk.*"])
        .gateway("off", Presentation::Discovery, &["bulk.*"])
        .gateway("many", Presentation::Adaptive, &["bulk.*"]);
    let deployment = plan.start().await;
    let router = router(&deployment);
    for style in STYLES {
        let narrowed = Agent::open(&router, "on?tool_recommendation=false", style).await;
        assert_eq!(narrowed.names().await.len(), 40);
        let ran = narrowed.call("bulk_fill_0001", json!({})).await.result();
        assert_eq!(ran["content"][0]["text"], "fill_0001");
        for gateway in [
            "on?tool_recommendation=true",
            "on?tool_recommendation=",
            "on?other=false",
        ] {
            assert_eq!(
                Agent::open(&router, gateway, style).await.names().await.len(),
                2,
                "{gateway}"
            );
        }
        for gateway in ["off", "many"] {
            for switch in ["true", "false"] {
                let path = format!("{gateway}?tool_recommendation={switch}");
                let listed = Agent::open(&router, &path, style).await.names().await;
                assert_eq!(listed, ["discover_tools", "get_tool_schema", "execute_tool"]);
            }
        }
    }
}
