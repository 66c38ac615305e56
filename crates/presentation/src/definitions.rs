//! How is an agent's tool spelled for the model that may call it?
//!
//! One shape a provider (X.1). Names stand as published (T9), descriptions whole, examples not at all (X6).

use handpick_domain::AgentTool;
use serde_json::{Value, json};

mod schema;
#[cfg(test)]
mod tests;

/// Whose spelling of a tool definition is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DefinitionFormat {
    /// OpenAI chat completions (X1).
    #[default]
    OpenAi,
    /// OpenAI responses: the same without the inner object (X2).
    OpenAiResponses,
    /// Anthropic messages (X3).
    Anthropic,
    /// Gemini: one entry of `functionDeclarations` (X4).
    Gemini,
    /// An entry of MCP's `tools/list` (X5).
    Mcp,
}

impl DefinitionFormat {
    /// All of them, the default one first.
    pub const ALL: [Self; 5] = [
        Self::OpenAi,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::Mcp,
    ];

    /// Its name in a request (T45).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
        }
    }

    /// The format with exactly this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// All names, in the order of [`DefinitionFormat::ALL`].
    pub fn names() -> [&'static str; 5] {
        Self::ALL.map(Self::as_str)
    }
}

/// The definition of one tool in the spelling of `format`.
pub fn definition(tool: &AgentTool, format: DefinitionFormat) -> Value {
    let (name, description) = (&*tool.name, &tool.description);
    let schema = || schema::of_parameters(&tool.parameters);
    match format {
        DefinitionFormat::OpenAi => json!({
            "type": "function",
            "function": {"name": name, "description": description, "parameters": schema()}
        }),
        DefinitionFormat::OpenAiResponses => json!({
            "type": "function", "name": name, "description": description, "parameters": schema()
        }),
        DefinitionFormat::Anthropic => {
            json!({"name": name, "description": description, "input_schema": schema()})
        }
        DefinitionFormat::Gemini if tool.parameters.is_empty() => {
            json!({"name": name, "description": description})
        }
        DefinitionFormat::Gemini => {
            json!({"name": name, "description": description, "parametersJsonSchema": schema()})
        }
        DefinitionFormat::Mcp => match tool
            .display_name
            .as_deref()
            .filter(|title| !title.trim().is_empty())
        {
            Some(title) => json!({
                "name": name, "title": title, "description": description, "inputSchema": schema()
            }),
            None => json!({"name": name, "description": description, "inputSchema": schema()}),
        },
    }
}
