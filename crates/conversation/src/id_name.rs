//! Do two spellings name the same id? `candidateId`, `candidate_id` and `candidate-id` do.

use std::sync::Arc;

/// The name of an id, whatever its spelling: its words in lower case, joined by `_`, as in `candidate_id`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdName(Arc<str>);

impl IdName {
    /// Reads the name of a parameter or of a member of a result. `None` where it does not name an id.
    pub fn of(name: &str) -> Option<Self> {
        let _ = name;
        None
    }

    /// The words joined by `_`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the id is of: the name without its last word, `candidate` of `candidate_id`; may be empty (`id`).
    pub fn entity(&self) -> &str {
        self.0.rsplit_once('_').map_or("", |(entity, _)| entity)
    }
}
