//! Which tools may a caller see, and may this call go through?

use std::collections::BTreeMap;
use std::sync::Arc;

use handpick_domain::{
    Annotations, Autonomy, Caller, Catalog, Gateway, Resolution, Restriction, Scope, Surface, Tool, ToolKind,
    ToolSet,
};

use crate::permit::{granted, to_confirm};
use crate::{Admitted, Denial, Reason};

/// The rules of one deployment.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Gateways by name.
    pub gateways: BTreeMap<String, Gateway>,
    /// Tools that need a role.
    pub restrictions: Vec<Restriction>,
}

impl Policy {
    /// Opens a surface: what this caller may see and use right now, through `gateway` or, without one,
    /// in the whole project.
    pub fn open_surface(&self, catalog: Arc<Catalog>, gateway: Option<&Gateway>, caller: &Caller) -> Surface {
        let tools = catalog.tools();
        let bound = ToolSet::from_fn(tools.len(), |position| {
            tools[position].kind == ToolKind::Customer && is_bound(&tools[position], gateway)
        });
        let allowed = ToolSet::from_fn(tools.len(), |position| {
            bound.contains(position) && self.roles_suffice(&tools[position], gateway, caller)
        });
        let system = ToolSet::from_fn(tools.len(), |position| {
            let tool = &tools[position];
            tool.kind != ToolKind::Customer
                && is_bound(tool, gateway)
                && self.roles_suffice(tool, gateway, caller)
        });
        Surface {
            gateway: gateway.map(|gateway| gateway.name.clone()),
            catalog,
            bound,
            allowed,
            system,
        }
    }

    /// The one admission every call of every front and mode passes.
    ///
    /// `written` is the inner tool's name as the caller wrote it: it is resolved here, within the
    /// snapshot the caller was shown, and judged by what it really names. Rules are read as they are
    /// now, so a tool unbound after the surface opened is refused (P14). How freely a gateway's tools may
    /// run is judged here too, by what each tool says of itself (P4).
    pub fn admit(&self, surface: &Surface, written: &str, caller: &Caller) -> Result<Admitted, Denial> {
        let position = self.find(surface, written, caller)?;
        if !caller.may(Scope::Execute) {
            return Err(Denial::Scope);
        }
        let tool = Arc::clone(&surface.catalog.tools()[position]);
        let gateway = surface.gateway.as_ref().and_then(|name| self.gateways.get(name));
        let hints = tool.annotations;
        match gateway.map(|gateway| gateway.autonomy).unwrap_or_default() {
            Autonomy::Full => Ok(granted(tool, caller, Reason::FullAutonomy)),
            Autonomy::Confirm | Autonomy::ReadOnly if changes_nothing(hints) => {
                Ok(granted(tool, caller, Reason::ReadOnlyTool))
            }
            Autonomy::Confirm if hints.destructive_hint == Some(false) => {
                Ok(granted(tool, caller, Reason::HarmlessTool))
            }
            Autonomy::Confirm => Ok(to_confirm(tool, caller)),
            Autonomy::ReadOnly => Err(Denial::ReadOnly {
                name: tool.name.to_string(),
            }),
        }
    }

    /// The position of a tool the caller may see, by the name they wrote. The first half of
    /// [`Policy::admit`], for showing a tool without running it.
    pub fn find(&self, surface: &Surface, written: &str, caller: &Caller) -> Result<usize, Denial> {
        let not_found = || Denial::NotFound {
            name: written.to_owned(),
        };
        match surface.catalog.resolve(written) {
            Resolution::Unknown => Err(not_found()),
            Resolution::Found(position) if self.still_allows(surface, position, caller) => Ok(position),
            Resolution::Found(_) | Resolution::Ambiguous => {
                match self.visible(surface, written, caller)[..] {
                    [] => Err(not_found()),
                    [position] => Ok(position),
                    _ => Err(Denial::Ambiguous {
                        name: written.to_owned(),
                    }),
                }
            }
        }
    }

    /// Whether a tool of the snapshot is one the caller may use, by the snapshot and by the rules as they are
    /// now.
    fn still_allows(&self, surface: &Surface, position: usize, caller: &Caller) -> bool {
        let tool = &surface.catalog.tools()[position];
        let gateway = match &surface.gateway {
            None => None,
            Some(name) => match self.gateways.get(name) {
                None => return false,
                gateway => gateway,
            },
        };
        let shown = surface.allowed.contains(position) || surface.system.contains(position);
        shown && is_bound(tool, gateway) && self.roles_suffice(tool, gateway, caller)
    }

    /// The tools that a spelling may mean for this caller. One they may not use is no alternative: it must not
    /// show, not even by making a name ambiguous or by taking the place of one that differs in case.
    fn visible(&self, surface: &Surface, written: &str, caller: &Caller) -> Vec<usize> {
        let folded = written.trim().to_lowercase();
        let unversioned = folded.rsplit_once('@').map_or(folded.as_str(), |(name, _)| name);
        surface
            .tools()
            .chain(surface.system_tools())
            .filter(|(_, tool)| {
                [tool.name.underscored(), tool.name.as_str().to_owned()]
                    .iter()
                    .map(|form| form.to_lowercase())
                    .any(|form| form == folded || form == unversioned)
            })
            .map(|(position, _)| position)
            .filter(|position| self.still_allows(surface, *position, caller))
            .collect()
    }

    fn roles_suffice(&self, tool: &Tool, gateway: Option<&Gateway>, caller: &Caller) -> bool {
        let own = gateway.map_or(&[][..], |gateway| &gateway.restrictions);
        self.restrictions
            .iter()
            .chain(own)
            .filter(|restriction| restriction.tools.matches(&tool.name))
            .all(|restriction| !restriction.roles.is_disjoint(&caller.roles))
    }
}

/// Whether a tool is attached to a gateway, or to the project where there is none. Toolkits of the gateway itself
/// are where they are turned on and nowhere else.
fn is_bound(tool: &Tool, gateway: Option<&Gateway>) -> bool {
    match (tool.kind, gateway) {
        (ToolKind::BuiltIn(toolkit), gateway) => {
            gateway.is_some_and(|gateway| gateway.system_tools.contains(&toolkit))
        }
        (_, None) => true,
        (_, Some(gateway)) => gateway.allow.matches(&tool.name),
    }
}

/// A tool that contradicts itself is not believed.
fn changes_nothing(hints: Annotations) -> bool {
    hints.read_only_hint == Some(true) && hints.destructive_hint != Some(true)
}

#[cfg(test)]
mod tests;
