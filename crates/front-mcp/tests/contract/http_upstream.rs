//! What does an upstream over HTTP look like whose every event a test decides?
//!
//! Progress and cancellation need a real wire: a server in this process has neither.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::Response;
use axum::routing::post;
use futures_util::stream;
use handpick_upstream::{ServerConfig, Transport};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::deployment::{PATIENCE, tool};

/// The far end of a server at `127.0.0.1`.
pub struct HttpUpstream {
    /// How to reach it.
    pub config: ServerConfig,
    calls: UnboundedReceiver<UpstreamCall>,
    notifications: UnboundedReceiver<Value>,
}

/// One `tools/call` that arrived and waits for its events.
pub struct UpstreamCall {
    /// The whole request.
    pub request: Value,
    frames: UnboundedSender<String>,
}

impl HttpUpstream {
    /// Starts a server with the tool `work` under this app name.
    pub async fn start(name: &str) -> Self {
        let (calls_in, calls) = unbounded_channel();
        let (notifications_in, notifications) = unbounded_channel();
        let router = Router::new()
            .route("/mcp", post(answer))
            .with_state((calls_in, notifications_in));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let transport = Transport::Http {
            url,
            headers: Default::default(),
        };
        Self {
            config: ServerConfig::new(name, transport),
            calls,
            notifications,
        }
    }

    /// The next call that arrives.
    pub async fn next_call(&mut self) -> UpstreamCall {
        let call = tokio::time::timeout(PATIENCE, self.calls.recv());
        call.await.unwrap().unwrap()
    }

    /// Whether no call waits to be answered.
    pub fn is_quiet(&self) -> bool {
        self.calls.is_empty()
    }

    /// Waits for the next notification with this method.
    pub async fn notified(&mut self, method: &str) -> Value {
        let wait = async {
            loop {
                let notification = self.notifications.recv().await.unwrap();
                if notification["method"] == method {
                    return notification;
                }
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.unwrap()
    }
}

impl UpstreamCall {
    /// Reports progress with these members besides the token.
    pub fn progress(&self, members: &Value) {
        let mut params = members.clone();
        params["progressToken"] = self.request["params"]["_meta"]["progressToken"].clone();
        self.send(
            &json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}).to_string(),
        );
    }

    /// Sends the result, raw JSON.
    pub fn finish(self, result: &str) {
        let id = &self.request["id"];
        self.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#));
    }

    /// Sends progress and the result in one piece.
    pub fn finish_with_progress(self, members: &Value, result: &str) {
        let mut params = members.clone();
        params["progressToken"] = self.request["params"]["_meta"]["progressToken"].clone();
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        let id = &self.request["id"];
        let _ = self.frames.send(format!(
            "data: {progress}\n\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n\n"
        ));
    }

    /// Waits until the caller's connection is gone.
    pub async fn dropped(&self) {
        tokio::time::timeout(PATIENCE, self.frames.closed())
            .await
            .unwrap();
    }

    fn send(&self, message: &str) {
        let lines = message.replace('\n', "\ndata: ");
        let _ = self.frames.send(format!("event: message\ndata: {lines}\n\n"));
    }
}

type Doors = (UnboundedSender<UpstreamCall>, UnboundedSender<Value>);

async fn answer(State((calls, notifications)): State<Doors>, body: Bytes) -> Response {
    let request: Value = serde_json::from_slice(&body).unwrap();
    let respond = |result: Value| {
        json_response(
            StatusCode::OK,
            &json!({"jsonrpc": "2.0", "id": request["id"], "result": result}),
        )
    };
    match request["method"].as_str().unwrap() {
        "initialize" => respond(json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "fake", "version": "1"}
        })),
        "tools/list" => respond(json!({"tools": [tool("work", "Work on something for long.")]})),
        "tools/call" => {
            let (frames, events) = unbounded_channel::<String>();
            let _ = calls.send(UpstreamCall { request, frames });
            let events = stream::unfold(events, |mut events| async move {
                let frame = events.recv().await?;
                Some((Ok::<_, std::io::Error>(frame), events))
            });
            let mut response = Response::new(Body::from_stream(events));
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, "text/event-stream".parse().unwrap());
            response
        }
        _ if request.get("id").is_some() => json_response(
            StatusCode::NOT_FOUND,
            &json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "unknown"}}),
        ),
        _ => {
            let _ = notifications.send(request);
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::ACCEPTED;
            response
        }
    }
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, "application/json".parse().unwrap());
    response
}
