//! What did the operator choose about requests in words?

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use handpick_mapping::Now;
use handpick_upstream::Clients;
use http::{HeaderValue, Uri};
use jiff::Timestamp;
use jiff::tz::Offset;

/// How long a model may take to read arguments, unless the operator chose otherwise.
pub const MODEL_WAIT: Duration = Duration::from_secs(10);

/// Choices of the operator about requests in words.
#[derive(Clone, Debug)]
pub struct UnifiedOptions {
    /// A model that reads arguments; without one the words are read by rules.
    pub model: Option<ChatModel>,
    /// Whether the caller's own model is asked where the caller offers it and no other is set.
    pub sampling: bool,
    /// How long either may take.
    pub timeout: Duration,
    /// How far the people's clocks are from UTC: `tomorrow at 9` is a moment by it.
    pub offset: Offset,
}

impl Default for UnifiedOptions {
    fn default() -> Self {
        Self {
            model: None,
            sampling: false,
            timeout: MODEL_WAIT,
            offset: Offset::UTC,
        }
    }
}

impl UnifiedOptions {
    /// The present where the people are.
    pub fn now(&self) -> Now {
        Now {
            local: self.offset.to_datetime(Timestamp::now()),
            offset: self.offset,
        }
    }
}

/// A model behind an OpenAI-compatible chat completions endpoint.
#[derive(Clone)]
pub struct ChatModel {
    /// Where completions are asked for: the base URL with `/chat/completions`.
    pub(super) endpoint: Uri,
    /// The model's name there.
    pub(super) name: String,
    /// `Bearer` and the key; marked sensitive, so that nothing prints it.
    pub(super) authorization: Option<HeaderValue>,
    pub(super) clients: Arc<Clients>,
}

impl ChatModel {
    /// A model at a base URL such as `http://localhost:11434/v1`.
    ///
    /// # Errors
    /// In words, beginning with the name of the setting that is wrong; a key is not repeated.
    pub fn new(base: &str, name: &str, key: Option<&str>) -> Result<Self, (&'static str, String)> {
        let wrong = || {
            (
                "model_url",
                "must be an http:// or https:// address such as `http://localhost:11434/v1`".to_owned(),
            )
        };
        if base.contains(['?', '#', '@']) {
            return Err(wrong());
        }
        let endpoint = format!("{}/chat/completions", base.trim().trim_end_matches('/'));
        let endpoint = endpoint
            .parse::<Uri>()
            .ok()
            .filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")))
            .filter(|uri| uri.host().is_some_and(|host| !host.is_empty()))
            .ok_or_else(wrong)?;
        if name.trim().is_empty() {
            return Err(("model", "must name a model of that address".to_owned()));
        }
        let authorization = match key {
            None => None,
            Some(key) => {
                let mut value = HeaderValue::from_str(&format!("Bearer {}", key.trim()))
                    .map_err(|_| ("api_key", "holds what no request can carry".to_owned()))?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        Ok(Self {
            endpoint,
            name: name.trim().to_owned(),
            authorization,
            clients: Arc::default(),
        })
    }

    /// Scheme, host and port: what may be told.
    pub fn origin(&self) -> String {
        let scheme = self.endpoint.scheme_str().unwrap_or_default();
        let authority = self
            .endpoint
            .authority()
            .map_or("", |authority| authority.as_str());
        format!("{scheme}://{authority}")
    }
}

impl fmt::Debug for ChatModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatModel")
            .field("endpoint", &self.endpoint)
            .field("name", &self.name)
            .field("authorization", &self.authorization.as_ref().map(|_| "…"))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_and_its_key_is_not_shown() {
        let model = ChatModel::new("http://localhost:11434/v1/", "small", Some("s3cret")).unwrap();
        assert_eq!(model.endpoint, "http://localhost:11434/v1/chat/completions");
        assert_eq!(model.origin(), "http://localhost:11434");
        let told = format!("{model:?}");
        assert!(told.contains("small") && !told.contains("s3cret"), "{told}");
        for (base, name, key, setting) in [
            ("localhost:1/v1", "m", None, "model_url"),
            ("ftp://localhost/v1", "m", None, "model_url"),
            ("http:///v1", "m", None, "model_url"),
            ("http://a:b@localhost/v1", "m", None, "model_url"),
            ("http://localhost/v1?x=1", "m", None, "model_url"),
            ("http://localhost/v1", " ", None, "model"),
            ("http://localhost/v1", "m", Some("a\nb"), "api_key"),
        ] {
            let (at, told) = ChatModel::new(base, name, key).unwrap_err();
            assert_eq!(at, setting, "{base}: {told}");
        }
    }
}
