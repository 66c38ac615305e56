//! Which server is reached, and how?

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use handpick_domain::ToolGlobs;
use handpick_protocol::LocalServer;

/// One upstream server, as the settings name it.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The app part of its tools' canonical names. Contains no dot.
    pub name: String,
    /// How it is reached.
    pub transport: Transport,
    /// How long one call may stay silent. Every progress notification starts the clock again, up to
    /// an hour in all.
    pub call_timeout: Duration,
    /// How long the server may take to start, to open its session and to answer one page of its list.
    pub start_timeout: Duration,
    /// The age at which a cached list is fetched again in the background.
    pub catalog_max_age: Duration,
    /// Digest of the settings. A list cached under another digest is served only until the first
    /// fetch succeeds.
    pub digest: String,
    /// Its tools that are listed as themselves whatever the presentation (P23).
    pub system: ToolGlobs,
}

impl ServerConfig {
    /// A server with the default limits: calls 60 s, start 30 s, lists 24 h.
    pub fn new(name: impl Into<String>, transport: Transport) -> Self {
        Self {
            name: name.into(),
            transport,
            call_timeout: Duration::from_secs(60),
            start_timeout: Duration::from_secs(30),
            catalog_max_age: Duration::from_secs(24 * 60 * 60),
            digest: String::new(),
            system: ToolGlobs::nothing(),
        }
    }
}

/// How a server is reached.
#[derive(Clone)]
pub enum Transport {
    /// A child process that speaks over its standard streams.
    Stdio {
        /// Program, looked up on `PATH` unless it contains a `/`.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables set on top of this process's environment (less those named `HANDPICK_*`).
        env: BTreeMap<String, String>,
        /// Working directory; this process's own where absent.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP of either era; falls back to HTTP+SSE where the server speaks only that.
    Http {
        /// The MCP endpoint.
        url: String,
        /// Sent with every request, for instance `Authorization`.
        headers: BTreeMap<String, String>,
    },
    /// The HTTP+SSE transport of 2024-11-05.
    Sse {
        /// The event stream.
        url: String,
        /// Sent with every request, for instance `Authorization`.
        headers: BTreeMap<String, String>,
    },
    /// A server in this process.
    Local(Arc<dyn LocalServer>),
}

/// [`Transport`] without its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransportKind {
    /// A child process.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05.
    Sse,
    /// In this process.
    Local,
}

impl TransportKind {
    /// Stable spelling for storage and display.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Sse => "sse",
            Self::Local => "local",
        }
    }

    /// Reads [`TransportKind::as_str`] back.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Stdio, Self::Http, Self::Sse, Self::Local]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

impl Transport {
    /// Which transport this is.
    pub fn kind(&self) -> TransportKind {
        match self {
            Self::Stdio { .. } => TransportKind::Stdio,
            Self::Http { .. } => TransportKind::Http,
            Self::Sse { .. } => TransportKind::Sse,
            Self::Local(_) => TransportKind::Local,
        }
    }
}

/// Shows where the server is, never the values of `env` or `headers`: they are often secrets.
impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { command, .. } => f.debug_tuple("Stdio").field(command).finish(),
            Self::Http { url, .. } => f.debug_tuple("Http").field(&without_query(url)).finish(),
            Self::Sse { url, .. } => f.debug_tuple("Sse").field(&without_query(url)).finish(),
            Self::Local(_) => f.write_str("Local"),
        }
    }
}

fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_stay_out_of_debug_output() {
        let secret = BTreeMap::from([("Authorization".to_owned(), "Bearer s3cret".to_owned())]);
        for transport in [
            Transport::Http {
                url: "https://example.com/mcp?key=s3cret".into(),
                headers: secret.clone(),
            },
            Transport::Stdio {
                command: "server".into(),
                args: vec!["--token=s3cret".into()],
                env: secret,
                cwd: None,
            },
        ] {
            let text = format!("{:?}", ServerConfig::new("x", transport));
            assert!(!text.contains("s3cret"), "{text}");
        }
    }

    #[test]
    fn kinds_are_read_back() {
        for kind in [
            TransportKind::Stdio,
            TransportKind::Http,
            TransportKind::Sse,
            TransportKind::Local,
        ] {
            assert_eq!(TransportKind::parse(kind.as_str()), Some(kind));
        }
    }
}
