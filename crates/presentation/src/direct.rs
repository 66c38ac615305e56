//! How is a bound tool listed as itself?

use std::sync::Arc;

use handpick_domain::Tool;
use handpick_protocol::json;
use serde_json::value::RawValue;

/// The upstream's own tool object with only its name replaced by the rendered one.
pub fn definition(tool: &Arc<Tool>, rendered: &str) -> Box<RawValue> {
    let name = serde_json::to_string(rendered).unwrap_or_default();
    json::with_member(tool.definition.get(), "name", &name).unwrap_or_else(|| RawValue::NULL.to_owned())
}
