//! Are real tools found by their words while no meaning is known yet? (A36, A49)

use std::sync::Arc;

use handpick_operations::Joined;
use handpick_operations::answer::{AgentCall, Answer, answer};
use handpick_operations::discover_tools::discover_tools;
use handpick_operations::open_surface::open_project;
use handpick_operations::search_tools::search_tools;
use handpick_operations::select_tools::{Selection, TaskOutcome, select_tools};
use handpick_presentation::recommend::TASKS_MAX;
use handpick_protocol::json::to_raw;
use handpick_selection::{EncodeError, Encoder};
use handpick_store::SelectionSource;
use handpick_testkit::Recorded;
use serde_json::{Value, json};

use super::{TOOLS, admin, open, plan, recordings};
use crate::deployment::{Deployment, HashedWords, PATIENCE};

/// Reads questions but no tools: the state of a gateway in its first seconds, for as long as a test needs it.
#[derive(Default)]
struct QuestionsOnly(HashedWords);

impl Encoder for QuestionsOnly {
    fn id(&self) -> &str {
        "questions-only"
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn encode(&self, _texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        Err(EncodeError("tools are not read yet".to_owned()))
    }

    fn encode_questions(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        self.0.encode(texts)
    }
}

async fn without_vectors(recordings: &[Recorded]) -> Deployment {
    let deployment = plan(recordings)
        .encoder(Some(Arc::new(QuestionsOnly::default())))
        .start_at_once()
        .await;
    deployment.runtime.upstreams.settled(PATIENCE).await;
    deployment.indexed().await;
    deployment
}

/// A36: with every tool listed and not one vector made, tasks find their tools by words.
#[tokio::test]
async fn a36_real_tools_are_found_by_words_at_once() {
    let Some(recordings) = recordings("a36_real_tools_are_found_by_words_at_once") else {
        return;
    };
    let deployment = without_vectors(&recordings).await;
    let runtime = &deployment.runtime;
    let indexing = *runtime.selector.as_ref().unwrap().progress().borrow();
    assert_eq!((indexing.tools, indexing.missing), (TOOLS, TOOLS));
    let surface = open_project(runtime, &admin());
    for (task, expected) in [
        ("take a screenshot of the page", "screenshot"),
        ("list the pods in a kubernetes namespace", "pods"),
        ("merge a pull request", "merge"),
        ("append rows to a google sheet", "sheet"),
        ("what time is it in Tokyo", "time"),
        ("model the data of a DynamoDB table", "dynamodb"),
    ] {
        let selection = Selection {
            tasks: &[task.to_owned()],
            context: None,
            limit: 5,
            floor: None,
            source: SelectionSource::Select,
        };
        let mut selected = select_tools(runtime, &surface, &admin(), selection).await;
        let Some(TaskOutcome::Found(found)) = selected.tasks.pop() else {
            panic!("`{task}` was not looked up");
        };
        let names: Vec<&str> = found.iter().map(|one| one.tool.name.as_str()).collect();
        let fits = |name: &&str| name.to_lowercase().contains(expected);
        assert!(names.iter().any(fits), "`{task}` found {names:?}");
    }
}

/// A49: the name of a real tool, canonical or listed, finds it first. It can only share that place with a
/// tool whose own name is spelled like the whole name of another.
#[tokio::test]
async fn a49_every_real_tool_is_found_by_its_name() {
    let Some(recordings) = recordings("a49_every_real_tool_is_found_by_its_name") else {
        return;
    };
    let deployment = without_vectors(&recordings).await;
    let runtime = &deployment.runtime;
    let surface = open_project(runtime, &admin());
    let mut shared = Vec::new();
    for (position, tool) in surface.tools() {
        for written in [tool.name.as_str(), surface.catalog.rendered(position)] {
            let found = search_tools(runtime, &surface, &admin(), written, 2).unwrap();
            let place = found.iter().position(|one| one.tool.name == tool.name);
            match place {
                Some(0) => {}
                Some(1) if found[0].tool.name.tool() == written => shared.push(written),
                _ => panic!("`{written}` finds {:?}", found.first().map(|one| &one.rendered)),
            }
        }
    }
    assert_eq!(shared, ["n8n_validate_workflow"]);
}

/// Texts that made an index of another program panic: the two longest descriptions of `drawio`, with a lone
/// double quote in backticks, whole and in parts, as tasks of every way to ask.
#[tokio::test]
async fn a_lone_quote_in_backticks_is_a_text_like_any_other() {
    let Some(recordings) = recordings("a_lone_quote_in_backticks_is_a_text_like_any_other") else {
        return;
    };
    let deployment = without_vectors(&recordings).await;
    let runtime = &deployment.runtime;
    let surface = open_project(runtime, &admin());
    let quoting: Vec<_> = surface
        .tools()
        .filter(|(_, tool)| tool.description.contains("`\"`"))
        .map(|(_, tool)| tool)
        .collect();
    let names: Vec<&str> = quoting.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["drawio.open_drawio_mermaid", "drawio.open_drawio_xml"]);
    for tool in quoting {
        let mut tasks: Vec<String> = vec![tool.description.clone(), "`\"`".to_owned(), "\"".to_owned()];
        tasks.extend(
            tool.description
                .lines()
                .filter(|line| line.contains('"') && line.contains('`'))
                .map(str::to_owned),
        );
        for task in &tasks {
            search_tools(runtime, &surface, &admin(), task, 5).unwrap();
            discover_tools(runtime, &surface, &admin(), task, 5)
                .await
                .unwrap();
        }
        for tasks in tasks.chunks(TASKS_MAX) {
            assert_eq!(selected(&deployment, tasks).await, tasks.len());
        }
        let first = tool.first_line();
        let found = search_tools(runtime, &surface, &admin(), first, 5).unwrap();
        assert!(found.iter().any(|one| one.tool.name == tool.name), "{first}");
    }
}

/// The results that an agent gets for these tasks.
async fn selected(deployment: &Deployment, tasks: &[String]) -> usize {
    let opened = open(deployment, "recommend");
    let call = AgentCall {
        joined: &Joined::default(),
        opened: &opened,
        caller: &admin(),
        name: "Arcade_SelectTools",
        arguments: Some(&to_raw(&json!({"tasks": tasks}))),
        meta: None,
        progress: None,
        client: None,
    };
    let (Answer::Result(result) | Answer::Found(result)) = answer(&deployment.runtime, call).await else {
        panic!("no result");
    };
    let result: Value = serde_json::from_str(result.get()).unwrap();
    result["structuredContent"]["results"].as_array().unwrap().len()
}
