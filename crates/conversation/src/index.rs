//! What is searched for an agent? Words, and the vectors of tools, of examples and of past turns.

use std::sync::Arc;

use handpick_domain::{Digest, ToolSet};
use handpick_selection::semantic::Semantic;
use handpick_selection::{Index, Vector};
use sha2::{Digest as _, Sha256};

use crate::agent::Agent;

/// An agent with the vectors made so far. Immutable; vectors that arrive later make another one.
#[derive(Debug)]
pub struct AgentIndex {
    agent: Arc<Agent>,
    tools: Index,
    /// The position of the tool of each example, and its text's digest.
    examples: Arc<Vec<(usize, Digest)>>,
    example_vectors: Semantic,
    memory_vectors: Semantic,
}

impl AgentIndex {
    /// Indexes an agent. `vectors` gives the vector of a text by its digest, where it is made.
    pub fn build(agent: Arc<Agent>, vectors: impl Fn(&Digest) -> Option<Vector>) -> Self {
        let examples: Vec<(usize, Digest)> = agent
            .tools()
            .iter()
            .enumerate()
            .flat_map(|(position, tool)| tool.examples.iter().map(move |text| (position, digest(text))))
            .collect();
        let tools = Index::build(Arc::clone(agent.catalog()), &vectors);
        Self {
            example_vectors: semantic(examples.iter().map(|(_, digest)| digest), &vectors),
            memory_vectors: semantic(agent.memory().turns().iter().map(|turn| &turn.digest), &vectors),
            examples: Arc::new(examples),
            tools,
            agent,
        }
    }

    /// The same agent with other vectors.
    #[must_use]
    pub fn with_vectors(&self, vectors: impl Fn(&Digest) -> Option<Vector>) -> Self {
        let turns = self.agent.memory().turns();
        Self {
            example_vectors: semantic(self.examples.iter().map(|(_, digest)| digest), &vectors),
            memory_vectors: semantic(turns.iter().map(|turn| &turn.digest), &vectors),
            tools: self.tools.with_vectors(&vectors),
            examples: Arc::clone(&self.examples),
            agent: Arc::clone(&self.agent),
        }
    }

    /// The texts without a vector: the key to cache it under and the text to encode. Tools come first, then examples,
    /// then past turns, the latest first, so that what matters most is known first.
    pub fn missing(&self) -> Vec<(Digest, String)> {
        let mut missing = self.tools.missing();
        let examples = self.agent.tools().iter().flat_map(|tool| &tool.examples);
        let unknown = |vectors: &Semantic, number: usize| !vectors.has(number);
        missing.extend(
            examples
                .zip(self.examples.iter())
                .enumerate()
                .filter(|&(number, _)| unknown(&self.example_vectors, number))
                .map(|(_, (text, (_, digest)))| (*digest, text.clone())),
        );
        missing.extend(
            self.agent
                .memory()
                .turns()
                .iter()
                .enumerate()
                .rev()
                .filter(|&(number, _)| unknown(&self.memory_vectors, number))
                .map(|(_, turn)| (turn.digest, turn.text.clone())),
        );
        missing
    }

    /// The agent.
    pub fn agent(&self) -> &Arc<Agent> {
        &self.agent
    }

    pub(crate) fn tools(&self) -> &Index {
        &self.tools
    }

    pub(crate) fn memory_vectors(&self) -> &Semantic {
        &self.memory_vectors
    }

    /// For each tool, by position, the cosine of its closest example; 0 where it has none.
    pub(crate) fn closest_examples(&self, question: Option<&[f32]>) -> Vec<f32> {
        let all = ToolSet::all(self.examples.len());
        let cosines = self.example_vectors.cosines(question, &all);
        let mut closest = vec![0.0_f32; self.agent.tools().len()];
        for ((position, _), cosine) in self.examples.iter().zip(cosines) {
            closest[*position] = closest[*position].max(cosine.unwrap_or_default());
        }
        closest
    }
}

/// Key of a text that is encoded as it stands.
fn digest(text: &str) -> Digest {
    Sha256::digest(text.as_bytes()).into()
}

fn semantic<'a>(
    digests: impl Iterator<Item = &'a Digest>,
    vectors: impl Fn(&Digest) -> Option<Vector>,
) -> Semantic {
    Semantic::build(&digests.map(vectors).collect::<Vec<_>>())
}
