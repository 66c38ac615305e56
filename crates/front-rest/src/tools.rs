//! Which tools are there, page by page?

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use handpick_domain::{Scope, Tool};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::document::{GatewayErrors, KeyErrors, QueryErrors};
use crate::error::{FieldError, RestError};
use crate::front::RestFront;
use crate::request::{acting_for, admit, surface_of};

/// Tools of a page when `limit` is absent (A64).
const LIMIT_DEFAULT: usize = 25;
/// Most tools of a page; larger values of `limit` behave as this one (A64).
const LIMIT_MAX: usize = 100;

/// Which tools, and which page of them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ToolsQuery {
    /// Only the tools of this app.
    toolkit: Option<String>,
    /// Only the tools of this gateway; without it, every tool the key may use.
    gateway_id: Option<String>,
    /// The end user this is done for.
    user_id: Option<String>,
    /// Most tools of the page. Values above 100 behave as 100.
    #[param(value_type = Option<usize>, minimum = 1, default = 25)]
    limit: Option<String>,
    /// Tools to pass over.
    #[param(value_type = Option<usize>, default = 0)]
    offset: Option<String>,
}

/// A page of tools.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToolsResponse {
    /// The tools, by name.
    pub items: Vec<ToolEntry>,
    /// Most tools of a page.
    pub limit: usize,
    /// Tools passed over.
    pub offset: usize,
    /// How many pages there are.
    pub page_count: usize,
    /// How many tools there are.
    pub total_count: usize,
}

/// A tool, as its server lists it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToolEntry {
    /// Its own name.
    #[schema(example = "create_ticket")]
    pub name: String,
    /// What to pass to `POST /v1/tools/execute`.
    #[schema(example = "tickets.create_ticket")]
    pub qualified_name: String,
    /// The whole description, as the tool's server gives it.
    pub description: String,
    /// The app it belongs to.
    pub toolkit: Toolkit,
    /// JSON Schema of the tool's arguments, as its server gives it.
    #[schema(value_type = Object)]
    pub input_schema: Arc<RawValue>,
}

/// An app.
#[derive(Debug, Serialize, ToSchema)]
pub struct Toolkit {
    /// Its name.
    #[schema(example = "tickets")]
    pub name: String,
}

/// List the tools
///
/// Sorted by name, a page at a time. Needs the `read` scope.
#[utoipa::path(
    get,
    path = "/v1/tools",
    operation_id = "list_tools",
    tag = "tools",
    params(ToolsQuery),
    responses(
        (status = 200, description = "A page of the tools", body = ToolsResponse),
        QueryErrors, KeyErrors, GatewayErrors
    ),
    security(("key" = []))
)]
pub async fn tools(
    State(front): State<Arc<RestFront>>,
    headers: HeaderMap,
    query: Result<Query<ToolsQuery>, QueryRejection>,
) -> Result<Json<ToolsResponse>, RestError> {
    let mut caller = Arc::unwrap_or_clone(admit(&front.runtime, &headers, Scope::Read)?);
    let Query(query) = query.map_err(|error| RestError::Malformed(error.body_text()))?;
    let (limit, offset) = page(&query)?;
    if let Some(user) = &query.user_id {
        caller = acting_for(&caller, user);
    }
    let surface = surface_of(&front.runtime, &caller, query.gateway_id.as_deref()).await?;
    let wanted = |tool: &&Arc<Tool>| {
        let toolkit = query.toolkit.as_deref();
        toolkit.is_none_or(|app| tool.name.app().eq_ignore_ascii_case(app))
    };
    let tools: Vec<&Arc<Tool>> = surface.tools().map(|(_, tool)| tool).filter(wanted).collect();
    Ok(Json(ToolsResponse {
        items: tools
            .iter()
            .skip(offset)
            .take(limit)
            .map(|tool| ToolEntry::of(tool))
            .collect(),
        limit,
        offset,
        page_count: tools.len().div_ceil(limit),
        total_count: tools.len(),
    }))
}

impl ToolEntry {
    fn of(tool: &Tool) -> Self {
        Self {
            name: tool.name.tool().to_owned(),
            qualified_name: tool.name.as_str().to_owned(),
            description: tool.description.clone(),
            toolkit: Toolkit {
                name: tool.name.app().to_owned(),
            },
            input_schema: Arc::clone(&tool.input_schema),
        }
    }
}

/// `limit` and `offset`, or everything that is wrong with them.
fn page(query: &ToolsQuery) -> Result<(usize, usize), RestError> {
    let mut errors = Vec::new();
    let mut read = |field: &str, text: &Option<String>, default: usize, least: usize| {
        let Some(text) = text else { return default };
        match text.trim().parse() {
            Ok(number) if number >= least => number,
            _ => {
                errors.push(FieldError {
                    field: field.to_owned(),
                    message: format!("must be a whole number of at least {least}"),
                });
                default
            }
        }
    };
    let limit = read("limit", &query.limit, LIMIT_DEFAULT, 1).min(LIMIT_MAX);
    let offset = read("offset", &query.offset, 0, 0);
    if errors.is_empty() {
        return Ok((limit, offset));
    }
    let lines: Vec<String> = errors
        .iter()
        .map(|error| format!("`{}` {}", error.field, error.message))
        .collect();
    Err(RestError::Fields {
        summary: lines.join("; "),
        errors,
    })
}
