//! Does a call run, fail and end as it says? (A26, A57, P17)

mod schemas;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use handpick_domain::{Caller, Presentation, Scope, Surface};
use handpick_operations::call_tool::{Call, CallFailure, Called, call_tool, new_execution_id};
use handpick_operations::open_surface::open_surface;
use handpick_protocol::json::raw;
use handpick_upstream::{CallError, ServerConfig, Transport};

use crate::deployment::{Deployment, PATIENCE, Plan, RICH, Scripted, lab_tools};

fn admin() -> Caller {
    Caller {
        key_id: "k".to_owned(),
        scopes: [Scope::Admin].into(),
        ..Caller::default()
    }
}

async fn deployment(lab: &Arc<Scripted>) -> Deployment {
    let mut config = ServerConfig::new("slow", Transport::Local(Scripted::new(lab_tools())));
    config.call_timeout = Duration::from_millis(10);
    Plan::new()
        .server("lab", lab)
        .config(config)
        .gateway("all", Presentation::Direct, &["*"])
        .start()
        .await
}

async fn run(deployment: &Deployment, tool: &str, arguments: Option<&str>) -> Result<Called, CallFailure> {
    let caller = admin();
    let opened = open_surface(&deployment.runtime, "all", &caller).unwrap();
    call_tool(
        &deployment.runtime,
        call(&opened.surface, &caller, tool, arguments),
    )
    .await
}

fn call<'a>(surface: &'a Surface, caller: &'a Caller, tool: &'a str, arguments: Option<&str>) -> Call<'a> {
    Call {
        execution_id: new_execution_id(),
        surface,
        caller,
        tool,
        arguments: arguments.map(|text| raw(text.to_owned())),
        query_id: None,
        meta: None,
        progress: None,
        client: None,
        source: "test",
    }
}

/// A26: the result is what the server sent, byte for byte; only `isError` is looked at.
#[tokio::test]
async fn a26_results_are_not_touched() {
    let deployment = deployment(&Scripted::new(lab_tools())).await;
    for (tool, expected, is_error) in [
        ("lab.rich", RICH, false),
        ("lab.empty", "{}", false),
        (
            "lab.fail",
            r#"{"content":[{"type":"text","text":"the disk is full"}],"isError":true}"#,
            true,
        ),
    ] {
        let called = run(&deployment, tool, None).await.unwrap();
        assert_eq!(
            (called.result.get(), called.is_error),
            (expected, is_error),
            "{tool}"
        );
    }
}

/// Each way to fail has its own kind.
#[tokio::test]
async fn failures_are_told_apart() {
    let deployment = deployment(&Scripted::new(lab_tools())).await;
    assert!(matches!(
        run(&deployment, "nope", None).await,
        Err(CallFailure::Denied(_))
    ));
    match run(&deployment, "lab.strict", Some(r#"{"guests":"two"}"#)).await {
        Err(CallFailure::Arguments { tool, errors }) => {
            assert_eq!(tool, "lab.strict");
            assert_eq!((errors.len(), errors[0].path.as_str()), (1, "guests"));
        }
        other => panic!("{other:?}"),
    }
    match run(&deployment, "lab.refuse", None).await {
        Err(CallFailure::Rpc(error)) => {
            assert_eq!((error.code, error.message.as_str()), (-32000, "not today"));
            assert_eq!(error.data.unwrap().get(), r#"{"until": "tomorrow"}"#);
        }
        other => panic!("{other:?}"),
    }
    let late = run(&deployment, "slow.wait", None).await;
    assert!(
        matches!(late, Err(CallFailure::Upstream(CallError::TimedOut { .. }))),
        "{late:?}"
    );
}

/// Arguments and results are not recorded unless a setting says so, not even as a part of what went wrong.
#[tokio::test]
async fn failures_are_recorded_without_values() {
    let deployment = deployment(&Scripted::new(lab_tools())).await;
    let secret = r#"{"guests":"hunter2"}"#;
    let told = run(&deployment, "lab.strict", Some(secret)).await.unwrap_err();
    assert!(told.to_string().contains("hunter2"), "the caller is told: {told}");
    assert!(run(&deployment, "lab.refuse", None).await.is_err());
    let mut errors: Vec<String> = deployment
        .calls()
        .await
        .into_iter()
        .filter_map(|call| call.error)
        .collect();
    errors.sort();
    assert_eq!(
        errors,
        [
            "invalid arguments for lab.strict: guests",
            "the server answered with error -32000"
        ]
    );
}

/// A dropped call is cancelled in its server and recorded once, as what it is.
#[tokio::test]
async fn a_dropped_call_is_recorded_as_cancelled() {
    let lab = Scripted::new(lab_tools());
    let deployment = Arc::new(deployment(&lab).await);
    let running = {
        let deployment = Arc::clone(&deployment);
        tokio::spawn(async move { run(&deployment, "lab.wait", None).await.map(drop).map_err(drop) })
    };
    let mut waiting = lab.waiting.subscribe();
    tokio::time::timeout(PATIENCE, waiting.wait_for(|&count| count == 1))
        .await
        .unwrap()
        .unwrap();
    running.abort();
    let mut abandoned = lab.abandoned.subscribe();
    tokio::time::timeout(PATIENCE, abandoned.wait_for(|&count| count == 1))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(deployment.outcomes().await, ["lab.wait cancelled"]);
}

/// A server that answers nothing useful costs its own calls only.
#[tokio::test]
async fn a_broken_server_costs_itself_only() {
    let (lab, other) = (Scripted::new(lab_tools()), Scripted::new(lab_tools()));
    let deployment = Plan::new()
        .server("lab", &lab)
        .server("other", &other)
        .gateway("all", Presentation::Direct, &["*"])
        .start()
        .await;
    lab.break_down();
    assert!(matches!(
        run(&deployment, "lab.echo", None).await,
        Err(CallFailure::Rpc(_))
    ));
    deployment.refresh("lab").await;
    assert!(run(&deployment, "other.echo", None).await.is_ok());
    assert_eq!(
        deployment.runtime.upstreams.catalog().tools().len(),
        20,
        "what was listed stays listed"
    );
}

/// The same call twice runs twice.
#[tokio::test]
async fn e14_calls_are_not_deduplicated() {
    let lab = Scripted::new(lab_tools());
    let deployment = deployment(&lab).await;
    run(&deployment, "lab.echo", Some("{}")).await.unwrap();
    run(&deployment, "lab.echo", Some("{}")).await.unwrap();
    let ids: BTreeSet<String> = deployment.calls().await.into_iter().map(|call| call.id).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.iter().all(|id| uuid::Uuid::parse_str(id).is_ok()));
    assert_eq!(lab.calls().len(), 2);
}
