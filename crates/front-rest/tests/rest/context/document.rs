//! Does the OpenAPI document tell the truth about the context API?

use std::num::NonZeroU32;

use axum::http::{Method, StatusCode};
use handpick_front_rest::RateLimit;
use serde_json::{Value, json};

use super::keys::endpoints;
use super::{AGENT, published};
use crate::document::{Contract, served};
use crate::support::{ADMIN, Gate, request};

/// The path as the document has it.
fn described(path: &str) -> String {
    path.replace(AGENT, "{agentId}")
}

/// What the endpoints answer keeps to the schemas, and has no field that is not described.
#[tokio::test]
async fn answers_keep_to_their_schemas() {
    let gate = published().await;
    let document = served(&gate).await;
    let contract = Contract { document: &document };
    let check = |method: &Method, path: &str, status: StatusCode, body: &Value| {
        let method = method.as_str().to_lowercase();
        // A catalog comes back with whatever was published in it.
        if !(method == "get" && path.ends_with("/catalog") && status == StatusCode::OK) {
            contract.check_response(&described(path), &method, status, body);
        }
    };
    let empty = Gate::open().await;
    let blocked = gate.limited(RateLimit {
        requests_per_second: 0.001,
        burst: NonZeroU32::MIN,
    });
    assert_eq!(
        blocked.get("/v1/agents/acme-billing").await.status,
        StatusCode::OK
    );
    for (method, path, good) in endpoints() {
        let good = good.to_string();
        let ask = |gate: &Gate, key, body: String| {
            let router = gate.router.clone();
            let gate = Gate {
                router,
                runtime: std::sync::Arc::clone(&gate.runtime),
            };
            let request = request(method.clone(), path, key, body);
            async move { gate.send(request).await }
        };
        let mut replies = vec![
            ask(&gate, None, good.clone()).await,
            ask(&blocked, Some(ADMIN), good.clone()).await,
        ];
        if method != Method::DELETE {
            replies.push(ask(&gate, Some(ADMIN), good.clone()).await);
        }
        if method == Method::PUT || method == Method::POST {
            replies.push(ask(&gate, Some(ADMIN), "7".to_owned()).await);
            replies.push(ask(&gate, Some(ADMIN), " ".repeat((8 << 20) + 1)).await);
        }
        if method != Method::PUT {
            replies.push(ask(&empty, Some(ADMIN), good).await);
        }
        for reply in replies {
            check(&method, path, reply.status, &reply.json());
        }
    }
}

/// The examples of the document are a session that works: publish, teach, ask, search.
#[tokio::test]
async fn the_examples_are_a_session() {
    let gate = Gate::open().await;
    let document = served(&gate).await;
    let example = |name: &str| document["components"]["schemas"][name]["example"].clone();
    let mut counts = Value::Null;
    for (method, path, name) in [
        (Method::PUT, "/v1/agents/acme-billing/catalog", "CatalogRequest"),
        (Method::POST, "/v1/agents/acme-billing/traces", "TracesRequest"),
    ] {
        let reply = gate.ask(method, path, example(name)).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        counts = reply.json();
    }
    assert_eq!(counts, example("AgentCountsResponse"));
    let catalog = gate.get("/v1/agents/acme-billing/catalog").await;
    assert_eq!(catalog.json(), example("CatalogRequest"));
    let graph = gate.get("/v1/agents/acme-billing/graph").await;
    assert_eq!(graph.json(), example("GraphResponse"));
    for (path, name, answer) in [
        (super::CONTEXT, "ContextRequest", "ContextResponse"),
        (super::FIND, "FindToolsRequest", "FindToolsResponse"),
    ] {
        let reply = gate.post(path, example(name)).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        let (reply, example) = (reply.json(), example(answer));
        assert_eq!(reply["agentId"], example["agentId"]);
        let first = |answer: &Value| answer["tools"][0]["name"].clone();
        assert_eq!(first(&reply), first(&example), "{reply}");
        assert_eq!(reply["resolvedParams"], example["resolvedParams"]);
    }
}

/// The requests that the endpoints accept keep to the schemas, and many that they refuse do not.
#[tokio::test]
async fn requests_keep_to_their_schemas() {
    let gate = published().await;
    let document = served(&gate).await;
    let mut cases: Vec<(Method, &str, Value, bool)> = endpoints()
        .into_iter()
        .filter(|(method, ..)| *method == Method::PUT || *method == Method::POST)
        .map(|(method, path, body)| (method, path, body, true))
        .collect();
    let (turn, search) = (super::turn(), super::search());
    let with = |body: &Value, field: &str, value: Value| {
        let mut body = body.clone();
        body[field] = value;
        body
    };
    let (context, find) = (super::CONTEXT, super::FIND);
    let catalog = "/v1/agents/acme-billing/catalog";
    cases.extend([
        (Method::POST, context, json!({"agentId": AGENT}), false),
        (Method::POST, context, with(&turn, "agentId", json!("a b")), false),
        (
            Method::POST,
            context,
            with(&turn, "options", json!({"maxTools": 51})),
            false,
        ),
        (
            Method::POST,
            context,
            with(&turn, "options", json!({"maxTools": 0})),
            true,
        ),
        (
            Method::POST,
            context,
            with(&turn, "history", json!([{"role": "system"}])),
            false,
        ),
        (
            Method::POST,
            context,
            with(&turn, "context", json!({"user": {"roles": ["a"], "x": 1}})),
            true,
        ),
        (Method::POST, find, with(&search, "limit", json!(0)), false),
        (Method::POST, find, with(&search, "format", json!("mcp")), true),
        (
            Method::POST,
            find,
            with(&search, "format", json!("openai-responses")),
            true,
        ),
        (
            Method::POST,
            find,
            with(&search, "format", json!("claude")),
            false,
        ),
        (Method::PUT, catalog, json!({"tools": [{"name": "a"}]}), false),
        (
            Method::PUT,
            catalog,
            json!({"tools": [{"name": "a", "description": "b", "x": 1}]}),
            true,
        ),
        (
            Method::POST,
            "/v1/agents/acme-billing/traces",
            json!([{"messages": []}]),
            false,
        ),
    ]);
    for (method, path, body, accepted) in cases {
        let operation = &document["paths"][described(path)][method.as_str().to_lowercase()];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let whole = json!({"allOf": [schema], "components": document["components"]});
        let valid = jsonschema::validator_for(&whole).unwrap().is_valid(&body);
        let answered = gate.ask(method, path, &body).await.status == StatusCode::OK;
        assert_eq!((valid, answered), (accepted, accepted), "{path} {body}");
        super::publish(&gate, AGENT, &super::catalog()).await;
    }
}
