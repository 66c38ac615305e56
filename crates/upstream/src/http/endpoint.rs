//! How is an HTTP request to a server made and sent?

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwapOption;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;

use super::connector::{Clients, HttpClient};
use super::url;
use crate::fault::Fault;

/// A request with its whole body.
pub(crate) type Request = http::Request<Full<Bytes>>;

/// A response whose body is still to come.
pub(crate) type Response = http::Response<Incoming>;

/// Redirects in a row that are followed.
const REDIRECTS_MAX: usize = 5;

/// One URL with the headers its settings ask for.
#[derive(Clone)]
pub(crate) struct Endpoint {
    client: HttpClient,
    uri: Uri,
    headers: HeaderMap,
    /// Where the server said requests should go instead.
    moved: Arc<ArcSwapOption<Uri>>,
    /// Whether it was seen to answer without a redirect.
    found: Arc<AtomicBool>,
}

impl Endpoint {
    /// Reads the settings. Fails in words when the URL or a header cannot be used.
    pub fn new(clients: &Clients, url: &str, headers: &BTreeMap<String, String>) -> Result<Self, Fault> {
        let (uri, credentials) = url
            .parse::<Uri>()
            .ok()
            .filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")))
            .and_then(|uri| url::split_credentials(&uri))
            .filter(|(uri, _)| uri.host().is_some_and(|host| !host.is_empty()))
            .ok_or_else(|| Fault::NotSent("its `url` is not an http:// or https:// URL".to_owned()))?;
        let mut map = HeaderMap::with_capacity(headers.len() + 10);
        map.insert(
            USER_AGENT,
            HeaderValue::from_static(concat!("handpick/", env!("CARGO_PKG_VERSION"))),
        );
        let basic = credentials.map(|credentials| format!("Basic {}", STANDARD.encode(credentials)));
        let basic = basic.map(|value| (AUTHORIZATION.as_str().to_owned(), value));
        let configured = headers.iter().map(|(name, value)| (name.clone(), value.clone()));
        for (name, value) in basic.into_iter().chain(configured) {
            let name = HeaderName::try_from(&name)
                .map_err(|_| Fault::NotSent(format!("its header name `{name}` is not valid")))?;
            let mut value = HeaderValue::try_from(value)
                .map_err(|_| Fault::NotSent(format!("the value of its header `{name}` is not valid")))?;
            value.set_sensitive(true);
            map.insert(name, value);
        }
        Ok(Self {
            client: clients.get(&uri).map_err(Fault::NotSent)?,
            uri,
            headers: map,
            moved: Arc::default(),
            found: Arc::default(),
        })
    }

    /// The same credentials for what the server names; `None` when that is elsewhere.
    pub fn at(&self, reference: &str) -> Option<Self> {
        Some(Self {
            uri: url::resolve(&self.uri, reference)?,
            moved: Arc::default(),
            found: Arc::default(),
            ..self.clone()
        })
    }

    /// A request without a body.
    pub fn bare(&self, method: Method) -> Request {
        let mut request = Request::default();
        *request.method_mut() = method;
        *request.uri_mut() = match &*self.moved.load() {
            Some(moved) => Uri::clone(moved),
            None => self.uri.clone(),
        };
        *request.headers_mut() = self.headers.clone();
        request
    }

    /// A POST of one message.
    pub fn post(&self, message: String) -> Request {
        let mut request = self.bare(Method::POST);
        request
            .headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *request.body_mut() = Full::from(message);
        request
    }

    /// Sends a request up to the head of the response. Redirects within the origin are followed until
    /// the endpoint was found once; those that would turn POST into GET cannot be what was meant.
    pub async fn send(&self, mut request: Request) -> Result<Response, Fault> {
        for _ in 0..REDIRECTS_MAX {
            let again = (!self.found.load(Ordering::Relaxed)).then(|| request.clone());
            let response = self.client.request(request).await.map_err(|error| {
                let reason = innermost(&error);
                if error.is_connect() {
                    Fault::NotSent(format!("{} cannot be reached: {reason}", self.origin()))
                } else {
                    Fault::Broken(format!("{} broke the connection: {reason}", self.origin()))
                }
            })?;
            let target = matches!(response.status().as_u16(), 307 | 308)
                .then(|| response.headers().get(LOCATION)?.to_str().ok())
                .flatten()
                .and_then(|location| url::resolve(&self.uri, location));
            let Some(target) = target else {
                self.found.store(true, Ordering::Relaxed);
                return Ok(response);
            };
            self.moved.store(Some(Arc::new(target.clone())));
            match again {
                Some(again) => request = again,
                None => return Ok(response),
            }
            *request.uri_mut() = target;
        }
        Err(Fault::NotSent(format!("{} redirects in circles", self.origin())))
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        url::origin(&self.uri).unwrap_or_default()
    }
}

/// The next piece of a body; `None` at its end.
pub(crate) async fn chunk(response: &mut Response) -> Result<Option<Bytes>, hyper::Error> {
    while let Some(frame) = response.body_mut().frame().await.transpose()? {
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

/// The deepest cause of an error: the outer ones say nothing more.
pub(crate) fn innermost(error: &dyn Error) -> String {
    let mut cause = error;
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
            Endpoint::new(&clients, url, &headers).err().unwrap().describe()
        };
        for url in [
            "",
            "example.com",
            "ftp://example.com",
            "http://",
            "/mcp",
            "http://a b/",
        ] {
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
        assert_eq!(endpoint.uri, "http://localhost:1/mcp");
        assert_eq!(endpoint.headers[AUTHORIZATION], "Basic dXNlcjpwQHNz");
    }
}
