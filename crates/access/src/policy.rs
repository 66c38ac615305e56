//! Which tools may a caller see, and may this call go through?

use std::collections::BTreeMap;
use std::sync::Arc;

use handpick_domain::{Caller, Catalog, Gateway, Resolution, Restriction, Scope, Surface, Tool, ToolSet};

use crate::{Denial, Permit};

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
            gateway.is_none_or(|gateway| gateway.allow.matches(&tools[position].name))
        });
        let allowed = ToolSet::from_fn(tools.len(), |position| {
            bound.contains(position) && self.roles_suffice(&tools[position], caller)
        });
        Surface {
            gateway: gateway.map(|gateway| gateway.name.clone()),
            catalog,
            bound,
            allowed,
        }
    }

    /// The one admission every call of every front and mode passes.
    ///
    /// `written` is the inner tool's name as the caller wrote it: it is resolved here, within the
    /// snapshot the caller was shown, and judged by what it really names. Rules are read as they are
    /// now, so a tool unbound after the surface opened is refused (P14).
    pub fn admit(&self, surface: &Surface, written: &str, caller: &Caller) -> Result<Permit, Denial> {
        let position = self.find(surface, written, caller)?;
        if !caller.may(Scope::Execute) {
            return Err(Denial::Scope);
        }
        Ok(Permit::new(
            Arc::clone(&surface.catalog.tools()[position]),
            caller,
        ))
    }

    /// The position of a tool the caller may see, by the name they wrote. The first half of
    /// [`Policy::admit`], for showing a tool without running it.
    pub fn find(&self, surface: &Surface, written: &str, caller: &Caller) -> Result<usize, Denial> {
        let not_found = || Denial::NotFound {
            name: written.to_owned(),
        };
        let position = match surface.catalog.resolve(written) {
            Resolution::Found(position) => position,
            Resolution::Ambiguous if self.any_visible(surface, written) => {
                return Err(Denial::Ambiguous {
                    name: written.to_owned(),
                });
            }
            Resolution::Ambiguous | Resolution::Unknown => return Err(not_found()),
        };
        let tool = &surface.catalog.tools()[position];
        let still_bound = match &surface.gateway {
            None => true,
            Some(name) => self
                .gateways
                .get(name)
                .is_some_and(|gateway| gateway.allow.matches(&tool.name)),
        };
        if surface.allowed.contains(position) && still_bound && self.roles_suffice(tool, caller) {
            Ok(position)
        } else {
            Err(not_found())
        }
    }

    /// Whether the ambiguity is between tools the caller may know of.
    fn any_visible(&self, surface: &Surface, written: &str) -> bool {
        let folded = written.to_lowercase();
        surface.tools().any(|(_, tool)| {
            tool.name.underscored().to_lowercase() == folded || tool.name.as_str().to_lowercase() == folded
        })
    }

    fn roles_suffice(&self, tool: &Tool, caller: &Caller) -> bool {
        self.restrictions
            .iter()
            .filter(|restriction| restriction.tools.matches(&tool.name))
            .all(|restriction| !restriction.roles.is_disjoint(&caller.roles))
    }
}

#[cfg(test)]
mod tests;
