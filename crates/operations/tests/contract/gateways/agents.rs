//! Is an agent a gateway, with the tools of its catalog and nothing else? (P14, C13, C20)

use handpick_access::Denial;
use handpick_domain::{AgentId, Autonomy, Presentation};
use handpick_operations::AgentError;
use handpick_operations::agents::delete_agent::delete_agent;
use handpick_operations::call_tool::CallFailure;
use handpick_operations::gateways::{GatewayError, SetBy, read_gateway, set_presentation};
use handpick_operations::limits::AGENT_GATEWAYS_MAX;
use handpick_operations::open_surface::open_surface;
use handpick_operations::report_status::report_status;
use handpick_presentation::Mode;
use handpick_store::{Edit, PresentationEdit, Store};
use serde_json::{Value, json};

use super::{agent, autonomy, caller, mode, names, not_found, of_agent, open, run, set};
use crate::agents::publish;
use crate::deployment::{Plan, Scripted, chat_tools, tool};

fn catalog(tools: &[(&str, Value)]) -> Value {
    let tools: Vec<Value> = tools
        .iter()
        .map(|(name, more)| {
            let mut tool = json!({"name": name, "description": "Do it."});
            for (key, value) in more.as_object().into_iter().flatten() {
                tool[key] = value.clone();
            }
            tool
        })
        .collect();
    json!({"tools": tools})
}

/// C13: publishing a catalog binds its tools, as far as a server has them, under either of their names. A gateway of
/// the file goes before an agent of the same name.
#[tokio::test]
async fn c13_an_agent_is_a_gateway() {
    let deployment = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("shop", Presentation::Unified, &["chat.list_channels"])
        .start()
        .await;
    let (runtime, me) = (&deployment.runtime, caller(&[]));
    assert!(open(runtime, "acme", &me).await.is_none());
    let published = catalog(&[
        ("chat_send_message", json!({"core": true})),
        ("chat.pin_message", json!({})),
        ("pin_message", json!({})),
        ("CHAT_edit_message", json!({})),
        ("elsewhere", json!({})),
    ]);
    publish(runtime, "acme", &published).await;
    publish(runtime, "shop", &published).await;
    let opened = open(runtime, "acme", &me).await.unwrap();
    assert_eq!(names(&opened), ["chat.pin_message", "chat.send_message"]);
    assert_eq!(opened.mode, Mode::Direct, "C16: adaptive by default");
    assert!(
        opened
            .gateway
            .core
            .matches(&opened.surface.catalog.tools()[6].name),
        "send_message is core"
    );
    run(runtime, &opened, &me, "chat_send_message").await.unwrap();
    not_found(run(runtime, &opened, &me, "chat.list_channels").await);

    let shown = agent(runtime, "acme").await.unwrap();
    assert_eq!(
        (shown.published, shown.bound, shown.presentation.set_by),
        (5, 2, SetBy::Default)
    );
    assert_eq!(
        open(runtime, "shop", &me).await.unwrap().mode,
        Mode::Unified,
        "the file wins"
    );
    assert_eq!(agent(runtime, "shop").await.unwrap().bound, 2);
    assert_eq!(runtime.gateway_names(), ["shop"]);
    assert_eq!(report_status(runtime).gateways.len(), 1);
    let unknown = read_gateway(runtime, "acme", &me).await.unwrap_err();
    assert!(
        matches!(unknown, GatewayError::Unknown(_)),
        "an agent is no gateway of the file"
    );
}

/// C20: roles of the catalog are judged in admission, for this agent alone.
#[tokio::test]
async fn c20_required_roles_hold_in_admission() {
    let deployment = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("shop", Presentation::Direct, &["*"])
        .start()
        .await;
    let runtime = &deployment.runtime;
    let published = catalog(&[
        ("chat_list_channels", json!({})),
        ("chat_delete_message", json!({"requiredRoles": ["lead", "admin"]})),
    ]);
    publish(runtime, "acme", &published).await;
    for (roles, sees) in [
        (&[][..], 1),
        (&["agent"], 1),
        (&["admin"], 2),
        (&["lead", "x"], 2),
    ] {
        let me = caller(roles);
        let opened = open(runtime, "acme", &me).await.unwrap();
        assert_eq!(
            (names(&opened).len(), opened.surface.bound.len()),
            (sees, 2),
            "{roles:?}"
        );
        let ran = run(runtime, &opened, &me, "chat_delete_message").await;
        assert_eq!(ran.is_ok(), sees == 2, "{roles:?}");
        // A surface that somebody else opened lends nobody their roles.
        let theirs = open(runtime, "acme", &caller(&["lead"])).await.unwrap();
        let ran = run(runtime, &theirs, &me, "chat_delete_message").await;
        assert_eq!(ran.is_ok(), sees == 2, "{roles:?}");
    }
    let open_to_all = open(runtime, "shop", &caller(&[])).await.unwrap();
    run(runtime, &open_to_all, &caller(&[]), "chat_delete_message")
        .await
        .unwrap();
}

/// P14: a catalog published anew changes surfaces opened afterwards, and admission at once; a deleted agent runs
/// nothing more.
#[tokio::test]
async fn p14_a_publish_changes_admission_at_once() {
    let deployment = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .start()
        .await;
    let (runtime, me) = (&deployment.runtime, caller(&[]));
    let (list, send) = (
        ("chat_list_channels", json!({})),
        ("chat_send_message", json!({})),
    );
    publish(runtime, "acme", &catalog(&[list.clone(), send.clone()])).await;
    let first = open(runtime, "acme", &me).await.unwrap();
    run(runtime, &first, &me, "chat_send_message").await.unwrap();
    publish(
        runtime,
        "acme",
        &catalog(&[list, ("chat_pin_message", json!({}))]),
    )
    .await;
    not_found(run(runtime, &first, &me, "chat_send_message").await);
    not_found(run(runtime, &first, &me, "chat_pin_message").await);
    run(runtime, &first, &me, "chat_list_channels").await.unwrap();
    let second = open(runtime, "acme", &me).await.unwrap();
    assert_eq!(names(&second), ["chat.list_channels", "chat.pin_message"]);

    set(runtime, of_agent("acme"), mode(Edit::To(Presentation::Recommend))).await;
    publish(runtime, "acme", &catalog(&[send])).await;
    let third = open(runtime, "acme", &me).await.unwrap();
    assert_eq!(
        (third.mode, names(&third)),
        (Mode::Recommend, vec!["chat.send_message"])
    );
    delete_agent(runtime, &AgentId::parse("acme").unwrap())
        .await
        .unwrap();
    not_found(run(runtime, &third, &me, "chat_send_message").await);
    assert!(open(runtime, "acme", &me).await.is_none());
    for result in [
        agent(runtime, "acme").await.map(drop),
        set_presentation(runtime, of_agent("acme"), mode(Edit::Back)).await,
    ] {
        match result {
            Err(GatewayError::Agent(AgentError::Unknown(id))) => assert_eq!(id.as_str(), "acme"),
            other => panic!("{other:?}"),
        }
    }
    publish(runtime, "acme", &catalog(&[])).await;
    assert_eq!(
        agent(runtime, "acme").await.unwrap().presentation.set_by,
        SetBy::Default,
        "a new agent"
    );
}

/// C13: an agent and its presentation are there after a restart, for whoever opens it; a tool that a server offers
/// later is bound from then on.
#[tokio::test]
async fn c13_agents_outlive_a_restart_and_follow_the_servers() {
    let store = Store::in_memory().await.unwrap();
    let chat = Scripted::new(chat_tools());
    let first = Plan::new().server("chat", &chat).store(&store).start().await;
    let later = ("chat_later", json!({}));
    publish(
        &first.runtime,
        "acme",
        &catalog(&[("chat_list_channels", json!({})), later]),
    )
    .await;
    let edit = PresentationEdit {
        autonomy: Edit::To(Autonomy::ReadOnly),
        ..mode(Edit::To(Presentation::Progressive))
    };
    set(&first.runtime, of_agent("acme"), edit).await;
    drop(first);

    let second = Plan::new().server("chat", &chat).store(&store).start().await;
    let (runtime, me) = (&second.runtime, caller(&[]));
    runtime.load_presentations().await.unwrap();
    let opened = open(runtime, "acme", &me).await.unwrap();
    assert_eq!(
        (opened.mode, names(&opened)),
        (Mode::Progressive, vec!["chat.list_channels"])
    );
    let refused = run(runtime, &opened, &me, "chat_list_channels")
        .await
        .unwrap_err();
    assert!(
        matches!(refused, CallFailure::Denied(Denial::ReadOnly { .. })),
        "{refused}"
    );
    set(runtime, of_agent("acme"), autonomy(Edit::Back)).await;
    let mut tools = chat_tools();
    tools.push(tool("later", "Come later."));
    chat.set_tools(tools);
    second.refresh("chat").await;
    // Also for a front that does not ask again whether there is such an agent.
    let now = open_surface(runtime, "acme", &me).unwrap();
    assert_eq!(names(&now), ["chat.later", "chat.list_channels"]);
    run(runtime, &now, &me, "chat_later").await.unwrap();
    not_found(run(runtime, &opened, &me, "chat_later").await);
    let shown = agent(runtime, "acme").await.unwrap();
    assert_eq!((shown.published, shown.bound), (2, 2));
}

/// However many agents are opened, few are kept open, and each can be opened again. A stored catalog that cannot be
/// read opens nothing.
#[tokio::test]
async fn agents_open_at_once_are_bounded() {
    let store = Store::in_memory().await.unwrap();
    let deployment = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("shop", Presentation::Direct, &["*"])
        .store(&store)
        .start()
        .await;
    let (runtime, me) = (&deployment.runtime, caller(&[]));
    let json = catalog(&[("chat_list_channels", json!({}))]).to_string();
    for number in 0..AGENT_GATEWAYS_MAX + 3 {
        let id = format!("agent-{number}");
        store.agent_catalog_save(&id, &json, 0).await.unwrap();
        assert!(runtime.gateway_exists(&id).await);
        let in_use = runtime.gateway_exists("agent-1").await;
        assert!(in_use || number == 0);
    }
    let policy = runtime.policy();
    assert_eq!(policy.gateways.len(), AGENT_GATEWAYS_MAX + 1);
    assert!(policy.gateways.contains_key("shop") && policy.gateways.contains_key("agent-1"));
    assert!(!policy.gateways.contains_key("agent-0"));
    assert_eq!(names(&open(runtime, "agent-0", &me).await.unwrap()).len(), 1);
    store
        .agent_catalog_save("broken", "{\"tools\": 7}", 0)
        .await
        .unwrap();
    assert!(!runtime.gateway_exists("broken").await);
    assert!(!runtime.gateway_exists("no such name").await);
}
