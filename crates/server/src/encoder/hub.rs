//! What does a hub answer? The interface of the Hugging Face Hub, which mirrors of it share.

use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use bytes::Bytes;
use handpick_upstream::Clients;
use http::header::{ACCEPT_ENCODING, AUTHORIZATION, LOCATION, USER_AGENT};
use http::{HeaderMap, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use serde::Deserialize;

use super::source::HubModel;

/// The public hub; `HF_ENDPOINT` names another.
const ENDPOINT_DEFAULT: &str = "https://huggingface.co";

/// How long a hub may stay silent.
pub const SILENCE_MAX: Duration = Duration::from_secs(60);

/// Files are often kept on another host than the one that is asked.
const REDIRECTS_MAX: usize = 8;

/// A listing is some kilobytes; nothing we ask for is as long as this.
const LISTING_BYTES_MAX: usize = 16 << 20;

/// A hub, with the right to read from it.
pub struct Hub {
    clients: Clients,
    endpoint: String,
    token: Option<String>,
}

/// What a model consists of at one revision.
#[derive(Debug, Deserialize)]
pub struct ModelListing {
    /// The commit that the revision means.
    pub sha: Option<String>,
    /// Its files.
    #[serde(rename = "siblings", default)]
    pub files: Vec<ListedFile>,
}

/// A file of a model.
#[derive(Debug, Deserialize)]
pub struct ListedFile {
    /// Its name, with `/` between the parts.
    #[serde(rename = "rfilename")]
    pub name: String,
    /// Its length in bytes, where the hub tells.
    pub size: Option<u64>,
    /// What is known of a large file.
    lfs: Option<LargeFile>,
}

#[derive(Debug, Deserialize)]
struct LargeFile {
    sha256: Option<String>,
}

impl ListedFile {
    /// The SHA-256 of the content, which hubs tell of large files only.
    pub fn sha256(&self) -> Option<&str> {
        self.lfs.as_ref()?.sha256.as_deref()
    }
}

impl Hub {
    /// The hub of the environment: `HF_ENDPOINT` and `HF_TOKEN`, as other programs read them.
    pub fn of_environment() -> anyhow::Result<Self> {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        let endpoint = variable("HF_ENDPOINT").unwrap_or_else(|| ENDPOINT_DEFAULT.to_owned());
        let endpoint = endpoint.trim().trim_end_matches('/').to_owned();
        if !(endpoint.starts_with("http://") || endpoint.starts_with("https://")) {
            bail!("HF_ENDPOINT must begin with http:// or https://, not `{endpoint}`");
        }
        Ok(Self {
            clients: Clients::default(),
            endpoint,
            token: variable("HF_TOKEN").map(|token| token.trim().to_owned()),
        })
    }

    /// Its address.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Lists the files of a model.
    pub async fn listing(&self, model: &HubModel) -> anyhow::Result<ModelListing> {
        let path = format!(
            "/api/models/{}/revision/{}?blobs=true",
            model.repository, model.revision
        );
        let response = self.get(&path, model).await?;
        let body = Limited::new(response.into_body(), LISTING_BYTES_MAX).collect();
        let body = tokio::time::timeout(SILENCE_MAX, body)
            .await
            .with_context(|| format!("{} fell silent", self.endpoint))?
            .map_err(|error| anyhow!("the answer of {} broke off: {error}", self.endpoint))?;
        serde_json::from_slice(&body.to_bytes()).with_context(|| {
            format!(
                "{} answered with something else than a model; is it a hub?",
                self.endpoint
            )
        })
    }

    /// Begins to read a file at a commit.
    pub async fn file(
        &self,
        model: &HubModel,
        commit: &str,
        name: &str,
    ) -> anyhow::Result<Response<Incoming>> {
        let path = format!("/{}/resolve/{commit}/{name}", model.repository);
        self.get(&path, model).await
    }

    /// Asks, and goes where the answer leads. The token is shown to the hub itself only.
    async fn get(&self, path: &str, model: &HubModel) -> anyhow::Result<Response<Incoming>> {
        let first: Uri = format!("{}{path}", self.endpoint)
            .parse()
            .with_context(|| format!("HF_ENDPOINT is no address: `{}`", self.endpoint))?;
        let mut uri = first.clone();
        for _ in 0..REDIRECTS_MAX {
            let is_the_hub = uri.authority() == first.authority() && uri.scheme() == first.scheme();
            let response = self.send(&uri, is_the_hub).await?;
            let status = response.status();
            if status.is_success() {
                return Ok(response);
            }
            if !status.is_redirection() {
                return Err(self.refusal(status, response.headers(), model));
            }
            uri = redirected(&uri, response.headers())
                .with_context(|| format!("{} sends to an address that cannot be followed", self.endpoint))?;
        }
        bail!("{} sends from address to address without end", self.endpoint)
    }

    async fn send(&self, uri: &Uri, is_the_hub: bool) -> anyhow::Result<Response<Incoming>> {
        let mut request = Request::get(uri)
            .header(USER_AGENT, concat!("handpick/", env!("CARGO_PKG_VERSION")))
            // Lengths are compared, so nothing may be packed on the way.
            .header(ACCEPT_ENCODING, "identity");
        if let Some(token) = self.token.as_ref().filter(|_| is_the_hub) {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request
            .body(Full::<Bytes>::default())
            .context("HF_TOKEN holds what no request can carry")?;
        let host = uri.authority().map(ToString::to_string).unwrap_or_default();
        let client = self
            .clients
            .get(uri)
            .map_err(|reason| anyhow!("{host}: {reason}"))?;
        tokio::time::timeout(SILENCE_MAX, client.request(request))
            .await
            .with_context(|| format!("{host} does not answer"))?
            .map_err(|error| anyhow!("{host} cannot be reached: {}", innermost(&error)))
    }

    /// What a refusal means. Hubs answer 401 for what does not exist, too, where nobody is logged in.
    fn refusal(&self, status: StatusCode, headers: &HeaderMap, model: &HubModel) -> anyhow::Error {
        let code = headers.get("x-error-code").and_then(|code| code.to_str().ok());
        let HubModel {
            repository, revision, ..
        } = model;
        match (status, code) {
            (StatusCode::NOT_FOUND, Some("RevisionNotFound")) => {
                anyhow!("the model `{repository}` has no revision `{revision}`")
            }
            (StatusCode::NOT_FOUND, Some("EntryNotFound")) => anyhow!("a listed file is gone; try again"),
            (StatusCode::NOT_FOUND, _) => {
                anyhow!("it has no model `{repository}`, or none with the revision `{revision}`")
            }
            (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => {
                let advice = match self.token {
                    None => "set HF_TOKEN to a token that may read it",
                    Some(_) => "the token in HF_TOKEN may not read it",
                };
                anyhow!(
                    "`{repository}` does not exist there, or is not open to everyone ({status}): {advice}"
                )
            }
            (StatusCode::TOO_MANY_REQUESTS, _) => {
                anyhow!("it was asked too often ({status}); try again later")
            }
            _ => anyhow!("it answered {status}"),
        }
    }
}

/// Where an answer leads; never from a protected connection to an open one.
fn redirected(from: &Uri, headers: &HeaderMap) -> Option<Uri> {
    let target = headers.get(LOCATION)?.to_str().ok()?;
    let target: Uri = if target.starts_with('/') && !target.starts_with("//") {
        format!("{}://{}{target}", from.scheme_str()?, from.authority()?)
    } else {
        target.to_owned()
    }
    .parse()
    .ok()?;
    let protected = (
        from.scheme_str() == Some("https"),
        target.scheme_str() == Some("https"),
    );
    let is_http = matches!(target.scheme_str(), Some("http" | "https"));
    (is_http && protected != (true, false)).then_some(target)
}

/// The reason behind all reasons: what the system said.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut reason = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_keep_to_protected_connections() {
        let from = Uri::from_static("https://hub.example/a");
        for (target, expected) in [
            ("/b?c=d", Some("https://hub.example/b?c=d")),
            ("https://files.example/b", Some("https://files.example/b")),
            ("http://files.example/b", None),
            ("ftp://files.example/b", None),
            ("//files.example/b", None),
            ("b", None),
        ] {
            let headers = HeaderMap::from_iter([(LOCATION, target.parse().unwrap())]);
            let found = redirected(&from, &headers).map(|uri| uri.to_string());
            assert_eq!(found.as_deref(), expected, "{target}");
        }
    }
}
