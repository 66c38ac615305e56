//! Who answers what a server of the old era asks for while it works?
//!
//! A connection is shared by everybody who calls its tools, so a question must find the one call it belongs to. On
//! the event stream of a POST that is certain. On the other streams the protocol tells nothing: there a question is
//! passed on only where every call in flight would lead to the same client. One person's question is never shown to
//! another; where that cannot be ruled out the server is told why it gets no answer.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, Mutex};

use handpick_protocol::{error_response, json, result_response};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::incoming::Asked;
use crate::lock::lock;
use crate::patience::{Patience, Paused};
use crate::pending::Outgoing;
use crate::{Client, Question, Reply, Unasked};

mod refusal;

pub(crate) use refusal::Refusal;

/// Questions of one connection that are open at the same time; further ones are refused.
const OPEN_MAX: usize = 64;

/// The calls in flight on one connection, and what their server asks meanwhile.
#[derive(Default)]
pub(crate) struct Desk {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: BTreeMap<u64, Caller>,
    open: Vec<Open>,
}

/// Who waits for the result of a call.
struct Caller {
    client: Option<Arc<dyn Client>>,
    patience: Arc<Patience>,
    /// Dropped with the call: that is how an open question learns of its end.
    ends: Vec<oneshot::Sender<Infallible>>,
}

/// A question that is being answered.
struct Open {
    of: Option<u64>,
    /// The server's id, raw.
    id: String,
    withdrawn: CancellationToken,
}

/// One call that may be the one a question belongs to.
struct Candidate {
    client: Arc<dyn Client>,
    ended: oneshot::Receiver<Infallible>,
}

/// A question on its way.
struct Opened {
    candidates: Vec<Candidate>,
    /// The clocks of all calls that may be meant.
    paused: Vec<Paused>,
}

/// A call's entry, until it is dropped.
pub(crate) struct Place {
    desk: Arc<Desk>,
    id: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.desk.leave(self.id);
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

impl Desk {
    /// A call goes out under this id. Its clock stands still while its client is asked.
    pub fn enter(&self, id: u64, client: Option<Arc<dyn Client>>, patience: &Arc<Patience>) {
        let caller = Caller {
            client,
            patience: Arc::clone(patience),
            ends: Vec::new(),
        };
        lock(&self.state).calls.insert(id, caller);
    }

    /// [`Desk::enter`], until the place is dropped.
    pub fn seat(
        self: &Arc<Self>,
        id: u64,
        client: Option<Arc<dyn Client>>,
        patience: &Arc<Patience>,
    ) -> Place {
        self.enter(id, client, patience);
        Place {
            desk: Arc::clone(self),
            id,
        }
    }

    /// Nobody waits for this call any more, or it has its answer. Questions that can belong to no other call are
    /// withdrawn.
    pub fn leave(&self, id: u64) {
        // Bound first: what it holds is dropped without the lock.
        let caller = lock(&self.state).calls.remove(&id);
        drop(caller);
    }

    /// The connection is over.
    pub fn clear(&self) {
        let calls = std::mem::take(&mut lock(&self.state).calls);
        drop(calls);
    }

    /// The server asks for something: by the call `of`, or by one that it does not name. The answer goes out by
    /// `outbox`, now or when it is there.
    pub fn asked(self: &Arc<Self>, asked: &Asked<'_>, of: Option<u64>, outbox: &mpsc::Sender<Outgoing>) {
        if asked.method == "ping" {
            reply(outbox, result_response(asked.id.get(), "{}"));
            return;
        }
        let params = match asked.params {
            Some(params) => params.to_owned(),
            None => json::raw("{}".to_owned()),
        };
        let withdrawn = CancellationToken::new();
        let opened = lock(&self.state).open(asked, of, &params, &withdrawn);
        let opened = match opened {
            Ok(Some(opened)) => opened,
            // Told twice, as a resumed stream may do.
            Ok(None) => return,
            Err(refusal) => {
                tracing::debug!(
                    method = &*asked.method,
                    reason = refusal.words(&asked.method),
                    "a server's request was refused"
                );
                reply(outbox, refusal.reply(asked.id.get(), &asked.method));
                return;
            }
        };
        let question = Question {
            key: asked.id.get().trim_matches('"').to_owned(),
            method: asked.method.to_string(),
            params,
        };
        let (desk, outbox, id) = (Arc::clone(self), outbox.clone(), asked.id.get().to_owned());
        tokio::spawn(async move {
            let answered = tokio::select! {
                biased;
                () = withdrawn.cancelled() => None,
                answered = ask_in_turn(opened.candidates, &question) => Some(answered),
            };
            desk.close(of, &id);
            // The server's time starts again with the answer.
            drop(opened.paused);
            let text = match answered {
                Some(Ok(Ok(result))) => result_response(&id, result.get()),
                Some(Ok(Err(error))) => error_response(Some(&id), &error),
                Some(Err(refusal)) => refusal.reply(&id, &question.method),
                // The protocol wants no answer to what was cancelled.
                None => return,
            };
            let _ = outbox.send(Outgoing::note(text)).await;
        });
    }

    /// The server does not want an answer to its request with this id any more.
    pub fn withdraw(&self, id: &RawValue, of: Option<u64>) {
        for open in &lock(&self.state).open {
            let may_be = of.is_none() || open.of.is_none() || open.of == of;
            if may_be && open.id == id.get() {
                open.withdrawn.cancel();
            }
        }
    }

    fn close(&self, of: Option<u64>, id: &str) {
        lock(&self.state)
            .open
            .retain(|open| open.of != of || open.id != id);
    }
}

impl State {
    /// Finds who can be asked and notes the question; `None` where it is open already.
    fn open(
        &mut self,
        asked: &Asked<'_>,
        of: Option<u64>,
        params: &RawValue,
        withdrawn: &CancellationToken,
    ) -> Result<Option<Opened>, Refusal> {
        match &*asked.method {
            "elicitation/create" | "sampling/createMessage" => {}
            "roots/list" => return Err(Refusal::Roots),
            _ => return Err(Refusal::Unknown),
        }
        if self
            .open
            .iter()
            .any(|open| open.of == of && open.id == asked.id.get())
        {
            return Ok(None);
        }
        if self.open.len() >= OPEN_MAX {
            return Err(Refusal::TooMany);
        }
        self.agree(of)?;
        let (mut candidates, mut paused) = (Vec::new(), Vec::new());
        // The newest first.
        for (id, caller) in self.calls.iter_mut().rev() {
            if of.is_some_and(|of| of != *id) {
                continue;
            }
            let Some(client) = &caller.client else { continue };
            if client.capabilities().offers(&asked.method, params) {
                let (ends, ended) = oneshot::channel();
                caller.ends.retain(|ends| !ends.is_closed());
                caller.ends.push(ends);
                candidates.push(Candidate {
                    client: Arc::clone(client),
                    ended,
                });
            }
            paused.push(caller.patience.pause());
        }
        if candidates.is_empty() {
            return Err(Refusal::NotOffered);
        }
        self.open.push(Open {
            of,
            id: asked.id.get().to_owned(),
            withdrawn: withdrawn.clone(),
        });
        Ok(Some(Opened { candidates, paused }))
    }

    /// Whether all calls that may be meant lead to the same client.
    fn agree(&self, of: Option<u64>) -> Result<(), Refusal> {
        let mut identities = self
            .calls
            .iter()
            .filter(|(id, _)| of.is_none_or(|of| of == **id))
            .map(|(_, caller)| caller.client.as_deref().map(Client::identity));
        let first = identities.next().ok_or(Refusal::NoCall)?;
        if identities.any(|identity| identity != first) {
            return Err(Refusal::Mixed);
        }
        first.map(|_| ()).ok_or(Refusal::NoClient)
    }
}

/// Asks the client of the newest call; where that call ends meanwhile it was not the one, and the next is asked.
async fn ask_in_turn(candidates: Vec<Candidate>, question: &Question) -> Result<Reply, Refusal> {
    let mut refusal = Refusal::Ended;
    for Candidate { client, ended } in candidates {
        let outcome = tokio::select! {
            biased;
            _ = ended => Err(Unasked::Gone),
            outcome = client.ask(vec![question.clone()]) => outcome,
        };
        refusal = match outcome.map(|replies| replies.into_iter().next()) {
            Ok(Some(reply)) => return Ok(reply),
            Ok(None) | Err(Unasked::Gone) => Refusal::Ended,
            Err(Unasked::NotOffered) => Refusal::NotOffered,
        };
    }
    Err(refusal)
}

/// Replies at once. A server that asks faster than it reads goes without an answer.
pub(crate) fn reply(outbox: &mpsc::Sender<Outgoing>, text: String) {
    let _ = outbox.try_send(Outgoing::note(text));
}

#[cfg(test)]
mod tests;
