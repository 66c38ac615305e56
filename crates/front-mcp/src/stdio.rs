//! How does MCP travel over stdio, for clients that spawn their servers?

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use handpick_domain::Caller;
use handpick_operations::{Opened, Runtime};
use handpick_presentation::result::failure;
use handpick_protocol::json::raw;
use handpick_protocol::version::{LEGACY, MODERN};
use handpick_protocol::{Era, Message, RpcError, error_response, notification, result_response};
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::error::{missing_metadata, not_json, unknown_method, unsupported_version};
use crate::front::BODY_BYTES_MAX;
use crate::greeting::{initialize_result, negotiate};
use crate::incoming::{Unreadable, parse};
use crate::list_changes::ListChanges;
use crate::methods::{PreparedCall, View, list_ttl, respond};
use crate::modern::{acknowledgement, list_changed, wants_tool_changes};
use crate::params::{AnyParams, InitializeParams};
use crate::parts::{Part, Parts};
use crate::reply::response_text;
use crate::running;
use crate::session::{Session, lock};
use crate::suspended::Suspended;

mod lines;

use lines::{Line, LineReader};

/// How long the last messages may take to be written once the client has closed its side.
const DRAIN: Duration = Duration::from_secs(5);

/// Serves one client on `input` and `output` until either ends. Calls that run then are cancelled.
///
/// # Errors
/// When reading `input` fails. A client that stops reading ends the connection quietly.
pub async fn serve(
    runtime: Arc<Runtime>,
    gateway: &str,
    caller: Arc<Caller>,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> std::io::Result<()> {
    // A stateless client has no surface between its requests, and finds its gateway all the same.
    let _held = runtime.hold_gateway(gateway).await;
    let (sender, outgoing) = mpsc::unbounded_channel();
    let writer = tokio::spawn(write_lines(output, outgoing));
    let connection = Arc::new(Connection {
        runtime,
        gateway: gateway.to_owned(),
        caller,
        outgoing: sender,
        session: Mutex::new(None),
        suspended: Arc::default(),
        follows: AtomicBool::new(false),
        running: Mutex::new(HashMap::new()),
        closing: CancellationToken::new(),
    });
    // Also when this future is dropped: nothing that was begun here goes on without a client.
    let closing = connection.closing.clone().drop_guard();
    let read = read_lines(&connection, input).await;
    drop((connection, closing));
    // Ends when the last task that could still send has noticed.
    let _ = tokio::time::timeout(DRAIN, writer).await;
    read
}

async fn read_lines(connection: &Arc<Connection>, input: impl AsyncRead + Unpin) -> std::io::Result<()> {
    let mut lines = LineReader::new(BufReader::new(input));
    loop {
        let line = tokio::select! {
            line = lines.next() => line?,
            () = connection.outgoing.closed() => return Ok(()),
        };
        match line {
            None => return Ok(()),
            Some(Line::Whole(line)) if line.trim_ascii().is_empty() => {}
            Some(Line::Whole(line)) => connection.receive(line.trim_ascii()),
            Some(Line::TooLong) => {
                let reason = format!("the message is larger than {BODY_BYTES_MAX} bytes");
                connection.send(error_response(None, &not_json(&reason)));
            }
        }
    }
}

async fn write_lines(mut output: impl AsyncWrite + Unpin, mut outgoing: mpsc::UnboundedReceiver<String>) {
    while let Some(mut message) = outgoing.recv().await {
        // Raw upstream JSON may hold line breaks between tokens; inside strings they are escaped.
        if message.contains(['\n', '\r']) {
            message = message.replace(['\n', '\r'], " ");
        }
        message.push('\n');
        if output.write_all(message.as_bytes()).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

struct Connection {
    runtime: Arc<Runtime>,
    gateway: String,
    caller: Arc<Caller>,
    outgoing: mpsc::UnboundedSender<String>,
    /// Set by the last `initialize`; a modern client never has one.
    session: Mutex<Option<Arc<Session>>>,
    /// Calls in the modern manner whose client was asked.
    suspended: Arc<Suspended>,
    /// Whether this session is told of list changes already.
    follows: AtomicBool,
    /// What runs outside of a session.
    running: Mutex<HashMap<String, CancellationToken>>,
    closing: CancellationToken,
}

impl Connection {
    fn send(&self, message: String) {
        // A receiver that is gone means that the client is.
        let _ = self.outgoing.send(message);
    }

    fn receive(self: &Arc<Self>, line: &[u8]) {
        let message = match parse(line) {
            Ok(message) => message,
            Err(Unreadable { id, error }) => {
                return self.send(error_response(id.map(RawValue::get), &error));
            }
        };
        let Some(method) = message.method.as_deref() else {
            return self.responded(message);
        };
        match message.request_id() {
            None => self.notified(method, message.params),
            Some(id) if method == "initialize" => self.initialize(id, message.params),
            Some(id) => self.requested(id, method, &message),
        }
    }

    /// A response to a request of ours; one that nobody waits for is ignored.
    fn responded(&self, message: Message<'_>) {
        if let (Some(session), Some(id)) = (lock(&self.session).clone(), message.request_id())
            && let Some(response) = message.into_response()
        {
            let reply = response.map(ToOwned::to_owned);
            session
                .questions
                .answer(id, self.caller.user_id.as_deref(), reply);
        }
    }

    fn notified(self: &Arc<Self>, method: &str, params: Option<&RawValue>) {
        match method {
            "notifications/cancelled" => {
                let Some(id) = AnyParams::read(params).request_id else {
                    return;
                };
                if let Some(token) = lock(&self.running).get(id.get()) {
                    token.cancel();
                }
                if let Some(session) = lock(&self.session).clone() {
                    session.cancel(id);
                }
            }
            "notifications/initialized" => self.follow_session(),
            _ => {}
        }
    }

    /// Opens a session. A client that initializes once more begins anew, as some do when they reconnect: the earlier
    /// session ends with all that belongs to it. Its calls are answered before that, since a later answer could meet a
    /// new request of the same id.
    fn initialize(self: &Arc<Self>, id: &RawValue, params: Option<&RawValue>) {
        let params = InitializeParams::read(params);
        let settled = self.runtime.is_settled();
        let Some(opened) = self.open() else {
            return self.send(error_response(Some(id.get()), &unknown_method("initialize")));
        };
        let result = initialize_result(negotiate(params.protocol_version.as_deref()), &opened);
        let mut session = Session::new(&self.gateway, Arc::clone(&self.caller), false, opened, settled)
            .with_capabilities(params.capabilities);
        session.ended = self.closing.child_token();
        if let Some(earlier) = lock(&self.session).replace(Arc::new(session)) {
            let over = Ok(failure("the call was given up: the client has initialized again"));
            for id in earlier.give_up() {
                self.send(response_text(&raw(id), &over));
            }
            earlier.ended.cancel();
        }
        self.follows.store(false, Ordering::Relaxed);
        self.send(result_response(id.get(), result.get()));
    }

    fn requested(self: &Arc<Self>, id: &RawValue, method: &str, message: &Message<'_>) {
        let view = match self.view(method, message.params) {
            Ok(view) => view,
            Err(error) => return self.send(error_response(Some(id.get()), &error)),
        };
        match method {
            "tools/call" => self.call(id, view, message.params),
            "subscriptions/listen" if view.era == Era::Modern => self.subscribe(id, message.params),
            _ => self.send(response_text(id, &respond(&view, method, message.params))),
        }
    }

    fn call(self: &Arc<Self>, id: &RawValue, view: View, params: Option<&RawValue>) {
        let session = lock(&self.session).clone().filter(|_| view.era == Era::Legacy);
        let parts = PreparedCall::read(params, view.era)
            .and_then(|prepared| self.parts(view, prepared, session.as_ref()));
        let mut parts = match parts {
            Ok(parts) => parts,
            Err(error) => return self.send(error_response(Some(id.get()), &error)),
        };
        let in_flight = session.map(|session| (session.begin(id), session.ended.clone()));
        let cancelled = match &in_flight {
            Some((in_flight, _)) => in_flight.token.clone(),
            None => self.begin(id),
        };
        let (connection, id) = (Arc::clone(self), id.to_owned());
        tokio::spawn(async move {
            let ended = async {
                match &in_flight {
                    Some((_, ended)) => ended.cancelled().await,
                    None => std::future::pending().await,
                }
            };
            let tell = async {
                while let Some(part) = parts.next().await {
                    match (part, &in_flight) {
                        (part @ Part::Answer(_), Some((in_flight, _))) => {
                            in_flight.answer(|| connection.send(part.text(&id)));
                        }
                        (part, _) => connection.send(part.text(&id)),
                    }
                }
            };
            tokio::select! {
                biased;
                () = cancelled.cancelled() => {}
                () = ended => {}
                () = tell => {}
            }
            if in_flight.is_none() {
                lock(&connection.running).remove(id.get());
            }
        });
    }

    fn parts(
        &self,
        view: View,
        prepared: PreparedCall,
        session: Option<&Arc<Session>>,
    ) -> Result<Parts, RpcError> {
        let runtime = Arc::clone(&self.runtime);
        if view.era == Era::Modern {
            let given_up = self.closing.child_token();
            return running::stateless(&self.suspended, given_up, runtime, view, prepared);
        }
        // Questions are lines of their own, so that one can be withdrawn even when its call is cancelled.
        let client = running::client(session, &view.caller, self.outgoing.clone());
        let cancelled = std::future::pending();
        Ok(running::with_its_request(
            runtime, view, prepared, client, None, cancelled,
        ))
    }

    fn subscribe(self: &Arc<Self>, id: &RawValue, params: Option<&RawValue>) {
        let wanted = wants_tool_changes(AnyParams::read(params).notifications);
        self.send(acknowledgement(id, wanted));
        if !wanted {
            return;
        }
        let opener = Arc::clone(self);
        let shown = self.open();
        let changes = ListChanges::new(&self.runtime, shown.as_deref(), None, move || opener.open());
        let (connection, id, cancelled) = (Arc::clone(self), id.to_owned(), self.begin(id));
        tokio::spawn(async move {
            connection.follow(changes, &cancelled, || list_changed(&id)).await;
            lock(&connection.running).remove(id.get());
        });
    }

    /// Tells a legacy client of every change of its session's list, from the first `initialized` on.
    fn follow_session(self: &Arc<Self>) {
        let Some(session) = lock(&self.session).clone() else {
            return;
        };
        if self.follows.swap(true, Ordering::Relaxed) {
            return;
        }
        let (opener, ended) = (Arc::clone(self), session.ended.clone());
        let joined = Some((session.joined(&self.caller), session.last_listed(&self.caller)));
        let changes = ListChanges::new(&self.runtime, Some(&session.opened()), joined, move || {
            Some(session.relisted(opener.open()?))
        });
        let connection = Arc::clone(self);
        tokio::spawn(async move {
            let message = || notification("notifications/tools/list_changed", None);
            connection.follow(changes, &ended, message).await;
        });
    }

    async fn follow(
        &self,
        mut changes: ListChanges,
        until: &CancellationToken,
        message: impl Fn() -> String,
    ) {
        loop {
            tokio::select! {
                biased;
                () = until.cancelled() => return,
                changed = changes.next() => if !changed { return },
            }
            self.send(message());
        }
    }

    /// The era and surface a request is answered from: its own metadata decides, then the handshake.
    fn view(&self, method: &str, params: Option<&RawValue>) -> Result<View, RpcError> {
        let read = AnyParams::read(params);
        let ttl = list_ttl(&self.runtime);
        let missing = || unknown_method("no such gateway");
        match read.modern_version() {
            Some((version, _)) if version != MODERN && !LEGACY.contains(&version.as_str()) => {
                Err(unsupported_version(&version))
            }
            Some((version, complete)) if version == MODERN => {
                if !complete {
                    return Err(missing_metadata());
                }
                let opened = self.open().ok_or_else(missing)?;
                Ok(View {
                    era: Era::Modern,
                    caller: Arc::clone(&self.caller),
                    joined: self.runtime.joined(&opened, &self.caller),
                    opened,
                    list_grows: false,
                    ttl,
                })
            }
            None if method == "server/discover" => Err(missing_metadata()),
            _ => {
                let session = lock(&self.session).clone();
                let relisting = method == "tools/list" && read.cursor.is_none();
                let opened = match &session {
                    Some(session) => {
                        session.surface_for(relisting, self.runtime.is_settled(), || self.open())
                    }
                    None => self.open().ok_or_else(missing)?,
                };
                let joined = match &session {
                    Some(session) => session.joined(&self.caller),
                    None => self.runtime.joined(&opened, &self.caller),
                };
                Ok(View {
                    era: Era::Legacy,
                    caller: Arc::clone(&self.caller),
                    opened,
                    joined,
                    list_grows: session.is_some(),
                    ttl,
                })
            }
        }
    }

    fn open(&self) -> Option<Arc<Opened>> {
        handpick_operations::open_surface::open_surface(&self.runtime, &self.gateway, &self.caller)
    }

    /// Notes that a request runs; its token fires when the client cancels it or goes away.
    fn begin(&self, id: &RawValue) -> CancellationToken {
        let token = self.closing.child_token();
        lock(&self.running).insert(id.get().to_owned(), token.clone());
        token
    }
}
