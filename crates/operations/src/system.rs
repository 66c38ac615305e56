//! What do the gateway's own tools do?
//!
//! Four toolkits that are off until a gateway turns them on (P23). Their tools are listed as themselves in every
//! mode and pass the same admission as every other tool.

use std::sync::Arc;

use handpick_access::Permit;
use handpick_domain::{Caller, Surface, SystemToolkit, Tool, ToolKind};
use handpick_upstream::Client;
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
    /// Mode and front it came through.
    pub source: &'static str,
}

/// The tools of a toolkit, as the catalog holds them. A definition that cannot be read is left out.
pub(crate) fn tools(toolkit: SystemToolkit) -> Vec<Arc<Tool>> {
    let tool = |definition: &Value| {
        let raw = handpick_protocol::json::to_raw(definition);
        let mut tool = Tool::parse(toolkit.as_str(), &raw).ok()?;
        tool.kind = ToolKind::BuiltIn(toolkit);
        Some(Arc::new(tool))
    };
    definitions(toolkit).iter().filter_map(tool).collect()
}

fn definitions(toolkit: SystemToolkit) -> Vec<Value> {
    match toolkit {
        SystemToolkit::Skills | SystemToolkit::Journal | SystemToolkit::Form | SystemToolkit::Workflow => {
            Vec::new()
        }
    }
}

/// Carries out a call of a tool of the gateway itself; the answer is a tool result, failures included.
pub(crate) async fn run(runtime: &Runtime, toolkit: SystemToolkit, call: SystemCall<'_>) -> Box<RawValue> {
    let _ = (runtime, call);
    handpick_presentation::result::failure(&format!("{} has no tools yet", toolkit.as_str()))
}
