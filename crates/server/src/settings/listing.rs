//! Which tools does a file list, for trying selection without any server?

use std::path::Path;
use std::sync::Arc;

use handpick_domain::{Catalog, Tool, ToolName};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Mistake;
use super::mcp_json::app_name;
use super::resolve::read_file;

/// What a file lists.
pub struct Listing {
    /// Its tools.
    pub catalog: Arc<Catalog>,
    /// The name of each usable entry as the file spells it, in the order of the file, and what it is called here.
    pub names: Vec<(String, ToolName)>,
    /// How many entries are no usable tools.
    pub skipped: usize,
}

/// Reads any `tools/list` JSON (an array, an object with `tools`, a whole JSON-RPC response) or one
/// tool a line. Tools may name their `server`; the others belong to an app named after the file.
pub fn read(file: &Path) -> Result<Listing, Mistake> {
    let source = read_file(file)?;
    let (server, entries) = entries(file, &source)?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let fallback = app_name(&server.unwrap_or_else(|| stem.into_owned()));
    let total = entries.len();
    let (mut tools, mut names) = (Vec::new(), Vec::new());
    for entry in entries {
        let written = entry
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        if let Some(tool) = tool(entry, &fallback) {
            names.push((written, tool.name.clone()));
            tools.push(Arc::new(tool));
        }
    }
    if tools.is_empty() {
        return Err(Mistake::in_file(
            file,
            "lists no tool: each needs a `name` and an `inputSchema`",
        ));
    }
    let skipped = total - tools.len();
    Ok(Listing {
        catalog: Arc::new(Catalog::new(1, tools)),
        names,
        skipped,
    })
}

/// The tool objects of a file, with the server the file as a whole names.
fn entries(file: &Path, source: &str) -> Result<(Option<String>, Vec<Value>), Mistake> {
    match serde_json::from_str::<Value>(source) {
        Ok(Value::Array(tools)) => Ok((None, tools)),
        Ok(document) => {
            let server = document.get("server").and_then(Value::as_str).map(str::to_owned);
            let listed = ["/tools", "/result/tools"]
                .iter()
                .find_map(|path| document.pointer(path)?.as_array().cloned());
            let tools = listed.or_else(|| document.get("name").is_some().then(|| vec![document.clone()]));
            tools
                .map(|tools| (server, tools))
                .ok_or_else(|| Mistake::in_file(file, "is JSON but has no `tools` array"))
        }
        Err(_) => {
            let lines = source
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.trim().is_empty());
            let tools = lines.map(|(index, line)| {
                serde_json::from_str(line)
                    .map_err(|error| Mistake::in_file(file, format!("line {}: {error}", index + 1)))
            });
            Ok((None, tools.collect::<Result<_, _>>()?))
        }
    }
}

fn tool(mut entry: Value, fallback: &str) -> Option<Tool> {
    let object: &mut Map<String, Value> = entry.as_object_mut()?;
    if !object.contains_key("inputSchema") {
        let schema = object
            .remove("input_schema")
            .or_else(|| object.remove("parameters"));
        object.insert(
            "inputSchema".to_owned(),
            schema
                .filter(Value::is_object)
                .unwrap_or_else(|| Value::Object(Map::new())),
        );
    }
    let server = object.get("server").and_then(Value::as_str).map(app_name);
    let app = server.unwrap_or_else(|| fallback.to_owned());
    let name = object.get("name")?.as_str()?;
    let leaf = name
        .strip_prefix(&app)
        .and_then(|rest| rest.strip_prefix('.').or_else(|| rest.strip_prefix("__")))
        .filter(|leaf| !leaf.is_empty())
        .unwrap_or(name)
        .to_owned();
    object.insert("name".to_owned(), Value::String(leaf));
    let raw = RawValue::from_string(entry.to_string()).ok()?;
    Tool::parse(&app, &raw).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, content: &str, expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        std::fs::write(&path, content).unwrap();
        let catalog = read(&path).unwrap().catalog;
        let names: Vec<&str> = catalog.tools().iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, expected, "{content}");
    }

    #[test]
    fn every_common_shape_is_read() {
        check(
            "shop.json",
            r#"[{"name":"a","inputSchema":{}},{"name":"b","input_schema":{}}]"#,
            &["shop.a", "shop.b"],
        );
        check(
            "x.json",
            r#"{"server":"git","tools":[{"name":"log","inputSchema":{}}]}"#,
            &["git.log"],
        );
        check(
            "x.json",
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"log","inputSchema":{}}]}}"#,
            &["x.log"],
        );
        check(
            "x.jsonl",
            "{\"name\":\"git__log\",\"server\":\"git\"}\n\n{\"name\":\"c\"}\n",
            &["git.log", "x.c"],
        );
    }

    #[test]
    fn names_are_kept_as_the_file_spells_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let content =
            "{\"name\":\"git__log\",\"server\":\"git\"}\n{\"title\":\"no name\"}\n{\"name\":\"a.b\"}\n";
        std::fs::write(&path, content).unwrap();
        let listing = read(&path).unwrap();
        let names: Vec<(&str, &str)> = listing
            .names
            .iter()
            .map(|(written, name)| (written.as_str(), name.as_str()))
            .collect();
        assert_eq!(names, [("git__log", "git.log"), ("a.b", "x.a.b")]);
        assert_eq!(listing.skipped, 1);
    }

    #[test]
    fn mistakes_name_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        std::fs::write(&path, "{\"name\":\"a\"}\nnope\n").unwrap();
        let told = |path: &Path| read(path).err().unwrap().to_string();
        assert!(told(&path).contains("line 2"));
        std::fs::write(&path, "{\"tools\":[{}]}").unwrap();
        assert!(told(&path).contains("lists no tool"));
    }
}
