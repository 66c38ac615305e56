//! Does progress reach the agent while a call runs, and does giving up reach the tool?

use axum::Router;
use handpick_domain::Presentation;
use serde_json::{Value, json};

use crate::agent::{Agent, STYLES, Style, router};
use crate::deployment::{Deployment, PATIENCE, Plan, RICH, Scripted, lab_tools};
use crate::http_upstream::HttpUpstream;

async fn deployment() -> (Deployment, Router, HttpUpstream) {
    let far = HttpUpstream::start("far").await;
    let deployment = Plan::new()
        .config(far.config.clone())
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("direct", Presentation::Direct, &["*"])
        .gateway("discovery", Presentation::Discovery, &["*"])
        .gateway("recommend", Presentation::Recommend, &["*"])
        .start()
        .await;
    let router = router(&deployment);
    (deployment, router, far)
}

fn call(gateway: &str, token: &Value) -> Value {
    let meta = json!({"progressToken": token, "traceparent": "00-ab-cd-01"});
    match gateway {
        "direct" => json!({"name": "far_work", "arguments": {}, "_meta": meta}),
        "discovery" => json!({"name": "execute_tool", "arguments": {"tool_name": "far_work"}, "_meta": meta}),
        _ => json!({"name": "Arcade_UseTool", "arguments": {"tool_name": "far.work"}, "_meta": meta}),
    }
}

fn progress(message: &Value) -> &Value {
    assert_eq!(message["jsonrpc"], "2.0");
    assert_eq!(message["method"], "notifications/progress");
    &message["params"]
}

/// Progress arrives under the caller's own token, as it is spelled, before the result; on every path.
#[tokio::test]
async fn progress_reaches_the_agent() {
    let (_deployment, router, mut far) = deployment().await;
    for gateway in ["direct", "discovery", "recommend"] {
        for (style, token) in [
            (Style::Session, json!("tok-1")),
            (Style::Sessionless, json!(0)),
            (Style::Modern, json!("☃")),
        ] {
            let agent = Agent::open(&router, gateway, style).await;
            let request = agent.request("\"c1\"", "tools/call", call(gateway, &token));
            let (mut events, upstream) = tokio::join!(agent.stream(request), async {
                let upstream = far.next_call().await;
                upstream.progress(&json!({"progress": 1, "total": 3, "message": "one", "x": [1.0]}));
                upstream
            });
            assert!(events.is_event_stream());
            let first = events.next().await.unwrap();
            assert_eq!(
                progress(&first),
                &json!({"progress": 1, "total": 3, "message": "one", "x": [1.0], "progressToken": token})
            );
            upstream.progress(&json!({"progress": 2}));
            assert_eq!(progress(&events.next().await.unwrap())["progress"], 2);
            let meta = &upstream.request["params"]["_meta"];
            assert_eq!(meta["traceparent"], "00-ab-cd-01");
            assert_ne!(
                meta["progressToken"], token,
                "that one is between the agent and us"
            );
            upstream.finish(r#"{"content":[],"n":1.0e2}"#);
            let last = events.next_text().await.unwrap();
            let start = r#"{"jsonrpc":"2.0","id":"c1","result":{"#;
            assert!(
                last.starts_with(start) && last.ends_with(r#""content":[],"n":1.0e2}}"#),
                "{last}"
            );
            assert_eq!(events.next_text().await, None);
        }
    }
}

/// Progress that arrives in one piece with the result is not lost once the stream has begun.
#[tokio::test]
async fn progress_beside_the_result_is_not_lost() {
    let (_deployment, router, mut far) = deployment().await;
    let agent = Agent::open(&router, "direct", Style::Modern).await;
    let request = agent.request("1", "tools/call", call("direct", &json!("t")));
    let (mut events, upstream) = tokio::join!(agent.stream(request), async {
        let upstream = far.next_call().await;
        upstream.progress(&json!({"progress": 1}));
        upstream
    });
    assert_eq!(progress(&events.next().await.unwrap())["progress"], 1);
    upstream.finish_with_progress(&json!({"progress": 2}), r#"{"content":[]}"#);
    assert_eq!(progress(&events.next().await.unwrap())["progress"], 2);
    assert!(events.next().await.unwrap().get("result").is_some());
    assert_eq!(events.next_text().await, None);
}

/// A call without progress is one JSON body, token or not; so is one whose client wants no events.
#[tokio::test]
async fn a_call_without_progress_is_one_body() {
    let (_deployment, router, mut far) = deployment().await;
    for style in STYLES {
        let agent = Agent::open(&router, "direct", style).await;
        let with_token = agent.request("1", "tools/call", call("direct", &json!("t")));
        let mut no_events = agent.request("1", "tools/call", call("direct", &json!("t")));
        no_events
            .headers_mut()
            .insert("accept", "application/json".parse().unwrap());
        let no_token = agent.request("1", "tools/call", call("direct", &json!(null)));
        for (request, reports) in [(with_token, false), (no_events, true), (no_token, true)] {
            let (answer, ()) = tokio::join!(agent.stream(request), async {
                let upstream = far.next_call().await;
                if reports {
                    upstream.progress(&json!({"progress": 1}));
                }
                upstream.finish(r#"{"content":[]}"#);
            });
            assert!(!answer.is_event_stream(), "{style:?}");
            assert_eq!(answer.status, 200);
        }
    }
}

/// A26: a result with line breaks between its tokens survives two event streams.
#[tokio::test]
async fn a26_line_breaks_survive_an_event_stream() {
    let (_deployment, router, mut far) = deployment().await;
    let agent = Agent::open(&router, "direct", Style::Session).await;
    let request = agent.request("1", "tools/call", call("direct", &json!("t")));
    let (mut events, ()) = tokio::join!(agent.stream(request), async {
        let upstream = far.next_call().await;
        upstream.progress(&json!({"progress": 1}));
        upstream.finish(&RICH.replace('\r', "\n"));
    });
    events.next().await.unwrap();
    let message = events.next_text().await.unwrap();
    let result = message
        .strip_prefix(r#"{"jsonrpc":"2.0","id":1,"result":"#)
        .unwrap();
    assert_eq!(result.strip_suffix('}').unwrap(), RICH.replace('\r', "\n"));
}

/// `notifications/cancelled` reaches the tool: the agent's request ends without an answer, the upstream
/// is told, and the record says so.
#[tokio::test]
async fn cancelling_reaches_the_tool() {
    let (deployment, router, mut far) = deployment().await;
    let agent = Agent::open(&router, "direct", Style::Session).await;
    let pending = agent.call_later("\"c-9\"", "far_work", &json!({}));
    let upstream = far.next_call().await;
    let cancel = |id: &str| {
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
    };
    for id in ["\"other\"", "9", "null", "{}"] {
        assert_eq!(agent.send_text(&cancel(id)).await.status, 202);
    }
    assert_eq!(agent.send_text(&cancel("\"c-9\"")).await.status, 202);
    let reply = pending.await.unwrap();
    assert_eq!((reply.status.as_u16(), reply.text.as_str()), (202, ""));
    let told = far.notified("notifications/cancelled").await;
    assert_eq!(told["params"]["requestId"], upstream.request["id"]);
    assert_eq!(deployment.outcomes().await, ["far.work cancelled"]);
    assert_eq!(
        agent.send_text(&cancel("\"c-9\"")).await.status,
        202,
        "too late is no error"
    );
}

/// Another session cannot cancel a call.
#[tokio::test]
async fn a_call_is_cancelled_from_its_own_session_only() {
    let (deployment, router, mut far) = deployment().await;
    let agent = Agent::open(&router, "direct", Style::Session).await;
    let pending = agent.call_later("1", "far_work", &json!({}));
    let upstream = far.next_call().await;
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    for style in STYLES {
        let stranger = Agent::open(&router, "direct", style).await;
        assert_eq!(stranger.send_text(cancel).await.status, 202);
    }
    upstream.finish(r#"{"content":[]}"#);
    assert_eq!(pending.await.unwrap().status, 200);
    assert_eq!(deployment.outcomes().await, ["far.work ok"]);
}

/// A client that goes away has given up: before the first event and in the middle of a stream.
#[tokio::test]
async fn a_client_that_goes_away_cancels() {
    let (deployment, router, mut far) = deployment().await;
    for style in STYLES {
        let agent = Agent::open(&router, "direct", style).await;
        let pending = agent.call_later("1", "far_work", &json!({}));
        let upstream = far.next_call().await;
        pending.abort();
        upstream.dropped().await;

        let request = agent.request("1", "tools/call", call("direct", &json!("t")));
        let (events, upstream) = tokio::join!(agent.stream(request), async {
            let upstream = far.next_call().await;
            upstream.progress(&json!({"progress": 1}));
            upstream
        });
        drop(events);
        upstream.dropped().await;
    }
    assert_eq!(deployment.outcomes().await, vec!["far.work cancelled"; 6]);
}

/// Calls of one session run side by side.
#[tokio::test]
async fn calls_run_side_by_side() {
    let lab = Scripted::new(lab_tools());
    let deployment = Plan::new()
        .server("lab", &lab)
        .gateway("lab", Presentation::Direct, &["*"])
        .start()
        .await;
    let agent = Agent::open(&router(&deployment), "lab", Style::Session).await;
    let pending: Vec<_> = (0..20)
        .map(|id| agent.call_later(&id.to_string(), "lab_wait", &json!({})))
        .collect();
    let mut waiting = lab.waiting.subscribe();
    tokio::time::timeout(PATIENCE, waiting.wait_for(|&count| count == 20))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(agent.call("lab_echo", json!({})).await.status, 200);
    lab.release.add_permits(20);
    for (id, pending) in pending.into_iter().enumerate() {
        assert_eq!(pending.await.unwrap().json()["id"], id);
    }
}
