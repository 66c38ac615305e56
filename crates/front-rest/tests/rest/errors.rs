//! What does a program get for a request that is wrong?

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use serde_json::{Value, json};

use crate::support::{ADMIN, EXECUTE, Gate, READ, REVOKED, request};

const SELECT: &str = "/v1/tools/select";
const SEARCH: &str = "/v1/tools/search";
const EXECUTE_PATH: &str = "/v1/tools/execute";

/// A body that each endpoint answers with 200.
fn good(path: &str) -> Value {
    match path {
        SELECT => json!({"tasks": ["ticket"], "user_id": "u"}),
        SEARCH => json!({"query": "ticket", "user_id": "u"}),
        _ => json!({"tool_name": "odd.prose", "user_id": "u"}),
    }
}

/// A67, E1, E3, E4, E6: every rule, and every wrong field of a request at once. Each line is a body and the
/// fields that are refused.
#[tokio::test]
async fn a67_field_errors() {
    let gate = Gate::open().await;
    let fifty_one = vec!["x"; 51];
    let cases: &[(&str, Value, &[&str])] = &[
        // A38, A66: the end user.
        (SELECT, json!({"tasks": ["x"]}), &["user_id"]),
        (SELECT, json!({"tasks": ["x"], "user_id": null}), &["user_id"]),
        (SELECT, json!({"tasks": ["x"], "user_id": " "}), &["user_id"]),
        (SELECT, json!({"tasks": ["x"], "user_id": 7}), &["user_id"]),
        (SEARCH, json!({"query": "x"}), &["user_id"]),
        (EXECUTE_PATH, json!({"tool_name": "odd.echo"}), &["user_id"]),
        // A42, E1, E2, E3, E6: tasks.
        (SELECT, json!({"user_id": "u"}), &["tasks"]),
        (SELECT, json!({"user_id": "u", "tasks": null}), &["tasks"]),
        (SELECT, json!({"user_id": "u", "tasks": []}), &["tasks"]),
        (SELECT, json!({"user_id": "u", "tasks": "x"}), &["tasks"]),
        (SELECT, json!({"user_id": "u", "tasks": {"0": "x"}}), &["tasks"]),
        (SELECT, json!({"user_id": "u", "tasks": fifty_one}), &["tasks"]),
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x", " ", 3, null]}),
            &["tasks[1]", "tasks[2]", "tasks[3]"],
        ),
        // A43, E4: counts.
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "top_k": 0}),
            &["top_k"],
        ),
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "top_k": -3}),
            &["top_k"],
        ),
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "top_k": 2.5}),
            &["top_k"],
        ),
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "top_k": "3"}),
            &["top_k"],
        ),
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "top_k": true}),
            &["top_k"],
        ),
        (
            SEARCH,
            json!({"user_id": "u", "query": "x", "top_k": 0}),
            &["top_k"],
        ),
        // A44: gateways.
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "gateway_id": ""}),
            &["gateway_id"],
        ),
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "gateway_id": 1}),
            &["gateway_id"],
        ),
        (
            SEARCH,
            json!({"user_id": "u", "query": "x", "gateway_id": " "}),
            &["gateway_id"],
        ),
        // A12 and `explain`.
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "context": ["x"]}),
            &["context"],
        ),
        (
            SELECT,
            json!({"user_id": "u", "tasks": ["x"], "explain": "yes"}),
            &["explain"],
        ),
        // A51: queries.
        (SEARCH, json!({"user_id": "u"}), &["query"]),
        (SEARCH, json!({"user_id": "u", "query": "\t"}), &["query"]),
        (SEARCH, json!({"user_id": "u", "query": ["x"]}), &["query"]),
        // A25, A60: tools and their arguments.
        (EXECUTE_PATH, json!({"user_id": "u"}), &["tool_name"]),
        (
            EXECUTE_PATH,
            json!({"user_id": "u", "tool_name": 7}),
            &["tool_name"],
        ),
        (
            EXECUTE_PATH,
            json!({"user_id": "u", "tool_name": "odd.echo", "input": [1]}),
            &["input"],
        ),
        (
            EXECUTE_PATH,
            json!({"user_id": "u", "tool_name": "odd.echo", "input": "x"}),
            &["input"],
        ),
        // All at once.
        (
            SELECT,
            json!({"tasks": [""], "top_k": 0, "gateway_id": "", "context": 1, "explain": 1}),
            &["tasks[0]", "context", "user_id", "gateway_id", "top_k", "explain"],
        ),
        (
            EXECUTE_PATH,
            json!({"tool_name": "nodot", "input": 1, "run_at": 1}),
            &["tool_name", "input", "user_id", "run_at"],
        ),
    ];
    for (path, body, fields) in cases {
        let reply = gate.post(path, body).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{body}");
        let json = reply.json();
        assert_eq!(json["name"], "malformed_request", "{body}");
        let errors = json["field_errors"].as_array().unwrap();
        let named: Vec<&str> = errors
            .iter()
            .map(|error| error["field"].as_str().unwrap())
            .collect();
        assert_eq!(&named, fields, "{body}");
        for error in errors {
            assert!(!error["message"].as_str().unwrap().is_empty());
        }
    }
}

/// A67: the whole body of a refusal.
#[tokio::test]
async fn a67_the_whole_body() {
    let gate = Gate::open().await;
    let reply = gate.post(SELECT, json!({"tasks": ["x", ""], "top_k": 0})).await;
    insta::assert_json_snapshot!(reply.json());
}

/// E9: `null` is absent, and unknown fields are ignored.
#[tokio::test]
async fn e9_null_and_unknown_fields() {
    let gate = Gate::open().await;
    for path in [SELECT, SEARCH, EXECUTE_PATH] {
        let mut body = good(path);
        for field in [
            "context",
            "gateway_id",
            "top_k",
            "explain",
            "input",
            "query_id",
            "run_at",
        ] {
            body[field] = Value::Null;
        }
        body["tool_version"] = json!({"any": ["thing"]});
        assert_eq!(gate.post(path, &body).await.status, StatusCode::OK, "{path}");
    }
}

/// E7, E20: bodies that are no JSON object are refused as a whole, without field errors.
#[tokio::test]
async fn e7_malformed_bodies() {
    let gate = Gate::open().await;
    let nested = |levels: usize| {
        let inner = levels - 1;
        format!(
            r#"{{"tasks":["x"],"query":"x","tool_name":"odd.prose","user_id":"u","z":{}{}}}"#,
            "[".repeat(inner),
            "]".repeat(inner)
        )
    };
    let deep = nested(129);
    let cases: &[(&[u8], &str)] = &[
        (b"", "the body is empty"),
        (b" \n", "the body is empty"),
        (b"{", "the body is not valid JSON"),
        (b"{'a':1}", "the body is not valid JSON"),
        (b"{} x", "the body is not valid JSON"),
        (b"{\"user_id\":\"\xff\"}", "the body is not UTF-8"),
        (b"[]", "the body must be a JSON object"),
        (b"\"{}\"", "the body must be a JSON object"),
        (b"null", "the body must be a JSON object"),
        (b"7", "the body must be a JSON object"),
        (deep.as_bytes(), "the body nests deeper than 128 levels"),
    ];
    for path in [SELECT, SEARCH, EXECUTE_PATH] {
        for (body, message) in cases {
            let reply = gate.post_with(ADMIN, path, Bytes::copy_from_slice(body)).await;
            assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{message}");
            let json = reply.json();
            assert_eq!(json["name"], "malformed_request");
            assert!(json["message"].as_str().unwrap().starts_with(message), "{json}");
            assert!(json.get("field_errors").is_none(), "{json}");
        }
        assert_eq!(
            gate.post(path, nested(128)).await.status,
            StatusCode::OK,
            "E20: 128 levels pass"
        );
    }
}

/// E8: limits are inclusive, and hold with and without a declared length.
#[tokio::test]
async fn e8_body_limits() {
    let gate = Gate::open().await;
    for (path, limit) in [(SELECT, 1 << 20), (SEARCH, 1 << 20), (EXECUTE_PATH, 8 << 20)] {
        for (length, status) in [
            (limit, StatusCode::OK),
            (limit + 1, StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            let mut body = good(path).to_string();
            body.push_str(&" ".repeat(length - body.len()));
            let declared = gate
                .send({
                    let mut request = request(Method::POST, path, Some(ADMIN), body.clone());
                    let value = HeaderValue::from(length);
                    request.headers_mut().insert(header::CONTENT_LENGTH, value);
                    request
                })
                .await;
            assert_eq!(declared.status, status, "{path} {length}");
            let chunks: Vec<_> = body
                .into_bytes()
                .chunks(100_000)
                .map(Bytes::copy_from_slice)
                .collect();
            let streamed = Body::from_stream(futures_of(chunks));
            let undeclared = gate.post_with(ADMIN, path, streamed).await;
            assert_eq!(undeclared.status, status, "{path} {length} without a length");
            if status == StatusCode::PAYLOAD_TOO_LARGE {
                assert_eq!(declared.json(), undeclared.json());
                assert_eq!(declared.json()["name"], "payload_too_large");
            }
        }
    }
}

fn futures_of(
    chunks: Vec<Bytes>,
) -> impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static {
    futures_util::stream::iter(chunks.into_iter().map(Ok))
}

/// A body that breaks off is the sender's fault, not a matter of size.
#[tokio::test]
async fn a_body_that_breaks_off() {
    let gate = Gate::open().await;
    let broken = Body::from_stream(futures_util::stream::iter([
        Ok(Bytes::from_static(b"{")),
        Err(std::io::Error::other("gone")),
    ]));
    let reply = gate.post_with(ADMIN, SELECT, broken).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    assert_eq!(reply.json()["name"], "malformed_request");
}

/// A38, A41: keys.
#[tokio::test]
async fn a41_keys() {
    let gate = Gate::open().await;
    for authorization in [
        None,
        Some("hp_admin"),
        Some("Bearer"),
        Some("Bearer "),
        Some("Bearer hp_wrong"),
        Some("Basic hp_admin"),
        Some("Bearer hp_revoked"),
    ] {
        for path in [SELECT, SEARCH, EXECUTE_PATH] {
            let mut request = request(Method::POST, path, None, good(path).to_string());
            if let Some(value) = authorization {
                request
                    .headers_mut()
                    .insert(header::AUTHORIZATION, HeaderValue::from_static(value));
            }
            let reply = gate.send(request).await;
            assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{authorization:?}");
            assert_eq!(reply.json()["name"], "unauthorized");
            assert!(
                reply.headers[header::WWW_AUTHENTICATE]
                    .to_str()
                    .unwrap()
                    .starts_with("Bearer")
            );
        }
    }
    for authorization in ["bearer hp_admin", "BEARER  hp_admin "] {
        let mut request = request(Method::POST, SELECT, None, good(SELECT).to_string());
        request
            .headers_mut()
            .insert(header::AUTHORIZATION, HeaderValue::from_static(authorization));
        assert_eq!(gate.send(request).await.status, StatusCode::OK, "{authorization}");
    }
}

/// C4: scopes. `admin` implies the others.
#[tokio::test]
async fn c4_scopes() {
    let gate = Gate::open().await;
    for (path, key, status) in [
        (SELECT, READ, StatusCode::OK),
        (SEARCH, READ, StatusCode::OK),
        (EXECUTE_PATH, READ, StatusCode::FORBIDDEN),
        (SELECT, EXECUTE, StatusCode::FORBIDDEN),
        (SEARCH, EXECUTE, StatusCode::FORBIDDEN),
        (EXECUTE_PATH, EXECUTE, StatusCode::OK),
        (SELECT, ADMIN, StatusCode::OK),
        (EXECUTE_PATH, ADMIN, StatusCode::OK),
    ] {
        let reply = gate.post_with(key, path, good(path).to_string()).await;
        assert_eq!(reply.status, status, "{path} {key}");
        if status == StatusCode::FORBIDDEN {
            assert_eq!(reply.json()["name"], "forbidden");
        }
    }
}

/// A41: only JSON.
#[tokio::test]
async fn a41_content_types() {
    let gate = Gate::open().await;
    for (content_type, status) in [
        (Some("application/json"), StatusCode::OK),
        (Some("Application/JSON; charset=utf-8"), StatusCode::OK),
        (Some("text/plain"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (
            Some("application/x-www-form-urlencoded"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (Some("application/jsonp"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (None, StatusCode::UNSUPPORTED_MEDIA_TYPE),
    ] {
        let mut request = request(Method::POST, SELECT, Some(ADMIN), good(SELECT).to_string());
        let headers: &mut HeaderMap = request.headers_mut();
        headers.remove(header::CONTENT_TYPE);
        if let Some(value) = content_type {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(value));
        }
        let reply = gate.send(request).await;
        assert_eq!(reply.status, status, "{content_type:?}");
        if status != StatusCode::OK {
            assert_eq!(reply.json()["name"], "unsupported_media_type");
        }
    }
}

/// Of several faults the first step that finds one answers: key, scope, size, type, JSON, fields, gateway.
#[tokio::test]
async fn faults_are_told_in_order() {
    let gate = Gate::open().await;
    let too_large = "x".repeat((1 << 20) + 1);
    let unknown_gateway = r#"{"tasks":["x"],"user_id":"u","gateway_id":"nope"}"#;
    let fields_and_gateway = r#"{"tasks":[],"user_id":"u","gateway_id":"nope"}"#;
    for (key, content_type, body, status) in [
        (
            Some(REVOKED),
            "text/plain",
            too_large.as_str(),
            StatusCode::UNAUTHORIZED,
        ),
        (
            Some(EXECUTE),
            "text/plain",
            too_large.as_str(),
            StatusCode::FORBIDDEN,
        ),
        (
            Some(READ),
            "text/plain",
            too_large.as_str(),
            StatusCode::PAYLOAD_TOO_LARGE,
        ),
        (Some(READ), "text/plain", "{", StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (Some(READ), "application/json", "{", StatusCode::BAD_REQUEST),
        (
            Some(READ),
            "application/json",
            fields_and_gateway,
            StatusCode::BAD_REQUEST,
        ),
        (
            Some(READ),
            "application/json",
            unknown_gateway,
            StatusCode::NOT_FOUND,
        ),
    ] {
        let mut request: Request<Body> = request(Method::POST, SELECT, key, body.to_owned());
        request
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        assert_eq!(gate.send(request).await.status, status);
    }
}

/// A44, E5: a gateway that does not exist.
#[tokio::test]
async fn e5_unknown_gateway() {
    let gate = Gate::open().await;
    for path in [SELECT, SEARCH] {
        let mut body = good(path);
        body["gateway_id"] = json!("nope");
        let reply = gate.post(path, &body).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND);
        assert_eq!(
            reply.json(),
            json!({"name": "not_found", "message": "there is no gateway `nope`"})
        );
    }
}

/// A40, E13: a deployment that finds no tools.
#[tokio::test]
async fn a40_no_selection() {
    let gate = Gate::without_selection().await;
    for path in [SELECT, SEARCH] {
        let reply = gate.post(path, good(path)).await;
        assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(reply.json()["name"], "service_unavailable");
    }
}

/// E21: a wrong method says which is right. C3: an unknown path has the same body.
#[tokio::test]
async fn e21_methods_and_paths() {
    let gate = Gate::open().await;
    for (method, path, allow) in [
        (Method::GET, SELECT, "POST"),
        (Method::PUT, SEARCH, "POST"),
        (Method::DELETE, EXECUTE_PATH, "POST"),
        (Method::POST, "/v1/tools", "GET,HEAD"),
        (Method::POST, "/v1/health", "GET,HEAD"),
        (Method::POST, "/v1/status", "GET,HEAD"),
        (Method::POST, "/openapi.json", "GET,HEAD"),
        (Method::PATCH, "/docs", "GET,HEAD"),
    ] {
        let reply = gate.send(request(method, path, None, Body::empty())).await;
        assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(reply.headers[header::ALLOW], allow, "{path}");
        assert_eq!(reply.json()["name"], "method_not_allowed");
    }
    for path in [
        "/v1",
        "/v1/",
        "/v1/tools/",
        "/v1/tools/select/",
        "/v1/tools/selectx",
        "/v1/a/b/c?d=e",
    ] {
        for method in [Method::GET, Method::POST] {
            let reply = gate.send(request(method, path, None, Body::empty())).await;
            assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
            assert_eq!(reply.json()["name"], "not_found");
        }
    }
}
