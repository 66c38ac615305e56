//! Which key may ask what, how often, and from where?

use std::num::NonZeroU32;

use axum::http::{HeaderValue, Method, StatusCode, header};
use handpick_front_rest::RateLimit;
use serde_json::{Value, json};

use super::{CONTEXT, FIND, catalog, published, search, turn};
use crate::support::{ADMIN, EXECUTE, Gate, READ, REVOKED, Reply, request};

const COUNTS: &str = "/v1/agents/acme-billing";
const CATALOG: &str = "/v1/agents/acme-billing/catalog";
const GRAPH: &str = "/v1/agents/acme-billing/graph";
const TRACES: &str = "/v1/agents/acme-billing/traces";

/// Every endpoint with a good body, those that only read first and the one that deletes last.
pub fn endpoints() -> [(Method, &'static str, Value); 8] {
    [
        (Method::POST, CONTEXT, turn()),
        (Method::POST, FIND, search()),
        (Method::GET, COUNTS, Value::Null),
        (Method::GET, CATALOG, Value::Null),
        (Method::GET, GRAPH, Value::Null),
        (Method::PUT, CATALOG, catalog()),
        (Method::POST, TRACES, json!([])),
        (Method::DELETE, COUNTS, Value::Null),
    ]
}

async fn send(gate: &Gate, key: Option<&str>, (method, path, body): (Method, &str, Value)) -> Reply {
    gate.send(request(method, path, key, body.to_string())).await
}

/// T2, T3, C4: what each key may do. A key that is good but not for this gets 401 as well.
#[tokio::test]
async fn t3_keys() {
    let gate = published().await;
    for (key, reads, publishes) in [
        (Some(ADMIN), true, true),
        (Some(READ), true, false),
        (Some(EXECUTE), false, false),
        (Some(REVOKED), false, false),
        (Some("hp_wrong"), false, false),
        (None, false, false),
    ] {
        for (number, endpoint) in endpoints().into_iter().enumerate() {
            let allowed = if number < 5 { reads } else { publishes };
            let told = format!("{key:?} {} {}", endpoint.0, endpoint.1);
            let reply = send(&gate, key, endpoint).await;
            assert_eq!(reply.status != StatusCode::UNAUTHORIZED, allowed, "{told}");
            if !allowed {
                let challenge = reply.headers[header::WWW_AUTHENTICATE].to_str().unwrap();
                assert!(challenge.starts_with("Bearer"), "{told}");
                super::refused(&reply, StatusCode::UNAUTHORIZED, told_fields(key));
            }
        }
        super::publish(&gate, super::AGENT, &catalog()).await;
    }
    let reply = send(&gate, Some(READ), (Method::PUT, CATALOG, catalog())).await;
    let told = json!({"error": "this key may not do that: it lacks the `admin` scope"});
    assert_eq!(reply.json(), told);
}

/// The part of a refusal that reads like a field: what is before a colon.
fn told_fields(key: Option<&str>) -> &'static [&'static str] {
    match key {
        None => &["a key is needed"],
        Some(READ | EXECUTE) => &["this key may not do that"],
        Some(_) => &[],
    }
}

/// T4: a key in a query, a cookie or another header is none, and no page of another origin is told anything.
#[tokio::test]
async fn t4_for_servers_alone() {
    let gate = published().await;
    for query in ["token", "access_token", "key", "authorization", "api_key"] {
        let path = format!("{CONTEXT}?{query}={ADMIN}");
        let reply = gate
            .send(request(Method::POST, &path, None, turn().to_string()))
            .await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{query}");
    }
    for (name, value) in [
        ("cookie", "authorization=Bearer hp_admin; token=hp_admin"),
        ("x-api-key", ADMIN),
        ("authorization", "Basic hp_admin"),
        ("authorization", "hp_admin"),
        ("proxy-authorization", "Bearer hp_admin"),
    ] {
        let mut request = request(Method::POST, CONTEXT, None, turn().to_string());
        request
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
        assert_eq!(
            gate.send(request).await.status,
            StatusCode::UNAUTHORIZED,
            "{name}"
        );
    }
    for endpoint in endpoints() {
        let mut request = request(endpoint.0, endpoint.1, Some(ADMIN), endpoint.2.to_string());
        let origin = HeaderValue::from_static("https://page.example");
        request.headers_mut().insert(header::ORIGIN, origin);
        let reply = gate.send(request).await;
        let mut names = reply.headers.keys().map(|name| name.as_str());
        assert!(!names.any(|name| name.starts_with("access-control") || name == "set-cookie"));
    }
}

/// T51: each key has a bucket of its own, and an empty one says for how many seconds to wait.
#[tokio::test]
async fn t51_too_many_requests() {
    let gate = published().await.limited(RateLimit {
        requests_per_second: 0.0002,
        burst: NonZeroU32::new(3).unwrap(),
    });
    for endpoint in endpoints().into_iter().take(3) {
        assert_eq!(send(&gate, Some(READ), endpoint).await.status, StatusCode::OK);
    }
    for endpoint in endpoints().into_iter().take(5) {
        let reply = send(&gate, Some(READ), endpoint).await;
        assert_eq!(reply.status, StatusCode::TOO_MANY_REQUESTS);
        let wait: u64 = reply.headers[header::RETRY_AFTER]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((4_900..=5_000).contains(&wait), "{wait}");
        let told = json!({"error": format!("too many requests with this key; wait {wait} s")});
        assert_eq!(reply.json(), told);
    }
    assert_eq!(
        send(&gate, Some(ADMIN), (Method::GET, COUNTS, Value::Null))
            .await
            .status,
        StatusCode::OK
    );
    // What belongs to no agent is not counted, and keys that are refused have no bucket.
    assert_eq!(gate.get("/v1/tools").await.status, StatusCode::OK);
    for _ in 0..5 {
        let reply = send(&gate, Some("hp_wrong"), (Method::GET, COUNTS, Value::Null)).await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    }
}
