//! How does the command line ask a running gateway?

use anyhow::{Context as _, anyhow, bail};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::args::ServiceArgs;
use crate::wire::admin_key_of_environment;

type Http = hyper_util::client::legacy::Client<HttpsConnector<HttpConnector>, Full<bytes::Bytes>>;

/// A running gateway, with the key it is asked with.
pub struct Client {
    http: Http,
    url: String,
    key: Option<String>,
}

impl Client {
    /// A client for the gateway the arguments name. `HANDPICK_ADMIN_KEY` serves where no key is given.
    pub fn new(args: &ServiceArgs) -> anyhow::Result<Self> {
        let given = args.key.clone().filter(|key| !key.trim().is_empty());
        let key = given.or_else(admin_key_of_environment);
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
            .with_context(|| format!("`{}` or the key holds what no request can carry", self.url))?;
        if request.uri().host().is_none() {
            bail!(
                "`{}` is no address of a gateway; it must be such as http://127.0.0.1:8722",
                self.url
            );
        }
        let response = self.http.request(request).await.map_err(|error| {
            let reason = innermost(&error);
            if error.is_connect() {
                anyhow!(
                    "no gateway answers at {} ({reason}); start one with `handpick serve`",
                    self.url
                )
            } else {
                anyhow!("the gateway at {} ended before it answered: {reason}", self.url)
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
            match self.key {
                None => {
                    bail!("a key is needed: set HANDPICK_KEY or pass --key; `handpick keys create` makes one")
                }
                Some(_) => bail!(
                    "the gateway at {} does not know this key, or it was revoked; `handpick keys create` makes one",
                    self.url
                ),
            }
        }
        bail!("{}", describe(&answer))
    }
}

/// The reason behind all reasons: what the system said.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut reason = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}

/// The gateway's own words; its message names every field that is wrong.
fn describe(answer: &Value) -> String {
    // The context API says it shorter.
    let message = answer["message"].as_str().or_else(|| answer["error"].as_str());
    message
        .unwrap_or("the gateway refused without a reason")
        .to_owned()
}
