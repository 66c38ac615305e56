//! Do the rules of what holds do what they say?

use std::collections::BTreeMap;

use handpick_domain::{AgentTool, Message, Parameter, Role, ToolCall};
use serde_json::{Value, json};

use super::*;
use crate::found::{self, Page};
use crate::reading::Leaning;

fn tool(name: &str, takes: &[&str], produces: &[&str]) -> AgentTool {
    let parameter = |name: &&str| Parameter {
        name: (*name).to_owned(),
        required: true,
        ..Parameter::default()
    };
    AgentTool {
        name: name.into(),
        description: name.replace('_', " "),
        parameters: takes.iter().map(parameter).collect(),
        produces: produces.iter().map(|name| (*name).to_owned()).collect(),
        ..AgentTool::default()
    }
}

fn agent() -> Agent {
    let mut tools = vec![
        tool("find_customer", &["query"], &["customer_id"]),
        tool("get_subscription", &["customer_id"], &["subscription_id"]),
        tool("change_plan", &["subscription_id", "plan_id"], &[]),
        tool("list_plans", &[], &["plan_id"]),
        tool("list_invoices", &["customer_id"], &["invoice_id"]),
        tool("get_invoice", &["invoice_id"], &[]),
        tool("send_invoice", &["invoice_id"], &[]),
        tool("failed_payments", &[], &["invoice_id", "customer_id"]),
        tool("add_user", &["user_id", "customer_id"], &[]),
    ];
    for parameter in tools.iter_mut().flat_map(|tool| &mut tool.parameters) {
        parameter.description = match parameter.name.as_str() {
            "customer_id" => Some("e.g. cus_8812".to_owned()),
            "invoice_id" => Some("e.g. INV-1042".to_owned()),
            "subscription_id" => Some("e.g. sub_7".to_owned()),
            _ => None,
        };
    }
    Agent::learn(tools, &[])
}

fn user(content: &str) -> Message {
    Message {
        role: Role::User,
        content: content.to_owned(),
        tool_calls: Vec::new(),
    }
}

/// An assistant's message: its words, and its calls as name, arguments, result.
fn assistant(content: &str, calls: &[(&str, Value, Value)]) -> Message {
    let call = |(name, arguments, result): &(&str, Value, Value)| ToolCall {
        name: (*name).to_owned(),
        arguments: arguments.as_object().cloned().unwrap_or_default(),
        result: Some(result.as_str().map_or_else(|| result.to_string(), str::to_owned)),
    };
    Message {
        role: Role::Assistant,
        content: content.to_owned(),
        tool_calls: calls.iter().map(call).collect(),
    }
}

fn resolved(
    history: &[Message],
    message: &str,
    leaning: Leaning,
    new_subject: bool,
    page: Option<&Page>,
) -> Resolved {
    let agent = agent();
    let reading = Reading {
        leaning,
        new_subject,
        own: message.to_owned(),
        with_context: message.to_owned(),
        open_request: None,
        matter: Vec::new(),
        described: Vec::new(),
        pointed: Vec::new(),
        definite: Vec::new(),
        titles: Vec::new(),
        points_at_thing: false,
        returns: false,
    };
    let found = found::ids(&agent, history, message, page);
    resolve(&agent, history, message, &reading, &found)
}

fn check(history: &[Message], message: &str, leaning: Leaning, new_subject: bool, expected: &[(&str, &str)]) {
    let resolved = resolved(history, message, leaning, new_subject, None);
    let expected: BTreeMap<String, String> = expected
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    assert_eq!(resolved.spelled(&agent()), expected, "{message}");
}

fn globex() -> Vec<Message> {
    vec![
        user("what plan is Globex on?"),
        assistant(
            "Globex is on growth.",
            &[
                (
                    "find_customer",
                    json!({"query": "Globex"}),
                    json!({"customer_id": "cus_8812", "name": "Globex Corp"}),
                ),
                (
                    "get_subscription",
                    json!({"customer_id": "cus_8812"}),
                    json!({"subscription_id": "sub_40", "plan": "growth"}),
                ),
            ],
        ),
        user("move them to the scale plan"),
        assistant(
            "Done.",
            &[
                (
                    "list_plans",
                    json!({}),
                    json!([{"plan_id": "plan_growth", "name": "Growth"}, {"plan_id": "plan_scale", "name": "Scale"}]),
                ),
                (
                    "change_plan",
                    json!({"subscription_id": "sub_40", "plan_id": "plan_scale"}),
                    json!({"ok": true}),
                ),
            ],
        ),
    ]
}

/// T39: the seed's own example, and what follows it.
#[test]
fn t39_the_latest_of_each_id_holds() {
    let history = globex();
    let both = [("customer_id", "cus_8812"), ("subscription_id", "sub_40")];
    check(
        &history[..2],
        "ok, move them to the scale plan",
        Leaning::Refers,
        false,
        &both,
    );
    check(&[], "hello", Leaning::Nothing, false, &[]);
    check(
        &[],
        "refund INV-2291 please",
        Leaning::Own,
        true,
        &[("invoice_id", "INV-2291")],
    );
    let all = [
        ("customer_id", "cus_8812"),
        ("plan_id", "plan_scale"),
        ("subscription_id", "sub_40"),
    ];
    check(&history, "perfect", Leaning::Nothing, true, &all);
}

#[test]
fn t39_what_belongs_to_a_customer_goes_with_it_and_comes_back() {
    let mut history = globex();
    check(
        &history,
        "and for Initech?",
        Leaning::Repeats,
        true,
        &[("plan_id", "plan_scale")],
    );
    let stale = resolved(&history, "and for Initech?", Leaning::Repeats, true, None).stale;
    let stale: Vec<&str> = stale.values().map(String::as_str).collect();
    assert_eq!(stale, ["cus_8812", "sub_40"]);
    check(&history, "who failed to pay this week?", Leaning::Own, true, &[]);
    history.push(user("and for Initech?"));
    history.push(assistant(
        "Which one?",
        &[(
            "find_customer",
            json!({"query": "Initech"}),
            json!({"customer_id": "cus_8840", "name": "Initech"}),
        )],
    ));
    let initech = [("customer_id", "cus_8840"), ("plan_id", "plan_scale")];
    check(&history, "yes", Leaning::Answers, false, &initech);
    let globex = [
        ("customer_id", "cus_8812"),
        ("plan_id", "plan_scale"),
        ("subscription_id", "sub_40"),
    ];
    check(&history, "no, Globex again", Leaning::Answers, false, &globex);
    check(&history, "cus_8812 again", Leaning::Answers, false, &globex);
}

#[test]
fn t39_a_list_of_many_is_a_choice() {
    let history = |words: &str| {
        vec![
            user("who failed to pay?"),
            assistant(
                words,
                &[(
                    "failed_payments",
                    json!({}),
                    json!([
                    {"invoice_id": "INV-1", "customer_id": "cus_1", "name": "Massive Dynamic", "state": "open"},
                    {"invoice_id": "INV-2", "customer_id": "cus_2", "name": "Soylent", "state": "void"}]),
                )],
            ),
        ]
    };
    let first = [("customer_id", "cus_1"), ("invoice_id", "INV-1")];
    let second = [("customer_id", "cus_2"), ("invoice_id", "INV-2")];
    let two = history("Two of them.");
    check(&two, "thanks", Leaning::Nothing, false, &[]);
    for message in [
        "retry soylent",
        "the second one",
        "el segundo",
        "2",
        "the void one",
        "the last",
        "la dernière",
    ] {
        check(&two, message, Leaning::Answers, false, &second);
    }
    check(&two, "retry both", Leaning::Own, false, &[]);
    check(&two, "wait a second", Leaning::Nothing, false, &[]);
    check(&two, "2 of them, right?", Leaning::Own, false, &[]);
    check(&two, "Massive Dynamic and Soylent", Leaning::Own, false, &[]);
    check(&two, "INV-1", Leaning::Answers, false, &first[1..]);
    check(
        &history("Soylent failed again."),
        "retry it",
        Leaning::Refers,
        false,
        &second,
    );
    check(
        &history("INV-1 is the worst."),
        "retry it",
        Leaning::Refers,
        false,
        &first[1..],
    );
    let open = resolved(&two, "thanks", Leaning::Nothing, false, None).open;
    assert_eq!(open.values().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    let mut later = two;
    later.extend([
        user("retry soylent"),
        assistant(
            "Done.",
            &[("send_invoice", json!({"invoice_id": "INV-2"}), json!("sent"))],
        ),
    ]);
    check(&later, "and the other one?", Leaning::Repeats, true, &first);
    check(
        &later,
        "and massive dynamic just gets a mail",
        Leaning::Own,
        true,
        &first,
    );
}

#[test]
fn t39_a_tool_called_for_several_values_leaves_none_in_force() {
    let sent = |id: &str| ("send_invoice", json!({"invoice_id": id}), json!({"ok": true}));
    let history = [
        user("send both"),
        assistant("Sent.", &[sent("INV-1"), sent("INV-2")]),
    ];
    check(&history, "thanks", Leaning::Nothing, false, &[]);
    let history = [
        user("send both"),
        assistant("Sent.", &[sent("INV-1"), sent("INV-1")]),
    ];
    check(
        &history,
        "again",
        Leaning::Answers,
        false,
        &[("invoice_id", "INV-1")],
    );
}

#[test]
fn t39_the_words_about_a_call_mention_less_than_the_call() {
    let history = [
        user("redo INV-7"),
        assistant(
            "INV-7 is void.",
            &[
                (
                    "get_invoice",
                    json!({"invoice_id": "INV-7"}),
                    json!({"invoice_id": "INV-7", "customer_id": "cus_5"}),
                ),
                (
                    "create_invoice",
                    json!({"customer_id": "cus_5"}),
                    json!({"invoice_id": "INV-8"}),
                ),
            ],
        ),
    ];
    check(
        &history,
        "send",
        Leaning::Answers,
        false,
        &[("customer_id", "cus_5"), ("invoice_id", "INV-8")],
    );
}

#[test]
fn t39_what_is_taken_back_and_what_only_looks_like_an_id_hold_nothing() {
    for message in [
        "no, INV-1 not INV-2",
        "INV-1 instead of INV-2",
        "nein, INV-1 statt INV-2",
        "INV-1",
    ] {
        check(&[], message, Leaning::Answers, false, &[("invoice_id", "INV-1")]);
    }
    check(&[], "INV-1 or INV-2?", Leaning::Own, false, &[]);
    let approved = |owner: Value| {
        let result = json!({"customer_id": "cus_1"});
        [
            user("whose is INV-7"),
            assistant("", &[("get_invoice", json!({"invoice_id": "INV-7"}), result)]),
            user("look again"),
            assistant(
                "",
                &[(
                    "get_invoice",
                    json!({"invoice_id": "INV-7"}),
                    json!({"payer": owner}),
                )],
            ),
        ]
    };
    let held = [("customer_id", "cus_1"), ("invoice_id", "INV-7")];
    check(&approved(json!("cus_2")), "ok", Leaning::Nothing, false, &held);
    check(
        &approved(json!({"customer_id": "cus_1"})),
        "ok",
        Leaning::Nothing,
        false,
        &held,
    );
}

#[test]
fn t39_an_id_named_beside_takes_nothing_away() {
    let history = globex();
    let beside = [
        ("customer_id", "cus_99"),
        ("plan_id", "plan_scale"),
        ("subscription_id", "sub_40"),
    ];
    check(
        &history,
        "cus_99 may see it, too",
        Leaning::Refers,
        false,
        &beside,
    );
    check(
        &history,
        "next: cus_99",
        Leaning::Own,
        true,
        &[("customer_id", "cus_99")],
    );
}

/// T30: the page says what is meant until the conversation does.
#[test]
fn t30_t39_ids_of_the_page() {
    let page = Page {
        url: Some("https://app.example/invoices/INV-2210?tab=lines".to_owned()),
        title: Some("INV-2210 for Umbrella (was INV-2209)".to_owned()),
    };
    let on_page = |history: &[Message], message: &str, new_subject: bool| {
        resolved(history, message, Leaning::Own, new_subject, Some(&page)).spelled(&agent())
    };
    let spelled = |value: &str| BTreeMap::from([("invoice_id".to_owned(), value.to_owned())]);
    assert_eq!(on_page(&[], "what's on this one", true), spelled("INV-2210"));
    assert_eq!(on_page(&[], "and INV-3000?", true), spelled("INV-3000"));
    let talk = [user("opening hours?"), assistant("Nine to five.", &[])];
    assert_eq!(on_page(&talk, "ok, send this invoice", true), spelled("INV-2210"));
}

#[test]
fn every_spelling_of_the_catalog_is_a_key() {
    let agent = Agent::learn(
        vec![
            tool("a", &["customer_id"], &[]),
            tool("b", &["customerId"], &[]),
            tool("c", &[], &["order-id"]),
            tool("d", &["user_ids"], &[]),
        ],
        &[],
    );
    let names =
        ["customer_id", "order_id", "user_id"].map(|name| (IdName::of(name).unwrap(), name.to_owned()));
    let resolved = Resolved {
        values: names.into_iter().collect(),
        ..Resolved::default()
    };
    let keys: Vec<String> = resolved.spelled(&agent).into_keys().collect();
    assert_eq!(keys, ["customerId", "customer_id", "order-id", "user_ids"]);
}
