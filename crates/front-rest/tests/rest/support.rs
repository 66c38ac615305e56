//! What do these tests stand on: a gateway over a help desk, and over a server whose every tool is an edge
//! case.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use handpick_access::{KeyHash, Policy};
use handpick_domain::{Gateway, Presentation, Restriction, Scope, ToolGlobs};
use handpick_front_rest::{RateLimit, RestFront};
use handpick_operations::{KeyRing, Options, Runtime, Selector};
use handpick_protocol::json::raw;
use handpick_protocol::{LocalServer, RpcError};
use handpick_selection::{EncodeError, Encoder, Tuning};
use handpick_store::{NewKeyRow, Recorder, Retention, Store};
use handpick_upstream::{NoCache, ServerConfig, Transport, Upstreams};
use serde_json::Value;
use serde_json::value::RawValue;
use tower::ServiceExt as _;

/// A key with every scope.
pub const ADMIN: &str = "hp_admin";
/// A key that may select and search.
pub const READ: &str = "hp_read";
/// A key that may execute.
pub const EXECUTE: &str = "hp_execute";
/// A key that was revoked.
pub const REVOKED: &str = "hp_revoked";

/// A gateway ready to be asked.
pub struct Gate {
    /// Its routes.
    pub router: Router,
    /// What stands behind it.
    pub runtime: Arc<Runtime>,
}

/// What came back.
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
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

impl Gate {
    /// A gateway that finds tools.
    pub async fn open() -> Self {
        Self::with(Some(Meaningless { broken: false })).await
    }

    /// A gateway whose model fails, so that it finds by words alone.
    pub async fn with_broken_model() -> Self {
        Self::with(Some(Meaningless { broken: true })).await
    }

    /// A deployment that finds no tools for anybody.
    pub async fn without_selection() -> Self {
        Self::with(None).await
    }

    async fn with(model: Option<Meaningless>) -> Self {
        let mut servers = [("desk", DESK), ("odd", ODD), ("slow", SLOW)]
            .map(|(name, tools)| ServerConfig::new(name, Transport::Local(Arc::new(Server { tools }))));
        servers[2].call_timeout = Duration::from_millis(50);
        let upstreams = Upstreams::start(servers.to_vec(), Arc::new(NoCache)).await;
        upstreams.settled(Duration::from_secs(60)).await;
        let store = Store::in_memory().await.unwrap();
        let keys = KeyRing::new(&[ADMIN]);
        for (key, scope) in [
            (READ, Scope::Read),
            (EXECUTE, Scope::Execute),
            (REVOKED, Scope::Admin),
        ] {
            let row = NewKeyRow {
                hash: KeyHash::of(key).0,
                id: key.into(),
                label: String::new(),
                scopes: [scope].into(),
                roles: Default::default(),
                created_at_ms: 0,
            };
            store.key_insert(row).await.unwrap();
        }
        store.key_revoke(REVOKED, 1).await.unwrap();
        keys.refresh(&store).await.unwrap();
        let selector = match model {
            None => None,
            Some(model) => {
                let selector = Selector::load(Arc::new(model), &store, Tuning::default()).await;
                selector.publish(upstreams.catalog());
                Some(Arc::new(selector))
            }
        };
        let recorder = Recorder::start(store.clone(), Retention::default());
        let runtime = Runtime::new(
            policy(),
            upstreams,
            selector,
            keys,
            store,
            recorder,
            Options {
                record_content: true,
                ..Options::default()
            },
        );
        let runtime = Arc::new(runtime);
        Self {
            router: handpick_front_rest::router(Arc::new(RestFront::new(Arc::clone(&runtime)))),
            runtime,
        }
    }

    /// The same gateway behind a front whose context API may be asked this often.
    pub fn limited(&self, limit: RateLimit) -> Self {
        let runtime = Arc::clone(&self.runtime);
        let front = RestFront::with_rate_limit(Arc::clone(&runtime), limit);
        Self {
            router: handpick_front_rest::router(Arc::new(front)),
            runtime,
        }
    }

    /// Sends any request.
    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        Reply {
            status: head.status,
            headers: head.headers,
            text: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    /// Posts a body as JSON, with an admin key.
    pub async fn post(&self, path: &str, body: impl ToString) -> Reply {
        self.post_with(ADMIN, path, body.to_string()).await
    }

    /// Posts a body as JSON with this key.
    pub async fn post_with(&self, key: &str, path: &str, body: impl Into<Body>) -> Reply {
        self.send(request(Method::POST, path, Some(key), body)).await
    }

    /// Sends a body with any method, with an admin key.
    pub async fn ask(&self, method: Method, path: &str, body: impl ToString) -> Reply {
        self.send(request(method, path, Some(ADMIN), body.to_string()))
            .await
    }

    /// Gets a path with an admin key.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(request(Method::GET, path, Some(ADMIN), Body::empty()))
            .await
    }
}

/// A JSON request.
pub fn request(method: Method, path: &str, key: Option<&str>, body: impl Into<Body>) -> Request<Body> {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, "application/json");
    if let Some(key) = key {
        request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
    }
    request.body(body.into()).unwrap()
}

fn policy() -> Policy {
    let gateway = |name: &str, presentation, patterns: &[&str]| {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let gateway = Gateway {
            presentation,
            allow: ToolGlobs::new(&patterns).unwrap(),
            ..Gateway::new(name)
        };
        (name.to_owned(), gateway)
    };
    Policy {
        gateways: [
            gateway("support", Presentation::Recommend, &["desk.*"]),
            gateway("plain", Presentation::Direct, &["desk.create_ticket"]),
            gateway("nothing", Presentation::Recommend, &[]),
        ]
        .into(),
        restrictions: vec![Restriction {
            tools: ToolGlobs::new(&["odd.secret".to_owned()]).unwrap(),
            roles: ["officer".to_owned()].into(),
        }],
    }
}

/// A model to which everything means the same. No tool here has a vector, so words alone decide.
struct Meaningless {
    broken: bool,
}

impl Encoder for Meaningless {
    fn id(&self) -> &str {
        "meaningless"
    }

    fn dimensions(&self) -> usize {
        4
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        if self.broken {
            return Err(EncodeError("out of order".to_owned()));
        }
        Ok(texts.iter().map(|_| vec![1.0, 0.0, 0.0, 0.0]).collect())
    }
}

/// The tools of a help desk.
const DESK: &str = r#"[
    {"name": "create_ticket", "description": "Open a new ticket in the support queue.\nReturns its id.",
     "inputSchema": {"type": "object", "properties": {"title": {"type": "string"}, "priority": {"enum": [1, 2, 3]}},
                     "required": ["title"]}},
    {"name": "close_ticket", "description": "Close a ticket that is solved.",
     "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}},
    {"name": "send_message", "description": "Post a message to a chat channel.",
     "inputSchema": {"type": "object"}}
]"#;

/// Tools that are edge cases, by name.
const ODD: &str = r#"[
    {"name": "echo", "description": "Say it again.", "inputSchema": {"type": "object"}},
    {"name": "prose", "description": "Answer in words.", "inputSchema": {"type": "object"}},
    {"name": "picture", "description": "Answer with a picture.", "inputSchema": {"type": "object"}},
    {"name": "fail", "description": "Report a failure.", "inputSchema": {"type": "object"}},
    {"name": "refuse", "description": "Answer with a protocol error.", "inputSchema": {"type": "object"}},
    {"name": "secret", "description": "Answer officers alone.", "inputSchema": {"type": "object"}},
    {"name": "a_b", "description": "One of two.", "inputSchema": {"type": "object"}},
    {"name": "a.b", "description": "The other of two.", "inputSchema": {"type": "object"}},
    {"name": "broken", "description": "Listed without a schema, so not offered."}
]"#;

/// A tool that its caller does not wait for.
const SLOW: &str =
    r#"[{"name": "never", "description": "Answer too late.", "inputSchema": {"type": "object"}}]"#;

/// A server with a fixed list; what a tool does is decided by its name.
struct Server {
    tools: &'static str,
}

#[async_trait]
impl LocalServer for Server {
    async fn handle(&self, method: &str, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        let text = match method {
            "initialize" => r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
                "serverInfo":{"name":"test","version":"1"}}"#
                .to_owned(),
            "tools/list" => format!(r#"{{"tools":{}}}"#, self.tools),
            "tools/call" => call(params.map_or("{}", RawValue::get)).await?,
            _ => "{}".to_owned(),
        };
        Ok(raw(text))
    }
}

async fn call(params: &str) -> Result<String, RpcError> {
    #[derive(serde::Deserialize)]
    struct Params<'a> {
        name: String,
        #[serde(borrow)]
        arguments: &'a RawValue,
    }
    let params: Params<'_> = serde_json::from_str(params).unwrap();
    Ok(match params.name.as_str() {
        "echo" => format!(
            r#"{{"content":[],"structuredContent":{}}}"#,
            params.arguments.get()
        ),
        "prose" => r#"{"content":[{"type":"text","text":"all is well"}],"_meta":{"kept":1.0e2}}"#.to_owned(),
        "picture" => r#"{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]}"#.to_owned(),
        "fail" => r#"{"content":[{"type":"text","text":"no such invoice"}],"isError":true}"#.to_owned(),
        "never" => std::future::pending().await,
        "refuse" => {
            let mut error = RpcError::new(-32000, "not today");
            error.data = Some(raw(r#"{"until":"tomorrow"}"#.to_owned()));
            return Err(error);
        }
        other => format!(r#"{{"content":[{{"type":"text","text":"{other}"}}]}}"#),
    })
}
