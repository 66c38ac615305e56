//! How is one server kept usable, and what does it cost when it is not?

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};
use handpick_protocol::Era;
use handpick_protocol::error::HEADER_MISMATCH;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::ask::Ask;
use crate::backoff::{Backoff, HEALTHY_AFTER, LIST_PAUSE_MAX, START_PAUSE_MAX};
use crate::connect::{self, Memory};
use crate::fault::{Fault, Refusal};
use crate::hub::Hub;
use crate::link::Link;
use crate::lock::lock;
use crate::mirror::{self, Mirror};
use crate::rounds::{self, Rounds};
use crate::signals::Signals;
use crate::{CallError, ServerConfig, SkippedTool, ToolCall, TransportKind};

mod keep;
mod report;

/// A call waits this long for a pause between two starts to end; while a longer one lasts it fails.
const PAUSE_WAITED: Duration = Duration::from_secs(1);

/// One configured server.
pub(crate) struct Server {
    /// Its settings.
    pub config: ServerConfig,
    hub: Arc<Hub>,
    signals: Arc<Signals>,
    /// The open connection; a closed one stays until its end was noticed.
    live: ArcSwapOption<Link>,
    /// One connection is opened at a time.
    connecting: tokio::sync::Mutex<()>,
    /// One list is fetched at a time.
    listing: tokio::sync::Mutex<()>,
    mirrors: ArcSwap<HashMap<String, Vec<Mirror>>>,
    /// Why the last call had no answer, where connections do not tell: an HTTP server is there or not
    /// with every request.
    trouble: ArcSwapOption<String>,
    facts: Mutex<Facts>,
    /// Whether the first attempt to have a list has ended.
    settled: watch::Sender<bool>,
    /// The end of the whole program, for this server.
    pub closing: CancellationToken,
}

/// What is known of a server, for decisions and for people.
#[derive(Debug)]
struct Facts {
    memory: Memory,
    /// Somebody is opening a connection.
    connecting: bool,
    /// Attempts to open a connection that have ended.
    attempts: u64,
    last_fault: Option<Fault>,
    start_pause: Backoff,
    list_pause: Backoff,
    connect_problem: Option<String>,
    list_problem: Option<String>,
    remark: Option<String>,
    skipped: Vec<SkippedTool>,
    tools: usize,
    /// Hash of the list that is offered.
    listed: Option<u64>,
    /// Whether the list was fetched in this run.
    fetched: bool,
    fetched_at_ms: Option<u64>,
    /// It ended by itself since it was last started.
    ended: bool,
    restarts: u64,
}

/// What was done already about a call that failed unseen.
#[derive(Default)]
struct Tried {
    reconnected: bool,
    asked_anew: bool,
    listed: bool,
}

impl Server {
    /// A server nothing is known of yet.
    pub fn new(config: ServerConfig, hub: Arc<Hub>) -> Self {
        Self {
            config,
            hub,
            signals: Arc::default(),
            live: ArcSwapOption::empty(),
            connecting: tokio::sync::Mutex::default(),
            listing: tokio::sync::Mutex::default(),
            mirrors: ArcSwap::default(),
            trouble: ArcSwapOption::empty(),
            facts: Mutex::new(Facts {
                memory: Memory::default(),
                connecting: false,
                attempts: 0,
                last_fault: None,
                start_pause: Backoff::new(START_PAUSE_MAX),
                list_pause: Backoff::new(LIST_PAUSE_MAX),
                connect_problem: None,
                list_problem: None,
                remark: None,
                skipped: Vec::new(),
                tools: 0,
                listed: None,
                fetched: false,
                fetched_at_ms: None,
                ended: false,
                restarts: 0,
            }),
            settled: watch::Sender::new(false),
            closing: CancellationToken::new(),
        }
    }

    /// Calls one of its tools, by the tool's own name.
    pub async fn call(self: &Arc<Self>, tool: &str, call: &ToolCall) -> Result<Box<RawValue>, CallError> {
        let mut rounds = Rounds::new(call);
        loop {
            let (result, era) = self.exchange(tool, call, &rounds.members).await?;
            let asking = match era {
                Some(Era::Modern) => rounds::read(&result),
                _ => None,
            };
            let Some(asking) = asking else { return Ok(result) };
            let answered = match asking {
                Ok(required) => rounds.answer(required).await,
                Err(halt) => Err(halt),
            };
            answered.map_err(|halt| halt.into_call_error(&self.config.name))?;
        }
    }

    /// Sends the call once, with what it carries `besides`; the answer comes with the era it was given in.
    async fn exchange(
        self: &Arc<Self>,
        tool: &str,
        call: &ToolCall,
        besides: &str,
    ) -> Result<(Box<RawValue>, Option<Era>), CallError> {
        let limit = call.timeout.unwrap_or(self.config.call_timeout);
        let mut tried = Tried::default();
        loop {
            let link = match self.link(limit).await {
                Ok(link) => link,
                Err(fault) => return Err(fault.into_call_error(&self.config.name)),
            };
            let era = link.era();
            if !besides.is_empty() && era != Some(Era::Modern) {
                // To begin from the start is not for us to decide.
                return Err(CallError::Unavailable {
                    server: self.config.name.clone(),
                    reason: "it asked for something and then was replaced by an older one".to_owned(),
                });
            }
            let mut ask = Ask::call(tool, call, limit);
            ask.members.push_str(besides);
            ask.tracked = link.kind() != TransportKind::Local;
            if link.mirrors()
                && let Some(mirrors) = self.mirrors.load().get(tool)
            {
                ask.mirrored = mirror::headers(mirrors, &call.arguments);
            }
            match link.request(&ask).await {
                Ok(result) => {
                    self.note_trouble(None);
                    return Ok((result, era));
                }
                Err(fault) if self.may_retry(&link, &fault, &mut tried).await => {}
                Err(fault) => {
                    if matches!(*link, Link::Http(_)) {
                        self.note_trouble(Some(&fault));
                    }
                    return Err(fault.into_call_error(&self.config.name));
                }
            }
        }
    }

    /// Keeps the latest failure that is the server's own, until something works again.
    fn note_trouble(&self, fault: Option<&Fault>) {
        match fault {
            None | Some(Fault::Rpc(_) | Fault::Refused(Refusal { error: Some(_), .. })) => {
                if self.trouble.load().is_some() {
                    self.trouble.store(None);
                }
            }
            // A tool that takes its time says nothing about the server.
            Some(Fault::TimedOut(_)) => {}
            Some(fault) => self.trouble.store(Some(Arc::new(fault.describe()))),
        }
    }

    /// Whether a request that was turned away unseen should be sent again, after doing something about
    /// the reason. Each remedy is tried once.
    async fn may_retry(self: &Arc<Self>, link: &Link, fault: &Fault, tried: &mut Tried) -> bool {
        match (link, fault) {
            // The connection ended between two calls.
            (Link::Stdio(_) | Link::Sse(_), Fault::NotSent(_)) => {
                !std::mem::replace(&mut tried.reconnected, true) && link.is_closed()
            }
            // Marked arguments changed since the list was fetched.
            (
                Link::Http(_),
                Fault::Rpc(error)
                | Fault::Refused(Refusal {
                    error: Some(error), ..
                }),
            ) if error.code == HEADER_MISMATCH && link.mirrors() => {
                !std::mem::replace(&mut tried.listed, true) && self.list().await
            }
            // The remembered era may be wrong by now.
            (Link::Http(http), fault) if http.doubts(fault) => {
                http.give_up();
                lock(&self.facts).memory = Memory::default();
                !std::mem::replace(&mut tried.asked_anew, true)
            }
            _ => false,
        }
    }

    /// The open connection; opens one where there is none.
    async fn link(self: &Arc<Self>, limit: Duration) -> Result<Arc<Link>, Fault> {
        if let Some(link) = self.open_link() {
            return Ok(link);
        }
        let seen = lock(&self.facts).attempts;
        let this = Arc::clone(self);
        // On its own: a caller that gives up must not take a server down that has nearly started.
        let connecting = tokio::spawn(async move { this.connect(seen).await });
        match timeout(limit, connecting).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(Fault::NotSent("it is shutting down".to_owned())),
            Err(_) => Err(Fault::TimedOut(limit)),
        }
    }

    fn open_link(&self) -> Option<Arc<Link>> {
        self.live.load_full().filter(|link| !link.is_closed())
    }

    /// Opens a connection, unless somebody did while we waited for our turn. If somebody tried and
    /// failed meanwhile, that failure is everybody's who waited.
    async fn connect(self: Arc<Self>, seen: u64) -> Result<Arc<Link>, Fault> {
        let _one_at_a_time = self.connecting.lock().await;
        if let Some(link) = self.open_link() {
            return Ok(link);
        }
        if let Some(Link::Stdio(ended)) = self.live.load_full().as_deref() {
            ended.gone().await;
        }
        let pause = {
            let mut facts = lock(&self.facts);
            self.notice_end(&mut facts);
            match &facts.last_fault {
                Some(fault) if facts.attempts != seen => return Err(fault.clone()),
                _ => facts.start_pause.remaining(Instant::now()),
            }
        };
        match pause {
            Some(pause) if pause > PAUSE_WAITED => {
                let problem = lock(&self.facts).connect_problem.clone().unwrap_or_default();
                return Err(Fault::NotSent(format!(
                    "{problem}; it is started again {:.0} s from now at the earliest",
                    pause.as_secs_f64().ceil()
                )));
            }
            Some(pause) => tokio::time::sleep(pause).await,
            None => {}
        }
        let memory = {
            let mut facts = lock(&self.facts);
            facts.connecting = true;
            facts.memory
        };
        let opened = tokio::select! {
            biased;
            () = self.closing.cancelled() => Err(Fault::NotSent("handpick is shutting down".to_owned())),
            opened = connect::open(&self.config, memory, &self.signals, &self.hub.clients) => opened,
        };
        self.opened(opened)
    }

    /// Keeps the outcome of an attempt to open a connection.
    fn opened(
        &self,
        opened: Result<(Link, Option<handpick_protocol::Era>), Fault>,
    ) -> Result<Arc<Link>, Fault> {
        let mut facts = lock(&self.facts);
        facts.connecting = false;
        facts.attempts += 1;
        match opened {
            Ok((link, era)) => {
                let link = Arc::new(link);
                facts.memory = Memory {
                    era,
                    transport: Some(link.kind()),
                };
                facts.last_fault = None;
                facts.connect_problem = None;
                facts.restarts += u64::from(std::mem::take(&mut facts.ended));
                if !facts.fetched {
                    // Cached so far; the server may have changed since.
                    self.signals.tools_changed();
                }
                self.live.store(Some(Arc::clone(&link)));
                Ok(link)
            }
            Err(fault) => {
                let reason = fault.describe();
                // Once for each reason: a server that stays away is tried again and again.
                if facts.connect_problem.as_ref() != Some(&reason) && !self.closing.is_cancelled() {
                    tracing::warn!(
                        server = self.config.name,
                        "server `{}` cannot be reached: {reason}",
                        self.config.name
                    );
                }
                if self.config.transport.kind() == TransportKind::Stdio {
                    facts.start_pause.fail(Instant::now());
                }
                facts.connect_problem = Some(reason);
                facts.last_fault = Some(fault.clone());
                Err(fault)
            }
        }
    }

    /// Takes note of a connection that has ended by itself.
    fn notice_end(&self, facts: &mut Facts) {
        let Some(link) = self.live.load_full().filter(|link| link.is_closed()) else {
            return;
        };
        match &*link {
            Link::Stdio(process) => {
                let Some(ended) = process.ended() else { return };
                if ended.duration_since(process.started) >= HEALTHY_AFTER {
                    facts.start_pause.reset();
                }
                facts.start_pause.fail(ended);
                facts.connect_problem = Some(process.reason());
                facts.ended = true;
            }
            Link::Sse(_) => facts.connect_problem = Some("its event stream ended".to_owned()),
            Link::Http(_) | Link::Local(_) => {}
        }
        self.live.store(None);
    }

    /// Ends the server: what it is doing, its connection and its process.
    pub async fn shutdown(&self) {
        self.closing.cancel();
        let _no_more_connections = self.connecting.lock().await;
        if let Some(link) = self.live.swap(None) {
            link.shutdown().await;
        }
    }
}
