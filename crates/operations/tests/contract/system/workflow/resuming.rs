//! Does a run go on where it stopped, once, and by one at a time?

use tokio::task::JoinSet;

use super::*;
use crate::deployment::PATIENCE;

/// Waits, with an end to patience.
async fn until<T>(watched: &watch::Sender<T>, is_there: impl FnMut(&T) -> bool) {
    let mut watched = watched.subscribe();
    tokio::time::timeout(PATIENCE, watched.wait_for(is_there))
        .await
        .unwrap()
        .unwrap();
}

/// Waits until the open runs of `ann` are these.
async fn until_open(deployment: &Deployment, expected: &[&str]) {
    let agent = Agent::ann();
    let there = async {
        while open_runs(deployment, &agent).await != expected {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, there).await.unwrap();
}

/// Starts a run of `w` in the background.
fn start(deployment: &Arc<Deployment>, agent: &Agent) -> tokio::task::JoinHandle<Said> {
    let (deployment, agent) = (Arc::clone(deployment), agent.clone());
    tokio::spawn(async move { run(&deployment, &agent, "w").await })
}

async fn open_run_id(deployment: &Deployment, agent: &Agent) -> Value {
    let list = agent.ask(deployment, "workflow_list", json!({})).await.good();
    list["open_runs"][0]["run_id"].clone()
}

/// The tools of the lab, and one whose schema can be broken.
fn mended(schema: &Value) -> Vec<Value> {
    let mut tools = lab_tools();
    tools.push(json!({"name": "mended", "description": "x", "inputSchema": schema}));
    tools
}

/// What is done is not done again; its results are still there, over a restart too; a finished run is over.
#[tokio::test]
async fn a_failed_run_goes_on_at_its_step() {
    let lab = lab();
    let store = Store::in_memory().await.unwrap();
    let ann = Agent::ann();
    let before = plan(&lab).store(&store).start().await;
    let parameters = json!({"properties": {"who": {"type": "string"}}});
    let steps_saved = json!([
        {"id": "a", "tool": "lab.echo", "arguments": {"big": 12345678901234567890_u64, "unused": "x"}},
        {"id": "b", "tool": "lab.mended", "arguments": {"n": "{{steps.a.big}}"}},
        {"id": "c", "tool": "lab.echo", "arguments": {"n": "{{steps.a.big}}", "who": "{{parameters.who}}"}},
    ]);
    lab.set_tools(mended(&json!({"type": "object", "required": ["missing"]})));
    before.refresh("lab").await;
    save_with(&before, &ann, "w", parameters, steps_saved).await;
    let arguments = json!({"name": "w", "parameters": {"who": "Bob"}});
    let said = ann.ask(&before, "workflow_run", arguments).await;
    let value = stopped(&said);
    assert_eq!(steps(value), ["a done", "b failed", "c not_run"]);
    let run_id = value["run_id"].clone();
    let again = resume(&before, &ann, &run_id).await;
    assert_eq!(stopped(&again)["failed_step"], "b", "still broken");
    assert_eq!(stopped(&again)["run_id"], run_id);
    // The run keeps the workflow it was started with.
    save(&before, &ann, "w", json!([{"id": "other", "tool": "lab.echo"}])).await;
    ann.ask(&before, "workflow_delete", json!({"name": "w"}))
        .await
        .good();
    drop(before);

    let after = plan(&lab).store(&store).start().await;
    lab.set_tools(mended(&json!({"type": "object"})));
    after.refresh("lab").await;
    let said = resume(&after, &ann, &run_id).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(steps(&said.value), ["a done", "b done", "c done"]);
    assert_eq!(
        said.value["result"],
        json!({"n": 12345678901234567890_u64, "who": "Bob"})
    );
    assert!(said.value.get("warning").is_none(), "{}", said.value);
    let names: Vec<String> = lab.calls().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["echo", "mended", "echo"], "each step once");
    let told = resume(&after, &ann, &run_id).await.bad();
    assert!(told.contains("is finished: every step is done"), "{told}");
    for unknown in [json!("nope"), json!("00000000-0000-7000-8000-000000000000")] {
        let told = resume(&after, &ann, &unknown).await.bad();
        assert!(told.contains("no run has the id"), "{told}");
    }
}

/// While somebody works on a run nobody else does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_run_is_not_resumed() {
    let lab = lab();
    let (deployment, ann) = (Arc::new(plan(&lab).start().await), Agent::ann());
    save(&deployment, &ann, "w", json!([{"id": "a", "tool": "lab.wait"}])).await;
    let running = start(&deployment, &ann);
    until(&lab.waiting, |&count| count == 1).await;
    let run_id = open_run_id(&deployment, &ann).await;
    assert_eq!(open_runs(&deployment, &ann).await, ["w running"]);
    let told = resume(&deployment, &ann, &run_id).await.bad();
    assert!(told.contains("is being worked on"), "{told}");
    lab.release.add_permits(1);
    let said = running.await.unwrap();
    assert_eq!(
        (said.value["status"].clone(), said.text),
        (json!("finished"), "at last".to_owned())
    );
    assert_eq!(lab.calls().len(), 1);
}

/// Of many that resume at once one does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_resumes_goes_on() {
    let lab = lab();
    let (deployment, ann) = (Arc::new(plan(&lab).start().await), Agent::ann());
    save(
        &deployment,
        &ann,
        "w",
        json!([{"id": "a", "tool": "lab.fail"}, {"id": "b", "tool": "lab.echo"}]),
    )
    .await;
    let run_id = stopped(&run(&deployment, &ann, "w").await)["run_id"].clone();
    let mut tools = lab_tools();
    tools.retain(|tool| tool["name"] != "fail");
    lab.set_tools(tools);
    deployment.refresh("lab").await;
    // The tool is gone, so that the run fails at once again: whoever was granted it says so.
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let (deployment, ann, run_id) = (Arc::clone(&deployment), ann.clone(), run_id.clone());
        tasks.spawn(async move { resume(&deployment, &ann, &run_id).await });
    }
    for said in tasks.join_all().await {
        let granted = said.value["error"] == "tool not found: lab.fail";
        assert!(
            granted || said.text.contains("is being worked on"),
            "{}",
            said.text
        );
    }
    assert_eq!(lab.calls().len(), 1);
    assert_eq!(open_runs(&deployment, &ann).await, ["w failed"]);
}

/// A run that was cut short can be taken up at the step that was under way, and the answer warns of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_run_goes_on_with_a_warning() {
    let lab = lab();
    let (deployment, ann) = (Arc::new(plan(&lab).start().await), Agent::ann());
    let steps_saved = json!([
        {"id": "a", "tool": "lab.echo", "arguments": {"x": 1}},
        {"id": "b", "tool": "lab.wait"},
        {"id": "c", "tool": "lab.echo", "arguments": {"x": "{{steps.a.x}}"}},
    ]);
    save(&deployment, &ann, "w", steps_saved).await;
    let running = start(&deployment, &ann);
    until(&lab.waiting, |&count| count == 1).await;
    let run_id = open_run_id(&deployment, &ann).await;
    running.abort();
    until(&lab.abandoned, |&count| count == 1).await;
    until_open(&deployment, &["w cancelled"]).await;
    lab.release.add_permits(1);
    let said = resume(&deployment, &ann, &run_id).await;
    assert_eq!(steps(&said.value), ["a done", "b done", "c done"]);
    assert_eq!(said.value["result"], json!({"x": 1}));
    let warning = said.value["warning"].as_str().unwrap();
    assert!(
        warning.contains("step `b`") && warning.contains("may have happened twice"),
        "{warning}"
    );
    let names: Vec<String> = lab.calls().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["echo", "wait", "wait", "echo"]);
    let mut outcomes = deployment.outcomes().await;
    outcomes.retain(|outcome| outcome.contains("wait") || outcome.contains("workflow.r"));
    assert_eq!(
        outcomes,
        [
            "lab.wait cancelled",
            "lab.wait ok",
            "workflow.resume ok",
            "workflow.run cancelled"
        ]
    );
}

/// A person who is being asked when the run is cut short is asked again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_cut_short_at_a_question_asks_again() {
    let (deployment, ann) = (Arc::new(deployment().await), Agent::ann());
    let ask = json!({"message": "Which?", "fields": [{"name": "city", "type": "string"}]});
    save(
        &deployment,
        &ann,
        "w",
        json!([{"id": "ask", "tool": "form.ask", "arguments": ask}]),
    )
    .await;
    let silent = Person::saying([]);
    let running = start(&deployment, &ann.clone().with(&silent));
    until(&silent.count, |&count| count == 1).await;
    running.abort();
    until_open(&deployment, &["w cancelled"]).await;
    let run_id = open_run_id(&deployment, &ann).await;
    let talking = Person::saying([json!({"action": "cancel"})]);
    let said = resume(&deployment, &ann.clone().with(&talking), &run_id).await;
    assert_eq!(said.value["result"], json!({"action": "cancel"}));
}

/// What is too large to be kept is there as long as the run goes on, and missed only by a run that is taken up.
#[tokio::test]
async fn what_is_kept_of_a_run_is_bounded() {
    let lab = lab();
    let (deployment, ann) = (plan(&lab).start().await, Agent::ann());
    let large = "{{parameters.x}}".repeat(4);
    let steps_saved = json!([
        {"id": "a", "tool": "lab.echo", "arguments": {"x": large}},
        {"id": "b", "tool": "lab.echo", "arguments": {"x": large}},
        {"id": "c", "tool": "lab.mended"},
        {"id": "d", "tool": "lab.echo", "arguments": {"x": "{{steps.a.x}}"}},
        {"id": "e", "tool": "lab.echo", "arguments": {"x": "{{steps.b.x}}"}},
    ]);
    let parameters = json!({"properties": {"x": {"type": "string"}}});
    lab.set_tools(mended(&json!({})));
    deployment.refresh("lab").await;
    save_with(&deployment, &ann, "w", parameters, steps_saved).await;
    let arguments = json!({"name": "w", "parameters": {"x": "x".repeat(200_000)}});
    let whole = ann.ask(&deployment, "workflow_run", arguments.clone()).await;
    assert_eq!(whole.value["status"], "finished", "{}", whole.text);

    lab.set_tools(mended(&json!({"required": ["z"]})));
    deployment.refresh("lab").await;
    let broken = ann.ask(&deployment, "workflow_run", arguments).await;
    assert_eq!(stopped(&broken)["failed_step"], "c");
    lab.set_tools(mended(&json!({})));
    deployment.refresh("lab").await;
    let resumed = resume(&deployment, &ann, &stopped(&broken)["run_id"]).await;
    let value = stopped(&resumed);
    assert_eq!(value["failed_step"], "e", "{}", value["error"]);
    let error = value["error"].as_str().unwrap();
    assert!(
        error.contains("needs `steps.b.x`, which was too large to keep until now"),
        "{error}"
    );
}
