//! Does a text give the exact name of a tool?

use std::collections::HashMap;

use handpick_domain::{Catalog, ToolSet};

use crate::words;

/// Every name a tool answers to, lower-cased.
#[derive(Debug, Default)]
pub struct Names {
    /// Canonical (`app.tool`) and rendered (`app_tool`) names.
    full: HashMap<String, Vec<u32>>,
    /// Names within the app; several apps may share one.
    own: HashMap<String, Vec<u32>>,
}

impl Names {
    /// Collects the names of a catalog.
    pub fn build(catalog: &Catalog) -> Self {
        let mut names = Self::default();
        for (position, tool) in catalog.tools().iter().enumerate() {
            let rendered = catalog.rendered(position).to_lowercase();
            let canonical = tool.name.as_str().to_lowercase();
            insert(&mut names.full, rendered, position);
            insert(&mut names.full, canonical, position);
            insert(&mut names.own, tool.name.tool().to_lowercase(), position);
        }
        names
    }

    /// The tools that a text names, whatever the case, with or without `@version`.
    ///
    /// A name within its app counts when it is the whole text, or when it is written as only an
    /// identifier is: `create_issue` in a sentence is a name, `search` is a word.
    pub fn named_in(&self, text: &str, tools: usize) -> ToolSet {
        let mut named: Vec<u32> = Vec::new();
        let text = words::truncate(text).trim();
        self.collect(text, true, &mut named);
        for piece in text.split(separates_names) {
            self.collect(piece, is_identifier(piece), &mut named);
            if !piece.is_ascii() {
                for part in piece.split(|c: char| !c.is_ascii()) {
                    self.collect(part, is_identifier(part), &mut named);
                }
            }
        }
        named.sort_unstable();
        ToolSet::from_fn(tools, |position| named.binary_search(&(position as u32)).is_ok())
    }

    fn collect(&self, written: &str, own: bool, named: &mut Vec<u32>) {
        let written = written.trim_matches(['.', ':', '/', '-']);
        let unversioned = written.split_once('@').map(|(name, _)| name);
        for name in [Some(written), unversioned]
            .into_iter()
            .flatten()
            .filter(|name| !name.is_empty())
        {
            let name = name.to_lowercase();
            named.extend(self.full.get(&name).into_iter().flatten());
            if own {
                named.extend(self.own.get(&name).into_iter().flatten());
            }
        }
    }
}

fn insert(names: &mut HashMap<String, Vec<u32>>, name: String, position: usize) {
    let positions = names.entry(name).or_default();
    if positions.last() != Some(&(position as u32)) {
        positions.push(position as u32);
    }
}

fn separates_names(c: char) -> bool {
    c.is_whitespace() || !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@'))
}

/// Whether a word is written as names are: `_`, `-`, `.`, `/`, `:` or a capital inside.
fn is_identifier(word: &str) -> bool {
    let word = word.trim_matches(['.', ':', '/', '-', '_']);
    let inner_capital = || {
        word.chars()
            .zip(word.chars().skip(1))
            .any(|(a, b)| a.is_lowercase() && b.is_uppercase())
    };
    word.contains(['_', '-', '.', '/', ':']) || inner_capital()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use handpick_domain::Tool;
    use serde_json::value::RawValue;

    use super::*;

    fn catalog() -> Catalog {
        let names = [
            ("github", "create_issue"),
            ("gitlab", "create_issue"),
            ("brave", "search"),
            ("ms-365", "find-meeting-times"),
            ("postman", "createSdk"),
            ("db", "查询"),
        ];
        let tools = names.map(|(app, name)| {
            let json = serde_json::json!({"name": name, "inputSchema": {}}).to_string();
            Arc::new(Tool::parse(app, &RawValue::from_string(json).unwrap()).unwrap())
        });
        Catalog::new(1, tools.into())
    }

    #[test]
    fn names_are_found_in_running_text() {
        let catalog = catalog();
        let names = Names::build(&catalog);
        for (text, expected) in [
            ("use github.create_issue please", "github.create_issue"),
            ("`GITHUB_CREATE_ISSUE`!", "github.create_issue"),
            ("github.create_issue@1.2.", "github.create_issue"),
            (
                "create_issue: crash on start",
                "github.create_issue gitlab.create_issue",
            ),
            ("create issue", ""),
            ("search for flights", ""),
            (" Search ", "brave.search"),
            ("find-meeting-times for us", "ms-365.find-meeting-times"),
            ("run createSDK now", "postman.createSdk"),
            ("createsdk now", ""),
            ("请用brave_search查一下", "brave.search"),
            ("查询", "db.查询"),
            ("", ""),
            ("@ . / -", ""),
        ] {
            let found: Vec<&str> = names
                .named_in(text, catalog.tools().len())
                .iter()
                .map(|position| catalog.tools()[position].name.as_str())
                .collect();
            assert_eq!(found.join(" "), expected, "{text:?}");
        }
    }
}
