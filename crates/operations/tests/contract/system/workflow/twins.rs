//! Does a step run the tool it was saved with, and never one whose name differs in case alone?

use handpick_access::Policy;
use handpick_domain::{Restriction, ToolGlobs};

use super::*;

fn twin(name: &str) -> Value {
    json!({"name": name, "description": "x", "inputSchema": {"type": "object"}})
}

/// The app `lab` with the tools `Search` and `search`, and the app `LAB` with another `search`.
fn twins() -> (Arc<Scripted>, Arc<Scripted>) {
    let small = Scripted::new(vec![twin("Search"), twin("search"), twin("fail")]);
    (small, Scripted::new(vec![twin("search")]))
}

async fn start(lab: &Arc<Scripted>, other: &Arc<Scripted>) -> Deployment {
    plan(lab).server("LAB", other).start().await
}

/// From now on nobody at the tests' gateways may use this tool.
fn forbid(deployment: &Deployment, tool: &str) {
    let policy = deployment.runtime.policy();
    let mut restrictions = policy.restrictions.clone();
    restrictions.push(Restriction {
        tools: ToolGlobs::exactly([tool.to_owned()]),
        roles: ["nobody".to_owned()].into(),
    });
    deployment.runtime.set_policy(Policy {
        gateways: policy.gateways.clone(),
        restrictions,
    });
}

fn arrived(servers: [&Arc<Scripted>; 2]) -> Vec<Vec<String>> {
    let names = |server: &Arc<Scripted>| server.calls().into_iter().map(|(name, _)| name).collect();
    servers.into_iter().map(names).collect()
}

/// C1: while every twin may be used, a step runs the one that it names.
#[tokio::test]
async fn c1_a_step_names_one_of_its_twins() {
    let (lab, other) = twins();
    let (deployment, ann) = (start(&lab, &other).await, Agent::ann());
    let step = |id: &str, tool: &str| json!({"id": id, "tool": tool});
    let saved = json!([
        step("a", "LAB.search"),
        step("b", "lab.Search"),
        step("c", "lab.search")
    ]);
    save(&deployment, &ann, "w", saved).await;
    let said = run(&deployment, &ann, "w").await;
    assert_eq!(said.value["status"], "finished", "{}", said.text);
    assert_eq!(
        arrived([&lab, &other]),
        [vec!["Search", "search"], vec!["search"]]
    );
}

/// P14, C1: a tool that has been forbidden since is unknown, and its twins stay where they are.
#[tokio::test]
async fn c1_a_forbidden_step_runs_no_twin() {
    for tool in ["lab.Search", "lab.search", "LAB.search"] {
        let (lab, other) = twins();
        let (deployment, ann) = (start(&lab, &other).await, Agent::ann());
        save(&deployment, &ann, "w", json!([{"id": "a", "tool": tool}])).await;
        forbid(&deployment, tool);
        for twin in ["lab.Search", "lab.search", "LAB.search"] {
            if twin != tool {
                // With one left, it is all that the name could mean.
                let said = run(&deployment, &ann, "w").await;
                let stopped = stopped(&said);
                assert_eq!(stopped["error"], format!("tool not found: {tool}"));
                let run_id = stopped["run_id"].clone();
                let again = resume(&deployment, &ann, &run_id).await;
                assert_eq!(again.value["error"], format!("tool not found: {tool}"));
                forbid(&deployment, twin);
            }
        }
        assert_eq!(arrived([&lab, &other]), [Vec::<String>::new(), vec![]], "{tool}");
        let denied = format!("{tool} denied");
        assert!(deployment.outcomes().await.contains(&denied), "{tool}");
    }
}

/// A tool that has gone is unknown, also where a twin has taken its place.
#[tokio::test]
async fn a_step_whose_tool_has_gone_runs_no_twin() {
    let lab = Scripted::new(vec![twin("Search")]);
    let (deployment, ann) = (plan(&lab).start().await, Agent::ann());
    save(&deployment, &ann, "w", json!([{"id": "a", "tool": "lab_search"}])).await;
    for tools in [vec![twin("search")], vec![twin("SEARCH"), twin("search")], vec![]] {
        lab.set_tools(tools);
        deployment.refresh("lab").await;
        let said = run(&deployment, &ann, "w").await;
        assert_eq!(stopped(&said)["error"], "tool not found: lab.Search");
    }
    assert_eq!(lab.calls(), []);
    lab.set_tools(vec![twin("Search")]);
    deployment.refresh("lab").await;
    assert!(!run(&deployment, &ann, "w").await.is_error);
}
