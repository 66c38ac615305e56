//! Why was a tool suggested, in words and in numbers?

use handpick_domain::ToolName;
use serde::Serialize;
use utoipa::ToSchema;

use crate::suggestion::rounded;

/// What speaks for a tool: first in words, then in numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Explanation {
    /// One line for people.
    #[schema(example = "shares the words `open`, `ticket`; close in meaning")]
    pub in_words: String,
    /// The task's words that the tool's name or first line has, as the task writes them.
    pub shared_words: Vec<String>,
    /// What each kind of evidence adds to the score.
    pub shares: Shares,
    /// The evidence itself.
    pub evidence: Evidence,
}

/// Parts of the score; together they are the score.
#[derive(Debug, Serialize, ToSchema)]
pub struct Shares {
    /// The task gives the tool's exact name.
    pub name: f64,
    /// Words the task and the tool share.
    pub words: f64,
    /// Closeness in meaning.
    pub meaning: f64,
    /// What `context` adds.
    pub context: f64,
}

/// The evidence a score is made of. `null` where it does not exist, which does not speak against a tool.
/// Relative values run from 0, the weakest tool the caller may use, to 1, the strongest.
#[derive(Debug, Serialize, ToSchema)]
pub struct Evidence {
    /// Whether the task gives the tool's exact name.
    pub exact_name: bool,
    /// Share of the task's words, rare ones counting more, that the tool has: 0 to 1.
    pub coverage: f64,
    /// Keyword match, relative.
    pub words: f64,
    /// Cosine between the meanings of task and tool, -1 to 1; `null` until the tool's meaning is known.
    #[schema(required)]
    pub cosine: Option<f64>,
    /// The cosine, relative.
    #[schema(required)]
    pub meaning: Option<f64>,
    /// How much of the app's name the task gives: 0 to 1.
    pub app: f64,
    /// Keyword match of the context, relative; `null` without one.
    #[schema(required)]
    pub context_words: Option<f64>,
    /// Cosine of the context, relative; `null` without one.
    #[schema(required)]
    pub context_meaning: Option<f64>,
}

impl Explanation {
    /// The explanation of why `tool` was suggested.
    pub fn new(explanation: &handpick_selection::Explanation, tool: &ToolName) -> Self {
        let (score, features) = (&explanation.score, &explanation.features);
        Self {
            in_words: explanation.in_words(tool),
            shared_words: explanation.shared_words.clone(),
            shares: Shares {
                name: rounded(score.name),
                words: rounded(score.words),
                meaning: rounded(score.meaning),
                context: rounded(score.context),
            },
            evidence: Evidence {
                exact_name: features.exact_name,
                coverage: rounded(features.coverage),
                words: rounded(features.words),
                cosine: features.cosine.map(rounded),
                meaning: features.meaning.map(rounded),
                app: rounded(features.app),
                context_words: features.context_words.map(rounded),
                context_meaning: features.context_meaning.map(rounded),
            },
        }
    }
}
