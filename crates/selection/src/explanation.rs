//! Why was a tool suggested?

use handpick_domain::ToolName;

use crate::features::Features;
use crate::score::Score;

/// From this cosine on, meaning is worth a word in the explanation, and from the second on a strong one.
const RELATED: f32 = 0.3;
const CLOSE: f32 = 0.5;

/// Words named at most.
const WORDS_MAX: usize = 6;

/// Each kind of evidence for one suggestion, and its share of the score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The evidence itself.
    pub features: Features,
    /// What each part of it added.
    pub score: Score,
    /// The task's words that the tool has, as the task writes them.
    pub shared_words: Vec<String>,
}

impl Explanation {
    /// One line for people, such as "shares the words `create`, `issue`; close in meaning; the task names
    /// the app `github`".
    pub fn in_words(&self, tool: &ToolName) -> String {
        let mut reasons = Vec::new();
        if self.features.exact_name {
            reasons.push("the task gives its name".to_owned());
        }
        if !self.shared_words.is_empty() {
            let words: Vec<String> = self
                .shared_words
                .iter()
                .take(WORDS_MAX)
                .map(|word| format!("`{word}`"))
                .collect();
            let plural = if words.len() == 1 { "" } else { "s" };
            reasons.push(format!("shares the word{plural} {}", words.join(", ")));
        }
        match self.features.cosine {
            Some(cosine) if cosine >= CLOSE => reasons.push("close in meaning".to_owned()),
            Some(cosine) if cosine >= RELATED => reasons.push("related in meaning".to_owned()),
            Some(_) => {}
            None => reasons.push("its meaning is not known yet".to_owned()),
        }
        if self.features.app >= 0.5 {
            reasons.push(format!("the task names the app `{}`", tool.app()));
        }
        if self.score.context > 0.5 * self.score.value {
            reasons.push("the context points to it".to_owned());
        }
        if reasons.is_empty() {
            reasons.push("the nearest in meaning, though not near".to_owned());
        }
        reasons.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(features: Features, score: Score, words: &[&str], expected: &str) {
        let shared_words = words.iter().map(|&word| word.to_owned()).collect();
        let explanation = Explanation {
            features,
            score,
            shared_words,
        };
        assert_eq!(
            explanation.in_words(&ToolName::new("github", "create_issue")),
            expected
        );
    }

    #[test]
    fn reasons_read_as_one_line() {
        let features = Features::default();
        let cosine = |cosine| Features {
            cosine: Some(cosine),
            ..features
        };
        let score = Score::default();
        check(
            Features {
                exact_name: true,
                app: 1.0,
                ..cosine(0.6)
            },
            score,
            &["create", "issue"],
            "the task gives its name; shares the words `create`, `issue`; close in meaning; the task names the app `github`",
        );
        check(
            cosine(0.4),
            score,
            &["issue"],
            "shares the word `issue`; related in meaning",
        );
        check(
            features,
            score,
            &["issue"],
            "shares the word `issue`; its meaning is not known yet",
        );
        check(cosine(0.2), score, &[], "the nearest in meaning, though not near");
        let from_context = Score {
            value: 0.5,
            context: 0.4,
            ..score
        };
        check(cosine(0.2), from_context, &[], "the context points to it");
    }
}
