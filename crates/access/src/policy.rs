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
        let still_bound = match &surface.gateway {
            None => true,
            Some(name) => self
                .gateways
                .get(name)
                .is_some_and(|gateway| gateway.allow.matches(&tool.name)),
        };
        surface.allowed.contains(position) && still_bound && self.roles_suffice(tool, caller)
    }

    /// The tools that a spelling may mean for this caller. One they may not use is no alternative: it must not
    /// show, not even by making a name ambiguous or by taking the place of one that differs in case.
    fn visible(&self, surface: &Surface, written: &str, caller: &Caller) -> Vec<usize> {
        let folded = written.trim().to_lowercase();
        let unversioned = folded.rsplit_once('@').map_or(folded.as_str(), |(name, _)| name);
        surface
            .tools()
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

    fn roles_suffice(&self, tool: &Tool, caller: &Caller) -> bool {
        self.restrictions
            .iter()
            .filter(|restriction| restriction.tools.matches(&tool.name))
            .all(|restriction| !restriction.roles.is_disjoint(&caller.roles))
    }
}

#[cfg(test)]
mod tests;
