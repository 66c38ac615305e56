//! When is everything of an agent read? For whoever measures; nobody else waits for it.

use handpick_domain::AgentId;

use super::Agents;
use crate::Runtime;

impl Agents {
    /// Waits until every vector of an agent is made that can be made.
    pub async fn settle(&self, runtime: &Runtime, id: &AgentId) {
        // Makers of vectors take turns: this one finds what the earlier ones left, and nothing if they ended well.
        let _ = self.hold(runtime, id).embed_missing().await;
    }
}
