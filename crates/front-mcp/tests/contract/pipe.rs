//! How do tests speak to the gateway over stdio?
#![allow(dead_code, reason = "shared by many tests")]

use std::sync::Arc;

use handpick_domain::{Caller, Scope};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines};
use tokio::task::JoinHandle;

use crate::deployment::{Deployment, PATIENCE};

/// The client's side of a connection over pipes.
pub struct Pipe {
    pub input: DuplexStream,
    pub lines: Lines<BufReader<DuplexStream>>,
    pub served: JoinHandle<std::io::Result<()>>,
}

impl Pipe {
    pub fn open(deployment: &Deployment, gateway: &str) -> Self {
        let (input, theirs_in) = tokio::io::duplex(64 * 1024);
        let (theirs_out, output) = tokio::io::duplex(64 * 1024);
        let caller = Caller {
            key_id: "local".to_owned(),
            scopes: [Scope::Admin].into(),
            ..Caller::default()
        };
        let (runtime, gateway) = (Arc::clone(&deployment.runtime), gateway.to_owned());
        let served = tokio::spawn(async move {
            handpick_front_mcp::stdio::serve(runtime, &gateway, Arc::new(caller), theirs_in, theirs_out).await
        });
        Self {
            input,
            lines: BufReader::new(output).lines(),
            served,
        }
    }

    pub async fn send(&mut self, message: impl ToString) {
        let line = message.to_string() + "\n";
        self.input.write_all(line.as_bytes()).await.unwrap();
    }

    pub async fn text(&mut self) -> Option<String> {
        tokio::time::timeout(PATIENCE, self.lines.next_line())
            .await
            .unwrap()
            .unwrap()
    }

    pub async fn message(&mut self) -> Value {
        let line = self.text().await.expect("the connection is open");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    pub async fn is_silent(&mut self) -> bool {
        let short = std::time::Duration::from_millis(60);
        tokio::time::timeout(short, self.lines.next_line()).await.is_err()
    }

    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
            .await;
        self.message().await
    }

    pub async fn initialize(&mut self) -> Value {
        self.initialize_with(json!({})).await
    }

    /// Opens a session as a client with these capabilities.
    pub async fn initialize_with(&mut self, capabilities: Value) -> Value {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}});
        let greeting = self.ask("initialize", params).await;
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
        greeting
    }

    /// Closes the input; the gateway must end by itself, with nothing more to say.
    pub async fn close(mut self) {
        drop(self.input);
        let ended = tokio::time::timeout(PATIENCE, self.served).await;
        ended.expect("serving ends with the input").unwrap().unwrap();
        assert_eq!(
            self.lines.next_line().await.unwrap(),
            None,
            "nothing more is said"
        );
    }
}
