//! How does a tool that was found look?

use std::sync::Arc;

use handpick_operations::select_tools::Suggested;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::explanation::Explanation;

/// A tool that was found, with all that is needed to call it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Suggestion {
    /// What to pass to `POST /v1/tools/execute`.
    #[schema(example = "tickets.create_ticket")]
    pub tool_name: String,
    /// The whole description, as the tool's server gives it.
    #[schema(example = "Open a new ticket in the support queue.")]
    pub description: String,
    /// JSON Schema of the tool's own arguments, as its server gives it.
    #[schema(value_type = Object, example = json!({
        "type": "object",
        "properties": {"title": {"type": "string"}},
        "required": ["title"]
    }))]
    pub input_schema: Arc<RawValue>,
    /// How well the tool fits, comparable within one task. Only where `explain` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1, nullable = false)]
    pub score: Option<f64>,
    /// Why the tool was suggested. Only where `explain` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub explanation: Option<Explanation>,
}

impl Suggestion {
    /// The tool alone.
    pub fn plain(found: &Suggested) -> Self {
        Self {
            tool_name: found.tool.name.as_str().to_owned(),
            description: found.tool.description.clone(),
            input_schema: Arc::clone(&found.tool.input_schema),
            score: None,
            explanation: None,
        }
    }

    /// The tool with its score and what the score is made of.
    pub fn explained(found: &Suggested) -> Self {
        Self {
            score: Some(rounded(found.score)),
            explanation: found
                .explanation
                .as_ref()
                .map(|explanation| Explanation::new(explanation, &found.tool.name)),
            ..Self::plain(found)
        }
    }
}

/// Four digits: more would show noise, and `f32` digits that nobody meant. Never `-0.0`.
pub(crate) fn rounded(value: f32) -> f64 {
    (f64::from(value) * 10_000.0).round() / 10_000.0 + 0.0
}
