//! Is every wrong field named, and are right ones let pass?

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{AGENT, CONTEXT, FIND, published, refused, search, turn};

/// `body` with one more field.
fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

/// T5, T22, T28 to T32, E1, E3, E6: every rule of a turn. Each line is a body and the fields that are refused.
#[tokio::test]
async fn t28_fields_of_a_turn() {
    let gate = published().await;
    let history = |message: Value| with(&turn(), "history", json!([message]));
    let call = |call: Value| history(json!({"role": "assistant", "content": "", "toolCalls": [call]}));
    let options = |options: Value| with(&turn(), "options", options);
    let context = |context: Value| with(&turn(), "context", context);
    let cases: &[(Value, &[&str])] = &[
        (json!({}), &["agentId", "message"]),
        (json!({"agentId": null, "message": null}), &["agentId", "message"]),
        (json!({"agentId": 7, "message": ["x"]}), &["agentId", "message"]),
        (
            json!({"agentId": " ", "message": " \t\n"}),
            &["agentId", "message"],
        ),
        // T5: ids.
        (json!({"agentId": "a b", "message": "x"}), &["agentId"]),
        (json!({"agentId": "ä", "message": "x"}), &["agentId"]),
        (json!({"agentId": "x".repeat(129), "message": "x"}), &["agentId"]),
        // T22: history.
        (with(&turn(), "history", json!({})), &["history"]),
        (with(&turn(), "history", json!("x")), &["history"]),
        (history(json!("hello")), &["history[0]"]),
        (
            history(json!({"role": "system", "content": "x"})),
            &["history[0].role"],
        ),
        (history(json!({"content": "x"})), &["history[0].role"]),
        (history(json!({"role": "user"})), &["history[0].content"]),
        (
            history(json!({"role": "user", "content": 1})),
            &["history[0].content"],
        ),
        (
            history(json!({"role": "assistant", "content": "x", "toolCalls": {}})),
            &["history[0].toolCalls"],
        ),
        (call(json!(7)), &["history[0].toolCalls[0]"]),
        (call(json!({"arguments": {}})), &["history[0].toolCalls[0].name"]),
        (
            call(json!({"name": "x", "arguments": "{}"})),
            &["history[0].toolCalls[0].arguments"],
        ),
        (
            call(json!({"name": "x", "result": {"a": 1}})),
            &["history[0].toolCalls[0].result"],
        ),
        // T29, T30: who asks, and from where.
        (context(json!("x")), &["context"]),
        (context(json!([])), &["context"]),
        (context(json!({"user": "dana"})), &["context.user"]),
        (
            context(json!({"user": {"roles": "admin"}})),
            &["context.user.roles"],
        ),
        (
            context(json!({"user": {"roles": ["a", 1, null]}})),
            &["context.user.roles[1]", "context.user.roles[2]"],
        ),
        (context(json!({"page": []})), &["context.page"]),
        (
            context(json!({"page": {"url": 1, "title": {}}})),
            &["context.page.url", "context.page.title"],
        ),
        // T31, T32: options.
        (options(json!(8)), &["options"]),
        (options(json!({"maxTools": -1})), &["options.maxTools"]),
        (options(json!({"maxTools": 51})), &["options.maxTools"]),
        (options(json!({"maxTools": 3.5})), &["options.maxTools"]),
        (options(json!({"maxTools": "5"})), &["options.maxTools"]),
        (options(json!({"maxTools": true})), &["options.maxTools"]),
        (options(json!({"maxTools": 1e300})), &["options.maxTools"]),
        (
            options(json!({"includePrompt": "no"})),
            &["options.includePrompt"],
        ),
        // T48: all at once.
        (
            json!({"message": "", "history": [1], "context": {"user": 1, "page": 1}, "options": {"maxTools": 99}}),
            &[
                "agentId",
                "message",
                "history[0]",
                "context.user",
                "context.page",
                "options.maxTools",
            ],
        ),
    ];
    for (body, fields) in cases {
        let reply = gate.post(CONTEXT, body).await;
        refused(&reply, StatusCode::BAD_REQUEST, fields);
    }
}

/// T42 to T45, E1, E6: every rule of a search.
#[tokio::test]
async fn t43_fields_of_a_search() {
    let gate = published().await;
    let cases: &[(Value, &[&str])] = &[
        (json!({}), &["agentId", "query"]),
        (json!({"agentId": "a/b", "query": " "}), &["agentId", "query"]),
        (with(&search(), "query", json!(["x"])), &["query"]),
        (with(&search(), "exclude", json!("x")), &["exclude"]),
        (with(&search(), "exclude", json!(["x", 1])), &["exclude[1]"]),
        (with(&search(), "limit", json!(0)), &["limit"]),
        (with(&search(), "limit", json!(51)), &["limit"]),
        (with(&search(), "limit", json!(-1)), &["limit"]),
        (with(&search(), "limit", json!(1.5)), &["limit"]),
        (with(&search(), "limit", json!("3")), &["limit"]),
        (with(&search(), "context", json!(1)), &["context"]),
        (
            with(&search(), "context", json!({"user": {"roles": [1]}})),
            &["context.user.roles[0]"],
        ),
        (with(&search(), "format", json!(1)), &["format"]),
        (with(&search(), "format", json!("OpenAI")), &["format"]),
    ];
    for (body, fields) in cases {
        let reply = gate.post(FIND, body).await;
        refused(&reply, StatusCode::BAD_REQUEST, fields);
    }
}

/// T9, T10, T17, E3, E6, E17: every rule of a catalog. Nothing is stored of one that breaks a rule.
#[tokio::test]
async fn t17_fields_of_a_catalog() {
    let gate = published().await;
    let before = gate.get("/v1/agents/acme-billing/catalog").await.text;
    let good = json!({"name": "t", "description": "d"});
    let tool = |field: &str, value: Value| json!({"tools": [with(&good, field, value)]});
    let parameter = |parameter: Value| tool("parameters", json!([parameter]));
    let cases: &[(Value, &[&str])] = &[
        (json!([]), &["body"]),
        (json!("x"), &["body"]),
        (json!({}), &["tools"]),
        (json!({"tools": null}), &["tools"]),
        (json!({"tools": {}}), &["tools"]),
        (json!({"tools": [1]}), &["tools[0]"]),
        (json!({"tools": [{}]}), &["tools[0].name", "tools[0].description"]),
        (tool("name", json!(" ")), &["tools[0].name"]),
        (tool("name", json!(7)), &["tools[0].name"]),
        (tool("name", json!("a\u{7}b")), &["tools[0].name"]),
        (tool("description", json!("")), &["tools[0].description"]),
        (tool("displayName", json!(1)), &["tools[0].displayName"]),
        (tool("parameters", json!({})), &["tools[0].parameters"]),
        (parameter(json!("x")), &["tools[0].parameters[0]"]),
        (parameter(json!({})), &["tools[0].parameters[0].name"]),
        (
            parameter(json!({"name": "p", "required": "yes"})),
            &["tools[0].parameters[0].required"],
        ),
        (
            parameter(json!({"name": "p", "dataType": 1})),
            &["tools[0].parameters[0].dataType"],
        ),
        (tool("examples", json!("x")), &["tools[0].examples"]),
        (tool("examples", json!(["x", 1])), &["tools[0].examples[1]"]),
        (tool("examples", json!(vec!["x"; 101])), &["tools[0].examples"]),
        (tool("produces", json!([1])), &["tools[0].produces[0]"]),
        (tool("core", json!("true")), &["tools[0].core"]),
        (tool("requiredRoles", json!("admin")), &["tools[0].requiredRoles"]),
        (json!({"tools": [good, good]}), &["tools[1].name"]),
        (json!({"tools": vec![good.clone(); 10_001]}), &["tools"]),
    ];
    for (body, fields) in cases {
        for agent in [AGENT, "unheard-of"] {
            let path = format!("/v1/agents/{agent}/catalog");
            let reply = gate.ask(Method::PUT, &path, body).await;
            refused(&reply, StatusCode::BAD_REQUEST, fields);
        }
    }
    assert_eq!(gate.get("/v1/agents/acme-billing/catalog").await.text, before);
    let unheard_of = gate.get("/v1/agents/unheard-of").await;
    assert_eq!(unheard_of.status, StatusCode::NOT_FOUND);
    let duplicate = gate
        .ask(
            Method::PUT,
            "/v1/agents/a/catalog",
            json!({"tools": [good, good]}),
        )
        .await;
    let told = duplicate.json()["error"].as_str().unwrap().to_owned();
    assert!(told.starts_with(r#"tools[1].name: duplicate "t""#), "{told}");
}

/// T18, T20 to T22: every rule of past conversations.
#[tokio::test]
async fn t20_fields_of_traces() {
    let gate = published().await;
    let conversation = |messages: Value| json!([{"id": "c", "messages": messages}]);
    let cases: &[(Value, &[&str])] = &[
        (json!({}), &["body"]),
        (json!({"id": "c", "messages": []}), &["body"]),
        (json!([7]), &["[0]"]),
        (json!([{"messages": []}]), &["[0].id"]),
        (json!([{"id": 7, "messages": []}]), &["[0].id"]),
        (json!([{"id": " ", "messages": []}]), &["[0].id"]),
        (json!([{"id": "c"}]), &["[0].messages"]),
        (conversation(json!("x")), &["[0].messages"]),
        (
            json!([{"id": "a", "messages": []}, {"id": "b", "messages": [{"role": "tool", "content": ""}]}]),
            &["[1].messages[0].role"],
        ),
        (
            conversation(json!([{"role": "assistant", "toolCalls": [{"name": "x", "result": 1}]}])),
            &["[0].messages[0].toolCalls[0].result"],
        ),
    ];
    for (body, fields) in cases {
        let reply = gate.post("/v1/agents/acme-billing/traces", body).await;
        refused(&reply, StatusCode::BAD_REQUEST, fields);
    }
    assert_eq!(gate.get("/v1/agents/acme-billing").await.json()["traces"], 0);
}

/// T7, T10, E9: unknown fields are ignored, and `null` is as good as absent.
#[tokio::test]
async fn e9_null_and_unknown_fields() {
    let gate = published().await;
    let mut body = turn();
    for field in ["history", "context", "options"] {
        body[field] = Value::Null;
    }
    assert_eq!(gate.post(CONTEXT, &body).await.status, StatusCode::OK);
    let body = json!({
        "agentId": AGENT, "message": "x", "further": [1],
        "history": [{"role": "user", "content": "x", "toolCalls": null, "at": 7}],
        "context": {"user": {"roles": null, "name": "Dana", "age": 40}, "page": {"url": null, "zoom": 2}, "tenant": {}},
        "options": {"maxTools": null, "includePrompt": true, "more": "x"}
    });
    assert_eq!(gate.post(CONTEXT, &body).await.status, StatusCode::OK);
    let mut body = search();
    for field in ["exclude", "limit", "context", "format"] {
        body[field] = Value::Null;
    }
    body["further"] = json!({"a": 1});
    assert_eq!(gate.post(FIND, &body).await.status, StatusCode::OK);
    let body = json!({"tools": [{
        "name": "t", "description": "d", "displayName": null, "parameters": null, "examples": null,
        "produces": null, "core": null, "requiredRoles": null, "further": {"a": [1]}
    }], "version": 3});
    let reply = gate.ask(Method::PUT, "/v1/agents/nulls/catalog", &body).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
}

/// T31, T44: the ends of the ranges, and whole numbers however they are written.
#[tokio::test]
async fn t31_t44_ends_of_ranges() {
    let gate = published().await;
    for number in ["0", "1", "50", "50.0", "5e1"] {
        let body = format!(r#"{{"agentId":"{AGENT}","message":"refund","options":{{"maxTools":{number}}}}}"#);
        assert_eq!(gate.post(CONTEXT, body).await.status, StatusCode::OK, "{number}");
    }
    for number in ["1", "50", "2.0"] {
        let body = format!(r#"{{"agentId":"{AGENT}","query":"refund","limit":{number}}}"#);
        assert_eq!(gate.post(FIND, body).await.status, StatusCode::OK, "{number}");
    }
}

/// T45, T48: what is told says what would be right.
#[tokio::test]
async fn t48_what_is_told() {
    let gate = published().await;
    let mut told = Vec::new();
    for (path, body) in [
        (CONTEXT, json!({})),
        (CONTEXT, json!([])),
        (CONTEXT, json!({"agentId": "a b", "message": " "})),
        (
            CONTEXT,
            with(&turn(), "options", json!({"maxTools": 51, "includePrompt": 1})),
        ),
        (
            CONTEXT,
            with(&turn(), "options", json!({"maxTools": "x".repeat(100)})),
        ),
        (
            CONTEXT,
            with(&turn(), "context", json!({"user": {"roles": "admin"}})),
        ),
        (FIND, with(&search(), "limit", json!(0))),
        (FIND, with(&search(), "format", json!("claude"))),
        (FIND, with(&search(), "exclude", json!(vec![1; 25]))),
    ] {
        told.push(gate.post(path, body).await.json()["error"].clone());
    }
    insta::assert_json_snapshot!(told);
}
