//! Do words alone find what they found before, on the labelled headline set?

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "support/labelled.rs"]
mod labelled;

use handpick_domain::ToolSet;
use handpick_selection::{Floor, Index, Task, Tuning, search, select};

/// A regression here is a change of quality, not of taste: `handpick eval` tells the details.
#[test]
fn words_alone_reach_the_plain_baseline() {
    let Some(labelled) = labelled::load("mcp87") else {
        println!("skipped: no labelled data under {}", labelled::shared().display());
        return;
    };
    let index = Index::build(labelled.catalog.clone(), |_| None);
    let allowed = ToolSet::all(labelled.catalog.tools().len());
    let tuning = Tuning {
        floor: Floor::NONE,
        ..Tuning::default()
    };
    let selected = labelled::measure(&labelled.queries, |query| {
        let task = Task {
            text: &query.text,
            ..Task::default()
        };
        select(&index, &task, &allowed, 20, &tuning)
            .iter()
            .map(|suggestion| suggestion.position)
            .collect()
    });
    let [ndcg, first, five, _] = selected["answerable"].means();
    assert!(
        ndcg >= 0.349 && first >= 0.30 && five >= 0.45,
        "{ndcg:.3} {first:.3} {five:.3}"
    );
    let [ndcg, first, five, _] = selected["exact"].means();
    assert!(
        ndcg >= 0.95 && first >= 0.90 && five >= 1.0,
        "{ndcg:.3} {first:.3} {five:.3}"
    );

    let searched = labelled::measure(&labelled.queries, |query| {
        search(&index, &query.text, &allowed, 20)
            .iter()
            .map(|hit| hit.position)
            .collect()
    });
    let [ndcg, ..] = searched["answerable"].means();
    assert!(ndcg >= 0.349, "{ndcg:.3}");
}
