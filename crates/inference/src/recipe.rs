//! How is a model to be used, by what its folder says? The files of sentence-transformers, where there are any.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::files::{POOLING, PROMPTS, STEPS};

/// How the vectors of the tokens become the one of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pooling {
    /// Their mean.
    #[default]
    Mean,
    /// The first one, of the start marker.
    First,
    /// The last one.
    Last,
    /// The largest of each dimension.
    Max,
}

impl Pooling {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::First => "first token",
            Self::Last => "last token",
            Self::Max => "maximum",
        }
    }
}

/// How a model is to be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipe {
    /// From the vectors of the tokens to that of the text.
    pub pooling: Pooling,
    /// What is put before a request.
    pub question_prefix: String,
    /// What is put before a description.
    pub passage_prefix: String,
    /// A step after the pooling that only an output `sentence_embedding` can include.
    pub further_step: Option<String>,
}

/// A file that says something else than expected.
#[derive(Debug)]
pub struct BadRecipe {
    /// The file.
    pub file: PathBuf,
    /// What is wrong.
    pub reason: String,
}

/// How requests are called among the prompts of a model, and how descriptions are.
const QUESTION: [&str; 2] = ["query", "retrieval.query"];
const PASSAGE: [&str; 3] = ["passage", "document", "retrieval.passage"];

impl Recipe {
    /// Reads what the files of `folder` say; one that is absent says nothing.
    pub fn read(folder: &Path) -> Result<Self, BadRecipe> {
        let mut recipe = Self::default();
        if let Some(pooling) = json(folder, POOLING)? {
            recipe.pooling = pooling_of(&pooling).map_err(|reason| BadRecipe {
                file: folder.join(POOLING),
                reason,
            })?;
        }
        if let Some(prompts) = json(folder, PROMPTS)? {
            recipe.question_prefix = prompt(&prompts, &QUESTION);
            recipe.passage_prefix = prompt(&prompts, &PASSAGE);
        }
        if let Some(steps) = json(folder, STEPS)? {
            recipe.further_step = further_step(&steps);
        }
        Ok(recipe)
    }
}

fn json(folder: &Path, name: &str) -> Result<Option<Value>, BadRecipe> {
    let file = folder.join(name);
    let text = match std::fs::read(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            let reason = format!("cannot be read: {error}");
            return Err(BadRecipe { file, reason });
        }
    };
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| BadRecipe {
            file,
            reason: format!("is not JSON: {error}"),
        })
}

/// The way of pooling: one of several switches, or by name in newer files.
fn pooling_of(config: &Value) -> Result<Pooling, String> {
    let switched = config
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| {
            let mode = key.strip_prefix("pooling_mode_")?;
            (value == &Value::Bool(true)).then_some(mode)
        });
    let named = match &config["pooling_mode"] {
        Value::String(mode) => vec![mode.as_str()],
        Value::Array(modes) => modes.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let modes: Vec<&str> = switched.chain(named).collect();
    match modes.as_slice() {
        [] | ["mean_tokens" | "mean" | "mean_sqrt_len_tokens"] => Ok(Pooling::Mean),
        ["cls_token" | "cls"] => Ok(Pooling::First),
        ["lasttoken"] => Ok(Pooling::Last),
        ["max_tokens" | "max"] => Ok(Pooling::Max),
        _ => Err(format!(
            "asks to pool by {}: mean_tokens, cls_token, lasttoken or max_tokens can be computed",
            modes.join(" and ")
        )),
    }
}

/// The prompt of one of these names, or the one the model takes by default.
fn prompt(config: &Value, names: &[&str]) -> String {
    let prompts = &config["prompts"];
    let default = config["default_prompt_name"].as_str();
    let mut names = names.iter().copied().chain(default);
    let prompt = names.find_map(|name| prompts[name].as_str());
    prompt.unwrap_or_default().to_owned()
}

/// A step that is neither the network itself, nor pooling, nor scaling to unit length.
fn further_step(steps: &Value) -> Option<String> {
    let kinds = steps.as_array().into_iter().flatten().filter_map(|step| {
        let kind = step["type"].as_str()?;
        Some(kind.rsplit('.').next().unwrap_or(kind))
    });
    let mut others = kinds.filter(|kind| !matches!(*kind, "Transformer" | "Pooling" | "Normalize"));
    others.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ways_of_pooling() {
        for (config, expected) in [
            (json!({}), Some(Pooling::Mean)),
            (
                json!({"word_embedding_dimension": 384, "pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}),
                Some(Pooling::Mean),
            ),
            (
                json!({"pooling_mode_mean_tokens": false, "pooling_mode_cls_token": true}),
                Some(Pooling::First),
            ),
            (json!({"pooling_mode": "cls"}), Some(Pooling::First)),
            (json!({"pooling_mode": ["lasttoken"]}), Some(Pooling::Last)),
            (json!({"pooling_mode_max_tokens": true}), Some(Pooling::Max)),
            (
                json!({"pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": true}),
                None,
            ),
            (json!({"pooling_mode": "weightedmean"}), None),
        ] {
            assert_eq!(pooling_of(&config).ok(), expected, "{config}");
        }
    }

    #[test]
    fn prompts_are_found_by_their_usual_names() {
        let e5 =
            json!({"prompts": {"query": "query: ", "passage": "passage: "}, "default_prompt_name": null});
        assert_eq!(
            (prompt(&e5, &QUESTION), prompt(&e5, &PASSAGE)),
            ("query: ".into(), "passage: ".into())
        );
        let one = json!({"prompts": {"query": "Q: "}});
        assert_eq!(
            (prompt(&one, &QUESTION), prompt(&one, &PASSAGE)),
            ("Q: ".into(), String::new())
        );
        let always = json!({"prompts": {"all": "A: "}, "default_prompt_name": "all"});
        assert_eq!(prompt(&always, &PASSAGE), "A: ");
        assert_eq!(prompt(&json!({"prompts": [1]}), &PASSAGE), "");
    }

    #[test]
    fn a_step_that_cannot_be_computed_is_noticed() {
        let step = |kind: &str| json!({"type": format!("sentence_transformers.models.{kind}")});
        assert_eq!(
            further_step(&json!([step("Transformer"), step("Pooling"), step("Normalize")])),
            None
        );
        let labse = json!([
            step("Transformer"),
            step("Pooling"),
            step("Dense"),
            step("Normalize")
        ]);
        assert_eq!(further_step(&labse).as_deref(), Some("Dense"));
        assert_eq!(further_step(&json!("?")), None);
    }
}
