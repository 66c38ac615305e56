//! Do the echo server and the load client understand each other in both eras?

use std::sync::Arc;
use std::time::Duration;

use handpick_protocol::version::Era;
use handpick_testkit::http_one::Connection;
use handpick_testkit::load::{Bounds, Ready, Target};
use handpick_testkit::{ReplayServer, echo};

async fn echo_server() -> std::io::Result<String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    tokio::spawn(echo::serve(listener, Arc::new(ReplayServer::echo())));
    Ok(address)
}

fn target(address: &str, era: Era, tool: &str) -> Target {
    Target {
        name: "echo".to_owned(),
        url: format!("http://{address}/mcp"),
        tool: tool.to_owned(),
        arguments: r#"{"text":"hi"}"#.to_owned(),
        era,
        key: None,
    }
}

const BOUNDS: Bounds = Bounds {
    callers: 3,
    calls: 100,
    time: Duration::from_secs(60),
};

#[tokio::test]
async fn every_call_is_counted_once() {
    let address = echo_server().await.unwrap();
    for era in [Era::Modern, Era::Legacy] {
        let ready = Ready::new(target(&address, era, "echo")).await.unwrap();
        let measured = ready.run(BOUNDS).await;
        assert_eq!(
            (measured.latencies.len(), measured.failed),
            (100, 0),
            "{measured:?}"
        );
        assert!(measured.quantile(0.5) <= measured.quantile(0.99));
        assert!(measured.per_second() > 0.0);
    }
}

#[tokio::test]
async fn failures_are_counted_and_shown() {
    let address = echo_server().await.unwrap();
    let ready = Ready::new(target(&address, Era::Modern, "other")).await.unwrap();
    let measured = ready.run(BOUNDS).await;
    assert_eq!((measured.latencies.len(), measured.failed), (0, 100));
    assert!(measured.first_failure.unwrap().contains("Unknown tool: other"));
}

#[tokio::test]
async fn the_stateless_era_gets_its_members() {
    let address = echo_server().await.unwrap();
    let mut connection = Connection::open(&address).await.unwrap();
    let mut ask = async |method: &str, version: &str| {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: x\r\nMCP-Protocol-Version: {version}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let response = connection.exchange(request.as_bytes()).await.unwrap();
        serde_json::from_slice::<serde_json::Value>(response.body).unwrap()["result"].clone()
    };
    let modern = ask("tools/list", "2026-07-28").await;
    assert_eq!(
        (&modern["resultType"], &modern["cacheScope"]),
        (&"complete".into(), &"public".into())
    );
    let legacy = ask("tools/list", "2025-11-25").await;
    assert_eq!(legacy["tools"], modern["tools"]);
    assert!(legacy.get("resultType").is_none());
    assert_eq!(
        ask("ping", "2026-07-28").await,
        serde_json::json!({"resultType": "complete"})
    );
}
