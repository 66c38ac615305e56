//! What do past conversations add to an agent, and to that agent alone? (T6, T16, T18 to T20)

use serde_json::json;

use super::*;

/// T6: two agents with the same catalog; what one is told the other does not know.
#[tokio::test]
async fn t6_what_one_agent_learns_no_other_knows() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    let before = publish(runtime, "acme", &billing()).await;
    publish(runtime, "twin", &billing()).await;
    let told = json!([
        handed_on("1", "find_customer", "audit_ledger"),
        handed_on("2", "find_customer", "audit_ledger"),
    ]);
    let after = trace(runtime, "acme", &told).await.unwrap();
    assert!(after.traced > before.traced, "{after:?}");
    assert_eq!(counts(runtime, "acme").await, after);
    let twin = counts(runtime, "twin").await;
    assert_eq!((twin.traced, twin.conversations), (0, 0));
    assert_eq!(graph(runtime, "twin").await.len(), twin.declared + twin.inferred);
    let question = "please look into the matter of 1";
    let tools = |answer: TurnAnswer| answer.tools;
    publish(runtime, "third", &billing()).await;
    let (twin, third) = (turn("twin", question), turn("third", question));
    assert_eq!(tools(ask(runtime, twin).await), tools(ask(runtime, third).await));
}

/// T16: conversations outlive a publish; links of removed tools leave and come back with them.
#[tokio::test]
async fn t16_conversations_outlive_a_publish() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    publish(runtime, "acme", &billing()).await;
    let told = json!([
        handed_on("1", "find_customer", "audit_ledger"),
        handed_on("2", "find_customer", "audit_ledger"),
    ]);
    let learned = trace(runtime, "acme", &told).await.unwrap();
    let mut without = billing();
    without["tools"]
        .as_array_mut()
        .unwrap()
        .retain(|tool| tool["name"] != "audit_ledger");
    let fewer = publish(runtime, "acme", &without).await;
    assert_eq!((fewer.traced, fewer.conversations), (0, 2));
    assert_eq!(publish(runtime, "acme", &billing()).await, learned);
}

/// T18, T20: counted by id; none at all is fine; unknown tools and results that are not JSON are kept.
#[tokio::test]
async fn t18_t20_conversations_are_counted_by_id() {
    let deployment = deployment().await;
    let runtime = &deployment.runtime;
    let published = publish(runtime, "acme", &billing()).await;
    assert_eq!(trace(runtime, "acme", &json!([])).await.unwrap(), published);
    let odd = json!({"id": "odd", "messages": [
        {"role": "user", "content": "hm"},
        {"role": "assistant", "toolCalls": [{"name": "nobody_has_this", "arguments": {}, "result": "{not json"}]},
    ]});
    let both = json!([handed_on("1", "find_customer", "audit_ledger"), odd]);
    assert_eq!(trace(runtime, "acme", &both).await.unwrap().conversations, 2);
    let again = trace(runtime, "acme", &both).await.unwrap();
    assert_eq!(
        (again.conversations, again.traced),
        (2, 0),
        "one conversation twice is one"
    );
    let second = json!([handed_on("2", "find_customer", "audit_ledger")]);
    let linked = trace(runtime, "acme", &second).await.unwrap();
    assert_eq!(linked.conversations, 3);
    assert!(linked.traced > 0);
    // Replaced by another that shows no link: it counts no longer.
    let replaced = json!([{"id": "2", "messages": []}]);
    let replaced = trace(runtime, "acme", &replaced).await.unwrap();
    assert_eq!((replaced.conversations, replaced.traced), (3, 0));
}
