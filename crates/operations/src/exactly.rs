//! How does a call reach the tool that was decided on, and never one that is called almost the same?

use handpick_domain::{Resolution, Surface, ToolSet};

/// The surface with the tool of exactly this canonical name, or with none.
///
/// Admission reads names generously: where a tool has become forbidden or has gone, a name may come to mean one that
/// differs in case alone. That serves callers who write a name; what was decided on before must not change so. On
/// this surface nothing else is there to be meant.
pub(crate) fn only(surface: &Surface, name: &str) -> Surface {
    let tools = surface.catalog.tools();
    let meant = match surface.catalog.resolve(name) {
        Resolution::Found(position) => tools
            .get(position)
            .filter(|tool| tool.name.as_str() == name)
            .map(|_| position),
        Resolution::Ambiguous | Resolution::Unknown => None,
    };
    let of = |set: &ToolSet| {
        ToolSet::from_fn(tools.len(), |position| {
            Some(position) == meant && set.contains(position)
        })
    };
    Surface {
        allowed: of(&surface.allowed),
        system: of(&surface.system),
        ..surface.clone()
    }
}
