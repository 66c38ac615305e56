//! How does the command line ask a running gateway?

use anyhow::{Context as _, anyhow, bail};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::args::GatewayArgs;

type Http = hyper_util::client::legacy::Client<HttpsConnector<HttpConnector>, Full<bytes::Bytes>>;

/// A running gateway, with the key it is asked with.
pub struct Client {
    http: Http,
    url: String,
    key: Option<String>,
}

impl Client {
    /// A client for the gateway the arguments name. `HANDPICK_ADMIN_KEY` serves where no key is given.
    pub fn new(args: &GatewayArgs) -> anyhow::Result<Self> {
        let key = args
            .key
            .clone()
            .or_else(|| std::env::var("HANDPICK_ADMIN_KEY").ok());
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_platform_verifier(rustls::crypto::ring::default_provider())
            .context("TLS cannot be set up")?
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Self {
            http: hyper_util::client::legacy::Client::builder(TokioExecutor::new()).build(connector),
            url: args.url.trim_end_matches('/').to_owned(),
            key,
        })
    }

    /// Sends one request and reads its JSON answer.
    ///
    /// # Errors
    /// One sentence: nothing listens there, the key is wrong, or what the gateway itself says.
    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url));
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let request = request
            .body(Full::from(body.map(Value::to_string).unwrap_or_default()))
            .with_context(|| format!("{} or the key cannot be used in a request", self.url))?;
        let response = self.http.request(request).await.map_err(|error| {
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
        let body = response
            .into_body()
            .collect()
            .await
            .context("the gateway's answer broke off")?;
        let answer: Value = serde_json::from_slice(&body.to_bytes()).map_err(|_| {
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
