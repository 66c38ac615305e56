//! Do requests become the arguments that a careful person would send?

use serde_json::json;

use super::*;
use crate::Now;

/// Monday, 30 November 2026, ten in the morning.
fn now() -> Now {
    Now::utc("2026-11-30T10:00:00Z".parse().expect("a timestamp"))
}

pub(super) fn map(text: &str, context: Option<&Value>, tool: &str, schema: &Value) -> Mapped {
    map_arguments(
        &Request {
            text,
            context,
            now: now(),
        },
        tool,
        schema,
    )
}

/// Rows of request and arguments for one tool.
pub(super) fn check(tool: &str, schema: &Value, rows: &[(&str, Value)]) {
    for (text, expected) in rows {
        let mapped = map(text, None, tool, schema);
        assert_eq!(Value::Object(mapped.arguments), *expected, "{text}");
    }
}

pub(super) fn text(about: &str) -> Value {
    json!({"type": "string", "description": about})
}

fn names(mapped: &Mapped) -> Vec<&str> {
    mapped
        .missing
        .iter()
        .map(|missing| missing.name.as_str())
        .collect()
}

/// P19: a value goes where the parameter's name, or another word for it, stands beside it.
#[test]
fn p19_words_beside_a_value_tell_its_parameter() {
    let schema = json!({"properties": {
        "ticket_id": {"type": "string", "description": "The ticket", "examples": ["TCK-1"]},
        "channel": text("Name of the channel"),
        "assignee": text("Who works on it"),
        "priority": {"type": "string", "enum": ["low", "normal", "high"]},
        "title": text("Title"),
    }, "required": ["ticket_id"]});
    check(
        "update_ticket Update a ticket",
        &schema,
        &[
            ("update TCK-204", json!({"ticket_id": "TCK-204"})),
            (
                "Update TCK-204, priority high",
                json!({"ticket_id": "TCK-204", "priority": "high"}),
            ),
            (
                "set the priority of TCK-204 to low",
                json!({"ticket_id": "TCK-204", "priority": "low"}),
            ),
            (
                "update ticket TCK-9 in the ops channel",
                json!({"ticket_id": "TCK-9", "channel": "ops"}),
            ),
            (
                "update TCK-9, title \"Leaking can\"",
                json!({"ticket_id": "TCK-9", "title": "Leaking can"}),
            ),
            (
                "assign TCK-9 to dana",
                json!({"ticket_id": "TCK-9", "assignee": "dana"}),
            ),
            (
                "update TCK-9, im Kanal ops bitte",
                json!({"ticket_id": "TCK-9", "channel": "ops"}),
            ),
            (
                "mets à jour TCK-9, canal ops",
                json!({"ticket_id": "TCK-9", "channel": "ops"}),
            ),
            (
                "actualiza TCK-9, prioridad alta",
                json!({"ticket_id": "TCK-9", "priority": "high"}),
            ),
            (
                "aktualisiere TCK-9, Priorität hoch",
                json!({"ticket_id": "TCK-9", "priority": "high"}),
            ),
        ],
    );
}

/// P19: texts are taken as they stand, and only where something marks them.
#[test]
fn p19_texts_are_marked() {
    let schema = json!({"properties": {
        "page_id": {"type": "string", "description": "The page", "examples": ["PAGE-1"]},
        "text": text("What it says"),
    }, "required": ["page_id", "text"]});
    check(
        "append_to_page Add a paragraph to a page",
        &schema,
        &[
            (
                "Add to PAGE-3: Ask first, then act.",
                json!({"page_id": "PAGE-3", "text": "Ask first, then act."}),
            ),
            (
                "append \"Ask first.\" to PAGE-3",
                json!({"page_id": "PAGE-3", "text": "Ask first."}),
            ),
            (
                "append to PAGE-3, text: Ask first. Thanks!",
                json!({"page_id": "PAGE-3", "text": "Ask first."}),
            ),
            (
                "append something to PAGE-3 saying ask first",
                json!({"page_id": "PAGE-3", "text": "ask first"}),
            ),
            (
                "Ergänze PAGE-3 um „Erst fragen.“",
                json!({"page_id": "PAGE-3", "text": "Erst fragen."}),
            ),
            ("append a little to PAGE-3", json!({"page_id": "PAGE-3"})),
        ],
    );
}

/// P19: what something is called ends where the request goes on.
#[test]
fn p19_titles_end_where_the_request_goes_on() {
    let schema = json!({"properties": {
        "name": text("Name of the task"),
        "project_id": text("The project to create the task in"),
        "due_on": text("Due date in YYYY-MM-DD format"),
    }, "required": ["name"]});
    check(
        "create_task Create a task in a project",
        &schema,
        &[
            ("create a task named Order soil", json!({"name": "Order soil"})),
            (
                "create a task called Order soil in project 120055",
                json!({"name": "Order soil", "project_id": "120055"}),
            ),
            (
                "a task titled Order soil, due tomorrow please",
                json!({"name": "Order soil", "due_on": "2026-12-01"}),
            ),
            (
                "new task \"Order soil in bulk\" in project 120055",
                json!({"name": "Order soil in bulk", "project_id": "120055"}),
            ),
            ("Leg bitte eine Aufgabe namens Erde an", json!({"name": "Erde"})),
            ("create a task", json!({})),
        ],
    );
}

/// P19: days, moments and lengths are written as the schema wants them.
#[test]
fn p19_times_follow_the_schema() {
    let one = |schema: Value| json!({"properties": {"at": schema}, "required": ["at"]});
    let day = one(json!({"type": "string", "format": "date"}));
    let moment = one(json!({"type": "string", "format": "date-time"}));
    let local = one(json!({"type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$"}));
    let epoch = one(json!({"type": "integer", "description": "Unix time in seconds"}));
    for (schema, text, expected) in [
        (&day, "remind me tomorrow", json!("2026-12-01")),
        (&day, "erinnere mich morgen", json!("2026-12-01")),
        (
            &moment,
            "remind me tomorrow at 9am",
            json!("2026-12-01T09:00:00Z"),
        ),
        (&local, "remind me tomorrow at 9am", json!("2026-12-01T09:00")),
        (&epoch, "remind me tomorrow at 9am", json!(1_796_115_600)),
        // The time of day is not said, and nobody makes it up.
        (&moment, "remind me tomorrow", Value::Null),
        (&local, "remind me at some point", Value::Null),
    ] {
        let read = map(text, None, "remind Set a reminder", schema)
            .arguments
            .remove("at")
            .unwrap_or_default();
        assert_eq!(read, expected, "{text}: {schema}");
    }
}

/// P19: a begin and an end take two times in their order, or one time and a length.
#[test]
fn p19_begins_and_ends() {
    let schema = json!({"properties": {
        "starts_at": {"type": "string", "format": "date-time"},
        "ends_at": {"type": "string", "format": "date-time"},
    }, "required": ["starts_at", "ends_at"]});
    let both = |start: &str, end: &str| json!({"starts_at": start, "ends_at": end});
    check(
        "book_room Book the room",
        &schema,
        &[
            (
                "book the room tomorrow from 3pm to 4:30pm",
                both("2026-12-01T15:00:00Z", "2026-12-01T16:30:00Z"),
            ),
            (
                "book the room tomorrow at 9 for 45 minutes",
                both("2026-12-01T09:00:00Z", "2026-12-01T09:45:00Z"),
            ),
            (
                "book the room this Friday 10:30-11:15",
                both("2026-12-04T10:30:00Z", "2026-12-04T11:15:00Z"),
            ),
            (
                "book the room tomorrow at 3pm",
                json!({"starts_at": "2026-12-01T15:00:00Z"}),
            ),
        ],
    );
}

/// P19: numbers go by what they count, money by its currency, lengths by their unit.
#[test]
fn p19_numbers_have_units() {
    let schema = json!({"properties": {
        "limit": {"type": "integer", "description": "How many to give back at most", "maximum": 50},
        "amount": {"type": "number", "description": "How much, in euros"},
        "timeout": {"type": "integer", "description": "Timeout in seconds"},
        "percent": {"type": "integer"},
    }});
    check(
        "list_payments List payments",
        &schema,
        &[
            ("the last 5 payments", json!({"limit": 5})),
            ("die letzten 5 payments", json!({"limit": 5})),
            ("list the last 500 payments", json!({})),
            ("payments of €1,250.50", json!({"amount": 1250.5})),
            ("payments of $40", json!({})),
            (
                "list payments with a timeout of 2 minutes",
                json!({"timeout": 120}),
            ),
            ("payments with 15 %", json!({"percent": 15})),
            ("payments of the year", json!({})),
        ],
    );
    let cents = json!({"properties": {"amount": {"type": "integer", "description": "Amount in cents"}}});
    check(
        "charge Charge a card",
        &cents,
        &[
            ("charge 12,50 €", json!({"amount": 1250})),
            ("charge the amount 12", json!({})),
        ],
    );
}

/// P19: switches are turned by their words and by the opposites of them.
#[test]
fn p19_flags() {
    let schema = json!({"properties": {
        "draft": {"type": "boolean"},
        "sendNotificationEmail": {"type": "boolean", "description": "Send notification email"},
        "include_archived": {"type": "boolean"},
        "private": {"type": "boolean", "description": "Whether the repository should be private"},
    }});
    check(
        "create_repository Create a repository",
        &schema,
        &[
            ("create it as a draft", json!({"draft": true})),
            ("create a private repository", json!({"private": true})),
            ("create a public repository", json!({"private": false})),
            (
                "create a repository, no notification e-mail",
                json!({"sendNotificationEmail": false}),
            ),
            (
                "create a repository and don't notify anybody",
                json!({"sendNotificationEmail": false}),
            ),
            (
                "create a repository, including archived",
                json!({"include_archived": true}),
            ),
            ("create a repository", json!({})),
        ],
    );
    let switch = json!({"properties": {"enabled": {"type": "boolean", "description": "True to turn it on"}}, "required": ["enabled"]});
    check(
        "switch_flag Turn a flag on or off",
        &switch,
        &[
            ("turn it off", json!({"enabled": false})),
            ("enable it", json!({"enabled": true})),
            ("schalte es aus", json!({"enabled": false})),
            ("switch it", json!({})),
        ],
    );
}

/// P19: enumerations become lists, and half an enumeration is none.
#[test]
fn p19_lists() {
    let list = json!({"type": "array", "items": {"type": "string"}});
    let schema = json!({"properties": {"ticket_id": {"type": "string", "examples": ["TCK-1"]}, "tags": list, "to": {
        "type": "array", "items": {"type": "string"}, "description": "Addresses to write to",
    }}});
    check(
        "tag_ticket Add tags to a ticket",
        &schema,
        &[
            (
                "tag it billing and urgent",
                json!({"tags": ["billing", "urgent"]}),
            ),
            (
                "tag TCK-2 billing, refund and late",
                json!({"ticket_id": "TCK-2", "tags": ["billing", "refund", "late"]}),
            ),
            (
                "add the tags billing and refund to TCK-2",
                json!({"ticket_id": "TCK-2", "tags": ["billing", "refund"]}),
            ),
            ("tags: billing, refund", json!({"tags": ["billing", "refund"]})),
            (
                "write to a@b.example and c@d.example",
                json!({"to": ["a@b.example", "c@d.example"]}),
            ),
        ],
    );
    let rows = json!({"properties": {"lines": {"type": "array", "items": {"type": "object", "properties": {
        "sku": {"type": "string", "examples": ["KIT-HERB"]}, "quantity": {"type": "integer"},
    }, "required": ["sku", "quantity"]}}}, "required": ["lines"]});
    check(
        "place_order Place an order",
        &rows,
        &[
            (
                "order 3 KIT-BALCONY and 10 POT-TERRA",
                json!({"lines": [
                    {"sku": "KIT-BALCONY", "quantity": 3}, {"sku": "POT-TERRA", "quantity": 10},
                ]}),
            ),
            ("order some pots", json!({})),
        ],
    );
}

/// P19: two like values go by where they come from and where they go to.
#[test]
fn p19_parts_of_a_pair() {
    let trains = json!({"properties": {"origin": text("City"), "destination": text("City")}, "required": ["origin", "destination"]});
    check(
        "search_trains Trains between two cities",
        &trains,
        &[
            (
                "trains from Delft to Lyon",
                json!({"origin": "Delft", "destination": "Lyon"}),
            ),
            (
                "Züge von Delft nach Lyon",
                json!({"origin": "Delft", "destination": "Lyon"}),
            ),
            ("trains to Lyon", json!({"destination": "Lyon"})),
        ],
    );
    let move_file = json!({"properties": {"source": {"type": "string"}, "destination": {"type": "string"}}, "required": ["source", "destination"]});
    check(
        "move_file Move a file",
        &move_file,
        &[
            (
                "move /a/x.txt to /b/y.txt",
                json!({"source": "/a/x.txt", "destination": "/b/y.txt"}),
            ),
            ("move /a/x.txt", json!({"source": "/a/x.txt"})),
        ],
    );
    let merge = json!({"properties": {
        "duplicate_id": {"type": "string", "examples": ["TIC-1"]}, "ticket_id": {"type": "string", "examples": ["TIC-2"]},
    }, "required": ["duplicate_id", "ticket_id"]});
    check(
        "merge_tickets Merge two tickets",
        &merge,
        &[
            (
                "merge TIC-511 into TIC-513",
                json!({"duplicate_id": "TIC-511", "ticket_id": "TIC-513"}),
            ),
            (
                "merge TIC-511 into the other one",
                json!({"duplicate_id": "TIC-511"}),
            ),
        ],
    );
}

/// P19: the context gives ids by key and by prefix; the request's own value goes before.
#[test]
fn p19_the_context_gives_what_the_request_points_at() {
    let schema = json!({"properties": {"invoice_id": {"type": "string", "examples": ["INV-1"]}}, "required": ["invoice_id"]});
    for (text, context, expected) in [
        ("void it", json!({"invoice_id": "INV-7"}), Some("INV-7")),
        ("void it", json!({"invoiceId": "INV-7"}), Some("INV-7")),
        ("void it", json!({"invoice": {"id": "INV-7"}}), Some("INV-7")),
        (
            "void that invoice",
            json!("We speak of INV-7, due today."),
            Some("INV-7"),
        ),
        ("void INV-9", json!({"invoice_id": "INV-7"}), Some("INV-9")),
        ("void it", json!({"order_id": "ORD-7"}), None),
        ("void it", json!("We speak of ORD-7."), None),
        ("void the other one", json!({"invoice_id": "INV-7"}), None),
        ("void it", json!("INV-7 or INV-8, I forgot which."), None),
        ("void it", json!(7), None),
    ] {
        let mapped = map(text, Some(&context), "void_invoice Void an invoice", &schema);
        let read = mapped.arguments.get("invoice_id").and_then(Value::as_str);
        assert_eq!(read, expected, "{text} {context}");
        let origin = mapped.sources.get("invoice_id").map(|source| source.origin);
        let from_request = text.contains("INV-9");
        assert_eq!(
            origin,
            expected.map(|_| if from_request {
                Origin::Request
            } else {
                Origin::Context
            }),
            "{text} {context}"
        );
    }
}

/// P21: what is not said is missing by its name, and what fits twice is torn and missing.
#[test]
fn p21_missing_and_torn_are_told() {
    let schema = json!({"properties": {
        "request": {"type": "object", "properties": {"projectKey": {"type": "string"}, "flagKey": {"type": "string"}}, "required": ["projectKey", "flagKey"]},
    }, "required": ["request"]});
    let mapped = map(
        "delete the flag old_banner",
        None,
        "delete-flag Delete a flag",
        &schema,
    );
    assert_eq!(names(&mapped), ["request.projectKey"]);
    assert_eq!(
        mapped.arguments,
        *json!({"request": {"flagKey": "old_banner"}})
            .as_object()
            .expect("an object")
    );

    let invoice = json!({"properties": {"invoice_id": {"type": "string", "description": "The invoice", "examples": ["INV-1"]}}, "required": ["invoice_id"]});
    let mapped = map(
        "void INV-7 or INV-8",
        None,
        "void_invoice Void an invoice",
        &invoice,
    );
    assert_eq!(
        (mapped.torn.as_slice(), names(&mapped).as_slice()),
        (&["invoice_id".to_owned()][..], &["invoice_id"][..])
    );
    assert_eq!(
        mapped
            .missing
            .first()
            .and_then(|missing| missing.description.as_deref()),
        Some("The invoice")
    );
    let facts = mapped.evidence();
    assert!(
        (facts.missing, facts.torn, facts.least_required) == (1.0, 1.0, 0.0),
        "{facts:?}"
    );
}

/// P19: an id of another kind is never taken.
#[test]
fn p19_ids_of_other_things_are_left() {
    let schema = json!({"properties": {"invoice_id": {"type": "string", "examples": ["INV-1"]}}, "required": ["invoice_id"]});
    for text in [
        "void ORD-3304",
        "void the invoice of ORD-3304",
        "void invoice ORD-3304",
        "void the invoice of CUS-101",
    ] {
        assert_eq!(
            names(&map(text, None, "void_invoice Void an invoice", &schema)),
            ["invoice_id"],
            "{text}"
        );
    }
}

/// The only value that a schema allows is taken from it.
#[test]
fn p19_the_only_value_is_the_schemas() {
    let schema = json!({"properties": {"kind": {"const": "page"}, "id": {"enum": ["only"]}}, "required": ["kind", "id"]});
    let mapped = map("open it", None, "open Open a page", &schema);
    assert_eq!(
        Value::Object(mapped.arguments.clone()),
        json!({"kind": "page", "id": "only"})
    );
    assert!(
        mapped
            .sources
            .values()
            .all(|source| source.origin == Origin::Schema)
    );
    assert!(mapped.missing.is_empty());
}

/// P21: a value that no argument took is counted, so that a call is not made without it.
#[test]
fn p21_values_left_over_are_counted() {
    let schema = json!({"properties": {"page_id": {"type": "string", "examples": ["PAGE-1"]}}, "required": ["page_id"]});
    for (text, unread) in [
        ("show PAGE-3", 0.0),
        ("show PAGE-3 as of 3 March 2026", 1.0),
        ("show PAGE-3 with \"drafts\" to a@b.example", 2.0),
    ] {
        let facts = map(text, None, "read_page Read a page", &schema).evidence();
        assert!((facts.unread - unread).abs() < f32::EPSILON, "{text}: {facts:?}");
    }
    assert_eq!(
        crate::Evidence::NAMES.len(),
        crate::Evidence::default().values().len()
    );
}

/// P19: what a thing is like now is no answer to what it shall become.
#[test]
fn p19_the_context_tells_no_new_state() {
    let schema = json!({"properties": {
        "deal_id": {"type": "string", "examples": ["DEAL-1"]}, "stage": {"enum": ["offer", "won"]}, "owner": text("Who looks after it"),
    }, "required": ["deal_id", "stage", "owner"]});
    let context = json!({"deal_id": "DEAL-61", "stage": "offer", "owner": "lena"});
    let mapped = map("move it", Some(&context), "move_deal Move a deal", &schema);
    assert_eq!(
        Value::Object(mapped.arguments.clone()),
        json!({"deal_id": "DEAL-61"})
    );
    assert_eq!(names(&mapped), ["stage", "owner"]);
}

/// P21: half an enumeration is asked back.
#[test]
fn p21_rows_are_read_wholly_or_not_at_all() {
    let schema = json!({"properties": {"lines": {"type": "array", "items": {"type": "object", "properties": {
        "sku": {"type": "string", "examples": ["KIT-HERB"]}, "quantity": {"type": "integer"},
    }, "required": ["sku", "quantity"]}}}, "required": ["lines"]});
    for text in [
        "order some KIT-HERB and 2 POT-TERRA",
        "order 2 POT-TERRA and KIT-HERB",
    ] {
        assert_eq!(
            names(&map(text, None, "place_order Place an order", &schema)),
            ["lines"],
            "{text}"
        );
    }
}

/// P21: what a request rules out is no value, and what it only mentions is asked back.
#[test]
fn p21_values_that_are_ruled_out_or_mentioned() {
    let invoice = json!({"properties": {"invoice_id": {"type": "string", "examples": ["INV-1"]}}, "required": ["invoice_id"]});
    check(
        "void_invoice Void an invoice",
        &invoice,
        &[
            ("void INV-2041, not INV-2042", json!({"invoice_id": "INV-2041"})),
            (
                "void INV-2041 instead of INV-2042",
                json!({"invoice_id": "INV-2041"}),
            ),
            (
                "storniere INV-2041, nicht INV-2042",
                json!({"invoice_id": "INV-2041"}),
            ),
            ("void INV-2041, INV-2042 can stay", json!({})),
        ],
    );
    let mail = json!({"properties": {"to": {"type": "array", "items": {"type": "string"}, "description": "Addresses"}}, "required": ["to"]});
    check(
        "send_mail Send a mail",
        &mail,
        &[(
            "mail a@b.example (not c@d.example)",
            json!({"to": ["a@b.example"]}),
        )],
    );
    let manager = json!({"properties": {
        "person_id": {"type": "string", "examples": ["EMP-1"]}, "manager_id": {"type": "string", "examples": ["EMP-2"]},
    }, "required": ["person_id", "manager_id"]});
    let pair = json!({"person_id": "EMP-109", "manager_id": "EMP-102"});
    check(
        "change_manager Change who somebody reports to",
        &manager,
        &[
            ("EMP-109 reports to EMP-102", pair.clone()),
            ("make EMP-102 the manager of EMP-109", pair.clone()),
            ("EMP-102 is the manager of EMP-109", pair.clone()),
            ("for EMP-109 the new manager is EMP-102", pair),
        ],
    );
}
