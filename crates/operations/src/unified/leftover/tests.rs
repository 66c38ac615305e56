//! Is what a call leaves unsaid told?

use handpick_mapping::Source;
use handpick_protocol::json::to_raw;
use jiff::Timestamp;
use serde_json::json;

use super::*;

fn leftover(request: &str, read: &[(&str, &str)]) -> Leftover {
    let schema = json!({"properties": {
        "card_id": {"type": "string"},
        "list_id": {"type": "string"},
        "starred": {"type": "boolean"},
        "pos": {"enum": ["top", "bottom"]}
    }});
    let definition =
        json!({"name": "move_card", "description": "Move a card to a list.", "inputSchema": schema});
    let tool = Tool::parse("boards", &to_raw(&definition)).unwrap();
    let mapped = Mapped {
        arguments: read
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect(),
        sources: read
            .iter()
            .map(|(name, words)| {
                let source = Source {
                    origin: Origin::Request,
                    words: (*words).to_owned(),
                };
                ((*name).to_owned(), source)
            })
            .collect(),
        ..Mapped::default()
    };
    let now = Now::utc("2026-11-30T10:00:00Z".parse::<Timestamp>().unwrap());
    Said::new(request, None, now).leftover(&tool, &schema, &mapped)
}

/// P19: a call that leaves values or named parameters unsaid is told from one that says all.
#[test]
fn what_is_left_unsaid_is_counted() {
    let read = [("card_id", "CRD-12"), ("list_id", "LST-7")];
    let all = leftover("Please move card CRD-12 to list LST-7", &read);
    assert_eq!(all, Leftover::default());
    let choice = leftover("move card CRD-12 to list LST-7, top", &read);
    assert_eq!((choice.named, choice.values), (1.0, 0.0));
    let value = leftover("move card CRD-12 and CRD-13 to list LST-7", &read);
    assert_eq!(value.values, 1.0);
    let object = leftover("move card CRD-12 to list LST-7 for marketing", &read);
    assert_eq!(object.objects, 1.0, "`pos` may be meant");
    let cut = leftover(
        "move card roof terrace to list LST-7",
        &[("card_id", "roof"), ("list_id", "LST-7")],
    );
    assert_eq!(cut.objects, 1.0);
    let named = leftover("move the starred card CRD-12 to list LST-7", &read);
    assert_eq!(named.named, 1.0);
    let part = leftover("move card CRD-12:93 to list LST-7", &read);
    assert_eq!(part.torn_off, 1.0);
    let words = leftover("move card CRD-12 to list LST-7 before Zanzibar wakes", &read);
    assert!(words.words >= 2.0, "{words:?}");
}

/// P18: two ids in the context and no word which: that is told from one, and from a word.
#[test]
fn p18_ids_of_the_context_that_are_not_used_are_counted() {
    let context = json!({"customer_id": "CUS-1", "ticket": {"id": "TIC-5", "seats": 3}});
    let now = Now::utc("2026-11-30T10:00:00Z".parse::<Timestamp>().unwrap());
    let source = Source {
        origin: Origin::Context,
        words: "TIC-5".to_owned(),
    };
    let mapped = Mapped {
        sources: [("ticket_id".to_owned(), source)].into(),
        ..Mapped::default()
    };
    for (request, context, expected) in [
        ("hand it over to Jonah", Some(&context), 1),
        ("hand the ticket over to Jonah", Some(&context), 0),
        ("hand it over to Jonah", None, 0),
        ("hand it over", Some(&json!("ticket TIC-5 of customer CUS-1")), 1),
    ] {
        let other = Said::new(request, context, now).other_ids(&mapped);
        assert_eq!(other, expected, "{request} {context:?}");
    }
}

/// E17: any text is fine.
#[test]
fn e17_any_text_is_read() {
    for text in ["", "🙂🙂", "\u{0}", "カードを移動", "é".repeat(20_000).as_str()] {
        leftover(text, &[("card_id", "🙂")]);
    }
}
