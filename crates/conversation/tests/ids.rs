//! Are the ids of labelled conversations found, and those of a topic that was left not offered?

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that prints what it measured"
)]

#[path = "../examples/support/labelled_ids.rs"]
mod labelled_ids;

use std::path::{Path, PathBuf};

use handpick_testkit::shared_folder_or_skip;
use labelled_ids::{Counts, measure, share};

/// Where labelled conversations for development lie.
fn folders() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../quality/turns");
    let mut folders: Vec<PathBuf> = ["helpdesk", "school", "property", "banking"]
        .iter()
        .map(|name| own.join(name))
        .collect();
    if let Some(shared) = shared_folder_or_skip("ids of the shared conversations") {
        let turns = shared.join("eval/turns");
        folders.extend(["billing", "clinic", "shop"].iter().map(|name| turns.join(name)));
    }
    folders.retain(|folder| {
        let is_there = folder.join("conversations.jsonl").is_file();
        if !is_there {
            println!("skipped: {} has no labelled conversations", folder.display());
        }
        is_there
    });
    folders
}

/// T39: of the ids that labels list at least 94 in 100 are right, and of those of a topic that was left fewer than 5 in
/// 100 are offered.
#[test]
fn t39_the_ids_of_labelled_conversations() {
    let mut all = Counts::default();
    for folder in folders() {
        let counts = measure(&folder);
        println!("{}", counts.row(&folder.file_name().unwrap().to_string_lossy()));
        for miss in &counts.misses {
            println!("    {miss}");
        }
        all.add(&counts);
    }
    println!("{}", all.row("all"));
    assert!(share(all.right, all.listed) >= 0.94, "{}", all.row("all"));
    assert!(
        all.stale == 0 || share(all.offered, all.stale) < 0.05,
        "{}",
        all.row("all")
    );
}
