//! Are system tools listed as themselves and callable in every mode, and only where they are turned on?

use handpick_access::Policy;
use handpick_presentation::{Promoted, list_page};

use super::*;

const NAMES: [&str; 14] = [
    "form_ask",
    "journal_append",
    "journal_delete",
    "journal_read",
    "journal_search",
    "skills_list",
    "skills_read",
    "skills_read_file",
    "workflow_delete",
    "workflow_list",
    "workflow_read",
    "workflow_resume",
    "workflow_run",
    "workflow_save",
];

const MODES: [Presentation; 5] = [
    Presentation::Direct,
    Presentation::Discovery,
    Presentation::Unified,
    Presentation::Recommend,
    Presentation::Progressive,
];

fn listed(deployment: &Deployment, gateway: &str) -> Vec<Value> {
    let opened = open_surface(&deployment.runtime, gateway, &caller(None)).unwrap();
    let page = list_page(
        &opened.surface,
        opened.mode,
        &opened.gateway,
        &Promoted::default(),
        None,
    )
    .unwrap();
    let tools = page.tools.iter();
    tools
        .map(|tool| serde_json::from_str(tool.get()).unwrap())
        .collect()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// P23: whatever the mode, system tools stand last in the list, each once, and run by their names.
#[tokio::test]
async fn p23_system_tools_are_direct_in_every_mode() {
    for mode in MODES {
        let deployment = Plan::new()
            .server("lab", &lab())
            .exact_gateway(complete("all", mode, Autonomy::Full))
            .gateway("plain", mode, &["*"])
            .encoder(None)
            .start()
            .await;
        let tools = listed(&deployment, "all");
        let names_listed = names(&tools);
        assert!(names_listed.ends_with(&NAMES), "{mode:?}: {names_listed:?}");
        let own: Vec<_> = names_listed.iter().filter(|name| NAMES.contains(name)).collect();
        assert_eq!(own.len(), NAMES.len(), "{mode:?}");

        let agent = Agent::ann();
        for name in ["journal_append", "journal.append"] {
            let said = agent.ask(&deployment, name, json!({"text": "x"})).await;
            assert!(said.good()["id"].is_i64(), "{mode:?}");
        }
        for (name, arguments) in [
            ("journal_read", json!({})),
            ("skills_list", json!({})),
            ("workflow_list", json!({})),
        ] {
            agent.ask(&deployment, name, arguments).await.good();
        }
        let steps = json!([{"id": "a", "tool": "lab.echo", "arguments": {"x": 1}}]);
        let saved = agent.ask(&deployment, "workflow_save", json!({"name": "w", "steps": steps}));
        saved.await.good();
        let ran = agent.ask(&deployment, "workflow_run", json!({"name": "w"})).await;
        assert_eq!(ran.value["result"], json!({"x": 1}), "{mode:?}");

        let without = listed(&deployment, "plain");
        assert_eq!(tools.len() - without.len(), NAMES.len(), "{mode:?}");
        let refused = Agent::of("plain", None)
            .call(&deployment, "journal_read", json!({}))
            .await;
        let gone = match &refused {
            Answer::UnknownTool(_) => true,
            Answer::Result(result) => Said::read(result.get()).is_error,
            _ => false,
        };
        assert!(gone, "{mode:?}: {refused:?}");
    }
}

/// A gateway has the toolkits it turned on, not those of its neighbour.
#[tokio::test]
async fn p23_each_toolkit_is_turned_on_by_itself() {
    let gateways = SystemToolkit::ALL.map(|toolkit| Gateway {
        system_tools: [toolkit].into(),
        ..gateway(toolkit.as_str(), Presentation::Direct, &[])
    });
    let plan = gateways
        .into_iter()
        .fold(Plan::new().encoder(None), Plan::exact_gateway);
    let deployment = plan.start().await;
    for toolkit in SystemToolkit::ALL {
        let prefix = format!("{}_", toolkit.as_str());
        let expected: Vec<_> = NAMES
            .into_iter()
            .filter(|name| name.starts_with(&prefix))
            .collect();
        assert_eq!(names(&listed(&deployment, toolkit.as_str())), expected);
    }
}

/// Toolkits that are turned on while the gateway runs are there for the next surface.
#[tokio::test]
async fn p23_toolkits_can_be_turned_on_later() {
    let deployment = Plan::new()
        .gateway("all", Presentation::Direct, &["*"])
        .encoder(None)
        .start()
        .await;
    assert_eq!(listed(&deployment, "all"), Vec::<Value>::new());
    let changed = complete("all", Presentation::Direct, Autonomy::Full);
    deployment.runtime.set_policy(Policy {
        gateways: [("all".to_owned(), changed)].into(),
        restrictions: Vec::new(),
    });
    assert_eq!(names(&listed(&deployment, "all")), NAMES);
    Agent::ann()
        .ask(&deployment, "journal_read", json!({}))
        .await
        .good();
}

/// What a model reads of each tool: what it does, what it takes, and what it does to the world.
#[tokio::test]
async fn definitions_say_what_a_model_needs() {
    let deployment = deployment().await;
    let tools = listed(&deployment, "all");
    for tool in tools
        .iter()
        .filter(|tool| NAMES.contains(&tool["name"].as_str().unwrap()))
    {
        let description = tool["description"].as_str().unwrap();
        let first = description.lines().next().unwrap();
        assert!(
            (20..=200).contains(&first.len()) && first.ends_with('.'),
            "{first}"
        );
        assert!(tool["title"].is_string(), "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
        let read_only = tool["annotations"]["readOnlyHint"] == true;
        assert!(
            read_only || tool["annotations"]["destructiveHint"].is_boolean(),
            "{tool}"
        );
    }
}

/// A read-only gateway runs those that change nothing; `confirm` asks before those that may destroy something.
#[tokio::test]
async fn p4_autonomy_holds_for_system_tools() {
    let deployment = deployment().await;
    let steps = json!([{"id": "a", "tool": "lab.look"}]);
    for (tool, arguments, read_only, asks) in [
        ("journal_append", json!({"text": "x"}), false, false),
        ("journal_read", json!({}), true, false),
        ("journal_search", json!({"query": "x"}), true, false),
        ("journal_delete", json!({"id": 1}), false, true),
        ("skills_list", json!({}), true, false),
        ("workflow_save", json!({"name": "w", "steps": steps}), false, true),
        ("workflow_list", json!({}), true, false),
        ("workflow_delete", json!({"name": "w"}), false, true),
    ] {
        let said = Agent::of("read_only", None)
            .ask(&deployment, tool, arguments.clone())
            .await;
        assert_eq!(
            !said.text.contains("this gateway is read-only"),
            read_only,
            "{tool}: {}",
            said.text
        );
        let person = Person::saying([json!({"action": "decline"})]);
        let agent = Agent::of("cautious", None).with(&person);
        let said = agent.ask(&deployment, tool, arguments).await;
        assert_eq!(person.asked().len() == 1, asks, "{tool}");
        assert_eq!(said.text.contains("said no"), asks, "{tool}: {}", said.text);
    }
}

/// A key that may not run tools runs none of these.
#[tokio::test]
async fn keys_need_the_scope() {
    let deployment = deployment().await;
    let mut agent = Agent::ann();
    agent.caller.scopes = [Scope::Read].into();
    let told = agent.ask(&deployment, "journal_read", json!({})).await.bad();
    assert!(told.contains("lacks the `execute` scope"), "{told}");
}
