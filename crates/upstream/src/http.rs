//! How is a server called over streamable HTTP, in either era?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use handpick_protocol::Era;
use handpick_protocol::error::{INVALID_REQUEST, METHOD_NOT_FOUND, is_modern};
use handpick_protocol::version::{LEGACY, MODERN};
use http::header::ACCEPT;
use http::{HeaderName, HeaderValue, Method};
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::ask::{Ask, INITIALIZED, cancelled};
use crate::desk::Desk;
use crate::fault::{Fault, Refusal};
use crate::greeting::Greeting;
use crate::mirror::header_value;
use crate::offer::Offer;
use crate::patience::Patience;
use crate::pending::Outgoing;
use crate::signals::Signals;

pub(crate) mod answer;
pub(crate) mod connector;
pub(crate) mod endpoint;
mod listen;
mod url;

use answer::{Asks, Listener, Reading};
use endpoint::{Endpoint, Request};

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

const EITHER: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
pub(crate) const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");

/// Notes (cancellations, replies) that may wait to be posted.
const OUTBOX_MAX: usize = 256;

/// How long saying goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// How long to wait before a stream is resumed, where the server does not say.
const RESUME_AFTER: Duration = Duration::from_millis(500);

/// A connection to one streamable HTTP endpoint.
pub(crate) struct HttpLink {
    core: Arc<Core>,
    /// Taken by the task that posts notes, once there is a session to post them to.
    notes: std::sync::Mutex<Option<mpsc::Receiver<Outgoing>>>,
    /// One session is opened at a time.
    opening: tokio::sync::Mutex<()>,
    /// Whether the era was seen to be right, rather than remembered from before.
    verified: AtomicBool,
    closed: AtomicBool,
    start_timeout: Duration,
}

/// What the tasks of one connection share.
struct Core {
    endpoint: Endpoint,
    era: Era,
    ids: AtomicU64,
    session: ArcSwapOption<Session>,
    signals: Arc<Signals>,
    outbox: mpsc::Sender<Outgoing>,
    /// Whom a legacy server may ask.
    desk: Arc<Desk>,
    closing: CancellationToken,
}

/// A legacy session, or the lack of one: servers may do without an id.
struct Session {
    id: Option<HeaderValue>,
    version: HeaderValue,
    /// Ends the stream of the server's own messages.
    listening: CancellationToken,
}

impl HttpLink {
    /// A connection in the given era. Nothing is sent yet.
    pub fn new(endpoint: Endpoint, era: Era, signals: Arc<Signals>, start_timeout: Duration) -> Arc<Self> {
        let (outbox, notes) = mpsc::channel(OUTBOX_MAX);
        Arc::new(Self {
            core: Arc::new(Core {
                endpoint,
                era,
                ids: AtomicU64::new(0),
                session: ArcSwapOption::empty(),
                signals,
                outbox,
                desk: Arc::default(),
                closing: CancellationToken::new(),
            }),
            notes: std::sync::Mutex::new(Some(notes)),
            opening: tokio::sync::Mutex::new(()),
            verified: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            start_timeout,
        })
    }

    /// The era spoken.
    pub fn era(&self) -> Era {
        self.core.era
    }

    /// Whether it turned out to be of no use.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Whether a refusal may mean that the server speaks the other era: it was remembered wrongly, or
    /// the server was replaced meanwhile.
    pub fn doubts(&self, fault: &Fault) -> bool {
        let Fault::Refused(Refusal { status, error, .. }) = fault else {
            return false;
        };
        let code = error.as_ref().map(|error| error.code);
        let modern = code.is_some_and(is_modern);
        let unfit = matches!(status, 400 | 404 | 405 | 406 | 415);
        match self.era() {
            Era::Legacy => modern,
            // Once seen to be right, only what old servers say to strangers counts.
            Era::Modern if self.verified.load(Ordering::Relaxed) => {
                unfit && matches!(code, None | Some(-32_000))
            }
            Era::Modern => unfit && !modern,
        }
    }

    /// Gives the connection up: the next call opens another.
    pub fn give_up(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// The era has been seen to be right.
    pub fn verify(&self) {
        self.verified.store(true, Ordering::Relaxed);
    }

    /// Listens for changes of a modern server's tools, as long as the connection lives.
    pub fn listen(&self) {
        tokio::spawn(listen::modern(Arc::clone(&self.core)));
    }

    /// Sends one request and waits for its answer. A legacy session that is gone is opened anew once,
    /// and the request, which was refused unseen, is sent again.
    pub async fn request(&self, ask: &Ask<'_>) -> Result<Box<RawValue>, Fault> {
        let mut session = self.core.session.load_full();
        if session.is_none() && self.era() == Era::Legacy {
            // An earlier attempt to open one anew failed.
            self.reopen(None).await?;
            session = self.core.session.load_full();
        }
        match self.core.exchange(ask, session.as_deref()).await {
            Err(Fault::Refused(refusal))
                if session.as_ref().is_some_and(|session| session.is_stale(&refusal)) =>
            {
                self.reopen(session).await?;
                let session = self.core.session.load_full();
                self.core.exchange(ask, session.as_deref()).await
            }
            outcome => {
                if outcome.is_ok() {
                    self.verify();
                }
                outcome
            }
        }
    }

    /// Opens a new session in place of the one that is gone, unless somebody already has.
    async fn reopen(&self, gone: Option<Arc<Session>>) -> Result<(), Fault> {
        let _one_at_a_time = self.opening.lock().await;
        let same = match (&gone, &*self.core.session.load()) {
            (Some(gone), Some(present)) => Arc::ptr_eq(gone, present),
            (_, present) => present.is_none(),
        };
        if same { self.open().await } else { Ok(()) }
    }

    /// Opens a legacy session.
    pub async fn open(&self) -> Result<(), Fault> {
        if let Some(former) = self.core.session.swap(None) {
            former.listening.cancel();
        }
        let mut offer = Offer::default();
        loop {
            match self.open_with(offer).await {
                Err(fault) => offer = offer.lowered(&fault).ok_or(fault)?,
                Ok(()) => return Ok(()),
            }
        }
    }

    async fn open_with(&self, offer: Offer) -> Result<(), Fault> {
        let ask = offer.initialize(self.start_timeout);
        let core = &self.core;
        let id = core.next_id();
        let request = core.request(&ask, None, id);
        let patience = Patience::new();
        let opened = patience.within(ask.timeout, async {
            let response = core.endpoint.send(request).await?;
            let session_id = response.headers().get(SESSION_ID).cloned();
            let listener = core.listener(&ask, id, &patience);
            match answer::read(response, &listener).await? {
                Reading::Answered(outcome) => Ok((session_id, outcome.map_err(Fault::Rpc)?)),
                Reading::Ended(_) => Err(Fault::Broken("ended its answer to `initialize` early".to_owned())),
            }
        });
        let (session_id, result) = opened.await.unwrap_or_else(|after| Err(Fault::TimedOut(after)))?;
        let greeting = Greeting::read(&result);
        let version = greeting
            .protocol_version()
            .and_then(|version| HeaderValue::from_str(version).ok())
            .unwrap_or(HeaderValue::from_static(LEGACY[0]));
        let has_id = session_id.is_some();
        let session = Arc::new(Session {
            id: session_id,
            version,
            listening: core.closing.child_token(),
        });
        core.session.store(Some(Arc::clone(&session)));
        self.verify();
        if let Some(notes) = crate::lock::lock(&self.notes).take() {
            tokio::spawn(listen::post_notes(Arc::clone(core), notes));
        }
        // In order: servers may refuse requests that arrive before this.
        core.post_note(INITIALIZED.to_owned()).await;
        // Questions may come this way too, where there is a session to send the answers to.
        if greeting.tells_changes() || has_id {
            let listening = listen::legacy(Arc::clone(core), session, greeting.tells_changes());
            tokio::spawn(listening);
        }
        Ok(())
    }

    /// Ends the session, where there is one, and everything that listens.
    pub async fn shutdown(&self) {
        self.give_up();
        self.core.closing.cancel();
        if let Some(session) = self.core.session.swap(None)
            && session.id.is_some()
        {
            let mut request = self.core.endpoint.bare(Method::DELETE);
            session.write(&mut request);
            let _ = timeout(GOODBYE, self.core.endpoint.send(request)).await;
        }
    }
}

impl Drop for HttpLink {
    fn drop(&mut self) {
        self.core.closing.cancel();
    }
}

impl Session {
    /// Whether a refusal means that the server has forgotten the session. Many answer 400 where the
    /// protocol wants 404; the codes are those the common SDKs use for it.
    fn is_stale(&self, refusal: &Refusal) -> bool {
        let code = refusal.error.as_ref().map(|error| error.code);
        self.id.is_some()
            && match refusal.status {
                404 => code != Some(METHOD_NOT_FOUND),
                400 => {
                    matches!(code, None | Some(-32_000 | -32_001 | INVALID_REQUEST))
                        && refusal.excerpt.to_ascii_lowercase().contains("session")
                }
                _ => false,
            }
    }

    fn write(&self, request: &mut Request) {
        let headers = request.headers_mut();
        if let Some(id) = &self.id {
            headers.insert(SESSION_ID, id.clone());
        }
        headers.insert(PROTOCOL_VERSION, self.version.clone());
    }
}

impl Core {
    fn next_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The POST that carries a request.
    fn request(&self, ask: &Ask<'_>, session: Option<&Session>, id: u64) -> Request {
        let mut request = self.endpoint.post(ask.message(id, self.era));
        let headers = request.headers_mut();
        headers.insert(ACCEPT, EITHER);
        if self.era == Era::Modern {
            headers.insert(PROTOCOL_VERSION, HeaderValue::from_static(MODERN));
            headers.insert(METHOD, HeaderValue::from_static(ask.method));
            if let Some(name) = ask.name {
                headers.insert(NAME, header_value(name));
            }
            for (name, value) in &ask.mirrored {
                headers.insert(name.clone(), value.clone());
            }
        }
        if let Some(session) = session {
            session.write(&mut request);
        }
        request
    }

    fn listener<'a>(&'a self, ask: &'a Ask<'_>, id: u64, patience: &'a Patience) -> Listener<'a> {
        Listener {
            id,
            progress: ask.progress.as_ref(),
            patience,
            signals: &self.signals,
            asks: self.asks(Some(id)),
        }
    }

    /// Where a server's own requests go, where it may make any; `of`: the call on whose stream they come.
    fn asks(&self, of: Option<u64>) -> Option<Asks<'_>> {
        (self.era == Era::Legacy).then_some(Asks {
            desk: &self.desk,
            outbox: &self.outbox,
            of,
        })
    }

    /// One request and its answer. When it ends without one, by time or by being dropped, a legacy
    /// server is told; to a modern one the end of the connection says the same.
    async fn exchange(&self, ask: &Ask<'_>, session: Option<&Session>) -> Result<Box<RawValue>, Fault> {
        let id = self.next_id();
        let request = self.request(ask, session, id);
        let mut cancel = CancelOnDrop {
            outbox: (self.era == Era::Legacy).then_some(&self.outbox),
            id,
        };
        let patience = Arc::new(Patience::new());
        let _place = (ask.is_call() && self.era == Era::Legacy)
            .then(|| self.desk.seat(id, ask.client.cloned(), &patience));
        let exchange = async {
            let listener = self.listener(ask, id, &patience);
            let response = self.endpoint.send(request).await?;
            let mut reading = answer::read(response, &listener).await?;
            loop {
                match reading {
                    Reading::Answered(outcome) => return outcome.map_err(Fault::Rpc),
                    Reading::Ended(events) => reading = self.resume(&events, session, &listener).await?,
                }
            }
        };
        match patience.within(ask.timeout, exchange).await {
            Ok(outcome) => {
                cancel.outbox = None;
                outcome
            }
            Err(after) => Err(Fault::TimedOut(after)),
        }
    }

    /// Takes up an event stream where it ended. Only legacy servers that number their events can.
    async fn resume(
        &self,
        events: &crate::events::EventReader,
        session: Option<&Session>,
        listener: &Listener<'_>,
    ) -> Result<Reading, Fault> {
        let gone = || Fault::Broken("ended its event stream before the answer came".to_owned());
        let position = events
            .last_id
            .as_deref()
            .filter(|id| !id.is_empty())
            .and_then(|id| HeaderValue::from_str(id).ok());
        let (Some(session), Some(position)) = (session, position) else {
            return Err(gone());
        };
        tokio::time::sleep(events.retry_ms.map_or(RESUME_AFTER, Duration::from_millis)).await;
        let mut request = self.endpoint.bare(Method::GET);
        session.write(&mut request);
        request.headers_mut().insert(ACCEPT, EVENTS);
        request.headers_mut().insert(LAST_EVENT_ID, position);
        let response = self.endpoint.send(request).await?;
        if !response.status().is_success() || !answer::is_event_stream(&response) {
            return Err(gone());
        }
        answer::read_events(response, listener, events.resumed()).await
    }

    /// Posts a message that has no answer.
    async fn post_note(&self, text: String) {
        let mut request = self.endpoint.post(text);
        request.headers_mut().insert(ACCEPT, EITHER);
        if let Some(session) = &*self.session.load() {
            session.write(&mut request);
        }
        match timeout(Duration::from_secs(10), self.endpoint.send(request)).await {
            Ok(Ok(response)) => answer::finish(response).await,
            Ok(Err(fault)) => tracing::debug!(reason = fault.describe(), "a notification was not delivered"),
            Err(_) => tracing::debug!("a notification was not taken within 10 s"),
        }
    }
}

/// Tells a legacy server that nobody waits for an answer any more.
struct CancelOnDrop<'a> {
    outbox: Option<&'a mpsc::Sender<Outgoing>>,
    id: u64,
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(outbox) = self.outbox {
            let _ = outbox.try_send(Outgoing::note(cancelled(self.id)));
        }
    }
}
