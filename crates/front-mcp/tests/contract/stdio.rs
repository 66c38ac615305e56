//! Does stdio answer like HTTP, line by line? (X10, X11)

use std::sync::Arc;

use handpick_domain::Presentation;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use crate::agent::{Agent, Style, modern_meta, router};
use crate::deployment::{Deployment, PATIENCE, Plan, RICH, Scripted, fillers, lab_tools};
use crate::http_upstream::HttpUpstream;
use crate::pipe::Pipe;

async fn deployment() -> (Deployment, Arc<Scripted>, HttpUpstream) {
    let lab = Scripted::new(lab_tools());
    let far = HttpUpstream::start("far").await;
    let deployment = Plan::new()
        .server("lab", &lab)
        .config(far.config.clone())
        .gateway("direct", Presentation::Direct, &["*"])
        .gateway("discovery", Presentation::Discovery, &["*"])
        .gateway("recommend", Presentation::Recommend, &["*"])
        .gateway("adaptive", Presentation::Adaptive, &["lab.*"])
        .restrict("lab.secret", "officer")
        .start()
        .await;
    (deployment, lab, far)
}

/// X10: both eras get the very answers that HTTP gives.
#[tokio::test]
async fn x10_stdio_answers_like_http() {
    let (deployment, _, _far) = deployment().await;
    let router = router(&deployment);
    for gateway in ["direct", "discovery", "recommend"] {
        for style in [Style::Session, Style::Modern] {
            let agent = Agent::open(&router, gateway, style).await;
            let mut pipe = Pipe::open(&deployment, gateway);
            if style == Style::Session {
                let params = json!({"protocolVersion": "2025-06-18"});
                let another = Agent::open(&router, gateway, Style::Sessionless).await;
                let over_http = another.ask("initialize", params.clone()).await.text;
                pipe.send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))
                    .await;
                assert_eq!(pipe.text().await.unwrap(), over_http);
            }
            for (method, params) in [
                ("server/discover", json!({})),
                ("tools/list", json!({})),
                ("tools/list", json!({"cursor": "nope"})),
                ("tools/list", json!({"cursor": 5})),
                (
                    "tools/call",
                    json!({"name": "lab_echo", "arguments": {"x": [1.5]}}),
                ),
                ("tools/call", json!({"name": "lab_strict", "arguments": {}})),
                ("tools/call", json!({"name": "lab_secret"})),
                ("tools/call", json!({"name": "nope"})),
                (
                    "tools/call",
                    json!({"name": "execute_tool", "arguments": {"tool_name": "lab.refuse"}}),
                ),
                (
                    "tools/call",
                    json!({"name": "Arcade_UseTool", "arguments": {"tool_name": "lab.fail"}}),
                ),
                (
                    "tools/call",
                    json!({"name": "discover_tools", "arguments": {"query": "say the words"}}),
                ),
                ("tools/call", json!({"name": "lab_wait\u{0}"})),
                ("tools/call", json!({"name": 5})),
                ("resources/list", json!({})),
                ("ping", json!({})),
            ] {
                if style == Style::Modern && params["name"].is_number() {
                    continue;
                }
                let over_http = agent.ask(method, params.clone()).await.text;
                let mut params = params;
                if style == Style::Modern {
                    params["_meta"] = modern_meta();
                }
                pipe.send(json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
                    .await;
                assert_eq!(
                    pipe.text().await.unwrap(),
                    over_http,
                    "{method} {params} {gateway} {style:?}"
                );
            }
            pipe.close().await;
        }
    }
}

/// A26: one message is one line, whatever line breaks its upstream's JSON has.
#[tokio::test]
async fn a26_one_message_one_line() {
    let (deployment, _, _far) = deployment().await;
    let mut pipe = Pipe::open(&deployment, "direct");
    let answer = pipe.ask("tools/call", json!({"name": "lab_rich"})).await;
    assert_eq!(answer["result"], serde_json::from_str::<Value>(RICH).unwrap());
    pipe.close().await;
}

/// Both eras in one connection, even without a handshake.
#[tokio::test]
async fn x10_eras_side_by_side() {
    let (deployment, _, _far) = deployment().await;
    let mut pipe = Pipe::open(&deployment, "direct");
    let modern = pipe.ask("tools/list", json!({"_meta": modern_meta()})).await;
    assert_eq!(modern["result"]["resultType"], "complete");
    let legacy = pipe.ask("tools/list", json!({})).await;
    assert!(legacy["result"].get("resultType").is_none());
    assert_eq!(pipe.initialize().await["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(pipe.ask("ping", json!({})).await["result"], json!({}));
    let mut incomplete = modern_meta();
    incomplete
        .as_object_mut()
        .unwrap()
        .remove("io.modelcontextprotocol/clientCapabilities");
    assert_eq!(
        pipe.ask("tools/list", json!({"_meta": incomplete})).await["error"]["code"],
        -32602
    );
    let mut future = modern_meta();
    future["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let refused = pipe.ask("tools/list", json!({"_meta": future})).await;
    assert_eq!(refused["error"]["code"], -32022);
    assert_eq!(refused["error"]["data"]["requested"], "2099-01-01");
    pipe.close().await;
}

/// E7, E20, X11: lines that are no messages are answered, and the next one is read.
#[tokio::test]
async fn e7_malformed_lines() {
    let (deployment, _, _far) = deployment().await;
    let mut pipe = Pipe::open(&deployment, "direct");
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}}"#,
        "[".repeat(500) + &"]".repeat(500)
    );
    for (line, code, id) in [
        ("nonsense", -32700, json!(null)),
        ("{\"a\":", -32700, json!(null)),
        ("[]", -32600, json!(null)),
        ("5", -32600, json!(null)),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            -32600,
            json!(null),
        ),
        (r#"{"jsonrpc":"2.0","id":3,"method":5}"#, -32600, json!(null)),
        (r#"{"id":3,"method":"ping"}"#, -32600, json!(3)),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":["lab_echo"]}"#,
            -32602,
            json!(3),
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#,
            -32602,
            json!(3),
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"initialize","params":[]}"#,
            -32602,
            json!(3),
        ),
        (deep.as_str(), -32700, json!(null)),
    ] {
        pipe.send(line).await;
        let answer = pipe.message().await;
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id),
            "{line}: {answer}"
        );
    }
    pipe.input.write_all(b"\xff\xfe\n\r\n   \n").await.unwrap();
    assert_eq!(pipe.message().await["error"]["code"], -32700);
    pipe.send(r#"{"jsonrpc":"2.0","id":9,"result":{}}"#).await;
    pipe.send("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"}\r")
        .await;
    assert_eq!(
        pipe.message().await,
        json!({"jsonrpc": "2.0", "id": 8, "result": {}})
    );
    pipe.close().await;
}

/// E8: a line beyond the limit is refused without being kept, and the next one is read.
#[tokio::test]
async fn e8_an_endless_line() {
    let (deployment, _, _far) = deployment().await;
    let mut pipe = Pipe::open(&deployment, "direct");
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..9 {
        pipe.input.write_all(&chunk).await.unwrap();
    }
    let answer = pipe.message().await;
    assert_eq!(
        answer["error"]["code"], -32700,
        "answered before the line ends: {answer}"
    );
    for _ in 0..20 {
        pipe.input.write_all(&chunk).await.unwrap();
    }
    pipe.send("").await;
    assert_eq!(pipe.ask("ping", json!({})).await["result"], json!({}));
    pipe.close().await;
}

/// The last line counts even without its line break.
#[tokio::test]
async fn a_last_line_without_end_is_read() {
    let (deployment, _, _far) = deployment().await;
    let mut pipe = Pipe::open(&deployment, "direct");
    pipe.input
        .write_all(br#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#)
        .await
        .unwrap();
    pipe.input.shutdown().await.unwrap();
    assert_eq!(pipe.message().await["id"], 4);
    pipe.close().await;
}

/// Progress lines come while the call runs, under the caller's token.
#[tokio::test]
async fn progress_lines() {
    let (deployment, _, mut far) = deployment().await;
    for (gateway, name, arguments) in [
        ("direct", "far_work", json!({})),
        ("discovery", "execute_tool", json!({"tool_name": "far.work"})),
        ("recommend", "Arcade_UseTool", json!({"tool_name": "far.work"})),
    ] {
        for era in [json!({}), modern_meta()] {
            let mut pipe = Pipe::open(&deployment, gateway);
            let mut meta = era;
            meta["progressToken"] = json!("p");
            let params = json!({"name": name, "arguments": arguments, "_meta": meta});
            pipe.send(json!({"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": params}))
                .await;
            let upstream = far.next_call().await;
            upstream.progress(&json!({"progress": 1, "message": "one"}));
            let line = pipe.message().await;
            let expected = json!({"progress": 1, "message": "one", "progressToken": "p"});
            assert_eq!(
                (&line["method"], &line["params"]),
                (&json!("notifications/progress"), &expected)
            );
            upstream.finish_with_progress(&json!({"progress": 2}), r#"{"content":[]}"#);
            assert_eq!(pipe.message().await["params"]["progress"], 2);
            assert_eq!(pipe.message().await["id"], "c");
            pipe.close().await;
        }
    }
}

/// `notifications/cancelled` ends one call and no other; a cancelled call is not answered.
#[tokio::test]
async fn cancelling_a_call() {
    let (deployment, lab, mut far) = deployment().await;
    let mut pipe = Pipe::open(&deployment, "direct");
    pipe.initialize().await;
    let call = |id: &str, name: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}"}}}}"#)
    };
    pipe.send(call("1", "far_work")).await;
    let upstream = far.next_call().await;
    pipe.send(call("\"1\"", "lab_wait")).await;
    let mut waiting = lab.waiting.subscribe();
    tokio::time::timeout(PATIENCE, waiting.wait_for(|&count| count == 1))
        .await
        .unwrap()
        .unwrap();
    pipe.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    let told = far.notified("notifications/cancelled").await;
    assert_eq!(told["params"]["requestId"], upstream.request["id"]);
    lab.release.add_permits(1);
    assert_eq!(pipe.message().await["id"], "1");
    pipe.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}"#)
        .await;
    assert_eq!(pipe.ask("ping", json!({})).await["id"], 1);
    pipe.close().await;
    assert_eq!(deployment.outcomes().await, ["far.work cancelled", "lab.wait ok"]);
}

/// A client that closes its input has given up all its calls, and the process can end.
#[tokio::test]
async fn closing_the_input_ends_everything() {
    let (deployment, lab, _far) = deployment().await;
    let mut pipe = Pipe::open(&deployment, "direct");
    pipe.initialize().await;
    pipe.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": modern_meta()});
    let acknowledged = pipe.ask("subscriptions/listen", params).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    pipe.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lab_wait"}}"#)
        .await;
    let mut waiting = lab.waiting.subscribe();
    tokio::time::timeout(PATIENCE, waiting.wait_for(|&count| count == 1))
        .await
        .unwrap()
        .unwrap();
    pipe.close().await;
    assert_eq!(*lab.abandoned.borrow(), 1);
    assert_eq!(deployment.outcomes().await, ["lab.wait cancelled"]);
}

/// A client that stops reading ends the connection too.
#[tokio::test]
async fn a_client_that_stops_reading() {
    let (deployment, _, _far) = deployment().await;
    let Pipe {
        mut input,
        lines,
        served,
    } = Pipe::open(&deployment, "direct");
    drop(lines);
    for _ in 0..3 {
        let _ = input
            .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
            .await;
    }
    let ended = tokio::time::timeout(PATIENCE, served)
        .await
        .expect("nobody reads, nobody is served");
    ended.unwrap().unwrap();
}

/// List changes: told once each, in the session's own presentation; never before `initialized`.
#[tokio::test]
async fn list_changes_on_stdio() {
    let (deployment, lab, _far) = deployment().await;
    let mut legacy = Pipe::open(&deployment, "adaptive");
    legacy.initialize().await;
    // A second `initialized` must not make every change heard twice.
    legacy
        .send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    assert_eq!(legacy.ask("ping", json!({})).await["id"], 1);
    let mut modern = Pipe::open(&deployment, "direct");
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": modern_meta()});
    modern.ask("subscriptions/listen", params).await;
    let mut deaf = Pipe::open(&deployment, "direct");
    assert_eq!(deaf.ask("ping", json!({})).await["id"], 1);
    for count in [25, 31, 32] {
        let mut tools = lab_tools();
        tools.extend(fillers(count));
        lab.set_tools(tools);
        deployment.refresh("lab").await;
        assert_eq!(
            legacy.message().await,
            json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        );
        let message = modern.message().await;
        assert_eq!(
            message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
            1
        );
        let listed = legacy.ask("tools/list", json!({})).await;
        assert_eq!(
            listed["result"]["tools"].as_array().unwrap().len(),
            9 + count,
            "P10: still direct"
        );
    }
    assert!(legacy.is_silent().await && modern.is_silent().await && deaf.is_silent().await);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    modern.send(cancel).await;
    assert_eq!(modern.ask("ping", json!({})).await["id"], 1);
    lab.set_tools(lab_tools());
    deployment.refresh("lab").await;
    assert_eq!(
        legacy.message().await["method"],
        "notifications/tools/list_changed"
    );
    assert!(modern.is_silent().await, "a cancelled subscription");
    for pipe in [legacy, modern, deaf] {
        pipe.close().await;
    }
}
