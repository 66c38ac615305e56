//! Are the links of an agent those that a running gateway tells?

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::{CATALOG, folder, graph};

const KEY: &str = "hp_a_key_for_this_test_only";

/// A gateway that ends with the test.
struct Gateway(Child);

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a gateway on a free port and waits until it says where it listens.
fn start(folder: &std::path::Path) -> (Gateway, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_handpick"))
        .args(["serve", "--listen", "127.0.0.1:0", "--json"])
        .arg("--data")
        .arg(folder.join("data"))
        .current_dir(folder)
        .env("HANDPICK_ADMIN_KEY", KEY)
        .env_remove("RUST_LOG")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let gateway = Gateway(child);
    for line in out.lines() {
        let told = serde_json::from_str::<Value>(&line.unwrap()).unwrap_or_default();
        if let Some(url) = told["url"].as_str() {
            return (gateway, url.to_owned());
        }
    }
    panic!("the gateway did not say where it listens");
}

/// Publishes a catalog; the whole answer.
fn publish(url: &str, agent: &str, catalog: &str) -> String {
    let address = url.trim_start_matches("http://");
    let mut connection = TcpStream::connect(address).unwrap();
    let head = format!(
        "PUT /v1/agents/{agent}/catalog HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {KEY}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        catalog.len()
    );
    connection
        .write_all(format!("{head}{catalog}").as_bytes())
        .unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

/// T25: the same links as from the file.
#[test]
fn t25_the_links_of_a_published_agent() {
    let folder = folder();
    let (_gateway, url) = start(folder.path());
    let answer = publish(&url, "acme-billing", CATALOG);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let served = graph(folder.path(), &["acme-billing", "--url", &url, "--key", KEY]);
    let of_file = graph(folder.path(), &["--catalog", "catalog.json"]);
    let renamed = of_file.succeeded().out.replace("catalog.json", "acme-billing");
    assert_eq!(served.succeeded().out, renamed);

    let unknown = graph(folder.path(), &["nobody", "--url", &url, "--key", KEY]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.err.contains("unknown agent: nobody"), "{}", unknown.err);
}
