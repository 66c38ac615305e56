//! How is an HTTP server scripted?

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use axum::serve::ListenerExt as _;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// One request as it arrived.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Seen {
    pub fn rpc(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    pub fn id(&self) -> Value {
        self.body["id"].clone()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub fn is_modern(&self) -> bool {
        self.header("mcp-protocol-version") == Some("2026-07-28")
    }

    /// The answer to this request.
    pub fn result(&self, result: Value) -> Response {
        json_response(200, &json!({"jsonrpc": "2.0", "id": self.id(), "result": result}))
    }

    pub fn error(&self, status: u16, code: i64, message: &str) -> Response {
        let error = json!({"code": code, "message": message});
        json_response(
            status,
            &json!({"jsonrpc": "2.0", "id": self.id(), "error": error}),
        )
    }

    /// The usual answers of a legacy server that lists these tools.
    pub fn legacy(&self, tools: &Value) -> Response {
        match self.rpc() {
            "initialize" => self.result(json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": true}},
                "serverInfo": {"name": "fake", "version": "1"},
            })),
            _ if self.method != Method::POST => text(405, ""),
            _ if self.is_modern() => self.error(400, -32000, "Bad Request: Unsupported protocol version"),
            "tools/list" => self.result(json!({"tools": tools})),
            "tools/call" => {
                self.result(json!({"content": [], "structuredContent": self.body["params"]["arguments"]}))
            }
            _ if self.id().is_null() => text(202, ""),
            _ => self.error(200, -32601, "unknown method"),
        }
    }

    /// The usual answers of a modern server that lists these tools.
    pub fn modern(&self, tools: &Value) -> Response {
        if self.method != Method::POST {
            return text(405, "");
        }
        if !self.is_modern() {
            return self.error(400, -32020, "missing `MCP-Protocol-Version`");
        }
        match self.rpc() {
            "server/discover" => self.result(json!({
                "resultType": "complete", "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {"listChanged": true}}, "ttlMs": 0, "cacheScope": "public",
            })),
            "tools/list" => self.result(json!({"resultType": "complete", "tools": tools})),
            "tools/call" => self.result(json!({"resultType": "complete", "content": [], "structuredContent": self.body["params"]["arguments"]})),
            _ => self.error(404, -32601, "unknown method"),
        }
    }
}

pub type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;
type Handler = Arc<dyn Fn(Seen) -> Answering + Send + Sync>;

/// A server, until it is dropped.
pub struct Web {
    pub url: String,
    pub seen: Arc<Mutex<Vec<Seen>>>,
    pub connections: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Drop for Web {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Web {
    /// How many requests matched.
    pub fn count(&self, matches: impl Fn(&Seen) -> bool) -> usize {
        self.seen
            .lock()
            .unwrap()
            .iter()
            .filter(|seen| matches(seen))
            .count()
    }

    /// How many requests had this JSON-RPC method.
    pub fn asked(&self, method: &str) -> usize {
        self.count(|seen| seen.rpc() == method)
    }

    pub fn last(&self, method: &str) -> Seen {
        self.seen
            .lock()
            .unwrap()
            .iter()
            .rfind(|seen| seen.rpc() == method)
            .unwrap()
            .clone()
    }
}

#[derive(Clone)]
struct Script {
    handler: Handler,
    seen: Arc<Mutex<Vec<Seen>>>,
}

/// Serves `answer` at `/mcp` and everywhere else.
pub async fn serve<F>(answer: impl Fn(Seen) -> F + Send + Sync + 'static) -> Web
where
    F: Future<Output = Response> + Send + 'static,
{
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let script = Script {
        handler: Arc::new(move |seen| Box::pin(answer(seen))),
        seen: Arc::default(),
    };
    let (seen, connections) = (Arc::clone(&script.seen), Arc::new(AtomicUsize::new(0)));
    let counter = Arc::clone(&connections);
    let listener = listener.tap_io(move |stream| {
        counter.fetch_add(1, Ordering::Relaxed);
        stream.set_nodelay(true).unwrap();
    });
    let router = Router::new().fallback(handle).with_state(script);
    let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    Web {
        url,
        seen,
        connections,
        task,
    }
}

async fn handle(
    State(script): State<Script>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let seen = Seen {
        method,
        path: uri.to_string(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    script.seen.lock().unwrap().push(seen.clone());
    (script.handler)(seen).await
}

pub fn json_response(status: u16, value: &Value) -> Response {
    respond(status, "application/json", Body::from(value.to_string()))
}

pub fn text(status: u16, text: &str) -> Response {
    respond(status, "text/plain; charset=utf-8", Body::from(text.to_owned()))
}

pub fn respond(status: u16, content_type: &str, body: Body) -> Response {
    Response::builder()
        .status(status)
        .header("content-type", content_type)
        .body(body)
        .unwrap()
}

/// An event stream that ends after these events.
pub fn events(events: &[&str]) -> Response {
    respond(200, "text/event-stream", Body::from(events.concat()))
}

/// An event stream that goes on as long as the sender lives.
pub fn stream() -> (mpsc::UnboundedSender<String>, Response) {
    let (sender, receiver) = mpsc::unbounded_channel::<String>();
    let chunks = futures_util::stream::unfold(receiver, |mut receiver| async move {
        let chunk = receiver.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(chunk), receiver))
    });
    (
        sender,
        respond(200, "text/event-stream", Body::from_stream(chunks)),
    )
}

/// One event that carries a message.
pub fn event(message: &Value) -> String {
    format!("event: message\ndata: {message}\n\n")
}

pub fn tools(names: &[&str]) -> Value {
    names
        .iter()
        .map(|name| json!({"name": name, "inputSchema": {"type": "object"}}))
        .collect()
}
