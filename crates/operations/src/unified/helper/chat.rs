//! How is an OpenAI-compatible endpoint asked?

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderValue, Request, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::ChatModel;
use super::prompt::Prompt;

/// The longest answer that is read.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Asks for a completion in the shape of the tool's schema; once more in plain JSON where the endpoint knows no
/// shapes.
///
/// # Errors
/// What the model did instead, to go on "the model". Neither the key nor what the endpoint wrote is repeated.
pub(super) async fn complete(model: &ChatModel, prompt: &Prompt) -> Result<String, String> {
    let mut body = json!({
        "model": model.name,
        "temperature": 0,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user}
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "arguments", "schema": &*prompt.schema, "strict": false}
        }
    });
    match post(model, &body).await {
        Err(Failure::Status(StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY)) => {
            if let Some(body) = body.as_object_mut() {
                body.remove("response_format");
            }
            post(model, &body).await
        }
        other => other,
    }
    .and_then(|answer| content(&answer))
    .map_err(Failure::told)
}

enum Failure {
    Status(StatusCode),
    Told(String),
}

impl Failure {
    fn told(self) -> String {
        match self {
            Self::Status(status) => format!("answered HTTP {}", status.as_u16()),
            Self::Told(text) => text,
        }
    }
}

async fn post(model: &ChatModel, body: &Value) -> Result<Bytes, Failure> {
    let told = |text: &str| Failure::Told(text.to_owned());
    let mut request = Request::post(model.endpoint.clone())
        .header(USER_AGENT, concat!("handpick/", env!("CARGO_PKG_VERSION")))
        .header(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(authorization) = &model.authorization {
        request = request.header(AUTHORIZATION, authorization);
    }
    let request = request
        .body(Full::from(body.to_string()))
        .map_err(|_| told("cannot be asked"))?;
    let client = model.clients.get(&model.endpoint).map_err(|reason| {
        tracing::warn!(reason, at = model.origin(), "the model cannot be reached");
        told("cannot be reached")
    })?;
    let response = client.request(request).await.map_err(|error| {
        tracing::warn!(%error, at = model.origin(), "the model cannot be reached");
        told("cannot be reached")
    })?;
    let status = response.status();
    if !status.is_success() {
        return Err(Failure::Status(status));
    }
    let body = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect();
    let body = body.await.map_err(|_| told("broke off its answer"))?;
    Ok(body.to_bytes())
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Value,
    #[serde(default)]
    refusal: Option<String>,
}

/// The text of the first choice.
fn content(answer: &[u8]) -> Result<String, Failure> {
    let told = |text: &str| Failure::Told(text.to_owned());
    let completion: Completion =
        serde_json::from_slice(answer).map_err(|_| told("answered with something that is no completion"))?;
    let message = completion
        .choices
        .into_iter()
        .next()
        .map(|choice| choice.message)
        .ok_or_else(|| told("answered with no choice"))?;
    if message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(told("refused"));
    }
    match message.content {
        Value::String(text) => Ok(text),
        Value::Array(parts) => Ok(parts.iter().filter_map(|part| part["text"].as_str()).collect()),
        _ => Err(told("answered without a text")),
    }
}
