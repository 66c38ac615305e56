//! Do the gateway's own tools do what they say, in every mode and for their caller alone? (P23)

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use handpick_domain::{Autonomy, Caller, Gateway, Presentation, Scope, SystemToolkit};
use handpick_operations::answer::{AgentCall, Answer, answer};
use handpick_operations::open_surface::open_surface;
use handpick_operations::{Client, Joined, Options, Question, Reply, Unasked};
use handpick_protocol::ClientCapabilities;
use handpick_protocol::json::raw;
use handpick_store::Store;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::deployment::{Deployment, Plan, Scripted, gateway, lab_tools};

mod form;
mod journal;
mod modes;
mod skills;
mod workflow;

/// A gateway with every toolkit.
fn complete(name: &str, presentation: Presentation, autonomy: Autonomy) -> Gateway {
    Gateway {
        autonomy,
        system_tools: SystemToolkit::ALL.into(),
        ..gateway(name, presentation, &["*"])
    }
}

/// The app `lab` behind `all` and `other`, which have every toolkit; `cautious` asks the person, `read_only` runs
/// nothing that changes something, and `plain` has no toolkit.
fn plan(lab: &Arc<Scripted>) -> Plan {
    let direct = |name: &str, autonomy| complete(name, Presentation::Direct, autonomy);
    Plan::new()
        .server("lab", lab)
        .exact_gateway(direct("all", Autonomy::Full))
        .exact_gateway(direct("other", Autonomy::Full))
        .exact_gateway(direct("cautious", Autonomy::Confirm))
        .exact_gateway(direct("read_only", Autonomy::ReadOnly))
        .gateway("plain", Presentation::Direct, &["*"])
        .restrict("lab.secret", "officer")
        .encoder(None)
}

/// The app `lab`, with tools that say what they do to the world.
fn lab() -> Arc<Scripted> {
    let mut tools = lab_tools();
    let hinted = |name: &str, annotations: Value| json!({"name": name, "description": "Hinted.", "inputSchema": {"type": "object"}, "annotations": annotations});
    tools.push(hinted("look", json!({"readOnlyHint": true})));
    tools.push(hinted(
        "wipe",
        json!({"readOnlyHint": false, "destructiveHint": true}),
    ));
    Scripted::new(tools)
}

async fn deployment() -> Deployment {
    plan(&lab()).start().await
}

/// A key that may run tools, for an end user or for itself.
fn caller(user: Option<&str>) -> Caller {
    Caller {
        key_id: "k".to_owned(),
        user_id: user.map(str::to_owned),
        scopes: [Scope::Execute].into(),
        ..Caller::default()
    }
}

/// What a system tool answered.
#[derive(Debug)]
struct Said {
    is_error: bool,
    /// The structured content; null where there is none.
    value: Value,
    /// All text.
    text: String,
    /// The whole result.
    result: Value,
}

impl Said {
    #[track_caller]
    fn read(result: &str) -> Self {
        let result: Value = serde_json::from_str(result).unwrap();
        let texts = result["content"].as_array().unwrap();
        let texts: Vec<&str> = texts.iter().filter_map(|block| block["text"].as_str()).collect();
        Self {
            is_error: result["isError"] == true,
            value: result["structuredContent"].clone(),
            text: texts.join("\n"),
            result,
        }
    }

    /// The structured content of an answer that is no failure, and that its text repeats.
    #[track_caller]
    fn good(self) -> Value {
        assert!(!self.is_error, "{}", self.text);
        assert_eq!(serde_json::from_str::<Value>(&self.text).unwrap(), self.value);
        self.value
    }

    /// The words of a failure.
    #[track_caller]
    fn bad(self) -> String {
        assert!(self.is_error, "{}", self.text);
        self.text
    }
}

/// Whoever asks, and through which gateway.
#[derive(Clone)]
struct Agent {
    gateway: &'static str,
    caller: Caller,
    person: Option<Arc<Person>>,
}

impl Agent {
    /// The user `ann` at the gateway `all`.
    fn ann() -> Self {
        Self::of("all", Some("ann"))
    }

    fn of(gateway: &'static str, user: Option<&str>) -> Self {
        Self {
            gateway,
            caller: caller(user),
            person: None,
        }
    }

    /// With somebody who can be asked.
    fn with(mut self, person: &Arc<Person>) -> Self {
        self.person = Some(Arc::clone(person));
        self
    }

    /// Calls a tool as an agent does.
    async fn call(&self, deployment: &Deployment, tool: &str, arguments: Value) -> Answer {
        let runtime = &deployment.runtime;
        let opened = open_surface(runtime, self.gateway, &self.caller).unwrap();
        let arguments = raw(arguments.to_string());
        let joined = Joined::default();
        let client = self.person.clone().map(|person| person as Arc<dyn Client>);
        let call = AgentCall {
            opened: &opened,
            joined: &joined,
            caller: &self.caller,
            name: tool,
            arguments: Some(&arguments),
            meta: None,
            progress: None,
            client,
        };
        answer(runtime, call).await
    }

    /// Calls a tool that answers with a tool result.
    async fn ask(&self, deployment: &Deployment, tool: &str, arguments: Value) -> Said {
        match self.call(deployment, tool, arguments).await {
            Answer::Result(result) => Said::read(result.get()),
            other => panic!("{tool}: {other:?}"),
        }
    }
}

/// A client with a person who does as told.
struct Person {
    capabilities: ClientCapabilities,
    replies: Mutex<VecDeque<Result<Reply, Unasked>>>,
    /// The params of every question so far.
    asked: Mutex<Vec<Value>>,
    /// Questions that were asked.
    count: watch::Sender<usize>,
}

impl Person {
    /// A person in front of a client with these capabilities.
    fn before(capabilities: &Value) -> Arc<Self> {
        Arc::new(Self {
            capabilities: ClientCapabilities::read(Some(&raw(capabilities.to_string()))),
            replies: Mutex::default(),
            asked: Mutex::default(),
            count: watch::Sender::new(0),
        })
    }

    /// A person who sees forms and answers with these, one after the other, and then never again.
    fn saying(replies: impl IntoIterator<Item = Value>) -> Arc<Self> {
        let person = Self::before(&json!({"elicitation": {}}));
        for reply in replies {
            person.will(Ok(Ok(raw(reply.to_string()))));
        }
        person
    }

    fn will(&self, reply: Result<Reply, Unasked>) {
        self.replies.lock().unwrap().push_back(reply);
    }

    fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Client for Person {
    fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    fn identity(&self) -> &str {
        "test"
    }

    async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Reply>, Unasked> {
        for question in &questions {
            assert_eq!(question.method, "elicitation/create");
            let params = serde_json::from_str(question.params.get()).unwrap();
            self.asked.lock().unwrap().push(params);
        }
        self.count.send_modify(|count| *count += questions.len());
        let reply = self.replies.lock().unwrap().pop_front();
        match reply {
            Some(reply) => reply.map(|reply| vec![reply]),
            None => std::future::pending().await,
        }
    }
}

/// A folder of this test alone, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("handpick-system-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file and the folders it lies in.
    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
