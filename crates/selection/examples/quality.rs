//! How good are the answers on labelled sets? `cargo run --release --example quality -- mcp87 azure_mcp`

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a report for developers")]

#[path = "../tests/support/labelled.rs"]
mod labelled;

use std::time::Instant;

use handpick_domain::ToolSet;
use handpick_selection::{Floor, Index, Task, Tuning, search, select};
use labelled::{Labelled, Query};

fn main() {
    let sets: Vec<String> = std::env::args().skip(1).collect();
    for set in &sets {
        match labelled::load(set) {
            Some(labelled) => report(set, &labelled),
            None => println!("{set}: not found under {}", labelled::shared().display()),
        }
    }
}

fn report(set: &str, labelled: &Labelled) {
    let started = Instant::now();
    let index = Index::build(labelled.catalog.clone(), |_| None);
    println!(
        "{set}: {} tools, {} queries, index {:?}",
        labelled.catalog.tools().len(),
        labelled.queries.len(),
        started.elapsed()
    );
    let allowed = ToolSet::all(labelled.catalog.tools().len());
    show("search", labelled, |query| {
        search(&index, &query.text, &allowed, 20)
            .iter()
            .map(|hit| hit.position)
            .collect()
    });
    let tuning = Tuning {
        floor: Floor::NONE,
        ..Tuning::default()
    };
    show("select", labelled, |query| {
        let task = Task {
            text: &query.text,
            ..Task::default()
        };
        select(&index, &task, &allowed, 20, &tuning)
            .iter()
            .map(|suggestion| suggestion.position)
            .collect()
    });
}

fn show(title: &str, labelled: &Labelled, rank: impl FnMut(&Query) -> Vec<usize>) {
    print!("  {title:<16}");
    for (kind, quality) in labelled::measure(&labelled.queries, rank) {
        let [ndcg, first, five, empty] = quality.means();
        print!(" {kind} {ndcg:.3}/{first:.2}/{five:.2}/{empty:.2}");
    }
    println!();
}
