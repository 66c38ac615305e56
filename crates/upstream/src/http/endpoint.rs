//! How is an HTTP request to a server made and sent?

use std::collections::BTreeMap;
use std::error::Error as _;
use std::sync::OnceLock;
use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Request, Response, Url};

use crate::fault::Fault;

/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Redirects in a row that are followed.
const REDIRECTS_MAX: usize = 5;

/// The connection pools all servers share, each made when the first server needs it.
///
/// Certificates are loaded only for `https`, so that a machine without any can still reach the
/// servers next to it; and what is on this machine is never asked for through a proxy.
#[derive(Debug, Default)]
pub(crate) struct Clients {
    pools: [OnceLock<Result<Client, String>>; 4],
}

impl Clients {
    fn get(&self, url: &Url) -> Result<Client, Fault> {
        let (secure, near) = (url.scheme() == "https", is_loopback(url));
        let pool = &self.pools[usize::from(secure) * 2 + usize::from(near)];
        pool.get_or_init(|| build(secure, near))
            .clone()
            .map_err(Fault::NotSent)
    }
}

fn build(secure: bool, near: bool) -> Result<Client, String> {
    // Somebody else in this process may have chosen a provider already; that one serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .referer(false)
        .redirect(Policy::custom(follow_within_origin));
    if !secure {
        builder = builder.tls_certs_only([]);
    }
    if near {
        builder = builder.no_proxy();
    }
    builder
        .build()
        .map_err(|error| format!("the HTTP client cannot be set up: {}", innermost(&error)))
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    })
}

/// Credentials travel in headers of any name, so they must never follow a redirect to another origin;
/// and a redirect that turns POST into GET cannot be what was meant.
fn follow_within_origin(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let keeps_method = matches!(attempt.status().as_u16(), 307 | 308);
    let same_origin = attempt
        .previous()
        .first()
        .is_some_and(|first| first.origin() == attempt.url().origin());
    if keeps_method && same_origin && attempt.previous().len() <= REDIRECTS_MAX {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// One URL with the headers its settings ask for.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    client: Client,
    /// Where requests go.
    pub url: Url,
    headers: HeaderMap,
}

impl Endpoint {
    /// Reads the settings. Fails in words when the URL or a header cannot be used.
    pub fn new(clients: &Clients, url: &str, headers: &BTreeMap<String, String>) -> Result<Self, Fault> {
        let url = Url::parse(url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| Fault::NotSent("its `url` is not an http:// or https:// URL".to_owned()))?;
        let mut map = HeaderMap::with_capacity(headers.len() + 8);
        map.insert(
            USER_AGENT,
            HeaderValue::from_static(concat!("handpick/", env!("CARGO_PKG_VERSION"))),
        );
        let client = clients.get(&url)?;
        // Credentials in the URL become a header, as browsers do it, and leave the URL.
        let probe = client
            .get(url)
            .build()
            .map_err(|error| Fault::NotSent(innermost(&error)))?;
        if let Some(credentials) = probe.headers().get(AUTHORIZATION) {
            map.insert(AUTHORIZATION, credentials.clone());
        }
        for (name, value) in headers {
            let name = HeaderName::try_from(name)
                .map_err(|_| Fault::NotSent(format!("its header name `{name}` is not valid")))?;
            let mut value = HeaderValue::try_from(value)
                .map_err(|_| Fault::NotSent(format!("the value of its header `{name}` is not valid")))?;
            value.set_sensitive(true);
            map.insert(name, value);
        }
        Ok(Self {
            client,
            url: probe.url().clone(),
            headers: map,
        })
    }

    /// The same credentials for another URL of the same origin.
    pub fn at(&self, url: Url) -> Self {
        Self { url, ..self.clone() }
    }

    /// A request without a body.
    pub fn bare(&self, method: Method) -> Request {
        let mut request = Request::new(method, self.url.clone());
        *request.headers_mut() = self.headers.clone();
        request
    }

    /// A POST of one message.
    pub fn post(&self, message: String) -> Request {
        let mut request = self.bare(Method::POST);
        request
            .headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *request.body_mut() = Some(message.into());
        request
    }

    /// Sends a request up to the head of the response.
    pub async fn send(&self, request: Request) -> Result<Response, Fault> {
        self.client.execute(request).await.map_err(|error| {
            let reason = format!("{} cannot be reached: {}", self.origin(), innermost(&error));
            if error.is_connect() || error.is_builder() {
                Fault::NotSent(reason)
            } else {
                Fault::Broken(format!(
                    "{} broke the connection: {}",
                    self.origin(),
                    innermost(&error)
                ))
            }
        })
    }

    /// Scheme, host and port: what may be shown. Paths and queries carry secrets.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

/// The deepest cause of an HTTP error: the outer ones repeat the URL and say nothing.
pub(crate) fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = match error.source() {
        Some(source) => source,
        None => return "the request failed".to_owned(),
    };
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusable_settings_are_named() {
        let clients = Clients::default();
        let fault = |url: &str, name: &str, value: &str| {
            let headers = BTreeMap::from([(name.to_owned(), value.to_owned())]);
            Endpoint::new(&clients, url, &headers).unwrap_err().describe()
        };
        for url in ["", "example.com", "ftp://example.com", "http://"] {
            assert!(fault(url, "a", "b").contains("`url`"), "{url}");
        }
        assert!(fault("http://localhost", "a b", "c").contains("`a b`"));
        let bad_value = fault("http://localhost", "a", "s3cret\n");
        assert!(
            bad_value.contains("`a`") && !bad_value.contains("s3cret"),
            "{bad_value}"
        );
    }

    #[test]
    fn credentials_in_the_url_become_a_header() {
        let url = "http://user:p%40ss@localhost:1/mcp";
        let endpoint = Endpoint::new(&Clients::default(), url, &BTreeMap::new()).unwrap();
        assert_eq!(endpoint.url.as_str(), "http://localhost:1/mcp");
        assert_eq!(endpoint.headers[AUTHORIZATION], "Basic dXNlcjpwQHNz");
    }

    #[test]
    fn this_machine_is_recognised() {
        for (url, expected) in [
            ("http://localhost:1/x", true),
            ("http://127.0.0.1", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:80/", true),
            ("http://example.com", false),
            ("http://10.0.0.1", false),
            ("http://localhost.example.com", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }
}
