//! Who is let in, and what becomes of requests that are no MCP at all? (A7, E5, E8, E21, X10)

use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use handpick_domain::Presentation;
use serde_json::json;

use crate::agent::{Agent, Style, post, router, router_with_origins, send};
use crate::deployment::{Deployment, KEY, Plan, Scripted, lab_tools};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

async fn deployment() -> Deployment {
    Plan::new()
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("lab", Presentation::Direct, &["lab.*"])
        .gateway("my team", Presentation::Direct, &["lab.echo"])
        .gateway("größe/x", Presentation::Direct, &["lab.echo"])
        .start()
        .await
}

/// A7: no key, a wrong key and everything that is no bearer key.
#[tokio::test]
async fn a7_without_a_key() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let basic = format!("Basic {KEY}");
    let glued = format!("Bearer{KEY}");
    for authorization in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        basic.as_str(),
        glued.as_str(),
        KEY,
    ] {
        let headers = [("authorization", authorization), ("host", "gate.example:8080")];
        let mut requests = vec![
            post("/mcp/lab", &headers, LIST),
            post("/mcp/unknown", &headers, "{"),
        ];
        for method in [Method::GET, Method::DELETE] {
            let mut request = post("/mcp/lab", &headers, "");
            *request.method_mut() = method;
            requests.push(request);
        }
        for request in requests {
            let path = request.uri().path().to_owned();
            let reply = send(&router, request).await;
            assert_eq!(reply.status, 401, "{authorization} {path}");
            let challenge = format!(
                "Bearer resource_metadata=\"http://gate.example:8080/.well-known/oauth-protected-resource{path}\""
            );
            assert_eq!(reply.header("www-authenticate"), Some(challenge.as_str()));
        }
    }
    let reply = send(&router, post("/mcp/lab", &[("authorization", "")], LIST)).await;
    insta::assert_snapshot!("unauthorized", reply.text);
    for authorization in [format!("bearer {KEY}"), format!("BEARER   {KEY} ")] {
        let reply = send(
            &router,
            post("/mcp/lab", &[("authorization", &authorization)], LIST),
        )
        .await;
        assert_eq!(reply.status, 200, "{authorization}");
    }
}

/// A7: what is echoed into the challenge cannot break out of it.
#[tokio::test]
async fn a7_challenges_are_well_formed() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for (path, host) in [
        ("/mcp/a%22b%5C,%20x=%22y", "gate.example"),
        ("/mcp/lab", "evil\", realm=\"x"),
        ("/mcp/gr%C3%B6%C3%9Fe%2Fx", "[::1]:80"),
        ("/mcp/%0d%0aset-cookie:x", "gate.example"),
    ] {
        let reply = send(
            &router,
            post(path, &[("authorization", ""), ("host", host)], LIST),
        )
        .await;
        let challenge = reply.header("www-authenticate").unwrap_or_default();
        let url = challenge
            .strip_prefix("Bearer resource_metadata=\"")
            .and_then(|rest| rest.strip_suffix('"'))
            .unwrap_or_else(|| panic!("{challenge}"));
        let odd = |c: char| c == '"' || c == '\\' || !c.is_ascii_graphic();
        assert!(!url.contains(odd), "{challenge}");
    }
}

/// A7: the document behind the challenge.
#[tokio::test]
async fn a7_protected_resource() {
    let deployment = deployment().await;
    let request = Request::get("/.well-known/oauth-protected-resource/mcp/my%20team")
        .header("host", "gate.example")
        .body(Body::empty())
        .unwrap();
    let reply = send(&router(&deployment), request).await;
    assert_eq!(
        reply.json(),
        json!({"resource": "http://gate.example/mcp/my%20team", "bearer_methods_supported": ["header"]})
    );
}

/// E5: gateways are named in the path, in any script; unknown ones are 404.
#[tokio::test]
async fn e5_gateway_names() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for path in [
        "/mcp/lab",
        "/mcp/l%61b",
        "/mcp/my%20team",
        "/mcp/gr%C3%B6%C3%9Fe%2Fx",
    ] {
        assert_eq!(send(&router, post(path, &[], LIST)).await.status, 200, "{path}");
    }
    for query in ["?", "?%FF=%00&&&=", "?tool_recommendation", "?a=%ZZ&a=2"] {
        let path = format!("/mcp/lab{query}");
        assert_eq!(send(&router, post(&path, &[], LIST)).await.status, 200, "{path}");
    }
    for path in [
        "/mcp/LAB",
        "/mcp/lab%00",
        "/mcp/..%2Flab",
        "/mcp/%20lab",
        "/mcp/my+team",
    ] {
        let reply = send(&router, post(path, &[], LIST)).await;
        assert_eq!(reply.status, 404, "{path}");
        assert_eq!(reply.error().0, -32600);
    }
    for (path, status) in [
        ("/mcp/%FF", 400),
        ("/mcp", 404),
        ("/mcp/", 404),
        ("/mcp/lab/x", 404),
    ] {
        assert_eq!(
            send(&router, post(path, &[], LIST)).await.status,
            status,
            "{path}"
        );
    }
}

/// X10: browsers are let in from loopback and from listed origins only.
#[tokio::test]
async fn x10_origins() {
    let deployment = deployment().await;
    let router = router_with_origins(&deployment, &["https://portal.example"]);
    for (origin, status) in [
        ("", 200),
        ("http://localhost:6274", 200),
        ("https://127.0.0.1", 200),
        ("http://[::1]:3000", 200),
        ("https://portal.example", 200),
        ("https://portal.example:444", 403),
        ("https://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("http://localhost:3000@evil.example", 403),
        ("http://[::1].evil.example", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("null", 403),
        ("file://", 403),
    ] {
        for method in [Method::POST, Method::GET, Method::DELETE] {
            let mut request = post("/mcp/lab", &[("origin", origin)], LIST);
            *request.method_mut() = method.clone();
            let reply = send(&router, request).await;
            let expected = if status == 200 && method != Method::POST {
                405
            } else {
                status
            };
            assert_eq!(reply.status, expected, "{method} {origin}");
        }
    }
    let stranger = [("origin", "https://evil.example"), ("authorization", "")];
    let reply = send(&router, post("/mcp/lab", &stranger, LIST)).await;
    assert_eq!(reply.status, 403, "nothing is told about keys");
    assert!(reply.header("www-authenticate").is_none());
}

/// E21: other methods.
#[tokio::test]
async fn e21_other_methods() {
    let deployment = deployment().await;
    for method in [Method::PUT, Method::PATCH, Method::OPTIONS] {
        let mut request = post("/mcp/lab", &[], LIST);
        *request.method_mut() = method.clone();
        let reply = send(&router(&deployment), request).await;
        assert_eq!(reply.status, 405, "{method}");
        let allow = reply.header("allow").unwrap();
        assert!(
            ["GET", "POST", "DELETE"].iter().all(|one| allow.contains(one)),
            "{allow}"
        );
    }
}

/// A41: the body must say that it is JSON.
#[tokio::test]
async fn a41_media_types() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for (media, status) in [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ("Application/JSON ;charset=UTF-8", 200),
        ("", 415),
        ("text/plain", 415),
        ("application/jsonp", 415),
        ("application/x-www-form-urlencoded", 415),
        ("text/plain; application/json", 415),
    ] {
        let reply = send(&router, post("/mcp/lab", &[("content-type", media)], LIST)).await;
        assert_eq!(reply.status, status, "{media}");
    }
}

fn sized(bytes: usize) -> Bytes {
    let mut body = LIST.as_bytes().to_vec();
    body.resize(bytes, b' ');
    body.into()
}

/// E8: 8 MiB pass and one byte more does not, whether or not the length is announced.
#[tokio::test]
async fn e8_large_bodies() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let limit = 8 * 1024 * 1024;
    for (bytes, status) in [(limit, 200), (limit + 1, 413)] {
        let length = bytes.to_string();
        let announced = post("/mcp/lab", &[("content-length", &length)], sized(bytes));
        assert_eq!(send(&router, announced).await.status, status, "{bytes} announced");
        let chunks: Vec<Result<Bytes, std::io::Error>> = sized(bytes)
            .chunks(1 << 20)
            .map(|chunk| Ok(Bytes::copy_from_slice(chunk)))
            .collect();
        let streamed = post(
            "/mcp/lab",
            &[],
            Body::from_stream(futures_util::stream::iter(chunks)),
        );
        let reply = send(&router, streamed).await;
        assert_eq!(reply.status, status, "{bytes} streamed");
    }
    let lying = post("/mcp/lab", &[("content-length", "99999999999")], sized(100));
    assert_eq!(
        send(&router, lying).await.status,
        413,
        "refused before it is read"
    );
}

/// A body that breaks off is not too large.
#[tokio::test]
async fn e8_a_body_that_breaks_off() {
    let deployment = deployment().await;
    let broken: Vec<Result<Bytes, std::io::Error>> =
        vec![Ok(Bytes::from_static(b"{")), Err(std::io::Error::other("gone"))];
    let request = post(
        "/mcp/lab",
        &[],
        Body::from_stream(futures_util::stream::iter(broken)),
    );
    assert_eq!(send(&router(&deployment), request).await.status, 400);
}

/// A7: whom a call is made for is taken from the header, in any script, and lands in the record.
#[tokio::test]
async fn a7_the_end_user_of_a_call() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lab_echo"}}"#;
    for (header, expected) in [
        (&b"u-1"[..], Some("u-1")),
        ("josé@exämple".as_bytes(), Some("josé@exämple")),
        (b"  ", None),
    ] {
        let mut request = post("/mcp/lab", &[], call);
        request
            .headers_mut()
            .insert("arcade-user-id", header.try_into().unwrap());
        assert_eq!(send(&router, request).await.status, 200);
        let last = deployment.new_calls().await.pop().unwrap();
        assert_eq!(last.user_id.as_deref(), expected);
    }
    let mut garbage = post("/mcp/lab", &[], call);
    garbage
        .headers_mut()
        .insert("arcade-user-id", b"\xff\xfe"[..].try_into().unwrap());
    let reply = send(&router, garbage).await;
    assert_eq!(reply.status, 400, "a user nobody can read is not nobody");
    assert!(deployment.new_calls().await.is_empty());
}

/// Two keys of one process, one revoked: it is out at once, sessions included.
#[tokio::test]
async fn a7_a_revoked_key_is_out() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let agent = Agent::open_as(&router, "lab", Style::Session, crate::deployment::READ_KEY).await;
    assert_eq!(agent.ask("tools/list", json!({})).await.status, 200);
    let runtime = &deployment.runtime;
    runtime
        .store
        .key_revoke(crate::deployment::READ_KEY, 1)
        .await
        .unwrap();
    runtime.keys.refresh(&runtime.store).await.unwrap();
    assert_eq!(agent.ask("tools/list", json!({})).await.status, 401);
}
