//! Which instructions has the operator put ready, and what do they say?

mod folder;
mod front_matter;

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answered, SystemCall, no_such_tool};
use crate::Runtime;
use crate::limits::SKILL_FILE_BYTES;
use crate::shown::shown;
use folder::Skills;

pub(super) fn definitions() -> Vec<Value> {
    let read_only = json!({"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false});
    let name = json!({"type": "string", "minLength": 1, "maxLength": 200, "description": "A `name` that skills_list returned."});
    vec![
        json!({
            "name": "list",
            "title": "List skills",
            "description": "List the skills of this gateway: instructions for particular kinds of work, each with a \
                            name and what it is good for.\nLook here before a task that others may have written \
                            instructions for, then read the one that fits with skills_read. Texts only: nothing is run.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "annotations": read_only
        }),
        json!({
            "name": "read",
            "title": "Read a skill",
            "description": "Read the instructions of one skill and the list of its other files.\nFollow them for the \
                            task at hand. Read a file that they name with skills_read_file.",
            "inputSchema": {
                "type": "object",
                "properties": {"name": name},
                "required": ["name"],
                "additionalProperties": false
            },
            "annotations": read_only
        }),
        json!({
            "name": "read_file",
            "title": "Read a file of a skill",
            "description": format!(
                "Read one text file of a skill, by its path as skills_read lists it.\nOnly files within the skill's \
                 folder, as text, {} KB at most; nothing is run.",
                SKILL_FILE_BYTES / 1024
            ),
            "inputSchema": {
                "type": "object",
                "properties": {
                    "name": name,
                    "path": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "One of `files`, such as `references/style.md`."}
                },
                "required": ["name", "path"],
                "additionalProperties": false
            },
            "annotations": read_only
        }),
    ]
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct NamedFile {
    name: String,
    path: String,
}

/// Everything is read from the disk anew: what the operator changes holds from the next call on.
pub(super) async fn run(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let root = runtime.options.skills.clone();
    match call.tool() {
        "list" => on_disk(move || list(root)).await,
        "read" => {
            let Named { name } = call.read()?;
            on_disk(move || read(root, &name)).await
        }
        "read_file" => {
            let NamedFile { name, path } = call.read()?;
            on_disk(move || read_file(root, &name, &path)).await
        }
        _ => Err(no_such_tool(call)),
    }
}

/// The disk may be slow; other calls go on meanwhile.
async fn on_disk(work: impl FnOnce() -> Answered + Send + 'static) -> Answered {
    match tokio::task::spawn_blocking(work).await {
        Ok(answered) => answered,
        Err(error) => {
            tracing::warn!(%error, "reading skills ended without an answer");
            Err("the skills cannot be read now; a retry may succeed".to_owned())
        }
    }
}

fn list(root: Option<PathBuf>) -> Answered {
    let skills = found(root)?;
    let listed: Vec<Value> = skills
        .skills
        .iter()
        .map(|skill| json!({"name": skill.name, "description": skill.description}))
        .collect();
    let mut answer = json!({"skills": listed});
    if !skills.problems.is_empty() {
        let problems = skills.problems.iter();
        answer["problems"] = problems
            .map(|problem| json!({"folder": problem.folder, "problem": problem.text}))
            .collect();
    }
    Ok(answer)
}

fn read(root: Option<PathBuf>, name: &str) -> Answered {
    let skills = found(root)?;
    let skill = skills.named(name).ok_or_else(|| unknown(&skills, name))?;
    let body = skill.body()?;
    Ok(json!({
        "name": skill.name,
        "description": skill.description,
        "body": body,
        "files": skill.files(),
    }))
}

fn read_file(root: Option<PathBuf>, name: &str, path: &str) -> Answered {
    let skills = found(root)?;
    let skill = skills.named(name).ok_or_else(|| unknown(&skills, name))?;
    let text = skill.file(path)?;
    Ok(json!({"name": skill.name, "path": path, "text": text}))
}

fn found(root: Option<PathBuf>) -> Result<Skills, String> {
    let Some(root) = root else {
        return Ok(Skills::default());
    };
    Skills::read(&root).map_err(|error| {
        tracing::warn!(%error, folder = %root.display(), "the folder of skills cannot be read");
        "the folder of skills cannot be read; the operator's log says why".to_owned()
    })
}

fn unknown(skills: &Skills, name: &str) -> String {
    let names: Vec<&str> = skills.skills.iter().map(|skill| skill.name.as_str()).collect();
    match names.len() {
        0 => format!("no skill is named `{}`: this gateway has no skills", shown(name)),
        1..=20 => format!(
            "no skill is named `{}`; there are: {}",
            shown(name),
            names.join(", ")
        ),
        _ => format!("no skill is named `{}`; skills_list names them all", shown(name)),
    }
}
