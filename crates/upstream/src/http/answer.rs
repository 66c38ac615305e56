//! How is the answer found in an HTTP response?

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use handpick_protocol::RpcError;
use http::header::CONTENT_TYPE;
use hyper::body::Body as _;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::desk::Desk;
use crate::events::EventReader;
use crate::fault::{Fault, Refusal, excerpt};
use crate::http::endpoint::{Response, chunk, innermost};
use crate::incoming::{self, Incoming};
use crate::patience::Patience;
use crate::pending::Outgoing;
use crate::signals::Signals;

/// The longest answer that is read.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// How much of a refusal is read.
const REFUSAL_BYTES_MAX: usize = 64 * 1024;

/// Who wants the answer, and who gets what else arrives with it.
pub(crate) struct Listener<'a> {
    /// The request that was sent.
    pub id: u64,
    /// Where progress goes.
    pub progress: Option<&'a mpsc::UnboundedSender<Box<RawValue>>>,
    /// Whose clock progress starts again.
    pub patience: &'a Patience,
    /// Who hears of changes.
    pub signals: &'a Signals,
    /// Where the server's own requests go, where it may make any.
    pub asks: Option<Asks<'a>>,
}

/// Where the requests of a server go.
#[derive(Clone, Copy)]
pub(crate) struct Asks<'a> {
    /// Who answers them.
    pub desk: &'a Arc<Desk>,
    /// Where the answers go.
    pub outbox: &'a mpsc::Sender<Outgoing>,
    /// The call on whose stream they come; `None` where the stream is everybody's.
    pub of: Option<u64>,
}

/// How reading a response ended.
pub(crate) enum Reading {
    /// With the answer.
    Answered(Result<Box<RawValue>, RpcError>),
    /// The event stream ended before the answer came. It may be resumed.
    Ended(Arc<EventReader>),
}

/// Reads the response to a request.
pub(crate) async fn read(response: Response, listener: &Listener<'_>) -> Result<Reading, Fault> {
    if !response.status().is_success() {
        return Err(Fault::Refused(refusal(response).await));
    }
    if is_event_stream(&response) {
        return read_events(response, listener, EventReader::default()).await;
    }
    let status = response.status();
    let body = read_body(response, ANSWER_BYTES_MAX).await?;
    let mut answer = None;
    let text = std::str::from_utf8(&body).unwrap_or_default();
    incoming::for_each(text, |message| {
        if let Some(outcome) = listener.take(message) {
            answer = Some(outcome);
        }
    });
    answer.map(Reading::Answered).ok_or_else(|| {
        Fault::Broken(match text.trim() {
            "" => format!(
                "answered HTTP {} without an answer to the request",
                status.as_u16()
            ),
            text => format!("answered with something that is not MCP: {}", excerpt(text)),
        })
    })
}

/// Reads an event stream up to the answer.
pub(crate) async fn read_events(
    mut response: Response,
    listener: &Listener<'_>,
    mut events: EventReader,
) -> Result<Reading, Fault> {
    loop {
        match chunk(&mut response).await {
            Ok(Some(piece)) => events
                .push(&piece)
                .map_err(|_| Fault::Broken("sent an event of more than 64 MiB".to_owned()))?,
            // A stream cut short may be resumed like one that was ended.
            Ok(None) | Err(_) => return Ok(Reading::Ended(Arc::new(events))),
        }
        while let Some(event) = events.next() {
            let mut answer = None;
            if let Ok(text) = std::str::from_utf8(&event.data) {
                incoming::for_each(text, |message| {
                    if let Some(outcome) = listener.take(message) {
                        answer = Some(outcome);
                    }
                });
            }
            if let Some(outcome) = answer {
                finish(response).await;
                return Ok(Reading::Answered(outcome));
            }
        }
    }
}

impl Listener<'_> {
    /// Deals with one message; returns the answer if that is what it is.
    fn take(&self, message: Incoming<'_>) -> Option<Result<Box<RawValue>, RpcError>> {
        match message {
            Incoming::Answer { id, outcome } if id == self.id => {
                return Some(outcome.map(ToOwned::to_owned));
            }
            Incoming::Complaint(error) => return Some(Err(error)),
            Incoming::Progress { token, params } if token == self.id => {
                self.patience.touch();
                if let Some(progress) = self.progress {
                    let _ = progress.send(params.to_owned());
                }
            }
            Incoming::ToolsChanged => self.signals.tools_changed(),
            Incoming::Asked(asked) => {
                if let Some(asks) = self.asks {
                    asks.desk.asked(&asked, asks.of, asks.outbox);
                }
            }
            Incoming::Withdrawn(id) => {
                if let Some(asks) = self.asks {
                    asks.desk.withdraw(id, asks.of);
                }
            }
            _ => {}
        }
        None
    }
}

/// Whether the response is a stream of events.
pub(crate) fn is_event_stream(response: &Response) -> bool {
    response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| {
            value
                .trim_start()
                .to_ascii_lowercase()
                .starts_with("text/event-stream")
        })
}

/// What a response outside 2xx says.
pub(crate) async fn refusal(response: Response) -> Refusal {
    let status = response.status().as_u16();
    let body = read_body(response, REFUSAL_BYTES_MAX).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&body);
    let error = match incoming::read(text.trim()) {
        Incoming::Answer {
            outcome: Err(error), ..
        }
        | Incoming::Complaint(error) => Some(error),
        _ => None,
    };
    Refusal {
        status,
        error,
        excerpt: excerpt(&text),
    }
}

/// The whole body. One that arrives in one piece is not copied.
async fn read_body(mut response: Response, max: usize) -> Result<Bytes, Fault> {
    let broken = |error: &hyper::Error| Fault::Broken(format!("broke off its answer: {}", innermost(error)));
    let expected = response.body().size_hint().exact().unwrap_or_default();
    let Some(first) = chunk(&mut response).await.map_err(|error| broken(&error))? else {
        return Ok(Bytes::new());
    };
    if response.body().is_end_stream() {
        return Ok(first);
    }
    let mut body = BytesMut::with_capacity(usize::try_from(expected).unwrap_or(max).min(max));
    let mut next = Some(first);
    while let Some(piece) = next {
        if body.len() + piece.len() > max {
            return Err(Fault::Broken(format!("sent an answer of more than {max} bytes")));
        }
        body.extend_from_slice(&piece);
        next = chunk(&mut response).await.map_err(|error| broken(&error))?;
    }
    Ok(body.freeze())
}

/// Reads what is left of a stream, so that its connection can be used again. Usually that is there
/// already; where it is not, nobody waits for it.
pub(crate) async fn finish(mut response: Response) {
    if response.body().is_end_stream() {
        return;
    }
    if let Ok(Ok(None) | Err(_)) = timeout(Duration::ZERO, chunk(&mut response)).await {
        return;
    }
    tokio::spawn(async move {
        let rest = async { while let Ok(Some(_)) = chunk(&mut response).await {} };
        let _ = timeout(Duration::from_secs(1), rest).await;
    });
}
