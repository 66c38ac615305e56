//! Which ids do the tools of a catalog take and return?

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use handpick_domain::{AgentTool, Parameter};

use crate::id_name::IdName;

/// A tool that requires an id, and how it spells it.
pub(super) type Consumer = (usize, Arc<str>);

/// The ids of a catalog.
pub(super) struct Needs<'a> {
    pub(super) tools: &'a [AgentTool],
    positions: HashMap<&'a str, usize>,
    by_name: Vec<usize>,
    /// For each tool the ids it requires.
    required: Vec<BTreeSet<IdName>>,
    /// The same with their spelling.
    spelled: Vec<Vec<(&'a str, IdName)>>,
    /// What these ids are of.
    required_things: Vec<HashSet<String>>,
    /// For each tool its parameters by name; of several with the same name the first.
    parameters: Vec<HashMap<&'a str, &'a Parameter>>,
    consumers: BTreeMap<IdName, Vec<Consumer>>,
    producers: BTreeMap<IdName, Vec<usize>>,
}

impl<'a> Needs<'a> {
    pub(super) fn of(tools: &'a [AgentTool]) -> Self {
        let mut needs = Self {
            tools,
            positions: HashMap::with_capacity(tools.len()),
            by_name: (0..tools.len()).collect(),
            required: vec![BTreeSet::new(); tools.len()],
            spelled: vec![Vec::new(); tools.len()],
            required_things: vec![HashSet::new(); tools.len()],
            parameters: tools.iter().map(by_name).collect(),
            consumers: BTreeMap::new(),
            producers: BTreeMap::new(),
        };
        needs.by_name.sort_by(|&a, &b| tools[a].name.cmp(&tools[b].name));
        for (position, tool) in tools.iter().enumerate() {
            needs.positions.insert(&tool.name, position);
            let produced: BTreeSet<IdName> = tool
                .produces
                .iter()
                .filter_map(|name| IdName::declared(name))
                .collect();
            for name in produced {
                needs.producers.entry(name).or_default().push(position);
            }
        }
        for (position, tool) in tools.iter().enumerate() {
            let mut spelled = HashSet::new();
            for parameter in tool.parameters.iter().filter(|parameter| parameter.required) {
                let Some(name) = needs.id(tool, &parameter.name) else {
                    continue;
                };
                if spelled.insert(parameter.name.as_str()) {
                    let consumer = (position, Arc::from(parameter.name.as_str()));
                    needs.consumers.entry(name.clone()).or_default().push(consumer);
                    needs.spelled[position].push((&parameter.name, name.clone()));
                    needs.required_things[position].insert(entity_words(&name).join("_"));
                    needs.required[position].insert(name);
                }
            }
        }
        needs
    }

    /// The tool with exactly this name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// The positions of the tools, sorted by their names.
    pub(super) fn by_name(&self) -> &[usize] {
        &self.by_name
    }

    /// The ids that tools require, each with those tools.
    pub(super) fn consumers(&self) -> impl Iterator<Item = (&IdName, &[Consumer])> {
        self.consumers
            .iter()
            .map(|(name, consumers)| (name, consumers.as_slice()))
    }

    /// The tools that declare to return an id.
    pub(super) fn producers(&self, name: &IdName) -> &[usize] {
        self.producers.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a tool cannot be called without this id, so that nobody looks the id up with it.
    pub(super) fn requires(&self, tool: usize, name: &IdName) -> bool {
        self.required[tool].contains(name)
    }

    /// The ids that a tool requires.
    #[cfg(test)]
    pub(super) fn required(&self, tool: usize) -> &BTreeSet<IdName> {
        &self.required[tool]
    }

    /// Whether a tool requires some id of this thing: its words in the singular, joined by `_`.
    pub(super) fn requires_one_of(&self, tool: usize, thing: &str) -> bool {
        self.required_things[tool].contains(thing)
    }

    /// The parameter of a tool with exactly this name.
    pub(super) fn parameter(&self, tool: usize, name: &str) -> Option<&'a Parameter> {
        self.parameters[tool].get(name).copied()
    }

    /// The ids that a tool requires, each with its spelling there.
    pub(super) fn spelled(&self, tool: usize) -> impl Iterator<Item = (&'a str, &IdName)> {
        self.spelled[tool].iter().map(|(param, name)| (*param, name))
    }

    /// The id that a parameter takes. What some tool declares to return is an id, whatever its name.
    pub(super) fn id(&self, tool: &AgentTool, param: &str) -> Option<IdName> {
        let declared = || IdName::declared(param).filter(|name| self.producers.contains_key(name));
        IdName::of_parameter(&tool.name, param).or_else(declared)
    }

    /// The name of what a parameter takes. Past conversations also link parameters that are no ids, such as a serial
    /// number.
    pub(super) fn name(&self, tool: usize, param: &str) -> Option<IdName> {
        IdName::of_parameter(&self.tools[tool].name, param).or_else(|| IdName::declared(param))
    }

    /// Words by which ids of this catalog name things: `customer` where there is a `customer_id`.
    pub(super) fn entities(&self) -> HashSet<String> {
        let names = self.consumers.keys().chain(self.producers.keys());
        names.map(|name| entity_words(name).join("_")).collect()
    }
}

fn by_name(tool: &AgentTool) -> HashMap<&str, &Parameter> {
    let parameters = tool.parameters.iter().rev();
    parameters
        .map(|parameter| (parameter.name.as_str(), parameter))
        .collect()
}

/// The words of what an id is of, in the singular.
pub(super) fn entity_words(name: &IdName) -> Vec<String> {
    let words = name.entity().split('_').filter(|word| !word.is_empty());
    words.map(crate::words::singular).collect()
}
