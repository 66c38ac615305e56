//! How long does one tool call take, and how many fit into a second?

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use handpick_protocol::version::{
    Era, LEGACY, META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_PROTOCOL_VERSION, MODERN,
};

use crate::http_one::{Connection, HttpError};

/// Where calls go and what they say.
#[derive(Clone, Debug)]
pub struct Target {
    /// What reports call it.
    pub name: String,
    /// `http://host:port/path`.
    pub url: String,
    /// The tool's name as this server lists it.
    pub tool: String,
    /// The arguments, as JSON.
    pub arguments: String,
    /// Which era is spoken.
    pub era: Era,
    /// Bearer key, where one is needed.
    pub key: Option<String>,
}

/// What a run may cost at most.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Connections, each with one call at a time.
    pub callers: usize,
    /// Calls in all.
    pub calls: u64,
    /// Time after which no further call is begun.
    pub time: Duration,
}

/// What a run measured.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// How long each successful call took, sorted.
    pub latencies: Vec<Duration>,
    /// Calls that failed: HTTP status, JSON-RPC error or tool error.
    pub failed: u64,
    /// The first failure, in words.
    pub first_failure: Option<String>,
    /// From the first call's begin to the last one's end.
    pub took: Duration,
}

impl Measured {
    /// The latency that this share (0 to 1) of the calls did not exceed; zero without calls.
    pub fn quantile(&self, share: f64) -> Duration {
        let last = self.latencies.len().saturating_sub(1);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a rank within a list that fits into memory"
        )]
        let rank = (share * last as f64).round() as usize;
        self.latencies.get(rank).copied().unwrap_or_default()
    }

    /// Successful calls a second.
    pub fn per_second(&self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 calls")]
        let calls = self.latencies.len() as f64;
        calls / self.took.as_secs_f64().max(1e-9)
    }
}

/// Why a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The URL is not `http://host:port/path`.
    #[error("`{0}` is not of the form http://host:port/path")]
    Url(String),
    /// The server cannot be reached or does not answer in HTTP.
    #[error("{0}: {1}")]
    Http(String, HttpError),
    /// The server refused the handshake.
    #[error("{0}: the handshake was answered with status {1}: {2}")]
    Handshake(String, u16, String),
}

/// A target that is ready for calls: its session is open, its requests are spelled out.
#[derive(Clone)]
pub struct Ready {
    target: Target,
    address: String,
    path: String,
    session: Option<String>,
}

impl Ready {
    /// Splits the URL and, in the era of sessions, opens one.
    pub async fn new(target: Target) -> Result<Self, LoadError> {
        let bad = || LoadError::Url(target.url.clone());
        let rest = target.url.strip_prefix("http://").ok_or_else(bad)?;
        let (address, path) = rest.split_once('/').ok_or_else(bad)?;
        let (address, path) = (address.to_owned(), format!("/{path}"));
        let mut ready = Self {
            target,
            address,
            path,
            session: None,
        };
        if ready.target.era == Era::Legacy {
            ready.handshake().await?;
        }
        Ok(ready)
    }

    async fn handshake(&mut self) -> Result<(), LoadError> {
        let name = self.target.name.clone();
        let failed = |error| LoadError::Http(name.clone(), error);
        let mut connection = Connection::open(&self.address).await.map_err(failed)?;
        let hello = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{}","capabilities":{{}},"clientInfo":{{"name":"load","version":"1.0.0"}}}}}}"#,
            LEGACY[0]
        );
        let response = connection
            .exchange(&self.request(&hello, false))
            .await
            .map_err(failed)?;
        if response.status != 200 {
            let text = String::from_utf8_lossy(response.body).into_owned();
            return Err(LoadError::Handshake(name, response.status, text));
        }
        self.session = response.session;
        let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        connection
            .exchange(&self.request(initialized, false))
            .await
            .map_err(failed)?;
        Ok(())
    }

    /// One request, head and body, ready to be written.
    fn request(&self, body: &str, is_call: bool) -> Vec<u8> {
        let mut head = format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
            self.path,
            self.address,
            body.len()
        );
        let version = if self.target.era == Era::Modern {
            MODERN
        } else {
            LEGACY[0]
        };
        if is_call || self.session.is_some() {
            head += &format!("MCP-Protocol-Version: {version}\r\n");
        }
        if self.target.era == Era::Modern {
            head += &format!("Mcp-Method: tools/call\r\nMcp-Name: {}\r\n", self.target.tool);
        }
        if let Some(session) = &self.session {
            head += &format!("Mcp-Session-Id: {session}\r\n");
        }
        if let Some(key) = &self.target.key {
            head += &format!("Authorization: Bearer {key}\r\n");
        }
        let mut request = head.into_bytes();
        request.extend_from_slice(b"\r\n");
        request.extend_from_slice(body.as_bytes());
        request
    }

    fn call(&self, id: u64) -> Vec<u8> {
        let meta = match self.target.era {
            Era::Legacy => String::new(),
            Era::Modern => format!(
                r#","_meta":{{"{META_PROTOCOL_VERSION}":"{MODERN}","{META_CLIENT_INFO}":{{"name":"load","version":"1.0.0"}},"{META_CLIENT_CAPABILITIES}":{{}}}}"#
            ),
        };
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{}","arguments":{}{meta}}}}}"#,
            self.target.tool, self.target.arguments
        );
        self.request(&body, true)
    }

    /// Calls until one of the bounds is reached.
    pub async fn run(&self, bounds: Bounds) -> Measured {
        let next = Arc::new(AtomicU64::new(0));
        let started = Instant::now();
        let callers: Vec<_> = (0..bounds.callers.max(1))
            .map(|_| tokio::spawn(call_in_turn(self.clone(), next.clone(), bounds, started)))
            .collect();
        let mut all = Measured::default();
        for caller in callers {
            let Ok(own) = caller.await else {
                all.failed += 1;
                continue;
            };
            all.latencies.extend(own.latencies);
            all.failed += own.failed;
            all.first_failure = all.first_failure.or(own.first_failure);
        }
        all.took = started.elapsed();
        all.latencies.sort_unstable();
        all
    }
}

/// One caller: takes the next number, calls, takes its time.
async fn call_in_turn(ready: Ready, next: Arc<AtomicU64>, bounds: Bounds, started: Instant) -> Measured {
    let mut measured = Measured::default();
    let mut connection = None;
    while started.elapsed() < bounds.time {
        let id = next.fetch_add(1, Ordering::Relaxed);
        if id >= bounds.calls {
            break;
        }
        let request = ready.call(id + 1);
        let begun = Instant::now();
        match exchange(&mut connection, &ready.address, &request).await {
            Ok(()) => measured.latencies.push(begun.elapsed()),
            Err(reason) => {
                measured.failed += 1;
                measured.first_failure.get_or_insert(reason);
                connection = None;
            }
        }
    }
    measured
}

async fn exchange(open: &mut Option<Connection>, address: &str, request: &[u8]) -> Result<(), String> {
    let connection = match open {
        Some(connection) => connection,
        None => open.insert(
            Connection::open(address)
                .await
                .map_err(|error| error.to_string())?,
        ),
    };
    let response = connection
        .exchange(request)
        .await
        .map_err(|error| error.to_string())?;
    let says = |needle: &[u8]| response.body.windows(needle.len()).any(|part| part == needle);
    if response.status == 200 && says(br#""result":"#) && !says(br#""isError":true"#) {
        Ok(())
    } else {
        let text = String::from_utf8_lossy(response.body);
        Err(format!(
            "status {}: {}",
            response.status,
            text.chars().take(300).collect::<String>()
        ))
    }
}
