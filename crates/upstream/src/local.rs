//! How is a server called that lives in this process?

use std::sync::Arc;

use handpick_protocol::{Era, LocalServer, json};
use serde_json::value::RawValue;

use crate::ask::Ask;
use crate::fault::Fault;
use crate::patience::Patience;

/// A server reached by function call.
pub(crate) struct LocalLink {
    pub server: Arc<dyn LocalServer>,
}

impl LocalLink {
    /// The server's answer. Progress does not exist here; the time-out does.
    pub async fn request(&self, ask: &Ask<'_>) -> Result<Box<RawValue>, Fault> {
        let params = json::raw(ask.params(0, Era::Legacy));
        let answer = self.server.handle(ask.method, Some(&params));
        match Patience::new().within(ask.timeout, answer).await {
            Ok(outcome) => outcome.map_err(Fault::Rpc),
            Err(after) => Err(Fault::TimedOut(after)),
        }
    }
}
