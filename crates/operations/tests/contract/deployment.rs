//! What do contract tests stand on: a whole gateway in this process, over servers that follow a script.
//!
//! One file on purpose: the tests of the fronts include it as it is.
#![allow(dead_code, reason = "every test binary uses a part of this")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use handpick_access::{KeyHash, Policy};
use handpick_domain::{Gateway, Presentation, Restriction, Scope, ToolGlobs};
use handpick_operations::{KeyRing, Options, Runtime, Selector};
use handpick_protocol::json::raw;
use handpick_protocol::{LocalServer, RpcError};
use handpick_selection::{EncodeError, Encoder, Tuning};
use handpick_store::{CallRecord, NewKeyRow, Recorder, Retention, Store, StoreError};
use handpick_upstream::{NoCache, ServerConfig, Transport, Upstreams};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};

/// A key with every scope and no role.
pub const KEY: &str = "test-key";
/// Another such key.
pub const OTHER_KEY: &str = "other-key";
/// A key with every scope and the role `officer`.
pub const OFFICER_KEY: &str = "officer-key";
/// A key that may look but not run.
pub const READ_KEY: &str = "read-key";

/// Longest that anything in a test may take. Reached only by a failing test.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A result with every kind of content, fields nobody knows, odd spelling and line breaks of all kinds
/// between tokens: what a gateway must hand on as it is (A26).
pub const RICH: &str = concat!(
    "{ \"content\" : [\n",
    r#"{"type":"text","text":"caf\u00e9 \n line","annotations":{"audience":["user"],"priority":1.0e0}},"#,
    "\r\n",
    r#"{"type":"image","data":"AAAA","mimeType":"image/png"},"#,
    "\r",
    r#"{"type":"audio","data":"BBBB","mimeType":"audio/wav"},"#,
    r#"{"type":"resource","resource":{"uri":"file:///a","text":"x","mimeType":"text/plain"}},"#,
    r#"{"type":"resource_link","uri":"file:///b","name":"b","size":12345678901234567890},"#,
    r#"{"type":"hologram","unknown":[1.50,-0.0,1E+2]}],"#,
    "\n",
    r#""structuredContent" : {"z":1,"a":{"b":[ ]},"num":100.0,"dup":1,"dup":2},"#,
    r#""_meta":{"vendor/trace":"t-1","nested":{"resultType":"mine"}},"isError":false,"later":null }"#,
);

/// What a tool answers that wants the user to authorize first (A27).
pub const AUTHORIZE: &str = r#"{"content":[{"type":"text","text":"{\"authorization_url\":\"https://auth.example/go?x=1&y=2\",\"llm_instructions\":\"show the link\"}"}],"isError":true}"#;

/// A server in this process whose tools and answers a test decides.
pub struct Scripted {
    tools: Mutex<Vec<Value>>,
    calls: Mutex<Vec<(String, String)>>,
    /// Calls of `wait` that are running now.
    pub waiting: watch::Sender<usize>,
    /// Lets calls of `wait` end.
    pub release: Semaphore,
    /// Calls of `wait` that were given up.
    pub abandoned: watch::Sender<usize>,
    lists: watch::Sender<bool>,
    broken: AtomicBool,
}

impl Scripted {
    /// A server with these tools.
    pub fn new(tools: Vec<Value>) -> Arc<Self> {
        Arc::new(Self {
            tools: Mutex::new(tools),
            calls: Mutex::default(),
            waiting: watch::Sender::new(0),
            release: Semaphore::new(0),
            abandoned: watch::Sender::new(0),
            lists: watch::Sender::new(true),
            broken: AtomicBool::new(false),
        })
    }

    /// A server that does not say which tools it has until [`Self::let_list`].
    pub fn slow(tools: Vec<Value>) -> Arc<Self> {
        let server = Self::new(tools);
        server.lists.send_replace(false);
        server
    }

    /// Listings are answered from now on.
    pub fn let_list(&self) {
        self.lists.send_replace(true);
    }

    /// Replaces the tools; seen by the next listing.
    pub fn set_tools(&self, tools: Vec<Value>) {
        *self.tools.lock().unwrap() = tools;
    }

    /// From now on nothing is answered.
    pub fn break_down(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Names and raw params of the calls so far.
    pub fn calls(&self) -> Vec<(String, String)> {
        self.calls.lock().unwrap().clone()
    }

    /// The raw params of the last call.
    pub fn last_params(&self) -> Value {
        let calls = self.calls();
        let (_, params) = calls.last().expect("a call arrived");
        serde_json::from_str(params).unwrap()
    }

    async fn call(&self, params: &RawValue) -> Result<Box<RawValue>, RpcError> {
        #[derive(Deserialize)]
        struct Params<'a> {
            name: String,
            #[serde(borrow)]
            arguments: &'a RawValue,
        }
        let call: Params<'_> = serde_json::from_str(params.get()).unwrap();
        self.calls
            .lock()
            .unwrap()
            .push((call.name.clone(), params.get().to_owned()));
        let text = match call.name.as_str() {
            "rich" => RICH.to_owned(),
            "authorize" => AUTHORIZE.to_owned(),
            "fail" => r#"{"content":[{"type":"text","text":"the disk is full"}],"isError":true}"#.to_owned(),
            "empty" => "{}".to_owned(),
            "refuse" | "refuse_method" => return Err(refusal(&call.name)),
            "wait" => {
                let mut guard = Abandon(Some(self));
                self.waiting.send_modify(|count| *count += 1);
                self.release.acquire().await.unwrap().forget();
                guard.0 = None;
                self.waiting.send_modify(|count| *count -= 1);
                r#"{"content":[{"type":"text","text":"at last"}]}"#.to_owned()
            }
            name => format!(
                r#"{{"content":[{{"type":"text","text":{}}}],"structuredContent":{}}}"#,
                json!(name),
                call.arguments.get()
            ),
        };
        Ok(raw(text))
    }
}

fn refusal(tool: &str) -> RpcError {
    let mut error = RpcError::new(if tool == "refuse" { -32000 } else { -32601 }, "not today");
    error.data = Some(raw(r#"{"until": "tomorrow"}"#.to_owned()));
    error
}

/// Notes that a waiting call was dropped.
struct Abandon<'a>(Option<&'a Scripted>);

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        if let Some(server) = self.0 {
            server.waiting.send_modify(|count| *count -= 1);
            server.abandoned.send_modify(|count| *count += 1);
        }
    }
}

#[async_trait]
impl LocalServer for Scripted {
    async fn handle(&self, method: &str, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(RpcError::new(-32603, "broken down"));
        }
        match method {
            "tools/list" => {
                self.lists.subscribe().wait_for(|open| *open).await.unwrap();
                let tools = self.tools.lock().unwrap().clone();
                Ok(raw(json!({"tools": tools}).to_string()))
            }
            "tools/call" => self.call(params.expect("tools/call has params")).await,
            _ => Ok(raw("{}".to_owned())),
        }
    }
}

/// A tool whose schema is any object.
pub fn tool(name: &str, description: &str) -> Value {
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
}

/// Fillers, so that a gateway has many tools.
pub fn fillers(count: usize) -> Vec<Value> {
    (0..count)
        .map(|index| {
            tool(
                &format!("fill_{index:04}"),
                &format!("Fill the bucket number {index}."),
            )
        })
        .collect()
}

/// The tools of the app `lab`: one for each way a call can end.
pub fn lab_tools() -> Vec<Value> {
    vec![
        tool("echo", "Say the words again."),
        tool("rich", "Show a gallery of pictures and sounds."),
        tool("authorize", "Ask for permission at the front desk."),
        tool("fail", "Break the disk."),
        tool("empty", "Return an empty box."),
        tool("refuse", "Refuse politely."),
        tool("refuse_method", "Refuse in the words of the protocol."),
        tool("wait", "Wait for the train."),
        tool("secret", "Open the safe of the officers."),
        json!({
            "name": "strict",
            "title": "Strict",
            "description": "Book a table.\nThis second line mentions submarines.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "guests": {"type": "integer", "minimum": 1},
                    "dishes": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}}
                },
                "required": ["guests"]
            },
            "annotations": {"readOnlyHint": false, "x-odd": 1},
            "execution": {"taskSupport": "optional"},
            "_meta": {"vendor/color": "teal"}
        }),
    ]
}

/// The tools of the app `chat`.
pub fn chat_tools() -> Vec<Value> {
    vec![
        tool("send_message", "Post a message in a chat channel."),
        tool("list_channels", "List the chat channels."),
        tool("pin_message", "Pin a message in a chat channel."),
        tool("delete_message", "Delete a message from a chat channel."),
        tool("edit_message", "Edit a message in a chat channel."),
        tool("search_messages", "Search the messages of a chat channel."),
        tool("react_message", "React to a message in a chat channel."),
    ]
}

/// What a deployment is made of, before it starts.
pub struct Plan {
    servers: Vec<ServerConfig>,
    gateways: BTreeMap<String, Gateway>,
    restrictions: Vec<Restriction>,
    encoder: Option<Arc<dyn Encoder>>,
    options: Options,
    store: Option<Store>,
}

/// A gateway that runs.
pub struct Deployment {
    /// What the fronts stand on.
    pub runtime: Arc<Runtime>,
    seen: Mutex<BTreeSet<String>>,
}

/// A gateway with the default settings.
pub fn gateway(name: &str, presentation: Presentation, allow: &[&str]) -> Gateway {
    let allow: Vec<String> = allow.iter().map(|&pattern| pattern.to_owned()).collect();
    Gateway {
        presentation,
        allow: ToolGlobs::new(&allow).unwrap(),
        ..Gateway::new(name)
    }
}

impl Plan {
    /// Nothing yet, with selection by [`HashedWords`].
    pub fn new() -> Self {
        Self {
            servers: Vec::new(),
            gateways: BTreeMap::new(),
            restrictions: Vec::new(),
            encoder: Some(Arc::new(HashedWords::default())),
            options: Options::default(),
            store: None,
        }
    }

    /// Adds a scripted server.
    pub fn server(self, name: &str, server: &Arc<Scripted>) -> Self {
        let server: Arc<dyn LocalServer> = Arc::clone(server) as _;
        self.config(ServerConfig::new(name, Transport::Local(server)))
    }

    /// Adds any server.
    pub fn config(mut self, config: ServerConfig) -> Self {
        self.servers.push(config);
        self
    }

    /// Adds a gateway with the default settings.
    pub fn gateway(self, name: &str, presentation: Presentation, allow: &[&str]) -> Self {
        self.exact_gateway(gateway(name, presentation, allow))
    }

    /// Adds a gateway.
    pub fn exact_gateway(mut self, gateway: Gateway) -> Self {
        self.gateways.insert(gateway.name.clone(), gateway);
        self
    }

    /// Only callers with `role` see the tools of `glob`.
    pub fn restrict(mut self, glob: &str, role: &str) -> Self {
        self.restrictions.push(Restriction {
            tools: ToolGlobs::new(&[glob.to_owned()]).unwrap(),
            roles: [role.to_owned()].into(),
        });
        self
    }

    /// Finds tools with this encoder, or not at all.
    pub fn encoder(mut self, encoder: Option<Arc<dyn Encoder>>) -> Self {
        self.encoder = encoder;
        self
    }

    /// Stores tasks, arguments and results too.
    pub fn record_content(mut self) -> Self {
        self.options.record_content = true;
        self
    }

    /// Runs with these choices of the operator.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Runs over this store, which an earlier deployment may have filled.
    pub fn store(mut self, store: &Store) -> Self {
        self.store = Some(store.clone());
        self
    }

    /// Starts everything and waits until every server was listed and every vector made.
    pub async fn start(self) -> Deployment {
        let deployment = self.start_at_once().await;
        deployment.runtime.upstreams.settled(PATIENCE).await;
        deployment.indexed().await;
        deployment
    }

    /// Starts everything and waits for nothing.
    pub async fn start_at_once(self) -> Deployment {
        let store = match self.store {
            Some(store) => store,
            None => Store::in_memory().await.unwrap(),
        };
        let keys = keys(&store).await;
        let upstreams = Upstreams::start(self.servers, Arc::new(NoCache)).await;
        let selector = match self.encoder {
            None => None,
            Some(encoder) => {
                let selector = Arc::new(Selector::load(encoder, &store, Tuning::default()).await);
                selector.publish(upstreams.catalog());
                tokio::spawn(Arc::clone(&selector).follow(Arc::clone(&upstreams), store.clone()));
                Some(selector)
            }
        };
        let policy = Policy {
            gateways: self.gateways,
            restrictions: self.restrictions,
        };
        let recorder = Recorder::start(store.clone(), Retention::default());
        let runtime = Runtime::new(policy, upstreams, selector, keys, store, recorder, self.options);
        Deployment {
            runtime: Arc::new(runtime),
            seen: Mutex::default(),
        }
    }
}

impl Deployment {
    /// Waits until the index covers the catalog of this moment and every vector is made.
    pub async fn indexed(&self) {
        let Some(selector) = &self.runtime.selector else {
            return;
        };
        let tools = self.runtime.upstreams.catalog().tools().len();
        let mut progress = selector.progress();
        let done = progress.wait_for(|progress| progress.tools == tools && progress.is_done());
        tokio::time::timeout(PATIENCE, done).await.unwrap().unwrap();
    }

    /// Lists one server again, now.
    pub async fn refresh(&self, server: &str) {
        self.runtime.upstreams.refresh(server).await;
    }

    /// The recorded calls. Those of one millisecond come in no order.
    pub async fn calls(&self) -> Vec<CallRecord> {
        self.runtime.recorder.flush().await;
        self.runtime.store.calls_recent(1_000).await.unwrap()
    }

    /// The calls recorded since this was last asked.
    pub async fn new_calls(&self) -> Vec<CallRecord> {
        let mut calls = self.calls().await;
        let mut seen = self.seen.lock().unwrap();
        calls.retain(|call| seen.insert(call.id.clone()));
        calls
    }

    /// Recorded calls as `tool outcome`, sorted.
    pub async fn outcomes(&self) -> Vec<String> {
        let mut outcomes: Vec<String> = self
            .calls()
            .await
            .iter()
            .map(|call| format!("{} {}", call.tool, call.outcome.as_str()))
            .collect();
        outcomes.sort();
        outcomes
    }
}

async fn keys(store: &Store) -> KeyRing {
    let keys = KeyRing::new(&[KEY, OTHER_KEY]);
    for (key, scopes, roles) in [
        (OFFICER_KEY, vec![Scope::Read, Scope::Execute], vec!["officer"]),
        (READ_KEY, vec![Scope::Read], vec![]),
    ] {
        let row = NewKeyRow {
            hash: KeyHash::of(key).0,
            id: key.to_owned(),
            label: String::new(),
            scopes: scopes.into_iter().collect(),
            roles: roles.into_iter().map(str::to_owned).collect(),
            created_at_ms: 0,
        };
        match store.key_insert(row).await {
            Ok(()) | Err(StoreError::KeyExists { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    keys.refresh(store).await.unwrap();
    keys
}

/// An encoder that knows no language: words hashed into a bag, and a few synonyms folded first so that
/// texts can be alike without sharing a word. Deterministic.
#[derive(Default)]
pub struct HashedWords {
    /// Texts with this word cannot be encoded.
    pub trap: Option<&'static str>,
}

const DIMENSIONS: usize = 4096;

/// Words that mean the same to [`HashedWords`].
const SYNONYMS: [(&str, &str); 6] = [
    ("tell", "post"),
    ("note", "message"),
    ("room", "channel"),
    ("erase", "delete"),
    ("reserve", "book"),
    ("seats", "table"),
];

impl Encoder for HashedWords {
    fn id(&self) -> &str {
        "hashed-words"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        if let Some(trap) = self
            .trap
            .filter(|trap| texts.iter().any(|text| text.contains(trap)))
        {
            return Err(EncodeError(format!("`{trap}` cannot be encoded")));
        }
        Ok(texts.iter().map(|text| hashed(text)).collect())
    }
}

fn hashed(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0_f32; DIMENSIONS];
    // Every text has a direction, and all are a little alike, as with a real model.
    vector[0] = 0.2;
    let lower = text.to_lowercase();
    for word in lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 2)
    {
        let word = SYNONYMS
            .iter()
            .find(|(from, _)| *from == word)
            .map_or(word, |(_, to)| to);
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        vector[1 + (hash % (DIMENSIONS as u64 - 1)) as usize] += 1.0;
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}
