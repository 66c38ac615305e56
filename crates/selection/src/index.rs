//! What is known about a catalog before a question arrives?

use std::sync::Arc;

use handpick_domain::{Catalog, Digest};

use crate::actions::Action;
use crate::apps::Apps;
use crate::lexical::Lexical;
use crate::names::Names;
use crate::semantic::Semantic;
use crate::text::MatchedText;
use crate::vector::Vector;

/// Everything selection and search read. Immutable: a changed catalog, or vectors that arrived since,
/// make a new index that replaces this one whole.
///
/// Every tool is found by its words from the start, and by its meaning once it has a vector (A36).
#[derive(Clone, Debug, Default)]
pub struct Index {
    catalog: Arc<Catalog>,
    words: Arc<WordIndex>,
    semantic: Semantic,
}

/// The parts that need no vectors, shared between an index and its successors over the same catalog.
#[derive(Debug, Default)]
struct WordIndex {
    lexical: Lexical,
    names: Names,
    apps: Apps,
    /// What each tool does, by its name or else its first line.
    actions: Vec<Option<Action>>,
    digests: Vec<Digest>,
}

impl Index {
    /// Indexes a catalog. `vectors` gives the cached vector of a tool by [`handpick_domain::Tool::digest`].
    pub fn build(catalog: Arc<Catalog>, vectors: impl Fn(&Digest) -> Option<Vector>) -> Self {
        let words = Arc::new(WordIndex {
            lexical: Lexical::build(catalog.tools().iter().map(|tool| MatchedText::of(tool))),
            names: Names::build(&catalog),
            apps: Apps::build(&catalog),
            actions: catalog
                .tools()
                .iter()
                .map(|tool| MatchedText::of(tool).action())
                .collect(),
            digests: catalog.tools().iter().map(|tool| tool.digest()).collect(),
        });
        let semantic = semantic(&words.digests, vectors);
        Self {
            catalog,
            words,
            semantic,
        }
    }

    /// The same catalog with other vectors: cheap, so that vectors can come in as they are made.
    #[must_use]
    pub fn with_vectors(&self, vectors: impl Fn(&Digest) -> Option<Vector>) -> Self {
        Self {
            catalog: Arc::clone(&self.catalog),
            words: Arc::clone(&self.words),
            semantic: semantic(&self.words.digests, vectors),
        }
    }

    /// The tools without a vector, in catalog order: the key to cache it under and the text to encode.
    pub fn missing(&self) -> Vec<(Digest, String)> {
        let tools = self.catalog.tools().iter().zip(&self.words.digests).enumerate();
        tools
            .filter(|&(position, _)| !self.semantic.has(position))
            .map(|(_, (tool, digest))| (*digest, MatchedText::of(tool).to_encode()))
            .collect()
    }

    /// Whether no tool has a vector yet, so that words alone decide.
    pub fn is_lexical_only(&self) -> bool {
        self.semantic.count() == 0
    }

    /// Whether the tool at `position` has a vector, so that it can be found by its meaning.
    pub fn has_vector(&self, position: usize) -> bool {
        self.semantic.has(position)
    }

    /// The catalog that was indexed; positions in answers refer to it.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Whether the tool at `position` only looks things up, by its verb; `None` where it has no known one.
    pub fn reads(&self, position: usize) -> Option<bool> {
        self.action(position)
            .map(|action| matches!(action, Action::Read | Action::Analyze))
    }

    pub(crate) fn lexical(&self) -> &Lexical {
        &self.words.lexical
    }

    pub(crate) fn names(&self) -> &Names {
        &self.words.names
    }

    pub(crate) fn apps(&self) -> &Apps {
        &self.words.apps
    }

    pub(crate) fn action(&self, position: usize) -> Option<Action> {
        self.words.actions.get(position).copied().flatten()
    }

    pub(crate) fn semantic(&self) -> &Semantic {
        &self.semantic
    }
}

fn semantic(digests: &[Digest], vectors: impl Fn(&Digest) -> Option<Vector>) -> Semantic {
    Semantic::build(&digests.iter().map(vectors).collect::<Vec<_>>())
}
