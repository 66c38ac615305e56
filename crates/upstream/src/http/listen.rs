//! How do we hear from an HTTP server without asking?

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use http::header::ACCEPT;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::answer::{self, Listener, Reading};
use super::endpoint::Response;
use super::{Core, EVENTS, LAST_EVENT_ID, Session};
use crate::ask::Ask;
use crate::events::EventReader;
use crate::patience::Patience;
use crate::pending::Outgoing;

/// The first and the longest pause before a stream that ended is opened again.
const PAUSE_FIRST: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// A stream that was down may have missed a change; lists are fetched again for that reason at most
/// this often.
const CATCH_UP_EVERY: Duration = Duration::from_secs(60);

/// Posts notes in the order they were written, until the connection ends.
pub(super) async fn post_notes(core: Arc<Core>, mut notes: mpsc::Receiver<Outgoing>) {
    loop {
        let note = tokio::select! {
            () = core.closing.cancelled() => return,
            note = notes.recv() => note,
        };
        let Some(note) = note else { return };
        core.post_note(note.text).await;
    }
}

/// Follows the stream of a legacy server's own messages. A server that offers none (405) or has
/// forgotten the session (404) ends this. `tells_changes`: whether a change may be missed while there is no stream.
pub(super) async fn legacy(core: Arc<Core>, session: Arc<Session>, tells_changes: bool) {
    let mut position = None;
    let mut pauses = Pauses::new(tells_changes);
    let follow = async {
        loop {
            let mut request = core.endpoint.bare(Method::GET);
            session.write(&mut request);
            request.headers_mut().insert(ACCEPT, EVENTS);
            if let Some(position) = &position {
                request
                    .headers_mut()
                    .insert(LAST_EVENT_ID, http::HeaderValue::clone(position));
            }
            if let Ok(response) = core.endpoint.send(request).await {
                if response.status() == http::StatusCode::NOT_FOUND && session.id.is_some() {
                    // The session is gone; fetching the list opens another, and this starts over.
                    if tells_changes {
                        core.signals.tools_changed();
                    }
                    return;
                }
                if !follow_stream(&core, response, &mut pauses, 0, &mut position).await {
                    return;
                }
            }
            pauses.pause().await;
        }
    };
    tokio::select! {
        () = session.listening.cancelled() => {}
        () = follow => {}
    }
}

/// Follows a modern server's `subscriptions/listen`. A server that does not offer it ends this.
pub(super) async fn modern(core: Arc<Core>) {
    let mut pauses = Pauses::new(true);
    let follow = async {
        loop {
            let members = r#""notifications":{"toolsListChanged":true}"#.to_owned();
            let ask = Ask::plain("subscriptions/listen", members, Duration::MAX);
            let id = core.next_id();
            if let Ok(response) = core.endpoint.send(core.request(&ask, None, id)).await
                && !follow_stream(&core, response, &mut pauses, id, &mut None).await
            {
                return;
            }
            pauses.pause().await;
        }
    };
    tokio::select! {
        () = core.closing.cancelled() => {}
        () = follow => {}
    }
}

/// Follows one stream to its end. Returns whether to open another.
async fn follow_stream(
    core: &Core,
    response: Response,
    pauses: &mut Pauses,
    id: u64,
    position: &mut Option<http::HeaderValue>,
) -> bool {
    if !response.status().is_success() || !answer::is_event_stream(&response) {
        return false;
    }
    if pauses.begin() {
        core.signals.tools_changed();
    }
    let patience = Patience::new();
    let listener = Listener {
        id,
        progress: None,
        patience: &patience,
        signals: &core.signals,
        asks: core.asks(None),
    };
    match answer::read_events(response, &listener, EventReader::default()).await {
        Ok(Reading::Ended(events)) => {
            *position = events.last_id.as_deref().and_then(|id| id.parse().ok());
            pauses.asked_ms = events.retry_ms;
            true
        }
        Ok(Reading::Answered(Ok(_))) | Err(_) => true,
        Ok(Reading::Answered(Err(_))) => false,
    }
}

/// When a stream is opened again.
struct Pauses {
    tells_changes: bool,
    next: Duration,
    asked_ms: Option<u64>,
    opened: Option<Instant>,
    caught_up: Instant,
}

impl Pauses {
    fn new(tells_changes: bool) -> Self {
        Self {
            tells_changes,
            next: PAUSE_FIRST,
            asked_ms: None,
            opened: None,
            caught_up: Instant::now(),
        }
    }

    /// A stream is open. Returns whether something may have been missed before it was.
    fn begin(&mut self) -> bool {
        let again = self.opened.replace(Instant::now()).is_some();
        let catch_up = self.tells_changes && again && self.caught_up.elapsed() >= CATCH_UP_EVERY;
        if catch_up {
            self.caught_up = Instant::now();
        }
        catch_up
    }

    async fn pause(&mut self) {
        if self.opened.is_some_and(|opened| opened.elapsed() >= PAUSE_MAX) {
            self.next = PAUSE_FIRST;
        }
        let asked = Duration::from_millis(self.asked_ms.unwrap_or_default());
        sleep(self.next.max(asked)).await;
        self.next = (self.next * 2).min(PAUSE_MAX);
    }
}
