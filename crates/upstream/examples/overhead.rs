//! What does a call cost beyond the bare HTTP request it has to make?
//!
//! `cargo run --release -p handpick-upstream --example overhead [-- SECONDS]` measures, in turns, the
//! same call made with the HTTP client alone and through `Upstreams::call`.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_precision_loss,
    reason = "a developer program that reports on standard output"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use handpick_access::{Admitted, Permit, Policy};
use handpick_domain::{Caller, Catalog, Scope};
use handpick_protocol::{LocalServer, RpcError, json};
use handpick_upstream::{NoCache, ServerConfig, ToolCall, Transport, Upstreams};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::value::RawValue;

type Bare = Client<HttpConnector, Full<Bytes>>;

const RESULT: &str = r#"{"content":[{"type":"text","text":"sunny, 21 degrees, wind from the west"}]}"#;
const ARGUMENTS: &str = r#"{"location":"Seattle, WA","units":"metric"}"#;
/// What `Upstreams` sends too.
const BODY: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"location":"Seattle, WA","units":"metric"},"_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"handpick","version":"0.1.0"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;

struct Weather;

#[async_trait]
impl LocalServer for Weather {
    async fn handle(&self, method: &str, _params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        Ok(json::raw(match method {
            "tools/list" => r#"{"tools":[{"name":"weather","inputSchema":{"type":"object"}}]}"#.to_owned(),
            _ => RESULT.to_owned(),
        }))
    }
}

/// The cheapest server that answers the modern way: no router, no parser beyond the id.
fn serve() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    listener.set_nonblocking(true).expect("non-blocking");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            let _ = handpick_testkit::echo::serve(listener, Arc::new(Weather)).await;
        });
    });
    url
}

/// The same answer as an event stream, as servers send it that may have progress to report.
fn serve_events() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    listener.set_nonblocking(true).expect("non-blocking");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            let router = axum::Router::new().fallback(|body: String| async move {
                let id = body
                    .split("\"id\":")
                    .nth(1)
                    .and_then(|rest| rest.split(',').next())
                    .unwrap_or("0")
                    .to_owned();
                let result = if body.contains("server/discover") {
                    r#"{"supportedVersions":["2026-07-28"]}"#
                } else if body.contains("tools/list") {
                    r#"{"tools":[{"name":"weather","inputSchema":{"type":"object"}}]}"#
                } else {
                    RESULT
                };
                let event = format!(
                    "event: message\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n\n"
                );
                let chunks = futures_util::stream::iter([Ok::<_, std::convert::Infallible>(event)]);
                (
                    [("content-type", "text/event-stream")],
                    axum::body::Body::from_stream(chunks),
                )
            });
            let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
                let _ = stream.set_nodelay(true);
            });
            let _ = axum::serve(listener, router).await;
        });
    });
    url
}

fn permit(catalog: Arc<Catalog>, tool: &str) -> Permit {
    let caller = Caller {
        scopes: [Scope::Execute].into(),
        ..Caller::default()
    };
    let policy = Policy::default();
    let surface = policy.open_surface(catalog, None, &caller);
    match policy.admit(&surface, tool, &caller).expect("a permit") {
        Admitted::Granted(permit) => permit,
        Admitted::Confirm(waiting) => panic!("{} waits for a person", waiting.tool().name),
    }
}

#[derive(Clone)]
enum Way {
    Client(Bare, http::Uri),
    Upstream(Arc<Upstreams>, &'static str, Arc<Catalog>),
}

impl Way {
    async fn go(&self) {
        match self {
            Self::Client(client, uri) => {
                let request = http::Request::post(uri.clone())
                    .header("content-type", "application/json")
                    .header("accept", "application/json, text/event-stream")
                    .header("mcp-protocol-version", "2026-07-28")
                    .header("mcp-method", "tools/call")
                    .header("mcp-name", "weather")
                    .header("user-agent", "handpick/0.1.0")
                    .body(Full::new(Bytes::from(BODY.to_owned())))
                    .expect("a request");
                let response = client.request(request).await.expect("an answer");
                let body = response.into_body().collect().await.expect("a body");
                assert!(body.to_bytes().len() > 50);
            }
            Self::Upstream(upstreams, tool, catalog) => {
                let arguments = RawValue::from_string(ARGUMENTS.to_owned()).expect("JSON");
                let permit = permit(Arc::clone(catalog), tool);
                let result = upstreams
                    .call(permit, ToolCall::new(arguments))
                    .await
                    .expect("a result");
                assert!(result.get().len() > 50);
            }
        }
    }
}

/// One turn: so many callers for so long. Adds every call's time.
async fn turn(way: &Way, callers: usize, length: Duration, times: &mut Vec<Duration>) {
    let until = Instant::now() + length;
    let tasks: Vec<_> = (0..callers)
        .map(|_| {
            let way = way.clone();
            tokio::spawn(async move {
                let mut times = Vec::new();
                while Instant::now() < until {
                    let begun = Instant::now();
                    way.go().await;
                    times.push(begun.elapsed());
                }
                times
            })
        })
        .collect();
    for task in tasks {
        times.extend(task.await.expect("a task"));
    }
}

#[tokio::main]
async fn main() {
    let seconds: f64 = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(5.0);
    let url = serve();
    let fake = std::env::current_exe().expect("a path");
    let fake = fake
        .parent()
        .and_then(|folder| folder.parent())
        .expect("a folder")
        .join("fake-mcp");
    let mut configs = vec![
        ServerConfig::new(
            "http",
            Transport::Http {
                url: url.clone(),
                headers: BTreeMap::new(),
            },
        ),
        ServerConfig::new(
            "events",
            Transport::Http {
                url: serve_events(),
                headers: BTreeMap::new(),
            },
        ),
        ServerConfig::new("local", Transport::Local(Arc::new(Weather))),
    ];
    if fake.exists() {
        let command = fake.display().to_string();
        configs.push(ServerConfig::new(
            "stdio",
            Transport::Stdio {
                command,
                args: Vec::new(),
                env: BTreeMap::new(),
                cwd: None,
            },
        ));
    }
    let upstreams = Upstreams::start(configs, Arc::new(NoCache)).await;
    upstreams.settled(Duration::from_secs(30)).await;
    let catalog = upstreams.catalog();
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client = Client::builder(TokioExecutor::new()).build(connector);
    let mut ways = vec![
        (
            "HTTP client alone",
            Way::Client(client, url.parse().expect("a URL")),
        ),
        (
            "Upstreams, http",
            Way::Upstream(Arc::clone(&upstreams), "http.weather", Arc::clone(&catalog)),
        ),
        (
            "Upstreams, events",
            Way::Upstream(Arc::clone(&upstreams), "events.weather", Arc::clone(&catalog)),
        ),
        (
            "Upstreams, local",
            Way::Upstream(Arc::clone(&upstreams), "local.weather", Arc::clone(&catalog)),
        ),
    ];
    if fake.exists() {
        ways.push((
            "Upstreams, stdio",
            Way::Upstream(Arc::clone(&upstreams), "stdio.echo", catalog),
        ));
    }
    for callers in [1, 32] {
        let mut times = vec![Vec::new(); ways.len()];
        let rounds = 10;
        for _ in 0..rounds {
            for ((_, way), times) in ways.iter().zip(&mut times) {
                turn(
                    way,
                    callers,
                    Duration::from_secs_f64(seconds / f64::from(rounds)),
                    times,
                )
                .await;
            }
        }
        for ((name, _), times) in ways.iter().zip(&mut times) {
            times.sort_unstable();
            let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6;
            println!(
                "{callers:3} callers  {name:20} {:8.0} calls/s   median {:7.1} us   p99 {:7.1} us",
                times.len() as f64 / seconds,
                at(50),
                at(99)
            );
        }
    }
    upstreams.shutdown().await;
}
