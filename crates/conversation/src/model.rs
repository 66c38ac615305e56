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
    /// Those of all trees, one after the other.
    nodes: Vec<Node>,
    trees: Vec<Tree>,
}

/// Where a tree begins, and how many steps lead to its lowest leaf.
#[derive(Clone, Copy, Debug)]
struct Tree {
    root: u32,
    depth: u32,
}

/// One node: an inner one has two children further on, a leaf leads to itself, so that a walk may take more steps than
/// it needs.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// What an inner node compares with; at most this: left. `NaN` goes left as well. What a leaf adds.
    number: f32,
    /// Number of the evidence that is asked for.
    evidence: u32,
    /// Left and right, so that which one is next is looked up, not guessed.
    children: [u32; 2],
}

/// Trees that are walked side by side: a step has to wait for memory, and meanwhile the others take theirs.
const ABREAST: usize = 8;

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
        let mut trees = Self {
            base: file.base,
            ..Self::default()
        };
        for (number, nodes) in file.trees.iter().enumerate() {
            let wrong = |what: &str| ModelError(format!("tree {number} {what}"));
            if nodes.is_empty() {
                return Err(wrong("is empty"));
            }
            trees
                .plant(nodes, &evidence)
                .ok_or_else(|| wrong("has a node that is neither a leaf nor inner"))?;
        }
        Ok(trees)
    }

    /// Adds a tree; `None` where a node of it is none.
    fn plant(&mut self, nodes: &[Vec<f32>], evidence: &[usize]) -> Option<()> {
        let first = self.nodes.len();
        let mut depths = vec![0; nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            let node = read_node(at, node, nodes.len(), evidence)?;
            for child in node.children {
                // Children come later, so that a node's own depth is known by now.
                depths[child as usize] =
                    depths[child as usize].max(depths[at] + u32::from(child as usize > at));
            }
            let moved = |child: u32| u32::try_from(first).ok()?.checked_add(child);
            self.nodes.push(Node {
                children: [moved(node.children[0])?, moved(node.children[1])?],
                ..node
            });
        }
        self.trees.push(Tree {
            root: u32::try_from(first).ok()?,
            depth: depths.into_iter().max()?,
        });
        Some(())
    }

    /// The logarithm of the odds for these numbers.
    pub(crate) fn log_odds(&self, numbers: &[f32]) -> f32 {
        let leaves = self
            .trees
            .chunks(ABREAST)
            .flat_map(|trees| self.leaves(trees, numbers));
        self.base + leaves.sum::<f32>()
    }

    /// What the leaves add that these numbers lead to, in the order of the trees.
    fn leaves(&self, trees: &[Tree], numbers: &[f32]) -> impl Iterator<Item = f32> {
        let mut at = [0; ABREAST];
        for (at, tree) in at.iter_mut().zip(trees) {
            *at = tree.root;
        }
        let depth = trees.iter().map(|tree| tree.depth).max().unwrap_or_default();
        for _ in 0..depth {
            for at in &mut at[..trees.len()] {
                let node = self.nodes[*at as usize];
                let number = numbers.get(node.evidence as usize).copied().unwrap_or(f32::NAN);
                *at = node.children[usize::from(number > node.number)];
            }
        }
        at.into_iter()
            .take(trees.len())
            .map(|at| self.nodes[at as usize].number)
    }
}

/// The node at `at` of a tree with `length` nodes; its children are counted within the tree.
fn read_node(at: usize, node: &[f32], length: usize, evidence: &[usize]) -> Option<Node> {
    let this = u32::try_from(at).ok()?;
    match *node {
        [value] => Some(Node {
            number: value,
            evidence: 0,
            children: [this, this],
        }),
        [number, threshold, left, right] => {
            let (left, right) = (left as usize, right as usize);
            // Children come later, so that no walk goes round in circles.
            (left > at && right > at && left < length && right < length).then_some(())?;
            Some(Node {
                number: threshold,
                evidence: u32::try_from(*evidence.get(number as usize)?).ok()?,
                children: [u32::try_from(left).ok()?, u32::try_from(right).ok()?],
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_models_can_be_read() {
        let model = TurnModel::parse(EMBEDDED).unwrap();
        assert!(model.alone.trees.len() > 100 && model.together.trees.len() > 100);
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

    /// Side by side as one by one, whatever the numbers: a plain walk over the file gives the same bits.
    #[test]
    fn trees_walked_abreast_give_what_each_gives() {
        let file: ModelFile = serde_json::from_str(EMBEDDED).unwrap();
        let names = crate::together::names();
        for file in [file.alone, file.together] {
            let trees = Trees::read(&file, &names).unwrap();
            let place = |number: f32| {
                let name = &file.evidence[number as usize];
                names.iter().position(|known| known == name).unwrap()
            };
            for seed in 0..200_usize {
                let numbers: Vec<f32> = (0..names.len())
                    .map(|at| match seed.wrapping_mul(31) ^ at.wrapping_mul(17) {
                        mixed if mixed % 7 == 0 => f32::NAN,
                        mixed => (mixed * 2_654_435_761 % 1_000) as f32 / 100.0 - 5.0,
                    })
                    .collect();
                let walk = |nodes: &Vec<Vec<f32>>| {
                    let mut node = &nodes[0];
                    while let [number, threshold, left, right] = node[..] {
                        let is_right = numbers[place(number)] > threshold;
                        node = &nodes[if is_right { right } else { left } as usize];
                    }
                    node[0]
                };
                let plain = file.base + file.trees.iter().map(walk).sum::<f32>();
                assert_eq!(trees.log_odds(&numbers).to_bits(), plain.to_bits(), "{seed}");
            }
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
