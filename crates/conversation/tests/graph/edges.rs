//! Which edges does which evidence give?

use handpick_conversation::id_name::IdName;
use handpick_conversation::{EdgeSource, Graph};
use serde_json::json;

use crate::support::{call, catalog, conversation, counts, edges};

/// T11, T14: `produces` makes a tool the lookup for every tool that needs the id, in every spelling.
#[test]
fn t11_declared_edges() {
    let tools = catalog(&[
        "who(query) -> customerId",
        "refund(customer_id, amount)",
        "note(CustomerID, text)",
        "tag(customer-id)",
        "quote(customer_id?)",
        "get_by_id(customer_id) -> customer_id",
    ]);
    assert_eq!(
        edges(&tools, &[]),
        [
            "who -> get_by_id (customer_id) DECLARED",
            "who -> note (CustomerID) DECLARED",
            "who -> refund (customer_id) DECLARED",
            "who -> tag (customer-id) DECLARED",
        ]
    );
    let graph = Graph::learn(&tools, &[]);
    assert!(
        graph
            .edges()
            .iter()
            .all(|edge| edge.confidence == 1.0 && edge.name.as_str() == "customer_id")
    );
    assert_eq!(graph.into_tool(1).count(), 1);
    assert_eq!(graph.into_tool(99).count(), 0);
}

/// T15: every naming habit; a tool that needs the id itself supplies it to nobody.
#[test]
fn t15_static_edges_of_every_naming_habit() {
    for provider in [
        "find_customer",
        "customer_lookup",
        "listCustomers",
        "find-customer",
        "customer.search",
        "FindCustomer",
        "crm_find_customer",
        "customers__list",
        "look_up_customer",
        "get_customer_by_email",
        "create_customer",
        "my_customers",
    ] {
        let lookup = format!("{provider}(query)");
        for consumer in ["refund(customer_id)", "refund(customerId)", "refund(customer-id)"] {
            let tools = catalog(&[&lookup, consumer]);
            assert_eq!(counts(&tools, &[]), [0, 0, 1], "{provider} {consumer}");
            let graph = Graph::learn(&tools, &[]);
            let confidence = graph.edges()[0].confidence;
            assert!(confidence > 0.0 && confidence < 1.0);
        }
    }
    for other in [
        "find_customer(customer_id)",
        "cancel_customer(query)",
        "find_order(query)",
        "customer_note(query)",
        "ask_user(question)",
    ] {
        assert_eq!(
            counts(&catalog(&[other, "refund(customer_id)"]), &[]),
            [0, 0, 0],
            "{other}"
        );
    }
    // A bare `id` is of what its tool is named after, and an optional id needs no lookup.
    assert_eq!(
        edges(&catalog(&["list_orders()", "get_order(id)"]), &[]),
        ["list_orders -> get_order (id) STATIC"]
    );
    assert_eq!(
        counts(&catalog(&["list_orders()", "report(order_id?)"]), &[]),
        [0, 0, 0]
    );
}

/// T15: lookups are surer than makers, and the only lookup is surer than one of several.
#[test]
fn t15_confidence_tells_how_well_it_matches() {
    let confidence = |lines: &[&str], provider: usize| {
        let graph = Graph::learn(&catalog(lines), &[]);
        graph
            .edges()
            .iter()
            .find(|edge| edge.provider == provider)
            .map(|edge| edge.confidence)
    };
    let only = confidence(&["find_order(query)", "cancel(order_id)"], 0).unwrap();
    let kind = confidence(&["list_open_orders(query)", "cancel(order_id)"], 0).unwrap();
    let several = confidence(&["find_order(query)", "cancel(order_id)", "list_orders()"], 0).unwrap();
    let maker = confidence(
        &["create_order(lines)", "cancel(order_id)", "find_order(query)"],
        0,
    )
    .unwrap();
    assert!(
        only > kind && kind > several && several > maker,
        "{only} {kind} {several} {maker}"
    );
    // Declared lookups are rivals as well.
    let beside_declared = confidence(
        &[
            "find_order(query)",
            "cancel(order_id)",
            "orders_of_today() -> order_id",
        ],
        0,
    )
    .unwrap();
    assert!(beside_declared < only);
}

/// The id of a thing in a role of its own comes from whoever looks such things up.
#[test]
fn t15_roles_of_an_id_have_the_lookup_of_the_id() {
    let tools = catalog(&[
        "find_customer(query)",
        "get_customer(customer_id)",
        "merge(customer_id, duplicate_customer_id)",
    ]);
    assert_eq!(
        edges(&tools, &[]),
        [
            "find_customer -> get_customer (customer_id) STATIC",
            "find_customer -> merge (customer_id) STATIC",
            "find_customer -> merge (duplicate_customer_id) STATIC",
        ]
    );
}

/// Also where the lookup is a declared one, and where names suggest only who makes such a thing.
#[test]
fn t15_what_is_declared_serves_roles_too() {
    let tools = catalog(&[
        "who(query) -> customer_id",
        "create_old_customer()",
        "merge(old_customer_id)",
    ]);
    assert_eq!(
        edges(&tools, &[]),
        [
            "create_old_customer -> merge (old_customer_id) STATIC",
            "who -> merge (old_customer_id) STATIC"
        ]
    );
}

/// T11: what a tool declares to return is an id, whatever its name.
#[test]
fn t11_any_name_can_be_declared() {
    let tools = catalog(&[
        "list_coupons() -> couponCode",
        "apply(coupon_code)",
        "sort(order_key)",
    ]);
    assert_eq!(
        edges(&tools, &[]),
        ["list_coupons -> apply (coupon_code) DECLARED"]
    );
}

/// What a parameter's own description says counts whatever the names are.
#[test]
fn t15_a_parameter_names_its_lookup() {
    let mut tools = catalog(&["whos_in(site)", "hand_over(technician_id)"]);
    assert_eq!(counts(&tools, &[]), [0, 0, 0]);
    tools[1].parameters[0].description = Some("The id, as whos_in returns it.".to_owned());
    assert_eq!(
        edges(&tools, &[]),
        ["whos_in -> hand_over (technician_id) STATIC"]
    );
}

/// T19, T21: a value that one tool returned and another took, in two conversations.
#[test]
fn t19_values_link_tools_once_two_conversations_show_it() {
    let tools = catalog(&[
        "shift_show(site)",
        "ticket_assign(ticket_id, technician_id)",
        "note(text?)",
    ]);
    let past = |id: &str, technician: &str| {
        let result = format!("[{{\"technician_id\": \"{technician}\"}}, {{\"technician_id\": \"tec-9\"}}]");
        let arguments = json!({"ticket_id": format!("HD-{technician}"), "technician_id": technician});
        conversation(
            id,
            &[
                (
                    "who is in?",
                    vec![call("shift_show", json!({"site": "HQ"}), &result)],
                ),
                ("give it to them", vec![call("ticket_assign", arguments, "ok")]),
            ],
        )
    };
    assert_eq!(counts(&tools, &[past("a", "tec-4")]), [0, 0, 0]);
    // The same conversation posted again is not a second one; nor is a pattern that repeats within one.
    assert_eq!(
        counts(&tools, &[past("a", "tec-4"), past("a", "tec-4")]),
        [0, 0, 0]
    );
    let mut twice = past("a", "tec-4");
    twice.messages.extend(past("b", "tec-6").messages);
    assert_eq!(counts(&tools, &[twice]), [0, 0, 0]);
    let edge = ["shift_show -> ticket_assign (technician_id) TRACE"];
    let both = [past("a", "tec-4"), past("b", "tec-6")];
    assert_eq!(edges(&tools, &both), edge);
    // T20: a later conversation of the same id replaces the first.
    let replaced = [
        past("a", "tec-4"),
        past("b", "tec-6"),
        conversation("b", &[("hi", vec![])]),
    ];
    assert_eq!(counts(&tools, &replaced), [0, 0, 0]);
    // T16: without the tool its edges are gone, and with it they are back.
    assert_eq!(counts(&tools[1..], &both), [0, 0, 0]);
    assert_eq!(edges(&tools, &both), edge);
}

/// T14: one edge of a provider, a consumer and a parameter: the strongest source.
#[test]
fn t14_the_strongest_source_wins() {
    let past = |id: &str, customer: &str| {
        let result = format!("{{\"customer_id\": \"{customer}\"}}");
        let calls = vec![
            call("find_customer", json!({"query": "Globex"}), &result),
            call("refund", json!({"customer_id": customer}), ""),
        ];
        conversation(id, &[("refund Globex", calls)])
    };
    let both = [past("a", "cus_1"), past("b", "cus_2")];
    let declared = catalog(&["find_customer(query) -> customer_id", "refund(customer_id)"]);
    assert_eq!(counts(&declared, &both), [1, 0, 0]);
    let plain = catalog(&["find_customer(query)", "refund(customer_id)"]);
    assert_eq!(counts(&plain, &both[..1]), [0, 0, 1]);
    assert_eq!(counts(&plain, &both), [0, 1, 0]);
    let sure = |past: &[_]| Graph::learn(&plain, past).edges()[0].confidence;
    assert!(
        sure(&both) >= sure(&[]),
        "evidence that agrees does not make it less sure"
    );
}

/// T21: where results were not kept or are no JSON, an order that repeats shows who supplies an id.
#[test]
fn t21_an_order_that_repeats_links_what_nobody_else_supplies() {
    let tools = catalog(&["whos_in(site)", "hand_over(technician_id)", "chat(text)"]);
    let past = |id: &str, said: &str, result: &str, given: serde_json::Value| {
        let calls = vec![
            call("whos_in", json!({"site": "HQ"}), result),
            call("hand_over", given, "ok"),
        ];
        conversation(id, &[(said, calls)])
    };
    let of = |name: &str| json!({"technician_id": name});
    let edge = "whos_in -> hand_over (technician_id) TRACE".to_owned();
    for (case, a, b, expected) in [
        (
            "no results",
            past("a", "x", "", of("tec-4")),
            past("b", "x", "", of("tec-5")),
            vec![edge.clone()],
        ),
        (
            "text",
            past("a", "x", "tec-4 is in", of("tec-4")),
            past("b", "x", "tec-5", of("tec-5")),
            vec![edge.clone()],
        ),
        (
            "no arguments",
            past("a", "x", "", json!({})),
            past("b", "x", "", json!({})),
            vec![edge],
        ),
        (
            "the user said it",
            past("a", "tec-4!", "", of("tec-4")),
            past("b", "to tec-5", "", of("tec-5")),
            vec![],
        ),
        (
            "results without it",
            past("a", "x", "{}", of("tec-4")),
            past("b", "x", "[1]", of("tec-5")),
            vec![],
        ),
        (
            "once",
            past("a", "x", "", of("tec-4")),
            past("a", "x", "", of("tec-4")),
            vec![],
        ),
    ] {
        assert_eq!(edges(&tools, &[a, b]), expected, "{case}");
    }
    // Somebody is known to supply it.
    let known = catalog(&[
        "whos_in(site)",
        "hand_over(technician_id)",
        "staff() -> technician_id",
    ]);
    let two = [past("a", "x", "", of("tec-4")), past("b", "x", "", of("tec-5"))];
    assert_eq!(
        edges(&known, &two),
        ["staff -> hand_over (technician_id) DECLARED"]
    );
    let suggested = catalog(&[
        "whos_in(site)",
        "hand_over(technician_id)",
        "find_technician(query)",
    ]);
    assert_eq!(
        edges(&suggested, &two),
        ["find_technician -> hand_over (technician_id) STATIC"]
    );
}

/// T21: values that are no ids link too, where they tell where they came from.
#[test]
fn t21_serial_numbers_link_and_common_words_do_not() {
    let tools = catalog(&["order_details(query)", "warranty_check(serial, status, on)"]);
    let past = |id: &str, serial: &str| {
        let result = format!("{{\"serial\": \"{serial}\", \"status\": \"open\", \"on\": \"2026-05-01\"}}");
        let given = json!({"serial": serial, "status": "open", "on": "2026-05-01"});
        conversation(
            id,
            &[
                ("x", vec![call("order_details", json!({"query": "x"}), &result)]),
                ("y", vec![call("warranty_check", given, "")]),
            ],
        )
    };
    let both = [past("a", "ZX-1993"), past("b", "ZX-2044")];
    assert_eq!(
        edges(&tools, &both),
        ["order_details -> warranty_check (serial) TRACE"]
    );
    assert_eq!(
        Graph::learn(&tools, &both).edges()[0].name,
        IdName::declared("serial").unwrap()
    );
}

/// T21: a tool that was given a value does not supply it, and what the user knew nobody supplies.
#[test]
fn t21_an_echo_is_no_source() {
    let tools = catalog(&["show(ticket_id)", "close(ticket_id)"]);
    let past = |id: &str, ticket: &str| {
        let result = format!("{{\"ticket_id\": \"{ticket}\", \"state\": \"open\"}}");
        let calls = vec![
            call("show", json!({"ticket_id": ticket}), &result),
            call("close", json!({"ticket_id": ticket}), "ok"),
        ];
        conversation(id, &[("close it", calls)])
    };
    assert!(edges(&tools, &[past("a", "T-100"), past("b", "T-101")]).is_empty());
}

/// E18, E19, E17: garbage is data.
#[test]
fn e18_e19_odd_conversations_are_read() {
    let tools = catalog(&["find_customer(query)", "refund(customer_id)", "👍(日本語_id)"]);
    let odd = |id: &str| {
        conversation(
            id,
            &[
                (
                    "\0 👍",
                    vec![call(
                        "gone",
                        json!({"x": {"y": [[null]]}}),
                        "{\"customer_id\": \"cus_1\"}",
                    )],
                ),
                (
                    "",
                    vec![
                        call("find_customer", json!({}), "{not json"),
                        call("find_customer", json!({}), "null"),
                    ],
                ),
                (
                    "z",
                    vec![call(
                        "refund",
                        json!({"customer_id": "cus_1", "other": 1e300}),
                        &"[".repeat(5000),
                    )],
                ),
                ("z", vec![call("👍", json!({"日本語_id": "番号-1"}), "\"\"")]),
            ],
        )
    };
    let told = edges(&tools, &[odd("a"), odd("b"), conversation("c", &[])]);
    assert!(told.iter().all(|edge| !edge.contains("gone")), "{told:?}");
    assert_eq!(EdgeSource::Trace.as_str(), "TRACE");
    assert_eq!(Graph::learn(&[], &[odd("a"), odd("b")]).edges(), []);
}

/// T25: sorted by the names of provider and consumer, then by parameter.
#[test]
fn t25_edges_are_sorted_by_name() {
    let tools = catalog(&["z(b_id, a_id)", "y(a_id)", "find_b()", "list_a()", "get_a()"]);
    let told = edges(&tools, &[]);
    let mut sorted = told.clone();
    sorted.sort();
    assert_eq!(told, sorted);
    assert_eq!(told.len(), 5);
}
