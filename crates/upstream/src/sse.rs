//! How is a server called over the HTTP+SSE transport of 2024-11-05?
//!
//! One long event stream carries every answer; its first event says where to post the requests.

use std::sync::Arc;
use std::time::Duration;

use handpick_protocol::Era;
use http::Method;
use http::header::ACCEPT;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::ask::Ask;
use crate::events::EventReader;
use crate::fault::Fault;
use crate::http::answer::{finish, is_event_stream, refusal};
use crate::http::endpoint::{Endpoint, Response, chunk};
use crate::incoming::{self, Incoming};
use crate::pending::{Outgoing, Pending};
use crate::signals::Signals;

/// Notes (cancellations, replies) that may wait to be posted.
const OUTBOX_MAX: usize = 256;

/// A connection to one event stream.
pub(crate) struct SseLink {
    posts: Endpoint,
    pending: Arc<Pending>,
    outbox: mpsc::Sender<Outgoing>,
    closing: CancellationToken,
}

/// The open stream, before and after its endpoint is known.
struct Stream {
    response: Response,
    events: EventReader,
}

impl SseLink {
    /// Opens the stream and waits for its endpoint.
    pub async fn open(endpoint: &Endpoint, signals: Arc<Signals>, limit: Duration) -> Result<Self, Fault> {
        let opening = timeout(limit, Self::open_unbounded(endpoint));
        let (posts, stream) = opening.await.map_err(|_| Fault::TimedOut(limit))??;
        let (outbox, notes) = mpsc::channel(OUTBOX_MAX);
        let link = Self {
            posts,
            pending: Arc::default(),
            outbox,
            closing: CancellationToken::new(),
        };
        let (pending, outbox, closing) = (
            Arc::clone(&link.pending),
            link.outbox.clone(),
            link.closing.clone(),
        );
        tokio::spawn(async move {
            let reason = tokio::select! {
                () = closing.cancelled() => "it was shut down",
                reason = read(stream, &pending, &outbox, &signals) => reason,
            };
            pending.close(reason);
            closing.cancel();
        });
        tokio::spawn(post_notes(link.posts.clone(), notes, link.closing.clone()));
        Ok(link)
    }

    async fn open_unbounded(endpoint: &Endpoint) -> Result<(Endpoint, Stream), Fault> {
        let mut request = endpoint.bare(Method::GET);
        request.headers_mut().insert(ACCEPT, crate::http::EVENTS);
        let response = endpoint.send(request).await?;
        if !response.status().is_success() {
            return Err(Fault::Refused(refusal(response).await));
        }
        if !is_event_stream(&response) {
            return Err(Fault::Broken("its `url` is not an event stream".to_owned()));
        }
        let mut stream = Stream {
            response,
            events: EventReader::default(),
        };
        while let Some(event) = stream.next().await {
            if event.name == "endpoint" {
                let text = String::from_utf8_lossy(&event.data);
                return match endpoint.at(text.trim()) {
                    Some(posts) => Ok((posts, stream)),
                    None => Err(Fault::Broken(
                        "named an endpoint on another origin than its own".to_owned(),
                    )),
                };
            }
        }
        Err(Fault::Broken(
            "ended its event stream before it named an endpoint".to_owned(),
        ))
    }

    /// Sends one request and waits for its answer on the stream.
    pub async fn request(&self, ask: &Ask<'_>) -> Result<Box<RawValue>, Fault> {
        let mut ticket = self.pending.open(ask.progress.clone(), self.outbox.clone())?;
        if ask.method == "initialize" {
            ticket = ticket.uncancellable();
        }
        if ask.is_call() {
            ticket.serve(ask.client.cloned());
        }
        let posting = self
            .posts
            .send(self.posts.post(ask.message(ticket.id, Era::Legacy)));
        let response = timeout(ask.timeout, posting)
            .await
            .map_err(|_| Fault::TimedOut(ask.timeout))??;
        if matches!(response.status().as_u16(), 404 | 410) {
            // The session went with a restart of the server, whatever its stream looks like.
            self.pending.close("its session is gone");
            self.closing.cancel();
            return Err(Fault::NotSent("its session is gone".to_owned()));
        }
        if !response.status().is_success() {
            return Err(Fault::Refused(refusal(response).await));
        }
        finish(response).await;
        ticket.wait(ask.timeout).await
    }

    /// Sends a notification.
    pub async fn notify(&self, text: &str) {
        post(&self.posts, text.to_owned()).await;
    }

    /// Whether the stream has ended.
    pub fn is_closed(&self) -> bool {
        self.pending.is_closed()
    }

    /// Ends the stream.
    pub async fn shutdown(&self) {
        self.closing.cancel();
        self.pending.close("it was shut down");
    }
}

impl Drop for SseLink {
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

impl Stream {
    /// The next event; `None` at the end of the stream, or when an event is too large.
    async fn next(&mut self) -> Option<crate::events::Event> {
        loop {
            if let Some(event) = self.events.next() {
                return Some(event);
            }
            let piece = chunk(&mut self.response).await.ok()??;
            self.events.push(&piece).ok()?;
        }
    }
}

/// Reads messages until the stream ends; returns why it did.
async fn read(
    mut stream: Stream,
    pending: &Pending,
    outbox: &mpsc::Sender<Outgoing>,
    signals: &Signals,
) -> &'static str {
    while let Some(event) = stream.next().await {
        if !matches!(event.name.as_str(), "" | "message") {
            continue;
        }
        let Ok(text) = std::str::from_utf8(&event.data) else {
            continue;
        };
        incoming::for_each(text, |message| match message {
            Incoming::Answer { id, outcome } => pending.answer(id, outcome),
            Incoming::Progress { token, params } => pending.progress(token, params),
            Incoming::ToolsChanged => signals.tools_changed(),
            Incoming::Asked(asked) => pending.desk.asked(&asked, None, outbox),
            Incoming::Withdrawn(id) => pending.desk.withdraw(id, None),
            _ => {}
        });
    }
    "its event stream ended"
}

async fn post_notes(posts: Endpoint, mut notes: mpsc::Receiver<Outgoing>, closing: CancellationToken) {
    loop {
        let note = tokio::select! {
            () = closing.cancelled() => return,
            note = notes.recv() => note,
        };
        let Some(note) = note else { return };
        post(&posts, note.text).await;
    }
}

async fn post(posts: &Endpoint, text: String) {
    let posting = timeout(Duration::from_secs(10), posts.send(posts.post(text)));
    match posting.await {
        Ok(Ok(response)) => finish(response).await,
        Ok(Err(fault)) => tracing::debug!(reason = fault.describe(), "a notification was not delivered"),
        Err(_) => tracing::debug!("a notification was not taken within 10 s"),
    }
}
