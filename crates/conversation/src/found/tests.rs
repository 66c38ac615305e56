//! Are ids found wherever they stand, and nothing else?

use handpick_domain::{AgentTool, Conversation, Message, Parameter, Role, ToolCall};
use serde_json::{Value, json};

use super::*;

fn tool(name: &str, takes: &[(&str, &str)], produces: &[&str]) -> AgentTool {
    let parameter = |(name, description): &(&str, &str)| Parameter {
        name: (*name).to_owned(),
        description: (!description.is_empty()).then(|| (*description).to_owned()),
        required: true,
        ..Parameter::default()
    };
    AgentTool {
        name: name.into(),
        description: name.to_owned(),
        parameters: takes.iter().map(parameter).collect(),
        produces: produces.iter().map(|name| (*name).to_owned()).collect(),
        ..AgentTool::default()
    }
}

fn agent() -> Agent {
    let mut reassign = tool("reassign_ticket", &[("ticket_id", "")], &[]);
    reassign.examples = vec![
        "give T-9077 to Marta".to_owned(),
        "reassign ticket A4-paper".to_owned(),
    ];
    let tools = vec![
        tool("find_customer", &[("query", "")], &["customer_id"]),
        tool(
            "merge_customers",
            &[
                ("customer_id", "Customer id, e.g. cus_8812"),
                ("duplicate_customer_id", "e.g. cus_9"),
            ],
            &[],
        ),
        tool("get_order", &[("orderId", "Order number, e.g. 100233")], &[]),
        tool("send_invoice", &[("invoice_id", "e.g. INV-1042")], &[]),
        tool("book_room", &[("room-id", "like 4B-03"), ("slot_id", "")], &[]),
        tool("list_slots", &[], &["slot_id"]),
        tool(
            "sign",
            &[("doc_id", "e.g. DOC/2023/4"), ("fileId", "e.g. 2023-0004")],
            &[],
        ),
        tool("get_parcel", &[("id", "")], &[]),
        tool("get_landlord", &[("landlord_no", "e.g. 70004")], &[]),
        tool("show_policy", &[("policy", "")], &[]),
        tool("find_policy", &[], &["policy"]),
        reassign,
    ];
    let call = ToolCall {
        name: "list_slots".to_owned(),
        result: Some(r#"[{"slot_id": "SL-300"}]"#.to_owned()),
        ..ToolCall::default()
    };
    let message = Message {
        role: Role::Assistant,
        content: String::new(),
        tool_calls: vec![call],
    };
    Agent::learn(
        tools,
        &[Conversation {
            id: "1".to_owned(),
            messages: vec![message],
        }],
    )
}

fn told(found: &[FoundId]) -> Vec<String> {
    found
        .iter()
        .map(|id| format!("{}={}", id.name.as_str(), id.value))
        .collect()
}

fn in_text(text: &str) -> Vec<String> {
    told(&ids(&agent(), &[], text, None))
}

fn in_call(name: &str, arguments: &Value, result: &str) -> Vec<FoundId> {
    let call = ToolCall {
        name: name.to_owned(),
        arguments: arguments.as_object().cloned().unwrap(),
        result: Some(result.to_owned()),
    };
    let message = Message {
        role: Role::Assistant,
        content: String::new(),
        tool_calls: vec![call],
    };
    ids(&agent(), &[message], "", None)
}

/// T39: an id in words is known by its looks, or by what it is called.
#[test]
fn t39_ids_in_words() {
    for (text, expected) in [
        ("Globex (cus_8812), please", vec!["customer_id=cus_8812"]),
        ("CUS_77?", vec!["customer_id=cus_77"]),
        (
            "merge inv-2291 and INV-2292.",
            vec!["invoice_id=INV-2291", "invoice_id=INV-2292"],
        ),
        ("T-9077!", vec!["ticket_id=T-9077"]),
        ("订单SL-9好的", vec!["slot_id=SL-9"]),
        ("where is order 100432", vec!["order_id=100432"]),
        ("order no. 100432?", vec!["order_id=100432"]),
        ("orders #100432", vec!["order_id=100432"]),
        ("landlord number 70011", vec!["landlord_number=70011"]),
        ("Landlord: 70011", vec!["landlord_number=70011"]),
        ("100432", vec!["order_id=100432"]),
        ("is 4B-11 free", vec!["room_id=4B-11"]),
        ("ticket 9077 and T-9077", vec!["ticket_id=T-9077"]),
        ("a T-shirt, INV-OLD and cus_", vec![]),
        ("call 07700 900321 or 0151-555188", vec![]),
        ("that is 120000 EUR, or 1.100.233,00", vec![]),
        ("on 2024-06-11 at 10:20, room 12", vec![]),
        ("mail me at a@inv-1.example or INV-1@x.example", vec![]),
        ("at 70% of 100", vec![]),
        ("EUR 120000 and 120000 USD", vec![]),
        (
            "doc DOC/2024/17, or DOC/2024/9.",
            vec!["doc_id=DOC/2024/17", "doc_id=DOC/2024/9"],
        ),
        ("from 2024-0117 to 5-10 days", vec![]),
        ("file 2024-0117", vec!["file_id=2024-0117"]),
        ("2024-0117", vec!["file_id=2024-0117"]),
        ("", vec![]),
    ] {
        assert_eq!(in_text(text), expected, "{text}");
    }
}

#[test]
fn t39_ids_in_results_and_arguments() {
    for (name, arguments, result, expected) in [
        (
            "find_customer",
            json!({"query": "x"}),
            r#"{"results": [{"customerId": "cus_1"}]}"#,
            vec!["customer_id=cus_1"],
        ),
        (
            "find_customer",
            json!({}),
            r#"{"data": {"items": [{"id": 55, "name": "x"}]}}"#,
            vec!["customer_id=55"],
        ),
        (
            "get_order",
            json!({"orderId": 100233}),
            r#"{"order": {"id": 100233, "customer": {"id": "c"}}}"#,
            vec!["order_id=100233", "order_id=100233", "customer_id=c"],
        ),
        (
            "unknown_tool",
            json!({"order_id": "1"}),
            r#"{"orders": [{"id": 1}, {"id": 2}], "address": {"id": 3}}"#,
            vec!["order_id=1", "order_id=1", "order_id=2"],
        ),
        (
            "get_order",
            json!({"orderId": "1"}),
            r#"{"id": 7, "paid": 12, "total": 3.5, "grid": "9"}"#,
            vec!["order_id=1"],
        ),
        (
            "get_parcel",
            json!({"id": "PX-1"}),
            r#"{"id": "PX-1"}"#,
            vec!["parcel_id=PX-1", "parcel_id=PX-1"],
        ),
        (
            "find_policy",
            json!({}),
            r#"{"policy": "home"}"#,
            vec!["policy=home"],
        ),
        (
            "x",
            json!({"a": ["T-9021"], "b": {"order_ids": [1, 2]}}),
            "{}",
            vec!["order_id=1", "order_id=2", "ticket_id=T-9021"],
        ),
        (
            "x",
            json!({}),
            r#"{"assigned": "T-9021", "old_ticket_id": "T-1", "text": "see INV-33 and cus_5"}"#,
            vec!["ticket_id=T-9021", "invoice_id=INV-33", "customer_id=cus_5"],
        ),
        ("x", json!({}), "done: INV-7 sent", vec!["invoice_id=INV-7"]),
        (
            "x",
            json!({}),
            r#"{"customer_id": null, "invoice_id": "", "order_id": true, "slot_id": 1.5, "ticket_id": "\u0000"}"#,
            vec![],
        ),
        ("x", json!({}), "{broken", vec![]),
    ] {
        assert_eq!(
            told(&in_call(name, &arguments, result)),
            expected,
            "{name} {result}"
        );
    }
}

#[test]
fn siblings_are_counted_and_known_by_what_stands_beside_them() {
    let found = in_call(
        "find_customer",
        &json!({"query": "acme"}),
        r#"[{"customer_id": "cus_1", "name": "Acme Anvils", "country": "US"}, {"customer_id": "cus_2"}, {"customer_id": "cus_1"}]"#,
    );
    assert_eq!(found.iter().map(|id| id.siblings).collect::<Vec<_>>(), [2, 2, 2]);
    assert_eq!((&*found[0].names, &*found[0].attributes), (" acme anvils", " us"));
    assert_ne!(found[0].element, found[1].element);
    let many: Vec<Value> = (0..5000)
        .map(|number| json!({"customer_id": format!("cus_{number}")}))
        .collect();
    let found = in_call("find_customer", &json!({}), &json!(many).to_string());
    assert_eq!((found.len(), found[0].siblings), (VALUES_MAX, 5000));
}

/// T30: an id in the address by its looks, its folder or its name; in the title by its looks.
#[test]
fn t30_ids_of_the_page() {
    for (url, title, expected) in [
        (
            "https://x.example/customers/cus_7330/overview",
            "",
            vec!["customer_id=cus_7330"],
        ),
        (
            "https://x.example/p/INV-3301-oslo-chair",
            "Oslo",
            vec!["invoice_id=INV-3301"],
        ),
        ("https://x.example/orders/100432", "", vec!["order_id=100432"]),
        (
            "https://x.example/parcels/991?order_id=5&x=y",
            "",
            vec!["parcel_id=991", "order_id=5"],
        ),
        (
            "https://x.example/#/tickets/T-9077",
            "T-9077 lost",
            vec!["ticket_id=T-9077"],
        ),
        ("/help", "T-9077 Paquet perdu – Desk", vec!["ticket_id=T-9077"]),
        ("not an address", "", vec![]),
        ("https://x.example/2024/06/11/news", "", vec![]),
    ] {
        let page = Page {
            url: Some(url.to_owned()),
            title: Some(title.to_owned()),
        };
        let found = ids(&agent(), &[], "", Some(&page));
        assert_eq!(told(&found), expected, "{url}");
        assert!(found.iter().all(|id| id.place == Place::Page));
    }
}

/// T22: what comes from elsewhere may be anything.
#[test]
fn t22_garbage_is_read_in_linear_time() {
    let agent = agent();
    let texts = [
        "INV-".repeat(64_000),
        "a-1-".repeat(64_000),
        "#1 ".repeat(80_000),
        "order ".repeat(40_000),
        "1 ".repeat(60_000) + &" ".repeat(120_000),
        "A/1.".repeat(60_000),
        "é1_".repeat(60_000),
        format!("[{}]", vec![r#"{"id":1,"x":{"id":"cus_1"}}"#; 8000].join(",")),
        format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{{{}\"x\":1}}", r#""invoice_id":"INV-1","#.repeat(9000)),
        format!(r#"{{"{}":"x-1"}}"#, "a_".repeat(110_000)),
        format!(
            r#"{{"{}":[{}1]}}"#,
            "a_".repeat(50_000),
            r#""a1","#.repeat(30_000)
        ),
        format!(
            r#"{{"{}":{{"id":[{}1]}}}}"#,
            "a_".repeat(50_000),
            "1,".repeat(60_000)
        ),
        "é12345".repeat(30_000),
    ];
    for text in texts {
        let call = ToolCall {
            name: "find_customer".to_owned(),
            result: Some(text.clone()),
            ..ToolCall::default()
        };
        let message = Message {
            role: Role::Assistant,
            content: text.clone(),
            tool_calls: vec![call],
        };
        let page = Page {
            url: Some(text.clone()),
            title: Some(text.clone()),
        };
        let (_, took) = handpick_testkit::cpu::timed(|| ids(&agent, &[message], &text, Some(&page)));
        assert!(took.as_secs() < 5, "{took:?} for {:?}", &text[..16]);
    }
}
