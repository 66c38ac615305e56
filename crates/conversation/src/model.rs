//! How probable is it that a turn needs a tool? Boosted trees over evidence.
//!
//! A few dozen shallow trees whose leaves add up to the logarithm of the odds. The numbers are a data file, fitted by
//! `training/fit_turns.py`; its `provenance` says from what.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

/// The models that are part of the program.
const EMBEDDED: &str = include_str!("../data/turns.json");

/// Two models: the first looks at a tool alone, the second also at what the other tools need.
#[derive(Clone, Debug, Default)]
pub struct TurnModel {
    pub(crate) alone: Trees,
    pub(crate) together: Trees,
}

/// Trees over named numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    base: f32,
    trees: Vec<Vec<Node>>,
}

/// One node: an inner one has two children further on, a leaf has none.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Number of the evidence that is asked for.
    evidence: usize,
    /// At most this: left. `NaN` goes left as well.
    threshold: f32,
    left: usize,
    right: usize,
    /// What a leaf adds.
    value: f32,
}

/// Why a file of models does not serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the models of turns cannot be used: {0}")]
pub struct ModelError(pub String);

#[derive(Deserialize)]
struct ModelFile {
    alone: TreesFile,
    together: TreesFile,
}

#[derive(Deserialize)]
struct TreesFile {
    evidence: Vec<String>,
    base: f32,
    /// Each node as `[evidence, threshold, left, right]` or `[value]`.
    trees: Vec<Vec<Vec<f32>>>,
}

impl TurnModel {
    /// The models that are part of the program.
    pub fn embedded() -> Arc<Self> {
        static MODEL: LazyLock<Arc<TurnModel>> = LazyLock::new(|| {
            // A test reads the embedded file, so nobody meets the empty one.
            Arc::new(TurnModel::parse(EMBEDDED).unwrap_or_default())
        });
        Arc::clone(&MODEL)
    }

    /// Reads the JSON text of both models.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let file: ModelFile = serde_json::from_str(text).map_err(|error| ModelError(error.to_string()))?;
        Ok(Self {
            alone: Trees::read(&file.alone, &crate::evidence::Evidence::NAMES)?,
            together: Trees::read(&file.together, &crate::together::names())?,
        })
    }
}

impl Trees {
    fn read(file: &TreesFile, names: &[&str]) -> Result<Self, ModelError> {
        let place = |name: &String| {
            names
                .iter()
                .position(|known| known == name)
                .ok_or_else(|| ModelError(format!("there is no evidence `{name}`")))
        };
        let evidence: Vec<usize> = file.evidence.iter().map(place).collect::<Result<_, _>>()?;
        let trees = file
            .trees
            .iter()
            .enumerate()
            .map(|(number, nodes)| {
                let wrong = |what: &str| ModelError(format!("tree {number} {what}"));
                let read = |(at, node): (usize, &Vec<f32>)| read_node(at, node, nodes.len(), &evidence);
                let nodes: Option<Vec<Node>> = nodes.iter().enumerate().map(read).collect();
                let nodes = nodes.ok_or_else(|| wrong("has a node that is neither a leaf nor inner"))?;
                if nodes.is_empty() {
                    return Err(wrong("is empty"));
                }
                Ok(nodes)
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            base: file.base,
            trees,
        })
    }

    /// The logarithm of the odds for these numbers.
    pub(crate) fn log_odds(&self, numbers: &[f32]) -> f32 {
        self.base + self.trees.iter().map(|tree| leaf(tree, numbers)).sum::<f32>()
    }
}

fn read_node(at: usize, node: &[f32], length: usize, evidence: &[usize]) -> Option<Node> {
    match *node {
        [value] => Some(Node {
            evidence: 0,
            threshold: 0.0,
            left: 0,
            right: 0,
            value,
        }),
        [number, threshold, left, right] => {
            let (left, right) = (left as usize, right as usize);
            // Children come later, so that no walk goes round in circles.
            (left > at && right > at && left < length && right < length).then_some(())?;
            Some(Node {
                evidence: *evidence.get(number as usize)?,
                threshold,
                left,
                right,
                value: 0.0,
            })
        }
        _ => None,
    }
}

fn leaf(tree: &[Node], numbers: &[f32]) -> f32 {
    let mut node = tree[0];
    while node.left > 0 {
        let number = numbers.get(node.evidence).copied().unwrap_or(f32::NAN);
        let next = if number > node.threshold {
            node.right
        } else {
            node.left
        };
        node = tree[next];
    }
    node.value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_models_can_be_read() {
        TurnModel::parse(EMBEDDED).unwrap();
    }

    #[test]
    fn a_tree_is_walked_to_a_leaf() {
        let file = TreesFile {
            evidence: vec!["b".to_owned()],
            base: 0.5,
            trees: vec![vec![vec![0.0, 2.0, 1.0, 2.0], vec![-1.0], vec![1.0]]],
        };
        let trees = Trees::read(&file, &["a", "b"]).unwrap();
        for (numbers, expected) in [([9.0, 2.0], -0.5), ([0.0, 2.1], 1.5), ([0.0, f32::NAN], -0.5)] {
            assert_eq!(trees.log_odds(&numbers), expected);
        }
    }

    #[test]
    fn a_tree_that_leads_nowhere_is_refused() {
        for nodes in [
            vec![],
            vec![vec![0.0, 1.0, 0.0, 1.0], vec![1.0]],
            vec![vec![0.0, 1.0, 1.0, 5.0], vec![1.0]],
            vec![vec![3.0, 1.0, 1.0, 1.0], vec![1.0]],
            vec![vec![0.0, 1.0]],
        ] {
            let file = TreesFile {
                evidence: vec!["a".to_owned()],
                base: 0.0,
                trees: vec![nodes],
            };
            assert!(Trees::read(&file, &["a"]).is_err());
        }
    }
}
