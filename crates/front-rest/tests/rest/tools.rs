//! What does a program get when it asks which tools there are?

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::json;

use crate::support::{EXECUTE, Gate, READ, request};

/// A64: a page with the counts that pagers stop by, each tool as its server lists it.
#[tokio::test]
async fn a64_a_page_of_tools() {
    let gate = Gate::open().await;
    let reply = gate
        .get("/v1/tools?toolkit=Desk&limit=2&offset=1&user_id=u")
        .await;
    assert_eq!(reply.status, StatusCode::OK);
    insta::assert_json_snapshot!(reply.json());
}

/// A64: every page together is everything the caller may use, in one order; a restricted tool is no part of it.
#[tokio::test]
async fn a64_pages_cover_all() {
    let gate = Gate::open().await;
    let mut names = Vec::new();
    loop {
        let page = gate
            .get(&format!("/v1/tools?limit=2&offset={}", names.len()))
            .await
            .json();
        let items = page["items"].as_array().unwrap();
        names.extend(
            items
                .iter()
                .map(|item| item["qualified_name"].as_str().unwrap().to_owned()),
        );
        if names.len() as u64 >= page["total_count"].as_u64().unwrap() {
            break;
        }
        assert_eq!(items.len(), 2);
    }
    assert!(names.is_sorted() && names.len() > 5, "{names:?}");
    assert!(!names.contains(&"odd.secret".to_owned()), "{names:?}");
    let one = gate.get("/v1/tools?limit=500").await.json();
    assert_eq!(
        (&one["limit"], one["items"].as_array().unwrap().len()),
        (&json!(100), names.len())
    );
}

/// A44: a gateway narrows; one that does not exist is told.
#[tokio::test]
async fn a44_through_one_gateway() {
    let gate = Gate::open().await;
    let plain = gate.get("/v1/tools?gateway_id=plain").await.json();
    assert_eq!(
        (&plain["total_count"], &plain["page_count"]),
        (&json!(1), &json!(1))
    );
    let nothing = gate.get("/v1/tools?gateway_id=nothing").await.json();
    assert_eq!(
        (&nothing["total_count"], &nothing["page_count"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(
        gate.get("/v1/tools?gateway_id=zzz").await.status,
        StatusCode::NOT_FOUND
    );
}

/// A64, A67, C4: what is wrong is named; the key comes first.
#[tokio::test]
async fn a64_bad_pages() {
    let gate = Gate::open().await;
    let reply = gate.get("/v1/tools?limit=0&offset=x").await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    let fields: Vec<String> = reply.json()["field_errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["field"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(fields, ["limit", "offset"]);
    assert_eq!(
        gate.get("/v1/tools?limit=1&limit=2").await.status,
        StatusCode::BAD_REQUEST
    );
    for (key, status) in [
        (None, StatusCode::UNAUTHORIZED),
        (Some(EXECUTE), StatusCode::FORBIDDEN),
        (Some(READ), StatusCode::OK),
    ] {
        let reply = gate
            .send(request(Method::GET, "/v1/tools", key, Body::empty()))
            .await;
        assert_eq!(reply.status, status, "{key:?}");
    }
}
