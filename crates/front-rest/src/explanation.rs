//! Why was a tool suggested, in words and in numbers?

use handpick_domain::ToolName;
use handpick_selection::{Feature, Reason};
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
    /// The logarithm of the odds that an average candidate serves a task.
    #[schema(example = -4.4)]
    pub base: f64,
    /// What each kind of evidence adds to it: `name`, `words`, `meaning`, `app`, `action`, `context`, `task`. Unless the
    /// task gives a tool's exact name, `score` is the probability with these odds.
    pub shares: Vec<Share>,
    /// The evidence itself, by feature.
    pub evidence: Vec<Evidence>,
}

/// What one kind of evidence adds.
#[derive(Debug, Serialize, ToSchema)]
pub struct Share {
    /// The kind of evidence.
    #[schema(example = "meaning")]
    pub reason: &'static str,
    /// What it adds to the logarithm of the odds; below zero it speaks against the tool.
    #[schema(example = 1.8)]
    pub share: f64,
}

/// One feature of a tool for this task.
#[derive(Debug, Serialize, ToSchema)]
pub struct Evidence {
    /// The feature, as docs/selection.md describes it.
    #[schema(example = "cosine")]
    pub feature: &'static str,
    /// Its number.
    #[schema(example = 0.61)]
    pub value: f64,
    /// The kind of evidence it belongs to.
    #[schema(example = "meaning")]
    pub reason: &'static str,
    /// What it adds to the logarithm of the odds.
    #[schema(example = 1.2)]
    pub share: f64,
}

impl Explanation {
    /// The explanation of why `tool` was suggested.
    pub fn new(explanation: &handpick_selection::Explanation, tool: &ToolName) -> Self {
        let shares = explanation.shares().into_iter().map(|(reason, share)| Share {
            reason: reason.name(),
            share: rounded(share),
        });
        let share_of = |feature: Feature| {
            let shares = &explanation.score.shares;
            shares
                .iter()
                .find(|(of, _)| *of == feature)
                .map_or(0.0, |(_, share)| *share)
        };
        let evidence = Feature::ALL.into_iter().filter_map(|feature| {
            Some(Evidence {
                feature: feature.name(),
                value: rounded(explanation.features.get(feature)?),
                reason: Reason::of(feature).name(),
                share: rounded(share_of(feature)),
            })
        });
        Self {
            in_words: explanation.in_words(tool),
            shared_words: explanation.shared_words.clone(),
            base: rounded(explanation.score.base),
            shares: shares.collect(),
            evidence: evidence.collect(),
        }
    }
}
