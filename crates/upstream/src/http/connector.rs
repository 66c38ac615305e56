//! Which way do connections to an HTTP server take?

use std::collections::HashMap;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Uri;
use http_body_util::Full;
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::ClientConfig;
use tokio::net::TcpStream;
use tower_service::Service;

use crate::lock::lock;

/// A pool of connections.
///
/// hyper's own client, not a friendlier one on top of it: the friendlier one halves the calls a second.
pub type HttpClient = Client<HttpsConnector<Route>, Full<Bytes>>;

/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a connection nobody uses is kept.
const IDLE: Duration = Duration::from_secs(90);

/// The connection pools all servers share, each made when the first server needs it.
///
/// Certificates are loaded only for `https`, so that a machine without any can still reach the
/// servers next to it.
#[derive(Default)]
pub struct Clients {
    proxies: OnceLock<Matcher>,
    pools: Mutex<HashMap<Key, HttpClient>>,
}

/// Whether TLS is needed, and the proxy on the way.
type Key = (bool, Option<Uri>);

impl Clients {
    /// Pools that use these proxies instead of those of the environment.
    #[cfg(test)]
    pub fn with_proxies(proxies: Matcher) -> Self {
        Self {
            proxies: OnceLock::from(proxies),
            pools: Mutex::default(),
        }
    }

    /// The pool for a URL. Proxies are those of the environment (`HTTPS_PROXY` and its kin), never for
    /// this machine.
    pub fn get(&self, uri: &Uri) -> Result<HttpClient, String> {
        let secure = uri.scheme_str() == Some("https");
        let proxy = if is_loopback(uri) {
            None
        } else {
            self.proxies.get_or_init(Matcher::from_env).intercept(uri)
        };
        let mut pools = lock(&self.pools);
        let key = (secure, proxy.as_ref().map(|proxy| proxy.uri().clone()));
        if let Some(client) = pools.get(&key) {
            return Ok(client.clone());
        }
        let mut direct = HttpConnector::new();
        direct.enforce_http(false);
        direct.set_nodelay(true);
        direct.set_connect_timeout(Some(CONNECT_TIMEOUT));
        direct.set_keepalive(Some(Duration::from_secs(60)));
        let route = match proxy {
            None => Route::Direct(direct),
            Some(proxy) if proxy.uri().scheme_str() == Some("http") => {
                let tunnel = Tunnel::new(proxy.uri().clone(), direct);
                Route::Proxy(match proxy.basic_auth() {
                    Some(credentials) => tunnel.with_auth(credentials.clone()),
                    None => tunnel,
                })
            }
            Some(_) => return Err("its proxy is not an http:// one".to_owned()),
        };
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls(secure)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(route);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .build(connector);
        pools.insert(key, client.clone());
        Ok(client)
    }
}

fn tls(secure: bool) -> Result<ClientConfig, String> {
    let failed = |error: rustls::Error| format!("TLS cannot be set up: {error}");
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    let builder = if secure {
        builder.try_with_platform_verifier().map_err(failed)?
    } else {
        builder.with_root_certificates(rustls::RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}

fn is_loopback(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Makes TCP connections, straight or through a proxy's `CONNECT`.
#[derive(Clone)]
pub enum Route {
    /// Straight to the server.
    Direct(HttpConnector),
    /// Through a proxy.
    Proxy(Tunnel<HttpConnector>),
}

type Boxed = Box<dyn Error + Send + Sync>;

impl Service<Uri> for Route {
    type Response = TokioIo<TcpStream>;
    type Error = Boxed;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Boxed>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Boxed>> {
        match self {
            Self::Direct(connector) => connector.poll_ready(context).map_err(Into::into),
            Self::Proxy(tunnel) => tunnel.poll_ready(context).map_err(Into::into),
        }
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        match self {
            Self::Direct(connector) => {
                let connecting = connector.call(target);
                Box::pin(async move { connecting.await.map_err(Into::into) })
            }
            Self::Proxy(tunnel) => {
                let connecting = tunnel.call(target);
                Box::pin(async move { connecting.await.map_err(Into::into) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt as _, BufReader};

    use super::*;

    #[test]
    fn this_machine_is_recognised() {
        for (url, expected) in [
            ("http://localhost:1/x", true),
            ("http://LOCALHOST/", true),
            ("http://127.0.0.1", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:80/", true),
            ("http://example.com", false),
            ("http://10.0.0.1", false),
            ("http://localhost.example.com", false),
        ] {
            assert_eq!(is_loopback(&url.parse().unwrap()), expected, "{url}");
        }
    }

    /// Proxies of the environment are asked for what is not on this machine.
    #[tokio::test]
    async fn proxies_are_used_for_other_machines_only() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = format!("http://user:pass@{}", listener.local_addr().unwrap());
        let clients = Clients::with_proxies(Matcher::builder().all(proxy).build());
        let uri = Uri::from_static("https://mcp.example.invalid/mcp");
        let client = clients.get(&uri).unwrap();
        let request = http::Request::post(uri).body(Full::default()).unwrap();
        let sending = tokio::spawn(client.request(request));
        let (stream, _) = listener.accept().await.unwrap();
        let mut lines = BufReader::new(stream).lines();
        assert_eq!(
            lines.next_line().await.unwrap().unwrap(),
            "CONNECT mcp.example.invalid:443 HTTP/1.1"
        );
        let mut authorized = false;
        while let Some(line) = lines.next_line().await.unwrap().filter(|line| !line.is_empty()) {
            authorized |= line.eq_ignore_ascii_case("proxy-authorization: Basic dXNlcjpwYXNz");
        }
        assert!(authorized);
        drop(lines);
        assert!(sending.await.unwrap().is_err());
        clients.get(&Uri::from_static("http://localhost:1/mcp")).unwrap();
        assert!(lock(&clients.pools).contains_key(&(false, None)));
    }
}
