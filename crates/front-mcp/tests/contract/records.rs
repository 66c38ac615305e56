//! What is kept of each call, and is it linked to the selection it followed? (A21, P25)

use handpick_domain::Presentation;
use handpick_upstream::{ServerConfig, Transport};
use serde_json::{Value, json};

use crate::agent::{Agent, STYLES, Style, router};
use crate::deployment::{Deployment, OTHER_KEY, PATIENCE, Plan, READ_KEY, Scripted, lab_tools};
use crate::http_upstream::HttpUpstream;

async fn select(agent: &Agent) -> String {
    let answer = agent
        .call("Arcade_SelectTools", json!({"tasks": ["say the words again"]}))
        .await;
    answer.structured()["query_id"].as_str().unwrap().to_owned()
}

async fn recommend(plan: Plan) -> Deployment {
    plan.gateway("recommend", Presentation::Recommend, &["lab.*", "gone.*"])
        .start()
        .await
}

/// Every way a call ends is recorded as what it was, once, with who asked and how.
#[tokio::test]
async fn p25_outcomes() {
    let mut impatient = ServerConfig::new("slow", Transport::Local(Scripted::new(lab_tools())));
    impatient.call_timeout = std::time::Duration::from_millis(20);
    let lab = Scripted::new(lab_tools());
    let deployment = Plan::new()
        .server("lab", &lab)
        .config(impatient)
        .gateway("lab", Presentation::Direct, &["*"])
        .restrict("lab.secret", "officer")
        .start()
        .await;
    let router = router(&deployment);
    let agent = Agent::open(&router, "lab", Style::Session).await;
    agent.call("LAB_echo@2", json!({})).await;
    agent.call("lab_fail", json!({})).await;
    agent.call("lab_strict", json!({})).await;
    agent.call("lab_secret", json!({})).await;
    agent.call("nope", json!({})).await;
    agent.call("lab_refuse", json!({})).await;
    let late = agent.call("slow_wait", json!({})).await.failure();
    assert!(late.starts_with("server `slow` did not answer within"), "{late}");
    Agent::open_as(&router, "lab", Style::Session, READ_KEY)
        .await
        .call("lab_echo", json!({}))
        .await;
    let pending = agent.call_later("5", "lab_wait", &json!({}));
    let mut waiting = lab.waiting.subscribe();
    tokio::time::timeout(PATIENCE, waiting.wait_for(|&count| count == 1))
        .await
        .unwrap()
        .unwrap();
    pending.abort();
    let mut abandoned = lab.abandoned.subscribe();
    tokio::time::timeout(PATIENCE, abandoned.wait_for(|&count| count == 1))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        deployment.outcomes().await,
        [
            "lab.echo ok",
            "lab.fail tool_error",
            "lab.refuse rpc_error",
            "lab.strict invalid",
            "lab.wait cancelled",
            "lab_echo denied",
            "lab_secret denied",
            "nope denied",
            "slow.wait timeout",
        ]
    );
    let calls = deployment.calls().await;
    for call in &calls {
        assert_eq!(call.gateway.as_deref(), Some("lab"));
        assert_eq!(call.source, "direct");
        assert!(
            call.arguments_json.is_none() && call.result_json.is_none(),
            "content is off by default"
        );
        assert!(uuid::Uuid::parse_str(&call.id).is_ok());
        assert_eq!(
            call.error.is_none(),
            matches!(call.outcome.as_str(), "ok" | "tool_error" | "cancelled")
        );
    }
    assert!(calls.iter().any(|call| call.key_id == READ_KEY));
}

/// A server that breaks off in the middle of a call is `unavailable`; the call is not made again.
#[tokio::test]
async fn p25_unavailable() {
    let mut far = HttpUpstream::start("far").await;
    let deployment = Plan::new()
        .config(far.config.clone())
        .gateway("far", Presentation::Recommend, &["*"])
        .start()
        .await;
    let agent = Agent::open(&router(&deployment), "far", Style::Modern).await;
    let pending = agent.call_later("1", "Arcade_UseTool", &json!({"tool_name": "far.work"}));
    drop(far.next_call().await);
    let text = pending.await.unwrap().failure();
    assert!(text.starts_with("server `far` is unavailable: "), "{text}");
    assert_eq!(deployment.outcomes().await, ["far.work unavailable"]);
    assert!(far.is_quiet(), "a call that may have run is never repeated");
}

/// The mode is the source.
#[tokio::test]
async fn p25_sources() {
    let deployment = Plan::new()
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("direct", Presentation::Direct, &["lab.*"])
        .gateway("discovery", Presentation::Discovery, &["lab.*"])
        .gateway("recommend", Presentation::Recommend, &["lab.*"])
        .start()
        .await;
    let router = router(&deployment);
    for style in STYLES {
        let open = async |gateway: &str| Agent::open(&router, gateway, style).await;
        open("direct").await.call("lab_echo", json!({})).await;
        open("discovery")
            .await
            .call("execute_tool", json!({"tool_name": "lab_echo"}))
            .await;
        open("recommend")
            .await
            .call("Arcade_UseTool", json!({"tool_name": "lab_echo"}))
            .await;
    }
    let sources: Vec<String> = deployment
        .calls()
        .await
        .into_iter()
        .map(|call| call.source)
        .collect();
    assert_eq!(sources.len(), 9);
    for source in ["direct", "discovery", "recommend"] {
        assert_eq!(
            sources.iter().filter(|one| *one == source).count(),
            3,
            "{sources:?}"
        );
    }
}

/// A21: an execution is linked to the recommendation it names, if that was given to the same key.
#[tokio::test]
async fn a21_executions_are_linked() {
    let deployment = recommend(Plan::new().server("lab", &Scripted::new(lab_tools()))).await;
    let router = router(&deployment);
    let agent = Agent::open(&router, "recommend", Style::Session).await;
    let mine = select(&agent).await;
    let foreign = select(&Agent::open_as(&router, "recommend", Style::Session, OTHER_KEY).await).await;
    for (query_id, linked) in [
        (json!(mine), true),
        (json!(foreign), false),
        (json!("00000000-0000-4000-8000-000000000000"), false),
        (json!("no uuid"), false),
        (json!(""), false),
        (json!(5), false),
        (json!(null), false),
        (json!("x".repeat(100_000)), false),
        (json!("nul\u{0}"), false),
    ] {
        let arguments = json!({"tool_name": "lab.echo", "query_id": query_id});
        let result = agent.call("Arcade_UseTool", arguments).await.result();
        assert_eq!(result["content"][0]["text"], "echo", "{query_id}");
        let call = deployment.new_calls().await.pop().unwrap();
        let expected = linked.then(|| mine.clone());
        assert_eq!(call.query_id, expected, "{query_id}");
    }
    let followed = deployment.runtime.store.calls_by_query(&mine).await.unwrap();
    assert_eq!(followed.len(), 1);
}

/// A21: a call that is refused is linked as well.
#[tokio::test]
async fn a21_refused_executions_are_linked() {
    let deployment = recommend(Plan::new().server("lab", &Scripted::new(lab_tools()))).await;
    let agent = Agent::open(&router(&deployment), "recommend", Style::Modern).await;
    let query_id = select(&agent).await;
    for tool in ["nope", "lab.strict", "lab.fail"] {
        agent
            .call("Arcade_UseTool", json!({"tool_name": tool, "query_id": query_id}))
            .await;
    }
    deployment.calls().await;
    let followed = deployment.runtime.store.calls_by_query(&query_id).await.unwrap();
    assert_eq!(followed.len(), 3);
}

/// Selections are recorded with what they suggested; texts only where the operator wants them.
#[tokio::test]
async fn a15_selections_are_recorded() {
    for content in [false, true] {
        let mut plan = Plan::new().server("lab", &Scripted::new(lab_tools()));
        if content {
            plan = plan.record_content();
        }
        let deployment = recommend(plan).await;
        let agent = Agent::open(&router(&deployment), "recommend", Style::Session).await;
        let query_id = select(&agent).await;
        let arguments = json!({"tool_name": "lab.echo", "inputs": {"secret": 1}, "query_id": query_id});
        agent.call("Arcade_UseTool", arguments).await;
        let call = deployment.calls().await.pop().unwrap();
        let selection = deployment
            .runtime
            .store
            .selections_recent(5)
            .await
            .unwrap()
            .pop()
            .unwrap();
        assert_eq!(selection.query_id, query_id);
        assert_eq!(selection.tasks, 1);
        let tools: Value = serde_json::from_str(&selection.tools_json).unwrap();
        assert_eq!(tools[0][0]["tool"], "lab.echo");
        let kept = (
            selection.tasks_json,
            call.arguments_json,
            call.result_json.is_some(),
        );
        let expected = if content {
            (
                Some(r#"["say the words again"]"#.to_owned()),
                Some(r#"{"secret":1}"#.to_owned()),
                true,
            )
        } else {
            (None, None, false)
        };
        assert_eq!(kept, expected);
    }
}
