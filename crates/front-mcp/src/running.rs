//! How is one `tools/call` run for a client of each era, whatever carries it?

use std::sync::Arc;

use handpick_domain::Caller;
use handpick_operations::{Client, Runtime};
use handpick_protocol::{ClientCapabilities, RpcError};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::error::not_open;
use crate::methods::{PreparedCall, View};
use crate::ongoing::{Ongoing, Retry};
use crate::parts::{Asides, Parts, parts};
use crate::questions::SessionClient;
use crate::session::Session;
use crate::suspended::Suspended;

/// The client of a session, where it can be asked anything; its requests go out through `outgoing`.
pub(crate) fn client(
    session: Option<&Arc<Session>>,
    caller: &Caller,
    outgoing: mpsc::UnboundedSender<String>,
) -> Option<Arc<dyn Client>> {
    let session = session.filter(|session| can_be_asked(&session.capabilities))?;
    Some(Arc::new(SessionClient::new(session, caller, outgoing)))
}

fn can_be_asked(capabilities: &ClientCapabilities) -> bool {
    let ClientCapabilities {
        elicitation_form,
        elicitation_url,
        sampling,
        roots,
        ..
    } = *capabilities;
    elicitation_form || elicitation_url || sampling || roots
}

/// Runs a call that lives as long as its request. `messages` are what `client` sends, where that travels beside the
/// answer; the call ends without an answer when `cancelled` does.
pub(crate) fn with_its_request(
    runtime: Arc<Runtime>,
    view: View,
    mut prepared: PreparedCall,
    client: Option<Arc<dyn Client>>,
    messages: Option<mpsc::UnboundedReceiver<String>>,
    cancelled: impl Future<Output = ()> + Send + 'static,
) -> Parts {
    let (sender, progress) = prepared
        .progress_token
        .take()
        .map(|token| {
            let (sender, progress) = mpsc::unbounded_channel();
            (sender, (token, progress))
        })
        .unzip();
    let call = async move {
        tokio::select! {
            // On the heap: the future of a whole call is large, and would be copied at each level above.
            outcome = Box::pin(prepared.run(runtime, view, sender, client)) => Some(outcome),
            () = cancelled => None,
        }
    };
    parts(call, Asides { progress, messages })
}

/// Runs a call of a stateless client, or goes on with the one it retries. A call whose client can be asked may
/// outlive its request; it ends when `given_up` fires, at the latest.
pub(crate) fn stateless(
    suspended: &Arc<Suspended>,
    given_up: CancellationToken,
    runtime: Arc<Runtime>,
    view: View,
    mut prepared: PreparedCall,
) -> Result<Parts, RpcError> {
    if let Some(retry) = prepared.retry.take() {
        return resume(suspended, &view, prepared, retry);
    }
    if !can_be_asked(&prepared.capabilities) {
        let cancelled = given_up.cancelled_owned();
        return Ok(with_its_request(runtime, view, prepared, None, None, cancelled));
    }
    let token = prepared.progress_token.take();
    let (binding, capabilities) = (prepared.binding(&view), prepared.capabilities.clone());
    let meta_bytes = prepared.meta_bytes();
    let run = |client, progress| prepared.run(runtime, view, Some(progress), Some(client));
    let attached = Ongoing::begin(suspended, binding, meta_bytes, given_up, capabilities, run);
    Ok(attached.parts(token))
}

fn resume(
    suspended: &Suspended,
    view: &View,
    prepared: PreparedCall,
    retry: Retry,
) -> Result<Parts, RpcError> {
    let attached = suspended
        .find(&retry.state, &prepared.binding(view))
        .and_then(|call| call.resume(retry, prepared.capabilities));
    let attached = attached.ok_or_else(not_open)?;
    Ok(attached.parts(prepared.progress_token))
}
