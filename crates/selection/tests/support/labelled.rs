//! How good are answers on labelled data? Reads a set and measures rankings against it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use handpick_domain::{Catalog, Tool, ToolName};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One labelled set: a catalog and questions about it.
pub struct Labelled {
    pub catalog: Arc<Catalog>,
    pub queries: Vec<Query>,
}

/// A question and what answers it, as catalog positions.
pub struct Query {
    pub kind: String,
    pub text: String,
    /// Earlier turns or the situation, where the set gives them.
    #[allow(dead_code, reason = "not every program that reads the sets asks with context")]
    pub context: Option<String>,
    pub relevant: Vec<usize>,
    pub also_accept: Vec<usize>,
}

/// Sums over questions; divide by `count`.
#[derive(Clone, Copy, Default)]
pub struct Quality {
    pub count: usize,
    pub ndcg: f64,
    pub first: f64,
    pub five: f64,
    pub empty: f64,
}

#[derive(Deserialize)]
struct ToolRow {
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    server: Option<String>,
}

#[derive(Deserialize)]
struct QueryRow {
    query: String,
    relevant: Vec<String>,
    #[serde(default)]
    also_accept: Vec<String>,
    #[serde(default)]
    context: Option<serde_json::Value>,
    #[serde(alias = "split", default)]
    kind: String,
}

/// The folder with labelled data and catalogs: `HANDPICK_SHARED`, or `shared` beside the repository.
pub fn shared() -> PathBuf {
    std::env::var_os("HANDPICK_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    )
}

/// Reads a set; `None` when it is not on this machine.
pub fn load(set: &str) -> Option<Labelled> {
    load_folder(&shared().join("eval").join(set))
}

/// Reads a set from its folder; `None` when it is not there.
pub fn load_folder(folder: &Path) -> Option<Labelled> {
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).ok();
    let (tools, queries) = (read("tools.jsonl")?, read("queries.jsonl")?);
    let mut names = BTreeMap::new();
    let mut parsed = Vec::new();
    for line in tools.lines() {
        let row: ToolRow = serde_json::from_str(line).unwrap();
        let tool = tool(&row);
        names.insert(row.name, tool.name.clone());
        parsed.push(Arc::new(tool));
    }
    let catalog = Arc::new(Catalog::new(1, parsed));
    let queries = queries
        .lines()
        .map(|line| query(&catalog, &names, line))
        .collect();
    Some(Labelled { catalog, queries })
}

fn tool(row: &ToolRow) -> Tool {
    // Sets of plain functions have no servers; a catalog always has apps.
    let app = row
        .server
        .clone()
        .unwrap_or_else(|| "api".to_owned())
        .replace('.', "-");
    let server = row.server.as_deref().unwrap_or_default();
    let name = ["__", "."]
        .into_iter()
        .find_map(|separator| row.name.strip_prefix(server)?.strip_prefix(separator))
        .unwrap_or(&row.name);
    let definition = serde_json::json!({
        "name": name, "description": row.description.clone().unwrap_or_default(), "inputSchema": {},
    });
    Tool::parse(&app, &RawValue::from_string(definition.to_string()).unwrap()).unwrap()
}

fn query(catalog: &Catalog, names: &BTreeMap<String, ToolName>, line: &str) -> Query {
    let row: QueryRow = serde_json::from_str(line).unwrap();
    let positions = |wanted: &[String]| -> Vec<usize> {
        wanted
            .iter()
            .filter_map(|name| catalog.position(names.get(name)?))
            .collect()
    };
    let context = match row.context {
        Some(serde_json::Value::String(text)) => Some(text),
        Some(serde_json::Value::Null) | None => None,
        Some(other) => Some(other.to_string()),
    };
    Query {
        relevant: positions(&row.relevant),
        also_accept: positions(&row.also_accept),
        kind: row.kind,
        text: row.query,
        context: context.filter(|text| !text.trim().is_empty()),
    }
}

impl Quality {
    /// Adds one ranking, best first.
    pub fn add(&mut self, query: &Query, ranking: &[usize]) {
        let accepted =
            |position: &&usize| query.relevant.contains(position) || query.also_accept.contains(position);
        let judged = ranking
            .iter()
            .filter(|p| query.relevant.contains(p) || !query.also_accept.contains(p));
        let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
        let found: f64 = judged
            .take(10)
            .enumerate()
            .filter(|(_, position)| query.relevant.contains(position))
            .map(|(rank, _)| gain(rank))
            .sum();
        let ideal: f64 = (0..query.relevant.len().min(10)).map(gain).sum();
        self.count += 1;
        self.ndcg += if ideal > 0.0 { found / ideal } else { 0.0 };
        self.first += f64::from(ranking.iter().take(1).any(|p| accepted(&p)));
        self.five += f64::from(ranking.iter().take(5).any(|p| accepted(&p)));
        self.empty += f64::from(ranking.is_empty());
    }

    /// NDCG@10, hit@1 and hit@5 with accepted tools, share of empty answers.
    pub fn means(&self) -> [f64; 4] {
        [self.ndcg, self.first, self.five, self.empty].map(|sum| sum / self.count.max(1) as f64)
    }
}

/// One measurement a kind, and `answerable` for all that some tool answers.
pub fn measure(queries: &[Query], mut rank: impl FnMut(&Query) -> Vec<usize>) -> BTreeMap<String, Quality> {
    let mut qualities: BTreeMap<String, Quality> = BTreeMap::new();
    for query in queries {
        let ranking = rank(query);
        qualities
            .entry(query.kind.clone())
            .or_default()
            .add(query, &ranking);
        if !query.relevant.is_empty() {
            qualities
                .entry("answerable".to_owned())
                .or_default()
                .add(query, &ranking);
        }
    }
    qualities
}
