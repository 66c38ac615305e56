//! Does a request in words run the tool that was chosen, and never one whose name differs in case alone?

use handpick_access::Policy;
use handpick_domain::{Restriction, ToolGlobs};

use super::*;

/// P14, P24, C1: the choice is made on the surface as it was opened. Where the rules forbid the chosen tool by then, it
/// is unknown, and its twin stays where it is.
#[tokio::test]
async fn c1_a_forbidden_choice_runs_no_twin() {
    let mut tools = crm_tools();
    tools.push(json!({
        "name": "Create_Contact",
        "description": "Paint a parcel.",
        "inputSchema": {"type": "object"},
    }));
    let side = Side::of(
        tools,
        gateway("all", Presentation::Unified, &["*"]),
        UnifiedOptions::default(),
    )
    .await;
    let answer = side.say(CREATE).await;
    let chosen = &answer["structuredContent"]["metadata"]["discovered_tool"];
    assert_eq!(chosen, "crm_create_contact", "{answer}");
    assert_eq!(side.crm.calls().len(), 1);

    let runtime = &side.deployment.runtime;
    let policy = runtime.policy();
    let mut restrictions = policy.restrictions.clone();
    restrictions.push(Restriction {
        tools: ToolGlobs::exactly(["crm.create_contact".to_owned()]),
        roles: ["nobody".to_owned()].into(),
    });
    runtime.set_policy(Policy {
        gateways: policy.gateways.clone(),
        restrictions,
    });
    let answer = side.say(CREATE).await;
    assert_eq!(answer["isError"], true, "{answer}");
    assert_eq!(answer["content"][0]["text"], "tool not found: crm.create_contact");
    assert_eq!(side.crm.calls().len(), 1, "nothing ran");
}

fn making(name: &str, about: &str, parameter: &str) -> Value {
    json!({
        "name": name,
        "description": about,
        "inputSchema": {
            "type": "object",
            "properties": {parameter: {"type": "string"}},
            "required": [parameter]
        },
        "annotations": {"destructiveHint": false}
    })
}

/// P20: two apps make folders, one of them in other words and with another parameter: nothing runs, and both are told.
#[tokio::test]
async fn p20_tools_of_two_apps_that_do_the_same_are_asked_back() {
    let drive = Scripted::new(vec![
        making("createFolder", "Create a new folder in Google Drive", "name"),
        making("renameSheet", "Rename a sheet", "name"),
    ]);
    let disk = Scripted::new(vec![making(
        "create_directory",
        "Create a new directory.",
        "path",
    )]);
    let deployment = Plan::new()
        .server("drive", &drive)
        .server("disk", &disk)
        .exact_gateway(gateway("all", Presentation::Unified, &["*"]))
        .start()
        .await;
    let caller = Caller {
        key_id: "k".to_owned(),
        scopes: [Scope::Execute].into(),
        ..Caller::default()
    };
    let side = Side {
        opened: open_surface(&deployment.runtime, "all", &caller).unwrap(),
        deployment,
        caller,
        crm: Arc::clone(&drive),
    };
    for request in [
        "make folder \"Receipts 2026\"",
        "Create a folder named \"Receipts 2026\"",
    ] {
        let answer = side.say(request).await;
        let told = clarification(&answer).to_string();
        assert!(
            told.contains("say which")
                && told.contains("drive_createFolder")
                && told.contains("disk_create_directory"),
            "{request}: {told}"
        );
    }
    assert!(drive.calls().is_empty() && disk.calls().is_empty(), "nothing ran");
}
