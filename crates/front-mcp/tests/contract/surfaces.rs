//! What of a surface is fixed when it is opened, and what follows the world? (P6 to P10, P14, E22)

use std::sync::Arc;

use axum::Router;
use handpick_domain::Presentation;
use serde_json::json;

use crate::agent::{Agent, STYLES, Style, router};
use crate::deployment::{Deployment, PATIENCE, Plan, Scripted, fillers, tool};

const META_TOOLS: [&str; 3] = ["discover_tools", "get_tool_schema", "execute_tool"];

async fn with_tools(count: usize) -> (Deployment, Router, Arc<Scripted>) {
    let bulk = Scripted::new(fillers(count));
    let plan = Plan::new()
        .server("bulk", &bulk)
        .server("other", &Scripted::new(fillers(100)))
        .gateway("adaptive", Presentation::Adaptive, &["bulk.*"])
        .gateway("direct", Presentation::Direct, &["bulk.*"])
        .gateway("discovery", Presentation::Discovery, &["bulk.*"])
        .restrict("bulk.fill_0000", "officer");
    let deployment = plan.start().await;
    let router = router(&deployment);
    (deployment, router, bulk)
}

async fn set_tools(deployment: &Deployment, bulk: &Scripted, count: usize) {
    bulk.set_tools(fillers(count));
    deployment.refresh("bulk").await;
}

/// P6, P7, P9, E22: what counts is what the gateway allows, hidden from the caller or not, and nothing
/// of other apps.
#[tokio::test]
async fn e22_twenty_nine_thirty_thirty_one() {
    for (bound, direct) in [(1, true), (29, true), (30, false), (31, false)] {
        let (_deployment, router, _) = with_tools(bound).await;
        for style in STYLES {
            let listed = Agent::open(&router, "adaptive", style).await.names().await;
            if direct {
                assert_eq!(listed.len(), bound - 1, "one is hidden by role");
                assert_eq!(
                    listed.first().map(String::as_str).unwrap_or("bulk_fill_0001"),
                    "bulk_fill_0001"
                );
            } else {
                assert_eq!(listed, META_TOOLS, "{bound} tools, one of them hidden");
            }
        }
    }
}

/// P10, C8: a session keeps the presentation it was opened in; the next one sees the new count.
#[tokio::test]
async fn p10_the_presentation_lasts_as_long_as_the_session() {
    let (deployment, router, bulk) = with_tools(29).await;
    let old = Agent::open(&router, "adaptive", Style::Session).await;
    assert_eq!(old.names().await.len(), 28);
    set_tools(&deployment, &bulk, 30).await;
    assert_eq!(old.names().await.len(), 29, "still direct, with today's tools");
    let new = Agent::open(&router, "adaptive", Style::Session).await;
    assert_eq!(new.names().await, META_TOOLS);
    set_tools(&deployment, &bulk, 10).await;
    assert_eq!(new.names().await, META_TOOLS, "still discovery");
    assert_eq!(old.names().await.len(), 9);
    let refused = new.call("bulk_fill_0001", json!({})).await.error();
    assert_eq!(refused.0, -32602);
    for style in [Style::Sessionless, Style::Modern] {
        let agent = Agent::open(&router, "adaptive", style).await;
        assert_eq!(
            agent.names().await.len(),
            9,
            "{style:?} opens a surface each time"
        );
    }
}

/// P14: a tool bound after the surface was opened is not callable on it, in any mode, until the client
/// lists again or opens a new session.
#[tokio::test]
async fn p14_later_tools_need_a_new_surface() {
    let (deployment, router, bulk) = with_tools(5).await;
    let direct = Agent::open(&router, "direct", Style::Session).await;
    let discovery = Agent::open(&router, "discovery", Style::Session).await;
    set_tools(&deployment, &bulk, 6).await;
    deployment.indexed().await;
    let execute = json!({"tool_name": "bulk_fill_0005"});
    assert_eq!(direct.call("bulk_fill_0005", json!({})).await.error().0, -32602);
    assert_eq!(
        discovery.call("execute_tool", execute.clone()).await.failure(),
        "tool not found: bulk_fill_0005"
    );
    let found = discovery
        .call("discover_tools", json!({"query": "fill_0005"}))
        .await
        .structured();
    assert!(!found.to_string().contains("fill_0005"), "{found}");
    assert_eq!(found["total"], 4);
    for agent in [&direct, &discovery] {
        agent.names().await;
    }
    assert_eq!(direct.call("bulk_fill_0005", json!({})).await.status, 200);
    assert_eq!(
        discovery.call("execute_tool", execute.clone()).await.result()["isError"],
        json!(null)
    );
    let fresh = Agent::open(&router, "discovery", Style::Session).await;
    assert_eq!(
        fresh.call("execute_tool", execute.clone()).await.result()["isError"],
        json!(null)
    );
}

/// P14: a tool that is gone upstream is still in the snapshot; its server has the last word.
#[tokio::test]
async fn p14_a_tool_that_is_gone_stays_in_the_snapshot() {
    let (deployment, router, bulk) = with_tools(6).await;
    let session = Agent::open(&router, "discovery", Style::Session).await;
    let modern = Agent::open(&router, "discovery", Style::Modern).await;
    set_tools(&deployment, &bulk, 3).await;
    let shown = session
        .call("get_tool_schema", json!({"tool_name": "bulk_fill_0005"}))
        .await;
    assert_eq!(shown.structured()["name"], "bulk_fill_0005");
    let reached = session
        .call("execute_tool", json!({"tool_name": "bulk_fill_0005"}))
        .await
        .result();
    assert_eq!(reached["content"][0]["text"], "fill_0005");
    let gone = modern
        .call("execute_tool", json!({"tool_name": "bulk_fill_0005"}))
        .await
        .failure();
    assert_eq!(gone, "tool not found: bulk_fill_0005");
}

/// A page that was begun is finished from the same snapshot.
#[tokio::test]
async fn a8_pages_of_a_session_come_from_one_snapshot() {
    let (deployment, router, bulk) = with_tools(150).await;
    let agent = Agent::open(&router, "direct", Style::Session).await;
    let first = agent.ask("tools/list", json!({})).await.result();
    set_tools(&deployment, &bulk, 250).await;
    let second = agent
        .ask("tools/list", json!({"cursor": first["nextCursor"]}))
        .await
        .result();
    assert_eq!(second["tools"].as_array().unwrap().len(), 49);
    assert!(second.get("nextCursor").is_none());
}

/// Until every server has answered once, a session's surface is provisional and follows; what a
/// stateless client gets may not be kept.
#[tokio::test]
async fn p10_a_surface_opened_too_early_follows_until_all_is_there() {
    let (bulk, early) = (Scripted::slow(fillers(40)), Scripted::new(fillers(2)));
    let plan = Plan::new().server("bulk", &bulk).server("early", &early).gateway(
        "adaptive",
        Presentation::Adaptive,
        &["*"],
    );
    let deployment = plan.start_at_once().await;
    let router = router(&deployment);
    let session = Agent::open(&router, "adaptive", Style::Session).await;
    let modern = Agent::open(&router, "adaptive", Style::Modern).await;
    let mut changes = deployment.runtime.upstreams.changes();
    let first = changes.wait_for(|&generation| generation > 1);
    tokio::time::timeout(PATIENCE, first).await.unwrap().unwrap();
    assert!(!deployment.runtime.is_settled());
    for agent in [&session, &modern] {
        assert_eq!(
            agent.names().await.len(),
            2,
            "a server that is not there yet hides no other"
        );
    }
    let list = modern.ask("tools/list", json!({})).await.result();
    assert_eq!(list["ttlMs"], 0, "nobody may keep a list that is about to grow");
    bulk.let_list();
    deployment.runtime.upstreams.settled(PATIENCE).await;
    deployment.indexed().await;
    let found = session
        .call("execute_tool", json!({"tool_name": "bulk.fill_0001"}))
        .await
        .result();
    assert_eq!(found["content"][0]["text"], "fill_0001");
    assert_eq!(session.names().await, META_TOOLS);
    assert_eq!(
        modern.ask("tools/list", json!({})).await.result()["ttlMs"],
        60_000
    );
    set_tools(&deployment, &bulk, 3).await;
    assert_eq!(session.names().await, META_TOOLS, "fixed from now on");
}

/// A8: a hundred tools a page, in an order that never changes, whatever the order of the servers.
#[tokio::test]
async fn a8_a_hundred_tools_a_page() {
    let mut shuffled = fillers(230);
    shuffled.reverse();
    shuffled.push(tool("Zeta", "Upper case."));
    let plan = Plan::new()
        .server("zoo", &Scripted::new(fillers(20)))
        .server("bulk", &Scripted::new(shuffled))
        .gateway("direct", Presentation::Direct, &["*"]);
    let deployment = plan.start().await;
    let router = router(&deployment);
    let mut lists = Vec::new();
    for style in STYLES {
        let agent = Agent::open(&router, "direct", style).await;
        let (mut cursor, mut sizes) = (json!(null), Vec::new());
        loop {
            let page = agent.ask("tools/list", json!({"cursor": cursor})).await.result();
            sizes.push(page["tools"].as_array().unwrap().len());
            match page.get("nextCursor") {
                Some(next) => cursor = next.clone(),
                None => break,
            }
        }
        assert_eq!(sizes, [100, 100, 51]);
        lists.push(agent.names().await);
    }
    assert!(lists.iter().all(|list| *list == lists[0]));
    let mut distinct = lists[0].clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 251);
}

/// A8: an unknown cursor is refused, one whose tool is gone is not.
#[tokio::test]
async fn a8_cursors() {
    let (deployment, router, bulk) = with_tools(150).await;
    for style in STYLES {
        for gateway in ["direct", "discovery"] {
            let agent = Agent::open(&router, gateway, style).await;
            for cursor in [
                json!("nonsense"),
                json!(""),
                json!(5),
                json!({"a": 1}),
                json!(["after:x"]),
            ] {
                let reply = agent.ask("tools/list", json!({"cursor": cursor})).await;
                assert_eq!(
                    reply.error().0,
                    -32602,
                    "{cursor} on {gateway}, {style:?}: {reply:?}"
                );
            }
        }
    }
    let agent = Agent::open(&router, "direct", Style::Modern).await;
    let first = agent.ask("tools/list", json!({})).await.result();
    set_tools(&deployment, &bulk, 100).await;
    let rest = agent
        .ask("tools/list", json!({"cursor": first["nextCursor"]}))
        .await
        .result();
    assert_eq!(rest["tools"], json!([]));
}

/// P1, P2: the values of the setting; `adaptive` is the default, and a gateway that says nothing else is
/// resolved when it is opened.
#[test]
fn p1_the_setting() {
    for (text, expected) in [
        ("direct", Some(Presentation::Direct)),
        ("discovery", Some(Presentation::Discovery)),
        ("recommend", Some(Presentation::Recommend)),
        ("adaptive", Some(Presentation::Adaptive)),
        ("Direct", None),
        ("", None),
        ("everything", None),
    ] {
        assert_eq!(serde_json::from_value(json!(text)).ok(), expected, "{text}");
    }
    assert_eq!(Presentation::default(), Presentation::Adaptive);
}
