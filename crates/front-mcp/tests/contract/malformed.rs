//! What becomes of messages that are hardly messages? (E7, E20, X11)

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, Reply, STYLES, Style, post, router, send};
use crate::deployment::{Deployment, Plan, Scripted, lab_tools, tool};

async fn deployment() -> (Deployment, Router, std::sync::Arc<Scripted>) {
    let mut tools = lab_tools();
    tools.push(tool("读取 файл", "Read a file by an odd name."));
    tools.push(tool("nul\u{0}led", "Has a NUL in its name."));
    let lab = Scripted::new(tools);
    let deployment = Plan::new()
        .server("lab", &lab)
        .gateway("lab", Presentation::Direct, &["lab.*"])
        .start()
        .await;
    let router = router(&deployment);
    (deployment, router, lab)
}

async fn sent(router: &Router, body: impl Into<axum::body::Body>) -> Reply {
    send(router, post("/mcp/lab", &[], body)).await
}

/// E7, X11: what is no JSON is a parse error, what is no request an invalid request, both HTTP 400, and
/// the id comes back where there is one.
#[tokio::test]
async fn e7_what_is_no_request() {
    let (deployment, router, _) = deployment().await;
    for (body, code, id) in [
        ("", -32700, json!(null)),
        (" \n\t", -32700, json!(null)),
        ("{", -32700, json!(null)),
        ("nonsense", -32700, json!(null)),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#,
            -32700,
            json!(null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            -32700,
            json!(null),
        ),
        ("\u{feff}{}", -32700, json!(null)),
        ("[]", -32600, json!(null)),
        (r#"["2.0",1,"ping"]"#, -32600, json!(null)),
        (r#"["2.0",1,"ping","#, -32700, json!(null)),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            -32600,
            json!(null),
        ),
        (" \n [1]", -32600, json!(null)),
        ("5", -32600, json!(null)),
        ("null", -32600, json!(null)),
        (r#""ping""#, -32600, json!(null)),
        ("{}", -32600, json!(null)),
        (r#"{"jsonrpc":"2.0","id":7}"#, -32600, json!(7)),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32600, json!(7)),
        (r#"{"jsonrpc":2.0,"id":7,"method":"ping"}"#, -32600, json!(null)),
        (r#"{"id":"a","method":"ping"}"#, -32600, json!("a")),
        (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, -32600, json!(null)),
        (r#"{"jsonrpc":"2.0","id":7,"method":null}"#, -32600, json!(7)),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":["ping"]}"#,
            -32600,
            json!(null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            -32600,
            json!(null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#,
            -32600,
            json!(null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#,
            -32600,
            json!(null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
            -32600,
            json!(null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            -32600,
            json!(null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#,
            -32600,
            json!(null),
        ),
    ] {
        let reply = sent(&router, body).await;
        assert_eq!(reply.status, 400, "{body}: {reply:?}");
        assert_eq!(reply.error().0, code, "{body}: {reply:?}");
        assert_eq!(reply.json()["id"], id, "{body}: {reply:?}");
        assert_eq!(reply.json()["jsonrpc"], "2.0");
    }
    drop(deployment);
}

/// The errors a client meets most, whole.
#[tokio::test]
async fn x11_errors() {
    let (_deployment, router, _) = deployment().await;
    let mut texts = Vec::new();
    for body in [
        "{",
        "[]",
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"nope"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lab_strict"}}"#,
    ] {
        texts.push(format!("{body}\n    {}", sent(&router, body).await.text));
    }
    insta::assert_snapshot!("errors", texts.join("\n"));
}

/// E7: bytes that are not UTF-8.
#[tokio::test]
async fn e7_not_utf8() {
    let (_deployment, router, _) = deployment().await;
    for body in [
        &b"\xff"[..],
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xc3\"}",
        b"\xed\xa0\x80",
        b"\x00",
    ] {
        let reply = sent(&router, body.to_vec()).await;
        assert_eq!((reply.status.as_u16(), reply.error().0), (400, -32700));
    }
    let lone = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\ud800"}}"#;
    assert_eq!(
        sent(&router, lone).await.error().0,
        -32602,
        "half a surrogate pair names no tool"
    );
}

/// X11: parameters that are none, in both eras: the method exists, so they are what is wrong.
#[tokio::test]
async fn x11_malformed_params() {
    let (_deployment, router, _) = deployment().await;
    for params in [
        "[]",
        r#"["lab_echo",{"a":1}]"#,
        r#""lab_echo""#,
        "5",
        "true",
        "{}",
        r#"{"name":null}"#,
        r#"{"name":5}"#,
        r#"{"name":["lab_echo"]}"#,
        r#"{"name":"lab_echo","name":"lab_fail"}"#,
        r#"{"arguments":{}}"#,
    ] {
        for style in [Style::Session, Style::Sessionless] {
            let agent = Agent::open(&router, "lab", style).await;
            let body = format!(r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{params}}}"#);
            let reply = agent.send_text(&body).await;
            assert_eq!(
                (reply.status.as_u16(), reply.error().0),
                (200, -32602),
                "{params}: {reply:?}"
            );
            assert_eq!(reply.json()["id"], "x");
        }
    }
    for method in ["tools/list", "ping", "initialize"] {
        for params in ["[]", "5", r#""x""#] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
            assert_eq!(sent(&router, body).await.error().0, -32602, "{method} {params}");
        }
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":null}}"#);
        assert_eq!(sent(&router, body).await.status, 200, "{method}: null is nothing");
    }
}

/// Ids of any size and spelling come back as they were.
#[tokio::test]
async fn x11_ids_come_back_as_they_were() {
    let (_deployment, router, _) = deployment().await;
    let long = format!("\"{}\"", "x".repeat(100_000));
    for id in [
        "0",
        "-1",
        "1.50",
        "1e400",
        "123456789012345678901234567890",
        r#""""#,
        r#""\u0000\n\"☃""#,
        long.as_str(),
    ] {
        for method in ["ping", "tools/list", "nope"] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#);
            let reply = sent(&router, body).await;
            let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"#);
            assert!(
                reply.text.starts_with(&start),
                "{method} {}",
                &reply.text[..100.min(reply.text.len())]
            );
        }
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"lab_echo"}}}}"#);
        assert!(
            sent(&router, body)
                .await
                .text
                .starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result""#))
        );
    }
}

/// E20: 128 levels pass, 129 do not; brackets in strings are not levels.
#[tokio::test]
async fn e20_deep_json() {
    let (_deployment, router, lab) = deployment().await;
    // The message, its params and its arguments are three levels.
    for (levels, passes) in [(125, true), (126, false), (100_000, false)] {
        let deep = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"lab_echo","arguments":{{"a":{deep}}}}}}}"#
        );
        let reply = sent(&router, body).await;
        if passes {
            assert_eq!(reply.status, 200, "{levels}: {reply:?}");
        } else {
            assert_eq!(
                (reply.status.as_u16(), reply.error().0),
                (400, -32700),
                "{levels}"
            );
        }
    }
    let calls = lab.calls().len();
    let hidden = format!("{{\"a\":{}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    for tool in ["lab_echo", "lab_strict"] {
        let agent = Agent::open(&router, "lab", Style::Sessionless).await;
        let reply = agent.call(tool, json!(hidden)).await;
        assert!(
            reply.failure().starts_with("invalid arguments"),
            "{}",
            reply.failure()
        );
    }
    assert_eq!(
        lab.calls().len(),
        calls,
        "depth wrapped in a string does not get through either"
    );
    let flat = "[".repeat(1_000);
    let agent = Agent::open(&router, "lab", Style::Sessionless).await;
    assert_eq!(agent.call("lab_echo", json!({"a": flat})).await.status, 200);
}

/// Tools with names in any script, and with a NUL, are listed under safe names and run under every
/// spelling, in every era.
#[tokio::test]
async fn e17_odd_tool_names() {
    let (_deployment, router, lab) = deployment().await;
    for style in STYLES {
        let agent = Agent::open(&router, "lab", style).await;
        let listed = agent.names().await;
        let safe = |name: &String| {
            name.len() <= 64
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        };
        assert!(listed.iter().all(safe), "{listed:?}");
        for own in ["读取 файл", "nul\u{0}led"] {
            let tool = format!("lab.{own}");
            let reply = agent.call(&tool, json!({})).await;
            assert_eq!(reply.result()["content"][0]["text"], own, "{style:?} {reply:?}");
        }
        let hashed = listed.iter().filter(|name| name.starts_with("lab_nul_led"));
        for name in hashed {
            assert_eq!(
                agent.call(name, json!({})).await.result()["content"][0]["text"],
                "nul\u{0}led"
            );
        }
        for unknown in [
            "\u{0}",
            "lab.\u{0}",
            "🦀",
            "lab.读取",
            "../../etc/passwd",
            "%s%n",
            "'; DROP TABLE calls",
        ] {
            let (code, message) = agent.call(unknown, json!({})).await.error();
            assert_eq!(
                (code, message),
                (-32602, format!("tool not found: {unknown}")),
                "{style:?}"
            );
        }
    }
    assert!(!lab.calls().is_empty());
}

/// A name of megabytes is refused without being said back in full.
#[tokio::test]
async fn e16_a_huge_name() {
    let (deployment, router, _) = deployment().await;
    let agent = Agent::open(&router, "lab", Style::Sessionless).await;
    let reply = agent.call(&"x".repeat(2_000_000), json!({})).await;
    assert_eq!(reply.error().0, -32602);
    assert!(reply.text.len() < 10_000, "{} bytes come back", reply.text.len());
    assert_eq!(deployment.calls().await.len(), 1);
}

/// Nor does anything else that is wrong come back in full.
#[tokio::test]
async fn e16_errors_do_not_grow() {
    let (_deployment, router, _) = deployment().await;
    let long = "x".repeat(1_000_000);
    for body in [
        format!("\"{long}\""),
        format!(r#"{{"jsonrpc":"{long}","id":1,"method":"ping"}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{long}"}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":["{long}"]}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"cursor":"{long}"}}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"{long}"}}"#),
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"lab_strict","arguments":{{"guests":"{long}"}}}}}}"#
        ),
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{long}"}}}}}}"#
        ),
    ] {
        let reply = sent(&router, body).await;
        assert!(reply.text.len() < 5_000, "{} bytes come back", reply.text.len());
    }
}

/// Unknown members are ignored, on every level of a message (E9).
#[tokio::test]
async fn e9_unknown_members() {
    let (_deployment, router, lab) = deployment().await;
    let body = r#"{"extra":[1],"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"task":{"ttl":1},"name":"lab_echo","arguments":{"a":1},"more":null},"result":null}"#;
    assert_eq!(sent(&router, body).await.status, 200);
    let params: Value = lab.last_params();
    assert_eq!(params, json!({"name": "echo", "arguments": {"a": 1}}));
}

/// Notifications and responses are taken without an answer; unknown ones too.
#[tokio::test]
async fn x10_notifications_are_accepted() {
    let (_deployment, router, _) = deployment().await;
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":{"x":1}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"lab_echo"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
    ] {
        let reply = sent(&router, body).await;
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (202, ""), "{body}");
    }
}
