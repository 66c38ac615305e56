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
