//! What does a question about an agent get? (T27, T29, T31, T42 to T46, E14, E16)

use handpick_conversation::Reason;
use handpick_operations::agents::read_agent::read_catalog;
use serde_json::json;

use super::*;
use crate::deployment::HashedWords;

/// T27, E14: the same request has the same answer, and nothing of it is kept.
#[tokio::test]
async fn t27_e14_the_same_request_has_the_same_answer() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    let before = (
        counts(runtime, "acme").await,
        read_catalog(runtime, &id("acme")).await.unwrap(),
    );
    let first = ask(runtime, turn("acme", "refund the invoice of Globex")).await;
    let found = find(runtime, task("acme", "refund the invoice")).await;
    for _ in 0..3 {
        ask(runtime, turn("acme", "audit the ledger")).await;
        let again = ask(runtime, turn("acme", "refund the invoice of Globex")).await;
        assert_eq!(again.tools, first.tools);
        assert_eq!(
            (again.turn_type, again.resolved_params),
            (first.turn_type, first.resolved_params.clone())
        );
        assert_eq!(
            find(runtime, task("acme", "refund the invoice")).await.tools,
            found.tools
        );
    }
    let after = (
        counts(runtime, "acme").await,
        read_catalog(runtime, &id("acme")).await.unwrap(),
    );
    assert_eq!(before, after);
    let stored = runtime.store.agent_conversations_load("acme").await.unwrap();
    assert_eq!(stored, []);
}

/// T29, T42: without the role a restricted tool is nowhere, under no reason; with it, it is there. `find-tools` searches
/// the whole catalog, the always-on tools too.
#[tokio::test]
async fn t29_t42_roles_open_restricted_tools() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    let restricted = |names: &BTreeSet<String>| names.iter().filter(|name| name.starts_with("audit")).count();
    for (held, in_turn, in_find) in [(&[][..], 0, 0), (&["agent"], 0, 0), (&["agent", "auditor"], 2, 2)] {
        let mut request = turn("acme", "audit the ledger of the company");
        request.roles = roles(held);
        let names_of_turn = names(&ask(runtime, request).await.tools);
        assert_eq!(restricted(&names_of_turn), in_turn, "{names_of_turn:?}");
        assert!(names_of_turn.contains("ask_user"), "core tools are always there");
        let mut request = task("acme", "audit the ledger of the company");
        request.roles = roles(held);
        let found = names(&find(runtime, request).await.tools);
        assert_eq!(restricted(&found), in_find, "{found:?}");
    }
}

/// T31: a cap on what matches; the deployment's own where the request has none.
#[tokio::test]
async fn t31_matched_tools_are_capped() {
    let many: Vec<_> = (0..60)
        .map(|number| json!({"name": format!("move_{number}"), "description": format!("Move box number {number}.")}))
        .chain([json!({"name": "ask_user", "description": "Ask.", "core": true})])
        .collect();
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &json!({"tools": many})).await;
    for (tools_max, expected) in [
        (Some(0), 0),
        (Some(1), 1),
        (Some(7), 7),
        (Some(50), 50),
        (None, 10),
    ] {
        let mut request = turn("acme", "move box number 7 to the cellar");
        request.tools_max = tools_max;
        let answer = ask(runtime, request).await;
        let is_core = |tool: &&ContextTool| tool.reason == Reason::Core;
        let core = answer.tools.iter().filter(is_core).count();
        assert_eq!((answer.tools.len() - core, core), (expected, 1), "{tools_max:?}");
        let positions = answer
            .tools
            .iter()
            .map(|tool| &answer.agent.tools()[tool.position].name);
        assert!(positions.eq(answer.tools.iter().map(|tool| &tool.name)));
    }
}

/// T43, T46: what the model has is not returned, neither as a match nor as a lookup; unknown names do not matter.
#[tokio::test]
async fn t43_t46_excluded_tools_are_never_returned() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    let all = find(runtime, task("acme", "refund the invoice of a customer")).await;
    assert!(names(&all.tools).len() >= 3);
    let everything = [
        "refund_invoice",
        "find_customer",
        "list_invoices",
        "ask_user",
        "audit_ledger",
        "nobody",
    ];
    for count in 0..everything.len() {
        let mut request = task("acme", "refund the invoice of a customer");
        request.exclude = roles(&everything[..count]);
        let found = names(&find(runtime, request.clone()).await.tools);
        assert!(found.is_disjoint(&request.exclude), "{found:?}");
    }
    let mut request = task("acme", "refund the invoice of a customer");
    request.exclude = roles(&everything);
    assert_eq!(find(runtime, request).await.tools, []);
}

/// T44, T45: at most so many matches, lookups on top, and no other reason than these two.
#[tokio::test]
async fn t44_t45_found_tools_are_matches_and_their_lookups() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    for limit in [1, 2, 50] {
        let mut request = task("acme", "refund a paid invoice");
        request.limit = limit;
        let found = find(runtime, request).await.tools;
        let matches = found
            .iter()
            .filter(|tool| tool.reason == Reason::Retrieved)
            .count();
        let lookups = found
            .iter()
            .filter(|tool| tool.reason == Reason::Dependency)
            .count();
        assert!(matches >= 1 && matches <= limit, "{found:?}");
        assert_eq!(matches + lookups, found.len(), "{found:?}");
        assert_eq!(names(&found).len(), found.len(), "each once");
    }
}

/// E16, E17: texts of any length and script are answered, and in time that does not grow with them.
#[tokio::test]
async fn e16_e17_texts_of_any_length_and_script_are_answered() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    let long = "refund the invoice 退款 💸 \u{202e}\u{0}".repeat(6_000);
    let tools = json!({"tools": [{"name": "refund_invoice", "description": long, "examples": [long]}]});
    publish(runtime, "acme", &tools).await;
    let answer = ask(runtime, turn("acme", &long)).await;
    assert!(names(&answer.tools).contains("refund_invoice"));
    let found = find(runtime, task("acme", &long)).await;
    assert!(names(&found.tools).contains("refund_invoice"));
}

/// A text that cannot be encoded is answered by words alone, and so is every text of an agent.
#[tokio::test]
async fn an_encoder_that_fails_leaves_the_words() {
    for (trap, question) in [
        ("refund", "refund the invoice"),
        ("quickly", "refund the invoice quickly"),
    ] {
        let encoder = HashedWords { trap: Some(trap) };
        let deployment = plan().encoder(Some(std::sync::Arc::new(encoder))).start().await;
        let runtime = &deployment.runtime;
        publish(runtime, "acme", &billing()).await;
        let answer = ask(runtime, turn("acme", question)).await;
        assert!(names(&answer.tools).contains("refund_invoice"));
    }
}
