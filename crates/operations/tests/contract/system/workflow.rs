//! Do workflows run as saved, stop where a step fails, and go on there?

use super::*;

mod resuming;
mod running;
mod saving;
mod twins;

async fn save(deployment: &Deployment, agent: &Agent, name: &str, steps: Value) {
    let arguments = json!({"name": name, "steps": steps});
    agent.ask(deployment, "workflow_save", arguments).await.good();
}

async fn save_with(deployment: &Deployment, agent: &Agent, name: &str, parameters: Value, steps: Value) {
    let arguments = json!({"name": name, "parameters": parameters, "steps": steps});
    agent.ask(deployment, "workflow_save", arguments).await.good();
}

async fn run(deployment: &Deployment, agent: &Agent, name: &str) -> Said {
    agent.ask(deployment, "workflow_run", json!({"name": name})).await
}

async fn resume(deployment: &Deployment, agent: &Agent, run_id: &Value) -> Said {
    agent
        .ask(deployment, "workflow_resume", json!({"run_id": run_id}))
        .await
}

/// `id status` of each step of an answer.
fn steps(value: &Value) -> Vec<String> {
    let steps = value["steps"].as_array().unwrap();
    steps
        .iter()
        .map(|step| {
            format!(
                "{} {}",
                step["id"].as_str().unwrap(),
                step["status"].as_str().unwrap()
            )
        })
        .collect()
}

/// The structured content of a run that stopped, and that its text repeats.
#[track_caller]
fn stopped(said: &Said) -> &Value {
    assert!(said.is_error, "{}", said.text);
    assert_eq!(serde_json::from_str::<Value>(&said.text).unwrap(), said.value);
    &said.value
}

/// The runs that are not finished, as `workflow status`.
async fn open_runs(deployment: &Deployment, agent: &Agent) -> Vec<String> {
    let list = agent.ask(deployment, "workflow_list", json!({})).await.good();
    let runs = list["open_runs"].as_array().unwrap().iter();
    runs.map(|run| {
        format!(
            "{} {}",
            run["workflow"].as_str().unwrap(),
            run["status"].as_str().unwrap()
        )
    })
    .collect()
}
