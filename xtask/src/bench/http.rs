//! How is one request sent to a gateway at the lowest cost?

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::KEY;

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks for the tool list of the gateway `default`: one request, as it is in the era without sessions.
pub fn list_tools(address: &str) -> Result<Value> {
    const VERSION: &str = "2026-07-28";
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }}});
    let headers = format!(
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {VERSION}\r\nMcp-Method: tools/list\r\n"
    );
    let answer = exchange(address, "POST /mcp/default", &headers, &body.to_string())?;
    if !answer["result"]["tools"].is_array() {
        bail!("no tool list: {answer}");
    }
    Ok(answer)
}

/// Asks which tools fit a task.
pub fn select(address: &str, task: &str) -> Result<Value> {
    let body = json!({"tasks": [task], "user_id": "bench"}).to_string();
    exchange(address, "POST /v1/tools/select", "", &body)
}

/// Asks how every server is doing.
pub fn status(address: &str) -> Result<Value> {
    exchange(address, "GET /v1/status", "", "")
}

/// One request over a connection of its own; `wanted` is its method and path, `headers` whole lines.
fn exchange(address: &str, wanted: &str, headers: &str, body: &str) -> Result<Value> {
    Connection::open(address)?.exchange(wanted, headers, body)
}

/// A connection that takes one request after the other.
pub struct Connection {
    host: String,
    stream: BufReader<TcpStream>,
}

impl Connection {
    /// Opens one to a gateway.
    pub fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            host: address.to_owned(),
            stream: BufReader::new(stream),
        })
    }

    /// One request and its answer; see [`Connection::send`].
    pub fn exchange(&mut self, wanted: &str, headers: &str, body: &str) -> Result<Value> {
        Ok(serde_json::from_slice(&self.send(wanted, headers, body)?)?)
    }

    /// One request, and its answer as it came; `wanted` is its method and path, `headers` whole lines.
    pub fn send(&mut self, wanted: &str, headers: &str, body: &str) -> Result<Vec<u8>> {
        let (host, length) = (&self.host, body.len());
        let request = format!(
            "{wanted} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {KEY}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut status = String::new();
        self.stream.read_line(&mut status)?;
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? <= "\r\n".len() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = Some(value.trim().parse::<usize>()?);
            }
        }
        let mut body = vec![0; length.context("an answer without a length")?];
        self.stream.read_exact(&mut body)?;
        if !status.starts_with("HTTP/1.1 200 ") {
            bail!(
                "`{wanted}` got {}: {}",
                status.trim(),
                String::from_utf8_lossy(&body)
            );
        }
        Ok(body)
    }
}
