//! Does a publish replace everything, and a deletion remove everything? (T8, T13, T16, T23 to T26)

use handpick_operations::agents::delete_agent::delete_agent;
use handpick_operations::agents::publish_catalog::publish_catalog;
use handpick_operations::agents::read_agent::{read_catalog, read_counts, read_graph};
use serde_json::json;

use super::*;

/// T8: what is left out is gone, what is new is there, for the very next request.
#[tokio::test]
async fn t8_a_publish_counts_for_the_next_request() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    let found = find(runtime, task("acme", "refund the invoice")).await;
    assert!(names(&found.tools).contains("refund_invoice"));
    let other =
        json!({"tools": [{"name": "Close.Account", "description": "Close the account of a customer."}]});
    assert_eq!(publish(runtime, "acme", &other).await.tools, 1);
    let found = find(runtime, task("acme", "refund the invoice")).await;
    assert_eq!(names(&found.tools), roles(&["Close.Account"]));
    let answer = ask(runtime, turn("acme", "refund the invoice please")).await;
    assert_eq!(names(&answer.tools), roles(&["Close.Account"]));
    assert_eq!(answer.agent.tools().len(), 1);
}

/// T13, T16, T23: counts come with a publish, can be read, and the same catalog again changes nothing.
#[tokio::test]
async fn t13_t23_counts_are_answered_and_read() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    let first = publish(runtime, "acme", &billing()).await;
    assert_eq!(
        (first.agent_id.as_str(), first.tools, first.conversations),
        ("acme", 6, 0)
    );
    assert_eq!(first.declared, 2, "both lookups are declared");
    assert_eq!(counts(runtime, "acme").await, first);
    assert_eq!(publish(runtime, "acme", &billing()).await, first);
    let edges = graph(runtime, "acme").await;
    assert_eq!(edges.len(), first.declared + first.inferred + first.traced);
}

/// T17: no tools are a catalog too, and every question about it has an empty answer.
#[tokio::test]
async fn t17_an_empty_catalog_answers_emptily() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    let published = publish(runtime, "acme", &json!({"tools": []})).await;
    assert_eq!(
        (published.tools, published.declared, published.inferred),
        (0, 0, 0)
    );
    assert_eq!(ask(runtime, turn("acme", "refund the invoice")).await.tools, []);
    assert_eq!(find(runtime, task("acme", "refund the invoice")).await.tools, []);
    assert_eq!(graph(runtime, "acme").await, []);
}

/// T24: byte for byte, unknown fields and spaces included.
#[tokio::test]
async fn t24_the_catalog_is_read_as_published() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    let json = "{ \"tools\" : [ {\"name\":\"a\",\"description\":\"caf\\u00e9 読\", \"x\":1.50e0} ],\n\"later\":null}";
    let (tools, _) = catalog(&serde_json::from_str(json).unwrap());
    publish_catalog(runtime, &id("acme"), tools, json.to_owned())
        .await
        .unwrap();
    assert_eq!(&*read_catalog(runtime, &id("acme")).await.unwrap(), json);
}

/// T25: links by name, sorted, each with a confidence above 0 and at most 1.
#[tokio::test]
async fn t25_the_graph_is_sorted_by_name() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    let edges = graph(runtime, "acme").await;
    let key = |edge: &NamedEdge| (edge.provider.clone(), edge.consumer.clone(), edge.param.clone());
    assert!(edges.is_sorted_by_key(key));
    assert!(
        edges
            .iter()
            .all(|edge| edge.confidence > 0.0 && edge.confidence <= 1.0)
    );
    let declared: Vec<_> = edges
        .iter()
        .filter(|edge| edge.source == "DECLARED")
        .map(|edge| format!("{} -{}-> {}", edge.provider, edge.param, edge.consumer))
        .collect();
    let expected = [
        "find_customer -customer_id-> list_invoices",
        "list_invoices -invoice_id-> refund_invoice",
    ];
    assert_eq!(declared, expected);
}

/// T26: everything is gone, once; the next one with the name starts empty.
#[tokio::test]
async fn t26_a_deleted_agent_is_unknown_everywhere() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    publish(runtime, "other", &billing()).await;
    let told = json!([handed_on("1", "find_customer", "ask_user")]);
    trace(runtime, "acme", &told).await.unwrap();
    delete_agent(runtime, &id("acme")).await.unwrap();
    unknown(delete_agent(runtime, &id("acme")).await, "acme");
    assert_unknown(runtime, "acme").await;
    assert_eq!(runtime.agents.live(), 1);
    assert_eq!(publish(runtime, "acme", &billing()).await.conversations, 0);
    assert_eq!(counts(runtime, "other").await.tools, 6);
}

/// T28: an agent nobody published, whatever is asked of it.
#[tokio::test]
async fn t28_an_unknown_agent_is_told_by_its_name() {
    let deployment = deployment().await;
    assert_unknown(&deployment.runtime, "nobody").await;
    let error = read_counts(&deployment.runtime, &id("nobody")).await.unwrap_err();
    assert_eq!(error.to_string(), "unknown agent: nobody");
}

async fn assert_unknown(runtime: &Runtime, agent: &str) {
    unknown(read_counts(runtime, &id(agent)).await, agent);
    unknown(read_catalog(runtime, &id(agent)).await, agent);
    unknown(read_graph(runtime, &id(agent)).await, agent);
    unknown(turn_context(runtime, turn(agent, "hello there")).await, agent);
    unknown(find_agent_tools(runtime, task(agent, "hello there")).await, agent);
    unknown(trace(runtime, agent, &json!([])).await, agent);
    unknown(
        trace(runtime, agent, &json!([handed_on("1", "a", "b")])).await,
        agent,
    );
}

/// E13: a deployment that finds no tools says so; what is known can be read and removed all the same.
#[tokio::test]
async fn e13_without_selection_nothing_is_found_or_learned() {
    let store = handpick_store::Store::in_memory().await.unwrap();
    publish(&plan().store(&store).start().await.runtime, "acme", &billing()).await;
    let deployment = plan().store(&store).encoder(None).start().await;
    let runtime = &deployment.runtime;
    let (tools, json) = catalog(&billing());
    unavailable(publish_catalog(runtime, &id("acme"), tools, json).await);
    unavailable(trace(runtime, "acme", &json!([])).await);
    unavailable(turn_context(runtime, turn("acme", "refund it")).await);
    unavailable(find_agent_tools(runtime, task("nobody", "refund it")).await);
    assert_eq!(counts(runtime, "acme").await.tools, 6);
    delete_agent(runtime, &id("acme")).await.unwrap();
    unknown(read_counts(runtime, &id("acme")).await, "acme");
}
