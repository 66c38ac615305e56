//! Can any body at all break an endpoint?

use axum::http::StatusCode;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::support::{ADMIN, Gate};

/// Any JSON, three levels deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "(odd|desk|ODD)[._](echo|fail|prose|a_b|secret)(@1)?".prop_map(Value::from),
        "(support|plain|nothing|2020-01-01T00:00:00Z)".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(".{0,4}", inner, 0..4).prop_map(|members| json!(members)),
        ]
    })
}

/// An object whose members have names that mean something.
fn any_request() -> impl Strategy<Value = String> {
    let names =
        "(tasks|context|user_id|gateway_id|top_k|explain|query|tool_name|input|inputs|query_id|run_at)";
    btree_map(names, any_json(), 0..10).prop_map(|members| json!(members).to_string())
}

/// E6, E7: every body gets an answer of the agreed shape, right or wrong.
#[test]
fn e6_every_body_gets_an_agreed_answer() {
    let executor = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let gate = executor.block_on(Gate::open());
    let bodies = prop_oneof![
        4 => any_request().prop_map(String::into_bytes),
        1 => any_json().prop_map(|value| value.to_string().into_bytes()),
        1 => vec(any::<u8>(), 0..64),
    ];
    let mut runner = TestRunner::default();
    let checked = runner.run(&bodies, |body| {
        for path in ["/v1/tools/select", "/v1/tools/search", "/v1/tools/execute"] {
            let reply = executor.block_on(gate.post_with(ADMIN, path, body.clone()));
            let json = reply.json();
            match reply.status {
                StatusCode::OK => prop_assert!(json["results"].is_array() || json["output"].is_object()),
                StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND => {
                    prop_assert!(json["name"].is_string() && json["message"].is_string());
                }
                other => prop_assert!(false, "{} {}", other, reply.text),
            }
        }
        Ok(())
    });
    checked.unwrap();
}
