//! What of a model's answer is kept?

use jiff::Timestamp;
use serde_json::json;

use super::*;

fn now() -> Now {
    Now::utc("2026-11-30T10:00:00Z".parse::<Timestamp>().unwrap())
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "email": {"type": "string"},
            "stage": {"type": "string", "enum": ["new_lead", "won"]},
            "kind": {"const": "person"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "notify": {"type": "boolean"},
            "limit": {"type": "integer", "default": 20},
            "address": {"type": "object", "properties": {"city": {"type": "string"}, "zip": {"type": "string"}}}
        },
        "required": ["name", "email"]
    })
}

fn check_of(request: &str, context: Option<Value>, answered: &Value) -> Mapped {
    let asked = UnifiedRequest {
        request: request.to_owned(),
        context,
        preferred_tools: Vec::new(),
    };
    let answered = answered.as_object().unwrap().clone();
    check(answered, &schema(), &asked, now(), &Mapped::default())
}

/// P19, P21: what stands in the request, the context or the schema is kept; anything else is dropped.
#[test]
fn p21_only_values_with_evidence_are_kept() {
    let request =
        "Add Dana  Whitfield (dana@whitfield.example) as a new lead, tagged press and north, notify her";
    let context = Some(json!({"place": {"town": "Leeds"}}));
    for (answered, kept) in [
        (
            json!({"name": "dana whitfield"}),
            json!({"name": "dana whitfield"}),
        ),
        (json!({"name": "Dana"}), json!({"name": "Dana"})),
        (json!({"name": "Dan"}), json!({})),
        (json!({"name": "Dana Smith"}), json!({})),
        (
            json!({"email": "dana@whitfield.example"}),
            json!({"email": "dana@whitfield.example"}),
        ),
        (json!({"email": "dana.whitfield@example.com"}), json!({})),
        (json!({"stage": "new_lead"}), json!({"stage": "new_lead"})),
        (json!({"stage": "won"}), json!({})),
        (json!({"kind": "person"}), json!({"kind": "person"})),
        (
            json!({"tags": ["press", "north"]}),
            json!({"tags": ["press", "north"]}),
        ),
        (json!({"tags": ["press", "south"]}), json!({})),
        (json!({"notify": true}), json!({"notify": true})),
        (json!({"notify": false}), json!({})),
        (json!({"limit": 20}), json!({})),
        (json!({"limit": 5}), json!({})),
        (
            json!({"address": {"city": "Leeds", "zip": null}}),
            json!({"address": {"city": "Leeds"}}),
        ),
        (json!({"address": {"city": "Leeds", "zip": "LS1"}}), json!({})),
        (json!({"name": null, "email": "", "tags": []}), json!({})),
        (json!({"invented": "Dana"}), json!({})),
    ] {
        let checked = check_of(request, context.clone(), &answered);
        assert_eq!(Value::Object(checked.arguments), kept, "{answered}");
    }
}

/// P21: what was dropped is missing.
#[test]
fn p21_what_is_dropped_is_missing() {
    let checked = check_of(
        "Add Dana",
        None,
        &json!({"name": "Dana", "email": "dana@example.com"}),
    );
    assert_eq!(checked.missing.len(), 1);
    assert_eq!(checked.missing[0].name, "email");
    assert_eq!(checked.sources["name"].words, "Dana");
}

/// What both read is surer than what one read; what the rules alone read stays only where it is needed.
#[test]
fn agreement_counts() {
    let source = |words: &str| Source {
        origin: Origin::Request,
        words: words.to_owned(),
    };
    let words = Mapped {
        arguments: json!({"name": "Dana", "email": "d@x.example", "tags": ["a"]})
            .as_object()
            .unwrap()
            .clone(),
        sources: [("name", "Dana"), ("email", "d@x.example"), ("tags", "a")]
            .map(|(name, words)| (name.to_owned(), source(words)))
            .into(),
        sureness: [("name", 0.8), ("email", 0.9), ("tags", 0.9)]
            .map(|(name, sureness)| (name.to_owned(), sureness))
            .into(),
        ..Mapped::default()
    };
    let asked = UnifiedRequest {
        request: "Add Dana, d@x.example, a".to_owned(),
        ..UnifiedRequest::default()
    };
    let answered = json!({"name": "Dana"}).as_object().unwrap().clone();
    let checked = check(answered, &schema(), &asked, now(), &words);
    assert_eq!(checked.sureness["name"], AGREED);
    assert_eq!(checked.sureness["email"], DISPUTED);
    assert!(
        !checked.arguments.contains_key("tags"),
        "the model did not read it"
    );
    assert!(checked.missing.is_empty());
}
