//! Who is asked, and by which servers?

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::*;
use crate::web::{Seen, Web, serve, stream, text, tools};
use async_trait::async_trait;
use axum::response::Response;
use handpick_protocol::{ClientCapabilities, RpcError};
use handpick_upstream::{
    CallError, Client, Question, Reply, ServerConfig, ToolCall, Transport, Unasked, Upstreams,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

pub const ELICIT: &str = "elicitation/create";
pub const SAMPLE: &str = "sampling/createMessage";
pub const ALL: &str =
    r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools" : {}},"roots":{},"other":{}}"#;

/// Spelled as no serializer would: what arrives like this was not re-spelled.
pub const FORM: &str = r#"{"message" : "Gr\u00f6\u00dfe?", "requestedSchema":{"n":1.50e1}}"#;
pub const ACCEPTED: &str = r#"{"action" : "accept", "content":{"n":2.50e1,"x":"\u00e9"}}"#;
pub const SAMPLED: &str = r#"{"role":"assistant" ,"content":{"type":"text","text":"Paris"},"model":"m"}"#;

/// Somebody with a client.
pub struct Person {
    identity: String,
    capabilities: ClientCapabilities,
    asked: Mutex<Vec<Question>>,
    /// Questions that are no longer waited for.
    pub let_go: Arc<AtomicUsize>,
    /// Whether answers are given.
    pub speaks: watch::Sender<bool>,
}

struct LetGo(Arc<AtomicUsize>);

impl Drop for LetGo {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Person {
    pub fn new(identity: &str, offers: &str, speaks: bool) -> Arc<Self> {
        Arc::new(Self {
            identity: identity.to_owned(),
            capabilities: ClientCapabilities::read(Some(&raw(offers))),
            asked: Mutex::default(),
            let_go: Arc::default(),
            speaks: watch::Sender::new(speaks),
        })
    }

    /// Methods and params it was asked, one text each.
    pub fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked
            .iter()
            .map(|question| format!("{} {}", question.method, question.params.get()))
            .collect()
    }
}

#[async_trait]
impl Client for Person {
    fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    fn identity(&self) -> &str {
        &self.identity
    }

    async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Reply>, Unasked> {
        self.asked.lock().unwrap().extend(questions.iter().cloned());
        let _let_go = LetGo(Arc::clone(&self.let_go));
        let mut speaks = self.speaks.subscribe();
        speaks
            .wait_for(|speaks| *speaks)
            .await
            .map_err(|_| Unasked::Gone)?;
        let answer = |question: &Question| match (question.method.as_str(), question.params.get()) {
            (_, params) if params.contains("fail") => Err(RpcError::new(-1, "User rejected it")),
            (ELICIT, _) => Ok(raw(ACCEPTED)),
            _ => Ok(raw(SAMPLED)),
        };
        Ok(questions.iter().map(answer).collect())
    }
}

pub fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

/// A call of `question` that makes its server ask all this.
pub fn asking(person: Option<&Arc<Person>>, asked: &[(&str, &str)]) -> ToolCall {
    ToolCall {
        client: person.map(|person| Arc::clone(person) as Arc<dyn Client>),
        ..call_of(&json!({"ask": asked}).to_string())
    }
}

pub async fn perform(upstreams: &Upstreams, tool: &str, call: ToolCall) -> Result<Value, CallError> {
    let result = upstreams.call(permit(upstreams, tool), call).await?;
    Ok(serde_json::from_str(result.get()).unwrap())
}

pub fn background(
    upstreams: &Arc<Upstreams>,
    tool: &'static str,
    call: ToolCall,
) -> tokio::task::JoinHandle<Result<Value, CallError>> {
    let upstreams = Arc::clone(upstreams);
    tokio::spawn(async move { perform(&upstreams, tool, call).await })
}

/// Where a legacy server's questions come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// The event stream of the call.
    Post,
    /// The session's own event stream.
    Get,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

type Sender = mpsc::UnboundedSender<String>;

/// What a scripted web server knows of the calls it works on.
#[derive(Default)]
struct Desk {
    /// The stream that is everybody's.
    common: Option<Sender>,
    /// By the id of the call: its stream, and the questions it asked with the replies they got.
    calls: HashMap<String, (Sender, Vec<(String, Value)>)>,
}

impl Desk {
    fn call(&mut self, by: By, seen: &Seen) -> Response {
        let (own, response) = match by {
            By::Sse => (self.common.clone().unwrap(), text(202, "Accepted")),
            By::Post | By::Get => stream(),
        };
        let asks_on = if by == By::Get {
            self.common.clone().unwrap()
        } else {
            own.clone()
        };
        let call = seen.id().to_string();
        let mut open = Vec::new();
        let asked = seen.body["params"]["arguments"]["ask"].as_array().unwrap();
        for (number, asked) in asked.iter().enumerate() {
            let id = format!("q{call}-{number}");
            let (method, params) = (asked[0].as_str().unwrap(), asked[1].as_str().unwrap());
            // As text: the params are to arrive as they are.
            let question =
                format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}","params":{params}}}"#);
            asks_on
                .send(format!("event: message\ndata: {question}\n\n"))
                .unwrap();
            open.push((id, Value::Null));
        }
        self.calls.insert(call, (own, open));
        response
    }

    fn reply(&mut self, reply: &Value) {
        let done = self.calls.iter_mut().find_map(|(call, (_, asked))| {
            let (_, place) = asked.iter_mut().find(|(id, _)| reply["id"] == **id)?;
            *place = reply.clone();
            asked
                .iter()
                .all(|(_, reply)| !reply.is_null())
                .then(|| call.clone())
        });
        if let Some(call) = done {
            let (stream, asked) = self.calls.remove(&call).unwrap();
            let replies: Vec<_> = asked.into_iter().map(|(_, reply)| reply).collect();
            let id: Value = serde_json::from_str(&call).unwrap();
            let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"content": [], "replies": replies}});
            // Whoever made the call may be gone.
            let _ = stream.send(crate::web::event(&answer));
        }
    }
}

/// A legacy server with the tool `question`.
pub async fn asking_server(by: By) -> Web {
    let desk: Arc<Mutex<Desk>> = Arc::default();
    serve(move |seen: Seen| {
        let desk = Arc::clone(&desk);
        async move {
            let mut desk = desk.lock().unwrap();
            let own_stream = by != By::Post && seen.method == "GET";
            if own_stream {
                let (sender, response) = stream();
                if by == By::Sse {
                    sender
                        .send("event: endpoint\ndata: /messages\n\n".to_owned())
                        .unwrap();
                }
                desk.common = Some(sender);
                return response;
            }
            match seen.rpc() {
                "" if seen.body["id"].is_string() => {
                    desk.reply(&seen.body);
                    text(202, "")
                }
                "tools/call" => desk.call(by, &seen),
                "initialize" | "tools/list" if by == By::Sse => {
                    let result = if seen.rpc() == "initialize" {
                        json!({"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}})
                    } else {
                        json!({"tools": tools(&["question"])})
                    };
                    let message = json!({"jsonrpc": "2.0", "id": seen.id(), "result": result});
                    desk.common
                        .as_ref()
                        .unwrap()
                        .send(crate::web::event(&message))
                        .unwrap();
                    text(202, "Accepted")
                }
                "initialize" => {
                    let mut response = seen.legacy(&json!([]));
                    response
                        .headers_mut()
                        .insert("mcp-session-id", "s".parse().unwrap());
                    response
                }
                _ => seen.legacy(&tools(&["question"])),
            }
        }
    })
    .await
}

pub fn config(by: By, url: &str) -> ServerConfig {
    match by {
        By::Post | By::Get => http("s", url),
        By::Sse => ServerConfig::new(
            "s",
            Transport::Sse {
                url: url.to_owned(),
                headers: BTreeMap::new(),
            },
        ),
    }
}

/// Waits until a server's own stream is there, where questions come on it.
pub async fn listening(by: By, web: &Web) {
    eventually("the stream", || {
        by == By::Post || web.count(|seen| seen.method == "GET") >= 1
    })
    .await;
}
