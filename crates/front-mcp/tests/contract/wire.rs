//! Does the front behave on a real socket: streams that begin at once, bodies of unknown length,
//! clients that hang up?

use handpick_domain::Presentation;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::agent::router;
use crate::deployment::{KEY, PATIENCE, Plan, Scripted, fillers, lab_tools};

/// Sends bytes and reads one answer to its end, which must contain `within`. Of a stream, which has no end, the
/// head is an answer.
async fn exchange(stream: &mut TcpStream, request: &str, within: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let is_whole = |answer: &str| {
        let Some((head, body)) = answer.split_once("\r\n\r\n") else {
            return false;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        body.len() >= length.map_or(0, |length| length.parse().unwrap())
    };
    let answer = read_while(stream, |answer| !is_whole(answer)).await;
    assert!(answer.contains(within), "{answer}");
    answer
}

async fn read_until(stream: &mut TcpStream, until: &str) -> String {
    read_while(stream, |answer| !answer.contains(until)).await
}

async fn read_while(stream: &mut TcpStream, more: impl Fn(&str) -> bool) -> String {
    let mut answer = String::new();
    let mut buffer = vec![0; 64 * 1024];
    while more(&answer) {
        let count = tokio::time::timeout(PATIENCE, stream.read(&mut buffer))
            .await
            .unwrap()
            .unwrap();
        assert!(count > 0, "the connection ended: {answer}");
        answer.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
    }
    answer
}

fn head(line: &str) -> String {
    format!(
        "{line} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {KEY}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n"
    )
}

fn post(headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "{}{headers}content-length: {length}\r\n\r\n{body}",
        head("POST /mcp/lab")
    )
}

/// A session from first to last, over one connection and a second one for its stream.
#[tokio::test]
async fn x10_a_session_over_a_socket() {
    let lab = Scripted::new(lab_tools());
    let deployment = Plan::new()
        .server("lab", &lab)
        .gateway("lab", Presentation::Direct, &["*"])
        .start()
        .await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = router(&deployment);
    tokio::spawn(async move { axum::serve(listener, router).await });
    let mut socket = TcpStream::connect(address).await.unwrap();
    let initialize =
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
    let answer = exchange(&mut socket, &post("", initialize), "serverInfo").await;
    let session = answer
        .split_once("mcp-session-id: ")
        .unwrap()
        .1
        .lines()
        .next()
        .unwrap()
        .to_owned();
    let session = format!("mcp-session-id: {session}\r\n");

    let mut stream = TcpStream::connect(address).await.unwrap();
    let listen = format!("{}{session}\r\n", head("GET /mcp/lab"));
    let opened = exchange(&mut stream, &listen, "\r\n\r\n").await;
    assert!(
        opened.starts_with("HTTP/1.1 200") && opened.contains("text/event-stream"),
        "{opened}"
    );
    lab.set_tools(fillers(3));
    deployment.refresh("lab").await;
    let told = read_until(&mut stream, "list_changed").await;
    assert!(told.contains("event: message\ndata: {"), "{told}");

    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let chunked = format!(
        "{}{session}transfer-encoding: chunked\r\n\r\n{:x}\r\n{list}\r\n0\r\n\r\n",
        head("POST /mcp/lab"),
        list.len()
    );
    assert!(
        exchange(&mut socket, &chunked, "fill_0002")
            .await
            .starts_with("HTTP/1.1 200")
    );
    let delete = format!("{}{session}\r\n", head("DELETE /mcp/lab"));
    assert!(
        exchange(&mut socket, &delete, "\r\n\r\n")
            .await
            .starts_with("HTTP/1.1 204")
    );
    assert!(
        exchange(&mut socket, &post(&session, list), "initialize again")
            .await
            .starts_with("HTTP/1.1 404")
    );
}

/// A client that hangs up has given up.
#[tokio::test]
async fn hanging_up_cancels() {
    let lab = Scripted::new(lab_tools());
    let deployment = Plan::new()
        .server("lab", &lab)
        .gateway("lab", Presentation::Direct, &["*"])
        .start()
        .await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = router(&deployment);
    tokio::spawn(async move { axum::serve(listener, router).await });
    let mut socket = TcpStream::connect(address).await.unwrap();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "lab_wait"}});
    socket
        .write_all(post("", &call.to_string()).as_bytes())
        .await
        .unwrap();
    let mut waiting = lab.waiting.subscribe();
    tokio::time::timeout(PATIENCE, waiting.wait_for(|&count| count == 1))
        .await
        .unwrap()
        .unwrap();
    drop(socket);
    let mut abandoned = lab.abandoned.subscribe();
    tokio::time::timeout(PATIENCE, abandoned.wait_for(|&count| count == 1))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(deployment.outcomes().await, ["lab.wait cancelled"]);
}

/// P4: a question reaches the client while its request is still being answered, and the answer comes on another
/// connection; a client that hangs up instead has given up.
#[tokio::test]
async fn p4_a_question_over_a_socket() {
    let scene = crate::confirm::Scene::new().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = scene.router.clone();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let post = |headers: &str, body: &serde_json::Value| {
        post(headers, &body.to_string()).replacen("/mcp/lab", "/mcp/direct", 1)
    };
    let mut socket = TcpStream::connect(address).await.unwrap();
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}});
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let greeting = exchange(&mut socket, &post("", &initialize), "serverInfo").await;
    let (_, rest) = greeting.split_once("mcp-session-id: ").unwrap();
    let session = format!("mcp-session-id: {}\r\n", rest.lines().next().unwrap());

    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "lab_echo"}});
    for hangs_up in [false, true] {
        let mut calling = TcpStream::connect(address).await.unwrap();
        calling.write_all(post(&session, &call).as_bytes()).await.unwrap();
        let asked = read_until(&mut calling, "}}\n\n").await;
        assert!(asked.contains("text/event-stream"), "{asked}");
        let (_, question) = asked.split_once("data: ").unwrap();
        let question: serde_json::Value = serde_json::from_str(question.lines().next().unwrap()).unwrap();
        assert_eq!(question["method"], "elicitation/create");
        if hangs_up {
            drop(calling);
            assert_eq!(scene.recorded(2).await, ["lab.echo cancelled", "lab.echo ok"]);
            continue;
        }
        let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}});
        let taken = exchange(&mut socket, &post(&session, &answer), "\r\n\r\n").await;
        assert!(taken.starts_with("HTTP/1.1 202"), "{taken}");
        let result = read_until(&mut calling, "structuredContent").await;
        assert!(result.contains(r#""id":2"#), "{result}");
    }
}
