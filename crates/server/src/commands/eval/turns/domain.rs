//! What is published and what is said in one domain?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::bail;
use handpick_conversation::published::{self, PublishedConversation};
use handpick_domain::AgentTool;
use handpick_evaluation::labelled;
use handpick_evaluation::turns::{Conversation, Rights, dialogues, labels};
use serde_json::Value;

use crate::commands::defects::{defective, in_words};
use crate::settings::Mistake;
use crate::settings::resolve::read_file;
use crate::terminal::{Paint, note, shorten};

const CONVERSATIONS: &str = "conversations.jsonl";
const CATALOG: &str = "catalog.json";
const TOOLS: &str = "tools.jsonl";
const TRACES: &str = "traces.json";

/// One domain, read.
pub struct Domain {
    /// Its name: that of its folder.
    pub name: String,
    /// The folder it was read from.
    pub folder: PathBuf,
    /// Its tools.
    pub tools: Vec<AgentTool>,
    /// The catalog they were read from.
    pub catalog: Value,
    /// Its past conversations.
    pub traces: Vec<PublishedConversation>,
    /// What is asked.
    pub conversations: Vec<Conversation>,
}

impl Domain {
    /// Who gets which tool, as its catalog says.
    pub fn rights(&self) -> Rights {
        let name = |tool: &AgentTool| tool.name.to_string();
        let restricted = self.tools.iter().filter(|tool| !tool.required_roles.is_empty());
        Rights {
            core: self.tools.iter().filter(|tool| tool.core).map(name).collect(),
            roles: restricted
                .map(|tool| (name(tool), tool.required_roles.clone()))
                .collect(),
        }
    }
}

/// The folders of domains among `given`: each itself, or those in it, by name.
pub fn folders(given: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let is_domain = |folder: &Path| folder.join(CONVERSATIONS).is_file();
    let mut found = Vec::new();
    for folder in given {
        if is_domain(folder) {
            found.push(folder.clone());
            continue;
        }
        let entries = folder.read_dir().map_err(|error| {
            Mistake::in_file(
                folder,
                format!("cannot be read as a folder of conversations: {error}"),
            )
        })?;
        let mut within: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        within.retain(|folder| is_domain(folder));
        if within.is_empty() {
            bail!(
                "{} has no {CONVERSATIONS}, and no folder in it has one",
                folder.display()
            );
        }
        within.sort();
        found.extend(within);
    }
    Ok(found)
}

/// Reads one domain, telling of labels that name no tool.
pub fn read(folder: &Path) -> anyhow::Result<Domain> {
    let path = folder.join(CONVERSATIONS);
    let source = read_file(&path)?;
    let is_labelled = folder.join(CATALOG).is_file();
    let conversations = if is_labelled {
        labels::read(&source)
    } else {
        dialogues::read(&source)
    };
    let conversations = conversations.map_err(|mistake| mistaken(&path, &mistake))?;
    let (catalog_path, catalog) = catalog(folder, is_labelled)?;
    let tools = published::catalog(&catalog).map_err(|defects| defective(&catalog_path, &defects))?;
    let domain = Domain {
        name: name_of(folder),
        folder: folder.to_owned(),
        traces: traces(&folder.join(TRACES))?,
        tools,
        catalog,
        conversations,
    };
    check_histories(&domain, &path)?;
    tell_unknown(&domain, &path);
    Ok(domain)
}

/// Names that are taken twice get their folder's parent before them.
pub fn name_apart(domains: &mut [Domain]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for domain in domains.iter() {
        *counts.entry(domain.name.clone()).or_default() += 1;
    }
    for domain in domains.iter_mut().filter(|domain| counts[&domain.name] > 1) {
        let parent = std::path::absolute(&domain.folder).ok();
        let parent = parent.as_deref().and_then(Path::parent).map(name_of);
        domain.name = format!("{}/{}", parent.unwrap_or_default(), domain.name);
    }
}

fn name_of(folder: &Path) -> String {
    let full = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    full.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The catalog body, and the file it is from: one that was published, or one made from tools a line each.
fn catalog(folder: &Path, is_labelled: bool) -> anyhow::Result<(PathBuf, Value)> {
    let path = folder.join(if is_labelled { CATALOG } else { TOOLS });
    let source = read_file(&path)?;
    let catalog = if is_labelled {
        json_of(&path, &source)?
    } else {
        dialogues::catalog(&source).map_err(|mistake| mistaken(&path, &mistake))?
    };
    Ok((path, catalog))
}

fn traces(path: &Path) -> anyhow::Result<Vec<PublishedConversation>> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let body = json_of(path, &read_file(path)?)?;
    published::conversations(&body).map_err(|defects| defective(path, &defects).into())
}

fn json_of(path: &Path, source: &str) -> Result<Value, Mistake> {
    serde_json::from_str(source).map_err(|error| {
        let line = error.line();
        Mistake::on_line(path, line, format!("is not JSON: {error}"))
    })
}

/// Every history must be one that the server would take.
fn check_histories(domain: &Domain, path: &Path) -> Result<(), Mistake> {
    for conversation in &domain.conversations {
        let mut defects = Vec::new();
        let history = conversation.history(conversation.turns.len());
        published::messages(&history, "history", &mut defects);
        if !defects.is_empty() {
            let told = in_words(&defects);
            let text = format!("conversation `{}`, sent as history: {told}", conversation.id);
            return Err(Mistake::in_file(path, text));
        }
    }
    Ok(())
}

fn tell_unknown(domain: &Domain, path: &Path) {
    let known = |name: &str| domain.tools.iter().any(|tool| *tool.name == *name);
    let named = domain.conversations.iter().flat_map(|conversation| {
        let turns = conversation.turns.iter().enumerate();
        turns.flat_map(move |(number, turn)| {
            let names = turn.expected.names();
            names.map(move |name| (name, conversation.turn_id(number)))
        })
    });
    let unknown: Vec<(&String, String)> = named.filter(|(name, _)| !known(name)).collect();
    if let Some((name, turn)) = unknown.first() {
        let warning = Paint::for_stderr().yellow("warning:");
        note(format!(
            "{warning} {}: labels that no tool of the catalog has: {}, such as `{}` in `{turn}`; they count as never found",
            path.display(),
            unknown.len(),
            shorten(name, 80),
        ));
    }
}

fn mistaken(path: &Path, mistake: &labelled::Mistake) -> Mistake {
    match mistake.line {
        Some(line) => Mistake::on_line(path, line, &mistake.text),
        None => Mistake::in_file(path, &mistake.text),
    }
}
