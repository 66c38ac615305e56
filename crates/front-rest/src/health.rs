//! Can the gateway be used?

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use handpick_upstream::{ServerState, ServerStatus};
use serde::Serialize;
use utoipa::ToSchema;

use crate::front::RestFront;

/// Whether the gateway can be used.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({"healthy": true}))]
pub struct HealthResponse {
    /// Whether any tool can be reached.
    pub healthy: bool,
    /// What is wrong, where something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<String>,
}

/// Tell whether the gateway can be used
///
/// For load balancers and monitors; needs no key. Healthy as long as one server can be reached: a broken
/// server costs its own tools alone. `GET /v1/status` tells how each of them is doing.
#[utoipa::path(
    get,
    path = "/v1/health",
    operation_id = "health",
    tag = "operation",
    responses(
        (status = 200, description = "It can be used", body = HealthResponse),
        (status = 503, description = "No server can be reached yet, or any more", body = HealthResponse)
    ),
    security(())
)]
pub async fn health(State(front): State<Arc<RestFront>>) -> (StatusCode, Json<HealthResponse>) {
    let health = judge(&front.runtime.upstreams.status());
    let status = if health.healthy {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(health))
}

/// Says nothing of servers by name: whoever asks has shown no key.
fn judge(servers: &[ServerStatus]) -> HealthResponse {
    let usable = |server: &ServerStatus| matches!(server.state, ServerState::Cached | ServerState::Ready);
    let reason = if servers.is_empty() || servers.iter().any(usable) {
        None
    } else if servers.iter().any(|server| server.state == ServerState::Starting) {
        Some("no server has answered yet; they are starting".to_owned())
    } else {
        Some("no server can be reached; `GET /v1/status` says why".to_owned())
    };
    HealthResponse {
        healthy: reason.is_none(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use handpick_upstream::TransportKind;

    #[track_caller]
    fn check(states: &[ServerState], healthy: bool, reason: &str) {
        let servers: Vec<ServerStatus> = states
            .iter()
            .map(|&state| ServerStatus {
                name: "secret-name".into(),
                transport: TransportKind::Stdio,
                state,
                era: None,
                tools: 0,
                problem: None,
                skipped: Vec::new(),
                stderr: Vec::new(),
                noise_lines: 0,
                restarts: 0,
                fetched_at_ms: None,
            })
            .collect();
        let health = judge(&servers);
        assert_eq!(health.healthy, healthy);
        assert!(health.reason.unwrap_or_default().contains(reason));
    }

    #[test]
    fn one_usable_server_is_enough() {
        use ServerState::{BackingOff, Cached, Failed, Ready, Starting};
        check(&[], true, "");
        check(&[Failed, Ready], true, "");
        check(&[Starting, Cached], true, "");
        check(&[Starting, Failed], false, "starting");
        check(&[BackingOff, Failed], false, "no server can be reached");
    }
}
