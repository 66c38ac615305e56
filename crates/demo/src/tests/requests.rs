//! How are requests answered that are not calls of a known tool?

use std::collections::BTreeMap;

use handpick_protocol::error::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND};
use serde_json::{Value, json};

use super::{app, ask};
use crate::DemoApp;
use crate::app::App;

/// X11: what is wrong with the request itself is a JSON-RPC error.
#[tokio::test]
async fn x11_requests_that_cannot_be_served() {
    let server = app("billing").server;
    for (method, params, code, message) in [
        (
            "resources/list",
            json!({}),
            METHOD_NOT_FOUND,
            "`billing` does not answer `resources/list`; it answers `initialize`, `ping`, `tools/list`, `tools/call`",
        ),
        (
            "tools/call",
            json!({"name": "refund_invoise"}),
            INVALID_PARAMS,
            "unknown tool `refund_invoise` in `billing`; the closest are `refund_invoice`, `send_invoice`, \
             `create_invoice`",
        ),
        (
            "tools/call",
            json!({}),
            INVALID_PARAMS,
            "`name` must be the name of a tool",
        ),
        (
            "tools/call",
            json!({"name": "get_invoice", "arguments": "{}"}),
            INVALID_PARAMS,
            "`arguments` must be an object",
        ),
        (
            "tools/list",
            json!({"cursor": "7"}),
            INVALID_PARAMS,
            "`cursor` is not one that an earlier page of this list gave",
        ),
        (
            "tools/list",
            json!([]),
            INVALID_PARAMS,
            "`params` cannot be read: invalid type: sequence, expected a map at line 1 column 0",
        ),
    ] {
        let error = ask(&server, method, params).await.unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (code, message), "{method}");
    }
}

#[tokio::test]
async fn a_handshake_and_a_ping() {
    let server = app("chat").server;
    for (asked, answered) in [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")] {
        let greeting = ask(&server, "initialize", json!({"protocolVersion": asked}))
            .await
            .unwrap();
        assert_eq!(greeting["protocolVersion"], answered);
        assert_eq!(greeting["serverInfo"]["name"], "chat");
    }
    assert_eq!(server.handle("ping", None).await.unwrap().get(), "{}");
}

/// Faulty data is told, not hidden and not a crash.
#[tokio::test]
async fn faults_in_the_data_are_told() {
    type State = BTreeMap<String, Value>;
    let data = |tools: &str| -> &'static str {
        let data = format!(r#"{{"about":"a","team":"t","seed":{{}},"tools":{{{tools}}}}}"#);
        Box::leak(data.into_boxed_str())
    };
    let nothing = |_: &State, _: &crate::arguments::Args| Ok(crate::answer::Answer::new("done", ()));
    let choice =
        r#""t":{"does":"D.","needs":[{"name":"n","kind":"choice","about":"a","of":"Nope","sample":1}]}"#;
    for (app, fault) in [
        (
            App::<State>::new("x", "{"),
            "EOF while parsing an object at line 1 column 1",
        ),
        (
            App::new("x", data(r#""t":{"does":"D."}"#)),
            "`t` is declared but not handled",
        ),
        (App::new("x", data("")).reads("t", nothing), "`t` is not declared"),
        (
            App::new("x", data(choice)).reads("t", nothing),
            "`t` takes an unknown choice `Nope`",
        ),
    ] {
        let server = DemoApp::from(app).server;
        let error = server.handle("tools/list", None).await.unwrap_err();
        assert_eq!(error.code, INTERNAL_ERROR);
        assert_eq!(
            error.message,
            format!("the data of the demo app `x` is faulty: {fault}")
        );
    }
}
