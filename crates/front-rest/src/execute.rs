//! Run this tool.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Request, State};
use handpick_access::Denial;
use handpick_domain::Scope;
use handpick_operations::call_tool::{Call, CallFailure, call_tool, new_execution_id};
use handpick_operations::open_surface::open_project;
use jiff::{Timestamp, Unit};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::document::{BodyErrors, KeyErrors, ToolErrors};
use crate::error::{FieldError, RestError};
use crate::fields::Fields;
use crate::front::{EXECUTE_BODY_BYTES_MAX, RestFront};
use crate::output::Output;
use crate::request::{acting_for, receive};

/// A request to run a tool.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "tool_name": "chat.send_message",
    "input": {"channel": "incidents", "text": "We are looking into the double charges."},
    "user_id": "dana@bramble.example"
}))]
pub struct ExecuteRequest {
    /// The tool, as `app.tool`. `app_tool` works too, and so does either with `@version`.
    pub tool_name: String,
    /// The tool's own arguments, as its input schema asks. `inputs`, `arguments` and `parameters` are read
    /// where `input` is absent.
    #[schema(value_type = Object, required = false)]
    pub input: Option<Box<RawValue>>,
    /// The end user this is done for.
    pub user_id: String,
    /// The `query_id` that came with the tool. It links the execution to the recommendation it follows
    /// from; one that is unknown does no harm.
    #[schema(nullable = false)]
    pub query_id: Option<String>,
    /// ISO 8601. Tools run at once: a time in the future is refused.
    #[schema(value_type = Option<String>, nullable = false, format = DateTime)]
    pub run_at: (),
}

/// What came of an execution. A tool that failed is a successful request: look at `success`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "3f6f8a0e-5b1d-4d0c-8a57-0d8a4c1b9f10",
    "execution_id": "3f6f8a0e-5b1d-4d0c-8a57-0d8a4c1b9f10",
    "execution_type": "immediate",
    "status": "success",
    "success": true,
    "finished_at": "2026-11-29T18:00:00.25Z",
    "duration": 12.5,
    "output": {
        "value": {"id": "MSG-1210"},
        "result": {
            "content": [{"type": "text", "text": "posted to incidents"}],
            "structuredContent": {"id": "MSG-1210"}
        },
        "logs": []
    }
}))]
pub struct ExecuteResponse {
    /// Identifies the execution.
    pub id: String,
    /// The same again.
    pub execution_id: String,
    /// When the tool ran.
    pub execution_type: ExecutionType,
    /// How it ended.
    pub status: ExecutionStatus,
    /// Whether the tool did what it was asked.
    pub success: bool,
    /// When it ended, UTC.
    #[schema(format = DateTime)]
    pub finished_at: String,
    /// From request to result, in milliseconds.
    #[schema(minimum = 0)]
    pub duration: f64,
    /// What the tool gave back.
    pub output: Output,
}

/// When a tool ran.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionType {
    /// At once.
    Immediate,
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionStatus {
    /// `output.value` holds what the tool gave back.
    Success,
    /// `output.error` tells what went wrong.
    Failed,
}

impl ExecuteRequest {
    fn read(mut fields: Fields, now: Timestamp) -> Result<Self, RestError> {
        let request = Self {
            tool_name: fields.tool_name(),
            input: fields.object(&["input", "inputs", "arguments", "parameters"]),
            user_id: fields.text("user_id"),
            query_id: fields.lenient("query_id"),
            run_at: fields.not_after("run_at", now),
        };
        fields.finish(request)
    }
}

/// Run a tool by name
///
/// Any tool the key may use, whether or not select returned it. A failure of the tool is answered with 200,
/// `success: false` and `output.error`. Needs the `execute` scope.
#[utoipa::path(
    post,
    path = "/v1/tools/execute",
    operation_id = "execute_tool",
    tag = "tools",
    request_body = ExecuteRequest,
    responses(
        (status = 200, description = "What the tool gave back, or how it failed", body = ExecuteResponse),
        BodyErrors, KeyErrors, ToolErrors
    ),
    security(("key" = []))
)]
pub async fn execute(
    State(front): State<Arc<RestFront>>,
    request: Request,
) -> Result<Json<ExecuteResponse>, RestError> {
    let runtime = &front.runtime;
    let (caller, fields) = receive(runtime, request, Scope::Execute, EXECUTE_BODY_BYTES_MAX).await?;
    let request = ExecuteRequest::read(fields, Timestamp::now())?;
    let caller = acting_for(&caller, &request.user_id);
    let surface = open_project(runtime, &caller);
    let started = Instant::now();
    let execution_id = new_execution_id();
    let call = Call {
        execution_id: execution_id.clone(),
        surface: &surface,
        caller: &caller,
        tool: &request.tool_name,
        arguments: request.input,
        query_id: request.query_id,
        meta: None,
        progress: None,
        client: None,
        source: "rest",
    };
    let output = match call_tool(runtime, call).await {
        Ok(called) => Output::of_result(called.result, called.is_error),
        Err(CallFailure::Denied(denial)) => refuse(denial)?,
        Err(failure) => Output::of_failure(&failure),
    };
    Ok(Json(respond(execution_id, output, started.elapsed())))
}

fn respond(execution_id: String, output: Output, duration: Duration) -> ExecuteResponse {
    let success = output.error.is_none();
    ExecuteResponse {
        id: execution_id.clone(),
        execution_id,
        execution_type: ExecutionType::Immediate,
        status: if success {
            ExecutionStatus::Success
        } else {
            ExecutionStatus::Failed
        },
        success,
        finished_at: now_in_milliseconds().to_string(),
        duration: (duration.as_secs_f64() * 1e6).round() / 1e3,
        output,
    }
}

fn now_in_milliseconds() -> Timestamp {
    let now = Timestamp::now();
    now.round(Unit::Millisecond).unwrap_or(now)
}

/// A call that is not admitted. A hidden tool reads like one that does not exist (A60, C19); one that may be seen
/// and not run is an execution that failed (A58).
fn refuse(denial: Denial) -> Result<Output, RestError> {
    let message = denial.to_string();
    match denial {
        Denial::NotFound { .. } => Err(RestError::ToolNotFound(message)),
        Denial::Ambiguous { .. } => Err(RestError::Fields {
            summary: message.clone(),
            errors: vec![FieldError {
                field: "tool_name".to_owned(),
                message,
            }],
        }),
        Denial::Scope => Err(RestError::Forbidden { scope: "execute" }),
        denial => Ok(Output::of_failure(&CallFailure::Denied(denial))),
    }
}
