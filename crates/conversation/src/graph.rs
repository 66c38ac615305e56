//! Which tool supplies which id to which, and which tool follows which?
//!
//! Three kinds of evidence, one file each: what providers declare, what names suggest, what past conversations show.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use handpick_domain::{AgentTool, Conversation};

use crate::id_name::IdName;

mod declared;
mod inferred;
mod needs;
mod sequence;
mod traced;
mod values;

use needs::Needs;
use sequence::Past;

/// Most declared providers of one id of one tool.
const DECLARED_MAX: usize = 32;
/// Most providers of one id of one tool that past conversations show.
const TRACED_MAX: usize = 8;
/// Names suggest a provider only while fewer than this many are known.
const PROVIDERS_ENOUGH: usize = 8;

/// How a link is known, strongest first (T14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeSource {
    /// The provider's `produces` says so.
    Declared,
    /// At least two past conversations show it.
    Trace,
    /// Names and parameters suggest it.
    Static,
}

impl EdgeSource {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "DECLARED",
            Self::Trace => "TRACE",
            Self::Static => "STATIC",
        }
    }
}

/// One tool supplies one id to another (T14, T25).
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Position of the tool that returns the id, in the agent's catalog.
    pub provider: usize,
    /// Position of the tool that needs it.
    pub consumer: usize,
    /// The id as the consumer's parameter spells it.
    pub param: Arc<str>,
    /// The same, whatever its spelling.
    pub name: IdName,
    /// How sure the link is: above 0, at most 1.
    pub confidence: f32,
    /// How it is known.
    pub source: EdgeSource,
}

/// Everything known about how the tools of one agent hang together. Immutable; made anew by every publish.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    edges: Vec<Edge>,
    /// For each consumer, the numbers of its edges.
    by_consumer: Vec<Vec<usize>>,
    /// For each tool, what was called right after it in at least two conversations, with its share of all that came
    /// after.
    follows: Vec<BTreeMap<usize, f32>>,
    /// For each tool, what was called in the same turn in at least two conversations, with its share of those turns.
    beside: Vec<BTreeMap<usize, f32>>,
}

impl Graph {
    /// Learns the graph of a catalog from its declarations, its names and past conversations. The same input gives the
    /// same graph.
    pub fn learn(tools: &[AgentTool], conversations: &[Conversation]) -> Self {
        let needs = Needs::of(tools);
        let past = sequence::calls(&needs, conversations);
        let edges = edges(&needs, &past);
        let mut by_consumer = vec![Vec::new(); tools.len()];
        for (number, edge) in edges.iter().enumerate() {
            by_consumer[edge.consumer].push(number);
        }
        let (follows, beside) = sequence::habits(tools, &past);
        Self {
            edges,
            by_consumer,
            follows,
            beside,
        }
    }

    /// The edges, sorted by provider, consumer and parameter name (T25).
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that end in this tool.
    pub fn into_tool(&self, consumer: usize) -> impl Iterator<Item = &Edge> {
        self.by_consumer
            .get(consumer)
            .into_iter()
            .flatten()
            .map(|&number| &self.edges[number])
    }

    /// What past conversations called right after this tool, within one turn or in the next: the share of the times, 0
    /// to 1.
    pub fn follows(&self, tool: usize) -> impl Iterator<Item = (usize, f32)> {
        self.follows
            .get(tool)
            .into_iter()
            .flatten()
            .map(|(&next, &share)| (next, share))
    }

    /// What past conversations called in the same turn as this tool: the share of its turns, 0 to 1.
    pub fn beside(&self, tool: usize) -> impl Iterator<Item = (usize, f32)> {
        self.beside
            .get(tool)
            .into_iter()
            .flatten()
            .map(|(&other, &share)| (other, share))
    }

    /// How many edges of a source there are.
    pub fn count(&self, source: EdgeSource) -> usize {
        self.edges.iter().filter(|edge| edge.source == source).count()
    }
}

/// A provider that may supply an id to a tool.
struct Candidate {
    provider: usize,
    name: IdName,
    confidence: f32,
    source: EdgeSource,
}

impl Candidate {
    fn new(provider: usize, name: &IdName, confidence: f32, source: EdgeSource) -> Self {
        let name = name.clone();
        Self {
            provider,
            name,
            confidence,
            source,
        }
    }

    fn into_edge(self, consumer: usize, param: &Arc<str>) -> Edge {
        Edge {
            provider: self.provider,
            consumer,
            param: Arc::clone(param),
            name: self.name,
            confidence: self.confidence,
            source: self.source,
        }
    }
}

/// All edges, sorted by name.
fn edges(needs: &Needs<'_>, past: &[Past<'_>]) -> Vec<Edge> {
    let mut slots: BTreeMap<(usize, Arc<str>), Vec<Candidate>> = BTreeMap::new();
    let inferred = inferred::providers(needs);
    let declared = declared::providers(needs, &inferred);
    for (name, consumers) in needs.consumers() {
        for (consumer, param) in consumers {
            let slot = slots.entry((*consumer, Arc::clone(param))).or_default();
            let certain = declared.get(name).into_iter().flatten();
            slot.extend(certain.map(|&provider| Candidate::new(provider, name, 1.0, EdgeSource::Declared)));
            let likely = inferred.of(*consumer, param, name).into_iter();
            slot.extend(
                likely.map(|(provider, sure)| Candidate::new(provider, name, sure, EdgeSource::Static)),
            );
        }
    }
    for link in traced::links(needs, &inferred, &declared, past) {
        if let Some(name) = needs.name(link.consumer, &link.param) {
            let candidate = Candidate::new(link.provider, &name, link.confidence, EdgeSource::Trace);
            slots
                .entry((link.consumer, link.param))
                .or_default()
                .push(candidate);
        }
    }
    let tools = needs.tools;
    let kept = |((consumer, param), candidates): ((usize, Arc<str>), Vec<Candidate>)| {
        let best = best(tools, candidates).into_iter();
        best.map(move |candidate| candidate.into_edge(consumer, &param))
    };
    let mut edges: Vec<Edge> = slots.into_iter().flat_map(kept).collect();
    let ends = |edge: &Edge| (&tools[edge.provider].name, &tools[edge.consumer].name);
    edges.sort_by(|a, b| ends(a).cmp(&ends(b)).then_with(|| a.param.cmp(&b.param)));
    edges
}

/// The providers of one id of one tool that are kept, each once with its strongest source (T14).
fn best(tools: &[AgentTool], candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut strongest: HashMap<usize, Candidate> = HashMap::new();
    for candidate in candidates {
        let Some(known) = strongest.get_mut(&candidate.provider) else {
            strongest.insert(candidate.provider, candidate);
            continue;
        };
        let sure = known.confidence.max(candidate.confidence);
        if candidate.source < known.source {
            *known = candidate;
        }
        known.confidence = sure;
    }
    let mut kept: Vec<Candidate> = strongest.into_values().collect();
    kept.sort_by(|a, b| {
        let name = |candidate: &Candidate| &tools[candidate.provider].name;
        a.source
            .cmp(&b.source)
            .then(b.confidence.total_cmp(&a.confidence))
            .then_with(|| name(a).cmp(name(b)))
            .then(a.provider.cmp(&b.provider))
    });
    let (mut declared, mut traced, mut all) = (0, 0, 0);
    kept.retain(|candidate| {
        let keep = match candidate.source {
            EdgeSource::Declared => declared < DECLARED_MAX,
            EdgeSource::Trace => traced < TRACED_MAX,
            EdgeSource::Static => all < PROVIDERS_ENOUGH,
        };
        declared += usize::from(candidate.source == EdgeSource::Declared);
        traced += usize::from(candidate.source == EdgeSource::Trace);
        all += usize::from(keep);
        keep
    });
    kept
}
