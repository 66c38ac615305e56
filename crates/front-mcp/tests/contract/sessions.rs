//! How do legacy sessions begin, end, and stay apart? (X10)

use std::sync::Arc;

use axum::http::Method;
use handpick_domain::{Caller, Presentation};
use handpick_front_mcp::session::{SESSIONS_MAX, Session, Sessions};
use serde_json::json;

use crate::agent::{Agent, Events, Style, post, router, send};
use crate::deployment::{Deployment, OTHER_KEY, Plan, Scripted, lab_tools};

async fn deployment() -> Deployment {
    Plan::new()
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("lab", Presentation::Direct, &["lab.*"])
        .gateway("twin", Presentation::Direct, &["lab.*"])
        .start()
        .await
}

/// Ids are long, fresh and made of visible ASCII.
#[tokio::test]
async fn x10_session_ids() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let session = Agent::open(&router, "lab", Style::Session).await.session.unwrap();
        assert!(
            session.len() >= 32 && session.bytes().all(|byte| byte.is_ascii_graphic()),
            "{session}"
        );
        assert!(seen.insert(session));
    }
}

/// After DELETE the session is unknown, for everything.
#[tokio::test]
async fn x10_an_ended_session_is_unknown() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "lab", Style::Session).await;
    assert_eq!(agent.end().await.status, 204);
    for reply in [
        agent.ask("tools/list", json!({})).await,
        agent.call("lab_echo", json!({})).await,
        agent
            .send_text(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await,
        agent.end().await,
    ] {
        assert_eq!(reply.status, 404, "{reply:?}");
        assert_eq!(reply.error().0, -32600);
    }
    assert_eq!(agent.listen().await.status, 404);
    assert!(deployment.outcomes().await.is_empty(), "nothing ran");
}

/// A session belongs to its key and its gateway.
#[tokio::test]
async fn x10_a_session_is_nobody_elses() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let mine = Agent::open(&router, "lab", Style::Session).await;
    let mut other_key = Agent::open_as(&router, "lab", Style::Session, OTHER_KEY).await;
    let mut other_gateway = Agent::open(&router, "twin", Style::Session).await;
    for thief in [&mut other_key, &mut other_gateway] {
        thief.session = mine.session.clone();
        assert_eq!(thief.ask("tools/list", json!({})).await.status, 404);
        assert_eq!(thief.listen().await.status, 404);
        assert_eq!(thief.end().await.status, 404);
    }
    assert_eq!(
        mine.ask("tools/list", json!({})).await.status,
        200,
        "it is still open"
    );
}

/// Ids that nobody was given, of any shape.
#[tokio::test]
async fn x10_made_up_sessions() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for session in [
        "x",
        "00000000000000000000000000000000",
        "' OR 1=1",
        &"a".repeat(5_000),
    ] {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        let reply = send(&router, post("/mcp/lab", &[("mcp-session-id", session)], body)).await;
        assert_eq!(reply.status, 404, "{session}");
    }
    let mut odd = post(
        "/mcp/lab",
        &[],
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    );
    odd.headers_mut()
        .insert("mcp-session-id", b"\xff\xfe"[..].try_into().unwrap());
    assert_eq!(send(&router, odd).await.status, 404);
}

/// `initialize` is a request: as a notification it begins nothing, and ends nothing.
#[tokio::test]
async fn x10_initialize_is_a_request() {
    let deployment = deployment().await;
    let router = router(&deployment);
    let agent = Agent::open(&router, "lab", Style::Session).await;
    let notified = agent
        .send_text(r#"{"jsonrpc":"2.0","method":"initialize"}"#)
        .await;
    assert_eq!((notified.status.as_u16(), notified.error().0), (400, -32600));
    assert_eq!(agent.ask("ping", json!({})).await.status, 200);
}

/// E21: without a session there is no stream to hear from and nothing to end.
#[tokio::test]
async fn e21_get_and_delete_without_a_session() {
    let deployment = deployment().await;
    let router = router(&deployment);
    for (style, method, allow) in [
        (Style::Sessionless, Method::GET, "POST, DELETE"),
        (Style::Modern, Method::GET, "POST, DELETE"),
        (Style::Sessionless, Method::DELETE, "POST"),
        (Style::Modern, Method::DELETE, "POST"),
    ] {
        let agent = Agent::open(&router, "lab", style).await;
        let mut request = agent.raw_request("", None, "");
        *request.method_mut() = method.clone();
        let reply = send(&router, request).await;
        assert_eq!(reply.status, 405, "{method} {style:?}");
        assert_eq!(reply.header("allow"), Some(allow), "{method} {style:?}");
    }
    let agent = Agent::open(&router, "lab", Style::Session).await;
    let mut request = agent.raw_request("", None, "");
    *request.method_mut() = Method::GET;
    request
        .headers_mut()
        .insert("accept", "application/json".parse().unwrap());
    assert_eq!(
        send(&router, request).await.status,
        405,
        "a client that does not want events"
    );
}

/// The stream of a session ends with it.
#[tokio::test]
async fn x10_the_stream_ends_with_the_session() {
    let deployment = deployment().await;
    let agent = Agent::open(&router(&deployment), "lab", Style::Session).await;
    let mut events: Events = agent.listen().await;
    assert!(events.is_event_stream());
    assert_eq!(agent.end().await.status, 204);
    assert_eq!(events.next_text().await, None);
}

/// Sessions are bounded: at the limit the one that was silent longest ends.
#[tokio::test]
async fn x10_sessions_are_bounded() {
    let deployment = deployment().await;
    let caller = Arc::new(Caller::default());
    let opened =
        handpick_operations::open_surface::open_surface(&deployment.runtime, "lab", &caller).unwrap();
    let sessions = Sessions::default();
    let open = || {
        let session = Session::new("lab", Arc::clone(&caller), false, Arc::clone(&opened), true);
        sessions.open(session).id.clone()
    };
    let first = open();
    let second = open();
    for _ in 2..SESSIONS_MAX {
        open();
    }
    assert!(sessions.find(&first, "lab", &caller).is_some(), "used just now");
    open();
    assert!(sessions.find(&second, "lab", &caller).is_none(), "silent longest");
    assert!(sessions.find(&first, "lab", &caller).is_some());
}
