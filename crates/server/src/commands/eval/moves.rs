//! How is it shown what moved since an earlier run?

use std::path::Path;

use handpick_evaluation::Report;
use handpick_evaluation::comparison::{self, GUARDED, Move};

use crate::terminal::{Paint, say, shorten, thousands};

/// Moves told at most; a kind of a few requests has many small ones.
const MOVES_MAX: usize = 20;

/// Widest name of a kind.
const KIND_MAX: usize = 24;

/// Prints what moved between two runs of a set.
pub fn show(before: &Report, now: &Report, file: &Path) {
    let paint = Paint::for_stdout();
    say(format!("\n {}", paint.bold(format!("Since {}", file.display()))));
    for difference in comparison::differences(before, now) {
        say(format!("   {}", paint.yellow(difference)));
    }
    say(format!("   {}", all_together(before, now).join("   ")));
    say(format!("   {}", paint.dim(besides(before, now))));
    let of_kinds: Vec<Move> = comparison::moves(before, now)
        .into_iter()
        .filter(|moved| moved.kind.is_some())
        .collect();
    if of_kinds.is_empty() {
        return say(format!("   {}", paint.dim("no kind moved")));
    }
    let width = of_kinds.iter().map(|moved| kind(moved).chars().count()).max();
    let width = width.unwrap_or_default().min(KIND_MAX);
    say("");
    for moved in of_kinds.iter().take(MOVES_MAX) {
        say(line(moved, width));
    }
    if of_kinds.len() > MOVES_MAX {
        let more = of_kinds.len() - MOVES_MAX;
        say(format!(
            "   {}",
            paint.dim(format!("and {} smaller moves", thousands(more)))
        ));
    }
}

fn kind(moved: &Move) -> &str {
    moved.kind.as_deref().unwrap_or_default()
}

fn line(moved: &Move, width: usize) -> String {
    format!(
        "   {:width$}  {:13}  {:.3} → {:.3}  {}",
        shorten(kind(moved), width),
        moved.measure.to_string(),
        moved.before,
        moved.now,
        arrow(moved)
    )
}

/// What decides, whether it moved or not.
fn all_together(before: &Report, now: &Report) -> Vec<String> {
    let told = |measure| {
        let moved = Move {
            kind: None,
            measure,
            before: before.overall.get(measure)?,
            now: now.overall.get(measure)?,
        };
        Some(format!("{measure} {:.3} {}", moved.now, arrow(&moved)))
    };
    GUARDED.into_iter().filter_map(told).collect()
}

/// What is no measure of a kind: abstention, calibration, cost.
fn besides(before: &Report, now: &Report) -> String {
    let pair = |name: &str, before: Option<f64>, now: Option<f64>, digits: usize| {
        let (before, now) = (before?, now?);
        Some(format!("{name} {before:.digits$} → {now:.digits$}"))
    };
    let ece = |report: &Report| {
        report
            .calibration
            .as_ref()
            .map(|calibration| calibration.first_five.ece)
    };
    let parts = [
        pair("AUROC", before.abstention.auroc, now.abstention.auroc, 3),
        pair(
            "rightly empty",
            before.abstention.rightly_empty,
            now.abstention.rightly_empty,
            3,
        ),
        pair("calibration error", ece(before), ece(now), 3),
        pair("median ms", before.latency_ms.median, now.latency_ms.median, 2),
        pair(
            "tokens shown",
            Some(before.tokens.shown_per_query),
            Some(now.tokens.shown_per_query),
            0,
        ),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// An arrow in the direction of a change, green where it is good.
fn arrow(moved: &Move) -> String {
    let paint = Paint::for_stdout();
    let size = format!("{:.3}", moved.change().abs());
    if size == "0.000" {
        return paint.dim("=");
    }
    let text = format!("{} {size}", if moved.change() > 0.0 { "▲" } else { "▼" });
    if moved.is_better() {
        paint.green(text)
    } else {
        paint.red(text)
    }
}
