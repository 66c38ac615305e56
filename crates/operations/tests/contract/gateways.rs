//! Does a changed presentation count from the next surface on, and outlive the process? (P3, P4, P6, P10)

mod agents;

use std::sync::Arc;

use handpick_access::Denial;
use handpick_domain::{AgentId, Autonomy, Caller, Gateway, Presentation, Scope, SystemToolkit};
use handpick_operations::call_tool::{Call, CallFailure, call_tool, new_execution_id};
use handpick_operations::gateways::advice::advise;
use handpick_operations::gateways::{
    AgentPresentation, GatewayError, PresentationView, SetBy, list_gateways, read_agent_presentation,
    read_gateway, set_presentation,
};
use handpick_operations::open_surface::open_surface;
use handpick_operations::{Opened, Runtime};
use handpick_presentation::Mode;
use handpick_store::{Edit, PresentationEdit, Presented, Store};
use serde_json::json;

use crate::deployment::{Plan, Scripted, chat_tools, fillers, gateway, tool};

fn caller(roles: &[&str]) -> Caller {
    Caller {
        key_id: "k".to_owned(),
        scopes: [Scope::Admin].into(),
        roles: roles.iter().map(|&role| role.to_owned()).collect(),
        ..Caller::default()
    }
}

fn of_gateway(name: &str) -> Presented {
    Presented::Gateway(name.to_owned())
}

fn of_agent(id: &str) -> Presented {
    Presented::Agent(id.to_owned())
}

fn mode(edit: Edit<Presentation>) -> PresentationEdit {
    PresentationEdit {
        mode: edit,
        ..PresentationEdit::default()
    }
}

fn autonomy(edit: Edit<Autonomy>) -> PresentationEdit {
    PresentationEdit {
        autonomy: edit,
        ..PresentationEdit::default()
    }
}

async fn set(runtime: &Runtime, presented: Presented, edit: PresentationEdit) {
    set_presentation(runtime, presented, edit).await.unwrap();
}

async fn read(runtime: &Runtime, name: &str) -> PresentationView {
    read_gateway(runtime, name, &caller(&[]))
        .await
        .unwrap()
        .presentation
}

async fn agent(runtime: &Runtime, id: &str) -> Result<AgentPresentation, GatewayError> {
    read_agent_presentation(runtime, &AgentId::parse(id).unwrap()).await
}

/// Opens as a front does.
async fn open(runtime: &Runtime, name: &str, caller: &Caller) -> Option<Arc<Opened>> {
    match runtime.gateway_exists(name).await {
        true => open_surface(runtime, name, caller),
        false => None,
    }
}

/// The canonical names of the tools a caller sees.
fn names(opened: &Opened) -> Vec<&str> {
    opened
        .surface
        .tools()
        .map(|(_, tool)| tool.name.as_str())
        .collect()
}

async fn run(runtime: &Runtime, opened: &Opened, caller: &Caller, tool: &str) -> Result<(), CallFailure> {
    let call = Call {
        execution_id: new_execution_id(),
        surface: &opened.surface,
        caller,
        tool,
        arguments: None,
        query_id: None,
        meta: None,
        progress: None,
        client: None,
        source: "test",
    };
    call_tool(runtime, call).await.map(drop)
}

#[track_caller]
fn not_found(outcome: Result<(), CallFailure>) {
    match outcome {
        Err(CallFailure::Denied(Denial::NotFound { .. })) => {}
        other => panic!("{other:?}"),
    }
}

/// P6, P10: a change counts for surfaces opened after it. What is open keeps its mode and goes on working.
#[tokio::test]
async fn p10_a_change_counts_from_the_next_surface_on() {
    let chat = Scripted::new(fillers(29));
    let deployment = Plan::new()
        .server("chat", &chat)
        .gateway("shop", Presentation::Adaptive, &["*"])
        .gateway("other", Presentation::Direct, &["*"])
        .start()
        .await;
    let (runtime, me) = (&deployment.runtime, caller(&[]));
    let first = open(runtime, "shop", &me).await.unwrap();
    assert_eq!(first.mode, Mode::Direct, "29");
    chat.set_tools(fillers(30));
    deployment.refresh("chat").await;
    let second = open(runtime, "shop", &me).await.unwrap();
    assert_eq!(second.mode, Mode::Discovery, "30");
    set(
        runtime,
        of_gateway("shop"),
        mode(Edit::To(Presentation::Recommend)),
    )
    .await;
    let third = open(runtime, "shop", &me).await.unwrap();
    assert_eq!(third.mode, Mode::Recommend);
    assert_ne!(third.snapshot(), second.snapshot());
    set(runtime, of_gateway("shop"), mode(Edit::To(Presentation::Unified))).await;
    assert_eq!(open(runtime, "shop", &me).await.unwrap().mode, Mode::Unified);
    assert_eq!(
        (first.mode, second.mode, third.mode),
        (Mode::Direct, Mode::Discovery, Mode::Recommend)
    );
    for opened in [&first, &second, &third] {
        run(runtime, opened, &me, "chat.fill_0001").await.unwrap();
    }
    assert_eq!(open(runtime, "other", &me).await.unwrap().mode, Mode::Direct);
    set(runtime, of_gateway("shop"), mode(Edit::Back)).await;
    assert_eq!(open(runtime, "shop", &me).await.unwrap().mode, Mode::Discovery);
}

/// P3, P4: how freely tools may run counts at once, for what is open as well.
#[tokio::test]
async fn p4_autonomy_counts_at_once() {
    let mut tools = chat_tools();
    tools[1]["annotations"] = json!({"readOnlyHint": true});
    let deployment = Plan::new()
        .server("chat", &Scripted::new(tools))
        .gateway("shop", Presentation::Direct, &["*"])
        .start()
        .await;
    let (runtime, me) = (&deployment.runtime, caller(&[]));
    let opened = open(runtime, "shop", &me).await.unwrap();
    run(runtime, &opened, &me, "chat.send_message").await.unwrap();
    set(
        runtime,
        of_gateway("shop"),
        autonomy(Edit::To(Autonomy::ReadOnly)),
    )
    .await;
    let refused = run(runtime, &opened, &me, "chat.send_message").await.unwrap_err();
    assert!(
        matches!(refused, CallFailure::Denied(Denial::ReadOnly { .. })),
        "{refused}"
    );
    run(runtime, &opened, &me, "chat.list_channels").await.unwrap();
    set(runtime, of_gateway("shop"), autonomy(Edit::To(Autonomy::Confirm))).await;
    let refused = run(runtime, &opened, &me, "chat.send_message").await.unwrap_err();
    assert!(
        matches!(refused, CallFailure::Denied(Denial::NobodyToAsk { .. })),
        "{refused}"
    );
    set(runtime, of_gateway("shop"), autonomy(Edit::Back)).await;
    run(runtime, &opened, &me, "chat.send_message").await.unwrap();
}

/// P1, P3: what was changed outlives the process; `Back` is the file's value, also one that has changed meanwhile; a
/// gateway that the file no longer has is ignored until it is back.
#[tokio::test]
async fn p3_changes_outlive_a_restart() {
    let store = Store::in_memory().await.unwrap();
    let start = async |gateways: Vec<Gateway>| {
        let plan = gateways.into_iter().fold(Plan::new(), Plan::exact_gateway);
        let deployment = plan
            .server("chat", &Scripted::new(chat_tools()))
            .store(&store)
            .start()
            .await;
        deployment.runtime.load_presentations().await.unwrap();
        deployment
    };
    let shop = |presentation| gateway("shop", presentation, &["*"]);
    let first = start(vec![
        shop(Presentation::Adaptive),
        gateway("gone", Presentation::Direct, &["*"]),
    ])
    .await;
    let before = read(&first.runtime, "shop").await;
    assert_eq!(
        (before.mode, before.resolved, before.set_by),
        (Presentation::Adaptive, Mode::Direct, SetBy::Default)
    );
    assert_eq!(read(&first.runtime, "gone").await.set_by, SetBy::File);
    let edit = PresentationEdit {
        autonomy: Edit::To(Autonomy::Confirm),
        ..mode(Edit::To(Presentation::Progressive))
    };
    set(&first.runtime, of_gateway("shop"), edit).await;
    set(
        &first.runtime,
        of_gateway("gone"),
        mode(Edit::To(Presentation::Unified)),
    )
    .await;
    drop(first);

    let second = start(vec![shop(Presentation::Recommend)]).await;
    let kept = read(&second.runtime, "shop").await;
    assert_eq!(
        (kept.mode, kept.set_by, kept.autonomy),
        (Presentation::Progressive, SetBy::Api, Autonomy::Confirm)
    );
    assert!(!second.runtime.gateway_exists("gone").await);
    set(&second.runtime, of_gateway("shop"), mode(Edit::Back)).await;
    let back = read(&second.runtime, "shop").await;
    assert_eq!(
        (back.mode, back.set_by, back.autonomy),
        (Presentation::Recommend, SetBy::File, Autonomy::Confirm)
    );
    drop(second);

    let third = start(vec![
        shop(Presentation::Recommend),
        gateway("gone", Presentation::Direct, &["*"]),
    ])
    .await;
    assert_eq!(read(&third.runtime, "gone").await.mode, Presentation::Unified);
    assert_eq!(read(&third.runtime, "shop").await, back);
}

/// Changes made at the same time, of different settings and gateways, all count.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_changes_all_count() {
    let deployment = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("a", Presentation::Adaptive, &["*"])
        .gateway("b", Presentation::Adaptive, &["*"])
        .start()
        .await;
    let runtime = &deployment.runtime;
    for (presentation, level) in [
        (Presentation::Recommend, Autonomy::ReadOnly),
        (Presentation::Unified, Autonomy::Confirm),
        (Presentation::Direct, Autonomy::Full),
    ] {
        let mut tasks = Vec::new();
        for name in ["a", "b"] {
            let toolkits = PresentationEdit {
                system_tools: Edit::To([SystemToolkit::Journal].into()),
                ..PresentationEdit::default()
            };
            for edit in [mode(Edit::To(presentation)), autonomy(Edit::To(level)), toolkits] {
                let runtime = Arc::clone(runtime);
                tasks.push(tokio::spawn(async move {
                    set_presentation(&runtime, of_gateway(name), edit).await
                }));
            }
        }
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        for name in ["a", "b"] {
            let view = read(runtime, name).await;
            assert_eq!((view.mode, view.autonomy), (presentation, level));
            assert_eq!(view.system_tools, [SystemToolkit::Journal].into());
        }
    }
}

/// P9, P23: what a gateway shows is told with its costs; system tools are told apart and not counted by `adaptive`.
#[tokio::test]
async fn p9_a_gateway_tells_what_it_shows() {
    let deployment = Plan::new()
        .server("chat", &Scripted::new(fillers(29)))
        .gateway("shop", Presentation::Adaptive, &["*"])
        .restrict("chat.fill_0001", "officer")
        .start()
        .await;
    let runtime = &deployment.runtime;
    let edit = PresentationEdit {
        system_tools: Edit::To(SystemToolkit::ALL.into()),
        ..PresentationEdit::default()
    };
    set(runtime, of_gateway("shop"), edit).await;
    let views = list_gateways(runtime, &caller(&[])).await.unwrap();
    assert_eq!(views.len(), 1);
    let opened = open(runtime, "shop", &caller(&[])).await.unwrap();
    let view = &views[0];
    assert_eq!(
        (view.bound, view.presentation.resolved),
        (29, Mode::Direct),
        "hidden ones count, system tools do not"
    );
    assert_eq!(view.system, opened.surface.system.len());
    assert_eq!(view.snapshot, opened.snapshot());
    let listed: Vec<(Mode, usize)> = view
        .costs
        .iter()
        .map(|(mode, cost)| (*mode, cost.tools))
        .collect();
    let system = view.system;
    let expected = [
        (Mode::Direct, 28 + system),
        (Mode::Discovery, 3 + system),
        (Mode::Unified, 1 + system),
        (Mode::Recommend, 2 + system),
        (Mode::Progressive, 3 + system),
    ];
    assert_eq!(listed, expected);
    let unknown = read_gateway(runtime, "zzz", &caller(&[])).await.unwrap_err();
    assert_eq!(unknown.to_string(), "there is no gateway `zzz`");
    let unknown = set_presentation(runtime, of_gateway("zzz"), mode(Edit::Back))
        .await
        .unwrap_err();
    assert_eq!(unknown.to_string(), "there is no gateway `zzz`");
}

/// P6: advice names a mode with the numbers it comes from, the same each time.
#[tokio::test]
async fn p6_advice_is_measured() {
    let described = |count: usize, text: fn(usize) -> String| {
        let tools = (0..count).map(|number| tool(&format!("run_{number:03}"), &text(number)));
        Scripted::new(tools.collect())
    };
    let good = described(40, |number| {
        format!("Polish spoon{number} until kettle{number} shines like lamp{number} again.")
    });
    let poor = described(40, |_| "Do whatever the person wants done right now.".to_owned());
    let deployment = Plan::new()
        .server("good", &good)
        .server("poor", &poor)
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("good", Presentation::Adaptive, &["good.*"])
        .gateway("poor", Presentation::Adaptive, &["poor.*"])
        .gateway("few", Presentation::Adaptive, &["chat.*"])
        .start()
        .await;
    let (runtime, me) = (&deployment.runtime, caller(&[]));
    let advice = advise(runtime, "good", &me).await.unwrap();
    let measured = advice.measured.unwrap();
    assert_eq!(
        (advice.tools, measured.asked, measured.first),
        (40, 40, 40),
        "{}",
        advice.reason
    );
    assert_eq!(advice.mode, Mode::Recommend, "{}", advice.reason);
    assert_eq!(
        advise(runtime, "good", &me).await.unwrap().measured,
        Some(measured)
    );
    let advice = advise(runtime, "poor", &me).await.unwrap();
    assert_eq!(advice.mode, Mode::Direct, "{}", advice.reason);
    assert!(
        advice.reason.contains("handpick lint --gateway poor"),
        "{}",
        advice.reason
    );
    assert!(advice.measured.unwrap().in_five < 32);
    let advice = advise(runtime, "few", &me).await.unwrap();
    assert_eq!(
        (advice.mode, advice.tools),
        (Mode::Direct, 7),
        "{}",
        advice.reason
    );
    assert!(advise(runtime, "zzz", &me).await.is_err());

    let without = Plan::new()
        .server("good", &good)
        .gateway("good", Presentation::Adaptive, &["*"])
        .encoder(None)
        .start()
        .await;
    let advice = advise(&without.runtime, "good", &me).await.unwrap();
    assert_eq!((advice.mode, advice.measured), (Mode::Direct, None));
    assert!(advice.reason.contains("turned off"), "{}", advice.reason);
}
