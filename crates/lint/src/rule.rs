//! What does a rule say of itself?

use crate::{Client, Severity};

/// One rule, the same wherever it is told of: terminal, JSON, SARIF, manual.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable id.
    pub id: &'static str,
    /// How bad breaking it is.
    pub severity: Severity,
    /// The clients it matters in; empty for all.
    pub clients: &'static [Client],
    /// What is wrong when it is broken, in a few words.
    pub title: &'static str,
    /// Why that is bad, and what to do.
    pub help: &'static str,
}
