//! How does the command line ask a running gateway?

use anyhow::{Context as _, anyhow, bail};
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::args::GatewayArgs;

/// A running gateway, with the key it is asked with.
pub struct Client {
    http: reqwest::Client,
    url: String,
    key: Option<String>,
}

impl Client {
    /// A client for the gateway the arguments name. `HANDPICK_ADMIN_KEY` serves where no key is given.
    pub fn new(args: &GatewayArgs) -> anyhow::Result<Self> {
        crate::wire::install_crypto();
        let key = args
            .key
            .clone()
            .or_else(|| std::env::var("HANDPICK_ADMIN_KEY").ok());
        let http = reqwest::Client::builder()
            .build()
            .context("no HTTP client can be made")?;
        Ok(Self {
            http,
            url: args.url.trim_end_matches('/').to_owned(),
            key,
        })
    }

    /// Sends one request and reads its JSON answer.
    ///
    /// # Errors
    /// One sentence: nothing listens there, the key is wrong, or what the gateway itself says.
    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body.to_string());
        }
        let response = request.send().await.map_err(|error| {
            if error.is_connect() {
                anyhow!(
                    "no gateway answers at {}; start one with `handpick serve`",
                    self.url
                )
            } else {
                anyhow!("the gateway at {} cannot be asked: {error}", self.url)
            }
        })?;
        let status = response.status();
        let text = response.text().await.context("the gateway's answer broke off")?;
        let answer: Value = serde_json::from_str(&text).map_err(|_| {
            anyhow!(
                "{} answered {status} with something that is not JSON; is it a Handpick gateway?",
                self.url
            )
        })?;
        if status.is_success() {
            return Ok(answer);
        }
        if status == StatusCode::UNAUTHORIZED {
            bail!("a key is needed: set HANDPICK_KEY or pass --key; `handpick keys create` makes one");
        }
        bail!("{}", describe(&answer))
    }
}

/// The gateway's own words: the message, and each field that is wrong.
fn describe(answer: &Value) -> String {
    let message = answer["message"]
        .as_str()
        .unwrap_or("the gateway refused without a reason");
    let fields: Vec<String> = answer["field_errors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|field| {
            format!(
                "{} {}",
                field["field"].as_str().unwrap_or_default(),
                field["message"].as_str().unwrap_or_default()
            )
        })
        .collect();
    if fields.is_empty() {
        message.to_owned()
    } else {
        format!("{message}: {}", fields.join("; "))
    }
}
