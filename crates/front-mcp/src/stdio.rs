//! How does MCP travel over stdio, for clients that spawn their servers?

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use handpick_domain::Caller;
use handpick_operations::{Opened, Runtime};
use handpick_protocol::version::{LEGACY, MODERN};
use handpick_protocol::{Era, Message, error_response, notification, result_response};
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::error::{invalid_params, unknown_method, unsupported_version};
use crate::front::BODY_BYTES_MAX;
use crate::greeting::{initialize_result, negotiate};
use crate::http::parse;
use crate::list_changes::ListChanges;
use crate::methods::{PreparedCall, View, respond};
use crate::modern::{acknowledgement, list_changed, wants_tool_changes};
use crate::params::AnyParams;
use crate::reply::{progress_text, response_text};
use crate::session::Session;

/// Serves one client on `input` and `output` until `input` ends.
///
/// # Errors
/// When reading `input` fails. A client that stops reading ends the connection quietly.
pub async fn serve(
    runtime: Arc<Runtime>,
    gateway: &str,
    caller: Arc<Caller>,
    input: impl tokio::io::AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> std::io::Result<()> {
    let (sender, outgoing) = mpsc::unbounded_channel();
    let writer = tokio::spawn(write_lines(output, outgoing));
    let connection = Arc::new(Connection {
        runtime,
        gateway: gateway.to_owned(),
        caller,
        outgoing: sender,
        session: Mutex::new(None),
        running: Mutex::new(HashMap::new()),
    });
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).await? == 0 {
            break;
        }
        if line.len() > BODY_BYTES_MAX {
            connection.send(error_response(
                None,
                &crate::error::not_json("the message is too large"),
            ));
        } else if !line.trim_ascii().is_empty() {
            connection.receive(&line);
        }
    }
    connection.cancel_all();
    drop(connection);
    let _ = writer.await;
    Ok(())
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
    /// Set by `initialize`; a modern client never has one.
    session: Mutex<Option<Arc<Session>>>,
    running: Mutex<HashMap<String, CancellationToken>>,
}

impl Connection {
    fn send(&self, message: String) {
        // A receiver that is gone means that the client is.
        let _ = self.outgoing.send(message);
    }

    fn receive(self: &Arc<Self>, line: &[u8]) {
        let message = match parse(line.trim_ascii()) {
            Ok(message) => message,
            Err(error) => return self.send(error_response(None, &error)),
        };
        let Some(method) = message.method.as_deref() else {
            return;
        };
        match message.request_id() {
            None => self.notified(method, message.params),
            Some(id) if method == "initialize" => self.initialize(id, message.params),
            Some(id) => self.requested(id, method, &message),
        }
    }

    fn notified(self: &Arc<Self>, method: &str, params: Option<&RawValue>) {
        match method {
            "notifications/cancelled" => {
                let token = AnyParams::read(params)
                    .request_id
                    .and_then(|id| lock(&self.running).get(id.get()).cloned());
                if let Some(token) = token {
                    token.cancel();
                }
            }
            "notifications/initialized" => self.follow_list(None),
            _ => {}
        }
    }

    fn initialize(self: &Arc<Self>, id: &RawValue, params: Option<&RawValue>) {
        let requested = params
            .and_then(|params| serde_json::from_str::<serde_json::Value>(params.get()).ok())
            .and_then(|params| params["protocolVersion"].as_str().map(str::to_owned));
        let settled = self.runtime.is_settled();
        let Some(opened) = self.open() else {
            return self.send(error_response(Some(id.get()), &unknown_method("initialize")));
        };
        let result = initialize_result(negotiate(requested.as_deref()), &opened);
        let session = Session::new(&self.gateway, Arc::clone(&self.caller), false, opened, settled);
        *lock(&self.session) = Some(Arc::new(session));
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
        let prepared = match PreparedCall::read(params) {
            Ok(prepared) => prepared,
            Err(error) => return self.send(error_response(Some(id.get()), &error)),
        };
        let (connection, id, cancelled) = (Arc::clone(self), id.to_owned(), self.begin(id));
        tokio::spawn(async move {
            let (sender, mut progress) = mpsc::unbounded_channel();
            let token = prepared.progress_token.clone();
            let sender = token.as_ref().map(|_| sender);
            let call = prepared.run(Arc::clone(&connection.runtime), view, sender);
            tokio::pin!(call);
            loop {
                tokio::select! {
                    biased;
                    () = cancelled.cancelled() => break,
                    Some(params) = progress.recv() => {
                        if let Some(token) = &token {
                            connection.send(progress_text(&params, token));
                        }
                    }
                    outcome = &mut call => {
                        connection.send(response_text(&id, &outcome));
                        break;
                    }
                }
            }
            lock(&connection.running).remove(id.get());
        });
    }

    fn subscribe(self: &Arc<Self>, id: &RawValue, params: Option<&RawValue>) {
        let wanted = wants_tool_changes(AnyParams::read(params).notifications);
        self.send(acknowledgement(id, wanted));
        if wanted {
            self.follow_list(Some(id.to_owned()));
        }
    }

    /// Tells the client whenever its list changes, under a subscription or for the whole connection.
    fn follow_list(self: &Arc<Self>, subscription: Option<Box<RawValue>>) {
        let (connection, opener) = (Arc::clone(self), Arc::downgrade(self));
        let cancelled = subscription
            .as_ref()
            .map_or_else(CancellationToken::new, |id| self.begin(id));
        let mut changes = ListChanges::new(&self.runtime, move || opener.upgrade()?.open());
        let outgoing = connection.outgoing.clone();
        drop(connection);
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = cancelled.cancelled() => return,
                    () = outgoing.closed() => return,
                    changed = changes.next() => if !changed { return },
                }
                let message = subscription.as_deref().map_or_else(
                    || notification("notifications/tools/list_changed", None),
                    list_changed,
                );
                if outgoing.send(message).is_err() {
                    return;
                }
            }
        });
    }

    /// The era and surface a request is answered from: its own metadata decides, then the handshake.
    fn view(&self, method: &str, params: Option<&RawValue>) -> Result<View, handpick_protocol::RpcError> {
        let read = AnyParams::read(params);
        let missing = || unknown_method("no such gateway");
        match read.modern_version() {
            Some((version, _)) if version != MODERN && !LEGACY.contains(&version.as_str()) => {
                Err(unsupported_version(&version))
            }
            Some((version, complete)) if version == MODERN => {
                if !complete {
                    return Err(invalid_params(
                        "`_meta` must carry io.modelcontextprotocol/clientCapabilities",
                    ));
                }
                let opened = self.open().ok_or_else(missing)?;
                Ok(View {
                    era: Era::Modern,
                    caller: Arc::clone(&self.caller),
                    opened,
                })
            }
            _ => {
                let session = lock(&self.session).clone();
                let relisting = method == "tools/list" && read.cursor.is_none();
                let opened = match session {
                    Some(session) => {
                        session.surface_for(relisting, self.runtime.is_settled(), || self.open())
                    }
                    None => self.open().ok_or_else(missing)?,
                };
                Ok(View {
                    era: Era::Legacy,
                    caller: Arc::clone(&self.caller),
                    opened,
                })
            }
        }
    }

    fn open(&self) -> Option<Arc<Opened>> {
        handpick_operations::open_surface::open_surface(&self.runtime, &self.gateway, &self.caller)
    }

    fn begin(&self, id: &RawValue) -> CancellationToken {
        let token = CancellationToken::new();
        lock(&self.running).insert(id.get().to_owned(), token.clone());
        token
    }

    fn cancel_all(&self) {
        for token in lock(&self.running).values() {
            token.cancel();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
