//! Where does everything of a drawing stand?
//!
//! In layers from left to right: what supplies stands left of what needs. Between a supplier and those it supplies stands
//! the id itself, once for all tools that get it from the same suppliers, so that five suppliers of twenty tools are 25
//! lines and not a hundred.

mod layers;
mod order;
mod place;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::links::{Graph, Link, Source};

/// What is drawn at one place.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A tool.
    Tool(String),
    /// An id on its way.
    Id(String),
    /// A line that passes through this layer.
    Bend,
}

/// One thing and where it stands: its left side and its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub what: What,
    /// Its layer, from the left.
    pub layer: usize,
    /// Where its layer begins and where it ends.
    pub within: (f64, f64),
    /// Its left side.
    pub x: f64,
    /// Its middle.
    pub y: f64,
    /// Its size.
    pub width: f64,
    /// Its size.
    pub height: f64,
}

/// One line from thing to thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The things it passes, by number: where it begins, its bends, where it ends.
    pub through: Vec<usize>,
    /// How what it says is known; `None` from an id to the tools that need it.
    pub source: Option<Source>,
    /// How sure it is.
    pub confidence: f64,
    /// What it says, in words.
    pub told: String,
}

/// A drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Everything in it.
    pub nodes: Vec<Node>,
    /// Every line.
    pub lines: Vec<Line>,
    /// Its size.
    pub width: f64,
    /// Its size.
    pub height: f64,
}

/// Width of a letter of a tool's name and of an id's, and what is left free around them.
const TOOL_LETTER: f64 = 7.25;
const ID_LETTER: f64 = 6.65;
const PADDING: f64 = 20.0;
const TOOL_HEIGHT: f64 = 26.0;
const ID_HEIGHT: f64 = 19.0;

/// Longest name that is drawn whole.
pub const NAME_MAX: usize = 44;

/// Finds a place for everything.
pub fn laid_out(graph: &Graph) -> Layout {
    let (mut nodes, ends) = things(graph);
    let pairs: Vec<(usize, usize)> = ends.iter().map(|line| (line.from, line.to)).collect();
    let layers = layers::of(&pairs, nodes.len());
    for (node, layer) in nodes.iter_mut().zip(layers) {
        node.layer = layer;
    }
    let lines = bent(&mut nodes, ends);
    let mut columns = order::columns(&nodes, &lines);
    order::uncross(&mut columns, &nodes, &lines);
    let (width, height) = place::place(&mut nodes, &columns, &lines);
    Layout {
        nodes,
        lines,
        width,
        height,
    }
}

/// A line before its bends are known.
struct Ends {
    from: usize,
    to: usize,
    source: Option<Source>,
    confidence: f64,
    told: String,
}

/// Tools and ids, and the lines between them.
fn things(graph: &Graph) -> (Vec<Node>, Vec<Ends>) {
    let mut nodes = Vec::new();
    let mut tools: BTreeMap<&str, usize> = BTreeMap::new();
    let links = || graph.links.iter().filter(|link| link.provider != link.consumer);
    for name in links().flat_map(|link| [&link.provider, &link.consumer]) {
        tools.entry(name).or_insert_with(|| {
            nodes.push(node(What::Tool(shortened(name))));
            nodes.len() - 1
        });
    }
    // Who needs what, how that is known, and who supplies it.
    let mut needs: BTreeMap<(&str, Source, &str), Vec<&Link>> = BTreeMap::new();
    for link in links() {
        let need = (link.param.as_str(), link.source, link.consumer.as_str());
        needs.entry(need).or_default().push(link);
    }
    // Tools that get the same id from the same suppliers share it.
    let mut shared: BTreeMap<(&str, Source, Vec<&str>), Vec<&Link>> = BTreeMap::new();
    for ((param, source, _), links) in needs {
        let mut suppliers: Vec<&str> = links.iter().map(|link| link.provider.as_str()).collect();
        suppliers.sort_unstable();
        shared
            .entry((param, source, suppliers))
            .or_default()
            .extend(links);
    }
    let mut lines = Vec::new();
    for ((param, source, suppliers), links) in shared {
        nodes.push(node(What::Id(shortened(param))));
        let id = nodes.len() - 1;
        for provider in suppliers {
            let confidences = links
                .iter()
                .filter(|link| link.provider == provider)
                .map(|link| link.confidence);
            let confidence = confidences.fold(0.0, f64::max);
            lines.push(Ends {
                from: tools[provider],
                to: id,
                source: Some(source),
                confidence,
                told: format!(
                    "{provider} supplies {param}: {}, {confidence:.2}",
                    source.as_str()
                ),
            });
        }
        let mut consumers: Vec<&str> = links.iter().map(|link| link.consumer.as_str()).collect();
        consumers.sort_unstable();
        consumers.dedup();
        lines.extend(consumers.into_iter().map(|consumer| Ends {
            from: id,
            to: tools[consumer],
            source: None,
            confidence: 1.0,
            told: format!("{consumer} needs {param}"),
        }));
    }
    (nodes, lines)
}

/// Lines that pass layers get a bend in each, shared by all lines of one colour that come from the same thing: they run
/// together until they part.
fn bent(nodes: &mut Vec<Node>, ends: Vec<Ends>) -> Vec<Line> {
    let mut bends: BTreeMap<(usize, Option<Source>, usize), usize> = BTreeMap::new();
    ends.into_iter()
        .map(|line| {
            let passed = nodes[line.from].layer + 1..nodes[line.to].layer;
            let mut through = vec![line.from];
            for layer in passed {
                through.push(*bends.entry((line.from, line.source, layer)).or_insert_with(|| {
                    nodes.push(Node {
                        layer,
                        ..node(What::Bend)
                    });
                    nodes.len() - 1
                }));
            }
            through.push(line.to);
            Line {
                through,
                source: line.source,
                confidence: line.confidence,
                told: line.told,
            }
        })
        .collect()
}

fn node(what: What) -> Node {
    let letters = |name: &str| {
        name.chars()
            .map(|c| if c.is_ascii() { 1.0 } else { 1.7 })
            .sum::<f64>()
    };
    let (width, height) = match &what {
        What::Tool(name) => (letters(name) * TOOL_LETTER + PADDING, TOOL_HEIGHT),
        What::Id(name) => (letters(name) * ID_LETTER + PADDING, ID_HEIGHT),
        What::Bend => (0.0, 0.0),
    };
    Node {
        what,
        layer: 0,
        within: (0.0, 0.0),
        x: 0.0,
        y: 0.0,
        width,
        height,
    }
}

fn shortened(name: &str) -> String {
    crate::terminal::shorten(name, NAME_MAX)
}
