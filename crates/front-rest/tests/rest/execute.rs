//! What does a program get when it runs a tool?

use axum::http::StatusCode;
use handpick_store::CallOutcome;
use serde_json::{Value, json};

use crate::support::{EXECUTE, Gate, Reply};

const PATH: &str = "/v1/tools/execute";

async fn run(gate: &Gate, tool: &str, input: Value) -> Reply {
    gate.post(PATH, json!({"tool_name": tool, "input": input, "user_id": "u"}))
        .await
}

#[track_caller]
fn checked(reply: &Reply) -> Value {
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let mut json = reply.json();
    assert_eq!(json["id"], json["execution_id"]);
    json["finished_at"]
        .as_str()
        .unwrap()
        .parse::<jiff::Timestamp>()
        .unwrap();
    assert!(json["duration"].as_f64().unwrap() >= 0.0);
    for (member, shown) in [
        ("id", "[uuid]"),
        ("execution_id", "[uuid]"),
        ("finished_at", "[time]"),
        ("duration", "[ms]"),
    ] {
        json[member] = shown.into();
    }
    json
}

/// A55, E18: the whole body, for each kind of result.
#[tokio::test]
async fn a55_successes() {
    let gate = Gate::open().await;
    let structured = run(&gate, "odd.echo", json!({"n": 1})).await;
    insta::assert_json_snapshot!("structured", checked(&structured));
    let prose = run(&gate, "odd.prose", json!({})).await;
    insta::assert_json_snapshot!("prose", checked(&prose));
    let picture = run(&gate, "odd.picture", json!({})).await;
    insta::assert_json_snapshot!("picture", checked(&picture));
}

/// A55, A56, A57: the whole body, for each kind of failure.
#[tokio::test]
async fn a56_failures() {
    let gate = Gate::open().await;
    let reported = run(&gate, "odd.fail", json!({})).await;
    insta::assert_json_snapshot!("reported", checked(&reported));
    let refused = run(&gate, "odd.refuse", json!({})).await;
    insta::assert_json_snapshot!("refused", checked(&refused));
    // The answer says how long it took: as long as it may, by a clock that jumps to the time-out.
    tokio::time::pause();
    let late = run(&gate, "slow.never", json!({})).await;
    tokio::time::resume();
    insta::assert_json_snapshot!("late", checked(&late));
    let invalid = run(&gate, "desk.create_ticket", json!({"priority": 9})).await;
    insta::assert_json_snapshot!("invalid", checked(&invalid));
}

/// E18: spelling survives: numbers and white space reach the tool and come back as they were written.
#[tokio::test]
async fn e18_arguments_and_results_keep_their_spelling() {
    let gate = Gate::open().await;
    let body = r#"{"tool_name":"odd.echo","input":{"n":1.0e2,"big":12345678901234567890123},"user_id":"u"}"#;
    let reply = gate.post(PATH, body).await;
    let spelled = r#"{"n":1.0e2,"big":12345678901234567890123}"#;
    assert!(
        reply.text.contains(&format!(r#""value":{spelled}"#)),
        "{}",
        reply.text
    );
    let prose = run(&gate, "odd.prose", json!({})).await;
    assert!(prose.text.contains(r#""_meta":{"kept":1.0e2}"#), "{}", prose.text);
}

/// A52, C12: arguments under other names count where `input` is absent.
#[tokio::test]
async fn c12_aliases() {
    let gate = Gate::open().await;
    for (body, expected) in [
        (json!({"input": {"a": 1}, "inputs": {"a": 2}}), json!({"a": 1})),
        (json!({"input": null, "inputs": {"a": 2}}), json!({"a": 2})),
        (json!({"arguments": {"a": 3}}), json!({"a": 3})),
        (json!({"parameters": {"a": 4}}), json!({"a": 4})),
        (json!({"input": "{\"a\": 5}"}), json!({"a": 5})),
        (json!({}), json!({})),
    ] {
        let mut body = body;
        body["tool_name"] = json!("odd.echo");
        body["user_id"] = json!("u");
        let reply = gate.post(PATH, &body).await.json();
        assert_eq!(reply["output"]["value"], expected, "{body}");
    }
}

/// A24, A53: names in every spelling, an ignored `gateway_id`, and a key that may only execute.
#[tokio::test]
async fn a53_any_tool_of_the_project() {
    let gate = Gate::open().await;
    for name in [
        "odd.prose",
        "odd_prose",
        "ODD.Prose",
        "odd.prose@1.2.0",
        " odd.prose ",
    ] {
        let body = json!({"tool_name": name, "user_id": "u", "gateway_id": "nothing"}).to_string();
        let reply = gate.post_with(EXECUTE, PATH, body).await;
        assert_eq!(reply.status, StatusCode::OK, "{name}");
        assert_eq!(reply.json()["output"]["value"], "all is well");
    }
}

/// A60, C1, C19: a tool that is hidden reads like one that does not exist.
#[tokio::test]
async fn a60_unknown_hidden_and_ambiguous() {
    let gate = Gate::open().await;
    for name in ["odd.secret", "odd.missing", "nobody.nothing", "a_b"] {
        let reply = run(&gate, name, json!({})).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND);
        let expected = json!({"name": "tool_not_found", "message": format!("tool not found: {name}")});
        assert_eq!(reply.json(), expected);
    }
    let reply = run(&gate, "ODD_A_B", json!({})).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    insta::assert_json_snapshot!("ambiguous", reply.json());
}

/// A60: names that can name no tool.
#[tokio::test]
async fn a60_names_that_cannot_be_parsed() {
    let gate = Gate::open().await;
    for name in [
        "",
        "  ",
        "nodot",
        "nodot@1.0",
        ".x",
        "x.",
        "_",
        "@1.0",
        "desk.\u{7}bell",
    ] {
        let reply = run(&gate, name, json!({})).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{name:?}");
        let body = reply.json();
        assert!(
            body["message"]
                .as_str()
                .unwrap()
                .starts_with("failed to parse tool name"),
            "{body}"
        );
        assert_eq!(body["field_errors"][0]["field"], "tool_name");
    }
}

/// A54: nothing is scheduled, so nothing that was meant for later runs now.
#[tokio::test]
async fn a54_run_at() {
    let gate = Gate::open().await;
    for (run_at, status) in [
        (json!("2020-01-01T00:00:00Z"), StatusCode::OK),
        (json!("2020-01-01T00:00:00+02:00"), StatusCode::OK),
        (json!("2020-01-01T00:00:00"), StatusCode::OK),
        (json!(null), StatusCode::OK),
        (json!("2999-01-01T00:00:00Z"), StatusCode::BAD_REQUEST),
        (json!("2999-01-01T00:00:00"), StatusCode::BAD_REQUEST),
        (json!("tomorrow"), StatusCode::BAD_REQUEST),
        (json!(1_700_000_000), StatusCode::BAD_REQUEST),
    ] {
        let body = json!({"tool_name": "odd.prose", "user_id": "u", "run_at": run_at});
        let reply = gate.post(PATH, &body).await;
        assert_eq!(reply.status, status, "{run_at}");
        if status == StatusCode::BAD_REQUEST {
            assert_eq!(reply.json()["field_errors"][0]["field"], "run_at");
        }
    }
}

/// A21: a `query_id` links the call to its selection; any other value does no harm.
#[tokio::test]
async fn a21_query_id() {
    let gate = Gate::open().await;
    let selected = gate
        .post("/v1/tools/select", json!({"tasks": ["words"], "user_id": "u"}))
        .await
        .json();
    let known = selected["query_id"].as_str();
    for (query_id, linked) in [
        (selected["query_id"].clone(), known),
        (json!("made up"), None),
        (json!(7), None),
        (json!(null), None),
    ] {
        let body = json!({"tool_name": "odd.prose", "user_id": "u", "query_id": query_id});
        let reply = gate.post(PATH, &body).await.json();
        gate.runtime.recorder.flush().await;
        let calls = gate.runtime.store.calls_recent(100).await.unwrap();
        let recorded = calls
            .iter()
            .find(|call| reply["execution_id"] == call.id)
            .unwrap();
        assert_eq!(recorded.query_id.as_deref(), linked, "{query_id}");
        assert_eq!(
            (recorded.source.as_str(), recorded.outcome),
            ("rest", CallOutcome::Ok)
        );
        assert_eq!(recorded.user_id.as_deref(), Some("u"));
    }
}

/// A40: without selection tools still run.
#[tokio::test]
async fn a40_without_selection() {
    let gate = Gate::without_selection().await;
    let reply = run(&gate, "odd.prose", json!({})).await;
    assert_eq!(reply.json()["success"], true);
}
