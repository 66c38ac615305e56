//! Do calls over HTTP work, in both eras, and is every way to fail told in words?

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::*;
use crate::web::{self, Seen, Web, event, events, json_response, respond, serve, stream, text, tools};
use axum::body::Body;
use handpick_upstream::{CallError, Era, ServerState, ToolCall, Transport};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// A legacy server with sessions: `current` is the only one it knows.
async fn with_sessions(current: Arc<AtomicUsize>, gone_status: u16) -> Web {
    serve(move |seen| {
        let current = Arc::clone(&current);
        async move {
            let known = format!("session-{}", current.load(Ordering::Relaxed));
            if seen.rpc() == "initialize" {
                let mut response = seen.legacy(&json!([]));
                response
                    .headers_mut()
                    .insert("mcp-session-id", known.parse().unwrap());
                return response;
            }
            match seen.header("mcp-session-id") {
                Some(session) if session == known => seen.legacy(&tools(&["echo"])),
                Some(_) => seen.error(gone_status, -32000, "Bad Request: No valid session ID provided"),
                None => seen.error(400, -32000, "Bad Request: Server not initialized"),
            }
        }
    })
    .await
}

/// 2025-11-25: handshake, session and revision headers, end of the session.
#[tokio::test]
async fn legacy_sessions_are_opened_used_and_ended() {
    let web = with_sessions(Arc::new(AtomicUsize::new(1)), 404).await;
    let upstreams = start(vec![http("s", &web.url)]).await;
    let status = status(&upstreams, "s");
    assert_eq!(
        (status.state, status.era, status.tools),
        (ServerState::Ready, Some(Era::Legacy), 1),
        "{status:?}"
    );
    let result = call(&upstreams, "s.echo", r#"{"a":1}"#).await.unwrap();
    assert_eq!(result["structuredContent"], json!({"a": 1}));
    let sent = web.last("tools/call");
    assert_eq!(sent.header("mcp-session-id"), Some("session-1"));
    assert_eq!(sent.header("mcp-protocol-version"), Some("2025-11-25"));
    assert_eq!(sent.header("accept"), Some("application/json, text/event-stream"));
    assert_eq!(sent.header("content-type"), Some("application/json"));
    assert_eq!(web.last("initialize").header("mcp-session-id"), None);
    assert_eq!(web.asked("notifications/initialized"), 1);
    upstreams.shutdown().await;
    assert_eq!(
        web.count(|seen| seen.method == "DELETE" && seen.header("mcp-session-id") == Some("session-1")),
        1
    );
}

/// A session that is gone is opened anew once and the refused call is sent again, whether the server
/// says so with 404, as it should, or with 400, as many do.
#[tokio::test]
async fn a_lost_session_is_opened_anew_once() {
    for status in [404, 400] {
        let current = Arc::new(AtomicUsize::new(1));
        let web = with_sessions(Arc::clone(&current), status).await;
        let upstreams = start(vec![http("s", &web.url)]).await;
        current.store(2, Ordering::Relaxed);
        let calls: Vec<_> = (0..8)
            .map(|_| {
                let upstreams = Arc::clone(&upstreams);
                tokio::spawn(async move { call(&upstreams, "s.echo", "{}").await })
            })
            .collect();
        for call in calls {
            assert!(call.await.unwrap().is_ok());
        }
        assert_eq!(web.asked("initialize"), 2);
        upstreams.shutdown().await;
    }
}

/// A session that cannot be opened anew at once is opened by a later call.
#[tokio::test]
async fn a_failed_reopening_is_not_the_end() {
    let (restarted, booting) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let web = {
        let (restarted, booting) = (Arc::clone(&restarted), Arc::clone(&booting));
        serve(move |seen: Seen| {
            let (restarted, booting) = (Arc::clone(&restarted), Arc::clone(&booting));
            async move {
                let session = if restarted.load(Ordering::Relaxed) {
                    "new"
                } else {
                    "old"
                };
                if seen.rpc() == "initialize" {
                    if booting.load(Ordering::Relaxed) {
                        return text(503, "booting");
                    }
                    let mut response = seen.legacy(&json!([]));
                    response
                        .headers_mut()
                        .insert("mcp-session-id", session.parse().unwrap());
                    return response;
                }
                if seen.header("mcp-session-id").is_some_and(|sent| sent != session) {
                    return text(404, "");
                }
                seen.legacy(&tools(&["t"]))
            }
        })
        .await
    };
    let upstreams = start(vec![http("s", &web.url)]).await;
    restarted.store(true, Ordering::Relaxed);
    booting.store(true, Ordering::Relaxed);
    let error = call(&upstreams, "s.t", "{}").await.unwrap_err().to_string();
    assert!(error.contains("503"), "{error}");
    assert_eq!(status(&upstreams, "s").state, ServerState::Failed);
    assert!(call(&upstreams, "s.t", "{}").await.is_err());
    booting.store(false, Ordering::Relaxed);
    assert!(call(&upstreams, "s.t", "{}").await.is_ok());
    assert_eq!(status(&upstreams, "s").state, ServerState::Ready);
    assert_eq!(web.last("tools/call").header("mcp-session-id"), Some("new"));
    upstreams.shutdown().await;
}

/// A server that is replaced by one of the other era while it is in use is asked anew.
#[tokio::test]
async fn a_server_may_change_its_era_at_any_time() {
    let modern = Arc::new(AtomicBool::new(true));
    let web = {
        let modern = Arc::clone(&modern);
        serve(move |seen: Seen| {
            let modern = modern.load(Ordering::Relaxed);
            async move {
                if modern {
                    seen.modern(&tools(&["t"]))
                } else {
                    seen.legacy(&tools(&["t"]))
                }
            }
        })
        .await
    };
    let upstreams = start(vec![http("s", &web.url)]).await;
    for (speaks_modern, era) in [(true, Era::Modern), (false, Era::Legacy), (true, Era::Modern)] {
        modern.store(speaks_modern, Ordering::Relaxed);
        assert!(call(&upstreams, "s.t", "{}").await.is_ok());
        assert_eq!(status(&upstreams, "s").era, Some(era));
    }
    upstreams.shutdown().await;
}

/// A legacy answer may be an event stream with more in it than the answer.
#[tokio::test]
async fn event_streams_carry_answers() {
    let web = serve(|seen: Seen| async move {
        if seen.rpc() != "tools/call" {
            return seen.legacy(&tools(&["echo"]));
        }
        let token = &seen.body["params"]["_meta"]["progressToken"];
        assert!(token.is_u64());
        events(&[
            "id: 1\nretry: 10\ndata:\n\n",
            ": comment\n\n",
            "data: not JSON\n\n",
            &event(&json!({"jsonrpc": "2.0", "id": "p", "method": "ping"})),
            &event(&json!({"jsonrpc": "2.0", "id": "r", "method": "roots/list"})),
            &event(&json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info"}})),
            &event(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}})),
            &event(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 999, "progress": 9}})),
            &event(&json!({"jsonrpc": "2.0", "id": 987_654, "result": {"wrong": true}})),
            &event(&json!({"jsonrpc": "2.0", "id": seen.id(), "result": {"content": [], "right": true}})),
        ])
    })
    .await;
    let upstreams = start(vec![http("s", &web.url)]).await;
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let call = ToolCall {
        progress: Some(sender),
        ..call_of("{}")
    };
    let result = upstreams.call(permit(&upstreams, "s.echo"), call).await.unwrap();
    assert_eq!(result.get(), r#"{"content":[],"right":true}"#);
    assert!(receiver.recv().await.unwrap().get().contains(r#""progress":1"#));
    assert!(receiver.recv().await.is_none());
    eventually("both replies", || {
        web.count(|seen| seen.body["id"] == "p" && seen.body["result"] == json!({})) == 1
            && web.count(|seen| seen.body["id"] == "r" && seen.body["error"]["code"] == -32601) == 1
    })
    .await;
    upstreams.shutdown().await;
}

/// A stream that ends before its answer is taken up where it ended.
#[tokio::test]
async fn interrupted_event_streams_are_resumed() {
    let asked = Arc::new(Mutex::new(Value::Null));
    let web = serve(move |seen: Seen| {
        let asked = Arc::clone(&asked);
        async move {
            if seen.method == "GET" {
                return match seen.header("last-event-id") {
                    Some("pos-1") => events(&["id: pos-2\nretry: 1\ndata:\n\n"]),
                    Some("pos-2") => {
                        let id = asked.lock().unwrap().clone();
                        events(&[&event(
                            &json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}}),
                        )])
                    }
                    _ => text(405, ""),
                };
            }
            if seen.rpc() != "tools/call" {
                return seen.legacy(&tools(&["echo", "cut"]));
            }
            *asked.lock().unwrap() = seen.id();
            match seen.body["params"]["name"].as_str() {
                Some("echo") => events(&["id: pos-1\nretry: 1\ndata:\n\n"]),
                _ => events(&["data:\n\n"]),
            }
        }
    })
    .await;
    let upstreams = start(vec![http("s", &web.url)]).await;
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    let error = call(&upstreams, "s.cut", "{}").await.unwrap_err().to_string();
    assert!(error.contains("before the answer came"), "{error}");
    upstreams.shutdown().await;
}

/// 2026-07-28: no handshake, metadata in body and headers, marked arguments mirrored.
#[tokio::test]
async fn modern_requests_carry_their_metadata() {
    let marked = json!([
        {"name": "größe", "inputSchema": {"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}},
        {"name": "invalid", "inputSchema": {"properties": {"x": {"type": "number", "x-mcp-header": "X"}}}},
    ]);
    let web = serve(move |seen: Seen| {
        let marked = marked.clone();
        async move { seen.modern(&marked) }
    })
    .await;
    let upstreams = start(vec![http("s", &web.url)]).await;
    let status = status(&upstreams, "s");
    assert_eq!(
        (status.era, status.tools, status.skipped.len()),
        (Some(Era::Modern), 1, 1),
        "{status:?}"
    );
    call(&upstreams, "s.größe", r#"{"region":"Übersee","other":1}"#)
        .await
        .unwrap();
    let sent = web.last("tools/call");
    assert_eq!(sent.header("mcp-method"), Some("tools/call"));
    assert_eq!(sent.header("mcp-name"), Some("=?base64?Z3LDtsOfZQ==?="));
    assert_eq!(sent.header("mcp-param-region"), Some("=?base64?w5xiZXJzZWU=?="));
    assert_eq!(sent.header("mcp-session-id"), None);
    let meta = &sent.body["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], json!({}));
    assert_eq!(web.asked("initialize"), 0);
    upstreams.shutdown().await;
}

/// Headers that no longer match are corrected from a fresh list, once.
#[tokio::test]
async fn a_header_mismatch_fetches_the_list_and_tries_again() {
    let marked = Arc::new(AtomicBool::new(false));
    let web = {
        let marked = Arc::clone(&marked);
        serve(move |seen: Seen| {
            let marked = marked.load(Ordering::Relaxed);
            async move {
                let schema = if marked {
                    json!({"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})
                } else {
                    json!({})
                };
                match (seen.rpc(), seen.header("mcp-param-region")) {
                    ("tools/call", None) if marked => seen.error(400, -32020, "Mcp-Param-Region is missing"),
                    _ => seen.modern(&json!([{"name": "t", "inputSchema": schema}])),
                }
            }
        })
        .await
    };
    let upstreams = start(vec![http("s", &web.url)]).await;
    marked.store(true, Ordering::Relaxed);
    assert!(call(&upstreams, "s.t", r#"{"region":"eu"}"#).await.is_ok());
    assert_eq!((web.asked("tools/call"), web.asked("tools/list")), (2, 2));
    // Nothing to mirror: the mismatch is the caller's to see, after one try.
    let error = call(&upstreams, "s.t", "{}").await.unwrap_err();
    assert!(matches!(error, CallError::Rpc(error) if error.code == -32020));
    assert_eq!(web.asked("tools/call"), 4);
    upstreams.shutdown().await;
}

/// Whatever a result says is the caller's to deal with, except that it asks for something.
#[tokio::test]
async fn unusual_results_pass_through() {
    let odd = r#"{"resultType":"not_input_required","inputRequests":{"a":{"method":"elicitation/create"}},"requestState":"x", "n":1.0e3}"#;
    let web = serve(move |seen: Seen| async move {
        if seen.rpc() == "tools/call" {
            let body = format!(r#"{{"id":{},"result":{odd},"jsonrpc":"2.0"}}"#, seen.id());
            return respond(200, "application/json; charset=utf-8", Body::from(body));
        }
        seen.modern(&tools(&["t"]))
    })
    .await;
    let upstreams = start(vec![http("s", &web.url)]).await;
    let result = upstreams
        .call(permit(&upstreams, "s.t"), call_of("{}"))
        .await
        .unwrap();
    assert_eq!(result.get(), odd);
    upstreams.shutdown().await;
}

/// What comes back is not always MCP; every way is told in words and costs one call.
#[tokio::test]
async fn failures_are_told_in_words() {
    let web = serve(|seen: Seen| async move {
        if seen.rpc() != "tools/call" {
            return seen.legacy(&tools(&[
                "unauthorized",
                "broken",
                "html",
                "empty",
                "wrong",
                "batch",
                "refused",
                "hang",
                "ok",
            ]));
        }
        match seen.body["params"]["name"].as_str().unwrap() {
            "unauthorized" => text(401, "who are you?"),
            "broken" => text(500, "<html>Internal   Server\nError</html>"),
            "html" => respond(200, "text/html", Body::from("<html>hello</html>")),
            "empty" => text(202, ""),
            "wrong" => json_response(200, &json!({"jsonrpc": "2.0", "id": 123_456, "result": {}})),
            "batch" => json_response(
                200,
                &json!([{"jsonrpc": "2.0", "id": seen.id(), "result": {"content": []}}]),
            ),
            "refused" => seen.error(400, -32602, "no such thing"),
            "hang" => std::future::pending().await,
            _ => seen.legacy(&json!([])),
        }
    })
    .await;
    let upstreams = start(vec![http("s", &web.url)]).await;
    for (tool, expected) in [
        (
            "unauthorized",
            "answered HTTP 401 Unauthorized; check the credentials in its `headers`: who are you?",
        ),
        (
            "broken",
            "answered HTTP 500 Internal Server Error: <html>Internal Server Error</html>",
        ),
        ("html", "something that is not MCP: <html>hello</html>"),
        ("empty", "answered HTTP 202 without an answer"),
        ("wrong", "something that is not MCP"),
    ] {
        match call(&upstreams, &format!("s.{tool}"), "{}").await.unwrap_err() {
            CallError::Unavailable { reason, .. } => assert!(reason.contains(expected), "{tool}: {reason}"),
            other => panic!("{tool}: {other:?}"),
        }
    }
    assert!(call(&upstreams, "s.batch", "{}").await.is_ok());
    let refused = call(&upstreams, "s.refused", "{}").await.unwrap_err();
    assert!(
        matches!(&refused, CallError::Rpc(error) if error.code == -32602),
        "{refused:?}"
    );
    let hang = ToolCall {
        timeout: Some(Duration::from_secs(2)),
        ..call_of("{}")
    };
    let error = upstreams
        .call(permit(&upstreams, "s.hang"), hang)
        .await
        .unwrap_err();
    assert!(matches!(error, CallError::TimedOut { .. }), "{error:?}");
    eventually("the cancellation", || web.asked("notifications/cancelled") == 1).await;
    assert_eq!(
        web.last("notifications/cancelled").body["params"]["requestId"],
        web.last("tools/call").id()
    );
    assert!(call(&upstreams, "s.ok", "{}").await.is_ok());
    upstreams.shutdown().await;
}

/// Progress on the stream keeps a call alive beyond its time-out.
#[tokio::test]
async fn progress_extends_the_time_out() {
    let open: Arc<Mutex<Option<mpsc::UnboundedSender<String>>>> = Arc::default();
    let web = {
        let open = Arc::clone(&open);
        serve(move |seen: Seen| {
            let open = Arc::clone(&open);
            async move {
                if seen.rpc() != "tools/call" {
                    return seen.legacy(&tools(&["t"]));
                }
                let (sender, response) = stream();
                *open.lock().unwrap() = Some(sender);
                response
            }
        })
        .await
    };
    let upstreams = start(vec![http("s", &web.url)]).await;
    let call = ToolCall {
        timeout: Some(Duration::from_secs(1)),
        ..call_of("{}")
    };
    let clock = stop_clock();
    let result = upstreams.call(permit(&upstreams, "s.t"), call);
    let paced = async {
        eventually("the call", || open.lock().unwrap().is_some()).await;
        let sender = open.lock().unwrap().take().unwrap();
        let call = web.last("tools/call");
        let token = &call.body["params"]["_meta"]["progressToken"];
        for step in 0..8 {
            // Nobody listens to the progress; the answer to a question behind it tells that it was read.
            let progress = json!({"method": "notifications/progress", "params": {"progressToken": token, "progress": step}});
            let ping = json!({"jsonrpc": "2.0", "id": format!("p{step}"), "method": "ping"});
            sender.send(event(&progress) + &event(&ping)).unwrap();
            eventually("the answer", || {
                web.count(|seen| seen.body["id"] == ping["id"]) == 1
            })
            .await;
            tokio::time::advance(Duration::from_millis(900)).await;
        }
        sender
            .send(event(&json!({"id": call.id(), "result": {"content": []}})))
            .unwrap();
    };
    let (result, ()) = tokio::join!(result, paced);
    drop(clock);
    assert!(result.is_ok(), "{result:?}");
    upstreams.shutdown().await;
}

/// A modern server learns from the end of the connection that nobody waits, a legacy one from a note.
#[tokio::test]
async fn dropped_calls_are_cancelled_upstream() {
    struct Noted(Arc<AtomicUsize>);
    impl Drop for Noted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    for modern in [true, false] {
        let ended = Arc::new(AtomicUsize::new(0));
        let web = {
            let ended = Arc::clone(&ended);
            serve(move |seen: Seen| {
                let ended = Arc::clone(&ended);
                async move {
                    if seen.rpc() == "tools/call" {
                        let _noted = Noted(ended);
                        std::future::pending::<()>().await;
                    }
                    if modern {
                        seen.modern(&tools(&["t"]))
                    } else {
                        seen.legacy(&tools(&["t"]))
                    }
                }
            })
            .await
        };
        let upstreams = start(vec![http("s", &web.url)]).await;
        let dropped = tokio::spawn({
            let upstreams = Arc::clone(&upstreams);
            async move { call(&upstreams, "s.t", "{}").await }
        });
        eventually("the call", || web.asked("tools/call") == 1).await;
        dropped.abort();
        eventually("the end of the connection", || ended.load(Ordering::Relaxed) == 1).await;
        if !modern {
            eventually("the note", || web.asked("notifications/cancelled") == 1).await;
        }
        assert_eq!(web.asked("notifications/cancelled"), usize::from(!modern));
        upstreams.shutdown().await;
    }
}

/// Changes are heard of: on the GET stream of a legacy server, on `subscriptions/listen` of a modern one.
#[tokio::test]
async fn changes_of_the_list_are_heard_of() {
    for modern in [true, false] {
        let listeners: Arc<Mutex<Vec<mpsc::UnboundedSender<String>>>> = Arc::default();
        let grown = Arc::new(AtomicBool::new(false));
        let web = {
            let (listeners, grown) = (Arc::clone(&listeners), Arc::clone(&grown));
            serve(move |seen: Seen| {
                let (listeners, grown) = (Arc::clone(&listeners), Arc::clone(&grown));
                async move {
                    if seen.rpc() == "subscriptions/listen" || seen.method == "GET" {
                        let (sender, response) = stream();
                        listeners.lock().unwrap().push(sender);
                        return response;
                    }
                    let tools = tools(if grown.load(Ordering::Relaxed) {
                        &["a", "b"]
                    } else {
                        &["a"]
                    });
                    if modern {
                        seen.modern(&tools)
                    } else {
                        seen.legacy(&tools)
                    }
                }
            })
            .await
        };
        let upstreams = start(vec![http("s", &web.url)]).await;
        eventually("a listener", || listeners.lock().unwrap().len() == 1).await;
        assert_eq!(names(&upstreams), ["s.a"]);
        grown.store(true, Ordering::Relaxed);
        let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
        listeners.lock().unwrap()[0].send(event(&changed)).unwrap();
        eventually("the new tool", || names(&upstreams) == ["s.a", "s.b"]).await;
        upstreams.shutdown().await;
    }
}

/// The old HTTP+SSE transport is the last resort, and is remembered.
#[tokio::test]
async fn http_sse_is_fallen_back_to_and_remembered() {
    let open: Arc<Mutex<Option<mpsc::UnboundedSender<String>>>> = Arc::default();
    let forgetful = Arc::new(AtomicBool::new(false));
    let web = {
        let (open, forgetful) = (Arc::clone(&open), Arc::clone(&forgetful));
        serve(move |seen: Seen| {
            let (open, forgetful) = (Arc::clone(&open), Arc::clone(&forgetful));
            async move {
                if seen.method == "POST" && forgetful.swap(false, Ordering::Relaxed) {
                    return text(404, "no such session");
                }
                if seen.method == "GET" {
                    let (sender, response) = stream();
                    sender
                        .send("event: endpoint\ndata: /messages?session=1\n\n".to_owned())
                        .unwrap();
                    *open.lock().unwrap() = Some(sender);
                    return response;
                }
                if seen.path != "/messages?session=1" {
                    return text(405, "Method Not Allowed");
                }
                let answer = match seen.rpc() {
                    "initialize" => json!({"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}}),
                    "tools/list" => json!({"tools": tools(&["echo", "end"])}),
                    "tools/call" if seen.body["params"]["name"] == "end" => {
                        *open.lock().unwrap() = None;
                        return text(202, "Accepted");
                    }
                    "tools/call" => json!({"content": [], "got": seen.body["params"]["arguments"]}),
                    _ => return text(202, "Accepted"),
                };
                let message = json!({"jsonrpc": "2.0", "id": seen.id(), "result": answer});
                open.lock()
                    .unwrap()
                    .as_ref()
                    .unwrap()
                    .send(event(&message))
                    .unwrap();
                text(202, "Accepted")
            }
        })
        .await
    };
    let cache = Arc::new(MemoryCache::default());
    let upstreams = start_with(vec![http("s", &web.url)], Arc::clone(&cache)).await;
    let found = status(&upstreams, "s");
    assert_eq!(
        (found.transport.as_str(), found.tools, found.era),
        ("sse", 2, Some(Era::Legacy)),
        "{found:?}"
    );
    assert_eq!(
        call(&upstreams, "s.echo", r#"{"a":1}"#).await.unwrap()["got"],
        json!({"a": 1})
    );
    let error = call(&upstreams, "s.end", "{}").await.unwrap_err().to_string();
    assert!(error.contains("its event stream ended"), "{error}");
    // The next call opens another stream.
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    // A server that forgot the session but not the stream: the refused call goes out once more.
    forgetful.store(true, Ordering::Relaxed);
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    upstreams.shutdown().await;

    let posts_to_url = || web.count(|seen| seen.method == "POST" && seen.path == "/mcp");
    let before = posts_to_url();
    let upstreams = start_with(vec![http("s", &web.url)], cache).await;
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    assert_eq!(posts_to_url(), before, "nothing is asked that is known");
    upstreams.shutdown().await;
    assert!(
        start(vec![handpick_upstream::ServerConfig::new(
            "s",
            Transport::Sse {
                url: web.url.clone(),
                headers: BTreeMap::new()
            }
        )])
        .await
        .catalog()
        .tools()
        .len()
            == 2
    );
}

/// A fresh list asks nothing of a server until a call; a memory that proves wrong is corrected by it.
#[tokio::test]
async fn memory_saves_questions_and_is_corrected() {
    let modern = Arc::new(AtomicBool::new(true));
    let web = {
        let modern = Arc::clone(&modern);
        serve(move |seen: Seen| {
            let modern = modern.load(Ordering::Relaxed);
            async move {
                if modern {
                    seen.modern(&tools(&["t"]))
                } else {
                    seen.legacy(&tools(&["t"]))
                }
            }
        })
        .await
    };
    let cache = Arc::new(MemoryCache::default());
    for (run, (speaks_modern, era)) in [
        (true, Era::Modern),
        (true, Era::Modern),
        (false, Era::Legacy),
        (false, Era::Legacy),
        (true, Era::Modern),
    ]
    .into_iter()
    .enumerate()
    {
        modern.store(speaks_modern, Ordering::Relaxed);
        let fresh = cache.get("s").is_some();
        // Requests of the run before may still be on their way.
        let run = run.to_string();
        let mut config = http("s", &web.url);
        if let Transport::Http { headers, .. } = &mut config.transport {
            headers.insert("x-run".to_owned(), run.clone());
        }
        let upstreams = start_with(vec![config], Arc::clone(&cache)).await;
        if fresh {
            assert_eq!(status(&upstreams, "s").state, ServerState::Cached);
            let sent = web.count(|seen| seen.header("x-run") == Some(run.as_str()));
            assert_eq!(sent, 0, "nothing is sent before a call");
        }
        assert!(call(&upstreams, "s.t", "{}").await.is_ok());
        eventually("the corrected memory", || {
            cache.get("s").is_some_and(|cached| cached.era == Some(era))
        })
        .await;
        upstreams.shutdown().await;
    }
}

/// Answers in event streams do not cost a connection each.
#[tokio::test]
async fn connections_are_kept() {
    for streamed in [false, true] {
        let web = serve(move |seen: Seen| async move {
            if streamed && seen.rpc() == "tools/call" {
                let message = event(&json!({"jsonrpc": "2.0", "id": seen.id(), "result": {"content": []}}));
                return events(&[&message]);
            }
            seen.modern(&tools(&["t"]))
        })
        .await;
        let upstreams = start(vec![http("s", &web.url)]).await;
        let before = web.connections.load(Ordering::Relaxed);
        for _ in 0..50 {
            call(&upstreams, "s.t", "{}").await.unwrap();
        }
        let opened = web.connections.load(Ordering::Relaxed) - before;
        assert!(
            opened <= 3,
            "{opened} connections for 50 calls, streamed: {streamed}"
        );
        upstreams.shutdown().await;
    }
}

/// Configured headers go where they were configured for, and nowhere else.
#[tokio::test]
async fn credentials_do_not_follow_redirects_elsewhere() {
    let elsewhere = serve(|seen: Seen| async move { seen.modern(&tools(&["t"])) }).await;
    let target = elsewhere.url.clone();
    let web = serve(move |seen: Seen| {
        let target = target.clone();
        async move {
            let location = match seen.path.as_str() {
                "/mcp" => "/mcp/".to_owned(),
                "/away" => target,
                _ => return seen.modern(&tools(&["t"])),
            };
            let mut response = text(307, "");
            response
                .headers_mut()
                .insert("location", location.parse().unwrap());
            response
        }
    })
    .await;
    let with_key = |name: &str, url: String| {
        let mut config = http(name, &url);
        if let Transport::Http { headers, .. } = &mut config.transport {
            headers.insert("X-API-Key".into(), "s3cret".into());
        }
        config
    };
    let away = web.url.replace("/mcp", "/away");
    let upstreams = start(vec![with_key("near", web.url.clone()), with_key("far", away)]).await;
    assert!(call(&upstreams, "near.t", "{}").await.is_ok());
    assert_eq!(web.last("tools/call").header("x-api-key"), Some("s3cret"));
    assert_eq!(elsewhere.seen.lock().unwrap().len(), 0);
    let problem = status(&upstreams, "far").problem.unwrap();
    assert!(
        problem.contains("307") && !problem.contains("s3cret"),
        "{problem}"
    );
    upstreams.shutdown().await;
}

/// A server that is not there costs only itself, says why, and is found when it comes.
#[tokio::test]
async fn an_absent_server_is_told_apart_and_found_later() {
    // Nobody else can take the port, and nobody answers there yet.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    let web = serve(|seen: Seen| async move { seen.modern(&tools(&["t"])) }).await;
    let upstreams = start(vec![
        http("absent", &format!("http://{address}/mcp?key=s3cret")),
        http("wrong", "ftp://example.com"),
        http("present", &web.url),
    ])
    .await;
    assert!(call(&upstreams, "present.t", "{}").await.is_ok());
    let absent = status(&upstreams, "absent");
    let problem = absent.problem.unwrap();
    assert_eq!(absent.state, ServerState::Failed);
    assert!(
        problem.contains("cannot be reached") && problem.contains("refused"),
        "{problem}"
    );
    assert!(!problem.contains("s3cret"), "{problem}");
    assert!(status(&upstreams, "wrong").problem.unwrap().contains("`url`"));

    let listener = socket.listen(128).unwrap();
    let router = axum::Router::new().fallback(|request: axum::extract::Request| async move {
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
        let seen = Seen {
            method: parts.method,
            path: parts.uri.to_string(),
            headers: parts.headers,
            body: serde_json::from_slice(&body).unwrap_or_default(),
        };
        seen.modern(&web::tools(&["late"]))
    });
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    eventually("the late server", || {
        names(&upstreams).contains(&"absent.late".to_owned())
    })
    .await;
    upstreams.shutdown().await;
}
