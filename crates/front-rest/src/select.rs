//! Which tools fit these tasks?

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use handpick_domain::Scope;
use handpick_operations::limits::{SELECT_DEFAULT, SELECT_MAX};
use handpick_operations::select_tools::{Selected, Selection, Suggested, TaskOutcome, select_tools};
use handpick_store::SelectionSource;
use serde::Serialize;
use utoipa::ToSchema;

use crate::document::{BodyErrors, GatewayErrors, KeyErrors, SelectionErrors};
use crate::error::RestError;
use crate::fields::Fields;
use crate::front::{RestFront, SELECT_BODY_BYTES_MAX};
use crate::request::{acting_for, receive, surface_of};
use crate::suggestion::Suggestion;

/// A request for tools that fit tasks.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "tasks": ["find out why a customer was charged twice", "tell the incidents channel what we know"],
    "context": "the checkout release of Thursday misbehaves",
    "user_id": "dana@bramble.example",
    "top_k": 3
}))]
pub struct SelectRequest {
    /// One separate action per entry, in plain words. Each gets its own answer.
    #[schema(min_items = 1, max_items = 50)]
    pub tasks: Vec<String>,
    /// The situation, in a sentence. It helps to rank, it adds no task.
    #[schema(nullable = false)]
    pub context: Option<String>,
    /// The end user this is done for.
    pub user_id: String,
    /// Only the tools of this gateway; without it, every tool the key may use.
    #[schema(nullable = false)]
    pub gateway_id: Option<String>,
    /// Most tools per task. Values above 20 behave as 20.
    #[schema(required = false, minimum = 1, default = 5)]
    pub top_k: usize,
    /// Whether each suggestion tells its score and why it was made.
    #[schema(required = false, default = false)]
    pub explain: bool,
}

/// The tools that fit each task.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "query_id": "8b0f6a52-3c1e-4d4e-9a57-2f1c0e6d9b21",
    "results": [
        {
            "task": "tell the incidents channel what we know",
            "suggestions": [{
                "tool_name": "chat.send_message",
                "description": "Post a message to a chat channel for everyone in it to read.",
                "input_schema": {
                    "type": "object",
                    "properties": {"channel": {"type": "string"}, "text": {"type": "string"}},
                    "required": ["channel", "text"]
                }
            }]
        },
        {"task": "book a flight", "suggestions": []}
    ]
}))]
pub struct SelectResponse {
    /// Identifies this answer. Pass it to `POST /v1/tools/execute` with a tool that came of it.
    pub query_id: String,
    /// One entry per task, in the order they were sent.
    pub results: Vec<TaskResult>,
}

/// The tools that fit one task.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskResult {
    /// The task as it was sent.
    pub task: String,
    /// Best first. Empty when no tool the caller may use fits.
    pub suggestions: Vec<Suggestion>,
}

impl SelectRequest {
    fn read(mut fields: Fields) -> Result<Self, RestError> {
        let request = Self {
            tasks: fields.tasks(),
            context: fields.optional_text("context"),
            user_id: fields.text("user_id"),
            gateway_id: fields.optional_id("gateway_id"),
            top_k: fields.count("top_k", SELECT_DEFAULT, SELECT_MAX),
            explain: fields.flag("explain"),
        };
        fields.finish(request)
    }
}

/// Find the tools that fit each task
///
/// Matches every task by its words and by its meaning against the name and the first line of the
/// description of each tool. The same request always gets the same tools in the same order, under a new
/// `query_id`. Needs the `read` scope.
#[utoipa::path(
    post,
    path = "/v1/tools/select",
    operation_id = "select_tools",
    tag = "tools",
    request_body = SelectRequest,
    responses(
        (status = 200, description = "The tools, best first", body = SelectResponse),
        BodyErrors, KeyErrors, GatewayErrors, SelectionErrors
    ),
    security(("key" = []))
)]
pub async fn select(
    State(front): State<Arc<RestFront>>,
    request: Request,
) -> Result<Json<SelectResponse>, RestError> {
    let runtime = &front.runtime;
    let (caller, fields) = receive(runtime, request, Scope::Read, SELECT_BODY_BYTES_MAX).await?;
    let request = SelectRequest::read(fields)?;
    let caller = acting_for(&caller, &request.user_id);
    let surface = surface_of(runtime, &caller, request.gateway_id.as_deref()).await?;
    if runtime.selector.is_none() {
        return Err(RestError::NoSelection);
    }
    let selection = Selection {
        tasks: &request.tasks,
        context: request.context.as_deref(),
        limit: request.top_k,
        floor: None,
        source: SelectionSource::Select,
    };
    let selected = select_tools(runtime, &surface, &caller, selection).await;
    respond(request, selected).map(Json)
}

/// The answer as a whole: one task whose lookup did not finish fails the request (A47).
fn respond(request: SelectRequest, selected: Selected) -> Result<SelectResponse, RestError> {
    let shown: fn(&Suggested) -> Suggestion = if request.explain {
        Suggestion::explained
    } else {
        Suggestion::plain
    };
    let results = request
        .tasks
        .into_iter()
        .zip(&selected.tasks)
        .map(|(task, outcome)| match outcome {
            TaskOutcome::Found(found) => Ok(TaskResult {
                task,
                suggestions: found.iter().map(shown).collect(),
            }),
            TaskOutcome::Unavailable => Err(RestError::Unavailable),
        })
        .collect::<Result<_, _>>()?;
    Ok(SelectResponse {
        query_id: selected.query_id,
        results,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A47, C15: one task whose lookup did not finish fails the whole request.
    #[test]
    fn a47_one_unfinished_task_fails_all() {
        let answer = |tasks: Vec<TaskOutcome>| {
            let request = SelectRequest {
                tasks: vec!["a".to_owned(), "b".to_owned()],
                context: None,
                user_id: "u".to_owned(),
                gateway_id: None,
                top_k: 5,
                explain: false,
            };
            let query_id = String::new();
            let fits = Vec::new();
            respond(
                request,
                Selected {
                    query_id,
                    tasks,
                    fits,
                },
            )
        };
        let (found, unavailable) = (|| TaskOutcome::Found(Vec::new()), || TaskOutcome::Unavailable);
        assert_eq!(answer(vec![found(), found()]).unwrap().results.len(), 2);
        for tasks in [
            vec![found(), unavailable()],
            vec![unavailable(), found()],
            vec![unavailable(), unavailable()],
        ] {
            assert_eq!(answer(tasks).unwrap_err(), RestError::Unavailable);
        }
    }
}
