//! How does a load client speak HTTP/1.1 at the lowest cost, so that what it measures is the server?

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// Largest body accepted, in bytes.
const BODY_MAX: usize = 64 * 1024 * 1024;

/// One kept-alive connection with TCP_NODELAY.
pub struct Connection {
    stream: BufReader<TcpStream>,
    line: String,
    body: Vec<u8>,
}

/// The parts of a response that a load client looks at.
#[derive(Debug)]
pub struct Response<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The value of `Mcp-Session-Id`, where there is one.
    pub session: Option<String>,
    /// The body: JSON, or a stream of events as it came.
    pub body: &'a [u8],
}

/// Why an exchange failed.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The connection failed or ended early.
    #[error("the connection failed: {0}")]
    Connection(#[from] std::io::Error),
    /// The peer does not speak HTTP/1.1.
    #[error("the response is malformed: {0}")]
    Malformed(String),
}

impl Connection {
    /// Connects to `host:port`.
    pub async fn open(address: &str) -> Result<Self, HttpError> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            line: String::new(),
            body: Vec::new(),
        })
    }

    /// Sends one whole request, head and body, and reads the response to its end.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<Response<'_>, HttpError> {
        self.stream.get_mut().write_all(request).await?;
        self.read_line().await?;
        let status = self
            .line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .ok_or_else(|| HttpError::Malformed(format!("status line `{}`", self.line)))?;
        let (mut length, mut chunked, mut session) = (0_usize, false, None);
        loop {
            self.read_line().await?;
            if self.line.is_empty() {
                break;
            }
            let Some((name, value)) = self.line.split_once(':') else {
                return Err(HttpError::Malformed(format!("header `{}`", self.line)));
            };
            let value = value.trim();
            if name.eq_ignore_ascii_case("content-length") {
                length = number(value, 10)?;
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                chunked = value.eq_ignore_ascii_case("chunked");
            } else if name.eq_ignore_ascii_case("mcp-session-id") {
                session = Some(value.to_owned());
            }
        }
        self.body.clear();
        if chunked {
            self.read_chunks().await?;
        } else {
            self.read_exactly(length).await?;
        }
        Ok(Response {
            status,
            session,
            body: &self.body,
        })
    }

    async fn read_chunks(&mut self) -> Result<(), HttpError> {
        loop {
            self.read_line().await?;
            let size = number(self.line.split(';').next().unwrap_or_default(), 16)?;
            self.read_exactly(size).await?;
            self.read_line().await?;
            if size == 0 {
                return Ok(());
            }
        }
    }

    async fn read_exactly(&mut self, length: usize) -> Result<(), HttpError> {
        let start = self.body.len();
        if start + length > BODY_MAX {
            return Err(HttpError::Malformed(format!("a body over {BODY_MAX} bytes")));
        }
        self.body.resize(start + length, 0);
        self.stream.read_exact(&mut self.body[start..]).await?;
        Ok(())
    }

    async fn read_line(&mut self) -> Result<(), HttpError> {
        self.line.clear();
        if self.stream.read_line(&mut self.line).await? == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
        }
        self.line.truncate(self.line.trim_end_matches(['\r', '\n']).len());
        Ok(())
    }
}

fn number(text: &str, radix: u32) -> Result<usize, HttpError> {
    usize::from_str_radix(text.trim(), radix)
        .map_err(|error| HttpError::Malformed(format!("`{text}`: {error}")))
}
