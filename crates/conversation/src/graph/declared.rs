//! Which tools say themselves that they return an id?

use std::collections::HashMap;

use super::DECLARED_MAX;
use super::inferred::Inferred;
use super::needs::Needs;
use crate::id_name::IdName;

/// For every required id the tools whose `produces` names it in any spelling (T11), surest lookups first. A tool that
/// cannot be called without the id supplies it to nobody.
pub(super) fn providers(needs: &Needs<'_>, inferred: &Inferred<'_>) -> HashMap<IdName, Vec<usize>> {
    let of = |name: &IdName| {
        let sure: HashMap<usize, f32> = inferred.providers(name).iter().copied().collect();
        let sure = |tool: &usize| sure.get(tool).copied().unwrap_or_default();
        let producers = needs.producers(name).iter().copied();
        let mut producers: Vec<usize> = producers.filter(|&tool| !needs.requires(tool, name)).collect();
        let tool_name = |tool: &usize| &needs.tools[*tool].name;
        producers.sort_by(|a, b| {
            sure(b)
                .total_cmp(&sure(a))
                .then_with(|| tool_name(a).cmp(tool_name(b)))
        });
        producers.truncate(DECLARED_MAX);
        producers
    };
    needs
        .consumers()
        .map(|(name, _)| (name.clone(), of(name)))
        .collect()
}
