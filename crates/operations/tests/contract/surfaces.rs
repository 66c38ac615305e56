//! Is what a caller was shown what they can use, also when the catalog has moved on? (P9, P14)

use std::sync::Arc;

use handpick_domain::{Caller, Presentation, Scope};
use handpick_operations::Joined;
use handpick_operations::answer::{AgentCall, Answer, answer};
use handpick_operations::call_tool::{Call, CallFailure, call_tool, new_execution_id};
use handpick_operations::describe_tool::describe_tool;
use handpick_operations::discover_tools::discover_tools;
use handpick_operations::list_apps::list_apps;
use handpick_operations::open_surface::{open_project, open_surface};
use handpick_operations::report_status::report_status;
use handpick_operations::search_tools::search_tools;
use serde_json::json;

use crate::deployment::{Deployment, Plan, Scripted, chat_tools, fillers, lab_tools, tool};

fn admin() -> Caller {
    Caller {
        key_id: "k".to_owned(),
        scopes: [Scope::Admin].into(),
        ..Caller::default()
    }
}

fn call<'a>(surface: &'a handpick_domain::Surface, caller: &'a Caller, tool: &'a str) -> Call<'a> {
    Call {
        execution_id: new_execution_id(),
        surface,
        caller,
        tool,
        arguments: None,
        query_id: None,
        meta: None,
        progress: None,
        client: None,
        source: "test",
    }
}

/// P14: names and descriptions that discovery shows are those of the caller's own surface, so that what
/// was found can be run even when a newer catalog renders the same tool under another name.
#[tokio::test]
async fn p14_what_is_found_can_be_run() {
    let one = Scripted::new(vec![tool("b_c", "Polish the silver spoons.")]);
    let two = Scripted::new(Vec::new());
    let deployment = Plan::new()
        .server("a", &one)
        .server("a_b", &two)
        .gateway("all", Presentation::Discovery, &["*"])
        .start()
        .await;
    let (runtime, caller) = (&deployment.runtime, admin());
    let opened = open_surface(runtime, "all", &caller).unwrap();
    two.set_tools(vec![tool("c", "Polish the golden spoons.")]);
    deployment.refresh("a_b").await;
    one.set_tools(vec![tool("b_c", "Polish the silver spoons. Reworded since.")]);
    deployment.refresh("a").await;
    deployment.indexed().await;
    let now = open_surface(runtime, "all", &caller).unwrap();
    let renamed = now.surface.catalog.rendered(0);
    assert_ne!(&**renamed, "a_b_c", "the names collide by now");

    let found = discover_tools(runtime, &opened.surface, &caller, "polish the silver spoons", 5)
        .await
        .unwrap();
    let words = search_tools(runtime, &opened.surface, &caller, "silver spoons", 5).unwrap();
    for found in [&found.tools, &words] {
        assert_eq!(found.len(), 1, "the other one is not on this surface");
        assert_eq!(&*found[0].rendered, "a_b_c");
        assert_eq!(found[0].tool.description, "Polish the silver spoons.");
        let described = describe_tool(runtime, &opened.surface, &caller, &found[0].rendered).unwrap();
        assert_eq!(described.tool.name.as_str(), "a.b_c");
        let ran = call_tool(runtime, call(&opened.surface, &caller, &found[0].rendered))
            .await
            .unwrap();
        assert!(ran.result.get().contains("b_c"));
    }
}

/// C1: a name two tools of the surface share is refused with the way out, unless the caller may know of
/// neither.
#[tokio::test]
async fn c1_ambiguous_names() {
    let deployment = Plan::new()
        .server("a", &Scripted::new(vec![tool("b_c", "One.")]))
        .server("a_b", &Scripted::new(vec![tool("c", "Two.")]))
        .gateway("all", Presentation::Direct, &["*"])
        .gateway("none", Presentation::Direct, &["x.*"])
        .start()
        .await;
    let (runtime, caller) = (&deployment.runtime, admin());
    let all = open_surface(runtime, "all", &caller).unwrap();
    let refused = call_tool(runtime, call(&all.surface, &caller, "a_b_c"))
        .await
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "ambiguous tool name: a_b_c; write it with a dot, as `app.tool`"
    );
    for name in [
        "a.b_c",
        "a_b.c",
        all.surface.catalog.rendered(0),
        all.surface.catalog.rendered(1),
    ] {
        assert!(
            call_tool(runtime, call(&all.surface, &caller, name))
                .await
                .is_ok(),
            "{name}"
        );
    }
    let none = open_surface(runtime, "none", &caller).unwrap();
    let refused = call_tool(runtime, call(&none.surface, &caller, "a_b_c"))
        .await
        .unwrap_err();
    assert_eq!(refused.to_string(), "tool not found: a_b_c");
}

/// Surfaces of one catalog are shared, per gateway and roles; a new catalog opens new ones.
#[tokio::test]
async fn surfaces_are_shared_and_renewed() {
    let chat = Scripted::new(chat_tools());
    let deployment = Plan::new()
        .server("chat", &chat)
        .gateway("one", Presentation::Direct, &["*"])
        .gateway("two", Presentation::Direct, &["*"])
        .restrict("chat.pin_message", "officer")
        .start()
        .await;
    let runtime = &deployment.runtime;
    let officer = Caller {
        roles: ["officer".to_owned()].into(),
        ..admin()
    };
    let open = |gateway: &str, caller: &Caller| open_surface(runtime, gateway, caller).unwrap();
    let first = open("one", &admin());
    assert!(Arc::ptr_eq(&first, &open("one", &admin())));
    assert!(!Arc::ptr_eq(&first, &open("two", &admin())));
    assert_eq!(
        (first.surface.allowed.len(), first.surface.bound.len()),
        (6, 7),
        "P9: hidden ones are bound"
    );
    assert_eq!(open("one", &officer).surface.allowed.len(), 7);
    chat.set_tools(fillers(2));
    deployment.refresh("chat").await;
    assert_eq!(open("one", &admin()).surface.allowed.len(), 2);
    assert_eq!(first.surface.allowed.len(), 6, "what was opened stays as it was");
    assert!(open_surface(runtime, "three", &admin()).is_none());
}

/// A61, A63: apps of the surface, sorted, each once.
#[tokio::test]
async fn a61_apps() {
    let deployment = Plan::new()
        .server("b-app", &Scripted::new(chat_tools()))
        .server("b", &Scripted::new(lab_tools()))
        .server("Z", &Scripted::new(fillers(2)))
        .server("empty", &Scripted::new(Vec::new()))
        .gateway("all", Presentation::Recommend, &["b*"])
        .restrict("b-app.*", "officer")
        .start()
        .await;
    let ids = |surface: &handpick_domain::Surface| -> Vec<String> {
        list_apps(surface).into_iter().map(|app| app.app_id).collect()
    };
    assert_eq!(ids(&open_project(&deployment.runtime, &admin())), ["Z", "b"]);
    assert_eq!(
        ids(&open_surface(&deployment.runtime, "all", &admin())
            .unwrap()
            .surface),
        ["b"]
    );
    let officer = Caller {
        roles: ["officer".to_owned()].into(),
        ..admin()
    };
    assert_eq!(
        ids(&open_project(&deployment.runtime, &officer)),
        ["Z", "b", "b-app"]
    );
}

/// P27: a tool under a meta-tool's name is left out and told of; its neighbours stay.
#[tokio::test]
async fn p27_reserved_names_are_told() {
    let deployment: Deployment = Plan::new()
        .server(
            "execute",
            &Scripted::new(vec![tool("tool", "Takes over."), tool("other", "Harmless.")]),
        )
        .server("Arcade", &Scripted::new(vec![tool("UseTool", "Takes over.")]))
        .gateway("all", Presentation::Recommend, &["*"])
        .start()
        .await;
    let status = report_status(&deployment.runtime);
    assert_eq!(status.tools, 1);
    assert_eq!(status.reserved, ["Arcade.UseTool", "execute.tool"]);
    let caller = admin();
    let opened = open_surface(&deployment.runtime, "all", &caller).unwrap();
    for name in ["Arcade.UseTool", "execute.tool"] {
        let refused = call_tool(&deployment.runtime, call(&opened.surface, &caller, name))
            .await
            .unwrap_err();
        assert!(matches!(refused, CallFailure::Denied(_)), "{name}");
    }
}

/// What a caller wrote is said back in part, however long it is.
#[tokio::test]
async fn e16_refusals_do_not_grow() {
    let deployment = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .gateway("direct", Presentation::Direct, &["*"])
        .gateway("discovery", Presentation::Discovery, &["*"])
        .start()
        .await;
    let caller = admin();
    let long = "é".repeat(1_000_000);
    for gateway in ["direct", "discovery"] {
        let opened = open_surface(&deployment.runtime, gateway, &caller).unwrap();
        for tool in ["get_tool_schema", "execute_tool", long.as_str()] {
            let arguments = handpick_protocol::json::to_raw(&json!({"tool_name": long}));
            let call = AgentCall {
                joined: &Joined::default(),
                opened: &opened,
                caller: &caller,
                name: tool,
                arguments: Some(&arguments),
                meta: None,
                progress: None,
                client: None,
            };
            let bytes = match answer(&deployment.runtime, call).await {
                Answer::Result(result) | Answer::Found(result) => result.get().len(),
                Answer::UnknownTool(name) => name.len(),
                Answer::Rpc(error) => panic!("{error}"),
            };
            assert!(bytes < 2_000, "{bytes} bytes on {gateway}");
        }
    }
}
