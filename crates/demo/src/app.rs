//! What is a demo app: a state, tools that read or change it, and the MCP methods that reach them?

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use handpick_protocol::error::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND};
use handpick_protocol::json::to_raw;
use handpick_protocol::version::LEGACY;
use handpick_protocol::{LocalServer, RpcError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::answer::{Outcome, refused};
use crate::argument::Vocabulary;
use crate::arguments::Args;
use crate::refusal::{closest, quoted};
use crate::schema::{Choices, Described};
use crate::story_time::StoryClock;
use crate::tool::{Declaration, Effect, Handler, Tool};

/// Tools on one page of `tools/list`: few enough that every app has a second page to follow.
const PAGE: usize = 5;

type Params = Map<String, Value>;

/// One app: data about its tools, and the handlers that run them.
pub(crate) struct App<S> {
    /// The app's name, the first half of its tools' canonical names.
    pub name: &'static str,
    /// What the app is for, in one sentence.
    pub about: &'static str,
    team: &'static str,
    /// An app whose data is faulty says so on every request.
    world: Result<Mutex<World<S>>, String>,
    tools: Vec<Tool<S>>,
    vocabulary: Vocabulary,
    /// What the data says about tools that have no handler yet.
    declarations: BTreeMap<String, Declaration>,
}

/// Everything that changes while the demo runs.
struct World<S> {
    state: S,
    clock: StoryClock,
}

/// The file under `data/`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data<S> {
    about: &'static str,
    team: &'static str,
    tools: BTreeMap<String, Declaration>,
    seed: S,
}

impl<S: Clone + DeserializeOwned + 'static> App<S> {
    /// An app without tools, from its data.
    pub fn new(name: &'static str, data: &'static str) -> Self {
        let mut app = Self {
            name,
            about: "",
            team: "",
            world: Err("no data".into()),
            tools: Vec::new(),
            vocabulary: Vocabulary::new(),
            declarations: BTreeMap::new(),
        };
        match serde_json::from_str::<Data<S>>(data) {
            Err(error) => app.world = Err(error.to_string()),
            Ok(data) => {
                (app.about, app.team, app.declarations) = (data.about, data.team, data.tools);
                let (state, clock) = (data.seed, StoryClock::default());
                app.world = Ok(Mutex::new(World { state, clock }));
            }
        }
        app
    }

    /// Makes a closed set of words known to the data.
    pub fn words<C: Choices>(mut self) -> Self {
        self.vocabulary.insert(C::TYPE, C::NAMES);
        self
    }

    /// Adds the handlers of one part of the app.
    pub fn with(self, part: fn(Self) -> Self) -> Self {
        part(self)
    }

    /// A tool that changes nothing: its handler cannot.
    pub fn reads<T>(self, name: &'static str, handler: fn(&S, &Args) -> Outcome<T>) -> Self
    where
        T: Described + Serialize + 'static,
    {
        let run: Handler<S> = Box::new(move |state, args| Ok(handler(state, args)?.into_result()));
        self.tool(Effect::Reads, name, T::schema(), run)
    }

    /// A tool that changes the state in this way.
    pub fn changes<T>(
        self,
        effect: Effect,
        name: &'static str,
        handler: fn(&mut S, &Args) -> Outcome<T>,
    ) -> Self
    where
        T: Described + Serialize + 'static,
    {
        let run: Handler<S> = Box::new(move |state, args| Ok(handler(state, args)?.into_result()));
        self.tool(effect, name, T::schema(), run)
    }

    fn tool(mut self, effect: Effect, name: &'static str, output_schema: Value, run: Handler<S>) -> Self {
        let Some(declaration) = self.declarations.remove(name) else {
            return self.with_fault(format!("`{name}` is not declared"));
        };
        match Tool::new(effect, name, declaration, &self.vocabulary, output_schema, run) {
            Ok(tool) => {
                self.tools.push(tool);
                self
            }
            Err(choice) => self.with_fault(format!("`{name}` takes an unknown choice `{choice}`")),
        }
    }

    /// The app with all its tools. One that the data declares and nothing handles is a fault.
    pub fn complete(self) -> Self {
        match self.declarations.keys().next().cloned() {
            Some(name) => self.with_fault(format!("`{name}` is declared but not handled")),
            None => self,
        }
    }

    /// The first fault is the one that is told.
    fn with_fault(mut self, fault: String) -> Self {
        if self.world.is_ok() {
            self.world = Err(fault);
        }
        self
    }

    fn greeting(&self, params: &Params) -> Value {
        let wanted = params.get("protocolVersion").and_then(Value::as_str);
        let version = wanted
            .filter(|version| LEGACY.contains(version))
            .unwrap_or(LEGACY[0]);
        json!({
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": self.name, "version": env!("CARGO_PKG_VERSION")},
            "instructions": self.about,
        })
    }

    /// One page of tools. A cursor is the name of the last tool seen.
    fn page(&self, params: &Params) -> Result<Value, RpcError> {
        let start = match params.get("cursor") {
            None | Some(Value::Null) => 0,
            Some(cursor) => self
                .tools
                .iter()
                .position(|tool| cursor.as_str() == Some(tool.name))
                .map(|position| position + 1)
                .ok_or_else(|| invalid("`cursor` is not one that an earlier page of this list gave"))?,
        };
        let page = &self.tools[start..self.tools.len().min(start + PAGE)];
        let definitions: Vec<Value> = page.iter().map(|tool| tool.definition(self.team)).collect();
        let mut result = json!({"tools": definitions});
        if let (Some(last), true) = (page.last(), start + PAGE < self.tools.len()) {
            result["nextCursor"] = last.name.into();
        }
        Ok(result)
    }

    /// Runs a tool. A refused call changes nothing, not even the time.
    fn call(&self, world: &Mutex<World<S>>, mut params: Params) -> Result<Value, RpcError> {
        let tool = self.find(&params)?;
        let given = match params.remove("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(given)) => given,
            Some(_) => return Err(invalid("`arguments` must be an object")),
        };
        // A handler that panicked left the state as it was: it works on a copy.
        let mut world = world.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = world.state.clone();
        let outcome =
            Args::check(&tool.needs, given, world.clock.now()).and_then(|args| (tool.run)(&mut state, &args));
        match outcome {
            Ok(result) => {
                if tool.effect != Effect::Reads {
                    world.state = state;
                    world.clock.tick();
                }
                Ok(result)
            }
            Err(refusal) => Ok(refused(&refusal)),
        }
    }

    fn find(&self, params: &Params) -> Result<&Tool<S>, RpcError> {
        let name = params
            .get("name")
            .and_then(Value::as_str)
            .ok_or_else(|| invalid("`name` must be the name of a tool"))?;
        self.tools.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let close = closest(name, self.tools.iter().map(|tool| tool.name));
            invalid(format!(
                "unknown tool `{name}` in `{}`; the closest are {}",
                self.name,
                quoted(&close)
            ))
        })
    }
}

#[async_trait]
impl<S: Clone + DeserializeOwned + Send + 'static> LocalServer for App<S> {
    async fn handle(&self, method: &str, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        let world = self.world.as_ref().map_err(|fault| {
            RpcError::new(
                INTERNAL_ERROR,
                format!("the data of the demo app `{}` is faulty: {fault}", self.name),
            )
        })?;
        let params = match params {
            None => Params::new(),
            Some(raw) => serde_json::from_str(raw.get())
                .map_err(|error| invalid(format!("`params` cannot be read: {error}")))?,
        };
        let result = match method {
            "initialize" => self.greeting(&params),
            "ping" => json!({}),
            "tools/list" => self.page(&params)?,
            "tools/call" => self.call(world, params)?,
            other => {
                let known = quoted(&["initialize", "ping", "tools/list", "tools/call"]);
                let text = format!("`{}` does not answer `{other}`; it answers {known}", self.name);
                return Err(RpcError::new(METHOD_NOT_FOUND, text));
            }
        };
        Ok(to_raw(&result))
    }
}

fn invalid(text: impl Into<String>) -> RpcError {
    RpcError::new(INVALID_PARAMS, text)
}

/// Declares the state of an app, its tables as they stand in its data, and the function `app` that puts it
/// together: the closed sets of words its data names, and the functions that add its handlers.
macro_rules! app {
    (
        $(#[doc = $about:literal])+
        $state:ident = $name:literal of $($table:ident: $row:ty),+;
        $(words: $($words:ty),+;)?
        tools: $($part:ident),+;
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $state {
            $($table: $crate::table::Table<$row>),+
        }

        pub(crate) fn app() -> $crate::app::App<$state> {
            $crate::app::App::new($name, include_str!(concat!("../../data/", $name, ".json")))
                $($(.words::<$words>())+)?
                $(.with($part))+
        }
    };
}

pub(crate) use app;
