//! How good are the answers on labelled sets? `cargo run --release --example quality -- mcp87 azure_mcp`
//!
//! Prints NDCG@10, hit@1 and hit@5 with accepted tools, and the share of empty answers, by kind.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a report for developers")]

#[path = "../tests/support/labelled.rs"]
mod labelled;

use std::collections::HashMap;
use std::time::Instant;

use handpick_domain::{Digest, ToolSet};
use handpick_inference::MiniLm;
use handpick_selection::{Encoder, Floor, Index, Task, Tuning, Vector, search, select};
use labelled::{Labelled, Query};

/// Questions asked of one set at most, spread evenly.
const QUERIES_MAX: usize = 400;

fn main() {
    let encoder = MiniLm::load().unwrap();
    for set in std::env::args().skip(1) {
        match labelled::load(&set) {
            Some(labelled) => report(&set, &thinned(labelled), &encoder),
            None => println!("{set}: not found under {}", labelled::shared().display()),
        }
    }
}

fn thinned(mut labelled: Labelled) -> Labelled {
    let count = labelled.queries.len();
    if count > QUERIES_MAX {
        let mut number = 0;
        labelled.queries.retain(|_| {
            number += 1;
            number * QUERIES_MAX / count > (number - 1) * QUERIES_MAX / count
        });
    }
    labelled
}

fn report(set: &str, labelled: &Labelled, encoder: &MiniLm) {
    let started = Instant::now();
    let words = Index::build(labelled.catalog.clone(), |_| None);
    let indexed = started.elapsed();
    let index = with_meaning(&words, encoder);
    println!(
        "{set}: {} tools, {} queries; indexed in {indexed:.0?}, encoded in {:.1?}",
        labelled.catalog.tools().len(),
        labelled.queries.len(),
        started.elapsed()
    );
    let questions = Questions::encode(&labelled.queries, encoder);
    let allowed = ToolSet::all(labelled.catalog.tools().len());
    show("search", labelled, |_, query| {
        let hits = search(&words, &query.text, &allowed, 20);
        hits.iter().map(|hit| hit.position).collect()
    });
    let everything = Tuning {
        floor: Floor::NONE,
        ..Tuning::default()
    };
    let shipped = Tuning::default();
    for (title, index, tuning, context) in &[
        ("words, no floor", &words, everything.clone(), false),
        ("words", &words, shipped.clone(), false),
        ("no floor", &index, everything, false),
        ("select", &index, shipped.clone(), false),
        ("with context", &index, shipped, true),
    ] {
        show(title, labelled, |number, query| {
            let task = questions.task(number, query, *context);
            let suggestions = select(index, &task, &allowed, 20, tuning);
            suggestions.iter().map(|suggestion| suggestion.position).collect()
        });
    }
}

fn with_meaning(index: &Index, encoder: &MiniLm) -> Index {
    let missing = index.missing();
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let vectors: HashMap<Digest, Vector> = missing
        .iter()
        .zip(encoder.encode(&texts).unwrap())
        .filter_map(|((digest, _), vector)| Some((*digest, Vector::from_f32(&vector)?)))
        .collect();
    index.with_vectors(|digest| vectors.get(digest).cloned())
}

/// The vectors of all questions and of their contexts.
struct Questions {
    texts: Vec<Vec<f32>>,
    contexts: Vec<Vec<f32>>,
}

impl Questions {
    fn encode(queries: &[Query], encoder: &MiniLm) -> Self {
        let texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
        let contexts: Vec<&str> = queries
            .iter()
            .map(|query| query.context.as_deref().unwrap_or_default())
            .collect();
        Self {
            texts: encoder.encode(&texts).unwrap(),
            contexts: encoder.encode(&contexts).unwrap(),
        }
    }

    fn task<'a>(&'a self, number: usize, query: &'a Query, with_context: bool) -> Task<'a> {
        Task {
            text: &query.text,
            context: query.context.as_deref().filter(|_| with_context),
            vector: Some(&self.texts[number]),
            context_vector: Some(&self.contexts[number]),
            clauses: &[],
        }
    }
}

fn show(title: &str, labelled: &Labelled, mut rank: impl FnMut(usize, &Query) -> Vec<usize>) {
    let mut number = 0;
    let qualities = labelled::measure(&labelled.queries, |query| {
        number += 1;
        rank(number - 1, query)
    });
    print!("  {title:<16}");
    for (kind, quality) in qualities {
        let [ndcg, first, five, empty] = quality.means();
        print!(" | {kind} {ndcg:.3}/{first:.2}/{five:.2}, {empty:.3}");
    }
    println!();
}
