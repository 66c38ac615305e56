//! How are the tools of workflows described to a model?

use serde_json::{Value, json};

use crate::limits::{WORKFLOW_BYTES_MAX, WORKFLOW_RUN_BYTES_MAX, WORKFLOW_STEPS_MAX, WORKFLOWS_MAX};

/// The tools as lists show them.
pub(in crate::system) fn definitions() -> Vec<Value> {
    let name = json!({"type": "string", "minLength": 1, "maxLength": 64, "description": "The name it was saved by."});
    let by_name = json!({
        "type": "object",
        "properties": {"name": name},
        "required": ["name"],
        "additionalProperties": false
    });
    let read_only = json!({"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false});
    vec![
        save(),
        json!({
            "name": "list",
            "title": "List workflows",
            "description": "List your saved workflows, and the runs that are not finished.\nOnly this user's own. Read \
                            one in full with workflow_read; go on with a run by workflow_resume.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "annotations": read_only
        }),
        json!({
            "name": "read",
            "title": "Read a workflow",
            "description": "Read one saved workflow: its parameters and its steps with their arguments.\nNothing is run.",
            "inputSchema": by_name,
            "annotations": read_only
        }),
        json!({
            "name": "delete",
            "title": "Delete a workflow",
            "description": "Delete one saved workflow for good, by its name.\nIt cannot be brought back. Runs that have \
                            started keep their own copy and can still be resumed.",
            "inputSchema": by_name,
            "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false}
        }),
        run(&name),
        resume(),
    ]
}

fn save() -> Value {
    let arguments = "The tool's arguments. `{{parameters.NAME}}` and `{{steps.ID.path.to.value}}` stand for values: as \
                     a whole text they keep their type, inside a text they become text. A whole text that is an \
                     optional parameter which was not given is left out. \\{{ is two braces.";
    json!({
        "name": "save",
        "title": "Save a workflow",
        "description": format!(
            "Save a sequence of tool calls under a name, to run it later with one call.\nSteps run in order; a step's \
             arguments can use parameters of the run and what earlier steps answered (their structured content, else \
             their text; lists by number from 0). There are no branches and no loops, {WORKFLOW_STEPS_MAX} steps and \
             {} KB at most, and no step can be a workflow tool. Every tool must be one you can use. The same name \
             replaces what was saved; {WORKFLOWS_MAX} workflows are kept for this user.",
            WORKFLOW_BYTES_MAX / 1024
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "What to run it by, such as `weekly_report`."},
                "description": {"type": "string", "maxLength": super::DESCRIPTION_CHARS, "description": "What it is for."},
                "parameters": {"type": "object", "description": "A JSON Schema of an object: what each run is started with. Defaults of its properties hold."},
                "steps": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": WORKFLOW_STEPS_MAX,
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$", "description": "What later steps name it by."},
                            "tool": {"type": "string", "minLength": 1, "description": "The tool's name."},
                            "arguments": {"type": "object", "description": arguments}
                        },
                        "required": ["id", "tool"],
                        "additionalProperties": false
                    }
                }
            },
            "required": ["name", "steps"],
            "additionalProperties": false
        },
        "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false}
    })
}

fn run(name: &Value) -> Value {
    json!({
        "name": "run",
        "title": "Run a workflow",
        "description": "Run a saved workflow: its tool calls in order, for real.\nEach step is admitted, checked and \
                        confirmed as if you called its tool yourself. The run stops at the first step that fails and \
                        says which, why, and what is done; workflow_resume goes on there with the `run_id`. When all \
                        are done the answer is that of the last step, with a summary as structured content.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": name,
                "parameters": {"type": "object", "description": "What the workflow's `parameters` ask for."}
            },
            "required": ["name"],
            "additionalProperties": false
        },
        "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}
    })
}

fn resume() -> Value {
    json!({
        "name": "resume",
        "title": "Resume a run",
        "description": format!(
            "Go on with a run that failed or was cut short, at the step where it stopped.\nWhat is done is not done \
             again, except a step that was under way when the run was cut short: the answer warns then. A finished run \
             cannot be resumed, nor one that is being worked on. Of earlier answers {} KB a run are kept for this.",
            WORKFLOW_RUN_BYTES_MAX / 1024
        ),
        "inputSchema": {
            "type": "object",
            "properties": {"run_id": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The id from workflow_run or workflow_list."}},
            "required": ["run_id"],
            "additionalProperties": false
        },
        "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}
    })
}
