//! How do tests play a client whose person can be asked while a call runs?
#![allow(dead_code, reason = "shared by many tests")]

use axum::Router;
use serde_json::{Value, json};

use crate::agent::{Agent, Events, Style, modern_meta};
use crate::deployment::{Deployment, KEY};
use crate::pipe::Pipe;

/// The ways a client that can be asked is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// 2025-11-25 over HTTP: requests to the client are events of its call.
    HttpSession,
    /// 2026-07-28 over HTTP: questions are results, answers come with a retry.
    HttpModern,
    /// Sessions over stdio.
    PipeSession,
    /// 2026-07-28 over stdio.
    PipeModern,
}

/// Every way.
pub const CARRIERS: [Carrier; 4] = [
    Carrier::HttpSession,
    Carrier::HttpModern,
    Carrier::PipeSession,
    Carrier::PipeModern,
];

impl Carrier {
    /// Whether questions are results.
    pub fn is_modern(self) -> bool {
        matches!(self, Self::HttpModern | Self::PipeModern)
    }
}

/// What a client says of itself whose person answers forms.
pub fn forms() -> Value {
    json!({"elicitation": {}})
}

/// A client of one gateway that makes one call at a time.
pub struct Person {
    pub carrier: Carrier,
    line: Line,
    capabilities: Value,
    calls: u64,
    call: Value,
    /// Params of the progress notifications so far.
    pub progress: Vec<Value>,
    /// Ids of the questions that were withdrawn.
    pub withdrawn: Vec<Value>,
}

enum Line {
    Http(Box<Agent>, Option<Events>),
    Pipe(Pipe),
}

/// What comes next in a call.
#[derive(Debug)]
pub enum Said {
    /// A question to the client.
    Asked(Asked),
    /// The whole JSON-RPC response.
    Answered(Value),
}

/// A question.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Id of the request, or key among the questions of a round.
    pub id: Value,
    /// The `requestState` of the round.
    pub state: Value,
    /// The method.
    pub method: String,
    /// Its params.
    pub params: Value,
}

impl Said {
    /// It must be a question.
    #[track_caller]
    pub fn asked(self) -> Asked {
        match self {
            Self::Asked(asked) => asked,
            Self::Answered(response) => panic!("not asked: {response}"),
        }
    }

    /// It must be a result.
    #[track_caller]
    pub fn result(self) -> Value {
        match self {
            Self::Answered(response) if response.get("result").is_some() => response["result"].clone(),
            other => panic!("no result: {other:?}"),
        }
    }

    /// It must be a result that the model reads as a failure; its text.
    #[track_caller]
    pub fn failure(self) -> String {
        let result = self.result();
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// It must be a protocol error: its code and text.
    #[track_caller]
    pub fn error(self) -> (i64, String) {
        match self {
            Self::Answered(response) if response.get("error").is_some() => {
                let error = &response["error"];
                (
                    error["code"].as_i64().unwrap(),
                    error["message"].as_str().unwrap().to_owned(),
                )
            }
            other => panic!("no error: {other:?}"),
        }
    }
}

impl Person {
    /// Connects with the test key.
    pub async fn open(
        deployment: &Deployment,
        router: &Router,
        gateway: &str,
        carrier: Carrier,
        capabilities: Value,
    ) -> Self {
        let line = match carrier {
            Carrier::HttpSession | Carrier::HttpModern => {
                let style = match carrier {
                    Carrier::HttpSession => Style::Session,
                    _ => Style::Modern,
                };
                let agent = Agent::open_offering(router, gateway, style, KEY, capabilities.clone()).await;
                Line::Http(Box::new(agent), None)
            }
            Carrier::PipeSession | Carrier::PipeModern => {
                let mut pipe = Pipe::open(deployment, gateway);
                if carrier == Carrier::PipeSession {
                    pipe.initialize_with(capabilities.clone()).await;
                }
                Line::Pipe(pipe)
            }
        };
        Self {
            carrier,
            line,
            capabilities,
            calls: 0,
            call: Value::Null,
            progress: Vec::new(),
            withdrawn: Vec::new(),
        }
    }

    /// Over HTTP: the agent.
    pub fn agent(&mut self) -> &mut Agent {
        match &mut self.line {
            Line::Http(agent, _) => agent,
            Line::Pipe(_) => panic!("over stdio"),
        }
    }

    /// Over stdio: the pipe.
    pub fn pipe(self) -> Pipe {
        match self.line {
            Line::Http(..) => panic!("over HTTP"),
            Line::Pipe(pipe) => pipe,
        }
    }

    /// Calls a tool.
    pub async fn call(&mut self, name: &str, arguments: Value) -> Said {
        self.call_with(json!({"name": name, "arguments": arguments}))
            .await
    }

    /// Calls a tool with these params.
    pub async fn call_with(&mut self, params: Value) -> Said {
        self.call = params.clone();
        self.send_call(params).await;
        self.next().await
    }

    /// Sends a `tools/call` and does not wait for anything.
    pub async fn send_call(&mut self, mut params: Value) {
        self.calls += 1;
        let id = format!("\"call-{}\"", self.calls);
        match &mut self.line {
            Line::Http(agent, events) => {
                let request = agent.request(&id, "tools/call", params);
                *events = Some(agent.stream(request).await);
            }
            Line::Pipe(pipe) => {
                if self.carrier.is_modern() {
                    let mut meta = modern_meta();
                    meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
                    for (key, value) in params["_meta"].take().as_object().into_iter().flatten() {
                        meta[key] = value.clone();
                    }
                    params["_meta"] = meta;
                }
                pipe.send(format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#
                ))
                .await;
            }
        }
    }

    /// Answers a question with the result of its request.
    pub async fn answer(&mut self, asked: &Asked, result: Value) -> Said {
        self.say(asked, result).await;
        self.next().await
    }

    /// Answers a question and does not wait for anything.
    pub async fn say(&mut self, asked: &Asked, result: Value) {
        if self.carrier.is_modern() {
            let mut retry = self.call.clone();
            retry["inputResponses"][asked.id.as_str().unwrap()] = result;
            retry["requestState"] = asked.state.clone();
            self.send_call(retry).await;
        } else {
            self.respond(json!({"jsonrpc": "2.0", "id": asked.id, "result": result}))
                .await;
        }
    }

    /// Retries the last call with these members besides.
    pub async fn retry(&mut self, members: Value) -> Said {
        let mut params = self.call.clone();
        for (key, value) in members.as_object().unwrap() {
            params[key] = value.clone();
        }
        self.send_call(params).await;
        self.next().await
    }

    /// Sends a response or a notification of a session.
    pub async fn respond(&mut self, message: Value) {
        match &mut self.line {
            Line::Http(agent, _) => {
                assert_eq!(agent.send_text(&message.to_string()).await.status, 202);
            }
            Line::Pipe(pipe) => pipe.send(message).await,
        }
    }

    /// What comes next in the running call.
    pub async fn next(&mut self) -> Said {
        loop {
            let message = self.message().await.expect("the call goes on");
            let id = message["params"]["requestId"].clone();
            match message["method"].as_str() {
                Some("notifications/progress") => self.progress.push(message["params"].clone()),
                Some("notifications/cancelled") => self.withdrawn.push(id),
                Some("notifications/tools/list_changed") => {}
                Some(method) => {
                    return Said::Asked(Asked {
                        id: message["id"].clone(),
                        state: Value::Null,
                        method: method.to_owned(),
                        params: message["params"].clone(),
                    });
                }
                None => return self.understand(message),
            }
        }
    }

    /// The next message of the running call; nothing at the end of a stream.
    pub async fn message(&mut self) -> Option<Value> {
        match &mut self.line {
            Line::Http(_, events) => {
                let events = events.as_mut().expect("a call was made");
                if events.is_event_stream() {
                    return events.next().await;
                }
                let body = events.whole().await;
                Some(serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}")))
            }
            Line::Pipe(pipe) => Some(pipe.message().await),
        }
    }

    fn understand(&self, response: Value) -> Said {
        assert_eq!(response["id"], format!("call-{}", self.calls), "{response}");
        let result = &response["result"];
        if result["resultType"] != "input_required" {
            return Said::Answered(response);
        }
        assert!(self.carrier.is_modern(), "{response}");
        let members: Vec<&String> = result.as_object().unwrap().keys().collect();
        assert_eq!(members, ["resultType", "inputRequests", "requestState"]);
        let requests = result["inputRequests"].as_object().unwrap();
        assert_eq!(requests.len(), 1, "{response}");
        let (key, request) = requests.iter().next().unwrap();
        Said::Asked(Asked {
            id: json!(key),
            state: result["requestState"].clone(),
            method: request["method"].as_str().unwrap().to_owned(),
            params: request["params"].clone(),
        })
    }
}
