//! How does a backend publish its agents and ask for the tools of a turn?
//!
//! | endpoint | question | file |
//! |---|---|---|
//! | `PUT /v1/agents/{agentId}/catalog` | take over this agent's tools | [`agents`] |
//! | `POST /v1/agents/{agentId}/traces` | learn from these past conversations | [`agents`] |
//! | `GET /v1/agents/{agentId}` | how much is known of this agent? | [`agents`] |
//! | `GET /v1/agents/{agentId}/catalog` | what was published? | [`agents`] |
//! | `GET /v1/agents/{agentId}/graph` | which tool supplies which id to which? | [`agents`] |
//! | `DELETE /v1/agents/{agentId}` | forget this agent | [`agents`] |
//! | `GET`, `PATCH /v1/agents/{agentId}/presentation` | how are its tools shown? | [`presentation`] |
//! | `POST /v1/context` | which tools does this turn need? | [`turn`] |
//! | `POST /v1/find-tools` | which tools did the turn leave out? | [`find_tools`] |
//!
//! Every request passes the same steps in the same order, in [`receive`]: key (401), rate (429), size (413), JSON
//! (400), fields (400), agent (404). Every failure is one line in [`error`], whose body these endpoints share with
//! nobody else (C3). They are for servers, never for browsers: no page of another origin is let in (T4).

pub mod agents;
pub mod body;
pub mod error;
pub mod find_tools;
pub mod presentation;
pub mod rate;
pub mod receive;
pub mod turn;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::front::RestFront;

/// Largest body of a publishing request, in bytes (T50).
pub const PUBLISH_BODY_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Largest body of any other request, in bytes (T50).
pub const BODY_BYTES_MAX: usize = 256 * 1024;

/// First parts of the paths that are answered here, found or not.
const ROOTS: [&str; 3] = ["agents", "context", "find-tools"];

/// Whether a path belongs to these endpoints: it gets their error body (C3), and no page is let in (T4).
pub fn owns(path: &str) -> bool {
    path.strip_prefix("/v1/")
        .and_then(|rest| rest.split('/').next())
        .is_some_and(|root| ROOTS.contains(&root))
}

/// The endpoints, served and described.
pub(crate) fn endpoints() -> OpenApiRouter<Arc<RestFront>> {
    OpenApiRouter::new()
        .routes(routes!(turn::context))
        .routes(routes!(find_tools::find_tools))
        .routes(routes!(agents::publish_catalog, agents::read_catalog))
        .routes(routes!(agents::add_traces))
        .routes(routes!(agents::read_agent, agents::delete_agent))
        .routes(routes!(agents::read_graph))
        .routes(routes!(
            presentation::read_presentation,
            presentation::change_presentation
        ))
}

#[cfg(test)]
mod tests {
    use super::owns;

    /// C3: whole parts of a path count, not their beginnings.
    #[test]
    fn c3_paths_are_told_apart() {
        for path in [
            "/v1/agents",
            "/v1/agents/",
            "/v1/agents/a/b/c",
            "/v1/context",
            "/v1/find-tools/x",
        ] {
            assert!(owns(path), "{path}");
        }
        for path in [
            "/",
            "/v1",
            "/v1/",
            "/v1/tools",
            "/v1/agentsx",
            "/v1/contexts",
            "/context",
            "/v2/agents",
            "/mcp/agents",
        ] {
            assert!(!owns(path), "{path}");
        }
    }
}
