//! How is a gateway's catalog shown to the model?

use serde::{Deserialize, Serialize};

/// The stored presentation setting of a gateway (P1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presentation {
    /// Every tool is listed as itself.
    Direct,
    /// Three meta-tools: search, read one schema, execute.
    Discovery,
    /// Two tools: describe tasks to get the tools that fit, then run one.
    Recommend,
    /// `direct` below thirty tools, `discovery` from thirty on.
    #[default]
    Adaptive,
}
