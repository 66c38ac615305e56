//! What arguments does this tool take?

use handpick_access::Denial;
use handpick_domain::{Caller, Surface};

use crate::Runtime;
use crate::select_tools::{Suggested, suggested};
use crate::shown::shown_denial;

/// The tool with this name, if the caller may see it.
pub fn describe_tool(
    runtime: &Runtime,
    surface: &Surface,
    caller: &Caller,
    name: &str,
) -> Result<Suggested, Denial> {
    let position = runtime
        .policy()
        .find(surface, name, caller)
        .map_err(shown_denial)?;
    Ok(suggested(&surface.catalog, position, 0.0, None))
}
