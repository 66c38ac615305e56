//! What does a recorded server answer over stdio? For benchmarks with many servers behind one gateway.
#![allow(clippy::print_stdout, reason = "standard output is the transport")]

use std::io::BufRead as _;
use std::path::Path;

use handpick_protocol::json::raw;
use handpick_protocol::{LocalServer as _, Message, error_response, result_response};
use handpick_testkit::{Recorded, ReplayServer};

const GREETING: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"replay","version":"1"}}"#;

/// Serves the recording named on the command line until standard input ends.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: handpick-replay RECORDING.json")?;
    let server = ReplayServer::of(Recorded::read(Path::new(&path))?);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(message) = Message::parse(&line) else {
            continue;
        };
        let (Some(id), Some(method)) = (message.request_id(), message.method.as_deref()) else {
            continue;
        };
        let answer = match method {
            "initialize" => Ok(raw(GREETING.to_owned())),
            _ => server.handle(method, message.params).await,
        };
        match answer {
            Ok(result) => println!("{}", result_response(id.get(), result.get())),
            Err(error) => println!("{}", error_response(Some(id.get()), &error)),
        }
    }
    Ok(())
}
