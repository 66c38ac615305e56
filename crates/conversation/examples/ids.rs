//! Which ids of labelled conversations are found, and which are not? `cargo run -p handpick-conversation --example ids -- DIR...`
//!
//! Each DIR holds `catalog.json`, `traces.json` and `conversations.jsonl`.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

#[path = "support/labelled_ids.rs"]
mod labelled_ids;

use std::path::Path;

use labelled_ids::{Counts, measure};

fn main() {
    let mut all = Counts::default();
    for folder in std::env::args().skip(1) {
        let folder = Path::new(&folder);
        let counts = measure(folder);
        for miss in &counts.misses {
            println!("{miss}");
        }
        println!("{}", counts.row(&folder.file_name().unwrap().to_string_lossy()));
        all.add(&counts);
    }
    println!("{}", all.row("all"));
}
