//! What do the gateway's own tools do?
//!
//! Four toolkits that are off until a gateway turns them on (P23). Their tools are listed as themselves in every
//! mode and pass the same admission as every other tool. `docs/system-tools.md` shows each tool's answers.

mod form;
mod journal;
mod skills;
mod workflow;

use std::sync::Arc;

use handpick_access::Permit;
use handpick_domain::{Caller, Surface, SystemToolkit, Tool, ToolKind};
use handpick_presentation::result;
use handpick_store::{Owner, StoreError};
use handpick_upstream::Client;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Runtime;

/// One admitted call of a tool of the gateway itself.
pub(crate) struct SystemCall<'a> {
    /// The proof that it was admitted. Its tool's own name, without the toolkit, says which one is meant.
    pub permit: &'a Permit,
    /// What the caller sees.
    pub surface: &'a Surface,
    /// Who asks.
    pub caller: &'a Caller,
    /// An object that fits the tool's schema.
    pub arguments: &'a RawValue,
    /// Who can be asked.
    pub client: Option<&'a Arc<dyn Client>>,
}

/// What a tool of the gateway itself answers: its structured content, or what is wrong in words for the model.
type Answered = Result<Value, String>;

impl SystemCall<'_> {
    /// The tool's own name, without its toolkit.
    fn tool(&self) -> &str {
        self.permit.tool().name.tool()
    }

    /// Reads the arguments, which fit the schema already.
    fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_str(self.arguments.get()).map_err(|error| format!("invalid arguments: {error}"))
    }

    /// Whose notes and workflows the caller's are: the end user's where one is named, else the key's, at this gateway
    /// alone.
    fn owner(&self) -> Owner {
        let gateway = self.surface.gateway.as_deref().unwrap_or_default();
        match &self.caller.user_id {
            Some(user_id) => Owner::user(gateway, user_id),
            None => Owner::key(gateway, &self.caller.key_id),
        }
    }
}

/// The tools of a toolkit, as the catalog holds them. A definition that cannot be read is left out.
pub(crate) fn tools(toolkit: SystemToolkit) -> Vec<Arc<Tool>> {
    let tool = |definition: &Value| {
        let raw = handpick_protocol::json::to_raw(definition);
        let mut tool = Tool::parse(toolkit.as_str(), &raw).ok()?;
        tool.kind = ToolKind::BuiltIn(toolkit);
        if toolkit == SystemToolkit::Workflow && workflow::runs_steps(tool.name.tool()) {
            // Lists say what the steps may do. Admission judges each step by itself, so the call around them needs
            // no verdict of its own: a read-only gateway runs the steps that change nothing, and stops at others.
            tool.annotations.read_only_hint = Some(true);
            tool.annotations.destructive_hint = Some(false);
        }
        Some(Arc::new(tool))
    };
    definitions(toolkit).iter().filter_map(tool).collect()
}

fn definitions(toolkit: SystemToolkit) -> Vec<Value> {
    match toolkit {
        SystemToolkit::Skills => skills::definitions(),
        SystemToolkit::Journal => journal::definitions(),
        SystemToolkit::Form => form::definitions(),
        SystemToolkit::Workflow => workflow::definitions(),
    }
}

/// Carries out a call of a tool of the gateway itself; the answer is a tool result, failures included.
pub(crate) async fn run(runtime: &Runtime, toolkit: SystemToolkit, call: SystemCall<'_>) -> Box<RawValue> {
    let answered = match toolkit {
        SystemToolkit::Skills => skills::run(runtime, &call).await,
        SystemToolkit::Journal => journal::run(runtime, &call).await,
        SystemToolkit::Form => form::run(runtime, &call).await,
        SystemToolkit::Workflow => return workflow::run(runtime, &call).await,
    };
    shown(answered)
}

fn shown(answered: Answered) -> Box<RawValue> {
    match answered {
        Ok(value) => result::structured(&value),
        Err(told) => result::failure(&told),
    }
}

/// The toolkit has no tool of this name: its own list and this match have parted.
fn no_such_tool(call: &SystemCall<'_>) -> String {
    format!("tool not found: {}", call.permit.tool().name)
}

/// What the model is told when the store fails; what it was is for the operator.
fn store_failed(error: &StoreError) -> String {
    tracing::warn!(%error, "a system tool cannot reach the store");
    "not done: what is kept cannot be reached now; a retry may succeed".to_owned()
}

/// A time as RFC 3339 text, in UTC.
fn at_text(at_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(at_ms).map_or_else(|_| at_ms.to_string(), |at| at.to_string())
}
