//! Which ids does a catalog name, how does it spell them, and how do their values look?

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use handpick_domain::{AgentTool, Conversation};

use super::json::{Source, Walk};
use super::shape::{Shape, Shapes};
use crate::id_name::IdName;
use crate::words::{singular, words};

/// Most words of a tool's name by which it is matched with ids.
const NAME_WORDS_MAX: usize = 8;

/// What a tool has to do with ids, by number of the id.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolIds {
    /// Parameters that take an id, as the catalog spells them.
    pub(crate) parameters: HashMap<String, usize>,
    /// What the bare `id` in its result is, and whose record a result is about.
    pub(crate) supplies: Option<usize>,
}

/// The ids of an agent. A number is the place of an id in [`KnownIds::names`].
#[derive(Clone, Debug, Default)]
pub struct KnownIds {
    names: Vec<IdName>,
    numbers: HashMap<IdName, usize>,
    /// `customer` to `customer_id`.
    entities: HashMap<String, Vec<usize>>,
    /// How the catalog spells each, sorted.
    spellings: Vec<Vec<Arc<str>>>,
    tools: HashMap<Arc<str>, ToolIds>,
    shapes: Shapes,
    /// The words of the trade: of names and descriptions of tools and parameters.
    trade: HashSet<String>,
}

impl KnownIds {
    /// Learns the ids of a catalog, and from the examples in it and from past conversations how their values look.
    pub fn learn(tools: &[AgentTool], conversations: &[Conversation]) -> Self {
        crate::reading::warm();
        let mut known = Self::default();
        for tool in tools {
            for parameter in &tool.parameters {
                if let Some(name) = IdName::of_parameter(&tool.name, &parameter.name) {
                    known.add(name);
                }
            }
            for name in tool.produces.iter().filter_map(|name| IdName::declared(name)) {
                known.add(name);
            }
        }
        let mentions = known.mentions();
        for tool in tools {
            let ids = known.of_tool(tool, &mentions);
            known.tools.insert(Arc::clone(&tool.name), ids);
        }
        known.spellings = known.spell(tools);
        for tool in tools {
            known.learn_descriptions(tool);
        }
        known.learn_conversations(conversations);
        known.trade = trade(tools);
        let unseen: BTreeSet<usize> = (0..known.names.len())
            .filter(|id| !known.shapes.knows(*id))
            .collect();
        for tool in tools {
            known.learn_examples(tool, &unseen);
        }
        known
    }

    fn add(&mut self, name: IdName) {
        if self.numbers.contains_key(&name) {
            return;
        }
        let number = self.names.len();
        let entity = match name.entity() {
            "" if matches!(name.as_str(), "id" | "uuid" | "guid") => None,
            "" => Some(name.as_str()),
            entity => Some(entity),
        };
        if let Some(entity) = entity {
            self.entities.entry(entity.to_owned()).or_default().push(number);
        }
        self.numbers.insert(name.clone(), number);
        self.names.push(name);
    }

    /// The ids by the words of what they are of, in the order of the alphabet: of several the longest, then the first.
    fn mentions(&self) -> HashMap<String, usize> {
        let mut mentions: HashMap<String, usize> = HashMap::new();
        for id in (0..self.names.len()).filter(|id| !self.entity(*id).is_empty()) {
            let words: BTreeSet<String> = self.entity(id).split('_').map(singular).collect();
            let known = mentions.entry(Vec::from_iter(words).join("_")).or_insert(id);
            if self.entity(id).len() > self.entity(*known).len() {
                *known = id;
            }
        }
        mentions
    }

    fn of_tool(&self, tool: &AgentTool, mentions: &HashMap<String, usize>) -> ToolIds {
        let parameters = tool
            .parameters
            .iter()
            .filter_map(|parameter| {
                let id = self.parameter(&tool.name, &parameter.name)?;
                Some((parameter.name.clone(), id))
            })
            .collect();
        let produces: Vec<usize> = tool
            .produces
            .iter()
            .filter_map(|name| self.number(&IdName::declared(name)?))
            .collect();
        let named: BTreeSet<String> = words(&tool.name).iter().map(|word| singular(word)).collect();
        let mentioned = |id: &usize| {
            let entity = self.entity(*id);
            !entity.is_empty() && entity.split('_').all(|word| named.contains(&singular(word)))
        };
        let longest = |ids: &mut dyn Iterator<Item = usize>| {
            ids.filter(mentioned)
                .max_by_key(|id| (self.entity(*id).len(), usize::MAX - id))
        };
        let supplies = match produces.as_slice() {
            [one] => Some(*one),
            // Looked up by every choice of the name's words: a catalog may have far more ids than a name has words.
            [] => longest(&mut choices(&named).filter_map(|words| mentions.get(&words).copied())),
            several => longest(&mut several.iter().copied()),
        };
        ToolIds { parameters, supplies }
    }

    fn spell(&self, tools: &[AgentTool]) -> Vec<Vec<Arc<str>>> {
        let mut spellings: Vec<BTreeMap<&str, bool>> = vec![BTreeMap::new(); self.names.len()];
        let mut bare: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for tool in tools {
            for parameter in &tool.parameters {
                let Some(id) = self.parameter(&tool.name, &parameter.name) else {
                    continue;
                };
                if words(&parameter.name).len() == 1 {
                    bare.entry(&parameter.name).or_default().insert(id);
                }
                let last = words(&parameter.name).pop().unwrap_or_default();
                spellings[id].insert(&parameter.name, last.ends_with('s'));
            }
        }
        // A bare `id` that stands for several things would be the same key for all of them.
        for (spelling, ids) in bare.iter().filter(|(_, ids)| ids.len() > 1) {
            for &id in ids {
                spellings[id].remove(spelling);
            }
        }
        let declared = tools.iter().flat_map(|tool| &tool.produces);
        let mut produced: HashMap<usize, &str> = HashMap::new();
        for name in declared {
            if let Some(id) = IdName::declared(name).and_then(|name| self.number(&name)) {
                produced.entry(id).or_insert(name);
            }
        }
        let spell = |(id, spellings): (usize, BTreeMap<&str, bool>)| -> Vec<Arc<str>> {
            let single: Vec<Arc<str>> = spellings
                .iter()
                .filter(|(_, list)| !**list)
                .map(|(name, _)| Arc::from(*name))
                .collect();
            if !single.is_empty() {
                return single;
            }
            let other = produced.get(&id).copied().or(spellings.keys().next().copied());
            vec![Arc::from(other.unwrap_or(self.names[id].as_str()))]
        };
        spellings.into_iter().enumerate().map(spell).collect()
    }

    /// Values in descriptions of parameters: "e.g. cus_8812".
    fn learn_descriptions(&mut self, tool: &AgentTool) {
        for parameter in &tool.parameters {
            let Some(id) = self.parameter(&tool.name, &parameter.name) else {
                continue;
            };
            for value in parameter.description.iter().flat_map(|text| values_in(text)) {
                self.shapes.learn(id, value);
            }
        }
    }

    /// Values in examples of tools that handle one id ("refund INV-1042"), where nothing better shows how it looks:
    /// users also write what only looks like an id, such as the number on a device.
    fn learn_examples(&mut self, tool: &AgentTool, unseen: &BTreeSet<usize>) {
        let handled: BTreeSet<usize> = tool
            .parameters
            .iter()
            .filter(|parameter| parameter.required)
            .filter_map(|parameter| self.parameter(&tool.name, &parameter.name))
            .collect();
        let mut handled: Vec<usize> = handled.into_iter().collect();
        if handled.is_empty() {
            handled.extend(self.tools.get(&tool.name).and_then(|ids| ids.supplies));
        }
        let [id] = handled.as_slice() else { return };
        if !unseen.contains(id) {
            return;
        }
        for value in tool.examples.iter().flat_map(|text| values_in(text)) {
            let Some(shape) = Shape::of(value) else { continue };
            let looks_like_id = shape.is_telling() && value.contains(['-', '_']);
            if looks_like_id && self.shapes.fitting(&shape).next().is_none() {
                self.shapes.learn(*id, value);
            }
        }
    }

    fn learn_conversations(&mut self, conversations: &[Conversation]) {
        let mut values: BTreeSet<(usize, String)> = BTreeSet::new();
        for call in conversations
            .iter()
            .flat_map(|c| &c.messages)
            .flat_map(|m| &m.tool_calls)
        {
            for walked in Walk::call(self, call) {
                if let Source::Json(json) = walked {
                    values.extend(json.named.into_iter().map(|named| (named.id, named.value)));
                }
            }
        }
        for (id, value) in values {
            self.shapes.learn(id, &value);
        }
    }

    /// The ids that the catalog names.
    pub fn names(&self) -> &[IdName] {
        &self.names
    }

    /// How the catalog spells an id: as its parameters do, or else as `produces` does (T39).
    pub fn spellings(&self, name: &IdName) -> &[Arc<str>] {
        self.number(name).map_or(&[], |id| &self.spellings[id])
    }

    /// The id that a tool's result is about: the one it produces, or the one it is named after.
    pub fn supplied_by(&self, tool: &str) -> Option<&IdName> {
        self.tools.get(tool)?.supplies.map(|id| &self.names[id])
    }

    /// Whether a word is of the trade, and so names no particular thing.
    pub(crate) fn is_of_trade(&self, word: &str) -> bool {
        self.trade.contains(&singular(word))
    }

    pub(crate) fn number(&self, name: &IdName) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&ToolIds> {
        self.tools.get(name)
    }

    pub(crate) fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// What an id is of.
    pub(crate) fn entity(&self, id: usize) -> &str {
        match self.names[id].entity() {
            "" => self.names[id].as_str(),
            entity => entity,
        }
    }

    /// The ids of what a member, a container or a word names: `customer`, `customers`, `open_customers`.
    pub(crate) fn of_entity(&self, name: &str) -> &[usize] {
        let mut words = words(super::json::ending(name));
        if let Some(last) = words.last_mut() {
            *last = singular(last);
        }
        (0..words.len())
            .find_map(|from| self.entities.get(&words[from..].join("_")))
            .map_or(&[], Vec::as_slice)
    }

    fn parameter(&self, tool: &str, parameter: &str) -> Option<usize> {
        let named = IdName::of_parameter(tool, parameter).and_then(|name| self.number(&name));
        named.or_else(|| self.number(&IdName::declared(parameter)?))
    }
}

/// Every choice of some of these words, joined by `_`.
fn choices(words: &BTreeSet<String>) -> impl Iterator<Item = String> {
    let words: Vec<&str> = words.iter().map(String::as_str).take(NAME_WORDS_MAX).collect();
    (1..1_u32 << words.len()).map(move |choice| {
        let chosen = words.iter().enumerate().filter(|(nth, _)| choice >> nth & 1 == 1);
        chosen.map(|(_, word)| *word).collect::<Vec<_>>().join("_")
    })
}

fn trade(tools: &[AgentTool]) -> HashSet<String> {
    let mut trade = HashSet::new();
    for tool in tools {
        let of_parameters = tool.parameters.iter().flat_map(|parameter| {
            let description = parameter.description.as_deref().unwrap_or_default();
            [parameter.name.as_str(), description]
        });
        for text in [&*tool.name, &*tool.description].into_iter().chain(of_parameters) {
            trade.extend(words(text).iter().map(|word| singular(word)));
        }
    }
    trade
}

/// What looks like an id in a text that explains one. Plain numbers only where the text calls them an example.
fn values_in(text: &str) -> impl Iterator<Item = &str> {
    let lower = text.to_lowercase();
    let exemplary = [
        "e.g",
        "eg ",
        "such as",
        "like",
        "example",
        "z.b",
        "p. ej",
        "par ex",
        "for instance",
    ]
    .iter()
    .any(|cue| lower.contains(cue));
    text.split(|c: char| c.is_whitespace() || "()[]{}<>\"'`,;".contains(c))
        .filter_map(move |word| {
            let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let shape = Shape::of(word)?;
            let digits = word.bytes().any(|b| b.is_ascii_digit());
            let fits = if shape.is_telling() {
                digits || word.contains('_')
            } else {
                digits
            };
            (fits && (exemplary || (shape.is_telling() && word.contains(['-', '_'])))).then_some(word)
        })
}
