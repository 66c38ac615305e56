//! What does a search of an agent's whole catalog get?

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{AGENT, FIND, names, publish, published, search};

/// T45: the whole answer, in every spelling of definitions.
#[tokio::test]
async fn t45_the_whole_answer() {
    let gate = published().await;
    for format in [
        None,
        Some("openai"),
        Some("openai-responses"),
        Some("anthropic"),
        Some("gemini"),
        Some("mcp"),
    ] {
        let mut body = search();
        body["limit"] = json!(1);
        body["format"] = json!(format);
        let reply = gate.post(FIND, &body).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        let json = reply.json();
        let name = format!("definitions_{}", format.unwrap_or("default"));
        insta::assert_json_snapshot!(name, json, {".timings.totalMs" => "[ms]", ".tools[].score" => "[score]"});
    }
}

/// T45: a definition for each tool, in the same order.
#[tokio::test]
async fn t45_a_definition_each() {
    let gate = published().await;
    let mut body = search();
    body["limit"] = json!(50);
    let reply = gate.post(FIND, &body).await;
    let json = reply.json();
    let defined: Vec<&str> = json["definitions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names(&reply), defined);
    for tool in json["tools"].as_array().unwrap() {
        assert!(
            ["RETRIEVED", "DEPENDENCY"].contains(&tool["reason"].as_str().unwrap()),
            "{tool}"
        );
    }
}

/// T43: what the model has already is never returned; names that nobody knows are ignored.
#[tokio::test]
async fn t43_exclude() {
    let gate = published().await;
    for exclude in [
        json!(["refund_invoice"]),
        json!(["list_invoices", "list_invoices", "nobody"]),
        json!([]),
    ] {
        let mut body = search();
        body["exclude"] = exclude.clone();
        let names = names(&gate.post(FIND, &body).await);
        for excluded in exclude.as_array().unwrap() {
            assert!(
                !names.iter().any(|name| name == excluded.as_str().unwrap()),
                "{names:?}"
            );
        }
    }
}

/// T44: the limit holds for what was found; lookups come on top.
#[tokio::test]
async fn t44_limit() {
    let gate = published().await;
    for limit in [1, 2, 50] {
        let mut body = search();
        body["limit"] = json!(limit);
        let json = gate.post(FIND, &body).await.json();
        let tools = json["tools"].as_array().unwrap().iter();
        let found = tools.filter(|tool| tool["reason"] == "RETRIEVED").count();
        assert!(found <= limit, "{json}");
    }
}

/// T42: the same roles as for a turn.
#[tokio::test]
async fn t42_roles() {
    let gate = published().await;
    for (roles, open) in [
        (json!(["admin"]), true),
        (json!(["agent"]), false),
        (Value::Null, false),
    ] {
        let body = json!({"agentId": AGENT, "query": "delete a customer for good", "context": {"user": {"roles": roles}}});
        let names = names(&gate.post(FIND, &body).await);
        assert_eq!(names.contains(&"delete_customer".to_owned()), open, "{names:?}");
    }
}

/// T46, E12: where nothing is found the lists are empty.
#[tokio::test]
async fn t46_nothing_found() {
    let gate = published().await;
    publish(&gate, "empty", &json!({"tools": []})).await;
    let reply = gate
        .post(FIND, json!({"agentId": "empty", "query": "anything"}))
        .await;
    assert_eq!(reply.status, StatusCode::OK);
    let json = reply.json();
    assert_eq!((&json["tools"], &json["definitions"]), (&json!([]), &json!([])));
}
