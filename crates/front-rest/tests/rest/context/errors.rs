//! In which order are faults told, and in which shape?

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Method, StatusCode, header};
use serde_json::{Value, json};

use super::keys::endpoints;
use super::{AGENT, CONTEXT, FIND, catalog, published, search, turn};
use crate::support::{ADMIN, Gate, READ, REVOKED, Reply, request};

const CATALOG: &str = "/v1/agents/acme-billing/catalog";
const TRACES: &str = "/v1/agents/acme-billing/traces";

/// Endpoints that take a body: method, path, largest body, a good body.
fn with_bodies() -> [(Method, &'static str, usize, Value); 4] {
    [
        (Method::POST, CONTEXT, 256 << 10, turn()),
        (Method::POST, FIND, 256 << 10, search()),
        (Method::PUT, CATALOG, 8 << 20, catalog()),
        (Method::POST, TRACES, 8 << 20, json!([])),
    ]
}

/// T1, T47: JSON with one member.
#[track_caller]
fn told(reply: &Reply) -> String {
    assert_eq!(reply.headers[header::CONTENT_TYPE], "application/json");
    let json = reply.json();
    assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
    json["error"].as_str().unwrap().to_owned()
}

fn streamed(body: &[u8]) -> Body {
    let chunks: Vec<Bytes> = body.chunks(100_000).map(Bytes::copy_from_slice).collect();
    Body::from_stream(futures_util::stream::iter(
        chunks.into_iter().map(Ok::<_, std::io::Error>),
    ))
}

/// T50: limits are inclusive, and hold with and without a declared length.
#[tokio::test]
async fn t50_body_limits() {
    let gate = published().await;
    for (method, path, limit, good) in with_bodies() {
        for (length, status) in [
            (limit, StatusCode::OK),
            (limit + 1, StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            let mut body = good.to_string();
            body.push_str(&" ".repeat(length - body.len()));
            let mut whole = request(method.clone(), path, Some(ADMIN), body.clone());
            whole
                .headers_mut()
                .insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            let whole = gate.send(whole).await;
            let parts = request(method.clone(), path, Some(ADMIN), streamed(body.as_bytes()));
            let parts = gate.send(parts).await;
            for reply in [&whole, &parts] {
                assert_eq!(reply.status, status, "{path} {length}");
                if status == StatusCode::PAYLOAD_TOO_LARGE {
                    assert_eq!(told(reply), format!("the body must be at most {limit} bytes"));
                }
            }
        }
    }
    for (method, path, _) in endpoints()
        .into_iter()
        .filter(|(method, ..)| method != Method::PUT && method != Method::POST)
    {
        let body = vec![b' '; (256 << 10) + 1];
        let reply = gate
            .send(request(method, path, Some(ADMIN), streamed(&body)))
            .await;
        assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
    }
}

/// A body that is declared too large is not waited for where its sender asked for leave to send it.
#[tokio::test]
async fn t50_leave_to_send_is_not_given() {
    let gate = published().await;
    let never = Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
    let mut request = request(Method::POST, CONTEXT, Some(READ), never);
    for (name, value) in [("expect", "100-continue"), ("content-length", "300000")] {
        request
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    assert_eq!(gate.send(request).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

/// T1, T48, E7, E20: what is no JSON, or too deep.
#[tokio::test]
async fn e7_malformed_bodies() {
    let gate = published().await;
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let deep = nested(129);
    let deeper = nested(100_000);
    let cases: &[(&[u8], &str)] = &[
        (b"", "the body is empty"),
        (b" \n", "the body is empty"),
        (b"{", "the body is not valid JSON"),
        (b"{'a':1}", "the body is not valid JSON"),
        (b"{} x", "the body is not valid JSON"),
        (b"{\"a\":1e999}", "the body is not valid JSON"),
        (b"{\"a\":\"\\ud800\"}", "the body is not valid JSON"),
        (b"\xff\xfe{\x00}\x00", "the body is not UTF-8"),
        (b"{\"message\":\"\xff\"}", "the body is not UTF-8"),
        (deep.as_bytes(), "the body nests deeper than 128 levels"),
        (deeper.as_bytes(), "the body nests deeper than 128 levels"),
    ];
    for (method, path, ..) in with_bodies() {
        for (body, message) in cases {
            let body = Bytes::copy_from_slice(body);
            let reply = gate.send(request(method.clone(), path, Some(ADMIN), body)).await;
            assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{message}");
            assert!(told(&reply).starts_with(message), "{}", reply.text);
        }
    }
    let levels = nested(127);
    for (method, path, body) in [
        (
            Method::POST,
            CONTEXT,
            format!(r#"{{"agentId":"{AGENT}","message":"x","z":{levels}}}"#),
        ),
        (
            Method::POST,
            FIND,
            format!(r#"{{"agentId":"{AGENT}","query":"x","z":{levels}}}"#),
        ),
        (Method::PUT, CATALOG, format!(r#"{{"tools":[],"z":{levels}}}"#)),
    ] {
        let reply = gate.ask(method, path, body).await;
        assert_eq!(reply.status, StatusCode::OK, "128 levels pass: {}", reply.text);
    }
}

/// A body that breaks off is its sender's fault, and changes nothing.
#[tokio::test]
async fn a_body_that_breaks_off() {
    let gate = published().await;
    let before = gate.get(CATALOG).await.text;
    for (method, path, ..) in with_bodies() {
        let broken = Body::from_stream(futures_util::stream::iter([
            Ok(Bytes::from_static(b"{\"tools\":[]}")),
            Err(std::io::Error::other("gone")),
        ]));
        let reply = gate.send(request(method, path, Some(ADMIN), broken)).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST);
        assert!(told(&reply).starts_with("the body cannot be read"));
    }
    assert_eq!(gate.get(CATALOG).await.text, before);
}

/// T53: of several faults the first step that finds one answers: key, size, JSON, fields, agent.
#[tokio::test]
async fn t53_faults_are_told_in_order() {
    let gate = Gate::open().await;
    let bad_id = "/v1/agents/a%20b/catalog";
    let unknown = "/v1/agents/nobody/traces";
    let large = " ".repeat((8 << 20) + 1);
    let cases = [
        (None, Method::POST, CONTEXT, large.clone(), 401),
        (Some(REVOKED), Method::PUT, bad_id, large.clone(), 401),
        (Some(READ), Method::PUT, bad_id, large.clone(), 401),
        (Some(READ), Method::POST, CONTEXT, large.clone(), 413),
        (Some(ADMIN), Method::PUT, bad_id, large, 413),
        (Some(ADMIN), Method::POST, unknown, "{".to_owned(), 400),
        (Some(ADMIN), Method::POST, unknown, "[{}]".to_owned(), 400),
        (Some(ADMIN), Method::POST, unknown, "[]".to_owned(), 404),
        (
            Some(READ),
            Method::POST,
            CONTEXT,
            r#"{"agentId":"nobody"}"#.to_owned(),
            400,
        ),
        (
            Some(READ),
            Method::POST,
            CONTEXT,
            r#"{"agentId":"nobody","message":"x"}"#.to_owned(),
            404,
        ),
        (
            Some(READ),
            Method::POST,
            FIND,
            r#"{"agentId":"nobody","query":"x","limit":0}"#.to_owned(),
            400,
        ),
        (
            Some(READ),
            Method::POST,
            FIND,
            r#"{"agentId":"nobody","query":"x"}"#.to_owned(),
            404,
        ),
    ];
    for (key, method, path, body, status) in cases {
        let reply = gate.send(request(method, path, key, body)).await;
        assert_eq!(reply.status.as_u16(), status, "{path} {}", reply.text);
        told(&reply);
    }
    let body = "not json";
    let reply = gate.ask(Method::PUT, bad_id, body).await;
    assert!(
        told(&reply).starts_with("the body is not valid JSON"),
        "JSON before fields"
    );
    let reply = gate.ask(Method::PUT, bad_id, r#"{"tools":[{"name":"a"}]}"#).await;
    super::refused(
        &reply,
        StatusCode::BAD_REQUEST,
        &["agentId", "tools[0].description"],
    );
}

/// T49, E5: an agent that nobody published.
#[tokio::test]
async fn t49_unknown_agents() {
    let gate = Gate::open().await;
    for (method, path, body) in endpoints() {
        if method == Method::PUT {
            continue;
        }
        let reply = gate.ask(method, path, body).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(reply.text, r#"{"error":"unknown agent: acme-billing"}"#);
    }
}

/// T1: no content type is asked for, and any is taken.
#[tokio::test]
async fn t1_content_types() {
    let gate = published().await;
    for content_type in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("application/json"),
    ] {
        for (method, path, _, good) in with_bodies() {
            let mut request = request(method, path, Some(ADMIN), good.to_string());
            request.headers_mut().remove(header::CONTENT_TYPE);
            if let Some(value) = content_type {
                request
                    .headers_mut()
                    .insert(header::CONTENT_TYPE, HeaderValue::from_static(value));
            }
            let reply = gate.send(request).await;
            assert_eq!(reply.status, StatusCode::OK, "{path} {content_type:?}");
            assert_eq!(reply.headers[header::CONTENT_TYPE], "application/json");
        }
    }
}

/// E21, C3, T47: a wrong method says which is right, and paths that lead nowhere keep to their own shape.
#[tokio::test]
async fn e21_methods_and_paths() {
    let gate = published().await;
    for (method, path, allow) in [
        (Method::GET, CONTEXT, "POST"),
        (Method::PUT, FIND, "POST"),
        (Method::POST, CATALOG, "PUT,GET,HEAD|GET,HEAD,PUT"),
        (Method::DELETE, CATALOG, "PUT,GET,HEAD|GET,HEAD,PUT"),
        (Method::GET, TRACES, "POST"),
        (Method::DELETE, TRACES, "POST"),
        (Method::POST, "/v1/agents/a/graph", "GET,HEAD"),
        (Method::PATCH, "/v1/agents/a", "GET,HEAD,DELETE"),
        (Method::OPTIONS, CONTEXT, "POST"),
    ] {
        let reply = gate.send(request(method, path, None, Body::empty())).await;
        assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        let allowed = reply.headers[header::ALLOW].to_str().unwrap();
        assert!(allow.split('|').any(|allow| allow == allowed), "{path} {allowed}");
        assert!(told(&reply).contains(path));
    }
    for path in [
        "/v1/agents",
        "/v1/agents/",
        "/v1/agents/a/",
        "/v1/agents/a/nothing",
        "/v1/agents/a/catalog/x",
        "/v1/context/",
        "/v1/context/x?y=z",
        "/v1/find-tools/x",
    ] {
        for method in [Method::GET, Method::POST] {
            let reply = gate.send(request(method, path, None, Body::empty())).await;
            assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
            assert!(told(&reply).starts_with("there is no endpoint"), "{path}");
        }
    }
    let elsewhere = gate.get("/v1/contexts").await;
    assert_eq!(elsewhere.json()["name"], "not_found");
    let head = gate.send(request(Method::HEAD, CATALOG, Some(READ), "")).await;
    assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
}
