//! Who waits for which answer on a connection that carries many?

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use handpick_protocol::RpcError;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use crate::Client;
use crate::ask::cancelled;
use crate::desk::Desk;
use crate::fault::Fault;
use crate::lock::lock;
use crate::patience::Patience;

/// A message on its way out, and the request it carries, if it is one.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// The id of the request; it is not sent any more once nobody waits for it.
    pub id: Option<u64>,
    /// The message.
    pub text: String,
}

impl Outgoing {
    /// A message that is no request of ours.
    pub fn note(text: String) -> Self {
        Self { id: None, text }
    }
}

type Outcome = Result<Box<RawValue>, Fault>;

/// The requests in flight on one connection.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    ids: AtomicU64,
    state: Mutex<State>,
    /// Whom the server may ask.
    pub desk: Arc<Desk>,
}

#[derive(Debug, Default)]
struct State {
    waiting: HashMap<u64, Waiting>,
    /// Why the connection is over.
    closed: Option<String>,
}

#[derive(Debug)]
struct Waiting {
    answer: oneshot::Sender<Outcome>,
    patience: Arc<Patience>,
    progress: Option<mpsc::UnboundedSender<Box<RawValue>>>,
}

impl Pending {
    /// Makes room for the answer to a new request.
    pub fn open(
        self: &Arc<Self>,
        progress: Option<mpsc::UnboundedSender<Box<RawValue>>>,
        outbox: mpsc::Sender<Outgoing>,
    ) -> Result<Ticket, Fault> {
        let id = self.ids.fetch_add(1, Ordering::Relaxed) + 1;
        let (sender, answer) = oneshot::channel();
        let patience = Arc::new(Patience::new());
        let mut state = lock(&self.state);
        if let Some(reason) = &state.closed {
            return Err(Fault::NotSent(reason.clone()));
        }
        state.waiting.insert(
            id,
            Waiting {
                answer: sender,
                patience: Arc::clone(&patience),
                progress,
            },
        );
        Ok(Ticket {
            id,
            answer,
            patience,
            pending: Arc::clone(self),
            outbox: Some(outbox),
        })
    }

    /// Whether somebody still waits for this answer.
    pub fn is_waiting(&self, id: u64) -> bool {
        lock(&self.state).waiting.contains_key(&id)
    }

    /// Hands over an answer. An id nobody waits for is ignored: a late answer, or a made-up one.
    pub fn answer(&self, id: u64, outcome: Result<&RawValue, RpcError>) {
        let Some(waiting) = lock(&self.state).waiting.remove(&id) else {
            return;
        };
        self.desk.leave(id);
        let _ = waiting
            .answer
            .send(outcome.map(ToOwned::to_owned).map_err(Fault::Rpc));
    }

    /// Passes progress on and starts the waiting side's clock again.
    pub fn progress(&self, token: u64, params: &RawValue) {
        if let Some(waiting) = lock(&self.state).waiting.get(&token) {
            waiting.patience.touch();
            if let Some(progress) = &waiting.progress {
                let _ = progress.send(params.to_owned());
            }
        }
    }

    /// Fails one request. Without an id: the only one in flight, if it is the only one.
    pub fn fail(&self, id: Option<u64>, reason: &str) {
        let mut state = lock(&self.state);
        let id = match id {
            None if state.waiting.len() == 1 => state.waiting.keys().next().copied(),
            id => id,
        };
        let Some(id) = id else { return };
        if let Some(waiting) = state.waiting.remove(&id) {
            drop(state);
            self.desk.leave(id);
            let _ = waiting.answer.send(Err(Fault::Broken(reason.to_owned())));
        }
    }

    /// The connection is over: fails everything in flight and everything that comes. The first reason
    /// given stays.
    pub fn close(&self, reason: &str) {
        let waiting = {
            let mut state = lock(&self.state);
            state.closed.get_or_insert_with(|| reason.to_owned());
            std::mem::take(&mut state.waiting)
        };
        self.desk.clear();
        for (_, waiting) in waiting {
            let _ = waiting.answer.send(Err(Fault::Broken(reason.to_owned())));
        }
    }

    /// Why the connection is over, once it is.
    pub fn closed(&self) -> Option<String> {
        lock(&self.state).closed.clone()
    }

    /// Whether the connection is over.
    pub fn is_closed(&self) -> bool {
        lock(&self.state).closed.is_some()
    }
}

/// A place in the queue. Dropping it before the answer came tells the server that nobody waits.
#[derive(Debug)]
pub(crate) struct Ticket {
    /// The id the request goes out under.
    pub id: u64,
    answer: oneshot::Receiver<Outcome>,
    patience: Arc<Patience>,
    pending: Arc<Pending>,
    /// `None` where the request must not be cancelled.
    outbox: Option<mpsc::Sender<Outgoing>>,
}

impl Ticket {
    /// For `initialize`, which the protocol forbids to cancel.
    pub fn uncancellable(mut self) -> Self {
        self.outbox = None;
        self
    }

    /// While it is waited for the server may ask this client.
    pub fn serve(&self, client: Option<Arc<dyn Client>>) {
        self.pending.desk.enter(self.id, client, &self.patience);
    }

    /// Waits for the answer, `timeout` after the last sign of life at most. May be called again after
    /// it timed out: the place is kept until the ticket is dropped.
    pub async fn wait(&mut self, timeout: Duration) -> Outcome {
        match self.patience.within(timeout, &mut self.answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(Fault::Broken("the connection ended".to_owned())),
            Err(after) => Err(Fault::TimedOut(after)),
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let waited_for = lock(&self.pending.state).waiting.remove(&self.id).is_some();
        if !waited_for {
            return;
        }
        self.pending.desk.leave(self.id);
        if let Some(outbox) = &self.outbox {
            // A full outbox means a server that reads nothing; it would not read this either.
            let _ = outbox.try_send(Outgoing::note(cancelled(self.id)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    fn parts() -> (Arc<Pending>, mpsc::Sender<Outgoing>, mpsc::Receiver<Outgoing>) {
        let (sender, receiver) = mpsc::channel(8);
        (Arc::default(), sender, receiver)
    }

    #[tokio::test]
    async fn answers_find_their_request_in_any_order() {
        let (pending, outbox, mut sent) = parts();
        let mut first = pending.open(None, outbox.clone()).unwrap();
        let mut second = pending.open(None, outbox).unwrap();
        pending.answer(second.id, Ok(&raw("2")));
        pending.answer(999, Ok(&raw("9")));
        pending.answer(first.id, Ok(&raw("1")));
        let wait = Duration::from_secs(1);
        assert_eq!(first.wait(wait).await.unwrap().get(), "1");
        assert_eq!(second.wait(wait).await.unwrap().get(), "2");
        drop((first, second));
        assert!(sent.try_recv().is_err(), "nothing to cancel");
    }

    #[tokio::test]
    async fn a_dropped_ticket_cancels_upstream() {
        let (pending, outbox, mut sent) = parts();
        let ticket = pending.open(None, outbox.clone()).unwrap();
        let id = ticket.id;
        drop(ticket);
        assert!(!pending.is_waiting(id));
        assert_eq!(sent.recv().await.unwrap().text, cancelled(id));
        drop(pending.open(None, outbox).unwrap().uncancellable());
        assert!(sent.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_closed_connection_fails_everyone_with_its_first_reason() {
        let (pending, outbox, _sent) = parts();
        let mut ticket = pending.open(None, outbox.clone()).unwrap();
        pending.close("exited with status 1");
        pending.close("something else");
        let fault = ticket.wait(Duration::from_secs(1)).await.unwrap_err();
        assert!(matches!(fault, Fault::Broken(reason) if reason == "exited with status 1"));
        let fault = pending.open(None, outbox).unwrap_err();
        assert!(matches!(fault, Fault::NotSent(reason) if reason == "exited with status 1"));
    }
}
