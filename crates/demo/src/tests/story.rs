//! Do the apps work as the tools of one company?

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{app, call, every_tool, name, text};
use crate::walkthrough;

#[tokio::test]
async fn a_message_posted_is_a_message_read() {
    let server = app("chat").server;
    let words = json!({"channel": "general", "text": "Lunch is in the greenhouse."});
    call(&server, "send_message", words).await;
    let read = call(&server, "read_channel", json!({"channel": "general", "limit": 1})).await;
    assert_eq!(
        read["structuredContent"]["messages"][0]["text"],
        "Lunch is in the greenhouse."
    );
    // Another instance knows nothing of it.
    let other = call(
        &app("chat").server,
        "search_messages",
        json!({"query": "greenhouse"}),
    )
    .await;
    assert_eq!(other["structuredContent"]["total"], 0);
}

#[tokio::test]
async fn a_refund_changes_the_balance_and_a_refused_one_changes_nothing() {
    let server = app("billing").server;
    let balance = async || {
        let invoice = call(&server, "get_invoice", json!({"invoice_id": "INV-2041"})).await;
        invoice["structuredContent"]["balance"].as_f64().unwrap()
    };
    let refund = json!({"invoice_id": "INV-2041", "amount": 686, "reason": "charged twice"});
    assert_eq!(balance().await, -686.0);
    call(&server, "refund_invoice", refund.clone()).await;
    assert_eq!(balance().await, 0.0);
    call(&server, "refund_invoice", refund.clone()).await;
    assert_eq!(balance().await, 686.0);
    let refused = call(&server, "refund_invoice", refund).await;
    assert_eq!(
        text(&refused),
        "INV-2041 has €0.00 paid; €686.00 cannot be given back"
    );
    assert_eq!(refused["isError"], true);
    assert_eq!(balance().await, 686.0);
}

/// Makes the calls on a fresh app, asks, and compares what stands at a place in the answer.
async fn check(
    app_name: &str,
    calls: &[(&str, Value)],
    question: (&str, Value),
    place: &str,
    expected: Value,
) {
    let server = app(app_name).server;
    for (tool, arguments) in calls {
        let result = call(&server, tool, arguments.clone()).await;
        assert_ne!(result["isError"], true, "{tool}: {}", text(&result));
    }
    let seen = call(&server, question.0, question.1).await;
    assert_eq!(
        seen["structuredContent"].pointer(place),
        Some(&expected),
        "{app_name}.{} {place}",
        question.0
    );
}

#[tokio::test]
async fn a_rollback_goes_back_one_version_each_time() {
    let back = (
        "roll_back_service",
        json!({"service": "checkout", "reason": "INC-31"}),
    );
    let broken = || ("get_deploy", json!({"deploy_id": "DEP-88"}));
    let services = || ("list_services", json!({}));
    let calls = [back.clone(), back];
    check("deploys", &calls[..1], broken(), "/state", json!("rolled_back")).await;
    check(
        "deploys",
        &calls[..1],
        services(),
        "/services/3/version",
        json!("4.11.2"),
    )
    .await;
    check(
        "deploys",
        &calls,
        services(),
        "/services/3/version",
        json!("4.11.1"),
    )
    .await;
}

#[tokio::test]
async fn orders_take_from_stock_and_cancelled_ones_give_back() {
    let pots = || ("check_stock", json!({"sku": "POT-TERRA"}));
    let two = json!({"customer_id": "CUS-101", "lines": [{"sku": "POT-TERRA", "quantity": 2}]});
    let cancel = json!({"order_id": "ORD-3306"});
    check("orders", &[("place_order", two)], pots(), "/stock", json!(35)).await;
    check("orders", &[("cancel_order", cancel)], pots(), "/stock", json!(57)).await;
}

#[tokio::test]
async fn holidays_are_counted_once_and_given_back() {
    let decide = |approve: bool| {
        (
            "decide_time_off",
            json!({"request_id": "OFF-53", "approve": approve}),
        )
    };
    let aiko = || ("get_person", json!({"person_id": "EMP-106"}));
    check(
        "people",
        &[decide(true), decide(true)],
        aiko(),
        "/days_left",
        json!(3),
    )
    .await;
    check(
        "people",
        &[decide(true), decide(false)],
        aiko(),
        "/days_left",
        json!(8),
    )
    .await;
}

#[tokio::test]
async fn a_merged_ticket_brings_its_messages_along() {
    let merge = (
        "merge_tickets",
        json!({"duplicate_id": "TIC-511", "ticket_id": "TIC-513"}),
    );
    let kept = ("get_ticket", json!({"ticket_id": "TIC-513"}));
    check("tickets", &[merge], kept, "/comments/0/id", json!("COM-2203")).await;
}

#[tokio::test]
async fn a_flag_switched_off_is_off_for_everyone() {
    let off = (
        "switch_flag",
        json!({"flag_key": "one_page_checkout", "enabled": false}),
    );
    let named = json!({"flag_key": "one_page_checkout", "customer_id": "CUS-104"});
    check(
        "feature_flags",
        &[off],
        ("check_flag_for_customer", named),
        "/on",
        json!(false),
    )
    .await;
}

#[tokio::test]
async fn an_answer_counts_in_the_results() {
    let answer = (
        "submit_survey_response",
        json!({"survey_id": "SUR-5", "marks": [1, 1, 1]}),
    );
    let results = ("get_survey_results", json!({"survey_id": "SUR-5"}));
    check("surveys", &[answer], results, "/questions/0/counts/0", json!(1)).await;
}

#[tokio::test]
async fn a_restored_page_keeps_what_it_replaced() {
    let restore = ("restore_revision", json!({"page_id": "PAGE-13", "version": 1}));
    let revisions = ("list_revisions", json!({"page_id": "PAGE-13"}));
    check("wiki", &[restore], revisions, "/revisions/0/version", json!(2)).await;
}

/// What cannot be done is told with what stands in the way.
#[tokio::test]
async fn refusals_say_why() {
    for (app_name, tool, arguments, expected) in [
        (
            "calendar",
            "reschedule_event",
            json!({"event_id": "EVT-74", "starts_at": "2026-11-25T14:30", "ends_at": "2026-11-25T15:30"}),
            "the room is taken by EVT-72 (Review of the double charges (INC-31)) from 2026-11-25T14:00 to \
             2026-11-25T15:00; list_rooms names the others",
        ),
        (
            "deploys",
            "start_deploy",
            json!({"service": "warehouse-sync", "version": "1.9.5", "changes": ["x"]}),
            "warehouse-sync is frozen: Stock count until Tuesday; lift_deploy_freeze opens it again",
        ),
        (
            "orders",
            "ship_order",
            json!({"order_id": "ORD-3301", "carrier": "northvan"}),
            "ORD-3301 is delivered; it would have to be packed",
        ),
        (
            "people",
            "request_time_off",
            json!({"person_id": "EMP-103", "reason": "holiday", "from": "2026-12-01", "to": "2026-12-20"}),
            "Priya Raman has 9 days of holiday left, not 20",
        ),
        (
            "mail",
            "send_mail",
            json!({"to": ["office"], "subject": "s", "text": "t"}),
            "`office` is not an e-mail address such as `office@oakmere.example`",
        ),
        (
            "chat",
            "delete_message",
            json!({"message_id": "MSG-1203"}),
            "MSG-1203 was written by priya; only its author can delete it",
        ),
        (
            "crm",
            "add_customer",
            json!({"name": "Moss", "segment": "retial"}),
            "`segment` must be one of `private`, `retail`, `hospitality`, `education`, not \"retial\"; the \
             closest is `retail`; `city` is missing: a text of 1 to 2000 characters that is not blank",
        ),
    ] {
        let result = call(&app(app_name).server, tool, arguments).await;
        assert_eq!(
            (text(&result), &result["isError"]),
            (expected, &json!(true)),
            "{app_name}.{tool}"
        );
    }
}

/// Ids name things in other apps: every id that occurs anywhere is somewhere the key of a thing.
#[test]
fn the_story_holds_together() {
    let data = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/data")).unwrap();
    let seeds: Vec<(String, Value)> = data
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let data: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            (path.display().to_string(), data["seed"].clone())
        })
        .collect();
    let mut keys = BTreeSet::new();
    for (_, seed) in &seeds {
        for row in seed
            .as_object()
            .unwrap()
            .values()
            .flat_map(|rows| rows.as_array().unwrap())
        {
            keys.extend(row["id"].as_str().map(str::to_owned));
        }
    }
    for (path, seed) in &seeds {
        for id in ids_in(&seed.to_string()) {
            assert!(keys.contains(&id), "{path}: {id} is nothing's id");
        }
    }
}

/// Whatever looks like `ABC-123`.
fn ids_in(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .filter(|word| {
            word.split_once('-').is_some_and(|(prefix, number)| {
                prefix.len() >= 3
                    && prefix.chars().all(|c| c.is_ascii_uppercase())
                    && !number.is_empty()
                    && number.chars().all(|c| c.is_ascii_digit())
            })
        })
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn the_walkthrough_works() {
    let walkthrough = walkthrough();
    let known: BTreeSet<String> = every_tool()
        .await
        .iter()
        .map(|(app, tool)| format!("{}.{}", app.name, name(tool)))
        .collect();
    for task in walkthrough.tasks {
        for tool in task.tools {
            assert!(known.contains(*tool), "{tool}");
        }
    }
    let (app_name, tool) = walkthrough.call.tool.split_once('.').unwrap();
    let result = call(&app(app_name).server, tool, walkthrough.call.arguments).await;
    assert_eq!(text(&result), walkthrough.call.answer);
}
