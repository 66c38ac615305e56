//! Does the OpenAPI document tell the truth?

use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::support::{ADMIN, Gate, request};

/// The document as it is served.
pub async fn served(gate: &Gate) -> Value {
    let reply = gate.send(request(Method::GET, "/openapi.json", None, "")).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.headers[header::CONTENT_TYPE], "application/json");
    reply.json()
}

/// A check of one place of the document, by JSON pointer.
pub struct Contract<'a> {
    pub document: &'a Value,
}

impl Contract<'_> {
    /// What is wrong with a body, by the schema of this response. Schemas are closed first, so that a field
    /// nobody described is wrong too.
    #[track_caller]
    pub fn check_response(&self, path: &str, method: &str, status: StatusCode, body: &Value) {
        let response = &self.document["paths"][path][method]["responses"][status.as_str()];
        assert!(response.is_object(), "{method} {path} does not describe {status}");
        self.check(&response["content"]["application/json"]["schema"], body, true);
    }

    #[track_caller]
    pub fn check(&self, schema: &Value, instance: &Value, closed: bool) {
        let mut components = self.document["components"].clone();
        if closed {
            let schemas = components["schemas"].as_object_mut().unwrap();
            for schema in schemas
                .values_mut()
                .filter(|schema| schema.get("properties").is_some())
            {
                schema["additionalProperties"] = json!(false);
            }
        }
        let whole = json!({"allOf": [schema], "components": components});
        let validator = jsonschema::validator_for(&whole).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(instance)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}\n{instance:#}");
    }
}

/// Every endpoint of the router is described, with the bodies and answers that belong to it.
#[tokio::test]
async fn every_endpoint_is_described() {
    let document = served(&Gate::open().await).await;
    assert_eq!(document["openapi"], "3.1.0");
    let mut described = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let answers: Vec<&String> = operation["responses"].as_object().unwrap().keys().collect();
            described.push(format!("{method} {path} {answers:?}"));
            for told in ["summary", "description", "operationId"] {
                assert!(operation[told].is_string(), "{method} {path} has no {told}");
            }
            let open = path == "/v1/health";
            assert_eq!(
                operation["security"],
                if open { json!([{}]) } else { json!([{"key": []}]) }
            );
        }
    }
    insta::assert_json_snapshot!(described);
}

/// Every field is described, and no description speaks of this repository's own paperwork.
#[tokio::test]
async fn every_field_is_described() {
    let document = served(&Gate::open().await).await;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(schema["description"].is_string(), "{name}");
        for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
            let inner = schema.pointer("/oneOf/0/description");
            assert!(
                schema["description"].is_string() || inner.is_some(),
                "{name}.{field}"
            );
        }
    }
    let text = document.to_string();
    let cites = |text: &str| {
        text.split('(').skip(1).any(|rest| {
            let mut letters = rest.chars();
            letters.next().is_some_and(|c| c.is_ascii_uppercase())
                && letters.next().is_some_and(|c| c.is_ascii_digit())
        })
    };
    assert!(!cites(&text));
}

/// Every example keeps to its schema, and the requests shown are ones the endpoints accept.
#[tokio::test]
async fn examples_are_true() {
    let document = served(&Gate::open().await).await;
    let contract = Contract { document: &document };
    let mut examples = 0;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if let Some(example) = schema.get("example") {
            contract.check(
                &json!({"$ref": format!("#/components/schemas/{name}")}),
                example,
                true,
            );
            examples += 1;
        }
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for response in operation["responses"].as_object().unwrap().values() {
                let content = &response["content"]["application/json"];
                if let Some(example) = content.get("example") {
                    contract.check(&content["schema"], example, true);
                    examples += 1;
                }
            }
            let bodiless = matches!(method.as_str(), "get" | "delete");
            assert_eq!(operation["requestBody"].is_object(), !bodiless, "{method} {path}");
        }
    }
    assert!(examples > 20, "{examples}");
}

/// What the endpoints answer keeps to the schemas, and has no field that is not described.
#[tokio::test]
async fn answers_keep_to_their_schemas() {
    let gate = Gate::open().await;
    let document = served(&gate).await;
    let contract = Contract { document: &document };
    let (select, search, execute) = ("/v1/tools/select", "/v1/tools/search", "/v1/tools/execute");
    let tool = |name: &str| json!({"tool_name": name, "user_id": "u"});
    for (path, body) in [
        (
            select,
            json!({"tasks": ["close ticket", "zzyzx"], "user_id": "u"}),
        ),
        (
            select,
            json!({"tasks": ["close ticket"], "context": "queue", "user_id": "u", "explain": true}),
        ),
        (select, json!({"tasks": []})),
        (
            select,
            json!({"tasks": ["x"], "user_id": "u", "gateway_id": "nope"}),
        ),
        (search, json!({"query": "ticket", "user_id": "u"})),
        (search, json!({})),
        (execute, tool("odd.echo")),
        (execute, tool("odd.prose")),
        (execute, tool("odd.picture")),
        (execute, tool("odd.fail")),
        (execute, tool("odd.refuse")),
        (execute, tool("slow.never")),
        (execute, tool("odd.missing")),
        (execute, tool("desk.close_ticket")),
        (execute, json!({})),
    ] {
        let reply = gate.post(path, &body).await;
        contract.check_response(path, "post", reply.status, &reply.json());
    }
    for path in [select, search, execute] {
        let keyless = gate.send(request(Method::POST, path, None, "{}")).await;
        contract.check_response(path, "post", keyless.status, &keyless.json());
        let too_large = gate.post(path, " ".repeat((8 << 20) + 1)).await;
        contract.check_response(path, "post", too_large.status, &too_large.json());
    }
    for path in ["/v1/health", "/v1/status"] {
        let reply = gate.get(path).await;
        contract.check_response(path, "get", reply.status, &reply.json());
    }
    let without = Gate::without_selection().await;
    let reply = without.post(search, json!({"query": "x", "user_id": "u"})).await;
    contract.check_response(search, "post", reply.status, &reply.json());
    let reply = without.get("/v1/status").await;
    contract.check_response("/v1/status", "get", reply.status, &reply.json());
}

/// The requests that the endpoints accept keep to the schemas, and many that they refuse do not.
#[tokio::test]
async fn requests_keep_to_their_schemas() {
    let gate = Gate::open().await;
    let document = served(&gate).await;
    for (path, body, accepted) in [
        (
            "/v1/tools/select",
            json!({"tasks": ["x"], "user_id": "u", "top_k": 3, "explain": false}),
            true,
        ),
        ("/v1/tools/select", json!({"tasks": [], "user_id": "u"}), false),
        (
            "/v1/tools/select",
            json!({"tasks": ["x"], "user_id": "u", "top_k": 0}),
            false,
        ),
        ("/v1/tools/select", json!({"tasks": ["x"]}), false),
        (
            "/v1/tools/search",
            json!({"query": "x", "user_id": "u", "gateway_id": "plain"}),
            true,
        ),
        ("/v1/tools/search", json!({"user_id": "u"}), false),
        (
            "/v1/tools/execute",
            json!({"tool_name": "odd.echo", "input": {"a": 1}, "user_id": "u"}),
            true,
        ),
        (
            "/v1/tools/execute",
            json!({"tool_name": "odd.echo", "input": [], "user_id": "u"}),
            false,
        ),
    ] {
        let schema = &document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let whole = json!({"allOf": [schema], "components": document["components"]});
        let valid = jsonschema::validator_for(&whole).unwrap().is_valid(&body);
        let answered = gate.post_with(ADMIN, path, body.to_string()).await.status == StatusCode::OK;
        assert_eq!((valid, answered), (accepted, accepted), "{body}");
    }
}

/// The page loads nothing from elsewhere and may not.
#[tokio::test]
async fn the_page_is_self_contained() {
    let gate = Gate::open().await;
    let page = gate.send(request(Method::GET, "/docs", None, "")).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(page.headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
    let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && policy.contains("connect-src 'self'"));
    let addresses: Vec<&str> = page
        .text
        .match_indices("://")
        .map(|(at, _)| page.text[..at].rsplit(['\'', '"', ' ']).next().unwrap())
        .collect();
    assert_eq!(addresses, ["http"], "the namespace of the icon alone");
    for stored in ["localStorage", "sessionStorage", "document.cookie", "innerHTML"] {
        assert!(!page.text.contains(stored), "{stored}");
    }
}
