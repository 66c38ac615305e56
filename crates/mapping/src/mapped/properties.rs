//! Does the reader hold whatever it is given, and does it make nothing up?

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Now;

fn now() -> Now {
    Now::utc("2026-11-30T10:00:00Z".parse().expect("a timestamp"))
}

/// JSON that may be a schema, or anything.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z#/$ ]{0,12}".prop_map(Value::from),
        Just(json!("string")),
        Just(json!("object")),
        Just(json!("#/properties/a")),
    ];
    let keys = prop_oneof![
        Just("type".to_owned()),
        Just("properties".to_owned()),
        Just("required".to_owned()),
        Just("items".to_owned()),
        Just("anyOf".to_owned()),
        Just("enum".to_owned()),
        Just("$ref".to_owned()),
        Just("description".to_owned()),
        "[a-z_]{1,8}",
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(keys.clone(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Words that requests are made of, values among them, none of which is another way to write a value.
fn request() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "delete",
        "the",
        "invoice",
        "INV-7",
        "TCK-9",
        "named",
        "Dana",
        "Whitfield",
        "to",
        "from",
        "in",
        "with",
        "tag",
        "billing",
        "and",
        "urgent,",
        "channel",
        "#ops",
        "\"a b, c\"",
        "status",
        "open",
        "high",
        "reason:",
        "because",
        "it",
        "broke.",
        "a@b.example",
        "please",
        "web-01",
        "acme/web",
        "of",
        "project",
        "storefront",
        "text:",
        "don't",
        "title",
        "Order soil",
        "für",
        "l'équipe",
        "🎉",
        "/a/b.txt",
    ]);
    prop::collection::vec(words, 0..14).prop_map(|words| words.join(" "))
}

fn schema() -> Value {
    let text = |about: &str| json!({"type": "string", "description": about});
    json!({"properties": {
        "invoice_id": {"type": "string", "examples": ["INV-1"]}, "ticket_id": text("The ticket"), "title": text("Title"),
        "channel": text("Name of the channel"), "assignee": text("Who works on it"), "tags": {"type": "array", "items": {"type": "string"}},
        "reason": text("Why"), "text": text("What it says"), "email": text("E-mail address"), "path": text("File"),
        "status": {"type": "string", "enum": ["open", "closed"]}, "priority": {"type": "string", "enum": ["low", "high"]},
        "project": text("The project"), "owner": text("Owner"), "repo": text("Repository"), "emoji": text("One emoji"),
    }, "required": ["invoice_id", "title", "reason", "channel"]})
}

fn leaves(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, found)),
        Value::Object(map) => map.values().for_each(|inner| leaves(inner, found)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// E16, E17: no text, no context and no schema brings the reader down.
    #[test]
    fn e16_nothing_panics(text in any::<String>(), words in "\\PC{0,40}", context in any_json(), schema in any_json()) {
        let mapped = map_arguments(&Request { text: &text, context: Some(&context), now: now() }, &words, &schema);
        prop_assert!((0.0..=1.0).contains(&mapped.explained));
        let asked = map_arguments(&Request { text: &text, context: Some(&context), now: now() }, &words, &super::properties::schema());
        prop_assert!(asked.sureness.values().all(|sure| (0.0..=1.0).contains(sure)));
    }

    /// P19, P21: every value stands in the request, in the context or in the schema, and every argument says where.
    #[test]
    fn p21_nothing_is_made_up(text in request(), id in "[A-Z]{3}-[0-9]{1,4}") {
        let context = json!({"invoice": {"id": id}});
        let schema = schema();
        let mapped = map_arguments(&Request { text: &text, context: Some(&context), now: now() }, "void_invoice Void an invoice", &schema);
        let said = format!("{text} {context} {}", schema["properties"]["status"]) + &schema["properties"]["priority"].to_string();
        let mut values = Vec::new();
        leaves(&Value::Object(mapped.arguments.clone()), &mut values);
        for value in values {
            prop_assert!(said.contains(&value), "{value:?} is not said in {text:?}");
        }
        for name in mapped.arguments.keys() {
            prop_assert!(mapped.sources.contains_key(name) && mapped.sureness.contains_key(name), "{name}");
            prop_assert!(mapped.missing.iter().all(|missing| missing.name != *name) && !mapped.torn.contains(name), "{name}");
        }
    }
}

/// E16: a request of a hundred thousand bytes is read in bounded work.
#[test]
fn e16_long_texts_are_read() {
    let text = "tag INV-7 billing and \"open\" reason: it broke, named Dana Whitfield. ".repeat(1_600);
    let mapped = map_arguments(
        &Request {
            text: &text,
            context: None,
            now: now(),
        },
        "void_invoice Void an invoice",
        &schema(),
    );
    assert!(mapped.explained >= 0.0);
}
