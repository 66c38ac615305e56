//! How is a tool listed as itself?

use handpick_domain::Surface;
use handpick_protocol::json;
use serde_json::value::RawValue;

/// The upstream's own tool object with only its name replaced by the rendered one.
pub fn definition(surface: &Surface, position: usize) -> Box<RawValue> {
    let tool = &surface.catalog.tools()[position];
    let name = serde_json::to_string(&**surface.catalog.rendered(position)).unwrap_or_default();
    json::with_member(tool.definition.get(), "name", &name).unwrap_or_else(|| RawValue::NULL.to_owned())
}
