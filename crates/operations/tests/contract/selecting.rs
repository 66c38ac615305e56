//! Are tools found as promised: the right ones, the same ones, and only those the caller may use?
//! (A14 to A19, A30 to A33, A49, E16)

use std::sync::Arc;

use handpick_domain::{Caller, Presentation, Surface};
use handpick_operations::Runtime;
use handpick_operations::discover_tools::discover_tools;
use handpick_operations::open_surface::{open_project, open_surface};
use handpick_operations::search_tools::{Unavailable, search_tools};
use handpick_operations::select_tools::{Selection, Suggested, TaskOutcome, select_tools};
use handpick_store::SelectionSource;
use serde_json::json;

use crate::deployment::{Deployment, HashedWords, Plan, Scripted, chat_tools, lab_tools, tool};

async fn deployment() -> Deployment {
    Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .server("lab", &Scripted::new(lab_tools()))
        .gateway("chat", Presentation::Recommend, &["chat.*"])
        .restrict("lab.secret", "officer")
        .start()
        .await
}

async fn select(
    runtime: &Runtime,
    surface: &Surface,
    tasks: &[&str],
    context: Option<&str>,
) -> Vec<TaskOutcome> {
    let tasks: Vec<String> = tasks.iter().map(|&task| task.to_owned()).collect();
    let selection = Selection {
        tasks: &tasks,
        context,
        limit: 5,
        floor: None,
        source: SelectionSource::Select,
    };
    select_tools(runtime, surface, &Caller::default(), selection)
        .await
        .tasks
}

#[track_caller]
fn found(outcome: &TaskOutcome) -> Vec<(&str, f32)> {
    match outcome {
        TaskOutcome::Found(found) => found
            .iter()
            .map(|one| (one.tool.name.as_str(), one.score))
            .collect(),
        TaskOutcome::Unavailable => panic!("the lookup was not completed"),
    }
}

fn project(deployment: &Deployment) -> Arc<Surface> {
    open_project(&deployment.runtime, &Caller::default())
}

/// A30: identical questions get identical answers, scores included.
#[tokio::test]
async fn a30_answers_are_deterministic() {
    let deployment = deployment().await;
    let surface = project(&deployment);
    let tasks = ["post a message", "list things", "book a table", "grow tomatoes"];
    let first = select(&deployment.runtime, &surface, &tasks, Some("in a channel")).await;
    for _ in 0..5 {
        let again = select(&deployment.runtime, &surface, &tasks, Some("in a channel")).await;
        for (first, again) in first.iter().zip(&again) {
            assert_eq!(found(first), found(again));
        }
    }
    let alone = select(&deployment.runtime, &surface, &tasks[..1], Some("in a channel")).await;
    assert_eq!(
        found(&alone[0]),
        found(&first[0]),
        "A17: tasks do not influence each other"
    );
}

/// A32, A33: parameters and everything after the first line count for nothing.
#[tokio::test]
async fn a32_only_name_and_first_line_count() {
    let plain = vec![
        tool("find_bird", "Find a bird by its song."),
        tool("empty_first", ""),
    ];
    let mut decorated = vec![
        tool("find_bird", "Find a bird by its song.\r\nsubmarine torpedo"),
        tool("empty_first", "\nsubmarine torpedo"),
    ];
    decorated[0]["inputSchema"] =
        json!({"type": "object", "properties": {"submarine": {"type": "string", "description": "torpedo"}}});
    let mut answers = Vec::new();
    for tools in [plain, decorated] {
        let deployment = Plan::new().server("app", &Scripted::new(tools)).start().await;
        let surface = project(&deployment);
        let tasks = [
            "find a bird",
            "submarine torpedo",
            "empty first",
            "bird song submarine",
        ];
        let outcomes = select(&deployment.runtime, &surface, &tasks, None).await;
        let outcomes: Vec<Vec<(String, f32)>> = outcomes
            .iter()
            .map(|outcome| {
                found(outcome)
                    .into_iter()
                    .map(|(name, score)| (name.to_owned(), score))
                    .collect()
            })
            .collect();
        assert!(outcomes[1].is_empty());
        answers.push(outcomes);
    }
    assert_eq!(answers[0], answers[1]);
}

/// A31: a gateway's tools, or everything the caller may use where none is named.
#[tokio::test]
async fn a31_only_allowed_tools_are_considered() {
    let deployment = deployment().await;
    let caller = Caller::default();
    let opened = open_surface(&deployment.runtime, "chat", &caller).unwrap();
    let tasks = ["book a table", "open the safe of the officers"];
    for outcome in select(&deployment.runtime, &opened.surface, &tasks, None).await {
        assert!(found(&outcome).iter().all(|(name, _)| name.starts_with("chat.")));
    }
    let everything = select(&deployment.runtime, &project(&deployment), &tasks, None).await;
    assert_eq!(found(&everything[0])[0].0, "lab.strict");
    assert!(
        found(&everything[1])
            .iter()
            .all(|(name, _)| *name != "lab.secret")
    );
    let officer = Caller {
        roles: ["officer".to_owned()].into(),
        ..Caller::default()
    };
    let surface = open_project(&deployment.runtime, &officer);
    let seen = select(&deployment.runtime, &surface, &tasks, None).await;
    assert_eq!(found(&seen[1])[0].0, "lab.secret");
}

/// A49: keyword search finds by shared words alone.
#[tokio::test]
async fn a49_keyword_search_never_guesses() {
    let deployment = deployment().await;
    let surface = project(&deployment);
    let search = |query: &str| -> Vec<Suggested> {
        search_tools(&deployment.runtime, &surface, &Caller::default(), query, 10).unwrap()
    };
    assert!(search("reserve seats").is_empty(), "its meaning would match");
    assert_eq!(search("table")[0].tool.name.as_str(), "lab.strict");
    assert!(search("").is_empty() && search("\u{0}🦀").is_empty());
    assert!(
        search("safe officers")
            .iter()
            .all(|one| one.tool.name.as_str() != "lab.secret")
    );
}

/// E13, A40: a deployment without selection.
#[tokio::test]
async fn e13_without_selection() {
    let deployment = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .encoder(None)
        .start()
        .await;
    let (runtime, surface) = (&deployment.runtime, project(&deployment));
    let outcomes = select(runtime, &surface, &["a", "b"], None).await;
    assert!(
        outcomes
            .iter()
            .all(|outcome| matches!(outcome, TaskOutcome::Unavailable))
    );
    assert_eq!(
        search_tools(runtime, &surface, &Caller::default(), "pin", 5).unwrap_err(),
        Unavailable
    );
    let caller = Caller::default();
    assert!(
        discover_tools(runtime, &surface, &caller, "pin", 5)
            .await
            .is_err()
    );
    assert_eq!(
        discover_tools(runtime, &surface, &caller, " ", 5)
            .await
            .unwrap()
            .tools
            .len(),
        5
    );
}

/// A16: a text that cannot be encoded is answered by words; where they find nothing nobody knows.
#[tokio::test]
async fn a16_no_verdict_without_meaning() {
    let encoder = HashedWords { trap: Some("cursed") };
    let deployment = Plan::new()
        .server("chat", &Scripted::new(chat_tools()))
        .encoder(Some(Arc::new(encoder)))
        .start()
        .await;
    let (runtime, surface) = (&deployment.runtime, project(&deployment));
    let outcomes = select(runtime, &surface, &["cursed tomatoes", "pin a message"], None).await;
    assert!(matches!(outcomes[0], TaskOutcome::Unavailable));
    assert_eq!(found(&outcomes[1])[0].0, "chat.pin_message");
    let outcomes = select(runtime, &surface, &["grow tomatoes"], None).await;
    assert!(
        found(&outcomes[0]).is_empty(),
        "now it is known that nothing fits"
    );
}

/// E16: matching reads the beginning of a text; the rest changes nothing.
#[tokio::test]
async fn e16_the_rest_of_a_long_text_changes_nothing() {
    let deployment = deployment().await;
    let surface = project(&deployment);
    let start = format!("pin a message {}", "ä".repeat(9_000));
    let other = format!("{start} book a table {}", "book a table ".repeat(10_000));
    let outcomes = select(&deployment.runtime, &surface, &[&start, &other], Some(&other)).await;
    assert_eq!(found(&outcomes[0]), found(&outcomes[1]));
}

/// E14: asking twice is two requests with the same answer.
#[tokio::test]
async fn e14_every_request_is_recorded_under_its_own_id() {
    let deployment = deployment().await;
    for _ in 0..3 {
        select(
            &deployment.runtime,
            &project(&deployment),
            &["pin a message"],
            None,
        )
        .await;
    }
    deployment.runtime.recorder.flush().await;
    let records = deployment.runtime.store.selections_recent(10).await.unwrap();
    let ids: std::collections::BTreeSet<_> = records.iter().map(|record| &record.query_id).collect();
    assert_eq!(ids.len(), 3);
    assert!(
        records
            .iter()
            .all(|record| record.tools_json == records[0].tools_json)
    );
}
