//! How is every part of the gateway doing?

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use handpick_domain::Scope;
use handpick_operations::report_status::{Status, report_status};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::document::KeyErrors;
use crate::error::RestError;
use crate::front::RestFront;
use crate::request::admit;

/// The state of the gateway.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatusResponse {
    /// Version of this program.
    pub version: &'static str,
    /// Tools offered.
    pub tools: usize,
    /// Tools left out because a meta-tool has their name.
    pub reserved: Vec<String>,
    /// The gateways, by name.
    pub gateways: Vec<GatewayState>,
    /// The servers.
    pub servers: Vec<ServerState>,
    /// How far the meanings of tools are known; `null` in a deployment that finds no tools.
    #[schema(required)]
    pub indexing: Option<IndexingState>,
    /// Records of selections and calls that were lost because the disk could not keep up.
    pub records_dropped: u64,
}

/// One gateway.
#[derive(Debug, Serialize, ToSchema)]
pub struct GatewayState {
    /// Its name in URLs, and its `gateway_id`.
    pub name: String,
    /// How it shows its tools now.
    #[schema(value_type = String, example = "recommend")]
    pub mode: &'static str,
    /// Tools its allow-list covers.
    pub tools: usize,
}

/// One server.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServerState {
    /// Its name: the app of its tools.
    pub name: String,
    /// How it is reached.
    #[schema(value_type = String, example = "stdio")]
    pub transport: &'static str,
    /// What it is doing: `cached`, `starting`, `ready`, `backing off` or `failed`.
    #[schema(value_type = String, example = "ready")]
    pub state: &'static str,
    /// The era of the protocol it speaks; `null` until that is known.
    #[schema(value_type = Option<String>, required, example = "legacy")]
    pub era: Option<&'static str>,
    /// How many of its tools are offered.
    pub tools: usize,
    /// What is wrong, in words; `null` where nothing is.
    #[schema(required)]
    pub problem: Option<String>,
    /// Tools it lists that are not offered.
    pub skipped: Vec<SkippedTool>,
    /// The last lines of its standard error, oldest first.
    pub stderr: Vec<String>,
    /// Lines on its standard output that were no messages.
    pub noise_lines: u64,
    /// How often it was started again after it had stopped by itself.
    pub restarts: u64,
    /// When its list was fetched, UTC; `null` before the first time.
    #[schema(required, format = DateTime)]
    pub fetched_at: Option<String>,
}

/// A tool that is not offered.
#[derive(Debug, Serialize, ToSchema)]
pub struct SkippedTool {
    /// Its own name, or its position in the list where it has none.
    pub tool: String,
    /// Why.
    pub reason: String,
}

/// How far the meanings of tools are known. Until then a tool is found by its words.
#[derive(Debug, Serialize, ToSchema)]
pub struct IndexingState {
    /// Tools in the index.
    pub tools: usize,
    /// Tools whose meaning is not known yet.
    pub missing: usize,
}

/// Tell how every server and gateway is doing
///
/// With what is wrong in words, and the last lines that servers wrote to their standard error. Needs the
/// `read` scope.
#[utoipa::path(
    get,
    path = "/v1/status",
    operation_id = "status",
    tag = "operation",
    responses((status = 200, description = "The state of everything", body = StatusResponse), KeyErrors),
    security(("key" = []))
)]
pub async fn status(
    State(front): State<Arc<RestFront>>,
    headers: HeaderMap,
) -> Result<Json<StatusResponse>, RestError> {
    admit(&front.runtime, &headers, Scope::Read)?;
    Ok(Json(report_status(&front.runtime).into()))
}

impl From<Status> for StatusResponse {
    fn from(status: Status) -> Self {
        let gateways = status.gateways.into_iter().map(|gateway| GatewayState {
            name: gateway.name,
            mode: gateway.mode,
            tools: gateway.bound,
        });
        Self {
            version: env!("CARGO_PKG_VERSION"),
            tools: status.tools,
            reserved: status.reserved,
            gateways: gateways.collect(),
            servers: status.servers.into_iter().map(ServerState::from).collect(),
            indexing: status.indexing.map(|indexing| IndexingState {
                tools: indexing.tools,
                missing: indexing.missing,
            }),
            records_dropped: status.records_dropped,
        }
    }
}

impl From<handpick_upstream::ServerStatus> for ServerState {
    fn from(server: handpick_upstream::ServerStatus) -> Self {
        let skipped = server.skipped.into_iter().map(|skipped| SkippedTool {
            tool: skipped.tool,
            reason: skipped.reason,
        });
        Self {
            name: server.name,
            transport: server.transport.as_str(),
            state: server.state.as_str(),
            era: server.era.map(handpick_upstream::Era::as_str),
            tools: server.tools,
            problem: server.problem,
            skipped: skipped.collect(),
            stderr: server.stderr,
            noise_lines: server.noise_lines,
            restarts: server.restarts,
            fetched_at: server.fetched_at_ms.and_then(utc),
        }
    }
}

/// Milliseconds since 1970 as people and programs read times.
fn utc(milliseconds: u64) -> Option<String> {
    let milliseconds = i64::try_from(milliseconds).ok()?;
    Some(Timestamp::from_millisecond(milliseconds).ok()?.to_string())
}
