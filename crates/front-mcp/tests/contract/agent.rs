//! How do tests speak to the gateway over HTTP: as an agent of either era.
#![allow(dead_code, reason = "shared by many tests")]

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use handpick_front_mcp::McpFront;
use http_body_util::BodyExt as _;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::deployment::{Deployment, KEY, PATIENCE};

/// The ways of speaking MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// 2025-11-25 with a session.
    Session,
    /// 2025-11-25 without one.
    Sessionless,
    /// 2026-07-28.
    Modern,
}

/// Every way.
pub const STYLES: [Style; 3] = [Style::Session, Style::Sessionless, Style::Modern];

/// The metadata every modern request carries.
pub fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// What came back, read to its end.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The text of the `result` member as it stands in the body, without the modern mark.
    #[track_caller]
    pub fn result_text(&self) -> String {
        #[derive(serde::Deserialize)]
        struct Whole<'a> {
            #[serde(borrow)]
            result: &'a RawValue,
        }
        let whole: Whole<'_> =
            serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        let text = whole.result.get();
        match text.strip_prefix(r#"{"resultType":"complete""#) {
            Some(rest) => format!("{{{}", rest.strip_prefix(',').unwrap_or(rest)),
            None => text.to_owned(),
        }
    }

    /// The `result` member.
    #[track_caller]
    pub fn result(&self) -> Value {
        let json = self.json();
        assert!(json.get("result").is_some(), "{self:?}");
        json["result"].clone()
    }

    /// Code and message of the `error` member.
    #[track_caller]
    pub fn error(&self) -> (i64, String) {
        let json = self.json();
        let code = json["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("{self:?}"));
        (code, json["error"]["message"].as_str().unwrap().to_owned())
    }

    /// The text of a result that is an error the model should read.
    #[track_caller]
    pub fn failure(&self) -> String {
        let result = self.result();
        assert_eq!(result["isError"], true, "{self:?}");
        assert_eq!(result["content"].as_array().unwrap().len(), 1, "{self:?}");
        assert!(result.get("structuredContent").is_none(), "{self:?}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The structured answer of a meta-tool, which must be there as text too.
    #[track_caller]
    pub fn structured(&self) -> Value {
        let result = self.result();
        assert_eq!(result["isError"], false, "{self:?}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// One header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

/// The routes of a deployment.
pub fn router(deployment: &Deployment) -> Router {
    router_with_origins(deployment, &[])
}

/// The routes of a deployment that lets these origins in.
pub fn router_with_origins(deployment: &Deployment, origins: &[&str]) -> Router {
    let origins = origins.iter().map(|&origin| origin.to_owned()).collect();
    handpick_front_mcp::router(Arc::new(McpFront::new(Arc::clone(&deployment.runtime), origins)))
}

/// Sends any request and reads the whole answer.
pub async fn send(router: &Router, request: Request<Body>) -> Reply {
    let response = router.clone().oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    let body = tokio::time::timeout(PATIENCE, body.collect())
        .await
        .unwrap()
        .unwrap();
    Reply {
        status: head.status,
        headers: head.headers,
        text: String::from_utf8(body.to_bytes().to_vec()).unwrap(),
    }
}

/// A POST with the test key and these extra headers; a header that is given replaces the default.
pub fn post(path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request<Body> {
    let authorization = format!("Bearer {KEY}");
    let mut all = vec![
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("authorization", authorization.as_str()),
    ];
    all.retain(|(name, _)| !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)));
    all.extend(headers.iter().filter(|(_, value)| !value.is_empty()));
    let mut request = Request::builder().method(Method::POST).uri(path);
    for (name, value) in all {
        request = request.header(name, value);
    }
    request.body(body.into()).unwrap()
}

/// One client of one gateway.
pub struct Agent {
    router: Router,
    path: String,
    key: String,
    style: Style,
    /// The end user it acts for.
    pub user: Option<String>,
    /// What it offers to be asked for.
    pub capabilities: Value,
    /// Value of `Mcp-Session-Id`.
    pub session: Option<String>,
}

impl Agent {
    /// Connects with the test key.
    pub async fn open(router: &Router, gateway: &str, style: Style) -> Self {
        Self::open_as(router, gateway, style, KEY).await
    }

    /// Connects with this key. `gateway` may carry a query.
    pub async fn open_as(router: &Router, gateway: &str, style: Style, key: &str) -> Self {
        Self::open_offering(router, gateway, style, key, json!({})).await
    }

    /// Connects with this key as a client with these capabilities.
    pub async fn open_offering(
        router: &Router,
        gateway: &str,
        style: Style,
        key: &str,
        capabilities: Value,
    ) -> Self {
        let mut agent = Self {
            router: router.clone(),
            path: format!("/mcp/{gateway}"),
            key: key.to_owned(),
            style,
            user: None,
            capabilities,
            session: None,
        };
        if style == Style::Session {
            let reply = agent
                .ask(
                    "initialize",
                    json!({"protocolVersion": "2025-11-25", "capabilities": agent.capabilities, "clientInfo": {"name": "test", "version": "1"}}),
                )
                .await;
            assert_eq!(reply.status, StatusCode::OK, "{reply:?}");
            agent.session = reply.header("mcp-session-id").map(str::to_owned);
            let notified = agent
                .send_text(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
                .await;
            assert_eq!(notified.status, StatusCode::ACCEPTED);
        }
        agent
    }

    /// A request with everything the era asks for.
    pub fn request(&self, id: &str, method: &str, mut params: Value) -> Request<Body> {
        if self.style == Style::Modern {
            let given = params["_meta"].take();
            let mut meta = modern_meta();
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
            for (key, value) in given.as_object().into_iter().flatten() {
                meta[key] = value.clone();
            }
            params["_meta"] = meta;
        }
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":{},"params":{params}}}"#,
            json!(method)
        );
        let name = params["name"].as_str().filter(|_| method == "tools/call");
        self.raw_request(method, name, body)
    }

    /// A request with this body, and the headers that go with the method and tool.
    pub fn raw_request(&self, method: &str, name: Option<&str>, body: impl Into<Body>) -> Request<Body> {
        let authorization = format!("Bearer {}", self.key);
        let name = name.map(header_value);
        let mut headers = vec![("authorization", authorization.as_str())];
        headers.extend(self.user.as_deref().map(|user| ("arcade-user-id", user)));
        match self.style {
            Style::Modern => {
                headers.push(("mcp-protocol-version", "2026-07-28"));
                headers.push(("mcp-method", method));
                headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
            }
            Style::Session | Style::Sessionless => {
                headers.extend(self.session.as_deref().map(|session| ("mcp-session-id", session)));
                if method != "initialize" {
                    headers.push(("mcp-protocol-version", "2025-11-25"));
                }
            }
        }
        post(&self.path, &headers, body)
    }

    /// Sends a request and reads the whole answer.
    pub async fn ask(&self, method: &str, params: Value) -> Reply {
        send(&self.router, self.request("1", method, params)).await
    }

    /// Sends a body of a legacy client as it is.
    pub async fn send_text(&self, body: &str) -> Reply {
        send(&self.router, self.raw_request("", None, body.to_owned())).await
    }

    /// Calls a tool.
    pub async fn call(&self, name: &str, arguments: Value) -> Reply {
        self.ask("tools/call", json!({"name": name, "arguments": arguments}))
            .await
    }

    /// Calls a tool whose answer is awaited elsewhere.
    pub fn call_later(&self, id: &str, name: &str, arguments: &Value) -> tokio::task::JoinHandle<Reply> {
        let request = self.request(id, "tools/call", json!({"name": name, "arguments": arguments}));
        let router = self.router.clone();
        tokio::spawn(async move { send(&router, request).await })
    }

    /// The names of the whole list, page by page.
    pub async fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut params = json!({});
        loop {
            let result = self.ask("tools/list", params).await.result();
            for tool in result["tools"].as_array().unwrap() {
                names.push(tool["name"].as_str().unwrap().to_owned());
            }
            match result.get("nextCursor") {
                None => return names,
                Some(cursor) => params = json!({"cursor": cursor}),
            }
        }
    }

    /// Opens a stream: the answer to this request, message by message.
    pub async fn stream(&self, request: Request<Body>) -> Events {
        let response = self.router.clone().oneshot(request).await.unwrap();
        Events::of(response)
    }

    /// Opens the stream a legacy session hears changes on.
    pub async fn listen(&self) -> Events {
        let mut request = self.raw_request("", None, "");
        *request.method_mut() = Method::GET;
        self.stream(request).await
    }

    /// Ends the session.
    pub async fn end(&self) -> Reply {
        let mut request = self.raw_request("", None, "");
        *request.method_mut() = Method::DELETE;
        send(&self.router, request).await
    }
}

/// A header value; text beyond ASCII travels wrapped.
fn header_value(text: &str) -> String {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && text.trim() == text;
    if plain {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}

/// An event stream, message by message.
pub struct Events {
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: Body,
    buffer: String,
}

impl Events {
    /// The stream this response is.
    pub fn of(response: axum::response::Response) -> Self {
        let (head, body) = response.into_parts();
        Self {
            status: head.status,
            headers: head.headers,
            body,
            buffer: String::new(),
        }
    }

    /// Whether it is a stream of events at all.
    pub fn is_event_stream(&self) -> bool {
        self.headers
            .get(header::CONTENT_TYPE)
            .map(|value| value.as_bytes())
            == Some(b"text/event-stream")
    }

    /// The data of the next event; nothing when the stream has ended.
    pub async fn next_text(&mut self) -> Option<String> {
        let next = self.read();
        tokio::time::timeout(PATIENCE, next)
            .await
            .expect("an event or the end comes in time")
    }

    async fn read(&mut self) -> Option<String> {
        loop {
            if let Some((event, rest)) = self.buffer.split_once("\n\n") {
                let mut data = Vec::new();
                for line in event.split(['\n', '\r']) {
                    match line.split_once(':') {
                        Some(("data", value)) => data.push(value.strip_prefix(' ').unwrap_or(value)),
                        Some(("event" | "", _)) => {}
                        _ => panic!("not a line of an event: {line:?} in {event:?}"),
                    }
                }
                let data = data.join("\n");
                self.buffer = rest.to_owned();
                if !data.is_empty() {
                    return Some(data);
                }
                continue;
            }
            let frame = self.body.frame().await?;
            let bytes = frame.unwrap().into_data().unwrap();
            self.buffer.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }

    /// The whole body of an answer that is no stream.
    pub async fn whole(&mut self) -> String {
        let body = std::mem::take(&mut self.body);
        let whole = tokio::time::timeout(PATIENCE, body.collect()).await;
        String::from_utf8(whole.unwrap().unwrap().to_bytes().to_vec()).unwrap()
    }

    /// The next message.
    pub async fn next(&mut self) -> Option<Value> {
        let text = self.next_text().await?;
        Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// Whether nothing comes for a moment. Only ever proves a failure, so the moment is short.
    pub async fn is_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(60), self.next_text())
            .await
            .is_err()
    }
}
