//! Which sequences of calls has the agent saved, and how do they run?

mod answer;
mod definition;
mod definitions;
mod kept;
mod run;
mod schema;
mod template;

use handpick_presentation::result::failure;
use handpick_store::{Claim, NewWorkflow, WorkflowSaved};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

pub(super) use definitions::definitions;

use super::{Answered, SystemCall, at_text, no_such_tool, store_failed};
use crate::Runtime;
use crate::limits::{WORKFLOW_BYTES_MAX, WORKFLOW_HOLD, WORKFLOWS_MAX};
use crate::runtime::now_ms;
use crate::shown::shown;
use definition::{Saver, Workflow};
use kept::RunState;
use run::Run;
use schema::Bounded;

/// Characters of a workflow's description.
const DESCRIPTION_CHARS: usize = 1_000;
/// Open runs that a list shows.
const OPEN_RUNS_SHOWN: u32 = 20;

/// Whether a tool of this name runs the steps of a workflow.
pub(super) fn runs_steps(tool: &str) -> bool {
    matches!(tool, "run" | "resume")
}

pub(super) async fn run(runtime: &Runtime, call: &SystemCall<'_>) -> Box<RawValue> {
    let answered = match call.tool() {
        "run" => match begin(runtime, call).await {
            Ok(run) => return run.go_on(false).await,
            Err(told) => Err(told),
        },
        "resume" => match take_up(runtime, call).await {
            Ok((run, cut_short)) => return run.go_on(cut_short).await,
            Err(told) => Err(told),
        },
        "save" => save(runtime, call).await,
        "list" => list(runtime, call).await,
        "read" => read(runtime, call).await,
        "delete" => delete(runtime, call).await,
        _ => Err(no_such_tool(call)),
    };
    match answered {
        Err(told) => failure(&told),
        answered => super::shown(answered),
    }
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn save(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let mut workflow: Workflow = call.read()?;
    let invalid = |told: String| format!("invalid arguments: {told}");
    if workflow.description.chars().count() > DESCRIPTION_CHARS {
        return Err(invalid(format!(
            "`description` must be {DESCRIPTION_CHARS} characters at most"
        )));
    }
    let saver = Saver {
        policy: &runtime.policy(),
        surface: call.surface,
        caller: call.caller,
    };
    workflow.check(&saver).map_err(invalid)?;
    let json = workflow.json().map_err(invalid)?;
    if let Some(schema) = workflow.parameters.clone() {
        let schema = Value::Object(schema);
        let compiles = schema::apart(move || Bounded::new(&schema)?.compile().map(drop)).await;
        compiles.map_err(invalid)?;
    }
    let new = NewWorkflow {
        name: &workflow.name,
        description: &workflow.description,
        json: &json,
    };
    let saved = runtime
        .store
        .workflow_save(&call.owner(), new, now_ms(), WORKFLOWS_MAX)
        .await
        .map_err(|error| store_failed(&error))?;
    match saved {
        WorkflowSaved::Full => Err(format!(
            "not saved: {WORKFLOWS_MAX} workflows are saved, which is the most; delete one with workflow_delete"
        )),
        saved => Ok(json!({
            "name": workflow.name,
            "steps": workflow.steps.len(),
            "replaced": saved == WorkflowSaved::Replaced,
        })),
    }
}

async fn list(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let (owner, now) = (call.owner(), now_ms());
    let workflows = runtime.store.workflow_list(&owner).await;
    let workflows: Vec<Value> = workflows
        .map_err(|error| store_failed(&error))?
        .into_iter()
        .map(|row| {
            json!({
                "name": row.name,
                "description": row.description,
                "updated_at": at_text(row.updated_at_ms),
            })
        })
        .collect();
    let open = runtime
        .store
        .workflow_run_list_open(&owner, now, OPEN_RUNS_SHOWN)
        .await;
    let open: Vec<Value> = open
        .map_err(|error| store_failed(&error))?
        .into_iter()
        .map(|run| {
            json!({
                "run_id": run.id,
                "workflow": run.workflow,
                "status": run.status.as_str(),
                "started_at": at_text(run.started_at_ms),
            })
        })
        .collect();
    Ok(json!({"workflows": workflows, "open_runs": open}))
}

async fn read(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let Named { name } = call.read()?;
    serde_json::to_value(load(runtime, call, &name).await?).map_err(|error| error.to_string())
}

async fn delete(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let Named { name } = call.read()?;
    let removed = runtime.store.workflow_remove(&call.owner(), &name).await;
    match removed.map_err(|error| store_failed(&error))? {
        true => Ok(json!({"deleted": name})),
        false => Err(unknown(runtime, call, &name).await),
    }
}

async fn load(runtime: &Runtime, call: &SystemCall<'_>, name: &str) -> Result<Workflow, String> {
    let stored = runtime.store.workflow_load(&call.owner(), name).await;
    match stored.map_err(|error| store_failed(&error))? {
        None => Err(unknown(runtime, call, name).await),
        Some(json) => serde_json::from_str(&json)
            .map_err(|error| format!("the workflow `{name}` cannot be read ({error}); save it anew")),
    }
}

/// What is told of a name that nothing has: the names there are.
async fn unknown(runtime: &Runtime, call: &SystemCall<'_>, name: &str) -> String {
    let saved = runtime
        .store
        .workflow_list(&call.owner())
        .await
        .unwrap_or_default();
    let names: Vec<&str> = saved.iter().map(|row| row.name.as_str()).collect();
    match names.len() {
        0 => format!("no workflow is named `{}`: none is saved", shown(name)),
        1..=20 => format!(
            "no workflow is named `{}`; there are: {}",
            shown(name),
            names.join(", ")
        ),
        _ => format!(
            "no workflow is named `{}`; workflow_list names them all",
            shown(name)
        ),
    }
}

#[derive(Deserialize)]
struct RunArguments {
    name: String,
    #[serde(default)]
    parameters: Option<Box<RawValue>>,
}

async fn begin<'a>(runtime: &'a Runtime, call: &'a SystemCall<'a>) -> Result<Run<'a>, String> {
    let RunArguments { name, parameters } = call.read()?;
    if parameters
        .as_ref()
        .is_some_and(|given| given.get().len() > WORKFLOW_BYTES_MAX)
    {
        return Err(format!(
            "invalid arguments: `parameters` must be {} KB at most",
            WORKFLOW_BYTES_MAX / 1024
        ));
    }
    let workflow = load(runtime, call, &name).await?;
    let start = move || {
        let started = workflow.started_with(parameters.as_deref());
        started.map(|parameters| (workflow, parameters))
    };
    let (workflow, parameters) = schema::apart(start)
        .await
        .map_err(|told| format!("invalid arguments: {told}"))?;
    let state = RunState::new(workflow, parameters);
    Run::begin(runtime, call, state)
        .await
        .map_err(|error| store_failed(&error))
}

#[derive(Deserialize)]
struct Resume {
    run_id: String,
}

async fn take_up<'a>(runtime: &'a Runtime, call: &'a SystemCall<'a>) -> Result<(Run<'a>, bool), String> {
    let Resume { run_id } = call.read()?;
    let id = run_id.trim().to_lowercase();
    let now = now_ms();
    let until = now.saturating_add(i64::try_from(WORKFLOW_HOLD.as_millis()).unwrap_or(i64::MAX));
    let claim = runtime
        .store
        .workflow_run_claim(&call.owner(), &id, now, until)
        .await;
    match claim.map_err(|error| store_failed(&error))? {
        Claim::Granted {
            attempt,
            json,
            cut_short,
        } => {
            let state = RunState::parse(&json).ok_or(
                "what was kept of this run cannot be read; start the workflow anew with workflow_run",
            )?;
            Ok((Run::resumed(runtime, call, (id, attempt), state), cut_short))
        }
        Claim::Busy => Err(format!(
            "run {} is being worked on; wait for its answer, or look at workflow_list for how it stands",
            shown(&id)
        )),
        Claim::Finished => Err(format!(
            "run {} is finished: every step is done; start the workflow anew with workflow_run",
            shown(&id)
        )),
        Claim::Unknown => Err(format!(
            "no run has the id `{}`; workflow_list shows the runs that are not finished",
            shown(&run_id)
        )),
    }
}
