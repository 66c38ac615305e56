//! Which tools match these words?

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use handpick_domain::Scope;
use handpick_operations::limits::{SEARCH_DEFAULT, SEARCH_MAX};
use handpick_operations::search_tools::{Unavailable, search_tools};
use serde::Serialize;
use utoipa::ToSchema;

use crate::document::{BodyErrors, GatewayErrors, KeyErrors, SelectionErrors};
use crate::error::RestError;
use crate::fields::Fields;
use crate::front::{RestFront, SELECT_BODY_BYTES_MAX};
use crate::request::{acting_for, receive, surface_of};
use crate::suggestion::Suggestion;

/// A request for tools that match words.
#[derive(Debug, ToSchema)]
#[schema(example = json!({"query": "invoice", "user_id": "dana@bramble.example", "top_k": 5}))]
pub struct SearchRequest {
    /// Words to look for. `createIssue`, `create_issue` and `create issue` are the same two words.
    pub query: String,
    /// The end user this is done for.
    pub user_id: String,
    /// Only the tools of this gateway; without it, every tool the key may use.
    #[schema(nullable = false)]
    pub gateway_id: Option<String>,
    /// Most tools. Values above 50 behave as 50.
    #[schema(required = false, minimum = 1, default = 10)]
    pub top_k: usize,
}

/// The tools that match.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "results": [{
        "tool_name": "billing.get_invoice",
        "description": "Look up one invoice.",
        "input_schema": {
            "type": "object",
            "properties": {"invoice_id": {"type": "string"}},
            "required": ["invoice_id"]
        }
    }]
}))]
pub struct SearchResponse {
    /// Best first.
    pub results: Vec<Suggestion>,
}

impl SearchRequest {
    fn read(mut fields: Fields) -> Result<Self, RestError> {
        let request = Self {
            query: fields.text("query"),
            user_id: fields.text("user_id"),
            gateway_id: fields.optional_id("gateway_id"),
            top_k: fields.count("top_k", SEARCH_DEFAULT, SEARCH_MAX),
        };
        fields.finish(request)
    }
}

/// Rank the tools that share words with a query
///
/// By keyword alone: a tool that has none of the query's words is never returned. To find tools by what
/// they do, use select. Needs the `read` scope.
#[utoipa::path(
    post,
    path = "/v1/tools/search",
    operation_id = "search_tools",
    tag = "tools",
    request_body = SearchRequest,
    responses(
        (status = 200, description = "The tools, best first", body = SearchResponse),
        BodyErrors, KeyErrors, GatewayErrors, SelectionErrors
    ),
    security(("key" = []))
)]
pub async fn search(
    State(front): State<Arc<RestFront>>,
    request: Request,
) -> Result<Json<SearchResponse>, RestError> {
    let runtime = &front.runtime;
    let (caller, fields) = receive(runtime, request, Scope::Read, SELECT_BODY_BYTES_MAX).await?;
    let request = SearchRequest::read(fields)?;
    let caller = acting_for(&caller, &request.user_id);
    let surface = surface_of(runtime, &caller, request.gateway_id.as_deref()).await?;
    if runtime.selector.is_none() {
        return Err(RestError::NoSelection);
    }
    let found = search_tools(runtime, &surface, &caller, &request.query, request.top_k)
        .map_err(|Unavailable| RestError::Unavailable)?;
    Ok(Json(SearchResponse {
        results: found.iter().map(Suggestion::plain).collect(),
    }))
}
