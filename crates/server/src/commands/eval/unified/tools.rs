//! Which tools are the requests asked over?

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use handpick_demo::{DemoApp, apps};
use handpick_domain::Tool;
use handpick_evaluation::unified::Case;
use handpick_protocol::json::to_raw;
use handpick_upstream::ServerConfig;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::commands::catalog_file;

/// The tools of every server that is needed and there.
pub struct Tools {
    /// By server as labels name it: its tools, by their own names.
    servers: BTreeMap<String, BTreeMap<String, Arc<Tool>>>,
    demo: BTreeSet<String>,
}

impl Tools {
    /// Finds the servers of these requests: apps of the demo, and files of `catalogs`.
    pub async fn find(cases: &[Case], catalogs: Option<&Path>) -> anyhow::Result<Self> {
        let needed: BTreeSet<&String> = cases.iter().flat_map(|case| &case.servers).collect();
        let mut found = Self {
            servers: BTreeMap::new(),
            demo: BTreeSet::new(),
        };
        for app in apps() {
            if needed.iter().any(|server| *server == app.name) {
                let tools = listed(&app).await?;
                found.servers.insert(app.name.to_owned(), tools);
                found.demo.insert(app.name.to_owned());
            }
        }
        let Some(folder) = catalogs else { return Ok(found) };
        for server in needed {
            let file = folder.join(format!("{server}.json"));
            if found.servers.contains_key(server) || !file.exists() {
                continue;
            }
            let listing = catalog_file::read(&file)?;
            let by_name: BTreeMap<_, _> = listing
                .catalog
                .tools()
                .iter()
                .map(|tool| (tool.name.clone(), tool))
                .collect();
            let tools = listing.names.iter().filter_map(|(written, name)| {
                let tool = by_name.get(name)?;
                Some((written.clone(), Arc::clone(tool)))
            });
            found.servers.insert(server.clone(), tools.collect());
        }
        Ok(found)
    }

    /// Whether the tools of every server of a request are there.
    pub fn has_all(&self, case: &Case) -> bool {
        case.servers
            .iter()
            .all(|server| self.servers.contains_key(server))
    }

    /// Whether a request is over apps of the demo alone.
    pub fn is_demo(&self, case: &Case) -> bool {
        case.servers.iter().all(|server| self.demo.contains(server))
    }

    /// Canonical names of the tools of a server, with the names that labels use.
    pub fn of(&self, server: &str) -> impl Iterator<Item = (String, &Tool)> {
        let tools = self.servers.get(server).into_iter().flatten();
        tools.map(move |(written, tool)| (format!("{server}.{written}"), &**tool))
    }

    /// What labels call each tool, by its canonical name.
    pub fn labels(&self) -> BTreeMap<String, String> {
        self.servers
            .keys()
            .flat_map(|server| self.of(server))
            .map(|(label, tool)| (tool.name.to_string(), label))
            .collect()
    }

    /// Servers that list these tools and run none.
    pub fn servers(&self) -> Vec<ServerConfig> {
        let tools = self.servers.values().flat_map(BTreeMap::values);
        catalog_file::servers(tools.map(|tool| &**tool))
    }

    /// How many tools there are.
    pub fn count(&self) -> usize {
        self.labels().len()
    }

    /// Tools that labels name and no server lists.
    pub fn unknown_labels(&self, cases: &[Case]) -> BTreeSet<String> {
        let known: BTreeSet<String> = self.labels().into_values().collect();
        let named = cases.iter().flat_map(Case::named_tools);
        named
            .filter(|name| !known.contains(*name))
            .map(str::to_owned)
            .collect()
    }
}

/// The tools of a demo app, all pages of them.
async fn listed(app: &DemoApp) -> anyhow::Result<BTreeMap<String, Arc<Tool>>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Page {
        tools: Vec<Box<RawValue>>,
        next_cursor: Option<String>,
    }
    let mut tools = BTreeMap::new();
    let mut params = json!({});
    loop {
        let page = app.server.handle("tools/list", Some(&to_raw(&params))).await;
        let page = page.map_err(|error| anyhow!("the app {} lists nothing: {error}", app.name))?;
        let page: Page =
            serde_json::from_str(page.get()).with_context(|| format!("the app {} lists oddly", app.name))?;
        for definition in page.tools {
            let tool = Tool::parse(app.name, &definition)?;
            tools.insert(tool.name.tool().to_owned(), Arc::new(tool));
        }
        match page.next_cursor {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => return Ok(tools),
        }
    }
}
