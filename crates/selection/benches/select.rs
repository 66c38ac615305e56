//! How long does a question take over 3,207 tools, and over 100,000, once it is encoded? And the index itself?

#![allow(clippy::unwrap_used, reason = "a benchmark may fail loudly")]

use std::collections::HashMap;
use std::sync::Arc;

use handpick_domain::{Catalog, Digest, Tool, ToolSet};
use handpick_selection::{Index, Task, Tuning, Vector, search, select};
use serde_json::value::RawValue;

/// As many tools as the 87 servers of the labelled headline set have together.
const TOOLS: usize = 3_207;
/// As many as one process should still answer from.
const MANY: usize = 100_000;
const DIMENSIONS: usize = 384;
const TASK: &str =
    "Post the release note into #announcements of the Engineering team and open an issue for the rest";

fn main() {
    divan::main();
}

#[divan::bench]
fn index_build(bencher: divan::Bencher<'_, '_>) {
    let catalog = catalog(TOOLS);
    let vectors = vectors(&catalog);
    bencher.bench(|| Index::build(Arc::clone(&catalog), |digest| vectors.get(digest).cloned()));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn index_build_of_many(bencher: divan::Bencher<'_, '_>) {
    let catalog = catalog(MANY);
    let vectors = vectors(&catalog);
    bencher.bench(|| Index::build(Arc::clone(&catalog), |digest| vectors.get(digest).cloned()));
}

#[divan::bench]
fn select_five_of_many(bencher: divan::Bencher<'_, '_>) {
    let index = index(MANY);
    let allowed = ToolSet::all(MANY);
    let question = numbers(7);
    let task = Task {
        text: TASK,
        vector: Some(&question),
        ..Task::default()
    };
    bencher.bench(|| select(&index, &task, &allowed, 5, &Tuning::default()));
}

#[divan::bench]
fn with_vectors(bencher: divan::Bencher<'_, '_>) {
    let index = Index::build(catalog(TOOLS), |_| None);
    let vectors = vectors(index.catalog());
    bencher.bench(|| index.with_vectors(|digest| vectors.get(digest).cloned()));
}

#[divan::bench]
fn select_five(bencher: divan::Bencher<'_, '_>) {
    let index = index(TOOLS);
    let allowed = ToolSet::all(index.catalog().tools().len());
    let question = numbers(7);
    let task = Task {
        text: TASK,
        vector: Some(&question),
        ..Task::default()
    };
    bencher.bench(|| select(&index, &task, &allowed, 5, &Tuning::default()));
}

#[divan::bench]
fn select_five_with_context(bencher: divan::Bencher<'_, '_>) {
    let index = index(TOOLS);
    let allowed = ToolSet::all(index.catalog().tools().len());
    let (question, context) = (numbers(7), numbers(8));
    let task = Task {
        text: TASK,
        context: Some("The user is triaging a production incident"),
        vector: Some(&question),
        context_vector: Some(&context),
        clauses: &[],
    };
    bencher.bench(|| select(&index, &task, &allowed, 5, &Tuning::default()));
}

#[divan::bench]
fn search_ten(bencher: divan::Bencher<'_, '_>) {
    let index = Index::build(catalog(TOOLS), |_| None);
    let allowed = ToolSet::all(index.catalog().tools().len());
    bencher.bench(|| search(&index, "release note channel message", &allowed, 10));
}

/// Names and first lines of the length real servers have, the same in every run.
fn catalog(tools: usize) -> Arc<Catalog> {
    const VERBS: [&str; 8] = [
        "create", "list", "get", "delete", "update", "search", "send", "export",
    ];
    const SYLLABLES: [&str; 16] = [
        "ba", "cor", "den", "fil", "gra", "hol", "im", "ker", "lo", "mun", "nar", "pos", "qui", "ret", "sul",
        "tav",
    ];
    const NOUNS: [&str; 16] = [
        "issue",
        "message",
        "channel",
        "release",
        "file",
        "table",
        "record",
        "dashboard",
        "alert",
        "incident",
        "page",
        "user",
        "team",
        "note",
        "branch",
        "invoice",
    ];
    let mut random = numbers_from(42);
    let mut pick = |length: usize| (random() * length as f32) as usize;
    let tools = (0..tools).map(|number| {
        let (verb, noun) = (VERBS[pick(8)], NOUNS[pick(16)]);
        let filling: Vec<String> = (0..20)
            .map(|_| [0; 3].map(|_| SYLLABLES[pick(16)]).concat())
            .collect();
        let definition = serde_json::json!({
            "name": format!("{verb}_{noun}_{number}"),
            "description": format!("{verb} one {noun} of {}\nmore", filling.join(" ")),
            "inputSchema": {},
        });
        let definition = RawValue::from_string(definition.to_string()).unwrap();
        Arc::new(Tool::parse(&format!("app{}", number % 87), &definition).unwrap())
    });
    Arc::new(Catalog::new(1, tools.collect()))
}

/// A vector for every tool, as a store would hold them.
fn vectors(catalog: &Catalog) -> HashMap<Digest, Vector> {
    let tools = catalog.tools().iter().enumerate();
    tools
        .filter_map(|(seed, tool)| Some((tool.digest(), Vector::from_f32(&numbers(seed as u64))?)))
        .collect()
}

fn index(tools: usize) -> Index {
    let catalog = catalog(tools);
    let vectors = vectors(&catalog);
    Index::build(catalog, |digest| vectors.get(digest).cloned())
}

fn numbers(seed: u64) -> Vec<f32> {
    let mut random = numbers_from(seed);
    (0..DIMENSIONS).map(|_| random() - 0.5).collect()
}

/// A small generator of numbers from 0 to 1.
fn numbers_from(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1_u64 << 24) as f32
    }
}
