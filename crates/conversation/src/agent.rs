//! What is known about an agent before a turn arrives?

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use handpick_domain::{AgentTool, Catalog, Conversation, Parameter, Tool, ToolName};
use handpick_protocol::json;

use crate::found::KnownIds;
use crate::givens::Takes;
use crate::graph::Graph;
use crate::id_name::IdName;
use crate::memory::Memory;
use crate::tool_words::ToolWords;

/// An id that a tool takes, with whether a call needs it.
type TakenId = (IdName, bool);

/// An agent's catalog and everything learned for it. Immutable; made anew by every publish (T6, T8, T16).
#[derive(Debug, Default)]
pub struct Agent {
    tools: Vec<AgentTool>,
    by_name: HashMap<Arc<str>, usize>,
    /// The tools as selection reads them, and where each of them stands there.
    catalog: Arc<Catalog>,
    in_catalog: Vec<usize>,
    graph: Graph,
    memory: Memory,
    conversations: usize,
    ids: KnownIds,
    takes: Vec<Takes>,
    words: Vec<ToolWords>,
    /// For each tool the ids among its parameters, each with whether a call needs it.
    ids_taken: Vec<Vec<TakenId>>,
    /// The same as numbers of those parameters.
    id_parameters: Vec<Vec<usize>>,
    /// For each tool the ids it supplies to others.
    ids_supplied: Vec<BTreeSet<IdName>>,
}

impl Agent {
    /// Learns an agent from its catalog and its past conversations, oldest first.
    pub fn learn(tools: Vec<AgentTool>, conversations: &[Conversation]) -> Self {
        let by_name: HashMap<Arc<str>, usize> = tools
            .iter()
            .enumerate()
            .map(|(position, tool)| (Arc::clone(&tool.name), position))
            .collect();
        let names: Vec<ToolName> = tools.iter().map(catalog_name).collect();
        let matched = tools
            .iter()
            .zip(&names)
            .map(|(tool, name)| as_matched(tool, name));
        let catalog = Arc::new(Catalog::new(0, matched.map(Arc::new).collect()));
        let place = |name| catalog.position(name).unwrap_or_default();
        let graph = Graph::learn(&tools, conversations);
        let (id_parameters, ids_taken) = ids_taken(&tools);
        Self {
            words: ToolWords::of(&tools),
            takes: tools.iter().map(Takes::of).collect(),
            ids: KnownIds::learn(&tools, conversations),
            ids_taken,
            id_parameters,
            ids_supplied: ids_supplied(&tools, &graph),
            graph,
            memory: Memory::learn(&by_name, conversations),
            in_catalog: names.iter().map(place).collect(),
            conversations: conversations.len(),
            catalog,
            by_name,
            tools,
        }
    }

    /// The tools in the order published. A position is an index into this slice.
    pub fn tools(&self) -> &[AgentTool] {
        &self.tools
    }

    /// The tool with exactly this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The tools as selection reads them.
    pub(crate) fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Where each tool stands in [`Agent::catalog`].
    pub(crate) fn in_catalog(&self) -> &[usize] {
        &self.in_catalog
    }

    /// How its tools hang together.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What its past conversations called for which words.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The ids its catalog names, and what their values look like.
    pub fn ids(&self) -> &KnownIds {
        &self.ids
    }

    /// The ids among the parameters of the tool at `position`, each with whether a call needs it (T11).
    pub fn ids_taken(&self, position: usize) -> &[(IdName, bool)] {
        &self.ids_taken[position]
    }

    /// The number, among the parameters of the tool at `position`, of each of [`Agent::ids_taken`].
    pub(crate) fn id_parameters(&self, position: usize) -> &[usize] {
        &self.id_parameters[position]
    }

    /// The words of the tool at `position`.
    pub fn words(&self, position: usize) -> &ToolWords {
        &self.words[position]
    }

    /// What the tool at `position` takes beside ids.
    pub fn takes(&self, position: usize) -> &Takes {
        &self.takes[position]
    }

    /// The ids that the tool at `position` supplies to others.
    pub fn ids_supplied(&self, position: usize) -> &BTreeSet<IdName> {
        &self.ids_supplied[position]
    }

    /// How many past conversations it learned from.
    pub fn conversations(&self) -> usize {
        self.conversations
    }
}

/// The ids that each tool takes: the numbers of their parameters, their names and whether a call needs them. What some
/// tool declares to return is an id, whatever its name (T11).
fn ids_taken(tools: &[AgentTool]) -> (Vec<Vec<usize>>, Vec<Vec<TakenId>>) {
    let produced = tools.iter().flat_map(|tool| &tool.produces);
    let produced: BTreeSet<IdName> = produced.filter_map(|name| IdName::declared(name)).collect();
    let taken = |tool: &AgentTool| {
        let named = |(number, parameter): (usize, &Parameter)| {
            let declared = || IdName::declared(&parameter.name).filter(|name| produced.contains(name));
            let name = IdName::of_parameter(&tool.name, &parameter.name).or_else(declared)?;
            Some((number, (name, parameter.required)))
        };
        tool.parameters.iter().enumerate().filter_map(named).unzip()
    };
    tools.iter().map(taken).unzip()
}

fn ids_supplied(tools: &[AgentTool], graph: &Graph) -> Vec<BTreeSet<IdName>> {
    let produced = |tool: &AgentTool| {
        tool.produces
            .iter()
            .filter_map(|name| IdName::declared(name))
            .collect()
    };
    let mut supplied: Vec<BTreeSet<IdName>> = tools.iter().map(produced).collect();
    for edge in graph.edges() {
        supplied[edge.provider].insert(edge.name.clone());
    }
    supplied
}

/// A name no meta-tool has, since a tool of an agent may be called anything.
fn catalog_name(tool: &AgentTool) -> ToolName {
    ToolName::new("", &tool.name)
}

/// A tool the way selection reads one: in a catalog that its owner wrote for matching, all of the description and the
/// name for people count, not only a first line.
fn as_matched(tool: &AgentTool, name: &ToolName) -> Tool {
    let title = tool.display_name.as_deref().map(str::trim).unwrap_or_default();
    let description = tool.description.split_whitespace().collect::<Vec<_>>().join(" ");
    let nothing: Arc<_> = Arc::from(json::raw("{}".to_owned()));
    Tool {
        name: name.clone(),
        description: match title {
            "" => description,
            title => format!("{title}. {description}"),
        },
        input_schema: Arc::clone(&nothing),
        annotations: Default::default(),
        kind: Default::default(),
        definition: nothing,
    }
}
